//! `elometer engine`: serves a built-in engine on stdin and stdout.

use std::io::{self, BufReader};

use clap::Args;

use super::exit::{CommandResult, Exit, Failure};
use crate::engines;

/// What `elometer engine` takes.
#[derive(Debug, Args)]
pub(super) struct EngineArguments {
    /// The engine's name (a wrong one lists them all).
    name: String,
}

/// Serves until `quit` or the end of the input.
pub(super) fn run(arguments: &EngineArguments) -> CommandResult {
    engines::serve(&arguments.name, BufReader::new(io::stdin()), io::stdout())
        .map_err(|error| Failure::new(Exit::Usage, error))?;
    Ok(Exit::Ok)
}
