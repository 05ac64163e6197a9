use super::*;
use crate::chess::{CastlingMode, StartPosition, parse_engine_move, uci};
use crate::engines::kit::testing::{random_positions, reference_positions};
use crate::engines::legible::Personality;

struct Listener(Vec<Report>);

impl Control for Listener {
    fn must_stop(&mut self) -> bool {
        false
    }

    fn may_deepen(&mut self) -> bool {
        true
    }

    fn report(&mut self, report: &Report) {
        self.0.push(report.clone());
    }
}

fn position(fen: &str) -> KeyedPosition {
    KeyedPosition::new(StartPosition::from_fen(fen).unwrap().position().clone())
}

fn reports(position: &KeyedPosition, limits: &SearchLimits, history: &[u64]) -> Vec<Report> {
    let evaluator = Evaluator::new(&Personality::clean());
    let mut listener = Listener(Vec::new());
    let last = Search::new(&evaluator, &mut listener, limits, history).run(position);
    assert_eq!(listener.0.last(), Some(&last));
    listener.0
}

fn to_depth(position: &KeyedPosition, depth: u8) -> Report {
    let limits = SearchLimits { depth: Some(depth), ..SearchLimits::default() };
    reports(position, &limits, &[]).pop().unwrap()
}

fn best(report: &Report) -> String {
    report.variation.first().map(|m| uci(*m, CastlingMode::Standard)).unwrap_or_default()
}

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";

