//! What goes wrong around audits.

use std::io;
use std::path::{Path, PathBuf};

use crate::chess::openings::OpeningsError;
use crate::chess::pgn::PgnError;
use crate::ladder::{LadderError, LineFileError};
use crate::uci::process::{EngineFault, OptionError};

/// Why moves cannot be audited.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditError {
    /// A file could not be read or written.
    #[error("cannot {action} {}: {source}\nhint: {}", path.display(), io_hint(action))]
    Io {
        /// The file.
        path: PathBuf,
        /// `read`, `write`, ...
        action: &'static str,
        /// The system's word.
        source: io::Error,
    },
    /// The file of what was searched could not be read or written.
    #[error("cannot {action} {}: {source}\nhint: {}, or keep what is searched elsewhere: --store FILE", path.display(), io_hint(action))]
    Store {
        /// The file.
        path: PathBuf,
        /// `read`, `write`, ...
        action: &'static str,
        /// The system's word.
        source: io::Error,
    },
    /// A run folder or an engine's program cannot be used.
    #[error(transparent)]
    Ladder(#[from] LadderError),
    /// A PGN file cannot be read.
    #[error("{}: {source}\nhint: mend the file, or leave it out", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: PgnError,
    },
    /// The positions cannot be used.
    #[error(transparent)]
    Positions(#[from] OpeningsError),
    /// Nobody says whose moves to audit.
    #[error("{source_name}: {reason}\nhint: {hint}")]
    Subject {
        /// The input.
        source_name: String,
        /// What was found.
        reason: String,
        /// What to do.
        hint: String,
    },
    /// There is nothing to audit.
    #[error("no moves of {subject} to audit\nhint: check the input and --subject")]
    NoMoves {
        /// Whose.
        subject: String,
    },
    /// An engine does not start or does not answer.
    #[error("{}\nhint: {}", _0, _0.hint())]
    Engine(EngineFault),
    /// An engine failed twice on a position.
    #[error(
        "tried twice on {fen}: {fault}\nhint: ask it by hand, with the last lines that begin with `>`; if it cannot search this position, use another program"
    )]
    Position {
        /// The position.
        fen: String,
        /// How it failed the second time.
        fault: Box<EngineFault>,
    },
    /// An engine was asked and its answer is of no use.
    #[error("{engine} on {fen}: {detail}{context}\nhint: {hint}")]
    Answer {
        /// The engine's name.
        engine: String,
        /// The position.
        fen: String,
        /// What it did.
        detail: String,
        /// The last lines both ways and of its stderr.
        context: String,
        /// What to do.
        hint: &'static str,
    },
    /// A setting an engine would not take.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A file that makes an engine is not what it was when the audit began.
    #[error(
        "{engine}: {} changed during the audit\nhint: what was searched is kept, but it may be of two engines: \
         choose another --store, or remove it, and audit again; a file that the engine itself writes is named \
         with --mutable (--judge-mutable)",
        path.display()
    )]
    EngineChanged {
        /// The engine's name.
        engine: String,
        /// The program, or a file that makes it.
        path: PathBuf,
    },
    /// A signal came.
    #[error("stopped")]
    Stopped,
    /// A file is not what elometer wrote.
    #[error("{}{}: {reason}", path.display(), line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: Option<u64>,
        /// What was found, what was expected, what to do.
        reason: String,
    },
    /// Another process audits with the same store.
    #[error("{} is in use by another elometer\nhint: wait for it, or choose another file with --store", path.display())]
    InUse {
        /// The store.
        path: PathBuf,
    },
}

fn io_hint(action: &str) -> &'static str {
    match action {
        "read" => "check that the path is right and names a file",
        "lock" => "use a folder on a disk of this machine",
        _ => "check that the folder can be written and that its disk has room",
    }
}

impl From<EngineFault> for AuditError {
    fn from(fault: EngineFault) -> Self {
        Self::Engine(fault)
    }
}

impl AuditError {
    pub(super) fn io(path: &Path, action: &'static str, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), action, source }
    }

    pub(super) fn damaged(path: &Path, line: Option<u64>, reason: String) -> Self {
        Self::Damaged { path: path.to_owned(), line, reason }
    }

    pub(super) fn store(path: &Path, error: LineFileError) -> Self {
        match error {
            LineFileError::InUse => Self::InUse { path: path.to_owned() },
            LineFileError::Io { action, source } => Self::Store { path: path.to_owned(), action, source },
            LineFileError::NoText => Self::damaged(
                path,
                None,
                "no UTF-8 text\nhint: remove the file; all is searched again".to_owned(),
            ),
        }
    }
}
