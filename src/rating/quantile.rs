//! Quantiles and tails. The only file that calls the statistics library, because some of its
//! results are wrong and must be kept out of the rest.

use std::f64::consts::SQRT_2;

use statrs::distribution::{ChiSquared, ContinuousCDF, Normal, StudentsT};
use statrs::function::erf::erfc;

/// The confidence of every two-sided interval and every one-sided bound.
pub const CONFIDENCE: f64 = 0.95;

/// Above this many degrees of freedom t is taken as normal: the library's t quantile goes wrong
/// further out (1.8266 instead of 1.9600 at 10^7), and here the two differ by 1e-4 of their value.
const MAX_T_DEGREES: f64 = 10_000.0;

/// The share of the distribution below the upper end of a two-sided interval at [`CONFIDENCE`].
pub(super) const UPPER: f64 = (1.0 + CONFIDENCE) / 2.0;

/// The standard normal quantile; `probability` strictly between 0 and 1.
#[must_use]
pub fn normal_quantile(probability: f64) -> f64 {
    Normal::standard().inverse_cdf(probability)
}

/// The standard normal distribution function.
pub(super) fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x / SQRT_2)
}

/// The quantile of Student's t. `None` without a degree of freedom, or where the library fails.
///
/// ```
/// let t = elometer::rating::t_quantile(0.975, 10).unwrap();
/// assert!((t - 2.228_138_85).abs() < 1e-7);
/// ```
#[must_use]
pub fn t_quantile(probability: f64, degrees_of_freedom: u64) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "above MAX_T_DEGREES only its size matters")]
    fractional_t_quantile(probability, degrees_of_freedom as f64)
}

/// [`t_quantile`] for degrees of freedom that are an estimate and no whole number.
pub(super) fn fractional_t_quantile(probability: f64, degrees_of_freedom: f64) -> Option<f64> {
    if degrees_of_freedom > MAX_T_DEGREES {
        return Some(normal_quantile(probability));
    }
    let student = StudentsT::new(0.0, 1.0, degrees_of_freedom).ok()?;
    Some(student.inverse_cdf(probability)).filter(|t| t.is_finite())
}

/// The probability that F on 1 and `degrees_of_freedom` exceeds `statistic`, which is that of |t|
/// beyond its root. `None` without a degree of freedom.
pub(super) fn f_tail(statistic: f64, degrees_of_freedom: f64) -> Option<f64> {
    let root = statistic.max(0.0).sqrt();
    if degrees_of_freedom > MAX_T_DEGREES {
        return Some(2.0 * normal_cdf(-root));
    }
    let student = StudentsT::new(0.0, 1.0, degrees_of_freedom).ok()?;
    Some((2.0 * student.cdf(-root)).clamp(0.0, 1.0)).filter(|p| p.is_finite())
}

/// The probability that a chi-squared variable exceeds `statistic` (the p value of a misfit).
/// `None` without a degree of freedom.
#[must_use]
pub fn chi_squared_tail(statistic: f64, degrees_of_freedom: u64) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "a number of levels")]
    let chi = ChiSquared::new(degrees_of_freedom as f64).ok()?;
    Some(chi.sf(statistic).clamp(0.0, 1.0)).filter(|p| p.is_finite())
}

/// [`fractional_t_quantile`]; no degrees of freedom mean an error that is known, so the normal one.
pub(super) fn t_quantile_real(probability: f64, degrees_of_freedom: Option<f64>) -> Option<f64> {
    match degrees_of_freedom {
        Some(degrees) => fractional_t_quantile(probability, degrees),
        None => Some(normal_quantile(probability)),
    }
}

/// The two-sided p value of a t statistic; without degrees of freedom, of a normal one.
pub(super) fn two_sided_p(statistic: f64, degrees_of_freedom: Option<f64>) -> f64 {
    degrees_of_freedom
        .and_then(|degrees| f_tail(statistic * statistic, degrees))
        .unwrap_or_else(|| 2.0 * normal_cdf(-statistic.abs()))
}
