//! What the built-in engines share: how they listen and answer, how they value a position, order
//! moves, remember results and spend time.
//!
//! Knows no search: an engine brings its own and is served by [`Shell`].

pub(in crate::engines) mod budget;
pub(in crate::engines) mod control;
pub(in crate::engines) mod evaluation;
pub(in crate::engines) mod game;
pub(in crate::engines) mod ordering;
pub(in crate::engines) mod repetition;
pub(in crate::engines) mod running;
pub(in crate::engines) mod score;
pub(in crate::engines) mod shell;
pub(in crate::engines) mod table;
#[cfg(test)]
pub(in crate::engines) mod testing;

pub(in crate::engines) use shell::{Mind, Shell};
