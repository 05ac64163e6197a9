//! What an engine did wrong at the level of processes and protocol.

use std::path::Path;
use std::{fmt, io};

use rustix::io::Errno;

/// The kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultCause {
    /// The program could not be started, or did not complete the handshake.
    StartFailure,
    /// The system has no descriptor, process or memory left for us to start it with: not its fault.
    NoResources,
    /// No answer before the deadline.
    Hang,
    /// The process ended, or closed its output.
    Crash,
}

impl FaultCause {
    /// Why a process could not be started.
    pub(super) fn of_start(error: &io::Error) -> Self {
        match Errno::from_io_error(error) {
            Some(Errno::MFILE | Errno::NFILE | Errno::AGAIN | Errno::NOMEM) => Self::NoResources,
            _ => Self::StartFailure,
        }
    }
}

/// What to say of a program that the system does not start. It blames the program's file also where
/// that names an interpreter or a loader that is missing.
pub(super) fn cannot_start(program: &Path, error: &io::Error) -> String {
    let missing_loader = error.kind() == io::ErrorKind::NotFound && program.is_file();
    let more = if missing_loader {
        "; the file is there, but the interpreter or the loader that it names is not on this machine"
    } else {
        ""
    };
    format!("cannot start `{}`: {error}{more}", program.display())
}

/// A fault with everything known about it.
#[derive(Clone, Debug, thiserror::Error)]
pub struct EngineFault {
    /// The engine's name or program.
    pub engine: String,
    /// What kind of fault.
    pub cause: FaultCause,
    /// What happened, during which command, and the exit status where there is one.
    pub detail: String,
    /// The last lines both ways: `>` from us, `<` from the engine.
    pub transcript: Vec<String>,
    /// The last lines of stderr.
    pub stderr: Vec<String>,
}

impl fmt::Display for EngineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "engine {}: {}", self.engine, self.detail)?;
        for (title, lines) in [("last lines", &self.transcript), ("stderr", &self.stderr)] {
            if !lines.is_empty() {
                write!(f, "\n  {title}:")?;
                for line in lines {
                    write!(f, "\n    {line}")?;
                }
            }
        }
        Ok(())
    }
}
