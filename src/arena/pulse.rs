//! Noticing that this program stood still.
//!
//! A stopped program (Ctrl-Z, `kill -STOP`, a scheduler's suspend, a frozen container) does not
//! read what engines say, and their clocks run on. No engine is to blame for that.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often the pulse beats.
const BEAT: Duration = Duration::from_millis(100);
/// A longer time between two beats is a pause of the whole program, not a busy machine.
const PAUSE: Duration = Duration::from_secs(1);

/// Counts the pauses of this program, on a thread of its own.
#[derive(Debug, Default)]
pub(super) struct Pulse {
    pauses: AtomicU64,
    ended: AtomicBool,
}

impl Pulse {
    /// Beats until [`Pulse::end`].
    pub(super) fn beat(&self) {
        let mut last = Instant::now();
        while !self.ended.load(Ordering::SeqCst) {
            thread::park_timeout(BEAT);
            if last.elapsed() > PAUSE {
                self.pauses.fetch_add(1, Ordering::SeqCst);
            }
            last = Instant::now();
        }
    }

    /// Lets the beating thread end; it must be unparked then.
    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::SeqCst);
    }

    /// Pauses seen so far.
    pub(super) fn pauses(&self) -> u64 {
        self.pauses.load(Ordering::SeqCst)
    }

    /// Pauses seen, the one that may just have ended included: waits for the next beat.
    pub(super) fn settled_pauses(&self) -> u64 {
        thread::sleep(BEAT * 2);
        self.pauses()
    }
}
