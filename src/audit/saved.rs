//! An audit that was made before, out of its files: for reports.

use std::fs::{self, File};
use std::io::{BufReader, Read as _};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::error::AuditError;
use super::note::AuditNote;
use super::optimism::Optimism;
use super::origin::{AuditFiles, Origin};
use super::quality::Quality;
use crate::ladder::file_sha256;
use crate::uci::process::Budget;

/// The largest `audit.json` read.
const LARGEST: u64 = 1 << 30;
const FORMAT_VERSION: u32 = 1;

/// What `audit.json` holds of an audit, with the rows of `audit.csv`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SavedAudit {
    format_version: u32,
    /// What it was made of; an elometer of before did not say.
    pub origin: Option<Origin>,
    /// SHA-256 of the rows' file.
    rows_sha256: Option<String>,
    /// Whose moves.
    pub subject: String,
    /// Who judged, in words: name, program, budget, options.
    pub judge: String,
    /// The subject as its own judge, in words, where it was asked.
    pub itself: Option<String>,
    /// The judge's first budget; files of an older elometer have none.
    pub budget: Option<Budget>,
    /// A move that loses more centipawns than this breaks the rule.
    pub limit_cp: u32,
    /// Games with an audited move.
    pub games: u64,
    /// Audited moves.
    pub moves: u64,
    /// Those of them that were not judged, as the judge searched too little.
    #[serde(default)]
    pub not_judged: u64,
    /// Whether the judge is the subject's own program.
    #[serde(default)]
    pub judge_is_subject: bool,
    /// What to know beside the numbers; an older elometer had none.
    #[serde(default)]
    pub notes: Vec<AuditNote>,
    /// The quality of groups of moves, all first.
    pub quality: Vec<Quality>,
    /// The subject's numbers against the judge's.
    pub optimism: Optimism,
    /// The tables that the audit printed, by name.
    pub tables: Value,
    /// Its sentences.
    pub sentences: Vec<String>,
    /// The moves, in the order of the games.
    #[serde(skip)]
    pub rows: Vec<SavedMove>,
}

/// One audited move, as `audit.csv` has it; scores are text from the mover, centipawns or `#N`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SavedMove {
    /// Its game: `game 12`.
    pub game: String,
    /// Its place in the game, from 0, those of the opening counted.
    pub ply: usize,
    /// Its number as players count.
    pub number: String,
    /// The position before it.
    pub fen: String,
    /// The move, as UCI writes it.
    #[serde(rename = "move")]
    pub m: String,
    /// As players write it.
    pub san: String,
    /// Who played the other side.
    pub opponent: String,
    /// The subject's own score for it.
    pub reported_score: String,
    /// The best move by the judge's first search.
    pub best_move: String,
    /// Its score.
    pub best_score: String,
    /// The chosen move's.
    pub chosen_score: String,
    /// What the move loses at first.
    pub drop_cp: Option<u32>,
    /// Whether larger budgets were asked.
    pub searched_again: bool,
    /// The best move at the largest budget.
    pub final_best_move: String,
    /// Its score there.
    pub final_best_score: String,
    /// The chosen move's there.
    pub final_chosen_score: String,
    /// What the move loses there.
    pub final_drop_cp: Option<u32>,
    /// The verdict on the drop, an earlier one before an arrow.
    pub drop: String,
    /// The verdict on walking into a mate.
    pub allows_mate: String,
    /// The verdict on letting a mate go.
    pub missed_mate: String,
    /// What the move loses by the subject's own search.
    pub own_drop_cp: Option<u32>,
    /// What it loses on lichess's scale, mates included: 0 to 2000; none where it was not judged.
    pub loss_cp: Option<u32>,
    /// What the subject said with it; rows of an older elometer have none.
    #[serde(default)]
    pub words: String,
    /// Whether it was judged; in rows of an older elometer every move is.
    #[serde(default = "was_judged")]
    pub judged: bool,
}

fn was_judged() -> bool {
    true
}

impl SavedMove {
    /// The final verdicts on the promises.
    fn verdicts(&self) -> [&str; 3] {
        [&self.drop, &self.allows_mate, &self.missed_mate]
            .map(|verdict| verdict.rsplit_once("-> ").map_or(verdict.as_str(), |(_, last)| last))
    }

    /// 2 for a move that breaks a promise, 1 for one that may, 0 for the others.
    #[must_use]
    pub fn gravity(&self) -> u8 {
        let has = |word: &str| self.verdicts().contains(&word);
        if has("broken") { 2 } else { u8::from(has("unresolved")) }
    }

    /// The number of its game in a run folder or a PGN.
    #[must_use]
    pub fn game_number(&self) -> Option<usize> {
        self.game.strip_prefix("game ")?.parse().ok()
    }
}

/// The columns that the rows of every audit begin with.
const FIRST_COLUMNS: &str = "game,ply,number,fen,move,san,";

