//! The options of a command that starts an engine without a spec: where it starts and which files
//! make it, as `directory`, `files`, `mutable` and `runtime` say it in a spec.

use std::path::PathBuf;

use clap::Args;

use super::print;
use crate::ladder::{EngineSetup, Origin, SetupWarning};
use crate::report::setup_warning_words;
use crate::uci::process::{Deadlines, Launch};

/// Prints what is allowed in a set-up but may not be meant.
pub(super) fn warn_of_setup(setup: &EngineSetup, launch: &Launch) {
    print_warnings(&setup.warnings(launch));
}

/// Prints warnings of set-ups.
pub(super) fn print_warnings(warnings: &[SetupWarning]) {
    warnings.iter().for_each(|warning| print::warning(&setup_warning_words(warning)));
}

/// Where an engine starts and which files make it.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct SetupArguments {
    /// The folder the engine starts in [default: an empty temporary one].
    #[arg(long, value_name = "DIR")]
    pub(super) directory: Option<PathBuf>,
    /// A file that decides what the engine answers (the script behind a launcher, a network): part of
    /// its identity (may be repeated).
    #[arg(long = "file", value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// A file that the engine may write: no part of its identity (may be repeated).
    #[arg(long = "mutable", value_name = "FILE")]
    pub(super) mutable: Vec<PathBuf>,
    /// A command whose first line of output is the version of what runs the engine, such as
    /// "node --version".
    #[arg(long, value_name = "COMMAND")]
    pub(super) runtime: Option<String>,
}

impl SetupArguments {
    /// How `engine` is set up.
    pub(super) fn setup(&self, engine: &str, arguments: &[String], deadlines: Deadlines) -> EngineSetup {
        let runtime = self.runtime.as_deref().unwrap_or_default();
        EngineSetup {
            engine: engine.to_owned(),
            label: engine.to_owned(),
            arguments: arguments.to_vec(),
            directory: self.directory.clone(),
            files: self.files.clone(),
            mutable: self.mutable.clone(),
            runtime: runtime.split_whitespace().map(str::to_owned).collect(),
            origin: Origin::Command,
            deadlines,
        }
    }
}
