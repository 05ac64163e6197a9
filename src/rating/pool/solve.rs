//! The joint likelihood of a pool and its maximum. Everything here is in logits, and players are
//! slots: a parameter, or a number that stays.

use super::cholesky::Cholesky;

/// Where a player's rating comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Slot {
    /// Place in the vector of parameters.
    Free(usize),
    /// In logits.
    Known(f64),
}

impl Slot {
    pub fn value(self, parameters: &[f64]) -> f64 {
        match self {
            Self::Free(place) => parameters[place],
            Self::Known(value) => value,
        }
    }

    pub fn place(self) -> Option<usize> {
        match self {
            Self::Free(place) => Some(place),
            Self::Known(_) => None,
        }
    }
}

/// Games between two players with the same colours (or with both, where colour means nothing).
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub first: Slot,
    pub second: Slot,
    /// Of the first player: 1 White, -1 Black, 0 where colour means nothing.
    pub colour: f64,
    pub games: f64,
    /// Points of the first player.
    pub points: f64,
}

/// A rating known up to an error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prior {
    pub place: usize,
    pub mean: f64,
    /// 1 / variance.
    pub precision: f64,
}

/// A pool ready to be fitted.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub sides: Vec<Side>,
    pub priors: Vec<Prior>,
    /// Parameters that are ratings; they come first.
    pub ratings: usize,
    pub white: Slot,
    /// Without anchors, the mean of the ratings is held at zero.
    pub centred: bool,
}

/// The maximum and the curvature there.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    pub parameters: Vec<f64>,
    pub curvature: Cholesky,
}

/// A step below this many logits (2e-9 Elo) ends the search.
const PRECISION: f64 = 1e-11;

/// Ratings further from the rest than this many logits (5,000 Elo) are on their way to infinity.
const FURTHEST: f64 = 30.0;

/// 1 / (1 + exp(-x)).
pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

impl Problem {
    pub fn size(&self) -> usize {
        self.ratings + usize::from(self.white.place().is_some())
    }

    /// Expected score of one game.
    pub fn expected(&self, side: &Side, parameters: &[f64]) -> f64 {
        logistic(
            side.first.value(parameters) - side.second.value(parameters)
                + side.colour * self.white.value(parameters),
        )
    }

    /// The first derivative of the log-likelihood, with `points` in the place of the sides' own.
    pub fn gradient(&self, parameters: &[f64], points: impl Iterator<Item = f64>, gradient: &mut [f64]) {
        gradient.fill(0.0);
        // One exponential per player instead of one per side: p = s1 c / (s1 c + s2).
        let strengths: Vec<f64> = parameters.iter().map(|parameter| parameter.exp()).collect();
        let strength = |slot: Slot| match slot {
            Slot::Free(place) => strengths[place],
            Slot::Known(value) => value.exp(),
        };
        let white = strength(self.white);
        for (side, points) in self.sides.iter().zip(points) {
            let own = strength(side.first)
                * if side.colour > 0.0 {
                    white
                } else if side.colour < 0.0 {
                    white.recip()
                } else {
                    1.0
                };
            let excess = points - side.games * own / (own + strength(side.second));
            if let Slot::Free(place) = side.first {
                gradient[place] += excess;
            }
            if let Slot::Free(place) = side.second {
                gradient[place] -= excess;
            }
            if let Slot::Free(place) = self.white {
                gradient[place] += side.colour * excess;
            }
        }
        for prior in &self.priors {
            gradient[prior.place] -= prior.precision * (parameters[prior.place] - prior.mean);
        }
    }

    /// The negative second derivative, positive definite where the pool is connected.
    pub fn curvature(&self, parameters: &[f64]) -> Option<Cholesky> {
        let size = self.size();
        let mut matrix = vec![0.0; size * size];
        for side in &self.sides {
            let expected = self.expected(side, parameters);
            add_outer(
                &mut matrix,
                size,
                &direction(side, self.white),
                side.games * expected * (1.0 - expected),
            );
        }
        for prior in &self.priors {
            matrix[prior.place * size + prior.place] += prior.precision;
        }
        if self.centred {
            // Any positive weight holds the mean at zero; this one keeps the matrix well scaled.
            let trace: f64 = (0..self.ratings).map(|place| matrix[place * size + place]).sum();
            #[expect(clippy::cast_precision_loss, reason = "a number of players")]
            let weight = trace / (self.ratings * self.ratings) as f64;
            for row in 0..self.ratings {
                for column in 0..self.ratings {
                    matrix[row * size + column] += weight;
                }
            }
        }
        Cholesky::new(size, &matrix)
    }

    /// Newton's method. `None` where there is no maximum.
    pub fn solve(&self, start: Vec<f64>) -> Option<Solution> {
        let mut parameters = start;
        let mut step = vec![0.0; self.size()];
        for _ in 0..100 {
            let curvature = self.curvature(&parameters)?;
            self.gradient(&parameters, self.sides.iter().map(|side| side.points), &mut step);
            curvature.solve(&mut step);
            let largest = step.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
            // The likelihood is concave; a step of at most one logit cannot leap past its maximum
            // into where the curvature vanishes.
            let scale = if largest > 1.0 { largest.recip() } else { 1.0 };
            for (parameter, step) in parameters.iter_mut().zip(&step) {
                *parameter += scale * step;
            }
            if largest < PRECISION {
                let curvature = self.curvature(&parameters)?;
                return Some(Solution { parameters, curvature });
            }
            if !largest.is_finite() || self.has_run_away(&parameters) {
                return None;
            }
        }
        None
    }

    /// Newton's steps with the curvature of `solution`, for points that differ from the fitted ones
    /// by chance only. `None` where that does not settle.
    pub fn resolve(&self, solution: &Solution, points: &[f64]) -> Option<Vec<f64>> {
        let mut parameters = solution.parameters.clone();
        let mut step = vec![0.0; self.size()];
        for _ in 0..40 {
            self.gradient(&parameters, points.iter().copied(), &mut step);
            solution.curvature.solve(&mut step);
            let mut largest = 0.0_f64;
            for (parameter, step) in parameters.iter_mut().zip(&step) {
                *parameter += step;
                largest = largest.max(step.abs());
            }
            if largest < 1e-7 {
                return Some(parameters);
            }
            if largest.is_nan() || largest > 10.0 {
                return None;
            }
        }
        None
    }

    fn has_run_away(&self, parameters: &[f64]) -> bool {
        self.sides
            .iter()
            .any(|side| (side.first.value(parameters) - side.second.value(parameters)).abs() > FURTHEST)
    }
}

/// The parameters that a side's score depends on, with their signs.
pub(super) fn direction(side: &Side, white: Slot) -> [Option<(usize, f64)>; 3] {
    [
        side.first.place().map(|place| (place, 1.0)),
        side.second.place().map(|place| (place, -1.0)),
        white.place().filter(|_| side.colour != 0.0).map(|place| (place, side.colour)),
    ]
}

/// Adds `weight` times the outer product of `direction` with itself.
pub(super) fn add_outer(matrix: &mut [f64], size: usize, direction: &[Option<(usize, f64)>; 3], weight: f64) {
    for (row, own) in direction.iter().flatten() {
        for (column, other) in direction.iter().flatten() {
            matrix[row * size + column] += weight * own * other;
        }
    }
}
