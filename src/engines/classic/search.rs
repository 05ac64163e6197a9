//! The search: iterative deepening over negamax with alpha-beta, and quiescence at its horizon.
//!
//! A node is a move made in the search, in quiescence or above it; each is counted once, in every
//! iteration. Knows neither clocks nor protocol: [`Control`] says when to stop and is told of each
//! iteration.

use crate::chess::{Bound, Chess, Move, Position as _, Score};
use crate::engines::board::KeyedPosition;
use crate::engines::kit::control::{Control, Report, SearchLimits};
use crate::engines::kit::evaluation::{evaluate, is_endgame};
use crate::engines::kit::ordering::{RankedMove, is_forcing, take_best};
use crate::engines::kit::score::{DRAW, MATE, MATE_LIMIT, MAX_PLY, is_fifty_moves, mated, reported};
use crate::engines::kit::table::{PackedMove, TranspositionTable, bound_of};

/// The deepest iteration.
pub(super) const MAX_DEPTH: u8 = 100;

/// How many nodes pass between two questions to [`Control::must_stop`].
const POLL_INTERVAL: u64 = 1024;

/// One search from one position.
pub(super) struct Search<'a> {
    table: &'a mut TranspositionTable,
    control: &'a mut dyn Control,
    limits: &'a SearchLimits,
    /// Keys of the game before the root, then of the line being searched, the last one included.
    keys: Vec<u64>,
    /// Where the root's key stands in `keys`.
    root: usize,
    /// Moves waiting to be tried, one run per ply.
    waiting: Vec<RankedMove>,
    /// The best line from each ply on.
    variations: Vec<Vec<Move>>,
    nodes: u64,
    selective_depth: usize,
    stopped: bool,
}

impl<'a> Search<'a> {
    /// Prepares a search. `history` holds the keys of the game up to but without the position to
    /// be searched.
    pub(super) fn new(
        table: &'a mut TranspositionTable,
        control: &'a mut dyn Control,
        limits: &'a SearchLimits,
        history: &[u64],
    ) -> Self {
        table.start_search();
        Self {
            table,
            control,
            limits,
            keys: history.to_vec(),
            root: history.len(),
            waiting: Vec::with_capacity(1024),
            variations: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            selective_depth: 0,
            stopped: false,
        }
    }

    /// Deepens until a limit is met and returns what is known then.
    ///
    /// When the last iteration was given up after at least one root move, its best move counts: it
    /// is the previous best one or better.
    pub(super) fn run(mut self, position: &KeyedPosition) -> Report {
        self.keys.push(position.key());
        let Some(first) = self.first_choice(position) else { return self.nothing_to_play(position) };
        let mut known = Report {
            depth: 0,
            selective_depth: 0,
            score: Score::Cp(evaluate(position.chess())),
            bound: Bound::Exact,
            nodes: 0,
            hash_permille: 0,
            variation: vec![first],
        };
        let last = self.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=last {
            self.selective_depth = 0;
            let score = self.negamax(position, depth, 0, -MATE_LIMIT, MATE_LIMIT);
            self.take_note(&mut known, depth, score);
            self.control.report(&known);
            if self.stopped || self.limits.are_settled(score, depth) || !self.control.may_deepen() {
                break;
            }
        }
        known
    }

    /// What is played when not even one root move could be searched.
    fn first_choice(&mut self, position: &KeyedPosition) -> Option<Move> {
        let known = self.table.get(position.key()).map_or(PackedMove::NONE, |entry| entry.best());
        self.rank_moves(position.chess(), 0, known, |_| true);
        let first = take_best(&mut self.waiting);
        self.waiting.clear();
        first
    }

    fn nothing_to_play(self, position: &KeyedPosition) -> Report {
        let score = if position.chess().is_check() { Score::Mate(0) } else { Score::Cp(DRAW) };
        let report = Report {
            depth: 0,
            selective_depth: 0,
            score,
            bound: Bound::Exact,
            nodes: 0,
            hash_permille: 0,
            variation: Vec::new(),
        };
        self.control.report(&report);
        report
    }

    fn take_note(&self, known: &mut Report, depth: u8, score: i32) {
        known.nodes = self.nodes;
        known.hash_permille = self.table.permille_full();
        let line = &self.variations[0];
        if line.is_empty() {
            return;
        }
        known.depth = depth;
        known.selective_depth = self.selective_depth as u32;
        known.score = reported(score);
        known.bound = if self.stopped { Bound::Lower } else { Bound::Exact };
        known.variation.clone_from(line);
    }

