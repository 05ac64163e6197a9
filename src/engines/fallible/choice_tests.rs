use super::super::dice::throw;
use super::super::search::tests::{Deaf, random_positions};
use super::super::search::{Search, SearchLimits};
use super::*;
use crate::chess::{Position as _, StartPosition, parse_engine_move};
use crate::engines::board::KeyedPosition;
use crate::engines::kit::score::MATE;
use crate::engines::kit::table::TranspositionTable;

/// Moves of one position, so that they differ, with these scores; all exact.
fn list(scores: &[i32]) -> Vec<RootMove> {
    let moves = StartPosition::standard().position().legal_moves();
    let with_score =
        |(m, score): (&Move, &i32)| RootMove { m: *m, score: *score, bound: Bound::Exact, line: vec![*m] };
    moves.iter().zip(scores).map(with_score).collect()
}

fn chosen(moves: &[RootMove], circumstances: Circumstances, settings: &Settings) -> Vec<u32> {
    let mut counts = vec![0; moves.len()];
    for seed in 0..20_000 {
        counts[choose(moves, circumstances, settings, throw(seed, [7])).unwrap().rank] += 1;
    }
    counts
}

/// Pearson's statistic of counts against probabilities; what has none must not occur.
fn chi_squared(counts: &[u32], probabilities: &[f64]) -> f64 {
    let total: u32 = counts.iter().sum();
    counts
        .iter()
        .zip(probabilities)
        .map(|(count, probability)| {
            let expected = probability * f64::from(total);
            if expected == 0.0 {
                assert_eq!(*count, 0);
                return 0.0;
            }
            (f64::from(*count) - expected).powi(2) / expected
        })
        .sum()
}

const SCORES: [i32; 7] = [50, 45, 45, 20, -40, -250, -251];
/// Python: w = [.78**r * math.exp(-(50 - s) / 130) for r, s in enumerate(SCORES[:6])];
/// [x / sum(w) for x in w]; the seventh loses 301 and has none.
const PROBABILITIES: [f64; 7] = [
    0.341_678_623_316_071,
    0.256_453_586_675_336,
    0.200_033_797_606_762,
    0.128_730_013_005_237,
    0.063_289_375_272_215,
    0.009_814_604_124_378,
    0.0,
];

#[test]
fn the_dice_follow_the_weights_of_the_seed() {
    let counts = chosen(&list(&SCORES), Circumstances::default(), &Settings::default());
    // The 99.9 % point of chi-squared with 5 degrees of freedom is 20.5 (R: qchisq(.999, 5)).
    let statistic = chi_squared(&counts, &PROBABILITIES);
    assert!(statistic < 20.5, "{statistic}: {counts:?}");
}

#[test]
fn weights_are_exact_to_nine_digits() {
    let weights = weights(&list(&SCORES), None, &Settings::default());
    let sum: u64 = weights.iter().sum();
    for (weight, probability) in weights.iter().zip(PROBABILITIES) {
        assert!((*weight as f64 / sum as f64 - probability).abs() < 1e-9, "{weights:?}");
    }
}

#[test]
fn a_recapture_weighs_forty_times_as_much_and_only_on_the_square_of_the_last_capture() {
    // Python as above, the fourth weight times 40.
    let nudged: [f64; 7] = [
        0.056_752_810_749_128,
        0.042_596_934_304_131,
        0.033_225_608_757_222,
        0.855_282_077_048_268,
        0.010_512_363_642_755,
        0.001_630_205_498_496,
        0.0,
    ];
    // White took on d5; the pawn, the knight or the queen may take back.
    let start =
        StartPosition::from_fen("rnbqkb1r/ppp2ppp/4pn2/3P4/3P4/2N5/PP2PPPP/R1BQKBNR b KQkq - 0 4").unwrap();
    let position = start.position();
    let mut moves = list(&SCORES);
    let m = |text: &str| parse_engine_move(position, text).unwrap().0;
    for (root_move, text) in moves.iter_mut().zip(["b8c6", "f8e7", "a7a6", "e6d5", "c8d7", "h7h6", "g7g6"]) {
        root_move.m = m(text);
    }
    let on = |square| Circumstances { captured_on: square, ..Circumstances::default() };
    let counts = chosen(&moves, on(Some(m("e6d5").to())), &Settings::default());
    let statistic = chi_squared(&counts, &nudged);
    assert!(statistic < 20.5, "{statistic}: {counts:?}");
    // A quiet move to the square of the last capture is no recapture.
    for elsewhere in [None, Some(m("f8e7").to())] {
        let counts = chosen(&moves, on(elsewhere), &Settings::default());
        assert!(chi_squared(&counts, &PROBABILITIES) < 20.5, "{counts:?}");
    }
}

