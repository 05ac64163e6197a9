//! Quantiles of the beta distribution, for bounds on proportions.
//!
//! Written here because the statistics library's inverse does not return for `Beta(3, 1e7)` and is
//! off by 1e-4 for `Beta(1, 1e6)`, which is where the bounds of rare events lie.

/// Terms of the continued fraction: it needs about the root of the larger parameter.
const MOST_TERMS: u32 = 100_000;
/// Halvings of the bracket, which is a log-odds.
const HALVINGS: u32 = 120;
/// The bracket's ends; beyond them a double's odds are zero or infinite.
const FURTHEST_LOG_ODDS: f64 = 700.0;

/// The quantile of Beta(a, b), by halving a bracket in log-odds, so that tiny quantiles keep their
/// digits. `None` for parameters that are not positive and finite, or a probability outside (0, 1).
///
/// # Source
/// Continued fraction of the incomplete beta function: Abramowitz and Stegun 26.5.8, evaluated as by
/// Lentz. Checked against R's `qbeta`: nine digits, seven where a parameter is as large as 1e9.
pub(super) fn beta_quantile(probability: f64, a: f64, b: f64) -> Option<f64> {
    let usable = |x: f64| x.is_finite() && x > 0.0;
    if !(usable(a) && usable(b) && probability > 0.0 && probability < 1.0) {
        return None;
    }
    let (mut low, mut high) = (-FURTHEST_LOG_ODDS, FURTHEST_LOG_ODDS);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if distribution(a, b, middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(share(f64::midpoint(low, high)))
}

/// The number between 0 and 1 with these log-odds.
fn share(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// The distribution function of Beta(a, b) at these log-odds.
fn distribution(a: f64, b: f64, log_odds: f64) -> f64 {
    let (x, rest) = (share(log_odds), share(-log_odds));
    // The fraction converges fast below the mean; above it the other tail is taken.
    if x < (a + 1.0) / (a + b + 2.0) { tail(a, b, x, rest) } else { 1.0 - tail(b, a, rest, x) }
}

/// I_x(a, b) below the mean; `rest` is 1 - x with its own digits.
fn tail(a: f64, b: f64, x: f64, rest: f64) -> f64 {
    let front = (a * ln_share(x, rest) + b * ln_share(rest, x) - ln_beta(a, b)).exp() / a;
    let tiny = f64::MIN_POSITIVE / f64::EPSILON;
    let away = |value: f64| if value.abs() < tiny { tiny } else { value };
    let (mut c, mut d) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for term in 1..=MOST_TERMS {
        let m = f64::from(term);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for numerator in [even, odd] {
            d = 1.0 / away(1.0 + numerator * d);
            c = away(1.0 + numerator / c);
            change = c * d;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    (front * fraction).clamp(0.0, 1.0)
}

/// ln x, where x is one less `rest`: near one, x itself has lost the digits of its distance from it.
fn ln_share(x: f64, rest: f64) -> f64 {
    if rest < 0.5 { (-rest).ln_1p() } else { x.ln() }
}

/// ln B(a, b) without the cancellation of three large logarithms.
fn ln_beta(a: f64, b: f64) -> f64 {
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    ln_gamma(small) - ln_gamma_step(large, small)
}

/// ln Gamma(large + small) - ln Gamma(large).
fn ln_gamma_step(large: f64, small: f64) -> f64 {
    // Stirling's series is good from ten on; below it the recurrence leads there.
    let (mut at, mut before) = (large, 0.0);
    while at < 10.0 {
        before += (small / at).ln_1p();
        at += 1.0;
    }
    let sum = at + small;
    let step =
        (at - 0.5) * (small / at).ln_1p() + small * sum.ln() - small + stirling_rest(sum) - stirling_rest(at);
    // Gamma(large + small) / Gamma(large) is that ratio divided by the product of (i + small) / i.
    step - before
}

fn ln_gamma(x: f64) -> f64 {
    let (mut at, mut product) = (x, 1.0);
    while at < 10.0 {
        product *= at;
        at += 1.0;
    }
    (at - 0.5) * at.ln() - at + 0.5 * (2.0 * std::f64::consts::PI).ln() + stirling_rest(at) - product.ln()
}

/// What Stirling's formula leaves out, for x of ten and more.
fn stirling_rest(x: f64) -> f64 {
    let square = 1.0 / (x * x);
    let terms = [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0];
    terms.iter().rev().fold(0.0, |sum, term| sum * square + term) / x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_r() {
        // R 4.2.2: qbeta(p, a, b), 15 digits.
        let cases = [
            (3.0, 1e7, 0.95, 6.295_791_010_442_69e-7),
            (1.0, 1e6, 0.95, 2.995_727_786_352_54e-6),
            (6.0, 4995.0, 0.95, 0.002_101_447_978_396_68),
            (2.5, 300.25, 0.975, 0.021_091_001_517_081_5),
            (50.0, 51.0, 0.975, 0.591_963_670_844_546),
            (5000.0, 5001.0, 0.025, 0.490_151_380_589_98),
        ];
        for (a, b, probability, expected) in cases {
            let found = beta_quantile(probability, a, b).unwrap();
            assert!((found / expected - 1.0).abs() < 1e-9, "Beta({a}, {b}): {found:e}, not {expected:e}");
        }
    }

    #[test]
    fn closed_forms_hold_at_the_edges() {
        // Beta(1, n): 1 - (1 - p)^(1/n).
        for n in [1.0, 7.0, 1e4, 1e9] {
            let expected = -((1.0_f64 - 0.95).ln() / n).exp_m1();
            assert!((beta_quantile(0.95, 1.0, n).unwrap() / expected - 1.0).abs() < 1e-7, "{n}");
        }
        assert_eq!(beta_quantile(0.5, 0.0, 1.0), None);
        assert_eq!(beta_quantile(1.0, 1.0, 1.0), None);
    }
}
