//! The search that scores every root move: iterative deepening, principal variation search with
//! killers and history, quiescence of at most six plies.
//!
//! A node is a move made in the search; each is counted once, in every iteration. Knows neither
//! clocks nor protocol nor dice.
//!
//! Invariant: up to four plies an exact score depends on the position with its history and the
//! depth alone, not on the window or the order of moves: the table answers only for its own depth,
//! nothing is pruned that could matter, and quiescence is a tree of its own with a fixed end. From
//! five plies on, repetitions inside the tree can make a table entry depend on the way to it.

use super::evaluation::evaluate;
use crate::chess::{Bound, Chess, Color, Move, Position as _};
use crate::engines::board::KeyedPosition;
use crate::engines::kit::control::{Control, Report};
use crate::engines::kit::evaluation::is_endgame;
use crate::engines::kit::ordering::{RankedMove, is_forcing, take_best};
use crate::engines::kit::repetition::stood_before;
use crate::engines::kit::score::{
    DRAW, MATE, MATE_LIMIT, MAX_PLY, is_fifty_moves, mate_distance, mated, reported,
};
use crate::engines::kit::table::{PackedMove, TranspositionTable, bound_of};

/// The deepest iteration.
pub(super) const MAX_DEPTH: u8 = 60;
/// How far quiescence goes beyond the horizon.
const QUIESCENCE_PLIES: u8 = 6;
/// How far back before the root an earlier occurrence makes a draw.
const REPETITION_PLIES: usize = 24;
/// How many nodes pass between two questions to [`Control::must_stop`].
const POLL_INTERVAL: u64 = 1024;
/// Killers come before every other quiet move, the history score between them and the squares.
const KILLER: i32 = 1 << 18;
const MOST_HISTORY: i32 = 1 << 16;

/// What bounds a search, other than time.
#[derive(Clone, Debug)]
pub(super) struct SearchLimits {
    /// The last iteration.
    pub(super) depth: u8,
    /// No more nodes than this.
    pub(super) nodes: Option<u64>,
    /// The root moves to consider; all when empty.
    pub(super) root_moves: Vec<Move>,
    /// Root moves up to this far below the best are scored exactly, in centipawns.
    pub(super) window: i32,
    /// Every root move is scored exactly, whatever the window.
    pub(super) open: bool,
    /// A proven mate ends the search: the best move is then known, and no other is asked for.
    pub(super) ends_with_mate: bool,
    /// Whether the evaluation changes its goal once an endgame is won.
    pub(super) won_endgame: bool,
}

/// A root move and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) m: Move,
    /// For the side to move, on the scale of [`crate::engines::kit::score`].
    pub(super) score: i32,
    /// Exact, or upper where the move lies further below the best than was asked.
    pub(super) bound: Bound,
    /// The line expected, this move first.
    pub(super) line: Vec<Move>,
}

/// What the last whole iteration found.
#[derive(Clone, Debug)]
pub(super) struct Findings {
    /// The iteration; 0 when not even the first was finished: the scores are then unknown.
    pub(super) depth: u8,
    /// The deepest ply reached in it.
    pub(super) selective_depth: u32,
    /// Of all iterations, unfinished ones included.
    pub(super) nodes: u64,
    pub(super) hash_permille: u16,
    /// Best first; among equals the one that looks better at a glance.
    pub(super) moves: Vec<RootMove>,
}

impl Findings {
    /// What there is to report of one root move.
    pub(super) fn report(&self, root_move: &RootMove) -> Report {
        Report {
            depth: self.depth,
            selective_depth: self.selective_depth,
            score: reported(root_move.score),
            bound: root_move.bound,
            nodes: self.nodes,
            hash_permille: self.hash_permille,
            variation: root_move.line.clone(),
        }
    }
}

