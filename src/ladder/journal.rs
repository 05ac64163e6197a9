//! The journal, `games.jsonl`: the one source of truth of a run.
//!
//! Its first line, and one more per resumption, tells the session; every other line is a game.
//! A line is written at once and never changed. A last line without its line end is torn: it is
//! put aside and its game is played again.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::error::LadderError;
use crate::arena::{GameRecord, Workers};

/// The version of the journal's lines.
const FORMAT_VERSION: u32 = 1;
/// The longest line read: a game of ten thousand plies has about two megabytes.
const LONGEST_LINE: u64 = 64 << 20;
/// How often a lock is tried, and the pause between: a killed run whose last engine was just being
/// started lets go of its lock a moment after its death.
const LOCK_TRIES: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(50);
/// How a game's line begins: the order of [`GameLine`]'s fields.
const GAME_START: &[u8] = b"{\"game\":";

/// The start of a session: where and when the games after it were played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionLine {
    /// The version of this format.
    pub format_version: u32,
    /// The seal of the plan.
    pub plan_sha256: String,
    /// The version of elometer.
    pub elometer_version: String,
    /// The machine's name.
    pub host: String,
    /// Operating system and architecture.
    pub system: String,
    /// Processors the system reports.
    pub cores: usize,
    /// The model of the processor, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
    /// Load averages at the start, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<String>,
    /// Games at once.
    pub concurrency: usize,
    /// The processors of each game at once, where engines were bound to some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpus: Option<String>,
    /// When, UTC.
    pub started: String,
}

impl SessionLine {
    /// The present session.
    #[must_use]
    pub fn now(plan_sha256: &str, workers: &Workers) -> Self {
        let system = rustix::system::uname();
        let lossy = |text: &std::ffi::CStr| text.to_string_lossy().into_owned();
        Self {
            format_version: FORMAT_VERSION,
            plan_sha256: plan_sha256.to_owned(),
            elometer_version: env!("CARGO_PKG_VERSION").to_owned(),
            host: lossy(system.nodename()),
            system: format!(
                "{} {} {}",
                lossy(system.sysname()),
                lossy(system.release()),
                lossy(system.machine())
            ),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            processor: processor(),
            load: std::fs::read_to_string("/proc/loadavg")
                .ok()
                .map(|text| text.split_whitespace().take(3).collect::<Vec<_>>().join(" ")),
            concurrency: workers.count,
            cpus: (!workers.slots.is_empty())
                .then(|| workers.slots.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")),
            started: jiff::Timestamp::now().to_string(),
        }
    }
}

/// Letters of a processor's name.
const LONGEST_PROCESSOR: usize = 100;

/// What Linux calls the first processor; other systems and some architectures do not tell.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'))?.1;
    let words: Vec<&str> = name.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" ").chars().take(LONGEST_PROCESSOR).collect())
}

/// One finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameLine {
    /// Its number in the plan.
    pub game: usize,
    /// 0 for the first try; more where earlier ones were void.
    pub attempt: u32,
    /// Not counted: the fault was not the subject's.
    pub void: bool,
    /// What happened.
    #[serde(flatten)]
    pub record: GameRecord,
}

/// What a game's line holds beside the record.
#[derive(Deserialize)]
struct GameHead {
    game: usize,
    attempt: u32,
    void: bool,
}

impl GameLine {
    /// Reads a line. Head and record are read one after the other from the same bytes: serde's
    /// `flatten` would make a value of every field first, which takes nearly twice as long.
    ///
    /// # Errors
    /// The parser's word.
    pub(super) fn read(line: &[u8]) -> serde_json::Result<Self> {
        let GameHead { game, attempt, void } = serde_json::from_slice(line)?;
        Ok(Self { game, attempt, void, record: serde_json::from_slice(line)? })
    }
}

/// An open journal, locked against other processes.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// Where the next line begins.
    end: u64,
}

