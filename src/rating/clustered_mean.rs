//! The mean of something measured many times in each of several clusters: of the moves of games.

use serde::{Deserialize, Serialize};

use super::quantile::{UPPER, t_quantile};

/// A mean over all observations, with an interval that takes clusters, not observations, for
/// independent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClusteredMean {
    /// Sum over count.
    pub mean: f64,
    /// Observations.
    pub observations: u64,
    /// Clusters with at least one.
    pub clusters: u64,
    /// Lower and upper end at [`super::CONFIDENCE`]; absent with one cluster, or where no two
    /// clusters differ.
    pub interval: Option<[f64; 2]>,
}

impl ClusteredMean {
    /// The same for something that cannot lie below `low` or above `high`: its interval is cut there.
    #[must_use]
    pub fn within(mut self, low: f64, high: f64) -> Self {
        self.interval = self.interval.map(|[from, to]| [from.clamp(low, high), to.clamp(low, high)]);
        self
    }
}

/// The mean of clusters given as (sum, number of observations): sum / number, with the variance
/// G/(G-1) sum of (s_g - mean n_g)^2 / n^2 over the G clusters and t on G - 1 degrees of freedom.
/// `None` without observations or where a sum is not finite.
///
/// ```
/// let games = [(30.0, 3), (10.0, 1), (5.0, 2)];
/// let mean = elometer::rating::clustered_mean(&games).unwrap();
/// assert_eq!(mean.mean, 7.5);
/// ```
///
/// # Source
/// The linearised variance of a ratio, Cochran 1977, section 6.4; with equal clusters it is the
/// usual standard error of the clusters' means.
#[must_use]
pub fn clustered_mean(clusters: &[(f64, u64)]) -> Option<ClusteredMean> {
    let used: Vec<(f64, f64)> =
        clusters.iter().filter(|(_, count)| *count > 0).map(|&(sum, count)| (sum, real(count))).collect();
    let observations: u64 = clusters.iter().map(|(_, count)| count).sum();
    let count = real(observations);
    let mean = used.iter().map(|(sum, _)| sum).sum::<f64>() / count;
    if !mean.is_finite() {
        return None;
    }
    // -0 is no number to print.
    let mean = mean + 0.0;
    let groups = used.len() as u64;
    let interval = (groups > 1).then_some(()).and_then(|()| {
        let spread: f64 =
            used.iter().map(|(sum, own)| sum - mean * own).map(|residual| residual * residual).sum();
        let variance = real(groups) / real(groups - 1) * spread / (count * count);
        let half = t_quantile(UPPER, groups - 1)? * variance.sqrt();
        (half > 0.0 && half.is_finite()).then_some([mean - half, mean + half])
    });
    Some(ClusteredMean { mean, observations, clusters: groups, interval })
}

#[expect(clippy::cast_precision_loss, reason = "counts of moves and games, far below 2^53")]
fn real(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_clusters_have_the_usual_interval_of_their_means() {
        // R 4.2.2: t.test(c(1, 2, 4, 7)): mean 3.5, conf.int -0.7099807 7.7099807.
        let games = [(2.0, 2), (4.0, 2), (8.0, 2), (14.0, 2)];
        let found = clustered_mean(&games).unwrap();
        let [low, high] = found.interval.unwrap();
        assert_eq!((found.mean, found.observations, found.clusters), (3.5, 8, 4));
        assert!((low + 0.709_980_7).abs() < 1e-6 && (high - 7.709_980_7).abs() < 1e-6, "{low} {high}");
    }

    #[test]
    fn an_interval_ends_where_the_thing_measured_does() {
        let found = clustered_mean(&[(0.0, 4), (1.0, 1), (0.0, 3)]).unwrap();
        let [low, high] = found.interval.unwrap();
        assert!(low < 0.0 && high < 1.0, "{low} {high}");
        assert_eq!(found.within(0.0, 1.0).interval, Some([0.0, high]));
        assert_eq!(found.within(0.0, 1.0).mean, found.mean);
    }

    #[test]
    fn no_interval_has_zero_width() {
        assert_eq!(clustered_mean(&[(3.0, 1)]).unwrap().interval, None);
        assert_eq!(clustered_mean(&[(0.0, 4), (0.0, 9)]).unwrap().interval, None);
        assert_eq!(clustered_mean(&[(0.0, 0)]), None);
        assert_eq!(clustered_mean(&[(f64::NAN, 1)]), None);
    }
}
