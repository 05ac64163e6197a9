//! The rows of a take that is not finished: `fingerprint.partial.jsonl`.
//!
//! Its first line says what is being asked and that this is no fingerprint; each other line is a
//! row, or the fault that ended a session. A line is written at once and never changed. A last line
//! without its line end is torn and its row is asked for again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ask::{Answer, RowFault};
use super::error::FingerprintError;
use super::manifest::{FORMAT_VERSION, Recipe};
use super::row::Row;
use crate::ladder::{LineFile, LineFileError};

const FILE: &str = "fingerprint.partial.jsonl";
const WARNING: &str = "rows of an unfinished take: not a fingerprint";

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    partial: String,
    format_version: u32,
    #[serde(flatten)]
    recipe: Recipe,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    /// A row, by the position's number from 1.
    Row { position: usize, text: String, search_us: u64 },
    /// What ended a session.
    Fault { position: usize, fen: String, detail: String },
}

/// The rows so far, in memory and perhaps on disk.
#[derive(Debug, Default)]
pub(super) struct Partial {
    journal: Option<LineFile>,
    rows: BTreeMap<usize, Row>,
    search: Duration,
}

impl Partial {
    /// Makes the file in `folder`, or goes on with the one that is there.
    pub(super) fn open(folder: &Path, recipe: &Recipe) -> Result<Self, FingerprintError> {
        fs::create_dir_all(folder).map_err(|error| FingerprintError::io(folder, "create", error))?;
        let path = folder.join(FILE);
        let failed = |error| unusable(&path, error);
        let mut journal = LineFile::open(&path).map_err(failed)?;
        let header =
            Header { partial: WARNING.to_owned(), format_version: FORMAT_VERSION, recipe: recipe.clone() };
        let mut this = Self::default();
        let text = journal.read_whole_lines().map_err(failed)?;
        let mut lines = text.lines();
        match lines.next() {
            None => journal.append(&header).map_err(failed)?,
            Some(line) => {
                check_header(&path, line, &header)?;
                for (index, line) in lines.enumerate() {
                    this.take_line(line, recipe.positions.count).map_err(|reason| {
                        let reason = format!("{reason}\nhint: remove the file; the take begins again");
                        FingerprintError::damaged(&path, Some(index as u64 + 2), reason)
                    })?;
                }
            }
        }
        this.journal = Some(journal);
        Ok(this)
    }

    /// The indices of those of `count` positions that have no row.
    pub(super) fn missing(&self, count: usize) -> Vec<usize> {
        (0..count).filter(|index| !self.rows.contains_key(index)).collect()
    }

    /// How long the engine has searched for the rows.
    pub(super) fn search(&self) -> Duration {
        self.search
    }

    /// Where they are kept.
    pub(super) fn path(&self) -> Option<&Path> {
        self.journal.as_ref().map(LineFile::path)
    }

    /// Keeps an answer.
    pub(super) fn keep(&mut self, index: usize, answer: Answer) -> Result<(), FingerprintError> {
        if let Some(journal) = &mut self.journal {
            let search_us = u64::try_from(answer.elapsed.as_micros()).unwrap_or(u64::MAX);
            let line = Line::Row { position: index + 1, text: answer.row.to_string(), search_us };
            append(journal, &line)?;
        }
        self.rows.insert(index, answer.row);
        self.search = self.search.saturating_add(answer.elapsed);
        Ok(())
    }

    /// Says what ended this session.
    pub(super) fn end_with(&mut self, fault: &RowFault) -> Result<(), FingerprintError> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        let (position, fen, detail) = (fault.index + 1, fault.fen.clone(), fault.detail.clone());
        append(journal, &Line::Fault { position, fen, detail })
    }

    /// The rows in the order of their positions.
    pub(super) fn in_order(&self) -> Vec<Row> {
        self.rows.values().cloned().collect()
    }

    /// Takes the file away: the rows have become a fingerprint.
    pub(super) fn remove(self) -> Result<(), FingerprintError> {
        let Some(journal) = self.journal else { return Ok(()) };
        let path = journal.path();
        fs::remove_file(path).map_err(|error| FingerprintError::io(path, "remove", error))
    }

    fn take_line(&mut self, line: &str, count: usize) -> Result<(), String> {
        match serde_json::from_str(line).map_err(|error| format!("neither a row nor a fault: {error}"))? {
            Line::Fault { .. } => {}
            Line::Row { position, text, search_us } => {
                let index = position.checked_sub(1).filter(|index| *index < count);
                let index = index.ok_or_else(|| format!("position {position}, expected 1 to {count}"))?;
                self.rows.insert(index, Row::parse(&text)?);
                self.search = self.search.saturating_add(Duration::from_micros(search_us));
            }
        }
        Ok(())
    }
}

fn append(journal: &mut LineFile, line: &Line) -> Result<(), FingerprintError> {
    journal.append(line).map_err(|error| unusable(journal.path(), error))
}

fn unusable(path: &Path, error: LineFileError) -> FingerprintError {
    match error {
        LineFileError::InUse => FingerprintError::InUse { path: path.to_owned() },
        LineFileError::Io { action, source } => FingerprintError::io(path, action, source),
        LineFileError::NoText => {
            let reason = "no UTF-8 text\nhint: remove the file; the take begins again".to_owned();
            FingerprintError::damaged(path, None, reason)
        }
    }
}

fn check_header(path: &Path, line: &str, expected: &Header) -> Result<(), FingerprintError> {
    let found: Header = serde_json::from_str(line).map_err(|_| {
        let reason = "not the beginning of an unfinished take\nhint: remove the file".to_owned();
        FingerprintError::damaged(path, Some(1), reason)
    })?;
    if found == *expected {
        return Ok(());
    }
    let (old, new) = (&found.recipe, &expected.recipe);
    let identity: Vec<_> = old.engine.differences(&new.engine).iter().map(ToString::to_string).collect();
    // Options and limits are parts of the identity, with both values.
    let rest = old.differences(new).into_iter().filter(|_| identity.is_empty()).map(str::to_owned);
    let versions = [old, new].map(|recipe| recipe.elometer_version.as_str());
    let others = [
        ("engine's name", [old.engine.name.as_str(), new.engine.name.as_str()]),
        ("elometer's version", versions),
        ("name of the positions", [old.positions.file.as_str(), new.positions.file.as_str()]),
    ];
    let others = others.into_iter().filter(|(_, [a, b])| a != b);
    let mut parts: Vec<String> = identity.iter().cloned().chain(rest).collect();
    parts.extend(others.map(|(part, [a, b])| format!("{part}: {a}, {b}")));
    if found.format_version != expected.format_version {
        parts.push(format!("format: {}, {}", found.format_version, expected.format_version));
    }
    Err(FingerprintError::OtherTake { path: path.to_owned(), difference: parts.join("; ") })
}
