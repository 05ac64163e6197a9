//! An engine that is asked about positions: the judge, the subject as its own judge, the subject
//! answering live.
//!
//! Invariant: every search starts from a cleared state (`ucinewgame`), so that an answer depends on
//! the position, the task and the budget alone, and may be kept.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::AuditError;
use super::position::Root;
use crate::chess::{Bound, CastlingMode, Score, StartPosition, parse_engine_move, uci};
use crate::ladder::{LadderError, file_sha256, text_sha256};
use crate::uci::process::{
    Budget, Engine, EngineFault, Launch, SearchOutcome, SearchReport, SearchRequest, check_options,
};
use crate::uci::protocol::{Info, OptionDeclaration, OptionKind};

/// The most moves of a line that are kept.
const KEPT_MOVES: usize = 8;

/// What an engine is asked for, which decides what is set beside the user's options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Scores for moves of others: WDL is shown, a hint mode is on.
    Judge,
    /// Scores for its own moves at full strength: limited strength is off, a hint mode on.
    OwnJudge,
    /// Moves, as it plays them.
    Player,
}

/// Who an engine is, as far as its answers go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerIdentity {
    /// The name it gave.
    pub name: String,
    /// SHA-256 of its program.
    pub program_sha256: String,
    /// Its arguments; those that name files are followed by the hash of the file.
    pub arguments: Vec<String>,
    /// What is set, in the order it is sent.
    pub options: Vec<(String, String)>,
}

/// What is searched at a position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// Any move.
    Free,
    /// This move alone (`searchmoves`).
    Only(String),
    /// This many moves, each with an open window (`MultiPV`).
    All(u32),
}

/// A move with its score, from the mover.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoredMove {
    /// The move, as UCI writes it.
    #[serde(rename = "move")]
    pub m: String,
    /// Its score.
    pub score: Score,
    /// Whether the score is the value or a bound.
    #[serde(default, skip_serializing_if = "is_exact")]
    pub bound: Bound,
    /// Wins, draws and losses in thousandths, where the engine tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wdl: Option<[u32; 3]>,
    /// The depth of the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// What was expected after it, the first moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<String>,
}

fn is_exact(bound: &Bound) -> bool {
    *bound == Bound::Exact
}

/// What an engine answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The move it would play.
    pub best_move: String,
    /// What it scored, the best first: one move, or all of one depth. Empty when it reported no score.
    pub scored: Vec<ScoredMove>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// How long the search took, in microseconds. Nothing that is written depends on it.
    pub search_us: u64,
}

/// An engine that has been started once, with everything that is set for it.
#[derive(Clone, Debug)]
pub struct AuditEngine {
    launch: Launch,
    declared: Vec<OptionDeclaration>,
    settings: Vec<(String, String)>,
    identity: AnswerIdentity,
    key: String,
    role: Role,
}

/// Why a search gave no answer.
pub(super) enum Trouble {
    /// The engine failed; a new one may do better.
    Fault(EngineFault),
    /// What it answered is of no use.
    Useless(AuditError),
}

impl From<EngineFault> for Trouble {
    fn from(fault: EngineFault) -> Self {
        Self::Fault(fault)
    }
}

