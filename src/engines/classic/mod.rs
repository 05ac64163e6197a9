//! `classic`: a plain alpha-beta engine, after the description of a chess engine in Scala.
//!
//! Iterative deepening, negamax with alpha-beta, a transposition table, quiescence, and an
//! evaluation of material and piece-square tables: nothing selective beyond that, so that what it
//! does can be followed by hand. `docs/classic.md` describes it.
//!
//! Invariant: a search limited by depth or nodes depends only on the position with its history,
//! the limits, the options and what was searched since `ucinewgame`: integers only, no clock, no
//! chance.

mod engine;
mod search;

pub use engine::Classic;
