//! Roots of rising functions: Newton's steps, kept inside a bracket that halves when they fail.

/// The root of a rising function between `low` and `high`. The function gives its value and its
/// derivative; a derivative of no use (zero, not finite) only costs time. The answer lies in the
/// bracket whatever the function does.
pub(super) fn rising_root(low: f64, high: f64, function: impl Fn(f64) -> (f64, f64)) -> f64 {
    let (mut low, mut high) = (low, high);
    let mut at = f64::midpoint(low, high);
    for _ in 0..200 {
        let (value, derivative) = function(at);
        if value < 0.0 {
            low = at;
        } else {
            high = at;
        }
        let newton = at - value / derivative;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        let step = (next - at).abs();
        at = next;
        if step <= 1e-13 * at.abs().max(1.0) {
            break;
        }
    }
    at
}

/// The first point at or beyond `start` + `step` where the function is not negative, by doubling
/// the step; `None` when there is none within 2^60 steps.
pub(super) fn upper_end(start: f64, step: f64, function: impl Fn(f64) -> f64) -> Option<f64> {
    let mut reach = step;
    for _ in 0..60 {
        if function(start + reach) >= 0.0 {
            return Some(start + reach);
        }
        reach *= 2.0;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_with_and_without_a_good_derivative() {
        let cube = |x: f64| (x * x * x - 2.0, 3.0 * x * x);
        assert!((rising_root(-10.0, 10.0, cube) - 2.0_f64.cbrt()).abs() < 1e-12);
        assert!((rising_root(-10.0, 10.0, |x| (x - 1.0, 0.0)) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_upper_end_is_searched_in_either_direction_or_not_found() {
        assert_eq!(upper_end(0.0, 1.0, |x| x - 5.0), Some(8.0));
        assert_eq!(upper_end(0.0, -1.0, |x| -x - 5.0), Some(-8.0));
        assert_eq!(upper_end(0.0, 1.0, |_| -1.0), None);
    }
}
