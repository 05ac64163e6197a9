//! What a fit is made from: levels, and at each level units with their scores.
//!
//! Equal units are counted, not listed, so ten million games cost no more than ten, and the order
//! in which games came cannot change a fit.

use std::collections::BTreeMap;

/// The largest absolute level accepted. Every real scale is far inside.
pub const MAX_ABS_LEVEL: f64 = 100_000.0;

/// One observation: games whose results may depend on each other. An opening pair is a unit of two
/// games, a game without its pair a unit of one, copies of the same games one unit of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit {
    /// How many games, at least one.
    pub games: u32,
    /// The subject's score in half points: 2 a win, 1 a draw.
    pub half_points: u32,
}

/// Why a level cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LevelError {
    /// The label is no usable number.
    #[error("level {0} is not a rating\nhint: a level is a finite Elo number between -100000 and 100000")]
    Label(f64),
    /// A unit without games, or with more half points than its games can give.
    #[error(
        "level {level}: a unit of {} games cannot score {} half points\n\
         hint: a unit has at least one game and each game gives 0, 1 or 2 half points",
        unit.games, unit.half_points
    )]
    Unit {
        /// The level's label.
        level: f64,
        /// The impossible unit.
        unit: Unit,
    },
    /// The units do not add up to the wins, draws and losses.
    #[error(
        "level {level}: the units hold {unit_games} games and {unit_half_points} half points, \
         the wins, draws and losses {games} games and {half_points}\n\
         hint: every game belongs to exactly one unit"
    )]
    Counts {
        /// The level's label.
        level: f64,
        /// Games in the units.
        unit_games: u128,
        /// Half points in the units.
        unit_half_points: u128,
        /// Games as wins, draws and losses.
        games: u128,
        /// Half points as wins and draws.
        half_points: u128,
    },
    /// More games than a count can hold exactly.
    #[error("level {0}: more than 2^50 games\nhint: check the counts")]
    TooMany(f64),
}

/// The games against one level.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    elo: f64,
    wins: u64,
    draws: u64,
    losses: u64,
    units: BTreeMap<Unit, u64>,
}

impl Level {
    /// A level from its label, the subject's wins, draws and losses, and the same games as units
    /// with how often each occurs.
    ///
    /// # Errors
    /// A label that is no rating, an impossible unit, units that disagree with the counts.
    pub fn new(
        elo: f64,
        wins: u64,
        draws: u64,
        losses: u64,
        units: impl IntoIterator<Item = (Unit, u64)>,
    ) -> Result<Self, LevelError> {
        if !(elo.is_finite() && elo.abs() <= MAX_ABS_LEVEL) {
            return Err(LevelError::Label(elo));
        }
        let games = u128::from(wins) + u128::from(draws) + u128::from(losses);
        if games > 1 << 50 {
            return Err(LevelError::TooMany(elo));
        }
        let half_points = 2 * u128::from(wins) + u128::from(draws);
        let (mut unit_games, mut unit_half_points) = (0_u128, 0_u128);
        let mut counted = BTreeMap::<Unit, u64>::new();
        for (unit, count) in units {
            if unit.games == 0 || u64::from(unit.half_points) > 2 * u64::from(unit.games) {
                return Err(LevelError::Unit { level: elo, unit });
            }
            unit_games += u128::from(unit.games) * u128::from(count);
            unit_half_points += u128::from(unit.half_points) * u128::from(count);
            if count > 0 {
                let sum = counted.entry(unit).or_default();
                *sum = sum.saturating_add(count);
            }
        }
        if (unit_games, unit_half_points) != (games, half_points) {
            return Err(LevelError::Counts { level: elo, unit_games, unit_half_points, games, half_points });
        }
        Ok(Self { elo, wins, draws, losses, units: counted })
    }

    /// A level whose pairs are unknown: every game is a unit of its own.
    ///
    /// # Errors
    /// As [`Level::new`].
    pub fn from_games(elo: f64, wins: u64, draws: u64, losses: u64) -> Result<Self, LevelError> {
        let unit = |half_points| Unit { games: 1, half_points };
        Self::new(elo, wins, draws, losses, [(unit(2), wins), (unit(1), draws), (unit(0), losses)])
    }

    /// The level's label in Elo.
    #[must_use]
    pub fn elo(&self) -> f64 {
        self.elo
    }

