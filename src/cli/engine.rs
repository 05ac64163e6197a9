//! `elometer engine`: serves a built-in engine on stdin and stdout.

use std::io::{self, BufReader};

use anyhow::anyhow;
use clap::Args;

use super::exit::{CommandResult, Exit, Failure};
use super::personality;
use crate::engines::{self, legible::Legible};

/// What `elometer engine` takes.
#[derive(Debug, Args)]
pub(super) struct EngineArguments {
    /// The engine's name (a wrong one lists them all).
    name: String,
    /// Only for `legible`: `clean`, `careless`, or a JSON file (docs/legible.md).
    #[arg(long, value_name = "NAME|FILE")]
    personality: Option<String>,
}

/// Serves until `quit` or the end of the input.
pub(super) fn run(arguments: &EngineArguments) -> CommandResult {
    let (input, output) = (BufReader::new(io::stdin()), io::stdout());
    match &arguments.personality {
        None => engines::serve(&arguments.name, input, output)
            .map_err(|error| Failure::new(Exit::Usage, error))?,
        Some(named) if arguments.name == "legible" => {
            let mut engine = Legible::with_personality(personality::read(named)?);
            engines::serve_engine(&mut engine, input, output);
        }
        Some(_) => {
            let error = anyhow!(
                "--personality: the engine is `{}`, only `legible` has personalities\nhint: leave --personality out",
                arguments.name
            );
            return Err(Failure::new(Exit::Usage, error));
        }
    }
    Ok(Exit::Ok)
}