/// A file that stands where an audit would be written and that no audit wrote, as its beginning
/// tells: the names of the columns, or JSON of an audit.
#[must_use]
pub fn not_of_an_audit(AuditFiles { rows, all }: &AuditFiles) -> Option<&Path> {
    #[derive(Deserialize)]
    struct Head {
        #[serde(rename = "format_version")]
        _format_version: u32,
        #[serde(rename = "subject")]
        _subject: String,
        #[serde(rename = "judge")]
        _judge: String,
    }
    let has_columns = || {
        let mut found = [0; FIRST_COLUMNS.len()];
        let read = File::open(rows).and_then(|mut file| file.read_exact(&mut found));
        read.is_ok() && found == *FIRST_COLUMNS.as_bytes()
    };
    let has_head = || {
        let file = File::open(all).ok().filter(|_| fs::metadata(all).is_ok_and(|all| all.len() <= LARGEST));
        file.is_some_and(|file| serde_json::from_reader::<_, Head>(BufReader::new(file)).is_ok())
    };
    // A FIFO is not opened: that would wait for ever.
    let is_strange = |path: &Path, is_audit: &dyn Fn() -> bool| {
        fs::symlink_metadata(path).is_ok() && !(path.is_file() && is_audit())
    };
    if is_strange(rows, &has_columns) {
        return Some(rows);
    }
    is_strange(all, &has_head).then_some(all)
}

/// What is wrong with the tables: each has `columns`, and `rows` of as many cells.
fn table_fault(tables: &Value) -> Option<String> {
    let Some(tables) = tables.as_object() else {
        return Some("`tables`: expected an object of tables".to_owned());
    };
    tables.iter().find_map(|(name, table)| {
        let list = |key: &str| table.get(key).and_then(Value::as_array);
        let (Some(columns), Some(rows)) = (list("columns"), list("rows")) else {
            return Some(format!("table `{name}`: expected `columns` and `rows`"));
        };
        let cells = |row: &Value| row.as_array().filter(|row| row.iter().all(Value::is_string)).map(Vec::len);
        let (place, row) = rows.iter().enumerate().find(|(_, row)| cells(row) != Some(columns.len()))?;
        let found = cells(row).map_or("no list of texts".to_owned(), |cells| format!("{cells} cells"));
        Some(format!("table `{name}`, row {}: {found}, expected {} cells", place + 1, columns.len()))
    })
}

impl SavedAudit {
    /// The audit in these files; none where one of them is not there.
    ///
    /// # Errors
    /// [`AuditError`] for files that cannot be read, are not what elometer wrote, or are not of one
    /// audit.
    pub fn read(AuditFiles { rows, all }: &AuditFiles) -> Result<Option<Self>, AuditError> {
        if !rows.exists() || !all.exists() {
            return Ok(None);
        }
        let again = "hint: `elometer audit` writes it again, without searching";
        let away = "hint: move it away; `elometer audit` writes it again, without searching";
        // Opening a FIFO would wait for ever.
        if let Some(path) = [rows, all].into_iter().find(|path| !path.is_file()) {
            return Err(AuditError::damaged(path, None, format!("not a file\n{away}")));
        }
        let size = fs::metadata(all).map_err(|error| AuditError::io(all, "read", error))?.len();
        if size > LARGEST {
            return Err(AuditError::damaged(
                all,
                None,
                format!("{size} bytes, expected at most {LARGEST}\n{again}"),
            ));
        }
        let bytes = fs::read(all).map_err(|error| AuditError::io(all, "read", error))?;
        let mut saved: Self = serde_json::from_slice(&bytes).map_err(|error| {
            let line = u64::try_from(error.line()).ok();
            AuditError::damaged(all, line, format!("not an audit: {error}\n{away}"))
        })?;
        if saved.format_version != FORMAT_VERSION {
            let reason = format!(
                "format version {}, this elometer reads {FORMAT_VERSION}\n{again}",
                saved.format_version
            );
            return Err(AuditError::damaged(all, None, reason));
        }
        if let Some(reason) = table_fault(&saved.tables) {
            return Err(AuditError::damaged(all, None, format!("{reason}\n{again}")));
        }
        let mut csv =
            csv::Reader::from_path(rows).map_err(|error| AuditError::io(rows, "read", error.into()))?;
        for row in csv.deserialize() {
            let row = row.map_err(|error: csv::Error| {
                let line = error.position().map(csv::Position::line);
                AuditError::damaged(rows, line, format!("not a row of an audit: {error}\n{again}"))
            })?;
            saved.rows.push(row);
        }
        if saved.rows.len() as u64 != saved.moves {
            let reason = format!(
                "{} rows, but {} has {} moves\n{again}",
                saved.rows.len(),
                all.display(),
                saved.moves
            );
            return Err(AuditError::damaged(rows, None, reason));
        }
        let found = file_sha256(rows)?;
        if let Some(expected) = saved.rows_sha256.as_ref().filter(|expected| **expected != found) {
            let reason = format!("SHA-256 {found}, but {} was made with {expected}\n{again}", all.display());
            return Err(AuditError::damaged(rows, None, reason));
        }
        Ok(Some(saved))
    }
}
