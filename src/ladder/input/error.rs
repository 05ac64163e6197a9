//! Why results cannot be read.

use std::fmt;
use std::io;

use super::super::error::LadderError;
use super::played::{Unused, UnusedReason};
use crate::chess::pgn::PgnError;
use crate::rating::LevelError;

/// A player in a PGN file and in how many games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerCount {
    /// As the tags name it.
    pub name: String,
    /// Games with it.
    pub games: u64,
}

/// Why results cannot be read. What is wrong with a single PGN game is no such reason: the game is
/// counted as unused.
///
/// A message is whole: it holds what its cause says, so that the hint stays the last line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The file cannot be opened or read.
    #[error("{source_name}: {error}\nhint: give a PGN or CSV file, a run folder, or - for standard input")]
    Io {
        /// The file.
        source_name: String,
        /// What the system says.
        error: io::Error,
    },
    /// The file holds nothing.
    #[error(
        "{source_name}: nothing to read\n\
         hint: give PGN games, or CSV with the header `level,wins,draws,losses`"
    )]
    Empty {
        /// The file.
        source_name: String,
    },
    /// Text that holds no game of two players.
    #[error(
        "{source_name}: no game that can be used{}\n\
         hint: {}",
        counted(unused),
        if *of_run {
            "`elometer run` with the run's spec plays its games"
        } else {
            "give PGN games with White, Black and Result, CSV with the header `level,wins,draws,losses`, or a run \
             folder"
        }
    )]
    NoGames {
        /// The inputs.
        source_name: String,
        /// What was found instead.
        unused: Vec<Unused>,
        /// Whether the inputs are run folders alone.
        of_run: bool,
    },
    /// A CSV header without the columns needed, or with others.
    #[error(
        "{source_name}:{line}: found the header `{found}`, expected `level,wins,draws,losses` or \
         `level,ll,ld,dd_wl,wd,ww`\n\
         hint: {}",
        if found.starts_with("game,pair,") {
            "this is a table of games that elometer wrote: give its run folder or games.pgn"
        } else {
            "name each column once; other columns are not read"
        }
    )]
    Header {
        /// The file.
        source_name: String,
        /// The line.
        line: u64,
        /// The header as found.
        found: String,
    },
    /// A CSV record with too few or too many fields.
    #[error(
        "{source_name}:{line}: found {found} fields, expected {expected}\n\
         hint: give a level and its counts, separated by commas"
    )]
    Fields {
        /// The file.
        source_name: String,
        /// The line.
        line: u64,
        /// Fields found.
        found: usize,
        /// Fields in the header.
        expected: usize,
    },
    /// A CSV field that is no number of its kind.
    #[error("{source_name}:{line}: column `{column}`: found `{found}`, expected {expected}\nhint: {hint}")]
    Field {
        /// The file.
        source_name: String,
        /// The line.
        line: u64,
        /// The column's name.
        column: &'static str,
        /// What stands there.
        found: String,
        /// What may stand there.
        expected: &'static str,
        /// What to do.
        hint: &'static str,
    },
    /// A level that cannot be.
    #[error("{source_name}: {error}")]
    Level {
        /// The file.
        source_name: String,
        /// What is wrong with it.
        error: LevelError,
    },
    /// PGN that cannot be read on.
    #[error("{0}")]
    Pgn(PgnError),
    /// No player, or more than one, is in every game.
    #[error(
        "{source_name}: cannot tell whose rating to fit: {} in every game{}\n\
         hint: name the subject with --subject NAME",
        in_every_game(players, *games), listed(players)
    )]
    AmbiguousSubject {
        /// The file.
        source_name: String,
        /// Games with players.
        games: u64,
        /// All players, most games first.
        players: Vec<PlayerCount>,
    },
    /// Run folders that measure different subjects: their games give no one rating.
    #[error(
        "{source_name}: cannot tell whose rating to fit: the runs measure {} subjects, which differ in program, \
         options or limits{}\n\
         hint: fit them one by one, name one with --subject, `elometer compare` two runs, or rate all together with \
         `elometer fit --pool`",
        players.len(), listed(players)
    )]
    SeveralSubjects {
        /// The inputs.
        source_name: String,
        /// The subjects, most games first.
        players: Vec<PlayerCount>,
    },
    /// A name of several players.
    #[error(
        "{source_name}: `{name}` is the name of {} players, which differ in program, options or limits{}\n\
         hint: give one of these names",
        players.len(), listed(players)
    )]
    AmbiguousName {
        /// The inputs.
        source_name: String,
        /// The name.
        name: String,
        /// The players, most games first.
        players: Vec<PlayerCount>,
    },
    /// The subject asked for does not play.
    #[error(
        "{source_name}: `{subject}` is not a subject of these games{}\nhint: give --subject one of these names",
        listed(players)
    )]
    UnknownSubject {
        /// The file.
        source_name: String,
        /// The name asked for.
        subject: String,
        /// All players, most games first.
        players: Vec<PlayerCount>,
    },
    /// A file of another kind.
    #[error("{source_name}: found {found}, expected PGN, CSV or a run folder\nhint: {hint}")]
    Kind {
        /// The file.
        source_name: String,
        /// What it looks like.
        found: &'static str,
        /// What to do.
        hint: &'static str,
    },
    /// A table of levels that cannot be read.
    #[error(
        "{source_name}:{line}: found `{found}`: {reason}\n\
         hint: a table of levels has the header `name,level` or `name,level,sigma` and a line for each name"
    )]
    LevelTable {
        /// The file.
        source_name: String,
        /// The line.
        line: u64,
        /// What stands there.
        found: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A pattern that does not say where the level stands.
    #[error(
        "`{found}` does not say where in a name the level stands\n\
         hint: write {{level}} once in its place and * for any text: SF-{{level}}"
    )]
    LevelPattern {
        /// The pattern.
        found: String,
    },
    /// Two folders of one run that hold different games under one number.
    #[error(
        "{source_name}: game {game} is not the game that another folder of this run has under that number\n\
         hint: a plan's game is played once; give one of the two folders"
    )]
    Contradiction {
        /// The folder read second.
        source_name: String,
        /// The game's number in the plan.
        game: usize,
    },
    /// Counts without names beside games of several players.
    #[error(
        "{source_name}: counts per level name no players, and a pool needs them\n\
         hint: leave the CSV out, or fit its subject alone"
    )]
    CountsInPool {
        /// The file.
        source_name: String,
    },
    /// Counts where the order of games matters.
    #[error(
        "{source_name}: counts have no order of games, and a sequential test needs one\n\
         hint: give the games as PGN or a run folder"
    )]
    CountsInOrder {
        /// The file.
        source_name: String,
    },
    /// More games than can be numbered.
    #[error("{source_name}: more than 4294967295 games\nhint: fit parts of them")]
    TooMany {
        /// The file being read.
        source_name: String,
    },
    /// A directory that cannot be read as a run folder.
    #[error("{0}")]
    Run(Box<LadderError>),
}

