//! The difference of two ratings from two independent runs.

use serde::Serialize;

use crate::rating::quantile::{CONFIDENCE, t_quantile_real, two_sided_p};

/// One run's rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RunRating {
    /// In Elo.
    pub rating: f64,
    /// In Elo, above 0: the standard error, not the half-width of an interval.
    pub standard_error: f64,
    /// Of the standard error; absent where it is taken as known.
    pub degrees_of_freedom: Option<f64>,
}

/// Two ratings compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RatingComparison {
    /// Rating of the first less that of the second, in Elo.
    pub difference: f64,
    /// sqrt(SE1^2 + SE2^2).
    pub standard_error: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The difference in standard errors.
    pub z: f64,
    /// Two-sided: how often luck alone gives a difference as large.
    pub p_value: f64,
    /// Satterthwaite's; absent where both errors are known. Interval and p value use Student's t
    /// with them.
    pub degrees_of_freedom: Option<f64>,
}

/// Compares two independent runs. `None` unless both have a finite rating and a standard error
/// above 0.
///
/// # Source
/// Welch 1947.
///
/// ```
/// use elometer::rating::{RunRating, compare_ratings};
/// let run = |rating, half_width| RunRating {
///     rating,
///     standard_error: half_width / 1.96,
///     degrees_of_freedom: None,
/// };
/// // 1945 +/- 49 against 1868 +/- 31.
/// let comparison = compare_ratings(&run(1945.0, 49.0), &run(1868.0, 31.0)).unwrap();
/// assert_eq!(format!("{:.1}", comparison.z), "2.6");
/// ```
#[must_use]
pub fn compare_ratings(first: &RunRating, second: &RunRating) -> Option<RatingComparison> {
    let usable = |run: &RunRating| {
        run.rating.is_finite()
            && run.standard_error.is_finite()
            && run.standard_error > 0.0
            && run.degrees_of_freedom.is_none_or(|degrees| degrees > 0.0)
    };
    if !(usable(first) && usable(second)) {
        return None;
    }
    let variances = [first, second].map(|run| run.standard_error.powi(2));
    let variance: f64 = variances.iter().sum();
    let uncertainty: f64 = [first, second]
        .iter()
        .zip(variances)
        .filter_map(|(run, own)| run.degrees_of_freedom.map(|degrees| own * own / degrees))
        .sum();
    let degrees_of_freedom = (uncertainty > 0.0).then(|| variance * variance / uncertainty);
    judge(first.rating - second.rating, variance.sqrt(), degrees_of_freedom)
}

/// Interval and p value of a difference. `None` unless its standard error is above 0.
pub(super) fn judge(
    difference: f64,
    standard_error: f64,
    degrees_of_freedom: Option<f64>,
) -> Option<RatingComparison> {
    let t = t_quantile_real(f64::midpoint(1.0, CONFIDENCE), degrees_of_freedom)?;
    let z = difference / standard_error;
    (standard_error > 1e-9 && z.is_finite()).then(|| RatingComparison {
        difference,
        standard_error,
        low: difference - t * standard_error,
        high: difference + t * standard_error,
        z,
        p_value: two_sided_p(z, degrees_of_freedom),
        degrees_of_freedom,
    })
}
