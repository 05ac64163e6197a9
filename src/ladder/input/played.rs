//! What comes out of the inputs: results of one subject, a pool of players, units in their order.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;

use serde::Serialize;

use super::super::limits_used::LimitsUsed;
use super::super::probe::Role;
use super::levels::{LevelSource, PlayerLevel};
use super::pairs::PairSource;
use crate::ladder::identity::IdentityPart;
use crate::rating::{Ladder, Meeting};

/// Why a game is not in the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum UnusedReason {
    /// No result (`*`).
    Unfinished,
    /// No rule tells the opponent's level.
    UnknownLevel,
    /// The subject did not play.
    NotTheSubjects,
    /// The subject, or in a pool anyone, played itself.
    AgainstItself,
    /// A move, the variant or the result cannot be read.
    Unreadable,
    /// No names of players.
    NoPlayers,
    /// In a pair that was left out, a game of it having been void each time.
    VoidPair,
    /// In two folders of one run: counted in the first.
    Duplicate,
}

/// Games that are not in the ladder, by reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unused {
    /// Why.
    pub reason: UnusedReason,
    /// How many.
    pub games: u64,
    /// The first of them, where there is more to say.
    pub first: Option<String>,
}

/// What the user should know about how the inputs were taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Notice {
    /// An input that was given before, by its path or its bytes: counted once.
    SameInput {
        /// The one not counted.
        source: String,
        /// The one counted.
        earlier: String,
    },
    /// A file inside a run folder that was given too: its games are the folder's, counted once.
    InsideRun {
        /// The file.
        source: String,
        /// The folder.
        folder: String,
    },
    /// Runs of one subject against different opponents were put together.
    ConditionsDiffer {
        /// Each, once.
        conditions: Vec<Conditions>,
        /// In what the opponents differ.
        parts: Vec<IdentityPart>,
    },
    /// Players that runs call by several names and that are equal in program, options and limits.
    EqualIdentities {
        /// Each such player.
        players: Vec<SamePlayer>,
    },
    /// Parts that plans of 0.1 leave open were taken as equal.
    PartsNotTold {
        /// The players.
        players: Vec<String>,
        /// The parts, with what the other plan says.
        parts: Vec<IdentityPart>,
    },
    /// Files stand beside run folders: their players are known by name alone.
    NamesAlone {
        /// The files.
        files: Vec<String>,
    },
    /// A name in a file that several players of runs have: it is kept apart from them.
    NameOfSeveral {
        /// The name.
        name: String,
        /// What the file's player is called.
        shown: String,
        /// The runs' players of that name.
        players: Vec<String>,
    },
    /// A run's limits end searches of limited opponents before they pick their move: see
    /// [`crate::ladder::early_end_words`].
    LimitTooLow {
        /// The run, and what is too low.
        words: String,
    },
    /// Names in the table of levels that no game has.
    NamesWithoutGames {
        /// The names.
        names: Vec<String>,
    },
    /// The table or the pattern gave another level than games state.
    LevelsOverruled {
        /// How many games.
        games: u64,
    },
    /// A pattern that would read levels from the names of opponents without one.
    PatternPossible {
        /// For `--level-pattern`.
        pattern: String,
        /// Such a name.
        name: String,
    },
    /// Pairs of one point in CSV, two draws or a win and a loss: shown as draws. The rating is not
    /// changed by it.
    EvenPairs {
        /// How many pairs.
        pairs: u64,
    },
}

/// One player with several names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct SamePlayer {
    /// What it is called: the name that comes first in the inputs.
    pub name: String,
    /// What it is called elsewhere.
    pub also: Vec<String>,
}

impl Notice {
    /// `warning` for what can make the number another one than it looks, else `note`.
    #[must_use]
    pub fn severity(&self) -> &'static str {
        if self.is_of_different_opponents() { "warning" } else { "note" }
    }

    /// Whether games against different opponents were put together.
    #[must_use]
    pub fn is_of_different_opponents(&self) -> bool {
        matches!(self, Self::ConditionsDiffer { .. })
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameInput { source, earlier } => write!(f, "{source} is {earlier} again: counted once"),
            Self::InsideRun { source, folder } => {
                write!(f, "{source} holds games of the run {folder}: counted once")
            }
            Self::ConditionsDiffer { conditions, parts } => {
                write!(
                    f,
                    "games against different opponents are put together, levels of one number as one level"
                )?;
                conditions
                    .iter()
                    .try_for_each(|one| write!(f, "\n  {} against {}", one.subject, one.opponent))?;
                parts.iter().try_for_each(|part| write!(f, "\n  the opponents differ in {part}"))
            }
            Self::EqualIdentities { players } => {
                let one =
                    |player: &SamePlayer| format!("`{}` (also `{}`)", player.name, player.also.join("`, `"));
                let players: Vec<String> = players.iter().map(one).collect();
                write!(f, "equal in program, options and limits, so one player each: {}", players.join(", "))
            }
            Self::PartsNotTold { players, parts } => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                write!(
                    f,
                    "a plan of elometer 0.1 does not tell all of {}; taken as equal: {}",
                    players.join(", "),
                    parts.join("; ")
                )
            }
            Self::NamesAlone { files } => write!(
                f,
                "games from {} tell no program, options or limits: their players are matched by name alone",
                files.join(", ")
            ),
            Self::NameOfSeveral { name, shown, players } => {
                write!(f, "`{name}` in a file may be any of {}: kept apart as `{shown}`", players.join(" / "))
            }
            Self::LimitTooLow { words } => f.write_str(words),
            Self::NamesWithoutGames { names } => {
                write!(f, "no games of these names in the table of levels: {}", names.join(", "))
            }
            Self::LevelsOverruled { games } => {
                write!(f, "games whose own level the table or pattern overruled: {games}")
            }
            Self::PatternPossible { pattern, name } => write!(
                f,
                "a number in a name is no level by itself (`{name}`); if it is, say --level-pattern '{pattern}'"
            ),
            Self::EvenPairs { pairs } => write!(
                f,
                "pairs of one point, two draws or a win and a loss: {pairs}; shown as draws, so draw models and \
                 lines that take games as observations are off"
            ),
        }
    }
}

