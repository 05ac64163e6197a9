//! From scores to estimates and intervals: pure functions, no files, engines or clocks.
//!
//! [`Ladder`] is the input: per level its games, grouped into units (opening pairs, or single
//! games where pairs are unknown). [`fit`] is the output: one rating on the Elo curve with an
//! interval that treats a unit as one observation, and what there is to say about it.
//!
//! Invariant: no number that leaves this module is NaN or infinite and no interval has zero width.
//! Where the games do not determine a rating, [`Estimate::Absent`] says so with the bound that
//! they do give.

mod elo_curve;
mod estimate;
mod level_score;
mod meeting;
mod misfit;
mod observations;
mod quantile;
mod scale;
mod separation;

pub use elo_curve::{CurveLevel, EloCurve, UnitVariance, fit_elo_curve};
pub use estimate::{Absence, Estimate, Fit, FittedLevel, Interval, Method, Remark, fit};
pub use level_score::{ImpliedRating, ScoreInterval, implied_rating, score_interval};
pub use meeting::{Meeting, Tally};
pub use misfit::{MIN_TESTED_LEVELS, Misfit, misfit};
pub use observations::{Ladder, Level, LevelError, MAX_ABS_LEVEL, Unit};
pub use quantile::{CONFIDENCE, chi_squared_tail, normal_quantile, t_quantile};
pub use scale::{ELO_PER_LOGIT, LOGIT_PER_ELO, elo_from_score, expected_score};
pub use separation::{SeparationBound, lower_bound, upper_bound};
