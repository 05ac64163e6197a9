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
pub(super) use command::{FitArguments, captioned_tables, run};
pub(super) use document::{Judged, write_json};
pub(super) use levels::level_data;
pub(super) use lines::shown_lines;
pub(super) use text::write_text;
pub(super) use words::{
    found_ladder, games_words, headline, input_words, ladder_lines, level_words, limit_words, pair_words,
    priors_words, probability, remarks, test_words, unused_words,
};
