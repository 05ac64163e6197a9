//! The run folder: `plan.json`, the journal, and files made from them.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::error::LadderError;
use super::journal::{GameReader, Journal, JournalSummary};
use super::plan::{FIRST_FORMAT_VERSION, FORMAT_VERSION, Plan};
use super::results::RunResults;
use super::whole_file::write_whole;

const PLAN: &str = "plan.json";
const JOURNAL: &str = "games.jsonl";
/// The largest plan read: a million games take about a hundred megabytes.
const LARGEST_PLAN: u64 = 512 << 20;

/// A run folder whose plan has been read.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    plan: Plan,
    seal: String,
    /// The locked journal, where the folder was opened to play.
    lock: Option<File>,
}

impl RunFolder {
    /// Makes the folder for this plan, or opens it when it already holds exactly this plan. Other
    /// processes cannot do the same until the value is dropped, so that nobody else writes a plan, a
    /// game or a derived file meanwhile.
    ///
    /// # Errors
    /// The folder is in use, holds another plan, or cannot be written.
    pub fn create_or_resume(path: &Path, mut plan: Plan) -> Result<Self, LadderError> {
        let file = path.join(PLAN);
        fs::create_dir_all(path).map_err(|error| LadderError::io(path, "create", error))?;
        let lock = Some(Journal::lock(&path.join(JOURNAL))?);
        let old = if file.exists() { Some(Self::open(path)?) } else { None };
        if let Some(old) = &old {
            if old.plan.format_version != FORMAT_VERSION {
                return Err(LadderError::OlderPlan { folder: path.to_owned() });
            }
            plan.adopt_defaults(&old.plan);
        }
        let bytes = plan
            .to_json()
            .map_err(|error| LadderError::damaged(&file, None, format!("cannot be written: {error}")))?;
        let seal = Plan::seal(&bytes);
        if let Some(old) = old {
            if old.seal != seal {
                return Err(LadderError::OtherPlan {
                    folder: path.to_owned(),
                    difference: difference(&old.plan, &plan),
                });
            }
            return Ok(Self { lock, ..old });
        }
        // Games without their plan: only the plan they were played by may be put back.
        Journal::read(&path.join(JOURNAL), &seal, &mut |_, _| Ok(()))?;
        write_whole(&file, &bytes).map_err(|error| LadderError::io(&file, "write", error))?;
        Ok(Self { path: path.to_owned(), seal, plan, lock })
    }

