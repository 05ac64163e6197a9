//! `elometer fit`: the rating in results of any origin.

mod aim;
mod claim;
mod command;
mod document;
mod levels;
mod lines;
mod pool;
mod text;
mod words;

pub(super) use aim::positive_elo;
pub(super) use command::{FitArguments, run};
pub(super) use document::{Judged, write_json};
pub(super) use text::write_text;
pub(super) use words::{pair_words, probability, unused_words};
