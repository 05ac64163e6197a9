//! What is true in a simulated world: the subject, the levels, and how the levels go wrong.

use serde::Serialize;

use crate::rating::MAX_ABS_LEVEL;

/// One level of a simulated ladder.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TruthLevel {
    /// The label.
    pub elo: f64,
    /// Opening pairs played.
    pub pairs: u64,
    /// Games without a pair, each an observation, with White and Black in turn.
    pub single_games: u64,
}

impl TruthLevel {
    /// A level of pairs.
    #[must_use]
    pub fn paired(elo: f64, pairs: u64) -> Self {
        Self { elo, pairs, single_games: 0 }
    }
}

/// A simulated world: e = 1 / (1 + exp(-k (slope (R - r) + level error +/- opening))), a draw has
/// probability min(1.4 e (1 - e), 2 min(e, 1 - e)).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Truth {
    /// What it is called in tables.
    pub name: String,
    /// R, in Elo.
    pub rating: f64,
    /// Relative to Elo's.
    pub slope: f64,
    /// Standard deviation of errors drawn per level and ladder, in Elo.
    pub level_sd: f64,
    /// Error of one level, another one in every ladder, in Elo.
    pub one_level_off: f64,
    /// Standard deviation of an opening's advantage for White, in Elo; it changes sign with the
    /// colour.
    pub opening_sd: f64,
    /// The ladder.
    pub levels: Vec<TruthLevel>,
}

/// Why a truth cannot be simulated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TruthError {
    /// Not finite, or out of range.
    #[error(
        "truth `{truth}`: {what} is {found}, expected {expected}\n\
         hint: ratings and errors are in Elo, the slope is relative to Elo's"
    )]
    Number {
        /// Name of the truth.
        truth: String,
        /// Which number.
        what: &'static str,
        /// Its value.
        found: f64,
        /// What would do.
        expected: &'static str,
    },
    /// No game would be played.
    #[error("truth `{truth}`: no games\nhint: give at least one level with at least one pair or game")]
    NoGames {
        /// Name of the truth.
        truth: String,
    },
}

impl Truth {
    /// A world in which the Elo curve is right, with the same number of pairs at every level.
    #[must_use]
    pub fn right(name: &str, levels: &[f64], pairs: u64, rating: f64) -> Self {
        let levels = levels.iter().map(|elo| TruthLevel::paired(*elo, pairs)).collect();
        Self {
            name: name.to_owned(),
            rating,
            slope: 1.0,
            level_sd: 0.0,
            one_level_off: 0.0,
            opening_sd: 0.0,
            levels,
        }
    }

    /// The same world with another slope.
    #[must_use]
    pub fn with_slope(mut self, slope: f64) -> Self {
        self.slope = slope;
        self
    }

    /// The same world with levels that are off by this standard deviation, in Elo.
    #[must_use]
    pub fn with_level_sd(mut self, level_sd: f64) -> Self {
        self.level_sd = level_sd;
        self
    }

    /// The same world with one level, drawn anew for every ladder, off by so many Elo.
    #[must_use]
    pub fn with_one_level_off(mut self, error: f64) -> Self {
        self.one_level_off = error;
        self
    }

    /// The same world with openings that favour White by this standard deviation, in Elo.
    #[must_use]
    pub fn with_opening_sd(mut self, opening_sd: f64) -> Self {
        self.opening_sd = opening_sd;
        self
    }

    /// Games of a whole ladder.
    #[must_use]
    pub fn games(&self) -> u64 {
        let of = |level: &TruthLevel| level.pairs.saturating_mul(2).saturating_add(level.single_games);
        self.levels.iter().fold(0, |sum, level| sum.saturating_add(of(level)))
    }

    /// Checks that every number can be simulated.
    ///
    /// # Errors
    /// The first number out of range, or a ladder without pairs.
    pub fn check(&self) -> Result<(), TruthError> {
        let number = |what, found: f64, good: bool, expected| {
            if good && found.is_finite() {
                Ok(())
            } else {
                Err(TruthError::Number { truth: self.name.clone(), what, found, expected })
            }
        };
        let elo = |what, found: f64| {
            number(what, found, found.abs() <= MAX_ABS_LEVEL, "an Elo number between -100000 and 100000")
        };
        elo("the rating", self.rating)?;
        number("the slope", self.slope, self.slope > 0.0, "more than 0")?;
        number("the level errors' deviation", self.level_sd, self.level_sd >= 0.0, "0 or more")?;
        number("the openings' deviation", self.opening_sd, self.opening_sd >= 0.0, "0 or more")?;
        elo("the error of one level", self.one_level_off)?;
        for level in &self.levels {
            elo("a level", level.elo)?;
        }
        if self.games() == 0 { Err(TruthError::NoGames { truth: self.name.clone() }) } else { Ok(()) }
    }
}
