//! From scores to estimates and intervals: pure functions, no files, engines or clocks.
//!
//! [`Ladder`] is the input: per level its games, grouped into units (opening pairs, or single
//! games where pairs are unknown). [`fit()`] is the output: the line to quote, the lines beside it, one
//! per method, and what there is to say about them.
//!
//! Beside the ladder: [`summarize_match`] and [`SequentialTest`] for two engines, [`fit_pool`] for
//! many unknown ones, [`compare_ratings`] and [`compare_directly`] for two runs, [`judge_claim`],
//! [`is_precise`] and [`next_level`] for runs that stop or choose as they go.
//!
//! For audits: [`clopper_pearson`], [`clustered_upper_limit`], [`clustered_mean()`], [`agreement()`] and
//! [`isotonic()`].
//!
//! Invariant: no number that leaves this module is NaN or infinite and no interval has zero width.
//! Where the games do not determine a rating, [`Estimate::Absent`] says so with the bound that
//! they do give.

mod arrivals;
mod beta;
mod clustered_mean;
mod compare;
mod draw_models;
mod elo_curve;
mod estimate;
mod fieller;
mod fit;
mod free_slope;
mod isotonic;
mod kappa;
mod level_score;
mod likelihood_interval;
mod matches;
mod matrix;
mod meeting;
mod misfit;
mod observations;
mod others;
mod pool;
mod proportion;
mod quantile;
mod quoted;
mod random_effects;
mod remark;
mod root;
mod scale;
mod scale_error;
mod separation;
mod sequential;
pub mod simulate;
mod slope_lines;
mod slope_test;
mod without_priors;

pub use arrivals::{Arrival, arrivals};
pub use clustered_mean::{ClusteredMean, clustered_mean};
pub use compare::{
    DirectComparison, LevelComparison, LevelScores, PairScore, Pairing, RatingComparison, RunRating,
    compare_directly, compare_ratings,
};
pub use draw_models::{DrawModel, DrawModels, DrawParameters};
pub use elo_curve::{CurveLevel, EloCurve, UnitVariance, fit_elo_curve};
pub use estimate::{Absence, Estimate, Interval, Line, Method};
pub use fit::{Fit, FittedLevel, Quoted, fit};
pub use isotonic::isotonic;
pub use kappa::{Agreement, agreement, kappa_of};
pub use level_score::{ImpliedRating, ScoreInterval, implied_rating, score_interval};
pub use matches::{
    MatchAbsence, MatchElo, MatchInterval, MatchRemark, MatchSummary, MedianUnbiased, NormalizedElo,
    OpeningBias, ScoreView, SequentialTest, Sprt, SprtError, SprtModel, SprtRemark, SprtReport, Verdict,
    summarize_match,
};
pub use meeting::{Meeting, Tally};
pub use misfit::{MIN_TESTED_LEVELS, Misfit, misfit};
pub use observations::{Ladder, Level, LevelError, MAX_ABS_LEVEL, Unit};
pub use others::{LeaveOneOut, Others};
pub use pool::{
    Anchor, ColourModel, Difference, Group, PlayerAbsence, PlayerEstimate, PlayerInterval, PlayerReplicates,
    PoolError, PoolFit, PoolMisfit, PoolRemark, PoolReplicates, PoolScale, RatedPlayer, ReplicateMethod,
    Separation, WhiteAdvantage, fit_pool, replicate_pool,
};
pub use proportion::{ClusterCount, Proportion, clopper_pearson, clustered_upper_limit, upper_limit};
pub use quantile::{CONFIDENCE, chi_squared_tail, normal_quantile, t_quantile};
pub use quoted::{LadderPosterior, PRIORS, Priors};
pub use random_effects::RandomEffects;
pub use remark::Remark;
pub use scale::{ELO_PER_LOGIT, LOGIT_PER_ELO, elo_from_score, expected_score};
pub use scale_error::{LEVEL_LABEL_SD, SCALE_SD, ScaleError};
pub use separation::{SeparationBound, lower_bound, upper_bound};
pub use sequential::{
    Claim, ClaimError, ClaimReport, LevelHistory, LevelResult, MIN_PAIRS_TO_STOP, Precision, is_precise,
    judge_claim, next_level,
};
pub use slope_lines::{FreeCurve, FreeSlopeLines, Slope};
pub use slope_test::SlopeTest;
pub use without_priors::{BetweenLevels, WithoutPriors};
