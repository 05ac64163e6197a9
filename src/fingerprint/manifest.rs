//! The manifest: what a fingerprint was taken with, and its hashes; and the rows beside it.
//!
//! `NAME.json` is the manifest, `NAME.tsv` the rows. The manifest alone says whether two
//! fingerprints are equal; the rows say where they are not.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::digest::{Digests, file_text};
use super::error::FingerprintError;
use super::identity::EngineIdentity;
use super::positions::{PositionSet, read_bounded};
use super::row::{Column, Row};
use super::row_limits::RowLimits;
use super::subject::{Limit, Question, Subject};
use crate::ladder::write_whole;

/// The version of `fingerprints/FORMAT.md` that this elometer writes. It reads the earlier ones too.
pub(super) const FORMAT_VERSION: u32 = 2;
/// The manifest's name where a folder is given.
const IN_FOLDER: &str = "fingerprint.json";
/// The largest manifest read.
const LARGEST_MANIFEST: u64 = 1 << 20;
/// The largest file of rows read.
const LARGEST_ROWS: u64 = 256 << 20;

/// Which positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetIdentity {
    /// `reference` or `edges`, or the file's name, relative to where elometer was started.
    pub file: String,
    /// SHA-256 of the file, in hex.
    pub sha256: String,
    /// How many positions.
    pub count: usize,
}

/// What a fingerprint is taken with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// The engine.
    pub engine: EngineIdentity,
    /// Its options in the order they are sent.
    pub options: Vec<(String, String)>,
    /// The limit of each search.
    pub limit: Limit,
    /// Which `info string` lines are the sentence: those that contain this text.
    pub words: Option<String>,
    /// The positions.
    pub positions: SetIdentity,
    /// The version of elometer.
    pub elometer_version: String,
}

/// Where a fingerprint was taken. Not compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// The processor's architecture, as Rust names it: `x86_64`, `aarch64`.
    pub architecture: String,
    /// The operating system, as Rust names it: `linux`, `macos`.
    pub os: String,
}

/// A fingerprint without its rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the format.
    pub format_version: u32,
    /// What it was taken with.
    #[serde(flatten)]
    pub recipe: Recipe,
    /// Where it was taken.
    pub host: Host,
    /// The nodes of all rows that have a count.
    pub total_nodes: u64,
    /// How the searches used their limit; not known of format 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_use: Option<RowLimits>,
    /// The hashes.
    pub sha256: Digests,
}

/// A fingerprint: its manifest, and its rows where they are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// The manifest.
    pub manifest: Manifest,
    /// The rows, in the order of the positions.
    pub rows: Option<Vec<Row>>,
}

impl Recipe {
    /// What is about to be asked.
    #[must_use]
    pub fn new(subject: &Subject, question: &Question, set: &PositionSet) -> Self {
        Self {
            engine: subject.identity(question.limit),
            options: subject.options(),
            limit: question.limit,
            words: question.words.clone(),
            positions: set.identity(),
            elometer_version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// What is asked on each position.
    #[must_use]
    pub fn question(&self) -> Question {
        Question { limit: self.limit, words: self.words.clone() }
    }

    /// The parts in which two recipes differ that decide the answers, in words. The engine's
    /// identity is none of them.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<&'static str> {
        let parts = [
            ("limit", self.limit != other.limit),
            ("options", self.options != other.options),
            ("words", self.words != other.words),
            ("positions", self.positions.sha256 != other.positions.sha256),
        ];
        parts.into_iter().filter(|(_, differs)| *differs).map(|(part, _)| part).collect()
    }
}

impl Fingerprint {
    /// From rows just taken here on these positions.
    #[must_use]
    pub fn new(recipe: Recipe, rows: Vec<Row>, set: &PositionSet) -> Self {
        let host =
            Host { architecture: std::env::consts::ARCH.to_owned(), os: std::env::consts::OS.to_owned() };
        let total_nodes = rows.iter().filter_map(Row::nodes).fold(0, u64::saturating_add);
        let limit_use = RowLimits::of(recipe.limit, &rows, set.places());
        let sha256 = Digests::of(&rows);
        let manifest =
            Manifest { format_version: FORMAT_VERSION, recipe, host, total_nodes, limit_use, sha256 };
        Self { manifest, rows: Some(rows) }
    }

    /// Reads a manifest, or that of a folder, and the rows beside it where there are any.
    ///
    /// # Errors
    /// The files cannot be read, are of another format, or the rows are not those of the manifest.
    pub fn read(path: &Path) -> Result<Self, FingerprintError> {
        let path = manifest_path(path);
        let bytes = read_bounded(&path, LARGEST_MANIFEST)?;
        let manifest: Manifest = serde_json::from_slice(&bytes).map_err(|error| {
            let reason = format!("no fingerprint's manifest: {error}\nhint: name the file that `take` wrote");
            FingerprintError::damaged(&path, Some(error.line() as u64), reason)
        })?;
        if !(1..=FORMAT_VERSION).contains(&manifest.format_version) {
            let reason = format!(
                "format version {}, this elometer reads 1 to {FORMAT_VERSION}\nhint: use the elometer that wrote it",
                manifest.format_version
            );
            return Err(FingerprintError::damaged(&path, None, reason));
        }
        let rows_path = rows_path(&path);
        let rows = if rows_path.exists() { Some(read_rows(&rows_path)?) } else { None };
        if rows.as_ref().is_some_and(|rows| Digests::of(rows) != manifest.sha256) {
            let reason = format!(
                "its rows are not those of {}: the SHA-256 differs\n\
                 hint: restore both from a copy, or take the fingerprint again",
                path.display()
            );
            return Err(FingerprintError::damaged(&rows_path, None, reason));
        }
        Ok(Self { manifest, rows })
    }

    /// Writes the manifest, and the rows beside it; of a folder, by their usual names. Returns the
    /// manifest's path.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, path: &Path) -> Result<PathBuf, FingerprintError> {
        let path = manifest_path(path);
        let whole = |path: &Path, bytes: &[u8]| {
            write_whole(path, bytes).map_err(|error| FingerprintError::io(path, "write", error))
        };
        if let Some(rows) = &self.rows {
            whole(&rows_path(&path), &file_text(rows))?;
        }
        let mut json = serde_json::to_string_pretty(&self.manifest)
            .map_err(|error| FingerprintError::io(&path, "write", error.into()))?;
        json.push('\n');
        whole(&path, json.as_bytes())?;
        Ok(path)
    }
}

/// The manifest of a folder, or the path itself.
fn manifest_path(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(IN_FOLDER) } else { path.to_owned() }
}

/// The rows beside a manifest.
fn rows_path(manifest: &Path) -> PathBuf {
    manifest.with_extension("tsv")
}

fn read_rows(path: &Path) -> Result<Vec<Row>, FingerprintError> {
    let damaged = |line: usize, reason: String| {
        let reason = format!("{reason}\nhint: restore the file from a copy, or take the fingerprint again");
        FingerprintError::damaged(path, Some(line as u64), reason)
    };
    let bytes = read_bounded(path, LARGEST_ROWS)?;
    let text = String::from_utf8(bytes).map_err(|_| damaged(1, "no UTF-8 text".to_owned()))?;
    let mut lines = text.split_terminator('\n');
    if lines.next() != Some(&Row::header()) {
        let columns: Vec<_> = Column::ALL.iter().map(|column| column.name()).collect();
        return Err(damaged(1, format!("expected the column names fen, {}", columns.join(", "))));
    }
    lines
        .enumerate()
        .map(|(index, line)| Row::parse(line).map_err(|reason| damaged(index + 2, reason)))
        .collect()
}
