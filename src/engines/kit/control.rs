//! The two sides of a running search: what it is asked to do, and what it reports.

use super::score::mate_distance;
use crate::chess::{Bound, Move, Score};
use crate::uci::protocol::Go;

/// The other side of a running search.
pub(in crate::engines) trait Control {
    /// Asked now and then: whether to give up the present iteration.
    fn must_stop(&mut self) -> bool;
    /// Asked after each iteration: whether another one is worth starting.
    fn may_deepen(&mut self) -> bool;
    /// Told after each iteration, and once more when the last one was given up.
    fn report(&mut self, report: &Report);
}

/// What the search knows after an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engines) struct Report {
    /// The iteration, 0 when none was finished.
    pub(in crate::engines) depth: u8,
    /// The deepest ply reached in it.
    pub(in crate::engines) selective_depth: u32,
    /// For the side to move.
    pub(in crate::engines) score: Score,
    /// Lower when the iteration was given up after its first root move.
    pub(in crate::engines) bound: Bound,
    /// Of all iterations so far.
    pub(in crate::engines) nodes: u64,
    pub(in crate::engines) hash_permille: u16,
    /// The line expected, best move first; empty when there is no legal move.
    pub(in crate::engines) variation: Vec<Move>,
}

/// What bounds a search, other than time.
#[derive(Clone, Debug, Default)]
pub(in crate::engines) struct SearchLimits {
    /// The last iteration.
    pub(in crate::engines) depth: Option<u8>,
    /// No more nodes than this.
    pub(in crate::engines) nodes: Option<u64>,
    /// A mate in so many moves ends the search.
    pub(in crate::engines) mate: Option<u32>,
    /// The root moves to consider; all when empty.
    pub(in crate::engines) root_moves: Vec<Move>,
}

impl SearchLimits {
    /// Those of a `go` command, no deeper than `deepest`.
    #[must_use]
    pub(in crate::engines) fn new(go: &Go, root_moves: Vec<Move>, deepest: u8) -> Self {
        let depth = |plies: u32| u8::try_from(plies).unwrap_or(deepest).min(deepest);
        // A mate in n moves is found at 2n - 1 plies.
        let for_mate = go.mate.map(|moves| depth(moves.saturating_mul(2).saturating_sub(1)));
        Self { depth: go.depth.map(depth).or(for_mate), nodes: go.nodes, mate: go.mate, root_moves }
    }

    /// Whether iterations deeper than `depth` cannot change anything: a mate within the depth
    /// searched is proven, as no move was left out.
    #[must_use]
    pub(in crate::engines) fn are_settled(&self, score: i32, depth: u8) -> bool {
        let Some(plies) = mate_distance(score) else { return false };
        let asked_for = self.mate.is_some_and(|moves| score > 0 && plies <= moves.saturating_mul(2) as i32);
        asked_for || plies <= i32::from(depth)
    }
}
