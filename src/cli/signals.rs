//! Ctrl-C and SIGTERM.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::exit::Exit;
use super::print;
use crate::arena::Stop;

/// Listens for signals for as long as the program runs.
#[derive(Clone, Debug)]
pub struct Listener {
    first: Arc<AtomicI32>,
}

impl Listener {
    /// Turns the first signal into a request to stop after what is in progress, `games` or the like,
    /// the second into one to stop now.
    ///
    /// # Errors
    /// The system refuses the handler.
    pub fn start(stop: &Stop, work: &'static str) -> io::Result<Self> {
        let first = Arc::new(AtomicI32::new(0));
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        let (seen, stop) = (Arc::clone(&first), stop.clone());
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                let was = seen.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
                print::note(&if was.is_ok() {
                    format!(
                        "stopping: {work} in progress are finished and saved; once more stops the engines now"
                    )
                } else {
                    format!("stopping the engines now; unfinished {work} are not recorded")
                });
                stop.request();
            }
        })?;
        Ok(Self { first })
    }

    /// The exit code of the signal that came first, if one came.
    #[must_use]
    pub fn exit(&self) -> Option<Exit> {
        match self.first.load(Ordering::SeqCst) {
            0 => None,
            SIGTERM => Some(Exit::Terminated),
            _ => Some(Exit::Interrupted),
        }
    }
}
