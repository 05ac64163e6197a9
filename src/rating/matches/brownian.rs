//! Brownian motion with drift between two absorbing bounds: how likely an outcome at least as bad
//! as the one observed is. A running LLR is such a motion to good approximation.
//!
//! Two exact series are used, each where it converges fast: reflections for short times, decaying
//! waves for long ones.

use std::f64::consts::PI;

use crate::rating::quantile::normal_cdf;

/// Starts at 0 between `lower` < 0 < `upper`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Brownian {
    pub lower: f64,
    pub upper: f64,
    pub drift: f64,
    /// Variance per unit of time, above 0.
    pub variance: f64,
}

/// Scaled time (variance times time over squared distance of the bounds) below which reflections
/// are summed.
const SHORT: f64 = 0.5;

/// Terms on each side; at the scaled times used the rest is below 1e-16.
const TERMS: i32 = 12;

impl Brownian {
    /// Outcomes in order from bad to good: absorbed below (sooner is worse), still running at a
    /// value, absorbed above (sooner is better). The probability of what is no better than being at
    /// `value` at `time`.
    pub fn no_better(&self, time: f64, value: f64) -> f64 {
        let scaled = self.variance * time / (self.upper - self.lower).powi(2);
        let probability = if scaled < SHORT {
            self.absorbed_below_short(time) + self.running_below_short(time, value)
        } else {
            self.no_better_long(time, value)
        };
        probability.clamp(0.0, 1.0)
    }

    fn running_below_short(&self, time: f64, value: f64) -> f64 {
        let spread = (self.variance * time).sqrt();
        let tilt = self.drift / self.variance;
        let width = self.upper - self.lower;
        let mass = |image: f64| {
            let centre = image + self.drift * time;
            weighed_normal(tilt * image, (self.lower - centre) / spread, (value - centre) / spread)
        };
        (-TERMS..=TERMS)
            .map(|k| {
                let shift = 2.0 * f64::from(k) * width;
                mass(shift) - mass(2.0 * self.lower + shift)
            })
            .sum()
    }

    /// The first-passage density at the lower bound, term by term an inverse Gaussian.
    fn absorbed_below_short(&self, time: f64) -> f64 {
        let sigma = self.variance.sqrt();
        let speed = self.drift.abs() / sigma;
        let tilt = self.drift / self.variance * self.lower;
        let width = self.upper - self.lower;
        let root = time.sqrt();
        (-TERMS..=TERMS)
            .map(|k| {
                let distance = -self.lower + 2.0 * f64::from(k) * width;
                let far = distance.abs() / sigma;
                let mass = exp_times_tail(tilt - far * speed, far / root - speed * root)
                    + exp_times_tail(tilt + far * speed, far / root + speed * root);
                distance.signum() * mass
            })
            .sum()
    }

    fn no_better_long(&self, time: f64, value: f64) -> f64 {
        let width = self.upper - self.lower;
        let tilt = self.drift / self.variance;
        let reach = (value - self.lower).clamp(0.0, width);
        let mut sum = self.absorbed_below_ever();
        for n in 1..=40 {
            let wave = f64::from(n) * PI / width;
            let rate = self.variance * (tilt * tilt + wave * wave) / 2.0;
            let start = (-self.lower * wave).sin();
            let decay = (tilt * self.lower - rate * time).exp();
            let lost = self.variance * wave / width / rate;
            let grown = (tilt * reach - rate * time + tilt * self.lower).exp();
            let (sine, cosine) = (wave * reach).sin_cos();
            let running = 2.0 / width * (grown * (tilt * sine - wave * cosine) + decay * wave)
                / (tilt * tilt + wave * wave);
            sum += start * (running - lost * decay);
        }
        sum
    }

    fn absorbed_below_ever(&self) -> f64 {
        let twice = 2.0 * self.drift / self.variance;
        if twice.abs() * (self.upper - self.lower) < 1e-9 {
            return self.upper / (self.upper - self.lower);
        }
        if twice > 0.0 {
            // Divided by exp(-twice * lower), so that nothing overflows.
            (twice * self.lower).exp() * -(-twice * self.upper).exp_m1()
                / -(-twice * (self.upper - self.lower)).exp_m1()
        } else {
            (twice * self.upper).exp_m1() / (twice * (self.upper - self.lower)).exp_m1()
        }
    }
}

/// exp(`log_weight`) times the normal probability above `z`, without overflow in between.
fn exp_times_tail(log_weight: f64, z: f64) -> f64 {
    if z < 3.0 {
        return log_weight.exp() * normal_cdf(-z);
    }
    // Mills' ratio as a continued fraction.
    let ratio = (1..=100).rev().fold(z, |rest, k| z + f64::from(k) / rest).recip();
    (log_weight - z * z / 2.0).exp() * ratio / (2.0 * PI).sqrt()
}

/// exp(`log_weight`) times the normal probability between `low` and `high`.
fn weighed_normal(log_weight: f64, low: f64, high: f64) -> f64 {
    if low > 0.0 {
        exp_times_tail(log_weight, low) - exp_times_tail(log_weight, high)
    } else if high < 0.0 {
        exp_times_tail(log_weight, -high) - exp_times_tail(log_weight, -low)
    } else {
        log_weight.exp() - exp_times_tail(log_weight, high) - exp_times_tail(log_weight, -low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both series are exact, so they agree wherever both converge, up to the error function's 1e-10.
    #[test]
    fn the_short_and_the_long_series_agree() {
        for drift in [-3.0, -0.2, 0.0, 0.4, 2.5] {
            let motion = Brownian { lower: -2.9, upper: 2.2, drift, variance: 1.7 };
            for scaled in [0.3, 0.6] {
                let time = scaled * 5.1_f64.powi(2) / 1.7;
                for value in [-2.9, -1.0, 0.3, 2.2] {
                    let short = motion.absorbed_below_short(time) + motion.running_below_short(time, value);
                    let long = motion.no_better_long(time, value);
                    assert!((short - long).abs() < 1e-9, "{drift} {scaled} {value}: {short} {long}");
                }
            }
        }
    }

    /// With no bound in reach the motion is a normal variable.
    #[test]
    fn far_bounds_leave_a_normal_distribution() {
        let motion = Brownian { lower: -500.0, upper: 500.0, drift: 0.5, variance: 2.0 };
        let expected = normal_cdf((1.0 - 2.0) / 8.0_f64.sqrt());
        assert!((motion.no_better(4.0, 1.0) - expected).abs() < 1e-14);
    }
}
