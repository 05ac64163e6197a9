//! The two hypotheses of a sequential test, its bounds, and the LLR of a set of counts.

use serde::Serialize;

use super::classes::Class;
use super::constrained::{mean_llr, t_llr};
use crate::rating::scale::{ELO_PER_LOGIT, expected_score};

/// Normalised Elo per standard deviation of one game: 800 / ln 10.
pub(super) const NORMALIZED_ELO_PER_SIGMA: f64 = 2.0 * ELO_PER_LOGIT;

/// The scale on which the two hypotheses are stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtModel {
    /// Elo: the hypotheses fix the expected score.
    Logistic,
    /// Normalised Elo: the hypotheses fix (score - 1/2) / sigma, so that tests with many draws and
    /// with few take equally long.
    Normalized,
}

/// Why a sequential test cannot be.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SprtError {
    /// The hypotheses are no numbers, out of range or out of order.
    #[error(
        "sprt: hypotheses {elo0} and {elo1} cannot be told apart\n\
         hint: both lie between -1000 and 1000, and elo0 is the smaller"
    )]
    Hypotheses {
        /// The null hypothesis.
        elo0: f64,
        /// The alternative.
        elo1: f64,
    },
    /// An error rate out of range.
    #[error(
        "sprt: error rates alpha {alpha} and beta {beta} are not usable\n\
         hint: each lies between 0.000001 and 0.5, for example 0.05"
    )]
    ErrorRates {
        /// The chance of accepting elo1 when elo0 is true.
        alpha: f64,
        /// The chance of accepting elo0 when elo1 is true.
        beta: f64,
    },
}

/// What a sequential test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The LLR fell to the lower bound: elo0 is accepted.
    AcceptElo0,
    /// The LLR rose to the upper bound: elo1 is accepted.
    AcceptElo1,
    /// Neither: more games are needed.
    Undecided,
}

/// A sequential probability ratio test of elo0 against elo1.
///
/// ```
/// use elometer::rating::{Sprt, SprtModel};
/// let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Logistic).unwrap();
/// assert!((sprt.upper() - 19_f64.ln()).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: SprtModel,
}

impl Sprt {
    /// A test of elo0 against elo1 on the scale of `model`; `alpha` and `beta` are the chances of
    /// accepting the wrong one.
    ///
    /// # Errors
    /// Hypotheses out of order or beyond 1,000, error rates outside 0.000001 to 0.5.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: SprtModel) -> Result<Self, SprtError> {
        let in_range = |elo: f64| (-1000.0..=1000.0).contains(&elo);
        if !(in_range(elo0) && in_range(elo1) && elo0 < elo1) {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        let is_rate = |rate: f64| (1e-6..0.5).contains(&rate);
        if !(is_rate(alpha) && is_rate(beta)) {
            return Err(SprtError::ErrorRates { alpha, beta });
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// The null hypothesis, in Elo of the model's scale.
    #[must_use]
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The alternative, in Elo of the model's scale.
    #[must_use]
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The scale of the hypotheses.
    #[must_use]
    pub fn model(&self) -> SprtModel {
        self.model
    }

    /// ln(beta / (1 - alpha)): at or below it elo0 is accepted.
    ///
    /// # Source
    /// Wald 1945.
    #[must_use]
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// ln((1 - beta) / alpha): at or above it elo1 is accepted.
    #[must_use]
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The verdict at `llr`.
    pub(super) fn verdict(&self, llr: f64) -> Verdict {
        if llr >= self.upper() {
            Verdict::AcceptElo1
        } else if llr <= self.lower() {
            Verdict::AcceptElo0
        } else {
            Verdict::Undecided
        }
    }

    /// The LLR, summed over classes of units: units of different size are independent samples whose
    /// spread is estimated apart. Zero without units; `None` where the likelihood has no maximum.
    pub(super) fn llr(&self, classes: &[Class]) -> Option<f64> {
        classes
            .iter()
            .map(|class| match self.model {
                SprtModel::Logistic => mean_llr(class, expected_score(self.elo0), expected_score(self.elo1)),
                SprtModel::Normalized => {
                    let t = |elo: f64| elo / NORMALIZED_ELO_PER_SIGMA * class.games.sqrt();
                    t_llr(class, t(self.elo0), t(self.elo1))
                }
            })
            .sum()
    }
}
