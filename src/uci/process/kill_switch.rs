//! Killing many engines at once, from any thread.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

/// Kills every engine launched under it. Once pulled it stays so: no other engine starts.
#[derive(Clone, Debug, Default)]
pub struct KillSwitch {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    pulled: bool,
    /// The process groups alive.
    groups: BTreeSet<i32>,
}

impl KillSwitch {
    /// Kills every engine at once; whoever waits for one sees it end.
    pub fn pull(&self) {
        let mut state = self.lock();
        state.pulled = true;
        for group in state.groups.iter().copied().filter_map(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// Starts a process that leads a group of its own.
    ///
    /// The lock is held meanwhile, so that a process is either seen by [`KillSwitch::pull`] or not
    /// started. It also keeps starts apart, so that no engine inherits another's pipes on systems
    /// where a pipe is marked close-on-exec only after it was made.
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        let mut state = self.lock();
        if state.pulled {
            return Err(io::Error::other("all engines have been stopped"));
        }
        let child = command.spawn()?;
        state.groups.insert(number(Pid::from_child(&child)));
        Ok(child)
    }

    /// Forgets a group that has been killed; its leader must not have been reaped yet, or its number
    /// could already be another's.
    pub(super) fn forget(&self, group: Pid) {
        self.lock().groups.remove(&number(group));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn number(group: Pid) -> i32 {
    group.as_raw_nonzero().get()
}
