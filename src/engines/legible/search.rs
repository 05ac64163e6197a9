//! The search: iterative deepening over negamax with alpha-beta, one ply more in check, and
//! quiescence over captures and promotions to a queen.
//!
//! A node is a move made in the search, in quiescence or above it; each is counted once, in every
//! iteration. There is no table and nothing is pruned but by alpha-beta, so a value depends on the
//! position with its history and on the depth alone, never on the order of moves or the window.
//! Nothing is allocated while it runs.

use super::evaluation::Evaluator;
use crate::chess::{Bound, Chess, Color, Move, MoveList, Position as _, Score};
use crate::engines::board::KeyedPosition;
use crate::engines::kit::control::{Control, Report, SearchLimits};
use crate::engines::kit::evaluation::is_endgame;
use crate::engines::kit::ordering::{RankedMove, is_forcing, take_best};
use crate::engines::kit::repetition::stood_before;
use crate::engines::kit::score::{DRAW, MATE, MATE_LIMIT, MAX_PLY, is_fifty_moves, mated, reported};
use crate::engines::kit::table::PackedMove;

/// The deepest iteration. With a ply more for each check it stays within [`MAX_PLY`].
pub(super) const MAX_DEPTH: u8 = 60;
/// How many nodes pass between two questions to [`Control::must_stop`].
const POLL_INTERVAL: u64 = 1024;
/// Room for the moves of a line: far more than any has.
const WAITING_MOVES: usize = 128 * MAX_PLY;
/// The first and second killer, between captures and quiet moves.
const KILLERS: [i32; 2] = [1 << 18, 1 << 17];
/// The search sees no larger evaluation, lest it pass for a mate.
const MOST_EVALUATION: i32 = 30_000;

/// One search from one position.
pub(super) struct Search<'a> {
    evaluator: &'a Evaluator,
    control: &'a mut dyn Control,
    limits: &'a SearchLimits,
    /// Keys of the game before the root, then of the line being searched, the last one included.
    keys: Vec<u64>,
    /// Moves waiting to be tried, one run per ply.
    waiting: Vec<RankedMove>,
    /// The best line from each ply on.
    variations: Vec<Vec<Move>>,
    /// The best line of the iteration before.
    expected: Vec<Move>,
    /// For each ply the two quiet moves that last cut off there, the newer first.
    killers: [[Option<Move>; 2]; MAX_PLY],
    nodes: u64,
    selective_depth: usize,
    stopped: bool,
}

impl<'a> Search<'a> {
    /// Prepares a search. `history` holds the keys of the game up to but without the position to
    /// be searched.
    pub(super) fn new(
        evaluator: &'a Evaluator,
        control: &'a mut dyn Control,
        limits: &'a SearchLimits,
        history: &[u64],
    ) -> Self {
        let mut keys = Vec::with_capacity(history.len() + MAX_PLY + 2);
        keys.extend_from_slice(history);
        Self {
            evaluator,
            control,
            limits,
            keys,
            waiting: Vec::with_capacity(WAITING_MOVES),
            variations: (0..MAX_PLY + 2).map(|ply| Vec::with_capacity(MAX_PLY + 2 - ply)).collect(),
            expected: Vec::with_capacity(MAX_PLY + 2),
            killers: [[None; 2]; MAX_PLY],
            nodes: 0,
            selective_depth: 0,
            stopped: false,
        }
    }

    /// Deepens until a limit is met and returns what the last whole iteration found. One that is cut
    /// short counts for nothing but its nodes.
    pub(super) fn run(mut self, position: &KeyedPosition) -> Report {
        self.keys.push(position.key());
        let mut known = Report {
            depth: 0,
            selective_depth: 0,
            score: Score::Cp(self.evaluate(position.chess())),
            bound: Bound::Exact,
            nodes: 0,
            hash_permille: 0,
            variation: self.first_choice(position).into_iter().collect(),
        };
        if known.variation.is_empty() {
            known.score = if position.chess().is_check() { Score::Mate(0) } else { Score::Cp(DRAW) };
            self.control.report(&known);
            return known;
        }
        let last = self.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=last {
            self.selective_depth = 0;
            let score = self.negamax(position, depth, 0, -MATE_LIMIT, MATE_LIMIT, true);
            known.nodes = self.nodes;
            if !self.stopped {
                known.depth = depth;
                known.selective_depth = self.selective_depth as u32;
                known.score = reported(score);
                known.variation.clone_from(&self.variations[0]);
                self.expected.clone_from(&known.variation);
            }
            self.control.report(&known);
            if self.stopped || self.limits.are_settled(score, depth) || !self.control.may_deepen() {
                break;
            }
        }
        known
    }

    /// What is played when not even one iteration was whole.
    fn first_choice(&mut self, position: &KeyedPosition) -> Option<Move> {
        let moves = position.chess().legal_moves();
        self.rank_moves(position.chess(), &moves, 0, None);
        let first = take_best(&mut self.waiting);
        self.waiting.clear();
        first
    }

