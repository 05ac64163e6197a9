//! `elometer audit optimism`.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::arguments::{JudgeArguments, WorkArguments, store_beside};
use super::setup::Setup;
use super::words::most_not_judged_words;
use crate::audit::{
    AuditError, AuditMove, Optimism, OptimismBin, audit_moves, grade_at, is_most, optimism, read_games,
};
use crate::cli::exit::{CommandResult, Exit, Failure};
use crate::cli::format::DataFormat;
use crate::cli::print::{self, count};
use crate::report::{Column, Table, TableFormat};

/// Version of the JSON that `audit optimism` prints.
const FORMAT_VERSION: u32 = 1;

/// Set the subject's own number for each move against the judge's for the same move.
///
/// How optimistic a number is depends on how the move was chosen, so each input may be named after
/// its policy: `best=runs/full sparring=runs/sparring`. Exit code 6 when no move has both numbers.
#[derive(Debug, Args)]
pub(super) struct OptimismArguments {
    /// Run folders and PGN files, each as PATH or POLICY=PATH; those of one policy add up.
    #[arg(value_name = "[POLICY=]INPUT", required = true)]
    inputs: Vec<String>,
    /// Whose moves, where the inputs do not tell.
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    #[command(flatten)]
    judge: JudgeArguments,
    #[command(flatten)]
    work: WorkArguments,
    /// How to print.
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    format: DataFormat,
}

/// Runs the command.
pub(super) fn run(arguments: &OptimismArguments) -> CommandResult {
    let policies = policies(&arguments.inputs);
    let judge = arguments.judge.start()?;
    let budget = arguments.judge.budget();
    let first = policies.first().and_then(|(_, paths)| paths.first());
    let store = first.and_then(|path| store_beside(path));
    let mut read = Vec::new();
    for (policy, paths) in policies {
        let set = read_games(&paths, arguments.subject.as_deref())?;
        set.notices.iter().for_each(|notice| print::warning(notice));
        let moves = audit_moves(&set.games);
        if moves.is_empty() {
            return Err(AuditError::NoMoves { subject: set.subject }.into());
        }
        read.push((policy, moves));
    }
    let mut setup = Setup::new(&arguments.work, store, judge.threads())?;
    let (mut found, mut not_judged, mut all_moves) = (Vec::new(), 0, 0);
    for (policy, moves) in read {
        let all: Vec<&AuditMove> = moves.iter().collect();
        let what = format!("judging {policy}");
        let graded = setup.work(|work, watch| grade_at(&judge, &all, budget, &what, work, watch));
        match graded {
            Ok(grades) => {
                let numbers = optimism(&moves, &grades);
                not_judged += numbers.not_judged;
                all_moves += moves.len();
                found.push((policy, numbers));
            }
            Err(error) => return setup.end(error),
        }
    }
    setup.note_time();
    judge.check_files()?;
    let judge = format!("{}, {budget}", judge.name());
    print::data(&write(arguments.format, &found, &judge)?)?;
    if is_most(not_judged, all_moves) {
        print::warning(&most_not_judged_words(not_judged, all_moves));
        return Ok(Exit::Inconclusive);
    }
    Ok(if found.iter().any(|(_, found)| found.moves > 0) { Exit::Ok } else { Exit::Inconclusive })
}

/// The inputs by policy, in the order in which policies are first named.
fn policies(inputs: &[String]) -> Vec<(String, Vec<PathBuf>)> {
    let mut policies: Vec<(String, Vec<PathBuf>)> = Vec::new();
    for input in inputs {
        let named = input.split_once('=').filter(|(policy, _)| {
            !policy.is_empty() && policy.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        });
        let (policy, path) = named.unwrap_or(("all", input));
        match policies.iter_mut().find(|(known, _)| known == policy) {
            Some((_, paths)) => paths.push(PathBuf::from(path)),
            None => policies.push((policy.to_owned(), vec![PathBuf::from(path)])),
        }
    }
    policies
}

fn write(format: DataFormat, found: &[(String, Optimism)], judge: &str) -> Result<Vec<u8>, Failure> {
    let bad = |error: std::io::Error| Failure::new(Exit::Internal, error);
    let mut output = Vec::new();
    let Some(form) = format.table() else {
        let policies: Vec<_> =
            found.iter().map(|(policy, found)| json!({ "policy": policy, "optimism": found })).collect();
        let value = json!({ "format_version": FORMAT_VERSION, "judge": judge, "policies": policies });
        serde_json::to_writer_pretty(&mut output, &value).map_err(|error| bad(error.into()))?;
        output.push(b'\n');
        return Ok(output);
    };
    if form == TableFormat::Text {
        output.extend_from_slice(format!("judge      {judge}\n\n").as_bytes());
    }
    let mut table = table(found);
    table.caption = format!(
        "The subject's own number for its move against the judge's ({judge}), in centipawns from the mover; \
         `fitted` is the isotonic fit over all moves of the policy. Moves that the judge sees mate or be mated \
         are counted apart."
    );
    table.write(&mut output, form).map_err(bad)?;
    if form != TableFormat::Csv {
        output.push(b'\n');
        for (policy, found) in found {
            output.extend_from_slice(format!("{policy}: {}\n", sentence(found)).as_bytes());
        }
    }
    Ok(output)
}

fn table(found: &[(String, Optimism)]) -> Table {
    let mut table = Table::new(vec![Column::words("policy"), Column::words("own number")]);
    let columns =
        ["moves", "own median", "judge 10 %", "25 %", "median", "75 %", "90 %", "fitted", "mates", "mated"];
    table.columns.extend(columns.map(Column::numbers));
    for (policy, found) in found {
        for bin in &found.bins {
            let [mates, mated] = bin.mates;
            let whole = |value: Option<f64>| value.map(|value| format!("{value:.0}")).unwrap_or_default();
            let mut row = vec![policy.clone(), range(bin), bin.moves.to_string(), whole(bin.own_median)];
            match bin.judge_quantiles {
                Some(quantiles) => row.extend(quantiles.map(|value| whole(Some(value)))),
                None => row.extend([const { String::new() }; 5]),
            }
            row.extend([whole(bin.fitted), mates.to_string(), mated.to_string()]);
            table.rows.push(row);
        }
    }
    table
}

fn range(bin: &OptimismBin) -> String {
    match (bin.from_cp, bin.below_cp) {
        (Some(from), Some(below)) => format!("{from} to {}", below - 1),
        (None, Some(below)) => format!("below {below}"),
        (Some(from), None) => format!("{from} and more"),
        (None, None) => "any".to_owned(),
    }
}

fn sentence(found: &Optimism) -> String {
    let offset = found.median_offset.map_or_else(
        || "no move with both numbers".to_owned(),
        |offset| {
            format!("own number less judge's {offset:+.0} in the median of {}", count(found.moves, "move"))
        },
    );
    let not_judged = match found.not_judged {
        0 => String::new(),
        moves => format!("; {} not judged", count(moves, "move")),
    };
    format!("{offset}; {} without a number of centipawns{not_judged}", count(found.without_number, "move"))
}
