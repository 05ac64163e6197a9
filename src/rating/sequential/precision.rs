//! Stopping when the rating is known well enough.
//!
//! Only the sampling error from pairs may stop a run. An interval that was widened because the
//! levels disagree must not: waiting for it to shrink waits for a lucky agreement, and at level
//! errors of 60 such a rule covers 62 %.

use serde::Serialize;

use crate::rating::quantile::{CONFIDENCE, t_quantile};

/// Before this many pairs nothing stops: with fewer, SE is low by luck too often.
pub const MIN_PAIRS_TO_STOP: u64 = 40;

/// Where a run stands that stops at a target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Precision {
    /// The target is reached: the run may stop.
    Reached {
        /// t times SE, in Elo.
        half_width: f64,
    },
    /// More pairs are needed.
    NotYet {
        /// t times SE, in Elo; absent without an estimate.
        half_width: Option<f64>,
        /// Pairs in all that would be enough if the rest are like those so far; absent without an
        /// estimate.
        pairs_needed: Option<u64>,
    },
}

/// Whether t times `standard_error` (SE_pair, never a widened one) is within `target`, both in Elo.
///
/// ```
/// use elometer::rating::{Precision, is_precise};
/// assert!(matches!(is_precise(20.0, 100, Some(10.0), 94), Precision::Reached { .. }));
/// assert!(matches!(is_precise(20.0, 39, Some(1.0), 33), Precision::NotYet { .. }));
/// ```
#[must_use]
pub fn is_precise(
    target: f64,
    pairs: u64,
    standard_error: Option<f64>,
    degrees_of_freedom: u64,
) -> Precision {
    let half_width = standard_error
        .filter(|error| error.is_finite() && *error > 0.0)
        .zip(t_quantile(f64::midpoint(1.0, CONFIDENCE), degrees_of_freedom))
        .map(|(error, t)| error * t);
    match half_width {
        Some(half_width) if half_width <= target && pairs >= MIN_PAIRS_TO_STOP => {
            Precision::Reached { half_width }
        }
        _ => Precision::NotYet {
            half_width,
            pairs_needed: half_width.and_then(|now| needed(now, target, pairs)),
        },
    }
}

/// The error shrinks with the root of the number of pairs.
fn needed(half_width: f64, target: f64, pairs: u64) -> Option<u64> {
    #[expect(clippy::cast_precision_loss, reason = "a number of pairs")]
    let needed = (pairs as f64 * (half_width / target).powi(2)).ceil();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
    (needed.is_finite() && needed < 1e15).then(|| (needed as u64).max(MIN_PAIRS_TO_STOP))
}
