//! An engine that is asked about positions: the judge, the subject as its own judge, the subject
//! answering live.
//!
//! Invariant: every search starts from a cleared state (`ucinewgame`), so that an answer depends on
//! the position, the task and the budget alone, and may be kept.

use serde::{Deserialize, Serialize};

use super::error::AuditError;
use super::position::Root;
use crate::arena::{History, Limits};
use crate::chess::{Bound, CastlingMode, Score, StartPosition, parse_engine_move, uci};
use crate::ladder::{EngineFiles, EngineSetup, Greeting, Identity, file_sha256, strength_fault};
use crate::uci::process::{
    Asked, Budget, Engine, EngineFault, Launch, LimitUse, SearchOutcome, SearchReport, SearchRequest,
    Searched, check_options, declared_default, is_decisive,
};
use crate::uci::protocol::{Info, OptionDeclaration, OptionKind, visible};

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
    /// Positions found in tablebases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tbhits: Option<u64>,
    /// How long the search took, in microseconds. Nothing that is written depends on it.
    pub search_us: u64,
}

impl Answer {
    /// What the search used of its limit, as the engine reported it.
    #[must_use]
    pub fn searched(&self) -> Searched {
        let depth = self.scored.first().and_then(|scored| scored.depth);
        Searched { nodes: self.nodes, depth, time_ms: None }
    }

    /// Whether the search used less than a tenth of its limit without a reason to stop: it reports no
    /// mate and nothing out of tablebases.
    #[must_use]
    pub fn is_short(&self, budget: Budget) -> bool {
        let may_stop = self.scored.first().is_some_and(|scored| is_decisive(scored.score))
            || self.tbhits.is_some_and(|hits| hits > 0);
        !may_stop && Asked::from(budget).use_by(&self.searched()) == Some(LimitUse::Below)
    }
}

/// An engine that has been started once, with everything that is set for it.
#[derive(Clone, Debug)]
pub struct AuditEngine {
    setup: EngineSetup,
    launch: Launch,
    files: EngineFiles,
    name: String,
    declared: Vec<OptionDeclaration>,
    settings: Vec<(String, String)>,
    identity: Identity,
    key: String,
    role: Role,
    hint: Vec<(String, String)>,
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
    /// and 16 MB of hash unless given, and what its role needs, each where it is declared. `hint` are
    /// the options that switch its hint mode on; where none are named, an on-off option with `hint` in
    /// its name.
    ///
    /// # Errors
    /// The engine does not start or does not take an option, an option would have no effect, or a file
    /// that makes the engine cannot be read.
    pub fn start(
        setup: EngineSetup,
        options: &[(String, String)],
        role: Role,
        hint: &[(String, String)],
    ) -> Result<Self, AuditError> {
        let launch = setup.launch()?;
        let greeting = Greeting::hear(&launch)?;
        let (name, declared) = (greeting.name.clone(), greeting.declared.clone());
        let given = check_options(&name, &declared, options)?;
        if let Some(error) = strength_fault(&name, &declared, &given, false) {
            return Err(error.into());
        }
        let hint = match check_options(&name, &declared, hint)? {
            named if !named.is_empty() => named,
            _ => guessed_hint(&declared).into_iter().collect(),
        };
        let settings = check_options(&name, &declared, &completed(&declared, given, role, &hint))?;
        let greeted = greeting.with(&settings);
        let files = setup.files(&launch, greeted)?;
        let identity = setup.identity(&launch, greeted, Limits::default(), History::default())?;
        let key = identity.key().chars().take(16).collect();
        Ok(Self { setup, launch, files, name, declared, settings, identity, key, role, hint })
    }

    /// The same engine with its hint mode on; none where it has none.
    ///
    /// # Errors
    /// The engine does not start again.
    pub fn with_hint(&self) -> Result<Option<Self>, AuditError> {
        if self.hint.is_empty() {
            return Ok(None);
        }
        let mut options = self.settings.clone();
        replace(&mut options, &self.hint);
        Self::start(self.setup.clone(), &options, self.role, &self.hint).map(Some)
    }

    /// The name it gave, else what it was started as.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Who it is; what bounds its searches is not part of it, see [`AuditEngine::identity_at`].
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Who it is under this budget.
    #[must_use]
    pub fn identity_at(&self, budget: Budget) -> Identity {
        let Asked { nodes, depth, .. } = Asked::from(budget);
        Identity { limits: Limits { nodes, depth, ..Limits::default() }, ..self.identity.clone() }
    }

