//! Bounds on how often something rare happens: exact for independent trials, and for trials that
//! come in clusters (the moves of one game).
//!
//! "None found" is never "never": it is at most so much.

use serde::Serialize;

use super::beta::beta_quantile;
use super::quantile::{CONFIDENCE, UPPER, t_quantile};

/// A proportion with its two-sided interval; 0 <= low < high <= 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Proportion {
    /// Successes over trials.
    pub share: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Successes and trials of one cluster, such as the broken and all moves of one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClusterCount {
    /// Successes.
    pub successes: u64,
    /// Trials, successes included.
    pub trials: u64,
}

/// The exact two-sided interval of a proportion at [`CONFIDENCE`]. `None` without trials or with more
/// successes than trials.
///
/// ```
/// let found = elometer::rating::clopper_pearson(7, 20).unwrap();
/// assert!((found.low - 0.153_909_205).abs() < 1e-9 && (found.high - 0.592_188_535).abs() < 1e-9);
/// ```
///
/// # Source
/// Clopper and Pearson 1934; the value is R's `binom.test(7, 20)`.
#[must_use]
pub fn clopper_pearson(successes: u64, trials: u64) -> Option<Proportion> {
    if trials == 0 || successes > trials {
        return None;
    }
    let (k, n) = (real(successes), real(trials));
    let low = if successes == 0 { 0.0 } else { beta_quantile(1.0 - UPPER, k, n - k + 1.0)? };
    let high = if successes == trials { 1.0 } else { beta_quantile(UPPER, k + 1.0, n - k)? };
    Some(Proportion { share: k / n, low, high })
}

/// The exact one-sided upper bound of a proportion at [`CONFIDENCE`]: with none found in N,
/// 1 - 0.05^(1/N), about 3/N. `None` as for [`clopper_pearson`].
///
/// ```
/// let none_of_5000 = elometer::rating::upper_limit(0, 5000).unwrap();
/// assert!((none_of_5000 - 0.000_598_967).abs() < 1e-9);
/// ```
///
/// # Source
/// Clopper and Pearson 1934; the value is R's `binom.test(0, 5000, alternative = "less")`.
#[must_use]
pub fn upper_limit(successes: u64, trials: u64) -> Option<f64> {
    if trials == 0 || successes > trials {
        return None;
    }
    upper_of(real(successes), real(trials))
}

/// The same bound where trials of one cluster may stand or fall together: the number of trials is
/// replaced by how many independent ones would vary as much,
/// n* = p (1 - p) / V (t_{n-1} / t_{G-1})^2, at most n, with V the variance of p between the G
/// clusters. With no success, or all, nothing shows how alike a cluster's trials are, and n* = G: the
/// worst case. `None` without a cluster that has trials.
///
/// # Source
/// Korn and Graubard 1998, Survey Methodology 24: 193-201.
#[must_use]
pub fn clustered_upper_limit(clusters: &[ClusterCount]) -> Option<f64> {
    let used: Vec<&ClusterCount> = clusters.iter().filter(|cluster| cluster.trials > 0).collect();
    let (successes, trials) = used.iter().fold((0_u64, 0_u64), |(k, n), cluster| {
        (k + cluster.successes.min(cluster.trials), n + cluster.trials)
    });
    let (groups, n) = (real(used.len() as u64), real(trials));
    if used.is_empty() {
        return None;
    }
    let share = real(successes) / n;
    let worst = upper_of(share * groups, groups);
    if successes == 0 || successes == trials || used.len() < 2 {
        return worst;
    }
    let spread: f64 = used
        .iter()
        .map(|cluster| real(cluster.successes) - share * real(cluster.trials))
        .map(|residual| residual * residual)
        .sum();
    let variance = groups / (groups - 1.0) * spread / (n * n);
    let (Some(wide), Some(narrow)) =
        (t_quantile(CONFIDENCE, used.len() as u64 - 1), t_quantile(CONFIDENCE, trials - 1))
    else {
        return worst;
    };
    let effective = share * (1.0 - share) / variance * (narrow / wide) * (narrow / wide);
    let effective = if effective.is_finite() && effective < n { effective } else { n };
    upper_of(share * effective, effective)
}

fn upper_of(successes: f64, trials: f64) -> Option<f64> {
    if successes >= trials {
        Some(1.0)
    } else {
        beta_quantile(CONFIDENCE, successes + 1.0, trials - successes)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of moves and games, far below 2^53")]
fn real(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_bounds_are_those_of_r() {
        // binom.test(3, 5000, alternative = "less")$conf.int, R 4.2.2.
        assert!((upper_limit(3, 5000).unwrap() - 0.001_549_994_279_706_2).abs() < 1e-14);
        let none = clopper_pearson(0, 10).unwrap();
        assert_eq!((none.share, none.low), (0.0, 0.0));
        // 1 - 0.025^(1/10).
        assert!((none.high - 0.308_497_107_818_760_8).abs() < 1e-12);
        assert_eq!(upper_limit(10, 10), Some(1.0));
        assert_eq!(upper_limit(0, 0), None);
        assert_eq!(upper_limit(2, 1), None);
    }

    #[test]
    fn with_none_found_the_worst_case_is_one_observation_a_game() {
        let games = vec![ClusterCount { successes: 0, trials: 40 }; 50];
        assert_eq!(clustered_upper_limit(&games), upper_limit(0, 50));
        assert_eq!(clustered_upper_limit(&[]), None);
        assert_eq!(clustered_upper_limit(&[ClusterCount::default()]), None);
    }

    #[test]
    fn successes_in_one_game_bound_less_than_the_same_spread_out() {
        let game = |successes| ClusterCount { successes, trials: 40 };
        let mut together = vec![game(0); 50];
        together[7] = game(10);
        let mut apart = vec![game(0); 50];
        apart.iter_mut().take(10).for_each(|one| *one = game(1));
        let (together, apart) =
            (clustered_upper_limit(&together).unwrap(), clustered_upper_limit(&apart).unwrap());
        let independent = upper_limit(10, 2000).unwrap();
        assert!(together > apart && apart >= independent - 1e-12, "{together} {apart} {independent}");
        // By hand: p = 0.005, V = 50/49 * ((10 - 0.2)^2 + 49 * 0.2^2) / 2000^2 = 2.5e-5; effective
        // n = 0.004975 / 2.5e-5 * (t_1999 / t_49)^2 = 199 * (1.645615 / 1.676551)^2 = 191.72.
        let by_hand = upper_of(0.005 * 191.724, 191.724).unwrap();
        assert!((together - by_hand).abs() < 1e-4, "{together} {by_hand}");
    }
}
