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
        /// The numbers of the games that counted: `0-41,44-99`.
        games: String,
        /// Of these numbers, each with a hash of its game's moves.
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
        let numbers: Vec<usize> = results.counted().map(|(number, ..)| number).collect();
        let games_sha256 = games_sha256(results, |_| true);
        Self::Run { plan_sha256: folder.seal().to_owned(), games: ranges(&numbers), games_sha256 }
    }

    /// Whether all these games are in the run as they were: it may have gone on since.
    #[must_use]
    pub fn is_part_of(&self, folder: &RunFolder, results: &RunResults<'_>) -> bool {
        let Self::Run { plan_sha256, games, games_sha256: hash } = self else { return false };
        let parts: Option<Vec<(usize, usize)>> = games
            .split(',')
            .map(|part| {
                let (first, last) = part.split_once('-').unwrap_or((part, part));
                Some((first.parse().ok()?, last.parse().ok()?))
            })
            .collect();
        let parts = parts.unwrap_or_default();
        // In rising order, so that the part to look at is found by its end.
        let among = |number: usize| {
            let place = parts.partition_point(|(_, last)| *last < number);
            parts.get(place).is_some_and(|(first, _)| *first <= number)
        };
        *plan_sha256 == folder.seal() && *hash == games_sha256(results, among)
    }
}

/// SHA-256 of the numbers of counted games, each with a hash of its moves.
fn games_sha256(results: &RunResults<'_>, among: impl Fn(usize) -> bool) -> String {
    let counted = results.counted().filter(|(number, ..)| among(*number));
    let lines = counted.map(|(number, _, result)| {
        let moves = result.moves_hash.map(|hash| format!("{hash:016x}")).unwrap_or_default();
        format!("{number} {moves}\n")
    });
    text_sha256(&lines.collect::<String>())
}

/// Rising numbers as `0-41,44`.
fn ranges(numbers: &[usize]) -> String {
    let parts = numbers.chunk_by(|one, next| next - one == 1).filter_map(|part| {
        let (first, last) = (part.first()?, part.last()?);
        Some(if first == last { first.to_string() } else { format!("{first}-{last}") })
    });
    parts.collect::<Vec<_>>().join(",")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_as_ranges() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[4]), "4");
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
    }
}
