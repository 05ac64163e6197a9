//! Ladders played under a named truth, and how often each interval holds it.
//!
//! Invariant: a ladder is fixed by the truth, the seed and its number, whatever the number of
//! threads and the order in which ladders are drawn.

mod coverage;
mod draw;
mod planning;
mod truth;
mod truths;

pub use coverage::{Coverage, Simulation, simulate};
pub use draw::draw_ladder;
pub use planning::{Needed, games_needed};
pub use truth::{Truth, TruthError, TruthLevel};
pub use truths::{standard_truths, truths_for_plan, untuned_truths};
