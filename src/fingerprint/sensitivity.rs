//! How many rows one change moves: a gate that cannot fail is none.
//!
//! The baseline is asked twice, in the same manner: what differs by itself is no effect of the change.

use serde::Serialize;

use super::ask::{Manner, Survey};
use super::chance::{Chance, is_chance};
use super::compare::RowComparison;
use super::error::FingerprintError;
use super::positions::Place;
use super::row::{Column, Row};
use super::row_limits::RowLimits;
use super::subject::{Question, Subject};
use crate::arena::Stop;

/// What one change of an option moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sensitivity {
    /// The option.
    pub option: String,
    /// Its changed value.
    pub value: String,
    /// Whether the option already had this value before the change: set, or by its declared
    /// default.
    pub same_value: bool,
    /// How many rows differ by themselves and are left out.
    pub rows_by_chance: usize,
    /// The columns left out instead of rows, where moves and scores do not vary by themselves.
    pub columns_by_chance: Vec<Column>,
    /// What the change moved.
    pub effect: Effect,
    /// What is left in, without the change against with it.
    pub comparison: RowComparison,
    /// How the searches without the change used their limit.
    pub limit_use: Option<RowLimits>,
}

/// What a change moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Effect {
    /// The rows that differ in the comparison.
    Rows,
    /// No row.
    None,
    /// Rows differ, but no more of them than this engine's chance produces: none is credited.
    NotAboveChance,
}

impl Sensitivity {
    /// How many rows are credited to the option.
    #[must_use]
    pub fn credited(&self) -> usize {
        if self.effect == Effect::Rows { self.comparison.differing.len() } else { 0 }
    }
}

/// The effect of a change, from two rounds without it and one with it.
fn effect(
    rounds: [&[Row]; 2],
    changed: &[Row],
    chance: &Chance,
    found: &RowComparison,
    same: bool,
) -> Effect {
    if found.is_equal() {
        return Effect::None;
    }
    let [first, second] = rounds;
    let varying = chance.rows();
    let odd_ones = varying.iter().filter(|&&index| {
        let changed = changed.get(index);
        changed == first.get(index) || changed == second.get(index)
    });
    if (same && !varying.is_empty()) || is_chance(found.differing.len(), odd_ones.count()) {
        Effect::NotAboveChance
    } else {
        Effect::Rows
    }
}

/// Asks about all positions twice without and once with `option` set to `value`.
///
/// # Errors
/// The engine does not take the option, does not start or fails on a position; a signal came; or every
/// row differs by itself.
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
    let (first, second) = (rows(subject)?, rows(subject)?);
    let chance = Chance::between(&first, &second);
    let rows_by_chance = chance.rows().len();
    if rows_by_chance == places.len() {
        return Err(FingerprintError::AllByChance { rows: rows_by_chance });
    }
    let with = rows(&changed)?;
    let comparison = chance.compare(&first, &with);
    let same_value = subject.value_of(option) == changed.value_of(option);
    Ok(Sensitivity {
        option: option.to_owned(),
        value: value.to_owned(),
        same_value,
        rows_by_chance,
        columns_by_chance: chance.columns(),
        effect: effect([&first, &second], &with, &chance, &comparison, same_value),
        comparison,
        limit_use: RowLimits::of(question.limit, &first, places),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows with these moves.
    fn rows(moves: &str) -> Vec<Row> {
        let row = |(index, m): (usize, &str)| {
            Row::parse(&format!("8/8/8/8/8/8/8/8 w - - 0 {}\t{m}\t1\tcp 0\t1\t-\t-", index + 1)).unwrap()
        };
        moves.split_whitespace().enumerate().map(row).collect()
    }

    fn effect_of(first: &str, second: &str, changed: &str, same_value: bool) -> (Effect, usize) {
        let [first, second, changed] = [first, second, changed].map(rows);
        let chance = Chance::between(&first, &second);
        let found = chance.compare(&first, &changed);
        (effect([&first, &second], &changed, &chance, &found, same_value), found.rows)
    }

    #[test]
    fn an_engine_with_two_answers_now_and_then_is_not_taken_for_the_options_effect() {
        // Each round is the odd one in two rows.
        let (first, second, changed) = ("b b a a a a a", "a a b b a a a", "a a a a b b a");
        assert_eq!(effect_of(first, second, changed, false), (Effect::NotAboveChance, 3));
        // The same with far more rows that only the change moves.
        let many = |start: &str, m: &str| format!("{start} {}", vec![m; 20].join(" "));
        let (first, second, changed) = (many(first, "a"), many(second, "a"), many(changed, "c"));
        assert_eq!(effect_of(&first, &second, &changed, false), (Effect::Rows, 23));
        // The value that the option has anyway moves nothing, whatever the numbers say.
        assert_eq!(effect_of(&first, &second, &changed, true).0, Effect::NotAboveChance);
    }

    #[test]
    fn without_chance_one_row_is_an_effect() {
        assert_eq!(effect_of("a a a", "a a a", "a b a", false), (Effect::Rows, 3));
        assert_eq!(effect_of("a a a", "a a a", "a a a", false), (Effect::None, 3));
        assert_eq!(effect_of("a a a", "b a a", "c a a", false), (Effect::None, 2));
    }
}
