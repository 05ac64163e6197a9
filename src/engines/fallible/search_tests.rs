use super::*;
use crate::chess::{CastlingMode, Score, StartPosition, fen, parse_engine_move, uci};
use crate::engines::zobrist::splitmix64;

/// Lets a search run to its end.
pub(in crate::engines::fallible) struct Deaf;

impl Control for Deaf {
    fn must_stop(&mut self) -> bool {
        false
    }

    fn may_deepen(&mut self) -> bool {
        true
    }

    fn report(&mut self, _: &Report) {}
}

const ENTRIES: usize = 65_536;
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn position(fen: &str) -> KeyedPosition {
    KeyedPosition::new(StartPosition::from_fen(fen).unwrap().position().clone())
}

fn limits(depth: u8, open: bool) -> SearchLimits {
    SearchLimits {
        depth,
        nodes: None,
        root_moves: Vec::new(),
        window: 300,
        open,
        ends_with_mate: false,
        won_endgame: true,
    }
}

fn search(position: &KeyedPosition, limits: &SearchLimits) -> Findings {
    search_with(position, limits, &[], ENTRIES)
}

fn search_with(position: &KeyedPosition, limits: &SearchLimits, history: &[u64], entries: usize) -> Findings {
    let mut table = TranspositionTable::with_entries(entries).unwrap();
    Search::new(&mut table, &mut Deaf, limits, history).run(position)
}

/// Positions after random moves from the usual one, none without a legal move.
pub(in crate::engines::fallible) fn random_positions(count: usize, plies: usize) -> Vec<KeyedPosition> {
    let mut state = 2026;
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = position(START);
        for _ in 0..plies {
            let moves = position.chess().legal_moves();
            if moves.is_empty() {
                break;
            }
            let (number, next) = splitmix64(state);
            state = next;
            position = position.after(moves[number as usize % moves.len()]);
        }
        if !position.chess().legal_moves().is_empty() {
            found.push(position);
        }
    }
    found
}

/// The value by the definition: no window, no table, no order, no pruning.
fn plain(position: &KeyedPosition, depth: u8, ply: i32, left: u8) -> i32 {
    let chess = position.chess();
    if chess.is_insufficient_material() || is_fifty_moves(chess) {
        return DRAW;
    }
    let moves = chess.legal_moves();
    if moves.is_empty() && (depth > 0 || left > 0 || chess.is_check()) {
        return if chess.is_check() { mated(ply) } else { DRAW };
    }
    if depth > 0 {
        return moves.iter().map(|m| -plain(&position.after(*m), depth - 1, ply + 1, left)).max().unwrap();
    }
    let standing = evaluate(chess, true);
    if left == 0 {
        return standing;
    }
    let in_check = chess.is_check();
    let tried = moves.iter().filter(|m| in_check || is_forcing(**m));
    let values = tried.map(|m| -plain(&position.after(*m), 0, ply + 1, left - 1));
    if in_check { values.max().unwrap() } else { values.fold(standing, i32::max) }
}