    /// Games the subject won.
    #[must_use]
    pub fn wins(&self) -> u64 {
        self.wins
    }

    /// Games drawn.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// Games the subject lost.
    #[must_use]
    pub fn losses(&self) -> u64 {
        self.losses
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The subject's score in half points.
    #[must_use]
    pub fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// The units in a fixed order, each with how often it occurs.
    pub fn units(&self) -> impl Iterator<Item = (Unit, u64)> + '_ {
        self.units.iter().map(|(unit, count)| (*unit, *count))
    }

    /// How many units.
    #[must_use]
    pub fn unit_count(&self) -> u64 {
        self.units.values().sum()
    }

    /// How many units of exactly two games.
    #[must_use]
    pub fn pair_count(&self) -> u64 {
        self.units().filter(|(unit, _)| unit.games == 2).map(|(_, count)| count).sum()
    }

    /// S: the subject's score in points.
    #[expect(clippy::cast_precision_loss, reason = "at most 2^51")]
    pub(super) fn score_sum(&self) -> f64 {
        self.half_points() as f64 / 2.0
    }

    /// n: the number of games.
    #[expect(clippy::cast_precision_loss, reason = "at most 2^50")]
    pub(super) fn n(&self) -> f64 {
        self.games() as f64
    }

    /// m: the number of units.
    #[expect(clippy::cast_precision_loss, reason = "at most 2^50")]
    pub(super) fn m(&self) -> f64 {
        self.unit_count() as f64
    }

    /// The sum over units of (score - games * `mean`)^2, `mean` a score per game.
    #[expect(clippy::cast_precision_loss, reason = "at most 2^50")]
    pub(super) fn squares_about(&self, mean: f64) -> f64 {
        self.units()
            .map(|(unit, count)| {
                let deviation = f64::from(unit.half_points) / 2.0 - f64::from(unit.games) * mean;
                count as f64 * deviation * deviation
            })
            .sum()
    }

    /// Whether every unit has the same mean score per game.
    pub(super) fn has_no_variance(&self) -> bool {
        let mut units = self.units();
        let Some((first, _)) = units.next() else { return true };
        units.all(|(unit, _)| {
            u64::from(unit.half_points) * u64::from(first.games)
                == u64::from(first.half_points) * u64::from(unit.games)
        })
    }

    fn absorb(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for (unit, count) in other.units {
            *self.units.entry(unit).or_default() += count;
        }
    }
}

/// A subject's games against a ladder: levels in ascending order, no label twice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ladder {
    levels: Vec<Level>,
    copied_games: u64,
}

impl Ladder {
    /// Sorts the levels and joins those with the same label.
    #[must_use]
    pub fn new(levels: impl IntoIterator<Item = Level>) -> Self {
        let mut sorted: Vec<Level> = levels.into_iter().collect();
        sorted.sort_by(|a, b| a.elo.total_cmp(&b.elo));
        let mut joined: Vec<Level> = Vec::new();
        for level in sorted {
            match joined.last_mut() {
                // `==`, so that -0 and 0 are one level.
                Some(last) if last.elo == level.elo => last.absorb(level),
                _ => joined.push(level),
            }
        }
        Self { levels: joined, copied_games: 0 }
    }

    /// Notes how many games repeat an earlier game move for move. Whoever groups the games puts
    /// copies into the unit of their original; this count is for the remark.
    #[must_use]
    pub fn with_copied_games(mut self, copied_games: u64) -> Self {
        self.copied_games = copied_games;
        self
    }

    /// The levels, in ascending order.
    #[must_use]
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The levels that have games, in ascending order.
    pub(super) fn played(&self) -> Vec<&Level> {
        self.levels.iter().filter(|level| level.games() > 0).collect()
    }

    /// The same games at some of the levels only.
    pub(super) fn only(&self, keep: impl Fn(&Level) -> bool) -> Self {
        let levels = self.levels.iter().filter(|level| keep(level)).cloned().collect();
        Self { levels, copied_games: self.copied_games }
    }

    /// Games that repeat an earlier game move for move.
    #[must_use]
    pub fn copied_games(&self) -> u64 {
        self.copied_games
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.levels.iter().map(Level::games).sum()
    }

    /// All units.
    #[must_use]
    pub fn units(&self) -> u64 {
        self.levels.iter().map(Level::unit_count).sum()
    }

    /// All units of exactly two games.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.levels.iter().map(Level::pair_count).sum()
    }
}
