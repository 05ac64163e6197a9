//! The subcommands and their dispatch; without one, the audit itself.

use clap::{Args, Subcommand};

use super::{moves, optimism, stability};
use crate::cli::exit::CommandResult;

/// Check every move that reached the board against the best one, by a judge that is not the engine.
///
/// Says clause by clause what was kept and what was broken, out of how many, and how good the moves
/// are; docs/audit.md explains every number. Exit code 5 when something promised is broken, 6 when
/// something stays unresolved.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(in crate::cli) struct AuditArguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    moves: moves::MovesArguments,
}

#[derive(Debug, Subcommand)]
enum Command {
    Stability(Box<stability::StabilityArguments>),
    Optimism(Box<optimism::OptimismArguments>),
}

/// Runs the command.
pub(in crate::cli) fn run(arguments: &AuditArguments) -> CommandResult {
    match &arguments.command {
        None => moves::run(&arguments.moves),
        Some(Command::Stability(arguments)) => stability::run(arguments),
        Some(Command::Optimism(arguments)) => optimism::run(arguments),
    }
}