#[test]
fn mates_in_one_two_and_three_are_found_at_their_distance() {
    let mates = [
        (1, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8"),
        (1, "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7"),
        (1, "8/8/8/8/8/5k2/4q3/7K b - - 0 1", ""),
        (2, "5r1k/1b2Nppp/8/2R5/4Q3/8/5PPP/6K1 w - - 0 1", "e4h7"),
        (2, "8/8/8/8/8/7k/R7/1R4K1 w - - 0 1", ""),
        (2, "r6k/6pp/7N/8/2Q5/8/6PP/6K1 w - - 0 1", "c4g8"),
        (3, "r5k1/5Npp/8/8/2Q5/8/6PP/6K1 w - - 0 1", "f7h6"),
    ];
    for (moves, fen, expected) in mates {
        let report = to_depth(&position(fen), 2 * moves as u8 - 1);
        assert_eq!((report.score, report.bound), (Score::Mate(moves), Bound::Exact), "{fen}");
        assert!(expected.is_empty() || best(&report) == expected, "{fen}");
        assert_eq!(report.variation.len(), 2 * moves as usize - 1, "the line ends in mate: {fen}");
        assert_eq!(to_depth(&position(fen), 2 * moves as u8 + 2).score, Score::Mate(moves), "{fen}");
    }
}

#[test]
fn being_mated_and_having_no_move_are_seen() {
    assert_eq!(to_depth(&position("7k/8/6K1/8/8/8/8/R7 b - - 0 1"), 3).score, Score::Mate(-1));
    let mated = to_depth(&position("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), 5);
    assert_eq!((mated.score, mated.variation.len(), mated.nodes), (Score::Mate(0), 0, 0));
    let stalemated = to_depth(&position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 5);
    assert_eq!((stalemated.score, stalemated.variation.len()), (Score::Cp(0), 0));
    // Qxc7 would be stalemate: seen at the horizon already.
    assert_ne!(best(&to_depth(&position("k7/2p5/K7/8/8/8/8/2Q5 w - - 0 1"), 1)), "c1c7");
}

#[test]
fn draws_by_fifty_moves_and_bare_kings_are_worth_nothing() {
    assert_eq!(to_depth(&position("7k/8/8/8/8/8/1K6/1Q6 w - - 99 100"), 4).score, Score::Cp(0));
    let mate = to_depth(&position("k7/8/1K6/8/8/8/8/6Q1 w - - 99 100"), 4);
    assert_eq!((mate.score, best(&mate).as_str()), (Score::Mate(1), "g1g8"));
    let saved = to_depth(&position("8/8/8/8/8/1kP5/8/N1K5 b - - 0 1"), 3);
    assert_eq!((saved.score, best(&saved).as_str()), (Score::Cp(0), "b3c3"));
    let bare = to_depth(&position("8/8/8/8/8/1kP5/8/2K5 b - - 0 1"), 1);
    assert_eq!((bare.score, best(&bare).as_str()), (Score::Cp(0), "b3c3"));
}

/// Plays moves from a position and returns where that leads and the keys before it.
fn played(fen: &str, moves: &[&str]) -> (KeyedPosition, Vec<u64>) {
    let mut game = position(fen);
    let mut history = Vec::new();
    for text in moves {
        history.push(game.key());
        game = game.after(parse_engine_move(game.chess(), text).unwrap().0);
    }
    (game, history)
}

#[test]
fn a_repetition_counts_for_either_side_and_only_with_the_same_side_to_move() {
    // White is a queen behind. After three plies Kg1 brings back the first position, four plies ago.
    let fen = "k7/8/8/1q6/8/8/6PP/6K1 b - - 0 1";
    let limits = SearchLimits { depth: Some(1), ..SearchLimits::default() };
    let search = |moves: &[&str]| {
        let (game, history) = played(fen, moves);
        reports(&game, &limits, &history).pop().unwrap()
    };
    let repeating = search(&["b5a5", "g1h1", "a5b5"]);
    assert_eq!((repeating.score, best(&repeating).as_str()), (Score::Cp(0), "h1g1"));
    // Five plies after it all stands on the same squares, but the other side is to move.
    let (game, history) = played(fen, &["b5a4", "g1h1", "a4b4", "h1g1"]);
    let back = parse_engine_move(game.chess(), "b4b5").unwrap().0;
    let only = SearchLimits { root_moves: vec![back], ..limits.clone() };
    let parity = reports(&game, &only, &history).pop().unwrap();
    assert!(matches!(parity.score, Score::Cp(value) if value > 500), "{parity:?}");
    // The side ahead sees the same draw coming and avoids it.
    let ahead = SearchLimits { depth: Some(4), ..SearchLimits::default() };
    let (game, history) = played(fen, &["b5a5", "g1h1"]);
    let chosen = reports(&game, &ahead, &history).pop().unwrap();
    assert_ne!(best(&chosen), "a5b5", "that would let White repeat");
    assert!(
        matches!(chosen.score, Score::Cp(value) if value > 500)
            || matches!(chosen.score, Score::Mate(n) if n > 0)
    );
}

#[test]
fn a_perpetual_check_is_found_by_the_side_behind() {
    let report = to_depth(&position("6k1/6p1/8/7Q/8/8/qrr3PP/7K w - - 0 1"), 5);
    assert_eq!((report.score, best(&report).as_str()), (Score::Cp(0), "h5e8"));
}

/// The value for the side to move at a depth that may be 0.
fn value(position: &KeyedPosition, depth: u8, history: &[u64]) -> i32 {
    let evaluator = Evaluator::new(&Personality::clean());
    let limits = SearchLimits::default();
    let mut listener = Listener(Vec::new());
    let mut search = Search::new(&evaluator, &mut listener, &limits, history);
    search.keys.push(position.key());
    search.negamax(position, depth, 0, -MATE_LIMIT, MATE_LIMIT, false)
}

/// What a child is worth to its parent: its own value, a mate one ply further away, and nothing
/// where a rule makes it a draw.
fn from_parent(child: &KeyedPosition, depth: u8, history: &[u64]) -> i32 {
    let keys = [history, &[child.key()]].concat();
    let chess = child.chess();
    if stood_before(&keys, chess.halfmoves() as usize)
        || chess.is_insufficient_material()
        || is_fifty_moves(chess)
    {
        return DRAW;
    }
    let value = -value(child, depth, history);
    match crate::engines::kit::score::mate_distance(value) {
        None => value,
        Some(_) => value - value.signum(),
    }
}

#[test]
fn a_root_is_worth_its_best_child_one_ply_shallower_or_as_deep_when_in_check() {
    let mut checked = [0; 2];
    let candidates = random_positions(8000);
    let quiet = candidates.iter().filter(|chess| !chess.is_check()).step_by(19).take(300);
    let in_check = candidates.iter().filter(|chess| chess.is_check()).take(300);
    for chess in quiet.chain(in_check) {
        let root = KeyedPosition::new(chess.clone());
        let is_check = chess.is_check();
        for depth in [1, 2] {
            let below = if is_check { depth } else { depth - 1 };
            let moves = chess.legal_moves();
            let best = moves.iter().map(|m| from_parent(&root.after(*m), below, &[root.key()])).max();
            assert_eq!(Some(value(&root, depth, &[])), best, "depth {depth}: {chess:?}");
        }
        checked[usize::from(is_check)] += 1;
    }
    assert!(checked[0] >= 300 && checked[1] >= 200, "{checked:?}");
}

#[test]
fn the_score_is_the_evaluation_of_the_position_at_the_end_of_the_line() {
    let evaluator = Evaluator::new(&Personality::clean());
    let mut compared = 0;
    for chess in reference_positions().into_iter().step_by(2) {
        let report = to_depth(&KeyedPosition::new(chess.clone()), 2);
        let Score::Cp(score) = report.score else { continue };
        let mut end = chess.clone();
        for m in &report.variation {
            end.play_unchecked(*m);
        }
        if score == 0 {
            continue;
        }
        let at_end = evaluator.evaluate(&end);
        assert_eq!(score, if end.turn() == chess.turn() { at_end } else { -at_end }, "{chess:?}");
        compared += 1;
    }
    assert!(compared > 250, "{compared}");
}

#[test]
fn limits_of_depth_and_nodes_are_exact() {
    let root = position(MIDDLEGAME);
    let all = reports(&root, &SearchLimits { depth: Some(4), ..SearchLimits::default() }, &[]);
    assert_eq!(all.iter().map(|report| report.depth).collect::<Vec<_>>(), [1, 2, 3, 4]);
    let total = all[3].nodes;
    for nodes in [1, 2, 3, 50, total - 1, total] {
        let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
        let limited = reports(&root, &limits, &[]).pop().unwrap();
        assert_eq!(limited.nodes, nodes);
        // What an iteration cut short had found is not used.
        let whole = all.iter().rev().find(|report| report.nodes <= nodes);
        assert_eq!(limited.depth, whole.map_or(0, |report| report.depth), "{nodes}");
        if let Some(whole) = whole {
            assert_eq!((&limited.variation, limited.score), (&whole.variation, whole.score), "{nodes}");
        }
        assert!(!limited.variation.is_empty());
    }
}

#[test]
fn only_the_root_moves_asked_for_are_searched() {
    let root = position(MIDDLEGAME);
    let asked = parse_engine_move(root.chess(), "a2a3").unwrap().0;
    let limits = SearchLimits { depth: Some(2), root_moves: vec![asked], ..SearchLimits::default() };
    assert_eq!(best(&reports(&root, &limits, &[]).pop().unwrap()), "a2a3");
}

#[test]
fn nothing_is_allocated_while_it_runs() {
    let evaluator = Evaluator::new(&Personality::clean());
    let limits = SearchLimits { nodes: Some(60_000), ..SearchLimits::default() };
    let root = position(MIDDLEGAME);
    let mut listener = Listener(Vec::new());
    let mut search = Search::new(&evaluator, &mut listener, &limits, &[]);
    search.keys.push(root.key());
    let room = |search: &Search<'_>| {
        let lines: Vec<_> = search.variations.iter().map(Vec::capacity).collect();
        (search.keys.capacity(), search.waiting.capacity(), search.expected.capacity(), lines)
    };
    let before = room(&search);
    for depth in 1..=20 {
        search.negamax(&root, depth, 0, -MATE_LIMIT, MATE_LIMIT, true);
    }
    assert!(search.stopped);
    assert_eq!(room(&search), before);
}

#[test]
fn deep_searches_of_bare_positions_end() {
    for fen in ["8/8/4k3/8/8/3NK3/8/8 w - - 0 1", "7k/8/8/8/8/8/6R1/K7 w - - 97 100"] {
        let report = to_depth(&position(fen), MAX_DEPTH);
        assert!(report.depth == MAX_DEPTH || matches!(report.score, Score::Mate(_)), "{report:?}");
    }
}
