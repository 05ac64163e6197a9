//! How far two gradings of the same things agree beyond chance.

use serde::Serialize;

use super::quantile::{UPPER, normal_quantile, t_quantile};

/// Two gradings compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// Things graded twice.
    pub count: u64,
    /// Share with the same grade.
    pub observed: f64,
    /// Share that would have it by chance, from how often each grading gives each grade.
    pub by_chance: f64,
    /// Cohen's kappa; absent where chance alone gives full agreement.
    pub kappa: Option<f64>,
    /// Its interval at [`super::CONFIDENCE`]: between clusters where there are several, else from the
    /// table. Absent where neither has a width.
    pub interval: Option<[f64; 2]>,
    /// Of the things with two grades, the share whose grades stand next to each other.
    pub neighbours: Option<f64>,
}

/// Cohen's kappa from the two shares: (observed - by chance) / (1 - by chance). `None` when chance
/// leaves nothing to agree on.
///
/// ```
/// // The own percentages of the paper on Mate: 94.2 % agree, the grades stand at 47,
/// // 20, 13, 12 and 8 %.
/// let by_chance: f64 = [0.47, 0.20, 0.13, 0.12, 0.08].iter().map(|share: &f64| share * share).sum();
/// let kappa = elometer::rating::kappa_of(0.942, by_chance).unwrap();
/// assert!((kappa - 0.917).abs() < 5e-4);
/// ```
///
/// # Source
/// Cohen 1960.
#[must_use]
pub fn kappa_of(observed: f64, by_chance: f64) -> Option<f64> {
    let kappa = (observed - by_chance) / (1.0 - by_chance);
    kappa.is_finite().then_some(kappa)
}

/// Compares two gradings. Each cluster (a game) is a table of counts, the first grading down, the
/// second across, grades in their order; all tables have the same size. `None` without a count, or
/// where tables are not square or not of one size.
///
/// With several clusters the interval is that of the jackknife that leaves out one cluster at a time,
/// with t on clusters - 1 degrees of freedom; with one, the large-sample error of the table.
///
/// # Source
/// Fleiss, Cohen and Everitt 1969 (the error of the table).
#[must_use]
pub fn agreement(clusters: &[Vec<Vec<u64>>]) -> Option<Agreement> {
    let size = clusters.first()?.len();
    let fits = |table: &Vec<Vec<u64>>| table.len() == size && table.iter().all(|row| row.len() == size);
    if !clusters.iter().all(fits) {
        return None;
    }
    let mut total = vec![vec![0.0; size]; size];
    clusters.iter().for_each(|table| add(&mut total, table, 1.0));
    let shares = Shares::of(&total)?;
    let kappa = kappa_of(shares.observed, shares.by_chance);
    let used: Vec<&Vec<Vec<u64>>> =
        clusters.iter().filter(|table| table.iter().flatten().any(|count| *count > 0)).collect();
    let half = match kappa {
        None => None,
        Some(kappa) if used.len() < 2 => Some(normal_quantile(UPPER) * table_error(&total, &shares, kappa)),
        Some(_) => jackknife_half(&total, &used),
    };
    let interval = kappa
        .zip(half.filter(|half| half.is_finite() && *half > 0.0))
        .map(|(kappa, half)| [(kappa - half).max(-1.0), (kappa + half).min(1.0)]);
    let (mut apart, mut near) = (0.0, 0.0);
    for (first, row) in total.iter().enumerate() {
        for (second, count) in row.iter().enumerate().filter(|(second, _)| *second != first) {
            apart += count;
            near += if first.abs_diff(second) == 1 { *count } else { 0.0 };
        }
    }
    let count = used.iter().flat_map(|table| table.iter().flatten()).sum();
    Some(Agreement {
        count,
        observed: shares.observed,
        by_chance: shares.by_chance,
        kappa,
        interval,
        neighbours: (apart > 0.0).then(|| near / apart),
    })
}

struct Shares {
    count: f64,
    observed: f64,
    by_chance: f64,
    rows: Vec<f64>,
    columns: Vec<f64>,
}

impl Shares {
    fn of(table: &[Vec<f64>]) -> Option<Self> {
        let count: f64 = table.iter().flatten().sum();
        if count <= 0.0 {
            return None;
        }
        let rows: Vec<f64> = table.iter().map(|row| row.iter().sum::<f64>() / count).collect();
        let column = |at: usize| table.iter().filter_map(|row| row.get(at)).sum::<f64>() / count;
        let columns: Vec<f64> = (0..table.len()).map(column).collect();
        let observed = table.iter().enumerate().filter_map(|(at, row)| row.get(at)).sum::<f64>() / count;
        let by_chance = rows.iter().zip(&columns).map(|(row, column)| row * column).sum();
        Some(Self { count, observed, by_chance, rows, columns })
    }
}

