//! What goes wrong around fingerprints.

use std::io;
use std::path::{Path, PathBuf};

use super::ask::RowFault;
use crate::chess::openings::OpeningsError;
use crate::chess::pgn::PgnError;
use crate::ladder::{IdentityPart, LadderError};
use crate::uci::process::{EngineFault, OptionError};

/// Why a fingerprint cannot be taken, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FingerprintError {
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
    /// The positions cannot be used.
    #[error(transparent)]
    Positions(#[from] OpeningsError),
    /// The games beside the positions cannot be read.
    #[error("{}: {source}\nhint: mend the file, or move it away from the positions", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: PgnError,
    },
    /// The set of a manifest is nowhere.
    #[error(
        "{}: its positions `{file}` are not found from here or from the manifest's folder\n\
         hint: name the file with --positions",
        manifest.display()
    )]
    SetMissing {
        /// As the manifest names it.
        file: String,
        /// The manifest.
        manifest: PathBuf,
    },
    /// The set is not the one of the manifest.
    #[error(
        "{set}: not the positions that {} was taken on: their SHA-256 differs\n\
         hint: restore the file, or take a new fingerprint",
        manifest.display()
    )]
    SetChanged {
        /// The set found.
        set: String,
        /// The manifest.
        manifest: PathBuf,
    },
    /// An engine does not start or does not answer.
    #[error("{}\nhint: {}", _0, _0.hint())]
    Engine(EngineFault),
    /// The engine failed on a position.
    #[error(
        "the engine failed on {0}\n\
         hint: ask it by hand, with the last lines that begin with `>`"
    )]
    Fault(Box<RowFault>),
    /// The engine cannot be set up.
    #[error(transparent)]
    Setup(#[from] LadderError),
    /// The program or a file that makes the engine was changed while its fingerprint was taken.
    #[error(
        "engine {engine} changed while its fingerprint was taken ({})\n\
         hint: {}take it again once nothing changes; name a file that the engine itself writes with --mutable",
        part_list(parts),
        partial.as_ref().map(|path| format!("{} holds rows of both, no fingerprint: remove it; ", path.display()))
            .unwrap_or_default()
    )]
    EngineChanged {
        /// Its name.
        engine: String,
        /// What changed.
        parts: Vec<IdentityPart>,
        /// The rows so far, where they are kept.
        partial: Option<PathBuf>,
    },
    /// Every row differs by itself, so that nothing can be told of a change.
    #[error(
        "asked twice in the same way, the engine answers differently on all {rows} positions: what the option moves \
         cannot be told\n\
         hint: take the chance away first: `elometer fingerprint diagnose` tells where it comes from"
    )]
    AllByChance {
        /// How many positions.
        rows: usize,
    },
    /// A signal came.
    #[error("stopped")]
    Stopped,
    /// A setting the engine would not take.
    #[error(transparent)]
    Option(#[from] OptionError),
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
    /// The folder holds rows of another take.
    #[error(
        "{} holds rows of an interrupted take that was another (different: {difference})\n\
         hint: choose another folder with --out, or remove this file; a file that the engine itself writes belongs \
         into --mutable",
        path.display()
    )]
    OtherTake {
        /// The partial file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// Another process takes a fingerprint into the folder.
    #[error("{} is in use by another elometer\nhint: wait for it, or stop it", path.display())]
    InUse {
        /// The partial file.
        path: PathBuf,
    },
}

/// The parts with both values, as in `file engine.py (SHA-256): 1a2b…, 3c4d…; option Hash: 16, 64`.
fn part_list(parts: &[IdentityPart]) -> String {
    parts.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn io_hint(action: &str) -> &'static str {
    match action {
        "read" => "check that the path is right and names a file",
        "lock" => "use a folder on a disk of this machine",
        _ => "check that the folder can be written and that its disk has room",
    }
}

impl From<EngineFault> for FingerprintError {
    fn from(fault: EngineFault) -> Self {
        Self::Engine(fault)
    }
}

impl FingerprintError {
    pub(super) fn io(path: &Path, action: &'static str, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), action, source }
    }

    pub(super) fn pgn(path: &Path, source: PgnError) -> Self {
        Self::Games { path: path.to_owned(), source }
    }

    pub(super) fn damaged(path: &Path, line: Option<u64>, reason: String) -> Self {
        Self::Damaged { path: path.to_owned(), line, reason }
    }
}
