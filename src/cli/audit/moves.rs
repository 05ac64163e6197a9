//! The audit itself.

use std::path::{Path, PathBuf};

use clap::Args;

use super::arguments::{JudgeArguments, WorkArguments};
use super::document::{Document, write};
use super::input::{Input, InputArguments};
use super::setup::Setup;
use super::{kept_files, words};
use crate::audit::{
    AuditEngine, AuditError, Audited, HintVerdict, Overall, Role, Rule, answer_positions, audit_moves,
    check_hint, grade_by_itself, grade_moves, is_wide, read_positions,
};
use crate::chess::StartPosition;
use crate::cli::exit::{CommandResult, Exit, Failure};
use crate::cli::format::DataFormat;
use crate::cli::print;
use crate::uci::process::Budget;

/// The audit's arguments.
#[derive(Debug, Args)]
pub(super) struct MovesArguments {
    #[command(flatten)]
    input: InputArguments,
    #[command(flatten)]
    judge: JudgeArguments,
    #[command(flatten)]
    work: WorkArguments,
    /// A move that loses more centipawns than this breaks the rule; exactly this is kept.
    #[arg(long, value_name = "CP", default_value_t = Rule::default().limit_cp)]
    rule: u32,
    /// Write the audited moves, a row each, into this file too; audit.csv and audit.json in a run
    /// folder, FILE.audit.csv and FILE.audit.json beside a PGN are written in any case.
    #[arg(long, value_name = "FILE")]
    moves: Option<PathBuf>,
    /// How to print; csv is the audited moves.
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    format: DataFormat,
}

/// Runs the audit.
pub(super) fn run(arguments: &MovesArguments) -> CommandResult {
    // The input comes first: nothing is made beside a file that is not there.
    let source = match &arguments.input.positions {
        None => Source::Games(Box::new(arguments.input.read()?)),
        Some(path) => Source::Positions(positions(path)?),
    };
    let judge = arguments.judge.start()?;
    let mut setup = Setup::new(&arguments.work, arguments.input.default_store(), judge.threads())?;
    let found = match source {
        Source::Games(input) => Ok((*input, not_live())),
        Source::Positions(positions) => answered(arguments, &positions, &mut setup),
    };
    match found.and_then(|(input, hint)| audit(arguments, &judge, &mut setup, &input, hint)) {
        Ok(exit) => Ok(exit),
        Err(Stop::Audit(error)) => setup.end(error),
        Err(Stop::Failure(failure)) => Err(failure),
    }
}

/// What ends an audit early.
enum Stop {
    /// In the middle of searching: what was searched is kept.
    Audit(AuditError),
    /// Before or after.
    Failure(Failure),
}

impl From<AuditError> for Stop {
    fn from(error: AuditError) -> Self {
        Self::Audit(error)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

fn not_live() -> HintVerdict {
    let reason = "no engine answers live (--positions with --engine)".to_owned();
    HintVerdict::NotApplicable { reason }
}

/// What the moves come from.
enum Source {
    Games(Box<Input>),
    Positions(Vec<StartPosition>),
}

fn positions(path: &Path) -> Result<Vec<StartPosition>, Failure> {
    let (positions, repeats) = read_positions(path)?;
    if repeats > 0 {
        print::warning(&format!(
            "{}: {} that repeat another left out",
            path.display(),
            print::count(repeats, "position")
        ));
    }
    Ok(positions)
}

/// The positions, answered, and what the hint mode does.
fn answered(
    arguments: &MovesArguments,
    positions: &[StartPosition],
    setup: &mut Setup,
) -> Result<(Input, HintVerdict), Stop> {
    let subject = arguments.input.engine.start(None, Role::Player, arguments.judge.deadline_ms())?;
    let budget = arguments.input.engine.budget(None);
    let games = setup.work(|work, watch| answer_positions(&subject, positions, budget, work, watch))?;
    let chosen = audit_moves(&games).into_iter().map(|m| (m.root.key, m.chosen)).collect();
    let hint = check_hint(&subject, positions, &chosen, budget, setup.workers(), setup.stop())?;
    let name = arguments.input.subject.clone().unwrap_or_else(|| subject.identity().name.clone());
    Ok((Input { subject: name, games, planned: None, kept: None }, hint))
}

fn audit(
    arguments: &MovesArguments,
    judge: &AuditEngine,
    setup: &mut Setup,
    input: &Input,
    hint: HintVerdict,
) -> Result<Exit, Stop> {
    let rule = Rule { limit_cp: arguments.rule, ..Rule::default() };
    let budget = arguments.judge.budget();
    let moves = audit_moves(&input.games);
    if moves.is_empty() {
        return Err(Failure::from(AuditError::NoMoves { subject: input.subject.clone() }).into());
    }
    let itself = if arguments.judge.wants_self() { Some(itself(arguments, input)?) } else { None };
    print::note(&format!(
        "{} of {}; judge {}, {budget}",
        print::count(moves.len(), "move"),
        input.subject,
        judge.identity().name
    ));
    let grades = setup.work(|work, watch| grade_moves(judge, &moves, budget, &rule, work, watch))?;
    let own_grades = match &itself {
        None => None,
        Some((subject, budget)) => {
            Some(setup.work(|work, watch| grade_by_itself(subject, &moves, *budget, work, watch))?)
        }
    };
    setup.note_time();
    let audited = Audited {
        rule: &rule,
        games: &input.games,
        moves: &moves,
        grades: &grades,
        own_grades: own_grades.as_deref(),
        hint: &hint,
    };
    let most_moves = moves.iter().map(|m| m.legal_moves).max().unwrap_or(1);
    let document = Document {
        audited,
        subject: &input.subject,
        judge: words::judge_words(judge, budget),
        itself: itself.as_ref().map(|(subject, budget)| {
            words::itself_words(subject, *budget, is_wide(subject, *budget, most_moves))
        }),
        budget,
    };
    kept_files::write(&document, input.kept.as_ref(), arguments.moves.as_deref())?;
    let bytes = match arguments.format {
        DataFormat::Csv => kept_files::rows(&audited)?,
        format => write(&document, format).map_err(|error| Failure::new(Exit::Internal, error))?,
    };
    print::data(&bytes)?;
    Ok(match audited.overall() {
        Overall::Broken => Exit::GateFailed,
        Overall::Unresolved => Exit::Inconclusive,
        Overall::Kept => Exit::Ok,
    })
}

/// The subject as its own judge, with its budget.
fn itself(arguments: &MovesArguments, input: &Input) -> Result<(AuditEngine, Budget), Failure> {
    let engine = &arguments.input.engine;
    let planned = input.planned.as_ref();
    let subject = engine.start(planned, Role::OwnJudge, arguments.judge.deadline_ms())?;
    Ok((subject, engine.budget(planned)))
}
