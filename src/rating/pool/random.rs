//! Draws that replicates need, exact and in constant memory, from a generator whose stream is fixed
//! by its specification.

use std::f64::consts::PI;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// Evenly between 0 and 1, 1 excluded.
pub(super) fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "53 bits")]
    let bits = (rng.next_u64() >> 11) as f64;
    bits * 2.0_f64.powi(-53)
}

/// Below this many trials each is drawn by itself.
pub(super) const FEW: u64 = 24;

/// The number of successes in `trials` with the given probability.
///
/// Many trials: one uniform number, and the probabilities are gone through outwards from the most
/// likely count, about one standard deviation of steps.
pub(super) fn binomial(rng: &mut ChaCha8Rng, trials: u64, probability: f64) -> u64 {
    if probability <= 0.0 || trials == 0 {
        return 0;
    }
    if probability >= 1.0 {
        return trials;
    }
    if trials < FEW {
        return (0..trials).filter(|_| uniform(rng) < probability).count() as u64;
    }
    #[expect(clippy::cast_precision_loss, reason = "a number of games")]
    let n = trials as f64;
    let odds = probability / (1.0 - probability);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and trials")]
    let mode = (((n + 1.0) * probability) as u64).min(trials);
    #[expect(clippy::cast_precision_loss, reason = "a number of games")]
    let as_real = |count: u64| count as f64;
    let at_mode = (ln_factorial(trials) - ln_factorial(mode) - ln_factorial(trials - mode)
        + as_real(mode) * probability.ln()
        + as_real(trials - mode) * (-probability).ln_1p())
    .exp();
    let mut left = uniform(rng) - at_mode;
    let (mut low, mut high) = (mode, mode);
    let (mut at_low, mut at_high) = (at_mode, at_mode);
    while left >= 0.0 {
        // Rounding may leave a last 1e-13 that no count takes: it goes to the mode.
        if (low == 0 || at_low < 1e-18) && (high == trials || at_high < 1e-18) {
            return mode;
        }
        if high < trials {
            at_high *= as_real(trials - high) / as_real(high + 1) * odds;
            high += 1;
            left -= at_high;
            if left < 0.0 {
                return high;
            }
        }
        if low > 0 {
            at_low *= as_real(low) / as_real(trials - low + 1) / odds;
            low -= 1;
            left -= at_low;
            if left < 0.0 {
                return low;
            }
        }
    }
    mode
}

/// ln n! by Stirling's series, exact to rounding; small numbers by their product.
fn ln_factorial(n: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a number of games")]
    let x = n as f64;
    if n < 16 {
        #[expect(clippy::cast_precision_loss, reason = "at most 15!")]
        return ((1..=n).product::<u64>() as f64).ln();
    }
    let inverse = 1.0 / x;
    let square = inverse * inverse;
    let series = inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0)));
    x * x.ln() - x + 0.5 * (2.0 * PI * x).ln() + series
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn factorials_are_known() {
        // 20! = 2432902008176640000.
        assert!((ln_factorial(20) - 2_432_902_008_176_640_000.0_f64.ln()).abs() < 1e-12);
        assert_eq!(ln_factorial(0), 0.0);
    }

    #[test]
    fn binomial_draws_have_the_binomial_mean_and_variance() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for (trials, probability) in [(10, 0.3), (200, 0.02), (1000, 0.6), (1_000_000, 0.25)] {
            let draws: Vec<f64> = (0..4000).map(|_| binomial(&mut rng, trials, probability) as f64).collect();
            let mean = draws.iter().sum::<f64>() / 4000.0;
            let variance = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / 4000.0;
            let (expected, spread) =
                (trials as f64 * probability, trials as f64 * probability * (1.0 - probability));
            assert!((mean - expected).abs() < 4.0 * (spread / 4000.0).sqrt(), "{trials} {mean}");
            assert!((variance / spread - 1.0).abs() < 0.1, "{trials} {variance} {spread}");
        }
    }
}