impl From<LadderError> for InputError {
    fn from(error: LadderError) -> Self {
        Self::Run(Box::new(error))
    }
}

impl From<PgnError> for InputError {
    fn from(error: PgnError) -> Self {
        Self::Pgn(error)
    }
}

/// How many players a message lists.
const LISTED: usize = 12;

fn in_every_game(players: &[PlayerCount], games: u64) -> String {
    match players.iter().filter(|player| player.games == games).count() {
        0 => "no player is".to_owned(),
        several => format!("{several} players are"),
    }
}

fn listed(players: &[PlayerCount]) -> impl fmt::Display {
    let mut text = String::new();
    for PlayerCount { name, games } in players.iter().take(LISTED) {
        let plural = if *games == 1 { "" } else { "s" };
        text.push_str(&format!("\n  {name}: {games} game{plural}"));
    }
    if let Some(more) = players.len().checked_sub(LISTED).filter(|more| *more > 0) {
        text.push_str(&format!("\n  and {more} more"));
    }
    text
}

/// `: 3 games unreadable, 1 game without names of players`.
fn counted(unused: &[Unused]) -> String {
    let parts: Vec<String> = unused
        .iter()
        .map(|unused| {
            let what = match unused.reason {
                UnusedReason::Unreadable => "unreadable",
                UnusedReason::NoPlayers => "without names of players",
                _ => "not usable",
            };
            format!("{} {what}", unused.games)
        })
        .collect();
    if parts.is_empty() { String::new() } else { format!(" (games found: {})", parts.join(", ")) }
}
