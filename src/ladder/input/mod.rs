//! Results of any origin as input for a rating: a run folder, PGN, CSV.
//!
//! Every origin becomes [`PlayedGame`]s or counts and ends as [`Results`]. It groups games into
//! units and holds no formula. Invariant: a game is either in the ladder or counted in
//! [`Results::unused`] with a reason.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod collect;
mod counts;
mod error;
mod games;
mod pairs;
mod played;
mod read;
#[cfg(test)]
mod tests;

pub use collect::collect;
pub use counts::read_csv;
pub use error::{InputError, PlayerCount};
pub use games::read_pgn_games;
pub use played::{Conditions, PairKey, PlayedGame, Results, Unused, UnusedReason};
pub use read::{InputOptions, read_input, read_run, run_input};
