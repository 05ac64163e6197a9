//! The command line as clap sees it, and the dispatch to one file per subcommand.

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use super::engine::{self, EngineArguments};
use super::exit::{CommandResult, Exit};
use super::explain::{self, ExplainArguments};
use super::fit::{self, FitArguments};
use super::perft::{self, PerftArguments};
use super::run::{RunArguments, run as run_spec};
use super::{audit, book, check, compare, export, fingerprint, match_engines, plan, print, simulate, status};

/// Measure the strength of chess engines.
#[derive(Debug, Parser)]
#[command(name = "elometer", version, about, disable_help_subcommand = true)]
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
    Compare(compare::CompareArguments),
    Match(match_engines::MatchArguments),
    Simulate(simulate::SimulateArguments),
    Book(book::BookArguments),
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
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Match(arguments) => match_engines::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Book(arguments) => book::run(&arguments),
    }
}
