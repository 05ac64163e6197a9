//! `elometer export`: the games of a run for other programs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::exit::{CommandResult, Exit};
use super::print;
use crate::ladder::{LadderError, RunFolder, write_csv, write_pgn};

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
    let (results, _) = folder.read_journal()?;
    let mut games = folder.game_reader()?;
    let mut bytes = Vec::new();
    let written = match arguments.format {
        Format::Pgn => write_pgn(&mut bytes, &results, &mut games),
        Format::Csv => write_csv(&mut bytes, &results, &mut games),
    };
    written.map_err(|error| LadderError::game_data(&folder.journal_path(), &error))?;
    print::data(&bytes)?;
    Ok(Exit::Ok)
}
