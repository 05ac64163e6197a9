//! `elometer status`: how far a run is.

use std::path::PathBuf;

use clap::Args;

use super::derived;
use super::exit::{CommandResult, Exit};
use super::print;
use crate::ladder::RunFolder;

/// Say how far a run is, from its journal. The run may be going on meanwhile.
#[derive(Debug, Args)]
pub struct StatusArguments {
    /// The run folder.
    run: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &StatusArguments) -> CommandResult {
    let folder = RunFolder::open(&arguments.run)?;
    let (results, journal) = folder.read_journal()?;
    let sessions = journal.sessions.len();
    let last = journal.sessions.last().map(|session| session.started.clone());
    let torn = journal.torn_bytes;
    let mut text = derived::standing_text(&results);
    text.push_str(&match last {
        Some(started) => format!("sessions   {sessions}, the last started {started}\n"),
        None => "sessions   0, nothing played yet\n".to_owned(),
    });
    if torn > 0 {
        text.push_str(&format!(
            "torn line  {torn} bytes: a game being written, or cut off; it is replayed\n"
        ));
    }
    print::data(text.as_bytes())?;
    Ok(Exit::Ok)
}