/// The two sides of a run: name, limits, options.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Conditions {
    /// The subject's.
    pub subject: String,
    /// The opponent's, and what its levels are.
    pub opponent: String,
}

/// What follows the opponent's summary where levels are its `UCI_Elo`.
pub(super) const UCI_ELO_WORDS: &str = ", levels are UCI_Elo";

impl Conditions {
    /// Whether the levels are `UCI_Elo` of the opponent, not ratings of somebody else's.
    #[must_use]
    pub fn levels_are_uci_elo(&self) -> bool {
        self.opponent.ends_with(UCI_ELO_WORDS)
    }
}

/// How the units were told, in pairs and games. Counts of CSV are not in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PairCounts {
    /// Pairs by what told them.
    pub pairs: BTreeMap<PairSource, u64>,
    /// Games that count and have no partner that does.
    pub single_games: u64,
}

/// The results of one subject, ready for [`crate::rating::fit`].
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// Where they came from, as the user named it.
    pub source: String,
    /// The subject's name; unknown in CSV.
    pub subject: Option<String>,
    /// The games by level and unit.
    pub ladder: Ladder,
    /// Standard errors of levels where a table gives them, by level; the largest of its names.
    pub level_sigmas: Vec<(f64, f64)>,
    /// The games left out, in the order of [`UnusedReason`].
    pub unused: Vec<Unused>,
    /// How pairs were told.
    pub pairs: PairCounts,
    /// Games by where their opponent's level was found.
    pub level_sources: BTreeMap<LevelSource, u64>,
    /// Games whose level was read from the opponent's name, by the pattern or the word `Elo`.
    pub levels_from_names: u64,
    /// Games that the subject lost by a fault, by cause in the source's words.
    pub lost_by_faults: BTreeMap<String, u64>,
    /// What the games were played with, where every input tells and all tell the same.
    pub conditions: Option<Conditions>,
    /// What the engines of each run used of their limits.
    pub limits_used: Vec<RunLimits>,
    /// What else to know.
    pub notices: Vec<Notice>,
}

impl Results {
    /// The conditions as they are named beside a result: with what was observed where a limit was not
    /// kept. To tell whether two are equal take [`Results::conditions`].
    #[must_use]
    pub fn shown_conditions(&self) -> Option<Conditions> {
        let mut shown = self.conditions.clone()?;
        let scale = if shown.levels_are_uci_elo() { UCI_ELO_WORDS } else { "" };
        // The first of several parts of a run is the one shown.
        for RunLimits { used, .. } in self.limits_used.iter().rev().filter(|run| run.used.concern.is_some()) {
            match used.side {
                Role::Subject => shown.subject.clone_from(&used.summary),
                Role::Opponent => shown.opponent = format!("{}{scale}", used.summary),
            }
        }
        Some(shown)
    }
}

/// What an engine of one run used of its limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunLimits {
    /// The run, as the user named it.
    pub source: String,
    /// What was used.
    #[serde(flatten)]
    pub used: LimitsUsed,
}

/// A player of a pool. A name that plays at several stated levels is a player at each, unless it is
/// a subject.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PoolPlayer {
    /// The name, with the level in parentheses where the name has several.
    pub name: String,
    /// Its level, if known; a subject has none.
    pub level: Option<PlayerLevel>,
    /// Games that count.
    pub games: u64,
}

/// The games of all players with each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Where they came from.
    pub source: String,
    /// By name, then level: the places that meetings name.
    pub players: Vec<PoolPlayer>,
    /// By first, then second player; first is always the smaller.
    pub meetings: Vec<Meeting>,
    /// Games that repeat an earlier one; each is in its original's unit.
    pub copied_games: u64,
    /// The games left out.
    pub unused: Vec<Unused>,
    /// How pairs were told.
    pub pairs: PairCounts,
    /// What the engines of each run used of their limits.
    pub limits_used: Vec<RunLimits>,
    /// What else to know.
    pub notices: Vec<Notice>,
}

/// One observation of the subject, in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedUnit {
    /// The opponent's name.
    pub opponent: String,
    /// Its level, if known.
    pub level: Option<PlayerLevel>,
    /// The opening, if it can be told; equal numbers are equal openings, in any input of one kind.
    pub opening: Option<NonZeroU32>,
    /// 2 for a pair, 1 for a single game.
    pub games: u32,
    /// The subject's score in half points.
    pub half_points: u32,
}

/// The observations of one subject in the order they were planned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnitSequence {
    /// By input; within one by the plan, by `Round` where every unit has one, else as they stand.
    pub units: Vec<PlayedUnit>,
    /// Units left out because all their games repeat earlier ones.
    pub copies: u64,
}