impl AuditEngine {
    /// Starts the engine, checks `options` against what it declares and completes them: one thread
    /// and 16 MB of hash unless given, and what its role needs, each where it is declared.
    ///
    /// # Errors
    /// The engine does not start, or does not take an option.
    pub fn start(launch: Launch, options: &[(String, String)], role: Role) -> Result<Self, AuditError> {
        let program_sha256 = file_sha256(&launch.program)?;
        let engine = Engine::launch(&launch)?;
        let (name, declared) = (engine.name().to_owned(), engine.declared().to_vec());
        engine.quit();
        let mut settings = options.to_vec();
        let mut set = |name: &str, value: &str, overrule: bool| {
            let is_given = settings.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
            let takes = declared.iter().any(|option| option.is_named(name) && option.check(value).is_ok());
            if takes && (overrule || !is_given) {
                settings.retain(|(given, _)| !given.eq_ignore_ascii_case(name));
                settings.push((name.to_owned(), value.to_owned()));
            }
        };
        set("Threads", "1", false);
        set("Hash", "16", false);
        match role {
            Role::Judge => set("UCI_ShowWDL", "true", false),
            Role::OwnJudge => set("UCI_LimitStrength", "false", true),
            Role::Player => {}
        }
        // An engine that chooses imperfectly reports the score of its choice, which judges nothing.
        if let Some(hint) = hint_option(&declared).filter(|_| role != Role::Player) {
            set(&hint, "true", role == Role::OwnJudge);
        }
        let settings = check_options(&name, &declared, &settings)?;
        let arguments =
            launch.arguments.iter().map(|argument| with_hash(argument)).collect::<Result<_, _>>()?;
        let identity = AnswerIdentity { name, program_sha256, arguments, options: settings.clone() };
        let key =
            text_sha256(&serde_json::to_string(&identity).unwrap_or_default()).chars().take(16).collect();
        Ok(Self { launch, declared, settings, identity, key, role })
    }

    /// The same engine with one more option set, where it declares it so.
    ///
    /// # Errors
    /// The engine does not take it.
    pub fn with_option(&self, name: &str, value: &str) -> Result<Self, AuditError> {
        let mut options = self.settings.clone();
        options.retain(|(given, _)| !given.eq_ignore_ascii_case(name));
        options.push((name.to_owned(), value.to_owned()));
        Self::start(self.launch.clone(), &options, self.role)
    }

    /// Who it is.
    #[must_use]
    pub fn identity(&self) -> &AnswerIdentity {
        &self.identity
    }

    /// What its answers are kept under.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The name of its hint mode's option, if it has one: an on-off option with `hint` in its name.
    #[must_use]
    pub fn hint_option(&self) -> Option<String> {
        hint_option(&self.declared)
    }

    /// Whether it can score this many moves in one search.
    #[must_use]
    pub fn can_score(&self, moves: u32) -> bool {
        self.declared
            .iter()
            .any(|option| option.is_named("MultiPV") && option.check(&moves.to_string()).is_ok())
    }

    /// The threads it searches with.
    #[must_use]
    pub fn threads(&self) -> usize {
        let threads = self.settings.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        threads.and_then(|(_, value)| value.parse().ok()).unwrap_or(1).max(1)
    }

    pub(super) fn launch(&self) -> &Launch {
        &self.launch
    }

