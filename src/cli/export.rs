//! `elometer export`: the games of a run for other programs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::exit::{CommandResult, Exit};
use super::print;
use crate::ladder::{LadderError, RunFolder, RunResults, write_csv, write_pgn};

/// Write the counted games of a run to stdout, in plan order.
#[derive(Debug, Args)]
pub struct ExportArguments {
    /// The run folder.
    run: PathBuf,
    /// `pgn`: the games; `csv`: one row a game.
    #[arg(long, value_enum)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Pgn,
    Csv,
}

/// Runs the command.
pub fn run(arguments: &ExportArguments) -> CommandResult {
    let folder = RunFolder::open(&arguments.run)?;
    let results = RunResults::new(folder.plan(), folder.read_journal()?, &folder.journal_path())?;
    let mut bytes = Vec::new();
    let written = match arguments.format {
        Format::Pgn => write_pgn(&mut bytes, &results),
        Format::Csv => write_csv(&mut bytes, &results),
    };
    written.map_err(|error| LadderError::game_data(&folder.journal_path(), &error))?;
    print::data(&bytes)?;
    Ok(Exit::Ok)
}
