//! Two fingerprints, row by row.

use std::collections::BTreeMap;

use serde::Serialize;

use super::cause::Cause;
use super::identity::EngineIdentity;
use super::manifest::Fingerprint;
use super::row::{Column, Row};
use crate::ladder::IdentityPart;
use crate::uci::process::LimitConcern;

/// Where two lists of rows on the same positions differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RowComparison {
    /// How many positions.
    pub rows: usize,
    /// The indices of the rows that differ, from 0, ascending.
    pub differing: Vec<usize>,
    /// The columns that differ, with the number of rows.
    pub columns: BTreeMap<Column, usize>,
    /// What the pattern suggests; none when all rows are equal.
    pub cause: Option<Cause>,
}

/// Two fingerprints compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Whether every hash is equal.
    pub equal: bool,
    /// The columns whose hashes differ, in the order of the file.
    pub columns: Vec<Column>,
    /// What the two were taken with otherwise: `limit`, `options`, `words`, `positions`.
    pub taken_otherwise: Vec<&'static str>,
    /// The parts in which the engines differ, as far as both are known. They decide nothing.
    pub identity: Vec<IdentityPart>,
    /// Of which only the launcher is identified.
    pub launcher_only: [bool; 2],
    /// How each engine fails to keep its limit, if it does.
    pub limits: [Option<LimitConcern>; 2],
    /// Row by row; none when rows are missing, or are of other positions.
    pub rows: Option<RowComparison>,
}

impl RowComparison {
    /// Whether no row differs.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.differing.is_empty()
    }
}

/// Compares rows; `None` when the positions are not the same in the same order.
#[must_use]
pub fn compare_rows(a: &[Row], b: &[Row]) -> Option<RowComparison> {
    if a.len() != b.len() || a.iter().zip(b).any(|(a, b)| a.fen() != b.fen()) {
        return None;
    }
    Some(compare_answers(a, b))
}

/// Compares rows that are on the same positions.
pub(super) fn compare_answers(a: &[Row], b: &[Row]) -> RowComparison {
    let mut comparison =
        RowComparison { rows: a.len(), differing: Vec::new(), columns: BTreeMap::new(), cause: None };
    for (index, (a, b)) in a.iter().zip(b).enumerate() {
        if a != b {
            comparison.differing.push(index);
        }
        for column in Column::ALL.into_iter().filter(|column| a.cell(*column) != b.cell(*column)) {
            *comparison.columns.entry(column).or_insert(0) += 1;
        }
    }
    comparison.cause = Cause::of(a, b, &comparison);
    comparison
}

/// Compares two fingerprints: by their hashes, and by their rows where both have them.
#[must_use]
pub fn compare(a: &Fingerprint, b: &Fingerprint) -> Comparison {
    let (hashes_a, hashes_b) = (&a.manifest.sha256, &b.manifest.sha256);
    let differs = |column: &Column| hashes_a.columns.get(column) != hashes_b.columns.get(column);
    let mut rows = match (&a.rows, &b.rows) {
        (Some(a), Some(b)) => compare_rows(a, b),
        _ => None,
    };
    let engines = [a, b].map(|fingerprint| &fingerprint.manifest.recipe.engine);
    let launcher_only = engines.map(EngineIdentity::is_launcher_only);
    if let Some(rows) = rows.as_mut().filter(|_| launcher_only.contains(&true)) {
        rows.cause = rows.cause.map(Cause::behind_launcher);
    }
    let limits = [a, b].map(|fingerprint| fingerprint.manifest.limit_use.and_then(|found| found.concern()));
    Comparison {
        equal: hashes_a == hashes_b,
        columns: Column::ALL.into_iter().filter(differs).collect(),
        taken_otherwise: a.manifest.recipe.differences(&b.manifest.recipe),
        identity: a.manifest.recipe.engine.differences(&b.manifest.recipe.engine),
        launcher_only,
        limits,
        rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of the position with this move number.
    fn row(number: usize, cells: &str) -> Row {
        Row::parse(&format!("8/8/8/8/8/8/8/8 w - - 0 {number}\t{}", cells.replace(' ', "\t"))).unwrap()
    }

    /// Ten rows; `change` gives the cells of some of them.
    fn rows(change: impl Fn(usize) -> Option<&'static str>) -> Vec<Row> {
        (0..10).map(|index| row(index + 1, change(index).unwrap_or(SAME))).collect()
    }

    const SAME: &str = "e2e4 1 cp\u{a0}10 5 e2e4 -";

    fn cause(change: impl Fn(usize) -> Option<&'static str>) -> Option<Cause> {
        let plain = |rows: Vec<Row>| -> Vec<Row> {
            rows.iter().map(|row| Row::parse(&row.to_string().replace('\u{a0}', " ")).unwrap()).collect()
        };
        compare_rows(&plain(rows(|_| None)), &plain(rows(change))).unwrap().cause
    }

    #[test]
    fn each_pattern_has_its_cause() {
        let other = Some("d2d4 1 cp\u{a0}90 6 d2d4 -");
        assert_eq!(cause(|_| None), None);
        assert_eq!(cause(|_| Some("e2e4 1 cp\u{a0}10 5 e2e4 hm")), Some(Cause::Words));
        assert_eq!(cause(|index| (index == 3).then_some("e2e4 1 cp\u{a0}10 6 e2e4 -")), Some(Cause::Nodes));
        let small = |index| (index % 2 == 0).then_some("e2e4 1 cp\u{a0}20 5 e2e4 -");
        assert_eq!(cause(small), Some(Cause::SmallScores));
        let large = |index| (index % 2 == 0).then_some("e2e4 1 cp\u{a0}21 5 e2e4 -");
        assert_eq!(cause(large), Some(Cause::HereAndThere));
        let mate = |index| (index == 9).then_some("e2e4 1 mate\u{a0}1 5 e2e4 -");
        assert_eq!(cause(mate), Some(Cause::HereAndThere));
        assert_eq!(cause(|_| other), Some(Cause::Everything));
        assert_eq!(cause(|index| other.filter(|_| index > 0)), Some(Cause::FromSomeRowOn));
        assert_eq!(cause(|index| other.filter(|_| index > 5)), Some(Cause::FromSomeRowOn));
        assert_eq!(cause(|index| other.filter(|_| index % 3 == 0)), Some(Cause::HereAndThere));
    }

    #[test]
    fn rows_of_other_positions_are_not_compared() {
        let (a, b) = (rows(|_| None), rows(|_| None));
        assert_eq!(compare_rows(&a, &b[..9]), None);
        let mut moved = b;
        moved.swap(0, 1);
        assert_eq!(compare_rows(&a, &moved), None);
    }
}
