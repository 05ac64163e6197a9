//! The other lines, side by side: the same Elo curve with every error in use elsewhere, and what
//! becomes of it when levels are left out.

use serde::Serialize;

use super::elo_curve::{EloCurve, fit_levels};
use super::estimate::{Estimate, Line, Method};
use super::likelihood_interval::profile_interval;
use super::misfit::MIN_TESTED_LEVELS;
use super::observations::{Ladder, Level};
use super::quantile::{UPPER, normal_quantile};
use super::random_effects::{RandomEffects, random_effects};
use super::scale::ELO_PER_LOGIT;

/// The Elo curve's ratings when one level is left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LeaveOneOut {
    /// The lowest rating.
    pub low: f64,
    /// The level whose absence gives it.
    pub low_without: f64,
    /// The highest rating.
    pub high: f64,
    /// The level whose absence gives it.
    pub high_without: f64,
}

/// Lines that are shown but not quoted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Others {
    /// Won-or-lost games.
    pub binomial: Line,
    /// Games around the curve.
    pub game_robust: Line,
    /// Games within levels.
    pub game_within_level: Line,
    /// Units around the curve.
    pub unit_robust: Line,
    /// Profile likelihood of won-or-lost games.
    pub profile_binomial: Line,
    /// Profile likelihood with the units' dispersion.
    pub profile_units: Line,
    /// The levels' own ratings as a sample.
    pub random_effects: RandomEffects,
    /// Absent with fewer than three levels, or where one refit has no rating.
    pub leave_one_out: Option<LeaveOneOut>,
    /// The Elo curve of the three lowest levels; absent with fewer than four.
    pub three_lowest: Option<Line>,
    /// The Elo curve of the three highest levels; absent with fewer than four.
    pub three_highest: Option<Line>,
}

/// All of them for a ladder that has an Elo curve; `elo_curve` makes that curve's own line.
pub(super) fn others(ladder: &Ladder, curve: &EloCurve, elo_curve: fn(&Ladder) -> Line) -> Others {
    let line = |method, estimate| Line::new(ladder, method, estimate);
    let with_variance = |method, variance: f64| {
        let standard_error = ELO_PER_LOGIT * variance.sqrt() / curve.weight;
        line(method, Estimate::around(curve.rating, standard_error, normal_quantile(UPPER), None))
    };
    let played = ladder.played();
    let games_about = |centre: fn(f64, f64) -> f64| {
        let levels = played.iter().zip(&curve.levels);
        levels
            .map(|(level, fitted)| {
                game_squares(level, centre(fitted.expected, level.score_sum() / level.n()))
            })
            .sum::<f64>()
    };
    let units_about_curve =
        played.iter().zip(&curve.levels).map(|(level, fitted)| level.squares_about(fitted.expected)).sum();
    let variance: f64 = curve.levels.iter().map(|level| level.variance).sum();
    let third = |keep: &[&Level]| {
        let (first, last) = (keep.first()?.elo(), keep.last()?.elo());
        (played.len() >= MIN_TESTED_LEVELS)
            .then(|| elo_curve(&ladder.only(|level| first <= level.elo() && level.elo() <= last)))
    };
    let three = played.len().min(3);
    Others {
        binomial: with_variance(Method::Binomial, curve.weight),
        game_robust: with_variance(Method::GameRobust, games_about(|expected, _| expected)),
        game_within_level: with_variance(Method::GameWithinLevel, games_about(|_, mean| mean)),
        unit_robust: with_variance(Method::UnitRobust, units_about_curve),
        profile_binomial: line(Method::ProfileBinomial, profile_interval(ladder, curve, 1.0)),
        profile_units: line(Method::ProfileUnits, profile_interval(ladder, curve, variance / curve.weight)),
        random_effects: random_effects(ladder),
        leave_one_out: leave_one_out(&played),
        three_lowest: third(&played[..three]),
        three_highest: third(&played[played.len() - three..]),
    }
}

/// The sum over games of (score - `mean`)^2.
#[expect(clippy::cast_precision_loss, reason = "at most 2^50")]
fn game_squares(level: &Level, mean: f64) -> f64 {
    let [wins, draws, losses] = [level.wins(), level.draws(), level.losses()].map(|count| count as f64);
    wins * (1.0 - mean).powi(2) + draws * (0.5 - mean).powi(2) + losses * mean * mean
}

fn leave_one_out(levels: &[&Level]) -> Option<LeaveOneOut> {
    const NEEDED: usize = 3;
    if levels.len() < NEEDED {
        return None;
    }
    let mut range: Option<LeaveOneOut> = None;
    for left_out in levels {
        let rest: Vec<&Level> =
            levels.iter().copied().filter(|level| level.elo() != left_out.elo()).collect();
        let (rating, without) = (fit_levels(&rest)?.rating, left_out.elo());
        let alone = LeaveOneOut { low: rating, low_without: without, high: rating, high_without: without };
        let mut wider = range.unwrap_or(alone);
        if rating < wider.low {
            (wider.low, wider.low_without) = (rating, without);
        }
        if rating > wider.high {
            (wider.high, wider.high_without) = (rating, without);
        }
        range = Some(wider);
    }
    range
}
