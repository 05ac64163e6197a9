use super::*;
use crate::chess::{StartPosition, fen};
use crate::engines::kit::testing::{mirrored, random_positions, reference_positions};

fn clean() -> Evaluator {
    Evaluator::new(&Personality::clean())
}

fn careless() -> Evaluator {
    Evaluator::new(&Personality::built_in("careless").unwrap().unwrap())
}

fn chess(fen: &str) -> Chess {
    StartPosition::from_fen(fen).unwrap().position().clone()
}

fn meter(fen: &str, block: Block) -> (i32, i32) {
    let meters = clean().meters(&chess(fen));
    (meters.meter(block, Color::White), meters.meter(block, Color::Black))
}

#[test]
fn every_block_is_mirror_symmetric_on_thousands_of_positions() {
    let mut compared = 0;
    for evaluator in [clean(), careless()] {
        for position in random_positions(4000) {
            // The mirror image knows standard castling rights only.
            let text = fen(&position);
            let image = chess(&mirrored(&text));
            let (here, there) = (evaluator.meters(&position), evaluator.meters(&image));
            for (block, name) in BLOCKS {
                for color in [Color::White, Color::Black] {
                    assert_eq!(here.meter(block, color), there.meter(block, color.other()), "{name} {text}");
                }
            }
            assert_eq!(evaluator.evaluate(&position), evaluator.evaluate(&image), "{text}");
            compared += 1;
        }
    }
    assert_eq!(compared, 8000);
}

#[test]
fn the_meters_add_up_to_the_evaluation() {
    for evaluator in [clean(), careless()] {
        for position in random_positions(3000) {
            let meters = evaluator.meters(&position);
            let sum: i32 = meters.rows().map(|(_, white, black)| white - black).sum();
            let sign = if position.turn() == Color::White { 1 } else { -1 };
            assert_eq!(evaluator.evaluate(&position), sign * sum);
            assert_eq!(meters.value_white(), sum);
        }
    }
}

#[test]
fn material_is_right_to_the_centipawn() {
    let values = [("p", 100), ("n", 320), ("b", 330), ("r", 500), ("q", 950)];
    for position in reference_positions() {
        let text = fen(&position);
        let placement = text.split(' ').next().unwrap();
        let count = |letter: &str| placement.matches(letter).count() as i32;
        let meters = clean().meters(&position);
        let white: i32 = values.iter().map(|(letter, value)| count(&letter.to_uppercase()) * value).sum();
        let black: i32 = values.iter().map(|(letter, value)| count(letter) * value).sum();
        assert_eq!(meters.meter(Block::Material, Color::White), white, "{text}");
        assert_eq!(meters.meter(Block::Material, Color::Black), black, "{text}");
    }
}

#[test]
fn loose_pieces_are_those_attacked_and_unguarded_or_by_something_cheaper() {
    // The knight on d5 is attacked by the rook and not guarded: 40.
    assert_eq!(meter("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", Block::LoosePieces), (0, -40));
    // Guarded by a pawn, against a rook: not loose.
    assert_eq!(meter("4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1", Block::LoosePieces), (0, 0));
    // Guarded, but a pawn attacks it.
    assert_eq!(meter("4k3/8/4p3/3n4/4P3/8/8/4K3 w - - 0 1", Block::LoosePieces), (0, -40));
    // A guarded queen that a rook attacks; the rook is guarded by its king.
    assert_eq!(meter("4k3/3q4/8/8/8/8/3R4/4K3 w - - 0 1", Block::LoosePieces), (0, -80));
    // A guarded bishop that a knight attacks is not loose: they are worth the same.
    assert_eq!(meter("4k3/8/4p3/3b4/8/4N3/8/4K3 w - - 0 1", Block::LoosePieces), (0, 0));
    // The side to move can save its own: a quarter.
    assert_eq!(meter("4k3/8/8/3n4/8/8/8/3RK3 b - - 0 1", Block::LoosePieces), (0, -10));
    // A pawn is never loose.
    assert_eq!(meter("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", Block::LoosePieces), (0, 0));
}

#[test]
fn the_other_meters_are_those_counted_by_hand() {
    // White: doubled on c (12), both isolated (28), none passed for the pawn on b6. Black: isolated.
    assert_eq!(meter("4k3/8/1p6/8/2P5/2P5/8/4K3 w - - 0 1", Block::PawnStructure), (-40, -14));
    // A pawn on the seventh, past all others: 105 less 14.
    assert_eq!(meter("8/4P1k1/8/8/8/8/7p/4K3 w - - 0 1", Block::PawnStructure), (91, 91));
    // The start: knights reach 2 squares each.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(meter(start, Block::Mobility), (20, 20));
    assert_eq!(meter(start, Block::KingExposure), (0, 0));
    assert_eq!(meter(start, Block::PawnStructure), (0, 0));
    // King e1: the rook attacks d1, d2 and (through nothing) no more of the zone; both squares are
    // unguarded; d, e and f are open: 2*7 + 2*8 + 3*14 = 72 at a phase of 2/24 = 0.083: 6.
    assert_eq!(meter("3r4/8/8/8/8/8/8/4K2k w - - 0 1", Block::KingExposure).0, -6);
}

#[test]
fn the_dice_depend_on_position_and_seed_alone_and_fall_evenly() {
    let positions = random_positions(3000);
    let rolls: Vec<_> = positions.iter().map(|position| roll(7, position)).collect();
    assert!(rolls.iter().all(|number| (-1000..1000).contains(number)));
    // Equal positions may be among them; the mean of 3000 has a standard error of about 11.
    let mean = rolls.iter().sum::<i64>() / 3000;
    assert!(mean.abs() < 60, "{mean}");
    assert_ne!(roll(7, &positions[0]), roll(8, &positions[0]));
    let mut again = positions[0].clone();
    assert_eq!(roll(7, &again), rolls[0]);
    let m = again.legal_moves()[0];
    again.play_unchecked(m);
    assert_ne!(roll(7, &again), rolls[0]);
}

#[test]
fn a_gain_may_differ_between_the_sides_and_with_the_move() {
    let personality = |gain: &str| {
        let text = format!(
            r#"{{"format_version": 1, "name": "test", "graph": {{"sum": [{{"block": "material", "gain": "{gain}",
            "arguments": {{"pawn": 100, "knight": 300, "bishop": 300, "rook": 500, "queen": 900}}}}]}}}}"#
        );
        Evaluator::new(&Personality::parse(&text, "test").unwrap())
    };
    let position = chess("4k3/pp6/8/8/8/8/P7/4K3 b - - 0 31");
    let sides = |gain: &str| {
        let meters = personality(gain).meters(&position);
        (meters.meter(Block::Material, Color::White), meters.meter(Block::Material, Color::Black))
    };
    assert_eq!(sides("1"), (100, 200));
    assert_eq!(sides("side"), (0, 200), "1 for the side to move, 0 for the other");
    assert_eq!(sides("0.5 + 0.25 * side"), (50, 150));
    assert_eq!(sides("(move_number > 30) * 2"), (200, 400));
    assert_eq!(sides("move_number > 31"), (0, 0));
    assert_eq!(sides("ply * 0.1"), (610, 1220));
    assert_eq!(sides("ply"), (1000, 2000), "no gain is above 10");
    assert_eq!(sides("phase"), (0, 0));
    assert_eq!(sides("-0.125"), (-13, -25), "halves go away from zero");
}
