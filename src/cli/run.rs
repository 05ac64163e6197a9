//! `elometer run`: play a plan and say what came out.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use clap::Args;

use super::engine_setup::print_warnings;
use super::exit::{CommandResult, Exit, Failure};
use super::plan::probe;
use super::progress::ProgressLine;
use super::signals::Listener;
use super::{derived, print};
use crate::arena::{CpuChoice, Stop};
use crate::ladder::{LadderError, Plan, RunEnd, RunFolder, RunOptions, Spec, make_plan, run_plan};
use crate::report::setup_error_words;

/// Play every game of a spec, or go on where an interrupted run stopped.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// The spec (TOML).
    spec: PathBuf,
    /// The run folder [default: runs/NAME].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games at once [default: one per core, fewer with Threads].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Processors for the games: `auto` gives each game physical cores of its own, a list such as
    /// 0,2,4-7 is dealt out in its order, `none` leaves it to the system.
    #[arg(long, value_name = "LIST", default_value = "none")]
    cpus: CpuChoice,
    /// Write everything that passes between elometer and the engines into DIR.
    #[arg(long, value_name = "DIR")]
    engine_logs: Option<PathBuf>,
    /// Do not ask every engine for one move from the first opening before games are played. It is asked
    /// in a process of its own under the real limits and options; nothing of it is kept. An engine that
    /// dies, hangs or plays no legal move there is refused.
    #[arg(long)]
    no_probe: bool,
    /// Play on although the same crash, hang or illegal move ended five games in a row (or ten of the
    /// first eleven) before that engine's third move.
    #[arg(long)]
    keep_going: bool,
}

/// Runs the command.
pub fn run(arguments: &RunArguments) -> CommandResult {
    let spec = Spec::load(&arguments.spec)?;
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("runs").join(&spec.name));
    let prepared = make_plan(&spec)?;
    let plan = prepared.plan.clone();
    print_warnings(&prepared.warnings());
    super::plan::warn(&plan);
    let threads = most_threads(&plan);
    let room = room(&arguments.cpus, threads);
    let concurrency = arguments.concurrency.map_or(room, usize::from);
    if plan.is_timed() && concurrency > room {
        print::warning(&format!(
            "{concurrency} games at once where the cores are enough for {room}: engines that think at the same \
             time share cores and play weaker on the clock\nhint: --concurrency {room}"
        ));
    }
    if let Some(load) = load_average().filter(|load| plan.is_timed() && *load > room as f64 / 2.0) {
        print::warning(&format!(
            "the load is {load:.1} before the first game: on a clock other programs cost the engines time and \
             games\nhint: wait until the machine is quiet"
        ));
    }
    let workers = arguments.cpus.workers(concurrency, threads).map_err(LadderError::Cpus)?;
    let stop = Stop::default();
    let listener = Listener::start(&stop, "games").map_err(|error| Failure::new(Exit::Internal, error))?;
    // A refused engine leaves no folder behind, which a mended spec could not continue.
    let is_new = !arguments.no_probe && !out.join("plan.json").exists();
    if is_new {
        probe(&plan, &prepared, &stop)?;
    }
    let folder = RunFolder::create_or_resume(&out, plan)?;
    if !arguments.no_probe && !is_new && folder.read_journal()?.0.missing() > 0 {
        probe(folder.plan(), &prepared, &stop)?;
    }
    if let Some(logs) = &arguments.engine_logs {
        fs::create_dir_all(logs).map_err(|source| LadderError::Io {
            path: logs.clone(),
            action: "create",
            source,
        })?;
    }
    let options =
        RunOptions { workers, engine_logs: arguments.engine_logs.clone(), keep_going: arguments.keep_going };
    let mut line = ProgressLine::new(folder.plan(), concurrency);
    let (end, results) = run_plan(&folder, &prepared, &options, &stop, |progress| line.show(&progress))?;
    line.finish();
    derived::write_and_print(&folder, &results)?;
    match end {
        RunEnd::Complete => Ok(Exit::Ok),
        RunEnd::PairsLeftOut(pairs) => {
            print::warning(&format!(
                "{} left out: a game of each was void four times, by a rung's fault or a program that did not \
                 start\nhint: see the \
                 faults in {}; a new run with --out plays them again",
                print::count(pairs, "opening pair"),
                folder.journal_path().display()
            ));
            Ok(Exit::EngineFault)
        }
        RunEnd::SetupError(error) => {
            print::note(&format!("error: {}", setup_error_words(&error)));
            print::note(&format!("to go on: {}", resume_command(arguments, &out)));
            Ok(Exit::EngineFault)
        }
        RunEnd::Stopped => {
            print::note(&format!("to go on: {}", resume_command(arguments, &out)));
            Ok(listener.exit().unwrap_or(Exit::Internal))
        }
    }
}

/// How many programs wanted to run during the last minute, where the system tells.
fn load_average() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

/// How many games fit: each keeps one engine thinking, with as many threads as it has.
fn room(cpus: &CpuChoice, threads: usize) -> usize {
    let cores = cpus.room().unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
    (cores / threads).max(1)
}

/// The threads of the engine that has most.
fn most_threads(plan: &Plan) -> usize {
    let settings = plan.rungs.iter().map(|rung| &rung.settings).chain([&plan.subject.settings]);
    let threads = settings
        .flatten()
        .filter(|(name, _)| name.eq_ignore_ascii_case("Threads"))
        .filter_map(|(_, value)| value.parse::<usize>().ok())
        .max();
    threads.unwrap_or(1).max(1)
}

fn resume_command(arguments: &RunArguments, out: &Path) -> String {
    let mut words = vec!["elometer run".to_owned(), quoted(&arguments.spec), "--out".to_owned(), quoted(out)];
    if let Some(concurrency) = arguments.concurrency {
        words.push(format!("--concurrency {concurrency}"));
    }
    if arguments.cpus != CpuChoice::Any {
        words.push(format!("--cpus {}", arguments.cpus));
    }
    if let Some(logs) = &arguments.engine_logs {
        words.push(format!("--engine-logs {}", quoted(logs)));
    }
    for (given, flag) in [(arguments.no_probe, "--no-probe"), (arguments.keep_going, "--keep-going")] {
        words.extend(given.then(|| flag.to_owned()));
    }
    words.join(" ")
}

/// A path as a shell takes it.
pub(super) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
