//! The two sides of a running search: what it is asked to do, and what it reports.

use crate::chess::{Bound, Move, Score};

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