    /// Searches one position with cleared state.
    pub(super) fn search(
        &self,
        engine: &mut Engine,
        root: &Root,
        budget: Budget,
        task: &Task,
    ) -> Result<Answer, Trouble> {
        engine.new_game(&self.settings_for(root, task))?;
        let mut go = budget.go();
        if let Task::Only(chosen) = task {
            go.searchmoves = vec![chosen.clone()];
        }
        let wait = budget.deadline(&self.launch.deadlines);
        let request = SearchRequest { position: &root.command, go: &go, wait, timed: false, words: None };
        let useless = |engine: &Engine, detail: String, hint: &'static str| {
            let mut context = String::new();
            for (title, lines) in [("last lines", engine.transcript()), ("stderr", engine.stderr_tail())] {
                if !lines.is_empty() {
                    context += &format!("\n  {title}:\n    {}", lines.join("\n    "));
                }
            }
            let (engine, fen) = (self.identity.name.clone(), root.fen.clone());
            Trouble::Useless(AuditError::Answer { engine, fen, detail, context, hint })
        };
        const BY_HAND: &str = "ask it by hand, with the last lines that begin with `>`";
        let report = match engine.search(&request)? {
            SearchOutcome::Answered(report) => report,
            SearchOutcome::Overdue { elapsed, .. } => {
                let detail = format!("no move after {} ms", elapsed.as_millis());
                return Err(useless(engine, detail, "lower the budget, or raise --deadline-ms"));
            }
        };
        let answer = answer(&report, root, task).map_err(|detail| useless(engine, detail, BY_HAND))?;
        let other = |chosen: &str| {
            let scored = answer.scored.iter().map(|scored| &scored.m);
            scored.chain([&answer.best_move]).find(|m| *m != chosen)
        };
        if let Task::Only(chosen) = task
            && let Some(other) = other(chosen)
        {
            let detail = format!("answers {other} to `searchmoves {chosen}`");
            let hint = "a judge must know `go searchmoves`; choose another with --judge";
            return Err(useless(engine, detail, hint));
        }
        if self.role != Role::Player && answer.scored.is_empty() {
            return Err(useless(engine, "it reports no score".to_owned(), BY_HAND));
        }
        Ok(answer)
    }

    fn settings_for(&self, root: &Root, task: &Task) -> Vec<(String, String)> {
        let mut settings = self.settings.clone();
        let mut set = |name: &str, value: String| {
            settings.retain(|(set, _)| !set.eq_ignore_ascii_case(name));
            settings.push((name.to_owned(), value));
        };
        if let Task::All(moves) = task {
            set("MultiPV", moves.to_string());
        }
        if root.mode == CastlingMode::Chess960
            && self.declared.iter().any(|option| option.is_named("UCI_Chess960"))
        {
            set("UCI_Chess960", "true".to_owned());
        }
        settings
    }
}

fn hint_option(declared: &[OptionDeclaration]) -> Option<String> {
    let is_hint = |option: &&OptionDeclaration| {
        matches!(option.kind, OptionKind::Check { .. }) && option.name.to_ascii_lowercase().contains("hint")
    };
    declared.iter().find(is_hint).map(|option| option.name.clone())
}

fn with_hash(argument: &str) -> Result<String, LadderError> {
    let path = Path::new(argument);
    if path.is_file() { Ok(format!("{argument} {}", file_sha256(path)?)) } else { Ok(argument.to_owned()) }
}

/// What a report says, with every move in this crate's notation; the error says what is wrong.
fn answer(report: &SearchReport, root: &Root, task: &Task) -> Result<Answer, String> {
    let start = StartPosition::from_fen(&root.fen).map_err(|error| error.to_string())?;
    let read = |text: &str| {
        let (m, _) = parse_engine_move(start.position(), text)
            .map_err(|error| format!("its move `{text}` is {error}"))?;
        Ok::<_, String>(uci(m, root.mode))
    };
    let Some(text) = &report.best.best_move else {
        return Err(format!("it answers `bestmove {}` though there are legal moves", report.best.token));
    };
    let best_move = read(text)?;
    let scored = |info: &Info| {
        let found = info.score?;
        let (first, then) = match info.pv.split_first() {
            Some((first, then)) => (read(first).ok()?, then),
            None => (best_move.clone(), [].as_slice()),
        };
        let wdl = info.wdl.map(|wdl| [wdl.win, wdl.draw, wdl.loss]);
        let then = then.iter().take(KEPT_MOVES).cloned().collect();
        Some(ScoredMove { m: first, score: found.score, bound: found.bound, wdl, depth: info.depth, then })
    };
    let scored = match task {
        Task::Free | Task::Only(_) => report.lines.first().and_then(scored).into_iter().collect(),
        Task::All(_) => {
            // Moves of two depths cannot be compared.
            let depth = report.lines.first().and_then(|line| line.depth);
            let same = report.lines.iter().filter(|line| line.depth == depth && !line.pv.is_empty());
            same.filter_map(scored).collect::<Vec<_>>()
        }
    };
    let search_us = u64::try_from(report.elapsed.as_micros()).unwrap_or(u64::MAX);
    Ok(Answer { best_move, scored, nodes: report.nodes(), search_us })
}