/// Where a game's line stands in the file, so that games need not be kept in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    offset: u64,
    bytes: usize,
}

/// What a journal holds beside its games.
#[derive(Debug, Default)]
pub struct JournalSummary {
    /// Its sessions, in order.
    pub sessions: Vec<SessionLine>,
    /// Bytes of a torn last line.
    pub torn_bytes: u64,
    /// Bytes of the complete lines.
    complete_bytes: u64,
}

/// Takes each game of a journal; what is wrong with one is said in words.
type OnGame<'a> = &'a mut dyn FnMut(&GameLine, Place) -> Result<(), String>;

impl Journal {
    /// Opens the journal's file for writing, making it when absent, and locks it against other
    /// processes for as long as the file is open.
    ///
    /// # Errors
    /// In use, or not to be written.
    pub fn lock(path: &Path) -> Result<File, LadderError> {
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let file = file.map_err(|error| LadderError::io(path, "write", error))?;
        let mut tries = 1;
        loop {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(file),
                Err(Errno::INTR) => {}
                Err(Errno::WOULDBLOCK) if tries < LOCK_TRIES => {
                    tries += 1;
                    sleep(LOCK_PAUSE);
                }
                Err(Errno::WOULDBLOCK) => {
                    return Err(LadderError::InUse { folder: path.parent().unwrap_or(path).to_owned() });
                }
                Err(error) => return Err(LadderError::io(path, "lock", error.into())),
            }
        }
    }

    /// Takes the locked file, reads what it holds and puts a torn last line aside (appended to
    /// `games.jsonl.torn`).
    ///
    /// # Errors
    /// Damaged, or of another plan.
    pub fn open(
        path: &Path,
        mut file: File,
        plan_sha256: &str,
        on_game: OnGame<'_>,
    ) -> Result<Self, LadderError> {
        let write = |error| LadderError::io(path, "write", error);
        file.seek(SeekFrom::Start(0)).map_err(write)?;
        let summary = read_from(path, &file, plan_sha256, on_game)?;
        if summary.torn_bytes > 0 {
            set_aside(path, &mut file, summary.complete_bytes).map_err(write)?;
        }
        let end = file.seek(SeekFrom::End(0)).map_err(write)?;
        Ok(Self { file, path: path.to_owned(), end })
    }

    /// Reads a journal that may be growing meanwhile. An absent one is empty.
    ///
    /// # Errors
    /// Damaged, or of another plan.
    pub fn read(path: &Path, plan_sha256: &str, on_game: OnGame<'_>) -> Result<JournalSummary, LadderError> {
        match File::open(path) {
            Ok(file) => read_from(path, &file, plan_sha256, on_game),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(JournalSummary::default()),
            Err(error) => Err(LadderError::io(path, "read", error)),
        }
    }

    /// Writes the line that opens a session.
    ///
    /// # Errors
    /// The system's word.
    pub fn begin(&mut self, session: &SessionLine) -> io::Result<()> {
        self.append(session).map(|_| ())
    }

    /// Writes a finished game: one write, so that a reader sees all of it or a torn end.
    ///
    /// # Errors
    /// The system's word.
    pub fn add(&mut self, game: &GameLine) -> io::Result<Place> {
        self.append(game)
    }

    fn append(&mut self, line: &impl Serialize) -> io::Result<Place> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        let (open, named) = (self.file.metadata()?, std::fs::metadata(&self.path)?);
        if (open.dev(), open.ino()) != (named.dev(), named.ino()) {
            return Err(io::Error::other("it was removed or replaced while games were played"));
        }
        self.file.write_all(&bytes)?;
        let place = Place { offset: self.end, bytes: bytes.len() };
        self.end += bytes.len() as u64;
        Ok(place)
    }
}

/// Reads single games of a journal whose lines have been checked.
#[derive(Debug)]
pub struct GameReader {
    file: File,
    bytes: Vec<u8>,
}

