//! Answers that are kept, so that an interrupted audit goes on and a second rule costs nothing.
//!
//! Append-only JSON lines: what the file is, then engines and answers as they come. An answer is
//! found by the engine's identity (program, files, arguments, options), the position with the moves that led there,
//! the budget and the task: everything it depends on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::engine::{Answer, AuditEngine, Task};
use super::error::AuditError;
use super::position::Root;
use crate::ladder::{Identity, LineFile};
use crate::uci::process::Budget;

const FORMAT_VERSION: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Evaluations { format_version: u32 },
    Engine { key: String, identity: KeptIdentity },
    Search(Box<SearchLine>),
}

/// Who answered.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum KeptIdentity {
    Now(Box<Identity>),
    /// As 0.1 had it: of an engine that started in the caller's folder, without the files that made it.
    Before {
        program_sha256: String,
    },
}

#[derive(Debug, Serialize, Deserialize)]
struct SearchLine {
    engine: String,
    root: String,
    fen: String,
    budget: Budget,
    task: Task,
    answer: Answer,
}

/// What an answer depends on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    engine: String,
    root: String,
    budget: Budget,
    task: Task,
}

/// The answers, in memory and perhaps on disk.
#[derive(Debug, Default)]
pub struct Store {
    file: Option<LineFile>,
    engines: BTreeSet<String>,
    outdated: BTreeSet<String>,
    answers: BTreeMap<Key, Answer>,
}

impl Store {
    /// Opens or makes the file. A torn last line is cut off and searched again.
    ///
    /// # Errors
    /// In use, or not what [`Store`] wrote.
    pub fn open(path: &Path) -> Result<Self, AuditError> {
        let failed = |error| AuditError::store(path, error);
        let mut file = LineFile::open(path).map_err(failed)?;
        let text = file.read_whole_lines().map_err(failed)?;
        let mut this = Self::default();
        for (index, line) in text.lines().enumerate() {
            this.take_line(line, index == 0).map_err(|reason| {
                let hint = "hint: choose another file with --store, or remove this one and search again";
                AuditError::damaged(path, Some(index as u64 + 1), format!("{reason}\n{hint}"))
            })?;
        }
        if text.is_empty() {
            file.append(&Line::Evaluations { format_version: FORMAT_VERSION }).map_err(failed)?;
        }
        this.file = Some(file);
        Ok(this)
    }

    fn take_line(&mut self, line: &str, first: bool) -> Result<(), String> {
        match serde_json::from_str(line).map_err(|error| format!("not a line of evaluations: {error}"))? {
            Line::Evaluations { format_version: FORMAT_VERSION } if first => {}
            Line::Evaluations { format_version } => {
                return Err(format!("format version {format_version}, this elometer reads {FORMAT_VERSION}"));
            }
            _ if first => return Err("not the beginning of a file of evaluations".to_owned()),
            Line::Engine { key, identity } => {
                if matches!(identity, KeptIdentity::Before { .. }) {
                    self.outdated.insert(key.clone());
                }
                self.engines.insert(key);
            }
            Line::Search(search) => {
                let SearchLine { engine, root, budget, task, answer, .. } = *search;
                // The first answer stays: what was reported from it must be found again.
                self.answers.entry(Key { engine, root, budget, task }).or_insert(answer);
            }
        }
        Ok(())
    }

    /// A kept answer.
    #[must_use]
    pub fn get(&self, engine: &AuditEngine, root: &Root, budget: Budget, task: &Task) -> Option<&Answer> {
        let (engine, root) = (engine.key().to_owned(), root.key.clone());
        self.answers.get(&Key { engine, root, budget, task: task.clone() })
    }

    /// How many answers are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether no answer is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// How many kept answers are of engines that elometer 0.1 identified, without the files that make
    /// them: they are not found again.
    #[must_use]
    pub fn outdated(&self) -> usize {
        self.answers.keys().filter(|key| self.outdated.contains(&key.engine)).count()
    }

    /// Keeps an answer.
    pub(super) fn put(
        &mut self,
        engine: &AuditEngine,
        root: &Root,
        budget: Budget,
        task: &Task,
        answer: &Answer,
    ) -> Result<(), AuditError> {
        if let Some(file) = &mut self.file {
            let key = engine.key();
            if !self.engines.contains(key) {
                let identity = KeptIdentity::Now(Box::new(engine.identity().clone()));
                let line = Line::Engine { key: key.to_owned(), identity };
                file.append(&line).map_err(|error| AuditError::store(file.path(), error))?;
                self.engines.insert(key.to_owned());
            }
            let line = SearchLine {
                engine: key.to_owned(),
                root: root.key.clone(),
                fen: root.fen.clone(),
                budget,
                task: task.clone(),
                answer: answer.clone(),
            };
            file.append(&Line::Search(Box::new(line)))
                .map_err(|error| AuditError::store(file.path(), error))?;
        }
        let (engine, root) = (engine.key().to_owned(), root.key.clone());
        self.answers.insert(Key { engine, root, budget, task: task.clone() }, answer.clone());
        Ok(())
    }
}
