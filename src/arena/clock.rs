//! One side's clock.

use std::time::Duration;

use super::time_control::TimeControl;

/// The time one side has left, by these rules:
///
/// - It starts with the base time; the increment is added after each move, so the first move has
///   none. With a base of zero the first increment is given at the start, or nobody could move.
/// - With `moves` per period the base is added again after that many own moves.
/// - A move loses on time when it takes longer than what is left plus the margin. Within the margin
///   the clock goes to zero, never below.
/// - Engines are never told less than one millisecond.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    left: Duration,
    moves_to_go: Option<u32>,
}

impl Clock {
    /// A full clock.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        let start_ms = if control.base_ms == 0 { control.increment_ms } else { control.base_ms };
        Self { control, left: Duration::from_millis(start_ms), moves_to_go: control.moves }
    }

    /// What is left.
    #[must_use]
    pub fn left(&self) -> Duration {
        self.left
    }

    /// What an engine is told, in milliseconds, at least 1.
    #[must_use]
    pub fn told_ms(&self) -> i64 {
        i64::try_from(self.left.as_millis()).unwrap_or(i64::MAX).max(1)
    }

    /// The increment in milliseconds.
    #[must_use]
    pub fn increment_ms(&self) -> i64 {
        i64::try_from(self.control.increment_ms).unwrap_or(i64::MAX)
    }

    /// Own moves until the base is added again.
    #[must_use]
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// Takes the time of a move off, and adds what it earns. Returns whether the move came in time.
    #[must_use]
    pub fn spend(&mut self, elapsed: Duration, margin: Duration) -> bool {
        let in_time = elapsed <= self.left + margin;
        self.left = self.left.saturating_sub(elapsed) + Duration::from_millis(self.control.increment_ms);
        if let (Some(to_go), Some(period)) = (self.moves_to_go, self.control.moves) {
            self.moves_to_go = Some(if to_go <= 1 {
                self.left += Duration::from_millis(self.control.base_ms);
                period
            } else {
                to_go - 1
            });
        }
        in_time
    }
}
