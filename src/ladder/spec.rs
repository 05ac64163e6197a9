//! The spec: what a user writes in TOML.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize};

use super::error::LadderError;
use crate::arena::{History, Limits};
use crate::chess::AdjudicationRules;
use crate::uci::process::Deadlines;

/// The largest spec file read.
const LARGEST_SPEC: u64 = 1 << 20;
/// The shortest deadline: less says nothing about an engine.
const LEAST_DEADLINE_MS: u64 = 50;
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
    /// Files that the engine may write (a log, what it learned): no part of its identity.
    #[serde(default)]
    pub mutable: Vec<PathBuf>,
    /// A command whose first line of output tells the version of what runs the program
    /// (`["node", "--version"]`): part of its identity.
    #[serde(default)]
    pub runtime: Vec<String>,
    /// What reports call it; its own name when absent.
    #[serde(default)]
    pub name: Option<String>,
    /// `UCI_Elo` levels, the opponent's only; a match when absent.
    #[serde(default)]
    pub levels: Option<Vec<u32>>,
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
    /// How much of the game it is told.
    #[serde(default)]
    pub history: History,
    /// Which of its `info string` lines are kept with its moves: those that contain this text; none
    /// when absent.
    #[serde(default)]
    pub words: Option<String>,
    /// Deadlines of its commands.
    #[serde(default)]
    pub deadlines: Deadlines,
}

/// The value of an option as TOML has it.
#[derive(Clone, Debug, PartialEq)]
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

impl<'de> Deserialize<'de> for OptionValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyValue;
        impl de::Visitor<'_> for AnyValue {
            type Value = OptionValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false, a whole number or text")
            }

            fn visit_bool<E: de::Error>(self, value: bool) -> Result<OptionValue, E> {
                Ok(OptionValue::Bool(value))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<OptionValue, E> {
                Ok(OptionValue::Integer(value))
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<OptionValue, E> {
                Ok(OptionValue::Text(value.to_owned()))
            }
        }
        deserializer.deserialize_any(AnyValue)
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
        if path.is_dir() {
            let what = if path.join("plan.json").exists() { "a run folder" } else { "a folder" };
            let reason = format!("found {what}, expected a spec\nhint: give the TOML file of the run");
            return Err(LadderError::spec(path, reason));
        }
        let mut text = String::new();
        let size = fs::File::open(path)
            .and_then(|file| file.take(LARGEST_SPEC + 1).read_to_string(&mut text))
            .map_err(|error| LadderError::io(path, "read", error))? as u64;
        if size > LARGEST_SPEC {
            let reason = format!("{size} bytes, expected a few hundred\nhint: is this the spec?");
            return Err(LadderError::spec(path, reason));
        }
        let mut spec: Self =
            toml::from_str(&text).map_err(|error| LadderError::spec(path, toml_fault(&error)))?;
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
        self.name_or_date_fault()
            .or_else(|| self.subject.fault("subject"))
            .or_else(|| self.opponent.fault("opponent"))
            .or_else(|| self.levels_fault())
            .or_else(|| self.deadlines_fault())
            .or_else(|| self.openings_fault())
            .or_else(|| self.adjudication_fault())
    }

    fn name_or_date_fault(&self) -> Option<String> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if self.name.is_empty() || self.name.starts_with('.') || !self.name.chars().all(plain) {
            return Some(format!(
                "name `{}` cannot name a folder\nhint: use letters, digits, `-`, `_` and `.`",
                self.name
            ));
        }
        let date = self.date.as_ref()?;
        let same = date.parse::<jiff::civil::Date>().is_ok_and(|read| read.to_string() == *date);
        (!same).then(|| format!("date `{date}` is no date\nhint: write it as 2026-11-29"))
    }

    fn deadlines_fault(&self) -> Option<String> {
        [("subject", &self.subject), ("opponent", &self.opponent)].into_iter().find_map(|(side, engine)| {
            let deadlines = &engine.deadlines;
            let least = [
                ("start_ms", deadlines.start_ms),
                ("ready_ms", deadlines.ready_ms),
                ("search_ms", deadlines.search_ms.unwrap_or(u64::MAX)),
                ("stop_ms", deadlines.stop_ms),
                ("quit_ms", deadlines.quit_ms),
            ];
            let (key, found) = least.into_iter().find(|(_, value)| *value < LEAST_DEADLINE_MS)?;
            Some(format!(
                "{side}.deadlines.{key}: found {found}, expected at least {LEAST_DEADLINE_MS}\n\
                 hint: a deadline ends games of engines that hang; limits bound searches"
            ))
        })
    }

    fn levels_fault(&self) -> Option<String> {
        if self.subject.levels.is_some() {
            return Some("subject.levels: only the opponent has levels\nhint: move them there".to_owned());
        }
        let mut levels = self.opponent.levels.clone()?;
        if levels.is_empty() {
            let hint = "hint: name at least one level; take the key out for a match at full strength";
            return Some(format!("opponent.levels: found none\n{hint}"));
        }
        levels.sort_unstable();
        let mut pairs = levels.iter().zip(levels.iter().skip(1));
        if let Some((level, _)) = pairs.find(|(level, next)| level == next) {
            return Some(format!(
                "opponent.levels: {level} stands there twice
hint: for more games raise openings.pairs"
            ));
        }
        let strength = |name: &String| {
            ["UCI_Elo", "UCI_LimitStrength"].iter().any(|known| name.eq_ignore_ascii_case(known))
        };
        let set = self.opponent.options.keys().find(|name| strength(name))?;
        Some(format!("opponent.options.{set}: the levels set it\nhint: take it out, or take the levels out"))
    }

    fn openings_fault(&self) -> Option<String> {
        if self.openings.pairs == 0 {
            return Some(
                "openings.pairs: found 0, expected at least 1\nhint: a pair is two games".to_owned(),
            );
        }
        let rungs = self.opponent.levels.as_ref().map_or(1, Vec::len) as u64;
        let games = u64::from(self.openings.pairs) * 2 * rungs;
        (games > MOST_GAMES).then(|| {
            format!("openings.pairs: {games} games, expected at most {MOST_GAMES}\nhint: make several runs")
        })
    }

    fn adjudication_fault(&self) -> Option<String> {
        let rules = &self.adjudication;
        let (key, expected) = if rules.resign.as_ref().is_some_and(|r| r.moves == 0 || r.score_cp <= 0) {
            ("resign", "moves and score_cp above zero")
        } else if rules.draw.as_ref().is_some_and(|r| r.moves == 0 || r.score_cp < 0) {
            ("draw", "moves above zero and score_cp not below it")
        } else if rules.max_plies == Some(0) {
            ("max_plies", "a number above zero")
        } else {
            return None;
        };
        Some(format!("adjudication.{key}: expected {expected}\nhint: without it no game is ended so"))
    }
}

