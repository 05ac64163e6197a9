//! The audit itself.

use std::path::{Path, PathBuf};

use clap::Args;

use super::arguments::{JudgeArguments, WorkArguments, once};
use super::document::{Document, write};
use super::input::{Input, InputArguments};
use super::setup::Setup;
use super::{kept_files, words};
use crate::audit::{
    AuditEngine, AuditError, AuditMove, Audited, BudgetUse, HintVerdict, Independence, MoveGrades, Overall,
    Role, Root, Rule, Searcher, Store, Task, answer_positions, audit_moves, check_hint, grade_by_itself,
    grade_moves, is_wide, larger_budgets, read_positions,
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
    /// An option that switches the subject's hint mode on, of any type (may be repeated) [default: an
    /// on-off option with `hint` in its name].
    #[arg(long = "hint-option", value_name = "NAME=VALUE", value_parser = crate::cli::check::setting)]
    hint_options: Vec<(String, String)>,
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
    once("--hint-option", &arguments.hint_options)?;
    if !arguments.hint_options.is_empty()
        && arguments.input.positions.is_none()
        && !arguments.judge.wants_self()
    {
        let error = anyhow::anyhow!(
            "--hint-option: no engine is asked for hints\nhint: give --positions with --engine, or --judge self; the \
             judge's own options are --judge-option"
        );
        return Err(Failure::new(Exit::Usage, error));
    }
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
    let hint = &arguments.hint_options;
    let subject = arguments.input.engine.start(None, Role::Player, hint, arguments.judge.deadline_ms())?;
    let budget = arguments.input.engine.budget(None);
    let games = setup.work(|work, watch| answer_positions(&subject, positions, budget, work, watch))?;
    let moves = audit_moves(&games).into_iter().zip(positions);
    // As they were asked: by FEN, the initial position too.
    let moves: Vec<AuditMove> = moves.map(|(m, start)| AuditMove { root: Root::of(start), ..m }).collect();
    let used = BudgetUse::of(setup.store(), &subject, Searcher::Subject, &moves, budget, |_| Task::Free);
    let chosen = moves.into_iter().map(|m| (m.root.key, m.chosen)).collect();
    let hint = check_hint(&subject, positions, &chosen, budget, setup.workers(), setup.stop())?;
    subject.check_files()?;
    let name = arguments.input.subject.clone().unwrap_or_else(|| subject.name().to_owned());
    let identity = Some(subject.identity_at(budget));
    Ok((Input { subject: name, games, planned: None, identity, used, kept: None }, hint))
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
        judge.name()
    ));
    let grades = setup.work(|work, watch| grade_moves(judge, &moves, budget, &rule, work, watch))?;
    let own_grades = match &itself {
        None => None,
        Some((subject, budget)) => {
            Some(setup.work(|work, watch| grade_by_itself(subject, &moves, *budget, work, watch))?)
        }
    };
    setup.note_time();
    judge.check_files()?;
    if let Some((subject, _)) = &itself {
        subject.check_files()?;
    }
    let named = match (&input.identity, &itself) {
        (None, Some((subject, _))) => Some(subject.identity().clone()),
        (None, None) if arguments.input.engine.is_named() => {
            let deadline = arguments.judge.deadline_ms();
            let subject = arguments.input.engine.start(None, Role::Player, &[], deadline)?;
            Some(subject.identity().clone())
        }
        _ => None,
    };
    let subject_identity = input.identity.as_ref().or(named.as_ref());
    let independence = Independence::of(&judge.identity_at(budget), subject_identity, &input.subject);
    let used = used(setup.store(), judge, budget, &moves, &grades);
    let itself_used = itself.as_ref().and_then(|(subject, budget)| {
        let is_wide = is_wide(subject, *budget, most_moves(&moves));
        let task = |m: &AuditMove| match u32::try_from(m.legal_moves) {
            Ok(width) if is_wide => Task::All(width),
            _ => Task::Free,
        };
        BudgetUse::of(setup.store(), subject, Searcher::Itself, &moves, *budget, task)
    });
    let audited = Audited {
        rule: &rule,
        games: &input.games,
        moves: &moves,
        grades: &grades,
        own_grades: own_grades.as_deref(),
        hint: &hint,
    };
    let first_use = used.iter().find(|used| used.budget == budget);
    let document = Document {
        audited,
        subject: &input.subject,
        judge: words::judge_words(judge, budget, first_use),
        itself: itself.as_ref().map(|(subject, budget)| {
            let is_wide = is_wide(subject, *budget, most_moves(&moves));
            words::itself_words(subject, *budget, is_wide, itself_used.as_ref())
        }),
        budget,
        judge_identity: judge.identity_at(budget),
        judge_limited: judge.limited_by().cloned(),
        independence,
        used: used.into_iter().chain(itself_used).chain(input.used).collect(),
    };
    if arguments.format != DataFormat::Text {
        document.notes().iter().for_each(|note| print::note(&format!("note: {}", words::note_words(note))));
    }
    if audited.overall() == Overall::NotJudged {
        print::warning(&document.not_judged_words());
    }
    kept_files::write(&document, input.kept.as_ref(), arguments.moves.as_deref())?;
    let bytes = match arguments.format {
        DataFormat::Csv => kept_files::rows(&audited)?,
        format => write(&document, format).map_err(|error| Failure::new(Exit::Internal, error))?,
    };
    print::data(&bytes)?;
    Ok(match audited.overall() {
        Overall::Broken => Exit::GateFailed,
        Overall::Unresolved | Overall::NotJudged => Exit::Inconclusive,
        Overall::Kept => Exit::Ok,
    })
}

fn most_moves(moves: &[AuditMove]) -> usize {
    moves.iter().map(|m| m.legal_moves).max().unwrap_or(1)
}

/// What the judge's free searches used, at its first budget and at the larger ones.
fn used(
    store: &Store,
    judge: &AuditEngine,
    budget: Budget,
    moves: &[AuditMove],
    grades: &[MoveGrades],
) -> Vec<BudgetUse> {
    let of = |moves: Vec<&AuditMove>, budget| {
        BudgetUse::of(store, judge, Searcher::Judge, moves, budget, |_| Task::Free)
    };
    let doubtful = moves.iter().zip(grades).filter(|(_, grades)| grades.larger.is_some());
    let doubtful: Vec<&AuditMove> = doubtful.map(|(m, _)| m).collect();
    let first = of(moves.iter().collect(), budget);
    let larger = larger_budgets(budget).map(|budget| of(doubtful.clone(), budget));
    first.into_iter().chain(larger.into_iter().flatten()).collect()
}

/// The subject as its own judge, with its budget.
fn itself(arguments: &MovesArguments, input: &Input) -> Result<(AuditEngine, Budget), Failure> {
    let engine = &arguments.input.engine;
    let planned = input.planned.as_ref();
    let hint = &arguments.hint_options;
    let subject = engine.start(planned, Role::OwnJudge, hint, arguments.judge.deadline_ms())?;
    Ok((subject, engine.budget(planned)))
}
