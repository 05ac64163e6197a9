//! `elometer fingerprint check`: the gate.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;

use super::subject::{ConcurrencyArguments, EngineArguments, listen};
use super::{github, take, text};
use crate::arena::Stop;
use crate::cli::exit::{CommandResult, Exit};
use crate::cli::print;
use crate::fingerprint::{Fingerprint, PositionSet, RowLimits, TakeEnd, compare, take as take_fingerprint};

/// Take a fingerprint as a manifest says and compare. Exit code 0 when equal, 5 when not, and 5 when the
/// engine does not keep the limit.
#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    #[command(flatten)]
    engine: EngineArguments,
    /// The manifest: limit, options and positions come from it.
    manifest: PathBuf,
    /// The positions, where they are neither the program's own nor found by the name in the manifest.
    #[arg(long, value_name = "SET|FILE")]
    positions: Option<PathBuf>,
    #[command(flatten)]
    concurrency: ConcurrencyArguments,
    /// End at the first row that differs.
    #[arg(long, conflicts_with = "bless")]
    fail_fast: bool,
    /// Write the new manifest and its rows in place of the old; exit code 0.
    #[arg(long)]
    bless: bool,
    /// How many differing rows are shown.
    #[arg(long, value_name = "N", default_value_t = 3)]
    rows: usize,
}

/// Runs the command.
pub(super) fn run(arguments: &CheckArguments) -> CommandResult {
    let expected = Fingerprint::read(&arguments.manifest)?;
    let recipe = &expected.manifest.recipe;
    let set = match &arguments.positions {
        Some(path) => PositionSet::read(path)?.verified(&recipe.positions, &arguments.manifest)?,
        None => PositionSet::find(&recipe.positions, &arguments.manifest)?,
    };
    let subject = arguments.engine.start(&recipe.options)?;
    let workers = arguments.concurrency.workers(&subject);
    let stop = Stop::default();
    let listener = listen(&stop)?;
    let known = expected.rows.as_deref().filter(|_| arguments.fail_fast);
    let mut first = None;
    let end =
        take_fingerprint(&subject, &recipe.question(), &set, workers, None, &stop, |index, row| match known
            .and_then(|rows| rows.get(index))
            .filter(|known| *known != row)
        {
            Some(known) => {
                first = Some((index, known.clone(), row.clone()));
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        })?;
    let title = format!("{} against {}", subject.name(), arguments.manifest.display());
    if let Some((index, known, row)) = first {
        let names = ["manifest".to_owned(), "now".to_owned()];
        let text = text::row_pair(index, &known, &row, &names);
        print::data(format!("differs    {title}, and the rest was not asked\n\n{text}").as_bytes())?;
        github::report(&title, &text::row_line(index, &known, &row), &text);
        return Ok(Exit::GateFailed);
    }
    let fingerprint = match end {
        TakeEnd::Whole { fingerprint, .. } => fingerprint,
        TakeEnd::Stopped { .. } => return Ok(listener.exit().unwrap_or(Exit::Internal)),
        TakeEnd::Fault { fault, .. } => {
            github::report(&title, &format!("the engine failed: {}", fault.detail), &fault.to_string());
            return Ok(take::failed(&fault, None));
        }
    };
    let limit_use = fingerprint.manifest.limit_use;
    let comparison = compare(&expected, &fingerprint);
    let names = ["manifest".to_owned(), "now".to_owned()];
    let text = text::comparison(&names, [&expected, &fingerprint], &comparison, arguments.rows);
    print::data(text.as_bytes())?;
    if arguments.bless {
        if !comparison.equal || expected.rows.is_none() {
            let path = bless(arguments, &expected, *fingerprint)?;
            print::data(format!("written    {}\n", path.display()).as_bytes())?;
        }
        return Ok(Exit::Ok);
    }
    // Equal answers under a limit that is not kept are no evidence about that limit.
    if let Some(limit) = limit_use.filter(RowLimits::is_broken).as_ref().and_then(text::limit) {
        print::warning(&format!(
            "{limit}\nhint: take the fingerprint by the other limit, --depth or --nodes"
        ));
        github::report(&title, &limit, &text);
        return Ok(Exit::GateFailed);
    }
    if comparison.equal {
        github::summary(&title, "equal", &text);
        return Ok(Exit::Ok);
    }
    github::report(&title, &text::difference_line(&comparison), &text);
    Ok(Exit::GateFailed)
}

/// Writes the new fingerprint under the old one's name for its positions.
fn bless(
    arguments: &CheckArguments,
    expected: &Fingerprint,
    mut fingerprint: Fingerprint,
) -> Result<PathBuf, crate::fingerprint::FingerprintError> {
    fingerprint.manifest.recipe.positions.file.clone_from(&expected.manifest.recipe.positions.file);
    fingerprint.write(&arguments.manifest)
}
