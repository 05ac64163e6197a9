//! The command line as clap sees it, and the dispatch to one file per subcommand.

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use super::engine::{self, EngineArguments};
use super::exit::{CommandResult, Exit};
use super::explain::{self, ExplainArguments};
use super::fit::{self, FitArguments};
use super::generate::{self, CompletionsArguments, ManualArguments};
use super::perft::{self, PerftArguments};
use super::run::{RunArguments, run as run_spec};
use super::{
    audit, book, check, compare, export, fingerprint, match_engines, plan, print, report, simulate, status,
};

/// What stands below the list of commands.
const BEGINNING: &str = "\
To begin (Stockfish installed, in a clone of elometer):
  elometer run ladders/quick.toml   80 games against four levels, and the rating
  elometer audit runs/quick         every move against the best one
  elometer report runs/quick        figures, tables and a page

A spec for your own engine is a short TOML file: see docs/spec.md. The same
command goes on with an interrupted run. `elometer help COMMAND` explains a
command, docs/README.md everything.

Exit codes: 0 done, 1 internal, 2 usage, 3 bad input, 4 engine fault or set-up
error, 5 a gate failed (check, fingerprint, audit), 6 undecided or not enough
data, 130 interrupted, 143 terminated.";

/// Measure the strength of chess engines, and say how well it is known.
#[derive(Debug, Parser)]
#[command(name = "elometer", version, about, after_help = BEGINNING)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(RunArguments),
    Plan(plan::PlanArguments),
    Status(status::StatusArguments),
    Export(export::ExportArguments),
    Check(check::CheckArguments),
    Audit(Box<audit::AuditArguments>),
    Fingerprint(fingerprint::FingerprintArguments),
    /// Serve a built-in engine over the UCI protocol on stdin and stdout.
    Engine(EngineArguments),
    Explain(ExplainArguments),
    /// Count the leaves of the move tree, to check rules and Zobrist keys.
    Perft(PerftArguments),
    /// Fit a rating to results: PGN, CSV or a run folder.
    Fit(FitArguments),
    Report(report::ReportArguments),
    Compare(compare::CompareArguments),
    Match(match_engines::MatchArguments),
    Simulate(simulate::SimulateArguments),
    Book(book::BookArguments),
    Manual(ManualArguments),
    Completions(CompletionsArguments),
}

/// Parses the arguments, runs the command, prints its error if any and returns the exit code.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version go to stdout with code 0, the rest to stderr with code 2.
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Ok };
            let _ = error.print();
            return exit.into();
        }
    };
    match dispatch(arguments.command) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            let _ = writeln!(io::stderr(), "error: {}", print::printable(&failure.error.to_string()));
            failure.exit.into()
        }
    }
}

fn dispatch(command: Command) -> CommandResult {
    match command {
        Command::Run(arguments) => run_spec(&arguments),
        Command::Plan(arguments) => plan::run(&arguments),
        Command::Status(arguments) => status::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Audit(arguments) => audit::run(&arguments),
        Command::Fingerprint(arguments) => fingerprint::run(&arguments),
        Command::Engine(arguments) => engine::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Fit(arguments) => fit::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Match(arguments) => match_engines::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Book(arguments) => book::run(&arguments),
        Command::Manual(arguments) => generate::manual(&arguments, Arguments::command()),
        Command::Completions(arguments) => generate::completions(&arguments, Arguments::command()),
    }
}
