//! Roots of rising functions: Newton's steps, kept inside a bracket that halves when they fail.

/// The root of a rising function between `low` and `high`, searched from `start`. The function gives
/// its value and its derivative; a derivative of no use (zero, not finite) only costs time. The
/// answer lies in the bracket whatever the function does.
pub(super) fn rising_root(low: f64, high: f64, start: f64, function: impl Fn(f64) -> (f64, f64)) -> f64 {
    let (mut low, mut high) = (low, high);
    let inside = |at: f64, low: f64, high: f64| at > low && at < high;
    let mut at = if inside(start, low, high) { start } else { f64::midpoint(low, high) };
    for _ in 0..200 {
        let (value, derivative) = function(at);
        if value < 0.0 {
            low = at;
        } else {
            high = at;
        }
        let newton = at - value / derivative;
        let by_newton = inside(newton, low, high);
        let next = if by_newton { newton } else { f64::midpoint(low, high) };
        let step = (next - at).abs() / next.abs().max(1.0);
        at = next;
        // The error after Newton's step goes with the square of the step, after halving with itself.
        if step <= if by_newton { 1e-8 } else { 1e-13 } {
            break;
        }
    }
    at
}

/// How far from zero a function that rises from below zero first reaches it; `function` gives value
/// and derivative at a distance, `step` is a guess of the answer. `None` when it stays below zero
/// for 2^60 steps.
pub(super) fn distance_to_root(step: f64, function: impl Fn(f64) -> (f64, f64)) -> Option<f64> {
    let (mut near, mut far) = (0.0, step);
    for _ in 0..60 {
        if function(far).0 >= 0.0 {
            return Some(rising_root(near, far, f64::midpoint(near, far), function));
        }
        (near, far) = (far, 2.0 * far);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_with_and_without_a_good_derivative() {
        let cube = |x: f64| (x * x * x - 2.0, 3.0 * x * x);
        assert!((rising_root(-10.0, 10.0, 7.0, cube) - 2.0_f64.cbrt()).abs() < 1e-12);
        assert!((rising_root(-10.0, 10.0, 70.0, |x| (x - 1.0, 0.0)) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_distance_is_found_by_doubling_or_not_at_all() {
        assert!((distance_to_root(1.0, |x| (x - 5.0, 1.0)).unwrap() - 5.0).abs() < 1e-12);
        assert_eq!(distance_to_root(1.0, |_| (-1.0, 0.0)), None);
    }
}
