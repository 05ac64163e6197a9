//! How far apart any two rated players are: difference, error, likelihood of superiority.
//!
//! Ratings of one pool share their errors, so the error of a difference is not what the two errors
//! alone would give.

use serde::Serialize;

use super::estimate::PlayerEstimate;
use super::fit::PoolFit;
use crate::rating::quantile::two_sided_p;
use crate::rating::scale::ELO_PER_LOGIT;

/// Two players compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Place of the one player.
    pub first: usize,
    /// Place of the other.
    pub second: usize,
    /// Rating of the first less that of the second.
    pub elo: f64,
    /// Of the difference.
    pub standard_error: f64,
    /// Satterthwaite's; absent where the error is known without being estimated.
    pub degrees_of_freedom: Option<f64>,
    /// Likelihood that the first is the stronger: the t probability below difference / SE.
    pub los: f64,
}

impl PoolFit {
    /// The difference of two rated players. `None` where one has no estimate, or both are fixed.
    #[must_use]
    pub fn difference(&self, first: usize, second: usize) -> Option<Difference> {
        let solved = self.solved.as_ref()?;
        let slot = |player: usize| {
            let shown = !matches!(self.players.get(player)?.estimate, PlayerEstimate::Absent(_));
            solved.slots.get(player).copied().flatten().filter(|_| shown)
        };
        let (own, other) = (slot(first)?, slot(second)?);
        let weights: Vec<(usize, f64)> =
            [own.place().map(|place| (place, 1.0)), other.place().map(|place| (place, -1.0))]
                .into_iter()
                .flatten()
                .collect();
        let (standard_error, degrees_of_freedom) = solved.error_of(&weights);
        if first == second || !standard_error.is_finite() || standard_error <= 1e-6 {
            return None;
        }
        let parameters = &solved.solution.parameters;
        let elo = (own.value(parameters) - other.value(parameters)) * ELO_PER_LOGIT;
        let beyond = two_sided_p(elo / standard_error, degrees_of_freedom) / 2.0;
        let los = if elo > 0.0 { 1.0 - beyond } else { beyond };
        Some(Difference { first, second, elo, standard_error, degrees_of_freedom, los })
    }

    /// All differences with `first` before `second` in the list. For n players there are up to
    /// n (n - 1) / 2.
    #[must_use]
    pub fn differences(&self) -> Vec<Difference> {
        let players = self.players.len();
        (0..players)
            .flat_map(|first| (first + 1..players).map(move |second| (first, second)))
            .filter_map(|(first, second)| self.difference(first, second))
            .collect()
    }
}
