//! `elometer fingerprint take`.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;

use super::subject::{ConcurrencyArguments, EngineArguments, QuestionArguments, Session};
use super::text;
use crate::cli::exit::{CommandResult, Exit};
use crate::cli::print;
use crate::fingerprint::{RowFault, TakeEnd, take};

/// Ask an engine about every position and hash its answers; go on where an interrupted take stopped.
#[derive(Debug, Args)]
pub(super) struct TakeArguments {
    #[command(flatten)]
    engine: EngineArguments,
    #[command(flatten)]
    question: QuestionArguments,
    #[command(flatten)]
    concurrency: ConcurrencyArguments,
    /// Where fingerprint.json and fingerprint.tsv are written [default: runs/fingerprint-ENGINE].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(arguments: &TakeArguments) -> CommandResult {
    let session = Session::start(&arguments.engine, &arguments.question)?;
    let Session { subject, question, set, stop, listener } = &session;
    let default = || Path::new("runs").join(format!("fingerprint-{}", arguments.engine.short_name()));
    let out = arguments.out.clone().unwrap_or_else(default);
    let workers = arguments.concurrency.workers(subject);
    let started = Instant::now();
    let all = |_, _: &_| ControlFlow::Continue(());
    match take(subject, question, set, workers, Some(&out), stop, all)? {
        TakeEnd::Whole { fingerprint, search } => {
            note_time(search, started.elapsed(), workers);
            if let Some(limit) = fingerprint.manifest.limit_use.as_ref().and_then(text::limit) {
                print::warning(&format!("{limit}\nhint: ask by the other limit, --depth or --nodes"));
            }
            print::data(text::summary(&fingerprint.manifest).as_bytes())?;
            print::data(format!("folder     {}\n", out.display()).as_bytes())?;
            Ok(Exit::Ok)
        }
        TakeEnd::Stopped { partial } => {
            note_partial(partial.as_deref());
            Ok(listener.exit().unwrap_or(Exit::Internal))
        }
        TakeEnd::Fault { fault, partial } => Ok(failed(&fault, partial.as_deref())),
    }
}

/// Says that the engine failed and where the rows before are.
pub(super) fn failed(fault: &RowFault, partial: Option<&Path>) -> Exit {
    print::note(&format!("error: the engine failed on {fault}"));
    note_partial(partial);
    Exit::EngineFault
}

fn note_partial(partial: Option<&Path>) {
    if let Some(path) = partial {
        print::note(&format!(
            "hint: {} holds the rows so far, no fingerprint; the same command goes on from there",
            path.display()
        ));
    }
}

fn note_time(search: Duration, wall: Duration, workers: usize) {
    print::note(&format!(
        "searched {:.3} s in all, took {:.3} s with {}",
        search.as_secs_f64(),
        wall.as_secs_f64(),
        print::count(workers, "position") + " at once"
    ));
}