#[test]
fn a_loss_of_exactly_the_ceiling_may_be_chosen_and_one_more_never() {
    // Warm and without decay, so that the last places come up if they may.
    let settings = Settings { temperature: 10_000, rank_decay: 100, ..Settings::default() };
    let counts = chosen(&list(&[100, -200, -201]), Circumstances::default(), &settings);
    assert!(counts[1] > 5_000 && counts[2] == 0, "{counts:?}");
    let none = Settings { ceiling: 0, ..settings };
    let counts = chosen(&list(&[100, 100, 99]), Circumstances::default(), &none);
    assert!(counts[1] > 5_000 && counts[2] == 0, "{counts:?}");
}

#[test]
fn a_bound_is_never_chosen() {
    let settings = Settings { temperature: 10_000, ..Settings::default() };
    let mut moves = list(&[100, 90]);
    moves[1].bound = Bound::Upper;
    assert_eq!(chosen(&moves, Circumstances::default(), &settings), [20_000, 0]);
}

#[test]
fn a_mate_seen_by_either_side_leaves_no_choice() {
    for (scores, reason) in [
        (vec![MATE - 3, MATE - 5, 200], Reason::Mate),
        (vec![4 - MATE, 2 - MATE], Reason::Mate),
        (vec![120, 110], Reason::Choice),
    ] {
        let moves = list(&scores);
        let choice = choose(&moves, Circumstances::default(), &Settings::default(), 1 << 63).unwrap();
        assert_eq!(choice.reason, reason, "{scores:?}");
        if reason == Reason::Mate {
            assert_eq!((choice.rank, choice.candidates(), choice.share_millionths()), (0, 1, 1_000_000));
        }
    }
}

#[test]
fn a_move_that_allows_mate_is_excluded_even_under_a_ceiling_that_would_let_it_pass() {
    let settings = Settings { ceiling: i32::MAX, temperature: 10_000, ..Settings::default() };
    let moves = list(&[-9_000, 2 - MATE]);
    assert_eq!(chosen(&moves, Circumstances::default(), &settings)[1], 0);
    let without = Settings { mate_clauses: false, ..settings };
    assert!(chosen(&moves, Circumstances::default(), &without)[1] > 0, "the clause makes the difference");
}

#[test]
fn a_won_endgame_and_a_hint_leave_no_choice() {
    let moves = list(&[50, 50, 50]);
    let won = Circumstances { is_won_endgame: true, ..Circumstances::default() };
    assert_eq!(chosen(&moves, won, &Settings::default()), [20_000, 0, 0]);
    let without = Settings { won_endgame: false, ..Settings::default() };
    assert!(chosen(&moves, won, &without)[2] > 0);
    let hint = Settings { hint: true, ..Settings::default() };
    assert_eq!(chosen(&moves, Circumstances::default(), &hint), [20_000, 0, 0]);
}

#[test]
fn over_thousands_of_positions_no_choice_loses_more_than_the_ceiling_by_the_open_search() {
    // Warm, so that every place within the ceiling comes up.
    let settings = Settings { temperature: 1_000, rank_decay: 100, ..Settings::default() };
    let mut table = TranspositionTable::with_entries(4096).unwrap();
    let mut search = |position: &KeyedPosition, open| {
        table.clear();
        let limits = SearchLimits {
            depth: 1,
            nodes: None,
            root_moves: Vec::new(),
            window: settings.ceiling,
            open,
            ends_with_mate: false,
            won_endgame: true,
        };
        Search::new(&mut table, &mut Deaf, &limits, &[]).run(position).moves
    };
    let (mut largest, mut chosen_below_best) = (0, 0);
    let positions = [10, 30, 60, 120].map(|plies| random_positions(600, plies)).concat();
    for (seed, position) in (0..).zip(&positions) {
        let moves = search(position, false);
        let choice =
            choose(&moves, Circumstances::default(), &settings, throw(seed, [position.key()])).unwrap();
        let open = search(position, true);
        let own = open.iter().find(|known| known.m == moves[choice.rank].m).unwrap().score;
        let drop = open[0].score - own;
        assert!(drop <= 300, "{drop} in position {seed}");
        assert!(!is_mate(own) || is_mate(open[0].score));
        largest = largest.max(drop);
        chosen_below_best += u32::from(drop > 0);
    }
    assert!(largest > 250 && chosen_below_best > 1000, "{largest}, {chosen_below_best}");
}
