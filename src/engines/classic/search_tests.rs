use super::*;
use crate::chess::{CastlingMode, StartPosition, fen, parse_engine_move, uci};
use crate::engines::kit::testing::mirrored;

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

const MEGABYTE: usize = 65_536;

fn position(fen: &str) -> KeyedPosition {
    KeyedPosition::new(StartPosition::from_fen(fen).unwrap().position().clone())
}

fn reports(fen: &str, limits: &SearchLimits, entries: usize) -> Vec<Report> {
    let mut table = TranspositionTable::with_entries(entries).unwrap();
    let mut listener = Listener(Vec::new());
    let last = Search::new(&mut table, &mut listener, limits, &[]).run(&position(fen));
    assert_eq!(listener.0.last(), Some(&last));
    listener.0
}

fn to_depth(fen: &str, depth: u8) -> Report {
    let limits = SearchLimits { depth: Some(depth), ..SearchLimits::default() };
    reports(fen, &limits, MEGABYTE).pop().unwrap()
}

fn best(report: &Report) -> String {
    report.variation.first().map(|m| uci(*m, CastlingMode::Standard)).unwrap_or_default()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn mates_are_found_at_their_true_distance() {
    let mates = [
        (1, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8"),
        (1, "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7"),
        (1, "8/8/8/8/8/5k2/4q3/7K b - - 0 1", ""),
        // Anastasia's mate.
        (2, "5r1k/1b2Nppp/8/2R5/4Q3/8/5PPP/6K1 w - - 0 1", "e4h7"),
        // Two rooks roll the king up.
        (2, "8/8/8/8/8/7k/R7/1R4K1 w - - 0 1", ""),
        // Smothered mate: Qg8+ Rxg8 Nf7#.
        (2, "r6k/6pp/7N/8/2Q5/8/6PP/6K1 w - - 0 1", "c4g8"),
        // The same a move earlier: Nh6+ Kh8 Qg8+ Rxg8 Nf7#.
        (3, "r5k1/5Npp/8/8/2Q5/8/6PP/6K1 w - - 0 1", "f7h6"),
    ];
    for (moves, fen, expected) in mates {
        let report = to_depth(fen, 2 * moves as u8 - 1);
        assert_eq!((report.score, report.bound), (Score::Mate(moves), Bound::Exact), "{fen}");
        if !expected.is_empty() {
            assert_eq!(best(&report), expected, "{fen}");
        }
        assert_eq!(report.variation.len(), 2 * moves as usize - 1, "the line ends in mate: {fen}");
        let deeper = to_depth(fen, 2 * moves as u8 + 2);
        assert_eq!(deeper.score, Score::Mate(moves), "a deeper search finds no other distance: {fen}");
    }
}

#[test]
fn being_mated_is_seen_from_the_other_side() {
    // After the only move, Kg8, comes Ra8#.
    let report = to_depth("7k/8/6K1/8/8/8/8/R7 b - - 0 1", 3);
    assert_eq!(report.score, Score::Mate(-1));
}

#[test]
fn mated_and_stalemated_positions_have_no_move() {
    let mated = to_depth("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 5);
    assert_eq!((mated.score, mated.variation.len(), mated.nodes), (Score::Mate(0), 0, 0));
    let stalemated = to_depth("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 5);
    assert_eq!((stalemated.score, stalemated.variation.len()), (Score::Cp(0), 0));
}

#[test]
fn a_won_position_is_not_stalemated_and_a_lost_one_is_saved_by_it() {
    // Qxc7 would be stalemate.
    let trap = to_depth("k7/2p5/K7/8/8/8/8/2Q5 w - - 0 1", 5);
    assert!(matches!(trap.score, Score::Mate(moves) if moves > 0), "{trap:?}");
    assert_ne!(best(&trap), "c1c7");
    // Qg7+ and Qxh7+ force the king to take the last piece that can move.
    let saved = to_depth("7k/1Q5p/8/8/8/8/r4q2/7K w - - 0 1", 2);
    assert_eq!(saved.score, Score::Cp(0));
}

#[test]
fn perpetual_check_is_a_draw_for_the_side_that_is_behind() {
    // Qe8+ Kh7 Qh5+ Kg8 and so on, against a queen and two rooks.
    let report = to_depth("6k1/6p1/8/7Q/8/8/qrr3PP/7K w - - 0 1", 6);
    assert_eq!((report.score, best(&report).as_str()), (Score::Cp(0), "h5e8"));
}

#[test]
fn the_third_occurrence_counts_with_the_game_before_the_root() {
    // White is a queen behind and shuffles; Kg1 repeats the first position for the third time.
    let mut game = position("k7/8/8/1q6/8/8/6PP/6K1 b - - 0 1");
    let mut history = Vec::new();
    let cycle = ["b5a5", "g1h1", "a5b5", "h1g1"];
    let play = |game: &mut KeyedPosition, history: &mut Vec<u64>, text: &str| {
        history.push(game.key());
        *game = game.after(parse_engine_move(game.chess(), text).unwrap().0);
    };
    let search = |game: &KeyedPosition, history: &[u64]| {
        let mut table = TranspositionTable::with_entries(MEGABYTE).unwrap();
        let mut listener = Listener(Vec::new());
        let limits = SearchLimits { depth: Some(1), ..SearchLimits::default() };
        Search::new(&mut table, &mut listener, &limits, history).run(game)
    };
    for text in cycle.iter().chain(&cycle[..3]) {
        play(&mut game, &mut history, text);
    }
    let repeating = search(&game, &history);
    assert_eq!((repeating.score, best(&repeating).as_str()), (Score::Cp(0), "h1g1"));
    // After only one occurrence in the game the move is nothing special.
    let fresh = search(&game, &history[4..]);
    assert!(matches!(fresh.score, Score::Cp(value) if value < -500), "{fresh:?}");
}

#[test]
fn fifty_moves_draw_unless_the_last_one_mates() {
    let draw = to_depth("7k/8/8/8/8/8/1K6/1Q6 w - - 99 100", 4);
    assert_eq!(draw.score, Score::Cp(0));
    let mate = to_depth("k7/8/1K6/8/8/8/8/6Q1 w - - 99 100", 4);
    assert_eq!((mate.score, best(&mate).as_str()), (Score::Mate(1), "g1g8"));
}

#[test]
fn material_that_cannot_mate_is_a_draw() {
    assert_eq!(to_depth("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", 4).score, Score::Cp(0));
    // Taking the last pawn leaves a bare knight, which saves Black.
    let saved = to_depth("8/8/8/8/8/1kP5/8/N1K5 b - - 0 1", 3);
    assert_eq!((saved.score, best(&saved).as_str()), (Score::Cp(0), "b3c3"));
}

#[test]
fn each_move_made_is_counted_once_and_every_iteration_counts() {
    let limits = SearchLimits { depth: Some(3), ..SearchLimits::default() };
    let all = reports(START, &limits, MEGABYTE);
    // No capture is possible after one move: depth 1 makes each of the 20 moves once.
    assert_eq!(all[0].nodes, 20);
    // Depth 2 makes each again, and at least one reply to each.
    assert!(all[1].nodes >= 20 + 40, "{}", all[1].nodes);
    assert!(all[2].nodes > all[1].nodes);
}

#[test]
fn the_node_limit_is_never_passed_and_there_is_always_a_move() {
    for fen in [START, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"] {
        for nodes in [0, 1, 2, 19, 20, 21, 1000, 1024, 1025, 30_000] {
            let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
            let report = reports(fen, &limits, MEGABYTE).pop().unwrap();
            assert_eq!(report.nodes, nodes, "{fen}");
            let m = *report.variation.first().unwrap();
            assert!(position(fen).chess().is_legal(m));
        }
    }
}

#[test]
fn an_iteration_given_up_says_so_and_keeps_what_it_found() {
    let limits = SearchLimits { nodes: Some(5000), ..SearchLimits::default() };
    let all = reports(START, &limits, MEGABYTE);
    let (last, finished) = all.split_last().unwrap();
    assert!(finished.iter().all(|report| report.bound == Bound::Exact));
    assert!(finished.windows(2).all(|pair| pair[0].depth + 1 == pair[1].depth));
    let previous = finished.last().unwrap();
    match last.bound {
        Bound::Lower => assert_eq!(last.depth, previous.depth + 1),
        _ => assert_eq!((last.depth, &last.variation), (previous.depth, &previous.variation)),
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let root = position(START);
    let wanted: Vec<Move> =
        ["a2a3", "h2h4"].map(|text| parse_engine_move(root.chess(), text).unwrap().0).to_vec();
    let limits = SearchLimits { depth: Some(3), root_moves: wanted.clone(), ..SearchLimits::default() };
    let all = reports(START, &limits, MEGABYTE);
    assert_eq!(all[0].nodes, 2);
    assert!(all.iter().all(|report| wanted.contains(&report.variation[0])));
}

#[test]
fn a_narrow_window_leaves_the_right_bound_in_the_table() {
    let fens = [START, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"];
    for root in fens.map(position) {
        let searched = |alpha: i32, beta: i32| {
            let mut table = TranspositionTable::with_entries(MEGABYTE).unwrap();
            let mut listener = Listener(Vec::new());
            let limits = SearchLimits::default();
            let mut search = Search::new(&mut table, &mut listener, &limits, &[]);
            search.keys.push(root.key());
            let score = search.negamax(&root, 3, 0, alpha, beta);
            (score, table.get(root.key()).unwrap())
        };
        let (value, entry) = searched(-MATE_LIMIT, MATE_LIMIT);
        assert_eq!((entry.bound(), entry.score(0)), (Bound::Exact, value));
        let (_, high) = searched(value - 50, value - 49);
        assert_eq!(high.bound(), Bound::Lower);
        assert!(high.score(0) >= value - 49 && high.score(0) <= value);
        let (_, low) = searched(value + 49, value + 50);
        assert_eq!(low.bound(), Bound::Upper);
        assert!(low.score(0) <= value + 49 && low.score(0) >= value);
    }
}

/// Positions along games of pseudo-random moves.
fn walked_positions() -> Vec<String> {
    let mut state = 1_u64;
    let mut found = Vec::new();
    for _ in 0..8 {
        let mut chess = StartPosition::standard().position().clone();
        for ply in 0..60 {
            let moves = chess.legal_moves();
            if moves.is_empty() {
                break;
            }
            // Knuth's MMIX generator; its high bits are good enough to choose by.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            chess.play_unchecked(moves[(state >> 33) as usize % moves.len()]);
            if ply % 8 == 7 {
                found.push(fen(&chess));
            }
        }
    }
    found
}

#[test]
fn exchanging_the_colours_changes_neither_score_nor_number_of_moves() {
    let positions = walked_positions();
    assert!(positions.len() >= 50);
    for original in positions {
        let image = mirrored(&original);
        assert_eq!(mirrored(&image), original);
        let (here, there) = (position(&original), position(&image));
        assert_eq!(evaluate(here.chess()), evaluate(there.chess()), "{original}");
        assert_eq!(here.chess().legal_moves().len(), there.chess().legal_moves().len(), "{original}");
        // A table of one slot: what it remembers depends on the order of equal moves, which the
        // rules library does not mirror.
        let limits = SearchLimits { depth: Some(2), ..SearchLimits::default() };
        let score = |fen: &str| reports(fen, &limits, 1).pop().map(|report| report.score);
        assert_eq!(score(&original), score(&image), "{original}");
    }
}

#[test]
fn the_size_of_the_table_changes_no_proven_result() {
    let settled = [
        ("8/8/8/8/8/2k5/8/K2q4 w - - 0 1", 4),
        ("8/8/8/8/8/7k/R7/1R4K1 w - - 0 1", 5),
        ("7k/8/6K1/8/8/8/8/R7 b - - 0 1", 4),
        ("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", 6),
        ("7k/8/8/8/8/8/1K6/1Q6 w - - 97 100", 5),
        ("r5k1/5Npp/8/8/2Q5/8/6PP/6K1 w - - 0 1", 5),
    ];
    for (fen, depth) in settled {
        let limits = SearchLimits { depth: Some(depth), ..SearchLimits::default() };
        let score = |entries| reports(fen, &limits, entries).pop().unwrap().score;
        assert_eq!(score(1), score(MEGABYTE), "{fen}");
        assert_eq!(score(64), score(MEGABYTE), "{fen}");
    }
}

#[test]
fn the_same_search_twice_is_the_same_in_everything() {
    let limits = SearchLimits { nodes: Some(40_000), ..SearchLimits::default() };
    for fen in [START, "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"] {
        assert_eq!(reports(fen, &limits, MEGABYTE), reports(fen, &limits, MEGABYTE));
    }
}

#[test]
fn a_deep_search_of_a_bare_position_ends() {
    assert_eq!(to_depth("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", MAX_DEPTH).depth, MAX_DEPTH);
}
