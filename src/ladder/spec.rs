//! The spec: what a user writes in TOML.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::LadderError;
use crate::arena::Limits;
use crate::chess::AdjudicationRules;
use crate::uci::process::Deadlines;

/// The largest spec file read.
const LARGEST_SPEC: u64 = 1 << 20;
/// Most games of one plan.
const MOST_GAMES: u64 = 1_000_000;

/// A ladder, or a match when the opponent has no levels.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// The run's name; the file's name without `.toml` when absent.
    #[serde(default)]
    pub name: String,
    /// Seed of the order of openings.
    #[serde(default)]
    pub seed: u64,
    /// The date in PGN (`2026-11-29`) of games whose limits are nodes or depth; unknown when absent.
    #[serde(default)]
    pub date: Option<String>,
    /// The engine under measurement.
    pub subject: EngineSpec,
    /// The engine it is measured against.
    pub opponent: EngineSpec,
    /// The openings.
    pub openings: OpeningsSpec,
    /// Early endings; none when absent.
    #[serde(default)]
    pub adjudication: AdjudicationRules,
    /// The folder of the spec file: relative paths start there.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// One engine of a spec.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSpec {
    /// `builtin:NAME`, `stockfish`, a program on `PATH`, or a path (with a slash) to one.
    pub engine: String,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The folder it starts in.
    #[serde(default)]
    pub directory: Option<PathBuf>,
    /// Other files that decide what it plays (a script's `.wasm`, a network): part of its identity.
    #[serde(default)]
    pub files: Vec<PathBuf>,
    /// A command whose first line of output tells the version of what runs the program
    /// (`["node", "--version"]`): part of its identity.
    #[serde(default)]
    pub runtime: Vec<String>,
    /// What reports call it; its own name when absent.
    #[serde(default)]
    pub name: Option<String>,
    /// `UCI_Elo` levels, the opponent's only.
    #[serde(default)]
    pub levels: Vec<u32>,
    /// What bounds its searches.
    pub limits: Limits,
    /// The `Hash` option, in MiB.
    #[serde(default)]
    pub hash: Option<u32>,
    /// The `Threads` option.
    #[serde(default)]
    pub threads: Option<u32>,
    /// Other options.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// A new process for every game.
    #[serde(default)]
    pub restart: bool,
    /// Deadlines of its commands.
    #[serde(default)]
    pub deadlines: Deadlines,
}

/// The value of an option as TOML has it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// Text; empty for a button.
    Text(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Text(value) => value.fmt(f),
        }
    }
}

/// The openings of a spec.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningsSpec {
    /// EPD, FEN list or PGN book.
    pub file: PathBuf,
    /// Opening pairs per level: each is two games, one with each colour.
    pub pairs: u32,
    /// Plies taken from a PGN book's games; all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<usize>,
}

impl Spec {
    /// Reads and checks a spec file.
    ///
    /// # Errors
    /// The file cannot be read, is not TOML of this shape, or asks for what makes no sense.
    pub fn load(path: &Path) -> Result<Self, LadderError> {
        let size = fs::metadata(path).map_err(|error| LadderError::io(path, "read", error))?.len();
        if size > LARGEST_SPEC {
            return Err(LadderError::spec(path, format!("{size} bytes: a spec has a few hundred")));
        }
        let text = fs::read_to_string(path).map_err(|error| LadderError::io(path, "read", error))?;
        let mut spec: Self = toml::from_str(&text)
            .map_err(|error| LadderError::spec(path, error.to_string().trim_end().to_owned()))?;
        if spec.name.is_empty() {
            spec.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        }
        spec.folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        match spec.fault() {
            Some(fault) => Err(LadderError::spec(path, fault)),
            None => Ok(spec),
        }
    }

    fn fault(&self) -> Option<String> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if self.name.is_empty() || self.name.starts_with('.') || !self.name.chars().all(plain) {
            return Some(format!(
                "name `{}` cannot name a folder\nhint: use letters, digits, `-`, `_` and `.`",
                self.name
            ));
        }
        if let Some(date) = &self.date
            && date.parse::<jiff::civil::Date>().is_err()
        {
            return Some(format!("date `{date}` is no date\nhint: write it as 2026-11-29"));
        }
        if !self.subject.levels.is_empty() {
            return Some("subject.levels: only the opponent has levels".to_owned());
        }
        for (side, engine) in [("subject", &self.subject), ("opponent", &self.opponent)] {
            if let Some(fault) = engine.limits.fault() {
                return Some(format!("{side}.limits: {fault}"));
            }
            for (short, option) in [("hash", "Hash"), ("threads", "Threads")] {
                let given = if short == "hash" { engine.hash } else { engine.threads };
                let twice = engine.options.keys().any(|name| name.eq_ignore_ascii_case(option));
                if given.is_some() && twice {
                    return Some(format!(
                        "{side}: `{short}` and `options.{option}` say the same thing twice"
                    ));
                }
            }
        }
        let mut levels = self.opponent.levels.clone();
        levels.sort_unstable();
        let pairs = levels.iter().zip(levels.iter().skip(1));
        if let Some((level, _)) = pairs.into_iter().find(|(level, next)| level == next) {
            return Some(format!("opponent.levels: {level} stands there twice"));
        }
        for strength in ["UCI_Elo", "UCI_LimitStrength"] {
            let set = self.opponent.options.keys().any(|name| name.eq_ignore_ascii_case(strength));
            if set && !self.opponent.levels.is_empty() {
                return Some(format!("opponent.options.{strength}: the levels set it"));
            }
        }
        if self.openings.pairs == 0 {
            return Some("openings.pairs: at least one pair is needed".to_owned());
        }
        let rungs = self.opponent.levels.len().max(1) as u64;
        if u64::from(self.openings.pairs) * 2 * rungs > MOST_GAMES {
            return Some(format!("openings.pairs: more than {MOST_GAMES} games"));
        }
        let adjudication = &self.adjudication;
        if adjudication.resign.as_ref().is_some_and(|rule| rule.moves == 0 || rule.score_cp <= 0) {
            return Some("adjudication.resign: moves and score_cp must be above zero".to_owned());
        }
        if adjudication.draw.as_ref().is_some_and(|rule| rule.moves == 0 || rule.score_cp < 0) {
            return Some("adjudication.draw: moves must be above zero, score_cp not below".to_owned());
        }
        if adjudication.max_plies == Some(0) {
            return Some("adjudication.max_plies: must be above zero".to_owned());
        }
        None
    }
}

impl EngineSpec {
    /// The settings in the spec's own words, without a level.
    pub(super) fn settings(&self) -> Vec<(String, String)> {
        let threads = self.threads.map(|value| ("Threads".to_owned(), value.to_string()));
        let hash = self.hash.map(|value| ("Hash".to_owned(), value.to_string()));
        let others = self.options.iter().map(|(name, value)| (name.clone(), value.to_string()));
        threads.into_iter().chain(others).chain(hash).collect()
    }
}
