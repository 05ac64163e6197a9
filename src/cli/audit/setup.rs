//! What every audit sets up: signals, the store, progress.

use std::fs;
use std::path::PathBuf;

use super::arguments::WorkArguments;
use crate::arena::Stop;
use crate::audit::{AuditError, Event, SearchTime, Store, Work};
use crate::cli::exit::{CommandResult, Exit, Failure};
use crate::cli::print;
use crate::cli::progress::WorkProgress;
use crate::cli::signals::Listener;

/// The state of an audit in progress.
pub(super) struct Setup {
    store: Store,
    path: Option<PathBuf>,
    stop: Stop,
    listener: Listener,
    workers: usize,
    progress: WorkProgress,
    time: SearchTime,
}

impl Setup {
    /// Opens the store and listens for signals.
    pub(super) fn new(
        arguments: &WorkArguments,
        default_store: Option<PathBuf>,
        threads: usize,
    ) -> Result<Self, Failure> {
        let path = arguments.store_path(default_store);
        if let Some(folder) = path.as_ref().and_then(|path| path.parent()) {
            let io = |source| AuditError::Io { path: folder.to_owned(), action: "create", source };
            fs::create_dir_all(folder).map_err(io)?;
        }
        let store = path.as_deref().map_or_else(|| Ok(Store::default()), Store::open)?;
        if store.outdated() > 0 {
            print::note(&format!(
                "{} kept from elometer 0.1, which did not record the files of an engine: not used, searched again",
                print::count(store.outdated(), "answer")
            ));
        }
        let stop = Stop::default();
        let listener =
            Listener::start(&stop, "positions").map_err(|error| Failure::new(Exit::Internal, error))?;
        let workers = arguments.workers(threads);
        let (progress, time) = (WorkProgress::new(workers), SearchTime::default());
        Ok(Self { store, path, stop, listener, workers, progress, time })
    }

    /// Lets `search` work, with progress shown.
    pub(super) fn work<T>(
        &mut self,
        search: impl FnOnce(&mut Work<'_>, &mut (dyn FnMut(Event) + Send)) -> Result<T, AuditError>,
    ) -> Result<T, AuditError> {
        let mut work =
            Work { store: &mut self.store, workers: self.workers, stop: &self.stop, time: self.time };
        let progress = &mut self.progress;
        let found = search(&mut work, &mut |event| progress.show(&event));
        self.time = work.time;
        progress.finish();
        found
    }

    /// The kept answers.
    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// Positions at once.
    pub(super) fn workers(&self) -> usize {
        self.workers
    }

    /// The request to stop.
    pub(super) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Says what searching took.
    pub(super) fn note_time(&self) {
        let SearchTime { searches, searched, wall } = self.time;
        if searches > 0 {
            print::note(&format!(
                "searched {:.3} s in all, took {:.3} s with {} at once ({})",
                searched.as_secs_f64(),
                wall.as_secs_f64(),
                print::count(self.workers, "position"),
                match searches {
                    1 => "1 search".to_owned(),
                    searches => format!("{searches} searches"),
                }
            ));
        }
    }

    /// The exit of an audit that an error or a signal ended.
    pub(super) fn end(&self, error: AuditError) -> CommandResult {
        if let Some(path) = self.path.as_ref().filter(|_| !self.store.is_empty()) {
            print::note(&format!(
                "hint: {} holds what was searched; the same command goes on from there",
                path.display()
            ));
        }
        match (&error, self.listener.exit()) {
            (AuditError::Stopped, Some(exit)) => Ok(exit),
            _ => Err(error.into()),
        }
    }
}
