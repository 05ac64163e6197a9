//! Fieller's confidence set for a ratio of two estimates, which may reach to infinity.

use super::matrix::Matrix;

/// The ratios that the data do not reject.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RatioSet {
    /// Between two ends.
    Between(f64, f64),
    /// The denominator may be near zero: only a lower end.
    AtLeast(f64),
    /// Only an upper end.
    AtMost(f64),
    /// Every ratio is possible.
    Everything,
}

/// The set of ratios q for which |a - q b| is within `quantile` standard errors of zero, given
/// b > 0 and the covariance of (a, b). Where the set is two rays, the one with a / b is kept: the
/// other stands for a negative b.
///
/// # Source
/// Fieller, J. R. Stat. Soc. B 16, 1954.
pub(super) fn ratio_set(a: f64, b: f64, covariance: &Matrix<2>, quantile: f64) -> RatioSet {
    let square = quantile * quantile;
    let leading = b * b - square * covariance[1][1];
    let middle = a * b - square * covariance[0][1];
    let last = a * a - square * covariance[0][0];
    let discriminant = middle * middle - leading * last;
    if discriminant.is_nan() || discriminant <= 0.0 || leading == 0.0 {
        return RatioSet::Everything;
    }
    let root = discriminant.sqrt();
    let (one, other) = ((middle - root) / leading, (middle + root) / leading);
    if !(one.is_finite() && other.is_finite()) {
        return RatioSet::Everything;
    }
    let (low, high) = if one < other { (one, other) } else { (other, one) };
    if leading > 0.0 {
        RatioSet::Between(low, high)
    } else if a / b >= high {
        RatioSet::AtLeast(high)
    } else {
        RatioSet::AtMost(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certain_denominator_gives_the_plain_interval() {
        let set = ratio_set(3.0, 2.0, &[[0.25, 0.0], [0.0, 0.0]], 2.0);
        assert_eq!(set, RatioSet::Between(1.0, 2.0));
    }

    #[test]
    fn an_uncertain_denominator_leaves_one_end_or_none() {
        // b = 1 +- 1 and a = 10 +- 1: the ratio is large, how large nobody knows.
        let RatioSet::AtLeast(low) = ratio_set(10.0, 1.0, &[[1.0, 0.0], [0.0, 1.0]], 2.0) else { panic!() };
        assert!(0.0 < low && low < 10.0);
        let RatioSet::AtMost(high) = ratio_set(-10.0, 1.0, &[[1.0, 0.0], [0.0, 1.0]], 2.0) else { panic!() };
        assert!((high + low).abs() < 1e-12);
        assert_eq!(ratio_set(0.1, 0.1, &[[1.0, 0.0], [0.0, 1.0]], 2.0), RatioSet::Everything);
    }
}
