//! `elometer fit`: the rating in results of any origin.

mod claim;
mod command;
mod document;
mod levels;
mod lines;
mod pool;
mod text;
mod words;

pub(super) use command::{FitArguments, run};
pub(super) use document::write_json;
pub(super) use text::write_text;
pub(super) use words::{pair_words, probability, unused_words};
