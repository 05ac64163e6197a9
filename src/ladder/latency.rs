//! The time of a move as we measured it, less the engine's own `time`: what pipes, the scheduler and
//! this program added to a move that an engine was charged for.

use std::collections::BTreeMap;

use crate::arena::PlyRecord;

/// Tenths of a millisecond that a difference is cut to, so that a broken engine's clock costs no
/// memory.
const LARGEST: i64 = 100_000;

/// The differences of one side's moves. An engine reports whole milliseconds, so one difference is
/// good to about a millisecond either way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Latency {
    /// How often each difference occurred, in tenths of a millisecond.
    counts: BTreeMap<i64, u64>,
    moves: u64,
}

impl Latency {
    /// Takes a move in; one whose engine reported no time says nothing.
    pub(super) fn add(&mut self, ply: &PlyRecord) {
        let Some(own) = ply.engine_time_ms else { return };
        let own = i64::try_from(own).unwrap_or(i64::MAX).saturating_mul(10);
        let measured = i64::try_from(ply.time_us / 100).unwrap_or(i64::MAX);
        let difference = measured.saturating_sub(own).clamp(-LARGEST, LARGEST);
        *self.counts.entry(difference).or_default() += 1;
        self.moves += 1;
    }

    /// How many moves had a time of their engine's own.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The smallest difference that at least `permille` of the moves do not exceed, in milliseconds.
    /// `None` without moves.
    #[must_use]
    pub fn quantile_ms(&self, permille: u64) -> Option<f64> {
        let rank = (u128::from(self.moves) * u128::from(permille)).div_ceil(1000).max(1);
        let mut seen = 0_u128;
        self.counts.iter().find_map(|(difference, count)| {
            seen += u128::from(*count);
            #[expect(clippy::cast_precision_loss, reason = "at most 100,000")]
            (seen >= rank).then(|| *difference as f64 / 10.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ply(time_us: u64, engine_time_ms: Option<u64>) -> PlyRecord {
        let json =
            serde_json::json!({ "move": "e2e4", "time_us": time_us, "engine_time_ms": engine_time_ms });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn quantiles_are_those_of_the_sorted_differences() {
        let mut latency = Latency::default();
        assert_eq!(latency.quantile_ms(500), None);
        for extra in 1..=100 {
            latency.add(&ply(5_000 + extra * 1_000, Some(5)));
        }
        latency.add(&ply(9, None));
        assert_eq!(latency.moves(), 100);
        assert_eq!(latency.quantile_ms(500), Some(50.0));
        assert_eq!(latency.quantile_ms(990), Some(99.0));
        assert_eq!(latency.quantile_ms(1000), Some(100.0));
    }

    #[test]
    fn an_engine_may_report_more_than_passed_and_nonsense_is_cut() {
        let mut latency = Latency::default();
        latency.add(&ply(4_200, Some(5)));
        assert_eq!(latency.quantile_ms(500), Some(-0.8));
        latency.add(&ply(0, Some(u64::MAX)));
        latency.add(&ply(u64::MAX, Some(0)));
        assert_eq!((latency.quantile_ms(1), latency.quantile_ms(1000)), (Some(-10_000.0), Some(10_000.0)));
    }
}
