//! `legible`: an engine whose every number decomposes into named meters, after the paper on
//! Mate.
//!
//! A personality (a graph in JSON) says how a position is valued, a plain search says what follows,
//! and sentences are written from board facts. `docs/legible.md` describes it.
//!
//! Invariant: with a limit of depth or nodes move, score, nodes and line depend only on the
//! position with its history, the limit, the personality and its options: whole numbers only, no
//! clock, nothing kept between searches. What is said also depends on what was said in this game.

mod blocks;
mod board_map;
mod engine;
mod evaluation;
mod explain;
mod personality;
mod search;
mod words;

pub use engine::Legible;
pub use evaluation::Meters;
pub use explain::{Explanation, ScoreSource, explain};
pub use personality::{Personality, PersonalityError};
