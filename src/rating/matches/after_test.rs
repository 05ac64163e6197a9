//! What a match that was stopped by a sequential test says about the difference.
//!
//! A test that stops because the LLR touched a bound stops on a lucky (or unlucky) streak, and the
//! plain score is off in that direction. The estimate here orders the outcomes of the whole test
//! instead: it is the difference under which this outcome is the median one.

use serde::Serialize;

use super::brownian::Brownian;
use super::classes::Class;
use super::sprt::{NORMALIZED_ELO_PER_SIGMA, Sprt, SprtModel, Verdict};
use crate::rating::quantile::CONFIDENCE;
use crate::rating::scale::expected_score;

/// An estimate that is as often too high as too low, whatever the test did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MedianUnbiased {
    /// The scale of `elo` and its interval.
    pub model: SprtModel,
    /// The estimate; absent where it lies beyond 1,000.
    pub elo: Option<f64>,
    /// Lower end at 95 %; absent where it lies beyond -1,000.
    pub low: Option<f64>,
    /// Upper end at 95 %; absent where it lies beyond 1,000.
    pub high: Option<f64>,
    /// The probability that an engine of equal strength would have done worse than this one did.
    pub los: f64,
    /// The LLR used: the normal approximation, cut off at the bound it passed.
    pub llr: f64,
}

/// The largest difference that is looked at.
const FURTHEST: f64 = 1000.0;

/// The classes of units reduced to what the normal approximation needs.
struct Approximation {
    sprt: Sprt,
    s0: f64,
    s1: f64,
    /// Standard deviation of one game, for the normalised scale.
    game_sigma: f64,
    /// Count, mean and variance of each class.
    moments: Vec<(f64, f64, f64)>,
}

impl Approximation {
    fn new(sprt: Sprt, classes: &[Class]) -> Option<Self> {
        let moments: Vec<(f64, f64, f64)> = classes
            .iter()
            .map(|class| {
                let (mean, variance) = class.moments();
                (class.units(), mean, variance)
            })
            .collect();
        let units: f64 = moments.iter().map(|(count, ..)| count).sum();
        if units == 0.0 || moments.iter().any(|(_, _, variance)| *variance <= 0.0) {
            return None;
        }
        let game_variance: f64 = moments
            .iter()
            .zip(classes)
            .map(|((count, _, variance), class)| count * variance * class.games)
            .sum();
        let game_sigma = (game_variance / units).sqrt();
        let mut own = Self { sprt, s0: 0.5, s1: 0.5, game_sigma, moments };
        own.s0 = own.score(sprt.elo0());
        own.s1 = own.score(sprt.elo1());
        (0.0 < own.s0 && own.s0 < own.s1 && own.s1 < 1.0).then_some(own)
    }

    fn score(&self, elo: f64) -> f64 {
        match self.sprt.model() {
            SprtModel::Logistic => expected_score(elo),
            SprtModel::Normalized => 0.5 + elo / NORMALIZED_ELO_PER_SIGMA * self.game_sigma,
        }
    }

    fn units(&self) -> f64 {
        self.moments.iter().map(|(count, ..)| count).sum()
    }

    /// (s1 - s0) (2 mean - s0 - s1) / (2 variance), summed over all units.
    fn llr(&self) -> f64 {
        let middle = f64::midpoint(self.s0, self.s1);
        let sum: f64 =
            self.moments.iter().map(|(count, mean, variance)| count * (mean - middle) / variance).sum();
        sum * (self.s1 - self.s0)
    }

    /// The motion of the LLR per unit if the true score were `score`.
    fn motion(&self, score: f64) -> Brownian {
        let information: f64 =
            self.moments.iter().map(|(count, _, variance)| count / variance).sum::<f64>() / self.units();
        let step = self.s1 - self.s0;
        Brownian {
            lower: self.sprt.lower(),
            upper: self.sprt.upper(),
            drift: step * (score - f64::midpoint(self.s0, self.s1)) * information,
            variance: step * step * information,
        }
    }
}

/// The median-unbiased estimate from the counts at the moment the test stopped. `None` where the
/// units have no variance.
///
/// # Source
/// Stagewise ordering (Siegmund 1985, Tsiatis, Rosner and Mehta 1984) on the normal approximation
/// of the LLR; the values are those of fishtest's `sprt.py`.
pub(super) fn median_unbiased(sprt: &Sprt, classes: &[Class]) -> Option<MedianUnbiased> {
    let approximation = Approximation::new(*sprt, classes)?;
    let running = approximation.llr();
    let llr = running.clamp(sprt.lower(), sprt.upper());
    // Beyond a bound the LLR is taken to have got there at an even pace.
    let time = match sprt.verdict(running) {
        Verdict::Undecided => approximation.units(),
        _ => approximation.units() * llr / running,
    };
    let no_better = |elo: f64| {
        let score = approximation.score(elo);
        approximation.motion(score).no_better(time, llr)
    };
    let solve = |probability: f64| -> Option<f64> {
        let (mut low, mut high) = (-FURTHEST, FURTHEST);
        if no_better(low) < probability || no_better(high) > probability {
            return None;
        }
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if no_better(middle) > probability {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(f64::midpoint(low, high))
    };
    let outside = (1.0 - CONFIDENCE) / 2.0;
    Some(MedianUnbiased {
        model: sprt.model(),
        elo: solve(0.5),
        low: solve(1.0 - outside),
        high: solve(outside),
        los: no_better(0.0),
        llr,
    })
}
