//! A cap on engines starting at once: a machine that loads two hundred networks together makes
//! every one of them miss its deadline.

use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::available_parallelism;

static STARTING: Mutex<usize> = Mutex::new(0);
static STARTED: Condvar = Condvar::new();

/// Held while one engine starts.
pub(super) struct StartPermit;

impl StartPermit {
    /// Waits until fewer engines are starting than the machine has cores.
    pub(super) fn acquire() -> Self {
        let most = available_parallelism().map_or(1, usize::from);
        let starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut starting = STARTED
            .wait_while(starting, |starting| *starting >= most)
            .unwrap_or_else(PoisonError::into_inner);
        *starting += 1;
        Self
    }
}

impl Drop for StartPermit {
    fn drop(&mut self) {
        *STARTING.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        STARTED.notify_one();
    }
}