fn add(total: &mut [Vec<f64>], table: &[Vec<u64>], sign: f64) {
    for (into, from) in total.iter_mut().zip(table) {
        for (into, &from) in into.iter_mut().zip(from) {
            *into += sign * real(from);
        }
    }
}

fn table_error(table: &[Vec<f64>], shares: &Shares, kappa: f64) -> f64 {
    let rest = 1.0 - shares.by_chance;
    let (mut equal, mut other) = (0.0, 0.0);
    for (first, (row, row_share)) in table.iter().zip(&shares.rows).enumerate() {
        for (second, (count, column_share)) in row.iter().zip(&shares.columns).enumerate() {
            let share = count / shares.count;
            if first == second {
                let term = 1.0 - (row_share + column_share) * (1.0 - kappa);
                equal += share * term * term;
            } else {
                // The weight of a cell is its column's share as a row, and its row's as a column.
                let across = shares.rows.get(second).copied().unwrap_or_default();
                let down = shares.columns.get(first).copied().unwrap_or_default();
                other += share * (across + down) * (across + down);
            }
        }
    }
    let off = kappa - shares.by_chance * (1.0 - kappa);
    let variance = (equal + (1.0 - kappa) * (1.0 - kappa) * other - off * off) / (shares.count * rest * rest);
    variance.max(0.0).sqrt()
}

fn jackknife_half(total: &[Vec<f64>], clusters: &[&Vec<Vec<u64>>]) -> Option<f64> {
    let without = clusters.iter().map(|table| {
        let mut rest = total.to_vec();
        add(&mut rest, table, -1.0);
        let shares = Shares::of(&rest)?;
        kappa_of(shares.observed, shares.by_chance)
    });
    let kappas: Vec<f64> = without.collect::<Option<_>>()?;
    let groups = real(kappas.len() as u64);
    let mean = kappas.iter().sum::<f64>() / groups;
    let spread: f64 = kappas.iter().map(|kappa| (kappa - mean) * (kappa - mean)).sum();
    Some(t_quantile(UPPER, kappas.len() as u64 - 1)? * ((groups - 1.0) / groups * spread).sqrt())
}

#[expect(clippy::cast_precision_loss, reason = "counts of moves and games, far below 2^53")]
fn real(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_table_has_its_kappa_and_error() {
        // Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions, table 18.1: kappa 0.68,
        // standard error 0.087; the digits are those of the formula typed into R 4.2.2.
        let table = vec![vec![75, 1, 4], vec![5, 4, 1], vec![0, 0, 10]];
        let found = agreement(&[table]).unwrap();
        assert!((found.observed - 0.89).abs() < 1e-12 && (found.by_chance - 0.66).abs() < 1e-12);
        assert!((found.kappa.unwrap() - 0.676_470_588).abs() < 1e-9);
        let [low, high] = found.interval.unwrap();
        assert!((low - 0.504_575_958).abs() < 1e-8 && (high - 0.848_365_218).abs() < 1e-8, "{low} {high}");
        assert!((found.neighbours.unwrap() - 7.0 / 11.0).abs() < 1e-12);
    }

    #[test]
    fn full_agreement_has_no_interval_and_one_grade_no_kappa() {
        let same = vec![vec![5, 0], vec![0, 7]];
        let found = agreement(&[same.clone(), same]).unwrap();
        assert_eq!((found.kappa, found.interval, found.neighbours), (Some(1.0), None, None));
        assert_eq!(agreement(&[vec![vec![9, 0], vec![0, 0]]]).unwrap().kappa, None);
        assert_eq!(agreement(&[vec![vec![0, 0], vec![0, 0]]]), None);
        assert_eq!(agreement(&[vec![vec![1]], vec![vec![1, 0], vec![0, 1]]]), None);
    }

    #[test]
    fn the_jackknife_of_single_things_is_near_the_error_of_the_table() {
        let cell = |row: usize, column: usize| {
            let mut table = vec![vec![0; 2]; 2];
            table[row][column] = 1;
            table
        };
        let mut clusters = Vec::new();
        for (row, column, count) in [(0, 0, 160), (0, 1, 20), (1, 0, 30), (1, 1, 190)] {
            clusters.extend(std::iter::repeat_n(cell(row, column), count));
        }
        let jackknife = agreement(&clusters).unwrap().interval.unwrap();
        let table = agreement(&[vec![vec![160, 20], vec![30, 190]]]).unwrap().interval.unwrap();
        assert!((jackknife[0] - table[0]).abs() < 2e-3, "{jackknife:?} {table:?}");
    }
}