    /// The value of `position` for the side to move, searched `depth` plies deep: exact between
    /// `alpha` and `beta`, else a bound. Meaningless once `stopped`, except at the root, where it
    /// is the best of the moves searched.
    fn negamax(&mut self, position: &KeyedPosition, depth: u8, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.variations[ply].clear();
        if ply > 0 && self.is_drawn(position) {
            return DRAW;
        }
        if depth == 0 || ply >= MAX_PLY {
            return self.quiescence(position, ply, alpha, beta);
        }
        self.selective_depth = self.selective_depth.max(ply);
        let known = self.table.get(position.key());
        if ply > 0
            && let Some(score) = known.and_then(|entry| entry.cutoff(depth, ply as i32, alpha, beta))
        {
            return score;
        }
        let table_move = known.map_or(PackedMove::NONE, |entry| entry.best());
        let start = self.rank_moves(position.chess(), ply, table_move, |_| true);
        if self.waiting.len() == start {
            return if position.chess().is_check() { mated(ply as i32) } else { DRAW };
        }
        let (window_low, mut best, mut best_move) = (alpha, -MATE_LIMIT, PackedMove::NONE);
        for next in start..self.waiting.len() {
            let Some(m) = take_best(&mut self.waiting[next..]) else { break };
            let Some(child) = self.make(position, m) else { break };
            self.keys.push(child.key());
            let score = -self.negamax(&child, depth - 1, ply + 1, -beta, -alpha);
            self.keys.pop();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = PackedMove::new(m);
                    self.extend_variation(ply, m);
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        self.waiting.truncate(start);
        // A root that left moves out says nothing about the position itself.
        let complete = ply > 0 || self.limits.root_moves.is_empty();
        if complete && !self.stopped {
            let bound = bound_of(best, window_low, beta);
            self.table.store(position.key(), depth, ply as i32, best, bound, best_move);
        }
        best
    }

    /// Searches captures and promotions until the position is quiet; when in check, every evasion.
    /// The side to move may also stand pat: it is not forced to capture.
    fn quiescence(&mut self, position: &KeyedPosition, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.variations[ply].clear();
        self.selective_depth = self.selective_depth.max(ply);
        let chess = position.chess();
        if ply > 0 && (chess.is_insufficient_material() || is_fifty_moves(chess)) {
            return DRAW;
        }
        if ply >= MAX_PLY {
            return evaluate(chess);
        }
        let in_check = chess.is_check();
        let mut best = -MATE_LIMIT;
        if !in_check {
            best = evaluate(chess);
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut any_legal = false;
        let start = self.rank_moves(chess, ply, PackedMove::NONE, |m| {
            any_legal = true;
            in_check || is_forcing(m)
        });
        if !any_legal {
            return if in_check { mated(ply as i32) } else { DRAW };
        }
        for next in start..self.waiting.len() {
            let Some(m) = take_best(&mut self.waiting[next..]) else { break };
            let Some(child) = self.make(position, m) else { break };
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

    /// Puts the legal moves that `wanted` lets through on the waiting list and returns where they
    /// start; at the root only those the limits ask for.
    fn rank_moves(
        &mut self,
        chess: &Chess,
        ply: usize,
        table_move: PackedMove,
        mut wanted: impl FnMut(Move) -> bool,
    ) -> usize {
        let start = self.waiting.len();
        let (color, endgame) = (chess.turn(), is_endgame(chess));
        let limits = self.limits;
        let allowed = |m: &Move| ply > 0 || limits.root_moves.is_empty() || limits.root_moves.contains(m);
        self.waiting.extend(
            chess
                .legal_moves()
                .into_iter()
                .filter(|m| wanted(*m) && allowed(m))
                .map(|m| RankedMove::new(m, color, endgame, table_move)),
        );
        start
    }

    /// Makes a move and counts it; `None` when the search is over.
    fn make(&mut self, position: &KeyedPosition, m: Move) -> Option<KeyedPosition> {
        if self.stopped || self.limits.nodes.is_some_and(|most| self.nodes >= most) {
            self.stopped = true;
            return None;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL_INTERVAL) && self.control.must_stop() {
            self.stopped = true;
        }
        Some(position.after(m))
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

    /// Draws by rule, below the root. A mate on the hundredth ply is a mate.
    fn is_drawn(&self, position: &KeyedPosition) -> bool {
        let chess = position.chess();
        self.is_repeated(chess.halfmoves() as usize)
            || chess.is_insufficient_material()
            || is_fifty_moves(chess)
    }

    /// Whether the last position of the line stood once before since the root, or twice before in
    /// line and game together: what was repeated within the search can be repeated again.
    fn is_repeated(&self, halfmoves: usize) -> bool {
        let Some((now, before)) = self.keys.split_last() else { return false };
        let mut seen = 0;
        // The same side is to move every second ply, and nothing repeats across a capture or pawn
        // move.
        for distance in (4..=halfmoves.min(before.len())).step_by(2) {
            let index = before.len() - distance;
            if before[index] == *now {
                seen += 1;
                if index >= self.root || seen == 2 {
                    return true;
                }
            }
        }
        false
    }
}

const _: () = assert!(MATE > 2 * MAX_PLY as i32);

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
