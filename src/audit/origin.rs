//! What an audit was made of, and where its files stand: a report shows an audit only beside the
//! games it is of.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::AuditError;
use crate::ladder::{RunFolder, RunResults, file_sha256, text_sha256};

/// What tells the games of an audit from others. Hashes are SHA-256 in hex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// One PGN file.
    Pgn {
        /// Of its bytes, as they stand on the disk.
        sha256: String,
    },
    /// One run folder.
    Run {
        /// The plan's seal.
        plan_sha256: String,
        /// Of the numbers of the counted games, each with a hash of its moves.
        games_sha256: String,
    },
}

impl Origin {
    /// A PGN as it is now; none for what can be read only once, such as standard input.
    ///
    /// # Errors
    /// [`AuditError`] when it cannot be read.
    pub fn of_pgn(path: &Path) -> Result<Option<Self>, AuditError> {
        if path.as_os_str() == "-" || !path.is_file() {
            return Ok(None);
        }
        Ok(Some(Self::Pgn { sha256: file_sha256(path)? }))
    }

    /// A run as it is now.
    #[must_use]
    pub fn of_run(folder: &RunFolder, results: &RunResults<'_>) -> Self {
        let games = results.counted().map(|(number, _, result)| {
            let moves = result.moves_hash.map(|hash| format!("{hash:016x}")).unwrap_or_default();
            format!("{number} {moves}\n")
        });
        Self::Run {
            plan_sha256: folder.seal().to_owned(),
            games_sha256: text_sha256(&games.collect::<String>()),
        }
    }
}

/// The files of an audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditFiles {
    /// A row per move: `audit.csv`.
    pub rows: PathBuf,
    /// Everything else: `audit.json`.
    pub all: PathBuf,
}

impl AuditFiles {
    /// Those of this input; none for standard input.
    #[must_use]
    pub fn of(input: &Path) -> Option<Self> {
        Some(Self { rows: beside(input, "audit.csv")?, all: beside(input, "audit.json")? })
    }
}

/// The file `name` of an input: inside a run folder, `FILE.name` beside a file, none for standard
/// input.
#[must_use]
pub fn beside(input: &Path, name: &str) -> Option<PathBuf> {
    if input.is_dir() {
        return Some(input.join(name));
    }
    let mut path = input.as_os_str().to_owned();
    path.push(".");
    path.push(name);
    (input.as_os_str() != "-").then(|| PathBuf::from(path))
}
