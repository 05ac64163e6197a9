//! The subcommands and their dispatch.

use clap::{Args, Subcommand};

use super::{check, compare, diagnose, sensitivity, take};
use crate::cli::exit::CommandResult;

/// Hash what an engine answers on many positions, and compare the hashes of two builds.
#[derive(Debug, Args)]
pub(in crate::cli) struct FingerprintArguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Take(take::TakeArguments),
    Check(check::CheckArguments),
    Compare(compare::CompareArguments),
    Diagnose(diagnose::DiagnoseArguments),
    Sensitivity(sensitivity::SensitivityArguments),
}

/// Runs the command.
pub(in crate::cli) fn run(arguments: &FingerprintArguments) -> CommandResult {
    match &arguments.command {
        Command::Take(arguments) => take::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Diagnose(arguments) => diagnose::run(arguments),
        Command::Sensitivity(arguments) => sensitivity::run(arguments),
    }
}
