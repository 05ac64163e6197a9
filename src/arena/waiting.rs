//! What engines do while the other side thinks: time and processor time from each move to the next
//! search.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::uci::process::Engine;

/// An engine between its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// From each of its moves to its next search, in microseconds.
    pub waited_us: u64,
    /// The processor time that its process used meanwhile, in microseconds; that of processes it
    /// started is not in it.
    pub processor_us: u64,
}

impl Waiting {
    /// A shorter wait says nothing: an engine that puts its pieces away after a move uses a moment.
    const SHORTEST_US: u64 = 1_000_000;

    /// Both added up.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            waited_us: self.waited_us.saturating_add(other.waited_us),
            processor_us: self.processor_us.saturating_add(other.processor_us),
        }
    }

    /// The processor time as a share of the time waited, in percent of one core; nothing when it
    /// waited for less than a second in all.
    #[must_use]
    pub fn percent(self) -> Option<f64> {
        (self.waited_us >= Self::SHORTEST_US)
            .then(|| self.processor_us as f64 / self.waited_us as f64 * 100.0)
    }
}

/// Both sides of a game; nothing for a side that never waited, or where the system does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waits {
    /// White.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<Waiting>,
    /// Black.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<Waiting>,
}

impl Waits {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Watches one side of a game.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// When its last search ended, and what its process had used by then.
    since: Option<(Instant, Duration)>,
    total: Option<Waiting>,
}

impl Watch {
    /// Its search has ended.
    pub(super) fn begin(&mut self, engine: &Engine) {
        self.since = engine.processor_time().map(|used| (Instant::now(), used));
    }

    /// Its next search is about to be sent.
    pub(super) fn end(&mut self, engine: &Engine) {
        let Some((since, before)) = self.since.take() else { return };
        let Some(now) = engine.processor_time() else { return };
        let us = |duration: Duration| u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let waiting =
            Waiting { waited_us: us(since.elapsed()), processor_us: us(now.saturating_sub(before)) };
        self.total = Some(self.total.unwrap_or_default().plus(waiting));
    }

    pub(super) fn total(&self) -> Option<Waiting> {
        self.total
    }
}