impl GameReader {
    /// Opens the journal's file.
    ///
    /// # Errors
    /// The system's word.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::open(path)?, bytes: Vec::new() })
    }

    /// Game `number`, which stands at `place`.
    ///
    /// # Errors
    /// The system's word, or a file that has been changed since.
    pub fn read(&mut self, number: usize, place: Place) -> io::Result<GameLine> {
        self.file.seek(SeekFrom::Start(place.offset))?;
        self.bytes.resize(place.bytes, 0);
        self.file.read_exact(&mut self.bytes)?;
        let line = GameLine::read(&self.bytes)?;
        if line.game != number {
            return Err(io::Error::other(format!("game {number} is not where it stood")));
        }
        Ok(line)
    }
}

fn read_from(
    path: &Path,
    file: &File,
    plan_sha256: &str,
    on_game: OnGame<'_>,
) -> Result<JournalSummary, LadderError> {
    let mut contents = JournalSummary::default();
    let mut reader = BufReader::new(file);
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let read = reader
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut bytes)
            .map_err(|error| LadderError::io(path, "read", error))?;
        if read == 0 {
            break;
        }
        if bytes.last() != Some(&b'\n') {
            if bytes.len() as u64 >= LONGEST_LINE {
                return Err(damaged(path, number, &format!("a line of more than {LONGEST_LINE} bytes")));
            }
            contents.torn_bytes = bytes.len() as u64;
            break;
        }
        let place = Place { offset: contents.complete_bytes, bytes: bytes.len() };
        contents.complete_bytes += bytes.len() as u64;
        let unreadable = |error: serde_json::Error| {
            damaged(path, number, &format!("neither a session nor a game: {}", without_place(&error)))
        };
        if bytes.starts_with(GAME_START) {
            if contents.sessions.is_empty() {
                return Err(damaged(path, number, "a game before the line that names the plan"));
            }
            let game = GameLine::read(&bytes).map_err(unreadable)?;
            on_game(&game, place).map_err(|reason| damaged(path, number, &reason))?;
        } else {
            let session = serde_json::from_slice(&bytes).map_err(unreadable)?;
            check_session(path, number, &session, plan_sha256)?;
            contents.sessions.push(session);
        }
    }
    Ok(contents)
}

/// The parser's words without its line and column, which are those of one line.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(words, _)| words.to_owned())
}

/// A line that this program did not write so.
fn damaged(path: &Path, line: u64, reason: &str) -> LadderError {
    let hint = "hint: restore the file from a copy; removing the line makes its game be played again";
    LadderError::damaged(path, Some(line), format!("{reason}\n{hint}"))
}

fn check_session(path: &Path, line: u64, session: &SessionLine, plan: &str) -> Result<(), LadderError> {
    if session.format_version != FORMAT_VERSION {
        let reason = format!(
            "format version {}, this elometer reads {FORMAT_VERSION}\nhint: use the elometer that wrote it",
            session.format_version
        );
        return Err(LadderError::damaged(path, Some(line), reason));
    }
    if session.plan_sha256 != plan {
        let reason = format!(
            "belongs to the plan {}, but plan.json is {plan}\n\
             hint: journal and plan.json must stay together; restore the plan they were made with",
            session.plan_sha256
        );
        return Err(LadderError::damaged(path, Some(line), reason));
    }
    Ok(())
}

/// Moves what follows `complete` bytes to `games.jsonl.torn`.
fn set_aside(path: &Path, file: &mut File, complete: u64) -> io::Result<()> {
    let mut torn = Vec::new();
    file.seek(SeekFrom::Start(complete))?;
    file.read_to_end(&mut torn)?;
    torn.push(b'\n');
    let mut aside: PathBuf = path.to_owned();
    aside.set_extension("jsonl.torn");
    OpenOptions::new().create(true).append(true).open(aside)?.write_all(&torn)?;
    file.set_len(complete)
}
