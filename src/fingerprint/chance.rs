//! Rows that differ by themselves: what two rounds under the same conditions do not agree in.
//!
//! Where the moves and the scores of two rounds are the same everywhere, only a count or a line varies:
//! then the columns that vary are left out of comparisons and every row stays. Otherwise the rows that
//! vary are left out.

use std::collections::{BTreeMap, BTreeSet};

use super::compare::{RowComparison, compare_answers};
use super::row::{Column, Row};

/// Chance explains what it produces more often than once in a hundred times.
const RARE: f64 = 0.01;

/// The cells in which equal questions had different answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Chance {
    cells: BTreeMap<Column, BTreeSet<usize>>,
}

impl Chance {
    /// What two rounds of the same differ in.
    pub(super) fn between(a: &[Row], b: &[Row]) -> Self {
        let mut cells: BTreeMap<Column, BTreeSet<usize>> = BTreeMap::new();
        for (index, (a, b)) in a.iter().zip(b).enumerate() {
            for column in Column::ALL.into_iter().filter(|column| a.cell(*column) != b.cell(*column)) {
                cells.entry(column).or_default().insert(index);
            }
        }
        Self { cells }
    }

    /// With what two other rounds differ in.
    pub(super) fn and(mut self, other: Self) -> Self {
        for (column, rows) in other.cells {
            self.cells.entry(column).or_default().extend(rows);
        }
        self
    }

    /// The same of these rows alone, numbered from 0.
    pub(super) fn of(&self, rows: &[usize]) -> Self {
        let numbered = |varying: &BTreeSet<usize>| -> BTreeSet<usize> {
            rows.iter()
                .enumerate()
                .filter(|(_, row)| varying.contains(row))
                .map(|(number, _)| number)
                .collect()
        };
        let cells = self.cells.iter().map(|(column, varying)| (*column, numbered(varying)));
        Self { cells: cells.filter(|(_, varying)| !varying.is_empty()).collect() }
    }

    /// Whether answers vary, and not only what is counted or told beside them.
    fn is_of_answers(&self) -> bool {
        [Column::Move, Column::Score].iter().any(|column| self.cells.contains_key(column))
    }

    /// The rows that are left out.
    pub(super) fn rows(&self) -> BTreeSet<usize> {
        if self.is_of_answers() { self.cells.values().flatten().copied().collect() } else { BTreeSet::new() }
    }

    /// The columns that are left out.
    pub(super) fn columns(&self) -> Vec<Column> {
        if self.is_of_answers() { Vec::new() } else { self.cells.keys().copied().collect() }
    }

    /// Compares what is left in. Rows keep their numbers.
    pub(super) fn compare(&self, a: &[Row], b: &[Row]) -> RowComparison {
        let (left_out, columns) = (self.rows(), self.columns());
        let kept: Vec<usize> = (0..a.len().min(b.len())).filter(|index| !left_out.contains(index)).collect();
        let pick = |rows: &[Row]| -> Vec<Row> {
            kept.iter().filter_map(|&index| rows.get(index)).map(|row| row.without(&columns)).collect()
        };
        let mut comparison = compare_answers(&pick(a), &pick(b));
        comparison.differing = comparison.differing.iter().filter_map(|&at| kept.get(at).copied()).collect();
        comparison
    }
}

/// Whether chance alone produces what a change seems to move: of rows in which two of three rounds
/// agree (two without the change, one with it), `moved` have the changed round as the odd one and
/// `by_chance` one of the others. Without an effect each round is the odd one equally often, so `moved`
/// is binomial with a third; it is chance where so many come more often than once in a hundred times.
pub(super) fn is_chance(moved: usize, by_chance: usize) -> bool {
    if by_chance == 0 {
        return false;
    }
    let total = moved + by_chance;
    // P(X = k) from that of k - 1, in logarithms: powers of a third leave the range of doubles.
    let mut log = as_f64(total) * (2.0_f64 / 3.0).ln();
    let mut below = 0.0;
    for k in 0..moved {
        below += log.exp();
        log += (as_f64(total - k) / as_f64(k + 1)).ln() - 2.0_f64.ln();
    }
    1.0 - below > RARE
}

/// Counts of rows are exact in a double.
#[allow(clippy::cast_precision_loss)]
fn as_f64(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(cells: &[&str]) -> Vec<Row> {
        let row = |(index, cells): (usize, &&str)| {
            let cells = cells.replace(' ', "\t").replace('_', " ");
            Row::parse(&format!("8/8/8/8/8/8/8/8 w - - 0 {}\t{cells}", index + 1)).unwrap()
        };
        cells.iter().enumerate().map(row).collect()
    }

    const A: &str = "e2e4 3 cp_5 100 e2e4 -";
    const OTHER_MOVE: &str = "d2d4 3 cp_5 100 d2d4 -";
    const OTHER_NODES: &str = "e2e4 3 cp_5 107 e2e4 -";

    #[test]
    fn rows_whose_moves_vary_are_left_out_and_the_others_keep_their_numbers() {
        let (first, second) = (rows(&[A, A, A]), rows(&[OTHER_MOVE, A, A]));
        let chance = Chance::between(&first, &second);
        assert_eq!(chance.rows(), [0].into());
        assert_eq!(chance.columns(), []);
        let comparison = chance.compare(&first, &rows(&[A, A, OTHER_MOVE]));
        assert_eq!((comparison.rows, comparison.differing), (2, vec![2]));
    }

    #[test]
    fn where_only_counts_vary_the_columns_are_left_out_and_every_row_stays() {
        let (first, second) = (rows(&[A, A]), rows(&[OTHER_NODES, A]));
        let chance = Chance::between(&first, &second);
        assert_eq!((chance.rows().len(), chance.columns()), (0, vec![Column::Nodes]));
        let comparison = chance.compare(&first, &rows(&[OTHER_NODES, OTHER_MOVE]));
        assert_eq!((comparison.rows, comparison.differing), (2, vec![1]));
        assert!(!comparison.columns.contains_key(&Column::Nodes));
        let both = chance.and(Chance::between(&first, &rows(&[A, OTHER_MOVE])));
        assert_eq!(both.rows(), [0, 1].into());
        assert_eq!(both.of(&[1]).rows(), [0].into());
    }

    #[test]
    fn chance_is_what_a_third_explains() {
        assert!(!is_chance(1, 0), "an engine without chance");
        assert!(is_chance(12, 24), "each round the odd one as often");
        assert!(is_chance(3, 1));
        assert!(!is_chance(40, 3));
        // R: 1 - pbinom(k - 1, n, 1/3) is 0.0197 for k = 7, n = 10 and 0.0034 for k = 8, n = 10.
        assert!(is_chance(7, 3) && !is_chance(8, 2));
        assert!(is_chance(0, 5));
        assert!(!is_chance(1_500, 800));
    }
}
