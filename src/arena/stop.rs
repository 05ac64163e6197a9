//! Stopping a run from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::uci::process::KillSwitch;

const RUNNING: u8 = 0;
const NOTHING_NEW: u8 = 1;
const NOW: u8 = 2;

/// A request to stop, shared between whoever listens for signals and the workers.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    state: Arc<AtomicU8>,
    engines: KillSwitch,
}

impl Stop {
    /// Lets the games in progress finish and starts no other. A second request, or
    /// [`Stop::request_now`], drops them.
    pub fn request(&self) {
        if self.state.compare_exchange(RUNNING, NOTHING_NEW, Ordering::SeqCst, Ordering::SeqCst).is_err() {
            self.request_now();
        }
    }

    /// Kills every engine of the run and lets none start; unfinished games are not recorded.
    pub fn request_now(&self) {
        self.state.store(NOW, Ordering::SeqCst);
        self.engines.pull();
    }

    /// Whether no new game may start.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.state.load(Ordering::SeqCst) != RUNNING
    }

    /// Whether games in progress are to be dropped.
    #[must_use]
    pub fn is_now(&self) -> bool {
        self.state.load(Ordering::SeqCst) == NOW
    }

    /// The switch under which the engines of a run are launched.
    #[must_use]
    pub fn engines(&self) -> &KillSwitch {
        &self.engines
    }
}