#[test]
fn exact_scores_are_those_of_the_definition() {
    let mut compared = 0;
    let mut positions = random_positions(3, 12);
    positions.extend(random_positions(3, 70));
    positions.push(position("8/P3k3/8/8/8/8/5p2/4K3 w - - 0 1"));
    positions.push(position("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1"));
    positions.push(position("8/8/4k3/8/8/4K3/8/7R w - - 96 90"));
    for position in &positions {
        let found = search(position, &limits(2, true));
        for root_move in &found.moves {
            let expected = -plain(&position.after(root_move.m), 1, 1, QUIESCENCE_PLIES);
            let name = uci(root_move.m, CastlingMode::Standard);
            assert_eq!(root_move.score, expected, "{name} in {}", fen(position.chess()));
            assert_eq!(root_move.bound, Bound::Exact);
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn a_narrow_window_and_a_small_table_find_the_same_scores() {
    let (mut exact, mut bounds) = (0, 0);
    for (position, depth) in random_positions(8, 20)
        .into_iter()
        .map(|position| (position, 3))
        .chain(random_positions(2, 40).into_iter().map(|position| (position, 4)))
    {
        let name = fen(position.chess());
        let open = search(&position, &limits(depth, true));
        let narrow = search(&position, &limits(depth, false));
        let cramped = search_with(&position, &limits(depth, false), &[], 64);
        let best = open.moves[0].score;
        for other in [&narrow, &cramped] {
            assert_eq!(other.moves[0].m, open.moves[0].m, "{name}");
            for root_move in &other.moves {
                let known = open.moves.iter().find(|known| known.m == root_move.m).unwrap();
                if root_move.bound == Bound::Exact {
                    assert_eq!(root_move.score, known.score, "{name}");
                    exact += 1;
                } else {
                    assert!(known.score <= root_move.score && best - known.score > 300, "{name}");
                    bounds += 1;
                }
            }
        }
    }
    assert!(exact > 200 && bounds > 50, "{exact} exact, {bounds} bounds");
}

#[test]
fn mates_are_found_at_their_true_distance() {
    for (moves, fen, best) in [
        (1, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8"),
        // Anastasia's mate.
        (2, "5r1k/1b2Nppp/8/2R5/4Q3/8/5PPP/6K1 w - - 0 1", "e4h7"),
        // After the only move, Kg8, comes Ra8#.
        (-1, "7k/8/6K1/8/8/8/8/R7 b - - 0 1", "h8g8"),
    ] {
        let found = search(&position(fen), &SearchLimits { ends_with_mate: true, ..limits(4, false) });
        let first = &found.moves[0];
        assert_eq!(found.report(first).score, Score::Mate(moves), "{fen}");
        assert_eq!(uci(first.m, CastlingMode::Standard), best);
    }
}

#[test]
fn a_position_of_the_game_met_again_is_a_draw() {
    // A rook up, White may go back to where the king stood before.
    let mut position = position("8/8/4k3/8/8/4K3/8/7R w - - 0 1");
    let mut history = Vec::new();
    for text in ["e3d3", "e6d6", "d3e3", "d6e5"] {
        let m = parse_engine_move(position.chess(), text).unwrap().0;
        history.push(position.key());
        position = position.after(m);
    }
    history.push(position.key());
    let back = position.after(parse_engine_move(position.chess(), "e3d3").unwrap().0);
    history.push(back.key());
    let here = back.after(parse_engine_move(back.chess(), "e5d6").unwrap().0);
    // Now d3e3 would repeat the position after the third move of the game.
    let repeating = parse_engine_move(here.chess(), "d3e3").unwrap().0;
    let score = |history: &[u64]| {
        let found = search_with(&here, &limits(3, true), history, ENTRIES);
        found.moves.iter().find(|root_move| root_move.m == repeating).unwrap().score
    };
    assert_eq!(score(&history), DRAW);
    assert!(score(&[]) > 300);
}

#[test]
fn a_search_that_is_cut_tells_of_its_last_whole_iteration() {
    let position = position("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    for nodes in [0, 1, 10, 500, 2_000, 10_000] {
        let cut = search(&position, &SearchLimits { nodes: Some(nodes), ..limits(4, false) });
        assert!(cut.nodes <= nodes);
        assert_eq!(cut.moves.len(), position.chess().legal_moves().len());
        if cut.depth > 0 {
            let whole = search(&position, &limits(cut.depth, false));
            let scores = |found: &Findings| -> Vec<(Move, i32)> {
                found.moves.iter().map(|root_move| (root_move.m, root_move.score)).collect()
            };
            assert_eq!(scores(&cut), scores(&whole), "{nodes} nodes");
        }
    }
}

#[test]
fn a_position_without_moves_has_no_best_one() {
    for fen in ["7k/5QQ1/8/8/8/8/8/7K b - - 0 1", "7k/5Q2/8/8/8/8/8/7K b - - 0 1"] {
        assert!(search(&position(fen), &limits(4, false)).moves.is_empty());
    }
}
