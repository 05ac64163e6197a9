//! How much the score of each meeting varies: the pair-robust part of a pool's error.
//!
//! A meeting with enough units has its own variance, centred within the meeting so that it holds no
//! misfit. A meeting of a few units borrows: the pool's common ratio of what units vary to what
//! independent won-or-lost games would.

use std::collections::BTreeMap;

use super::solve::{Problem, Side, Solution, direction};
use crate::rating::observations::Unit;

/// From this many units on a meeting's own variance is used.
pub(super) const OWN_UNITS: u64 = 8;

/// One group of units that share an expected score.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Places of its sides in the problem: one, or White's and Black's.
    pub sides: Vec<usize>,
    pub units: BTreeMap<Unit, u64>,
}

/// A cell with its variance.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    /// What the score depends on; White's advantage cancels in a pair.
    pub direction: [Option<(usize, f64)>; 3],
    /// Of the score sum.
    pub variance: f64,
    /// Degrees of freedom where the variance is the cell's own.
    pub own_degrees: Option<f64>,
    /// Variance of the score sum if games were independent and never drawn.
    pub model: f64,
    /// Score sum less what the fit expects.
    pub residual: f64,
}

/// All cells with their variances.
#[derive(Clone, Debug)]
pub(super) struct Spreads {
    pub cells: Vec<Spread>,
    /// Observed by model variance, over the whole pool.
    pub ratio: f64,
    /// Degrees of freedom of the ratio.
    pub ratio_degrees: f64,
    /// No unit differs from its fellows: the model's variance stands in.
    pub no_variance: bool,
}

impl Cell {
    #[expect(clippy::cast_precision_loss, reason = "counts below 2^51")]
    fn count(&self) -> f64 {
        self.units.values().sum::<u64>() as f64
    }

    /// The sum over units of (score - games * `mean`)^2.
    #[expect(clippy::cast_precision_loss, reason = "counts below 2^51")]
    pub fn squares_about(&self, mean: f64) -> f64 {
        self.units
            .iter()
            .map(|(unit, count)| {
                *count as f64 * (f64::from(unit.half_points) / 2.0 - f64::from(unit.games) * mean).powi(2)
            })
            .sum()
    }

    pub fn is_own(&self) -> bool {
        self.units.values().sum::<u64>() >= OWN_UNITS
    }
}

/// Games, points, expected points and model variance of a cell.
pub(super) fn totals(cell: &Cell, problem: &Problem, parameters: &[f64]) -> (f64, f64, f64, f64) {
    let mut sum = (0.0, 0.0, 0.0, 0.0);
    for side in cell.sides.iter().map(|place| &problem.sides[*place]) {
        let expected = problem.expected(side, parameters);
        sum.0 += side.games;
        sum.1 += side.points;
        sum.2 += side.games * expected;
        sum.3 += side.games * expected * (1.0 - expected);
    }
    sum
}

/// The variances of all cells at the fit.
pub(super) fn spreads(cells: &[Cell], problem: &Problem, solution: &Solution, inverse: &[f64]) -> Spreads {
    let size = problem.size();
    let (mut observed, mut expected, mut ratio_degrees) = (0.0, 0.0, 0.0);
    let mut measured = Vec::with_capacity(cells.len());
    for cell in cells {
        let (games, points, fitted, model) = totals(cell, problem, &solution.parameters);
        let direction = cell_direction(cell, problem);
        let count = cell.count();
        let squares = if count < 2.0 {
            let leverage = model * quadratic(inverse, size, &direction);
            let squares = (points - fitted).powi(2);
            observed += squares;
            expected += model * (1.0 - leverage).max(0.0);
            ratio_degrees += (1.0 - leverage).max(0.0);
            squares
        } else {
            let squares = cell.squares_about(points / games);
            observed += squares;
            expected += model * (count - 1.0) / count;
            ratio_degrees += count - 1.0;
            squares
        };
        measured.push((direction, count, squares, model, points - fitted));
    }
    let no_variance = observed <= 1e-9 * expected;
    let ratio = if no_variance || expected <= 0.0 { 1.0 } else { observed / expected };
    let cells = cells
        .iter()
        .zip(measured)
        .map(|(cell, (direction, count, squares, model, residual))| {
            let own = cell.is_own() && squares > 1e-9 * model;
            let (variance, own_degrees) = if own {
                (count / (count - 1.0) * squares, Some(count - 1.0))
            } else if cell.is_own() {
                // Many units that are all alike: the curve's own variance, as for a ladder's level.
                (model, None)
            } else {
                (ratio * model, None)
            };
            Spread { direction, variance, own_degrees, model, residual }
        })
        .collect();
    Spreads { cells, ratio, ratio_degrees, no_variance }
}

fn cell_direction(cell: &Cell, problem: &Problem) -> [Option<(usize, f64)>; 3] {
    let Some(side) = cell.sides.first().map(|place| &problem.sides[*place]) else { return [None; 3] };
    if cell.sides.len() == 1 {
        direction(side, problem.white)
    } else {
        direction(&Side { colour: 0.0, ..*side }, problem.white)
    }
}

/// direction' A direction.
pub(super) fn quadratic(matrix: &[f64], size: usize, direction: &[Option<(usize, f64)>; 3]) -> f64 {
    let mut sum = 0.0;
    for (row, own) in direction.iter().flatten() {
        for (column, other) in direction.iter().flatten() {
            sum += own * other * matrix[row * size + column];
        }
    }
    sum
}
