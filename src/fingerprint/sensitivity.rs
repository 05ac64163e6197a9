//! How many rows one change moves: a gate that cannot fail is none.

use serde::Serialize;

use super::ask::{Manner, Survey};
use super::compare::{RowComparison, compare_answers};
use super::error::FingerprintError;
use super::positions::Place;
use super::subject::{Question, Subject};
use crate::arena::Stop;

/// What one change of an option moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sensitivity {
    /// The option.
    pub option: String,
    /// Its changed value.
    pub value: String,
    /// The rows without the change against those with it.
    pub comparison: RowComparison,
}

/// Asks about all positions with and without `option` set to `value`.
///
/// # Errors
/// The engine does not take the option, does not start or fails on a position; or a signal came.
pub fn sensitivity(
    subject: &Subject,
    question: &Question,
    places: &[Place],
    workers: usize,
    stop: &Stop,
    (option, value): (&str, &str),
) -> Result<Sensitivity, FingerprintError> {
    let changed = subject.with_option(option, value)?;
    let order: Vec<_> = (0..places.len()).collect();
    let rows =
        |subject| Survey { subject, question, places, manner: Manner::default(), stop }.rows(&order, workers);
    let comparison = compare_answers(&rows(subject)?, &rows(&changed)?);
    Ok(Sensitivity { option: option.to_owned(), value: value.to_owned(), comparison })
}
