//! The table of levels: for people, and every number of it for programs.

use super::super::print::decimals;
use crate::rating::{Fit, FittedLevel, ImpliedRating};
use crate::report::{Column, Table};

/// The table for people: rounded, intervals in brackets.
pub(in crate::cli) fn level_table(fit: &Fit) -> Table {
    let mut table = Table::new(vec![
        Column::numbers("level"),
        Column::numbers("games"),
        Column::numbers("W"),
        Column::numbers("D"),
        Column::numbers("L"),
        Column::numbers("score %"),
        Column::numbers("95 %"),
        Column::numbers("implied"),
        Column::numbers("95 %"),
        Column::numbers("residual %"),
    ]);
    for level in &fit.levels {
        let (score, score_interval) = level.score.map_or_else(Default::default, |score| {
            let (low, high) = (100.0 * score.low, 100.0 * score.high);
            let places = decimals(low, high, 1);
            (format!("{:.places$}", 100.0 * score.score), format!("[{low:.places$}, {high:.places$}]"))
        });
        let (implied, implied_interval) = implied_cells(level.implied);
        table.rows.push(vec![
            level.level.to_string(),
            level.games.to_string(),
            level.wins.to_string(),
            level.draws.to_string(),
            level.losses.to_string(),
            score,
            score_interval,
            implied,
            implied_interval,
            residual(level).map(|points| format!("{:+.1}", 100.0 * points)).unwrap_or_default(),
        ]);
    }
    table
}

/// Points per game above what the Elo curve expects.
fn residual(level: &FittedLevel) -> Option<f64> {
    Some(level.score?.score - level.expected?)
}

fn implied_cells(implied: Option<ImpliedRating>) -> (String, String) {
    match implied {
        None => Default::default(),
        Some(ImpliedRating::Estimate { elo, low, high }) => {
            let places = low.zip(high).map_or(0, |(low, high)| decimals(low, high, 0));
            let end = |elo: Option<f64>| elo.map_or("-".to_owned(), |elo| format!("{elo:.places$}"));
            (format!("{elo:.places$}"), format!("[{}, {}]", end(low), end(high)))
        }
        Some(ImpliedRating::AtLeast { elo }) => (format!(">= {elo:.0}"), "one-sided".into()),
        Some(ImpliedRating::AtMost { elo }) => (format!("<= {elo:.0}"), "one-sided".into()),
    }
}

/// The table for programs: shares of a point, Elo, nothing rounded below a millionth. A bound of a
/// level that was won or lost throughout stands in the one end it limits.
pub(in crate::cli) fn level_data(fit: &Fit) -> Table {
    let headings = [
        "level",
        "games",
        "pairs",
        "wins",
        "draws",
        "losses",
        "score",
        "score_low",
        "score_high",
        "implied",
        "implied_low",
        "implied_high",
        "expected",
        "residual",
    ];
    let mut table = Table::new(headings.map(Column::numbers).to_vec());
    let cell = |value: Option<f64>| value.map(|value| format!("{value:.6}")).unwrap_or_default();
    for level in &fit.levels {
        let (implied, low, high) = match level.implied {
            None => (None, None, None),
            Some(ImpliedRating::Estimate { elo, low, high }) => (Some(elo), low, high),
            Some(ImpliedRating::AtLeast { elo }) => (None, Some(elo), None),
            Some(ImpliedRating::AtMost { elo }) => (None, None, Some(elo)),
        };
        let counts = [level.games, level.pairs, level.wins, level.draws, level.losses];
        let score = level.score;
        let numbers = [
            score.map(|score| score.score),
            score.map(|score| score.low),
            score.map(|score| score.high),
            implied,
            low,
            high,
            level.expected,
            residual(level),
        ];
        let row = std::iter::once(level.level.to_string())
            .chain(counts.map(|count| count.to_string()))
            .chain(numbers.map(cell));
        table.rows.push(row.collect());
    }
    table
}
