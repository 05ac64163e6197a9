//! `elometer audit stability`.

use clap::Args;
use serde_json::json;

use super::arguments::{JudgeArguments, WorkArguments};
use super::input::InputArguments;
use super::setup::Setup;
use super::words::{most_not_judged_words, percent};
use crate::audit::{AuditError, AuditMove, GradeClass, Stability, audit_moves, grade_at, is_most, stability};
use crate::cli::exit::{CommandResult, Exit, Failure};
use crate::cli::format::DataFormat;
use crate::cli::print::{self, count};
use crate::report::{Column, Table, TableFormat};
use crate::uci::process::Budget;

/// Version of the JSON that `audit stability` prints.
const FORMAT_VERSION: u32 = 1;

/// Grade the same moves twice, at two budgets or by two judges, and say how far the grades agree.
#[derive(Debug, Args)]
pub(super) struct StabilityArguments {
    #[command(flatten)]
    input: InputArguments,
    #[command(flatten)]
    judge: JudgeArguments,
    #[command(flatten)]
    work: WorkArguments,
    /// Nodes of the second grading [default: as the first].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
        conflicts_with = "against_depth", required_unless_present_any = ["against_depth", "against_judge"])]
    against_nodes: Option<u64>,
    /// Plies of the second grading.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    against_depth: Option<u32>,
    /// The second judge [default: the first].
    #[arg(long, value_name = "ENGINE")]
    against_judge: Option<String>,
    /// How to print.
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    format: DataFormat,
}

/// Runs the command.
pub(super) fn run(arguments: &StabilityArguments) -> CommandResult {
    if arguments.input.positions.is_some() || arguments.judge.wants_self() {
        let error = anyhow::anyhow!(
            "stability grades moves of games\nhint: give a run folder or a PGN, and no `self`"
        );
        return Err(Failure::new(Exit::Usage, error));
    }
    let first = arguments.judge.start()?;
    let second = match &arguments.against_judge {
        Some(name) => arguments.judge.start_other(name)?,
        None => first.clone(),
    };
    let budget = arguments.judge.budget();
    let against = match (arguments.against_depth, arguments.against_nodes) {
        (Some(depth), _) => Budget::Depth(depth),
        (None, Some(nodes)) => Budget::Nodes(nodes),
        (None, None) => budget,
    };
    let input = arguments.input.read()?;
    let moves = audit_moves(&input.games);
    if moves.is_empty() {
        return Err(AuditError::NoMoves { subject: input.subject }.into());
    }
    let threads = first.threads().max(second.threads());
    let mut setup = Setup::new(&arguments.work, arguments.input.default_store(), threads)?;
    let all: Vec<&AuditMove> = moves.iter().collect();
    let graded = setup.work(|work, watch| {
        let one = grade_at(&first, &all, budget, "first grading", work, watch)?;
        let other = grade_at(&second, &all, against, "second grading", work, watch)?;
        Ok((one, other))
    });
    let (one, other) = match graded {
        Ok(graded) => graded,
        Err(error) => return setup.end(error),
    };
    setup.note_time();
    first.check_files()?;
    second.check_files()?;
    let found = stability(&moves, &one, &other);
    let titles =
        [(&first, budget), (&second, against)].map(|(judge, budget)| format!("{}, {budget}", judge.name()));
    print::data(&write(arguments.format, &found, &titles, moves.len())?)?;
    if is_most(found.not_judged, moves.len()) {
        print::warning(&most_not_judged_words(found.not_judged, moves.len()));
        return Ok(Exit::Inconclusive);
    }
    Ok(if found.agreement.is_some() { Exit::Ok } else { Exit::Inconclusive })
}

fn write(
    format: DataFormat,
    found: &Stability,
    titles: &[String; 2],
    moves: usize,
) -> Result<Vec<u8>, Failure> {
    let bad = |error: std::io::Error| Failure::new(Exit::Internal, error);
    let [first, second] = titles;
    let mut output = Vec::new();
    let Some(form) = format.table() else {
        let value = json!({
            "format_version": FORMAT_VERSION,
            "first": first,
            "second": second,
            "classes": GradeClass::ALL,
            "table": found.table,
            "not_judged": found.not_judged,
            "agreement": found.agreement,
        });
        serde_json::to_writer_pretty(&mut output, &value).map_err(|error| bad(error.into()))?;
        output.push(b'\n');
        return Ok(output);
    };
    let mut table = Table::new(vec![Column::words("first")]);
    table.columns.extend(GradeClass::ALL.map(|class| Column::numbers(class.name())));
    for (class, row) in GradeClass::ALL.into_iter().zip(&found.table) {
        table
            .rows
            .push(std::iter::once(class.name().to_owned()).chain(row.iter().map(u64::to_string)).collect());
    }
    table.caption =
        format!("{} graded twice: down {first}; across {second}. {}.", count(moves, "move"), sentence(found));
    if form == TableFormat::Text {
        output.extend_from_slice(format!("down       {first}\nacross     {second}\n\n").as_bytes());
    }
    table.write(&mut output, form).map_err(bad)?;
    if form == TableFormat::Text {
        output.extend_from_slice(format!("\n{}\n", sentence(found)).as_bytes());
    }
    Ok(output)
}

fn sentence(found: &Stability) -> String {
    let Some(agreement) = &found.agreement else { return "nothing to compare".to_owned() };
    let kappa = match (agreement.kappa, agreement.interval) {
        (Some(kappa), Some([low, high])) => format!("Cohen's kappa {kappa:.3}, 95 % [{low:.3}, {high:.3}]"),
        (Some(kappa), None) => format!("Cohen's kappa {kappa:.3}, without an interval"),
        (None, _) => "no kappa: chance alone agrees".to_owned(),
    };
    let neighbours = agreement.neighbours.map_or_else(String::new, |share| {
        format!("; of the changes {} % go to a neighbouring class", percent(Some(share)))
    });
    let not_judged = match found.not_judged {
        0 => String::new(),
        moves => format!("; {} not judged", count(moves, "move")),
    };
    format!(
        "agreement {} % of {} ({} % by chance); {kappa}{neighbours}{not_judged}",
        percent(Some(agreement.observed)),
        count(agreement.count, "move"),
        percent(Some(agreement.by_chance))
    )
}