    /// What its answers are kept under.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Whether its program is a script whose own files nobody listed.
    #[must_use]
    pub fn is_unlisted_script(&self) -> bool {
        self.setup.is_unlisted_script(&self.launch)
    }

    /// The option that limits its strength, with its value: `UCI_LimitStrength`, or a `Skill Level`
    /// below the largest.
    #[must_use]
    pub fn limited_by(&self) -> Option<&(String, String)> {
        self.settings.iter().find(|(name, value)| {
            let skill = self.declared.iter().find(|option| option.is_named("Skill Level"));
            let most = skill.and_then(|option| match option.kind {
                OptionKind::Spin { max, .. } => max,
                _ => None,
            });
            match name.to_ascii_lowercase().as_str() {
                "uci_limitstrength" => value == "true",
                "skill level" => value.parse::<i64>().ok() < most,
                _ => false,
            }
        })
    }

    /// Looks at the program and the files that make it again.
    ///
    /// # Errors
    /// [`AuditError::EngineChanged`] where one is not what it was at the start.
    pub fn check_files(&self) -> Result<(), AuditError> {
        let program = &self.launch.program;
        let is_same = file_sha256(program).is_ok_and(|sha256| sha256 == self.identity.program.program_sha256);
        let changed = if is_same { self.files.first_changed() } else { Some(program.as_path()) };
        changed.map_or(Ok(()), |path| {
            Err(AuditError::EngineChanged { engine: self.name.clone(), path: path.to_owned() })
        })
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
            let (engine, fen) = (self.name.clone(), root.fen.clone());
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

/// Options with those that a role needs and nobody set, and those that it must have.
fn completed(
    declared: &[OptionDeclaration],
    mut settings: Vec<(String, String)>,
    role: Role,
    hint: &[(String, String)],
) -> Vec<(String, String)> {
    let find = |name: &str| declared.iter().find(|option| option.is_named(name));
    let mut set = |name: &str, value: &str, overrule: bool| {
        let is_given = settings.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
        let takes = find(name).is_some_and(|option| option.check(value).is_ok());
        if takes && (overrule || !is_given) {
            replace(&mut settings, &[(name.to_owned(), value.to_owned())]);
        }
    };
    set("Threads", "1", false);
    set("Hash", "16", false);
    match role {
        Role::Judge => set("UCI_ShowWDL", "true", false),
        Role::OwnJudge => set("UCI_LimitStrength", "false", true),
        Role::Player => return settings,
    }
    // What would spoil the scores unless it is switched off.
    for name in ["UCI_LimitStrength", "OwnBook"] {
        if find(name).and_then(declared_default).as_deref() == Some("true") {
            set(name, "false", false);
        }
    }
    // An engine that chooses imperfectly reports the score of its choice, which judges nothing.
    for (name, value) in hint {
        set(name, value, role == Role::OwnJudge);
    }
    settings
}

/// Sets options in place of what they were.
fn replace(settings: &mut Vec<(String, String)>, with: &[(String, String)]) {
    settings.retain(|(given, _)| !with.iter().any(|(name, _)| name.eq_ignore_ascii_case(given)));
    settings.extend_from_slice(with);
}

/// The hint mode's option where nobody names it: an on-off option with `hint` in its name.
fn guessed_hint(declared: &[OptionDeclaration]) -> Option<(String, String)> {
    let is_hint = |option: &&OptionDeclaration| {
        matches!(option.kind, OptionKind::Check { .. }) && option.name.to_ascii_lowercase().contains("hint")
    };
    declared.iter().find(is_hint).map(|option| (option.name.clone(), "true".to_owned()))
}

/// What a report says, with every move in this crate's notation; the error says what is wrong.
fn answer(report: &SearchReport, root: &Root, task: &Task) -> Result<Answer, String> {
    let start = StartPosition::from_fen(&root.fen).map_err(|error| error.to_string())?;
    let read = |text: &str| {
        let (m, _) = parse_engine_move(start.position(), text)
            .map_err(|error| format!("its move `{}` is {error}", visible(text)))?;
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
    let tbhits = report.lines.iter().filter_map(|line| line.tbhits).max().filter(|hits| *hits > 0);
    Ok(Answer { best_move, scored, nodes: report.nodes(), tbhits, search_us })
}
