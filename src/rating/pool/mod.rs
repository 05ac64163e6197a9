//! Several unknown players at once: a joint fit of everybody who met, with anchors that hold the
//! scale, and what the games do not determine named instead of guessed.
//!
//! Knows nothing of names: players are places in a list that the caller keeps. Invariant: no rating
//! is given to a player whom wins and losses do not tie to the others in both directions.

mod cells;
mod cholesky;
mod connectivity;
mod differences;
mod estimate;
mod fit;
mod model;
mod prepare;
mod random;
mod replicates;
mod solve;

#[cfg(test)]
mod tests;

pub use connectivity::{Group, Separation};
pub use differences::Difference;
pub use estimate::{
    PlayerAbsence, PlayerEstimate, PlayerInterval, PoolMisfit, PoolRemark, PoolScale, RatedPlayer,
    WhiteAdvantage,
};
pub use fit::{PoolFit, fit_pool};
pub use model::{Anchor, ColourModel, PoolError};
pub use replicates::{PlayerReplicates, PoolReplicates, ReplicateMethod, replicate_pool};
