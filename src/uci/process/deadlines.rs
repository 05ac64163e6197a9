//! How long an engine may take for each kind of command.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// One absolute deadline per command, in milliseconds.
///
/// Starting is generous, since many engines may start at once and some load networks; a move has
/// its own limit, which [`Deadlines::search`] derives when a spec does not set one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Deadlines {
    /// From the launch to `uciok`.
    pub start_ms: u64,
    /// From `isready` to `readyok`, `ucinewgame` and options included.
    pub ready_ms: u64,
    /// From `go` to `bestmove` where no clock bounds the search; derived from the limit when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_ms: Option<u64>,
    /// From `stop` to `bestmove`.
    pub stop_ms: u64,
    /// From `quit` to the end of the process; after it the process group is terminated, then killed.
    pub quit_ms: u64,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self { start_ms: 30_000, ready_ms: 30_000, search_ms: None, stop_ms: 2_000, quit_ms: 2_000 }
    }
}

impl Deadlines {
    /// The slowest engine the derived search deadline is made for.
    const SLOWEST_NODES_PER_MS: u64 = 2;
    /// The derived deadline where only a depth bounds the search.
    const DEPTH_MS: u64 = 60_000;
    /// Added to a derived deadline, for a machine that is busy.
    const GRACE_MS: u64 = 10_000;

    /// From `uci` to `uciok`.
    #[must_use]
    pub fn start(&self) -> Duration {
        Duration::from_millis(self.start_ms)
    }

    /// From `isready` to `readyok`.
    #[must_use]
    pub fn ready(&self) -> Duration {
        Duration::from_millis(self.ready_ms)
    }

    /// From `stop` to `bestmove`.
    #[must_use]
    pub fn stop(&self) -> Duration {
        Duration::from_millis(self.stop_ms)
    }

    /// From `quit` to the end.
    #[must_use]
    pub fn quit(&self) -> Duration {
        Duration::from_millis(self.quit_ms)
    }

    /// The longest wait for a move that no clock bounds: as set, else ten seconds plus the move
    /// time, or plus the nodes at 2,000 a second, or a minute when there is only a depth.
    #[must_use]
    pub fn search(&self, movetime_ms: Option<u64>, nodes: Option<u64>) -> Duration {
        let derived = match (movetime_ms, nodes) {
            (Some(movetime), _) => movetime.saturating_add(Self::GRACE_MS),
            (None, Some(nodes)) => (nodes / Self::SLOWEST_NODES_PER_MS).saturating_add(Self::GRACE_MS),
            (None, None) => Self::DEPTH_MS.saturating_add(Self::GRACE_MS),
        };
        Duration::from_millis(self.search_ms.unwrap_or(derived))
    }
}