/// The reader's words, with the line they are about; what to do is added where they do not say it.
fn toml_fault(error: &toml::de::Error) -> String {
    let mut text = error.to_string().trim_end().to_owned();
    if !text.contains("\nhint: ") {
        text.push_str("\nhint: ladders/quick.toml is a complete spec");
    }
    text
}

impl EngineSpec {
    fn fault(&self, side: &str) -> Option<String> {
        if let Some(fault) = self.limits.fault() {
            return Some(format!("{side}.limits: {fault}"));
        }
        if self.words.as_ref().is_some_and(|words| words.trim().is_empty()) {
            return Some(format!(
                "{side}.words: found no letter, expected a text that the lines to keep contain\n\
                 hint: what it says of its move is often marked by a word; take the key out to keep nothing"
            ));
        }
        for (short, option, given) in [("hash", "Hash", self.hash), ("threads", "Threads", self.threads)] {
            let twice = self.options.keys().find(|name| name.eq_ignore_ascii_case(option));
            if let (Some(_), Some(twice)) = (given, twice) {
                return Some(format!(
                    "{side}: `{short}` and `options.{twice}` say the same thing twice\nhint: keep one of them"
                ));
            }
        }
        // Engines compare names without case.
        let mut names = BTreeMap::new();
        for name in self.options.keys() {
            if let Some(first) = names.insert(name.to_ascii_lowercase(), name) {
                return Some(format!(
                    "{side}.options: `{first}` and `{name}` are one option\nhint: keep one of them"
                ));
            }
        }
        names.get("uci_chess960").map(|name| {
            format!("{side}.options.{name}: the openings decide it, game by game\nhint: take it out")
        })
    }

    /// The settings in the spec's own words, without a level.
    pub(super) fn settings(&self) -> Vec<(String, String)> {
        let threads = self.threads.map(|value| ("Threads".to_owned(), value.to_string()));
        let hash = self.hash.map(|value| ("Hash".to_owned(), value.to_string()));
        let others = self.options.iter().map(|(name, value)| (name.clone(), value.to_string()));
        threads.into_iter().chain(others).chain(hash).collect()
    }
}
