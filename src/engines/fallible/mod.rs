//! `fallible`: a full-strength search that chooses imperfectly, after the description of AL-1600.
//!
//! Every root move is scored by the whole search, exactly as far down as the ceiling reaches; then
//! dice choose among them, the better the likelier. Mistakes of choice, never of sight.
//! `docs/fallible.md` describes it.
//!
//! Invariant: with a limit of depth or nodes an answer depends only on the position with its
//! history, the last move, the limits, the options and, with the dice of a game, the number of
//! games begun: integers only, no clock, no unseeded chance, nothing kept between searches.

mod choice;
mod dice;
mod engine;
mod evaluation;
mod exponential;
mod search;
mod settings;

pub use engine::Fallible;
