//! Processes that an engine started and that left its process group (`setsid`, a daemon).
//!
//! Killing the group does not reach them, and once their parent is dead nothing in the system says
//! whose they were but their environment: each engine gets a mark of its own there, which everything
//! it starts inherits. (Adopting orphans as a subreaper would not tell one engine's from another's,
//! and would make this program their parent, with zombies to reap that it cannot tell from the
//! children of the program it is part of.)
//!
//! Where there is no `/proc`, and for a process that clears its environment, only the group is killed.
//! Only numbers above the engine's are looked at, since each look costs some ten microseconds: a
//! stray is missed when the system began to count anew between the two.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Pid, Signal, getpid, kill_process};

/// The variable that holds the mark.
const VARIABLE: &str = "ELOMETER_ENGINE";
/// Searches of `/proc` at most: a stray may start another while it is looked for.
const MOST_ROUNDS: u32 = 5;

static LAUNCHED: AtomicU64 = AtomicU64::new(0);

/// What tells one engine's processes from all others.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    value: String,
}

impl Mark {
    /// A mark that no other engine of this process or another has.
    pub(super) fn new() -> Self {
        let number = LAUNCHED.fetch_add(1, Ordering::Relaxed);
        Self { value: format!("{}-{number}", getpid().as_raw_nonzero()) }
    }

    /// The variable and its value for the engine's environment.
    pub(super) fn variable(&self) -> (&str, &str) {
        (VARIABLE, &self.value)
    }

    /// Kills every process that has the mark. The group of the engine must have been killed before.
    pub(super) fn kill_all(&self, engine: Pid) {
        let text = format!("{VARIABLE}={}", self.value);
        for _ in 0..MOST_ROUNDS {
            let marked = marked_with(text.as_bytes(), engine);
            if marked.is_empty() {
                return;
            }
            for process in marked {
                let _ = kill_process(process, Signal::KILL);
            }
        }
    }
}

/// The processes after `first` whose environment holds this; one that is dead has none any more.
fn marked_with(text: &[u8], first: Pid) -> Vec<Pid> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse::<i32>().ok();
    let is_marked = |process: &i32| {
        fs::read(format!("/proc/{process}/environ"))
            .is_ok_and(|variables| variables.split(|byte| *byte == 0).any(|variable| variable == text))
    };
    let later =
        entries.flatten().filter_map(number).filter(|process| *process > first.as_raw_nonzero().get());
    later.filter(is_marked).filter_map(Pid::from_raw).collect()
}
