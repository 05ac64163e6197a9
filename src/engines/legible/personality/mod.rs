//! Personalities: evaluation graphs as JSON documents, read with the path of whatever is wrong.
//!
//! Knows no position: what the graph computes is `blocks` and `evaluation`.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod arguments;
mod document;
mod expression;
mod graph;
mod json;
#[cfg(test)]
mod tests;

pub(super) use arguments::Arguments;
pub use document::PersonalityError;
pub(super) use expression::{
    Circumstances, Expression, MAX_MODULATORS, ONE, Thousandths, nearest_thousandth,
};
pub use graph::Personality;
pub(super) use graph::{BLOCKS, Block, MAX_SEED};