    /// The value of `position` for the side to move, searched `depth` plies deep, one more if it is
    /// in check: exact between `alpha` and `beta`, else a bound. Meaningless once `stopped`.
    /// `as_expected` says that the line so far is the expected one.
    fn negamax(
        &mut self,
        position: &KeyedPosition,
        depth: u8,
        ply: usize,
        mut alpha: i32,
        beta: i32,
        as_expected: bool,
    ) -> i32 {
        self.variations[ply].clear();
        let chess = position.chess();
        if ply > 0 && self.is_drawn(chess) {
            return DRAW;
        }
        let in_check = chess.is_check();
        let depth = depth + u8::from(in_check);
        if depth == 0 || ply >= MAX_PLY {
            return self.quiescence(chess, ply, alpha, beta);
        }
        self.selective_depth = self.selective_depth.max(ply);
        let moves = chess.legal_moves();
        if moves.is_empty() {
            return if in_check { mated(ply as i32) } else { DRAW };
        }
        let expected = if as_expected { self.expected.get(ply).copied() } else { None };
        let start = self.rank_moves(chess, &moves, ply, expected);
        let mut best = -MATE_LIMIT;
        for next in start..self.waiting.len() {
            let Some(m) = take_best(&mut self.waiting[next..]) else { break };
            if !self.count() {
                break;
            }
            let child = position.after(m);
            self.keys.push(child.key());
            let score = -self.negamax(&child, depth - 1, ply + 1, -beta, -alpha, expected == Some(m));
            self.keys.pop();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.extend_variation(ply, m);
                    if score >= beta {
                        self.remember_killer(ply, m);
                        break;
                    }
                }
            }
        }
        self.waiting.truncate(start);
        best
    }

    /// Searches captures and promotions to a queen until none is left. The side to move may always
    /// stand pat, in check too: it is not forced to capture.
    fn quiescence(&mut self, chess: &Chess, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.variations[ply].clear();
        self.selective_depth = self.selective_depth.max(ply);
        if chess.is_insufficient_material() {
            return DRAW;
        }
        let mut best = self.evaluate(chess);
        if ply >= MAX_PLY {
            return best;
        }
        // A side with pieces has a move nearly always; one with king and pawns alone may well have
        // none, and must not be taken to stand well then.
        let moves = if has_pieces(chess) { None } else { Some(chess.legal_moves()) };
        if moves.as_ref().is_some_and(MoveList::is_empty) {
            return if chess.is_check() { mated(ply as i32) } else { DRAW };
        }
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let mut moves = moves.unwrap_or_else(|| chess.legal_moves());
        moves.retain(|m| is_forcing(*m));
        let start = self.rank_moves(chess, &moves, ply, None);
        for next in start..self.waiting.len() {
            let Some(m) = take_best(&mut self.waiting[next..]) else { break };
            if !self.count() {
                break;
            }
            let mut child = chess.clone();
            child.play_unchecked(m);
            let score = -self.quiescence(&child, ply + 1, -beta, -alpha);
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.extend_variation(ply, m);
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        self.waiting.truncate(start);
        best
    }

    fn evaluate(&self, chess: &Chess) -> i32 {
        self.evaluator.evaluate(chess).clamp(-MOST_EVALUATION, MOST_EVALUATION)
    }

    /// Puts moves on the waiting list and returns where they start; at the root only those the
    /// limits ask for.
    fn rank_moves(&mut self, chess: &Chess, moves: &[Move], ply: usize, expected: Option<Move>) -> usize {
        let start = self.waiting.len();
        let (color, endgame) = (chess.turn(), is_endgame(chess));
        let known = expected.map_or(PackedMove::NONE, PackedMove::new);
        let root_moves = &self.limits.root_moves;
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        for m in moves {
            if ply == 0 && !root_moves.is_empty() && !root_moves.contains(m) {
                continue;
            }
            let ranked = RankedMove::new(*m, color, endgame, known);
            let killer = killers.iter().position(|killer| *killer == Some(*m));
            self.waiting.push(killer.map_or(ranked, |index| ranked.raised_by(KILLERS[index])));
        }
        start
    }

    /// Keeps a quiet move that cut off.
    fn remember_killer(&mut self, ply: usize, m: Move) {
        let Some(killers) = self.killers.get_mut(ply) else { return };
        if !m.is_capture() && !m.is_promotion() && killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
    }

    /// Counts a node about to be made; false when the search is over.
    fn count(&mut self) -> bool {
        if self.stopped || self.limits.nodes.is_some_and(|most| self.nodes >= most) {
            self.stopped = true;
            return false;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL_INTERVAL) && self.control.must_stop() {
            self.stopped = true;
        }
        true
    }

    /// Puts `m` in front of the line found below it.
    fn extend_variation(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.variations.split_at_mut(ply + 1);
        if let (Some(line), Some(rest)) = (upper.last_mut(), lower.first()) {
            line.clear();
            line.push(m);
            line.extend_from_slice(rest);
        }
    }

    /// Draws by rule, below the root: a position that stood before in line or game, fifty moves (a
    /// mate on the hundredth ply is a mate), material that cannot mate.
    fn is_drawn(&self, chess: &Chess) -> bool {
        stood_before(&self.keys, chess.halfmoves() as usize)
            || chess.is_insufficient_material()
            || is_fifty_moves(chess)
    }
}

/// Whether the side to move has more than king and pawns.
fn has_pieces(chess: &Chess) -> bool {
    let board = chess.board();
    let own = board.by_color(chess.turn());
    (own & !board.pawns() & !board.kings()).any()
}

const _: () = assert!(MATE - 2 * MAX_PLY as i32 > MOST_EVALUATION);
const _: () = assert!(Color::White as usize == 1 && Color::Black as usize == 0, "colours are indexes");

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