    /// Opens an existing run folder.
    ///
    /// # Errors
    /// No plan there, or not one this elometer reads.
    pub fn open(path: &Path) -> Result<Self, LadderError> {
        let file = path.join(PLAN);
        if path.exists() && !file.exists() {
            return Err(LadderError::NoRun { folder: path.to_owned() });
        }
        let size = fs::metadata(&file).map_err(|error| LadderError::io(&file, "read", error))?.len();
        if size > LARGEST_PLAN {
            return Err(LadderError::damaged(
                &file,
                None,
                format!("{size} bytes, expected at most {LARGEST_PLAN}\nhint: is this a run folder?"),
            ));
        }
        let bytes = fs::read(&file).map_err(|error| LadderError::io(&file, "read", error))?;
        let damaged = |error: serde_json::Error| {
            let reason =
                format!("not a plan: {error}\nhint: restore the file from a copy, or start a new run");
            LadderError::damaged(&file, Some(error.line() as u64), reason)
        };
        let plan: Plan = serde_json::from_slice(&bytes).map_err(damaged)?;
        if !(FIRST_FORMAT_VERSION..=FORMAT_VERSION).contains(&plan.format_version) {
            let reason = format!(
                "format version {}, this elometer reads {FORMAT_VERSION}\nhint: use the elometer that wrote it",
                plan.format_version
            );
            return Err(LadderError::damaged(&file, None, reason));
        }
        if let Some(reason) = plan.fault() {
            let reason = format!("{reason}\nhint: restore the file from a copy, or start a new run");
            return Err(LadderError::damaged(&file, None, reason));
        }
        Ok(Self { path: path.to_owned(), seal: Plan::seal(&bytes), plan, lock: None })
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The plan's seal.
    #[must_use]
    pub fn seal(&self) -> &str {
        &self.seal
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the journal to append to it, with the results it holds.
    ///
    /// # Errors
    /// As [`Journal::open`], and for games that contradict the plan or themselves.
    pub fn open_journal(&self) -> Result<(Journal, RunResults<'_>), LadderError> {
        let path = self.journal_path();
        let file = match &self.lock {
            Some(file) => file.try_clone().map_err(|error| LadderError::io(&path, "write", error))?,
            None => Journal::lock(&path)?,
        };
        let mut results = RunResults::new(&self.plan);
        let journal = Journal::open(&path, file, &self.seal, &mut |game, place| results.add(game, place))?;
        Ok((journal, results))
    }

    /// Reads the journal: its results, and what else it holds.
    ///
    /// # Errors
    /// As [`Journal::read`], and for games that contradict the plan or themselves.
    pub fn read_journal(&self) -> Result<(RunResults<'_>, JournalSummary), LadderError> {
        let mut results = RunResults::new(&self.plan);
        let summary =
            Journal::read(&self.journal_path(), &self.seal, &mut |game, place| results.add(game, place))?;
        Ok((results, summary))
    }

    /// Reads the games themselves.
    ///
    /// # Errors
    /// The journal cannot be opened.
    pub fn game_reader(&self) -> Result<GameReader, LadderError> {
        let path = self.journal_path();
        GameReader::open(&path).map_err(|error| LadderError::io(&path, "read", error))
    }

    /// The journal's file.
    #[must_use]
    pub fn journal_path(&self) -> PathBuf {
        self.path.join(JOURNAL)
    }

    /// Writes a derived file whole or not at all.
    ///
    /// # Errors
    /// The system's word.
    pub fn write_derived(&self, name: &str, bytes: &[u8]) -> Result<(), LadderError> {
        let path = self.path.join(name);
        write_whole(&path, bytes).map_err(|error| LadderError::io(&path, "write", error))
    }
}

/// The parts in which two plans differ, by their names in the spec, each with the old and the new value
/// where a value can be shown.
fn difference(old: &Plan, new: &Plan) -> String {
    let mut parts = Vec::new();
    let mut compare = |part: &str, old: String, new: String| {
        if old != new {
            parts.push(format!("{part}: {old}, {new}"));
        }
    };
    for (side, old, new) in
        [("subject", &old.subject, &new.subject), ("opponent", &old.opponent, &new.opponent)]
    {
        let given = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
        compare(&format!("{side} engine"), old.engine.clone(), new.engine.clone());
        compare(&format!("{side} name"), old.name.clone(), new.name.clone());
        compare(&format!("{side} restart"), old.restart.to_string(), new.restart.to_string());
        compare(&format!("{side} words"), given(&old.words), given(&new.words));
    }
    compare("name", old.name.clone(), new.name.clone());
    compare("seed", old.seed.to_string(), new.seed.to_string());
    let date = |plan: &Plan| plan.date.clone().unwrap_or_else(|| "none".to_owned());
    compare("date", date(old), date(new));
    compare("levels", levels(old), levels(new));
    compare("number of games", old.games.len().to_string(), new.games.len().to_string());
    compare("elometer version", old.elometer_version.clone(), new.elometer_version.clone());
    for (side, old, new) in
        [("subject", &old.subject, &new.subject), ("opponent", &old.opponent, &new.opponent)]
    {
        let [before, now] = [old, new].map(|engine| engine.identity(&engine.settings));
        parts.extend(before.differences(&now).iter().map(|part| format!("{side} {part}")));
        if old.deadlines != new.deadlines {
            parts.push(format!("{side} deadlines"));
        }
    }
    if old.adjudication != new.adjudication {
        parts.push("adjudication".to_owned());
    }
    if old.openings_sha256 != new.openings_sha256 || old.openings != new.openings {
        parts.push("openings".to_owned());
    }
    if parts.is_empty() { "its bytes".to_owned() } else { parts.join("; ") }
}

/// The levels, as in `1400 1600`; `none` for a match.
fn levels(plan: &Plan) -> String {
    let levels: Vec<String> =
        plan.rungs.iter().filter_map(|rung| rung.level).map(|level| level.to_string()).collect();
    if levels.is_empty() { "none".to_owned() } else { levels.join(" ") }
}
