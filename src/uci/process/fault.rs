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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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

/// What the last lines of an engine that does not start or does not play make likely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Suspicion {
    /// A shared library is missing or too old.
    MissingLibrary,
    /// A file that it wants is not where it looks.
    MissingFile,
    /// It speaks the protocol of xboard.
    Xboard,
    /// It never answered `uci`.
    NotUci,
}

/// What loaders say of libraries (glibc, musl, macOS).
const OF_LIBRARIES: [&str; 6] = [
    "error while loading shared libraries",
    "cannot open shared object file",
    "error loading shared library",
    "library not loaded",
    "glibc_",
    "glibcxx_",
];
/// What engines and runtimes say of files.
const OF_FILES: [&str; 9] = [
    "no such file",
    "not found",
    "cannot open",
    "can't open",
    "could not open",
    "failed to open",
    "unable to open",
    "not loaded",
    "failed to load",
];
/// What xboard engines answer to a word that they do not know, and what they say unasked.
const OF_XBOARD: [&str; 4] = ["error (unknown command)", "illegal move: uci", "feature done", "feature ping"];

impl EngineFault {
    /// What its last lines make likely, if anything.
    #[must_use]
    pub fn suspicion(&self) -> Option<Suspicion> {
        let its = self.transcript.iter().filter(|line| !line.starts_with('>')).chain(&self.stderr);
        let its = its.map(|line| line.to_lowercase()).collect::<Vec<_>>();
        let says = |words: &[&str]| its.iter().any(|line| words.iter().any(|word| line.contains(word)));
        let answered = self.transcript.iter().any(|line| line.trim_end() == "< uciok");
        let asked = self.transcript.iter().any(|line| line == "> uci");
        if says(&OF_LIBRARIES) {
            Some(Suspicion::MissingLibrary)
        } else if asked && !answered && says(&OF_XBOARD) {
            Some(Suspicion::Xboard)
        } else if says(&OF_FILES) {
            Some(Suspicion::MissingFile)
        } else if asked && !answered && self.cause == FaultCause::StartFailure {
            Some(Suspicion::NotUci)
        } else {
            None
        }
    }

    /// What to do about an engine that does not start or does not play.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self.suspicion() {
            Some(Suspicion::MissingLibrary) => {
                "a shared library is missing: `ldd PROGRAM` (macOS: `otool -L PROGRAM`) lists what it needs; install it, or \
                 use a build for this system"
            }
            Some(Suspicion::MissingFile) => {
                "its own lines name a file that it cannot read: check the paths in its options and arguments, and the \
                 folder it starts in: `directory` in the spec, --directory without one"
            }
            Some(Suspicion::Xboard) => {
                "it does not answer `uci` and speaks as an xboard engine does: use its UCI mode, or an adapter"
            }
            Some(Suspicion::NotUci) => {
                "it does not answer `uci` with `uciok` in time: is it an xboard engine, or does it need an argument for \
                 UCI? start it by hand and type `uci`"
            }
            None => "start it by hand and type `uci`, `isready` and `go`: it must answer each in time",
        }
    }
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
