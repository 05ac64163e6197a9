//! `elometer manual` and `elometer completions`: what clap's definitions give.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use super::exit::{CommandResult, Exit};
use super::print;
use crate::ladder::LadderError;

/// Write the manual pages of every command (elometer.1, elometer-run.1, ...) into a folder.
#[derive(Debug, Args)]
pub(super) struct ManualArguments {
    /// The folder, such as ~/.local/share/man/man1.
    folder: PathBuf,
}

/// Print the completions of a shell, to be read at its start.
#[derive(Debug, Args)]
pub(super) struct CompletionsArguments {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Writes the pages of `program`.
pub(super) fn manual(arguments: &ManualArguments, program: Command) -> CommandResult {
    let folder = &arguments.folder;
    let io = |path: &PathBuf, action| {
        let path = path.clone();
        move |source| LadderError::Io { path, action, source }
    };
    std::fs::create_dir_all(folder).map_err(io(folder, "create"))?;
    clap_mangen::generate_to(program, folder).map_err(io(folder, "write"))?;
    print::data(print::printable(&format!("wrote the pages into {}\n", folder.display())).as_bytes())?;
    Ok(Exit::Ok)
}

/// Prints the completions of `program`.
pub(super) fn completions(arguments: &CompletionsArguments, mut program: Command) -> CommandResult {
    let mut bytes = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "elometer", &mut bytes);
    print::data(&bytes)?;
    Ok(Exit::Ok)
}