/// One search from one position. The table must be empty.
pub(super) struct Search<'a> {
    table: &'a mut TranspositionTable,
    control: &'a mut dyn Control,
    limits: &'a SearchLimits,
    /// Keys of the game before the root, then of the line being searched, the last one included.
    keys: Vec<u64>,
    /// Whether fifty moves cannot end a game within the tree: else a remembered score could
    /// belong to another count.
    counter_is_low: bool,
    /// Moves waiting to be tried, one run per ply.
    waiting: Vec<RankedMove>,
    /// The best line from each ply on.
    variations: Vec<Vec<Move>>,
    killers: Vec<[PackedMove; 2]>,
    /// By colour, from, to.
    history_scores: Vec<i32>,
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
        // Counted from the root, so that what is a draw does not depend on the way within the tree.
        let recent = history.len().saturating_sub(REPETITION_PLIES);
        Self {
            table,
            control,
            limits,
            keys: history.iter().skip(recent).copied().collect(),
            counter_is_low: true,
            waiting: Vec::with_capacity(1024),
            variations: vec![Vec::new(); MAX_PLY + 2],
            killers: vec![[PackedMove::NONE; 2]; MAX_PLY + 2],
            history_scores: vec![0; 2 * 64 * 64],
            nodes: 0,
            selective_depth: 0,
            stopped: false,
        }
    }

    /// Deepens until a limit is met and returns the last whole iteration; no moves where none is
    /// legal.
    pub(super) fn run(mut self, position: &KeyedPosition) -> Findings {
        self.keys.push(position.key());
        let last = self.limits.depth.clamp(1, MAX_DEPTH);
        let deepest = u32::from(last) + u32::from(QUIESCENCE_PLIES);
        self.counter_is_low = position.chess().halfmoves() + deepest < 100;
        let at_a_glance = self.at_a_glance(position);
        let mut known = Findings {
            depth: 0,
            selective_depth: 0,
            nodes: 0,
            hash_permille: 0,
            moves: at_a_glance
                .iter()
                .map(|m| RootMove { m: *m, score: DRAW, bound: Bound::Upper, line: vec![*m] })
                .collect(),
        };
        if known.moves.is_empty() {
            self.report_no_move(position);
            return known;
        }
        for depth in 1..=last {
            self.selective_depth = 0;
            let found = self.search_root(position, &known.moves, depth);
            known.nodes = self.nodes;
            let Some(mut moves) = found else { break };
            // Equals stand as they looked at a glance, whatever the last iteration thought.
            let place = |m: &Move| at_a_glance.iter().position(|other| other == m);
            moves.sort_by_key(|root_move| (std::cmp::Reverse(root_move.score), place(&root_move.m)));
            known.moves = moves;
            known.depth = depth;
            known.selective_depth = self.selective_depth as u32;
            known.hash_permille = self.table.permille_full();
            let Some(best) = known.moves.first() else { break };
            self.control.report(&known.report(best));
            let settled = self.limits.ends_with_mate
                && mate_distance(best.score).is_some_and(|plies| plies <= i32::from(depth));
            if settled || !self.control.may_deepen() {
                break;
            }
        }
        known
    }

    /// The root moves in the order of their looks.
    fn at_a_glance(&mut self, position: &KeyedPosition) -> Vec<Move> {
        let wanted = &self.limits.root_moves;
        self.rank_moves(position.chess(), 0, PackedMove::NONE, |m| wanted.is_empty() || wanted.contains(&m));
        let mut order = Vec::with_capacity(self.waiting.len());
        for next in 0..self.waiting.len() {
            order.extend(take_best(&mut self.waiting[next..]));
        }
        self.waiting.clear();
        order
    }

    fn report_no_move(&mut self, position: &KeyedPosition) {
        let score = if position.chess().is_check() { mated(0) } else { DRAW };
        self.control.report(&Report {
            depth: 0,
            selective_depth: 0,
            score: reported(score),
            bound: Bound::Exact,
            nodes: 0,
            hash_permille: 0,
            variation: Vec::new(),
        });
    }

    /// One iteration over all root moves; `None` when it was given up.
    fn search_root(
        &mut self,
        position: &KeyedPosition,
        moves: &[RootMove],
        depth: u8,
    ) -> Option<Vec<RootMove>> {
        let mut found = Vec::with_capacity(moves.len());
        let mut best = -MATE_LIMIT;
        for RootMove { m, .. } in moves {
            let child = self.make(position, *m)?;
            self.keys.push(child.key());
            // Exact above this, and so from `window` below the best on.
            let floor = match self.limits.open {
                true => -MATE_LIMIT,
                false => (best - self.limits.window - 1).max(-MATE_LIMIT),
            };
            let score = -self.negamax(&child, depth - 1, 1, -MATE_LIMIT, -floor);
            self.keys.pop();
            if self.stopped {
                return None;
            }
            let mut line = vec![*m];
            line.extend(self.variations.get(1).into_iter().flatten());
            let bound = if score > floor { Bound::Exact } else { Bound::Upper };
            found.push(RootMove { m: *m, score, bound, line });
            best = best.max(score);
        }
        Some(found)
    }

    /// The value of `position` for the side to move, searched `depth` plies deep: exact between
    /// `alpha` and `beta`, else a bound. Meaningless once `stopped`.
    fn negamax(&mut self, position: &KeyedPosition, depth: u8, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.variations[ply].clear();
        if self.is_drawn(position) {
            return DRAW;
        }
        if depth == 0 || ply >= MAX_PLY {
            return self.quiescence(position, QUIESCENCE_PLIES, ply, alpha, beta);
        }
        self.selective_depth = self.selective_depth.max(ply);
        let known = self.table.get(position.key());
        if self.counter_is_low
            && let Some(entry) = known
            && entry.depth() == depth
            && let Some(score) = entry.cutoff(depth, ply as i32, alpha, beta)
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
            let mut score = 0;
            // After the first move a null window proves that the others are no better, or not.
            let narrow = next > start && beta - alpha > 1;
            if narrow {
                score = -self.negamax(&child, depth - 1, ply + 1, -alpha - 1, -alpha);
            }
            if !self.stopped && (!narrow || score > alpha && score < beta) {
                score = -self.negamax(&child, depth - 1, ply + 1, -beta, -alpha);
            }
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
                        self.remember_cut(position.chess().turn(), m, depth, ply);
                        break;
                    }
                }
            }
        }
        self.waiting.truncate(start);
        if !self.stopped {
            let bound = bound_of(best, window_low, beta);
            self.table.store(position.key(), depth, ply as i32, best, bound, best_move);
        }
        best
    }

    /// Searches captures and promotions to a queen, `left` plies at most; when in check, every
    /// evasion. The side to move may also stand pat.
    fn quiescence(
        &mut self,
        position: &KeyedPosition,
        left: u8,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.variations[ply].clear();
        self.selective_depth = self.selective_depth.max(ply);
        let chess = position.chess();
        if chess.is_insufficient_material() || is_fifty_moves(chess) {
            return DRAW;
        }
        let in_check = chess.is_check();
        if left == 0 || ply >= MAX_PLY {
            let is_mate = in_check && chess.legal_moves().is_empty();
            return if is_mate { mated(ply as i32) } else { evaluate(chess, self.limits.won_endgame) };
        }
        let mut best = -MATE_LIMIT;
        if !in_check {
            best = evaluate(chess, self.limits.won_endgame);
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
            let score = -self.quiescence(&child, left - 1, ply + 1, -beta, -alpha);
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
    /// start.
    fn rank_moves(
        &mut self,
        chess: &Chess,
        ply: usize,
        table_move: PackedMove,
        mut wanted: impl FnMut(Move) -> bool,
    ) -> usize {
        let start = self.waiting.len();
        let (color, endgame) = (chess.turn(), is_endgame(chess));
        let (killers, history_scores) = (self.killers[ply], &self.history_scores);
        self.waiting.extend(chess.legal_moves().into_iter().filter(|m| wanted(*m)).map(|m| {
            let ranked = RankedMove::new(m, color, endgame, table_move);
            if is_forcing(m) {
                return ranked;
            }
            let packed = PackedMove::new(m);
            let is_killer = packed != PackedMove::NONE && killers.contains(&packed);
            ranked.raised_by(history_scores[history_index(color, m)] + if is_killer { KILLER } else { 0 })
        }));
        start
    }

    /// A quiet move that cut is tried early where it may cut again.
    fn remember_cut(&mut self, color: Color, m: Move, depth: u8, ply: usize) {
        if is_forcing(m) {
            return;
        }
        let packed = PackedMove::new(m);
        let [first, second] = &mut self.killers[ply];
        if *first != packed {
            (*second, *first) = (*first, packed);
        }
        let score = &mut self.history_scores[history_index(color, m)];
        *score = (*score + i32::from(depth).pow(2)).min(MOST_HISTORY);
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

    fn is_drawn(&self, position: &KeyedPosition) -> bool {
        let chess = position.chess();
        stood_before(&self.keys, chess.halfmoves() as usize)
            || chess.is_insufficient_material()
            || is_fifty_moves(chess)
    }
}

fn history_index(color: Color, m: Move) -> usize {
    let from = m.from().map_or(0, |from| from.to_usize());
    (color as usize * 64 + from) * 64 + m.to().to_usize()
}

const _: () = assert!(MATE > 2 * MAX_PLY as i32);

#[cfg(test)]
#[path = "search_tests.rs"]
pub(super) mod tests;
