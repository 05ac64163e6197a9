//! The arguments that every command on results takes.

use std::fs::File;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::exit::{Exit, Failure};
use crate::ladder::input::{
    InputError, InputOptions, Inputs, LevelPattern, LevelRules, LevelTable, PairRule, read_inputs,
};

/// What to read and how to take it.
#[derive(Clone, Debug, Args)]
pub(super) struct ReadingArguments {
    /// Levels of opponents by name: CSV with the header `name,level` or `name,level,sigma`; goes before
    /// every other source.
    #[arg(long, value_name = "FILE")]
    levels: Option<PathBuf>,
    /// Where an opponent's name holds its level, such as `SF-{level}`; `*` stands for any text.
    #[arg(long, value_name = "TEXT")]
    level_pattern: Option<String>,
    /// What tells the two games of an opening pair; docs/input.md has the rules.
    #[arg(long, value_enum, default_value_t = PairArgument::Auto)]
    pairs: PairArgument,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PairArgument {
    /// A run's plan, else Round, else an opening played once with each colour.
    Auto,
    /// A run's plan or Round alone.
    Round,
    /// A run's plan or the opening alone, however often it was played.
    Opening,
    /// Every game by itself.
    None,
}

impl ReadingArguments {
    /// Reads the inputs, which add up.
    pub(super) fn read(&self, inputs: &[PathBuf]) -> Result<Inputs, Failure> {
        let options = self.options()?;
        read_inputs(inputs, &options).map_err(|error| Failure::new(Exit::BadInput, error))
    }

    /// Every file that is read: the inputs, and the table of levels.
    pub(super) fn files(&self, inputs: &[PathBuf]) -> Vec<PathBuf> {
        inputs.iter().chain(&self.levels).cloned().collect()
    }

    /// How they are taken.
    pub(super) fn options(&self) -> Result<InputOptions, Failure> {
        let bad = |error: InputError| Failure::new(Exit::BadInput, error);
        let table = self.levels.as_ref().map(|path| {
            let source_name = path.display().to_string();
            let file = File::open(path)
                .map_err(|error| InputError::Io { source_name: source_name.clone(), error })?;
            LevelTable::read(file, &source_name)
        });
        let pattern = self.level_pattern.as_deref().map(LevelPattern::parse).transpose();
        Ok(InputOptions {
            subject: None,
            levels: LevelRules { table: table.transpose().map_err(bad)?, pattern: pattern.map_err(bad)? },
            pairs: match self.pairs {
                PairArgument::Auto => PairRule::Auto,
                PairArgument::Round => PairRule::Round,
                PairArgument::Opening => PairRule::Opening,
                PairArgument::None => PairRule::None,
            },
        })
    }
}

/// The input that a file to be written is, by whatever name.
pub(super) fn input_at<'a>(path: &Path, inputs: &'a [PathBuf]) -> Option<&'a PathBuf> {
    let target = path.canonicalize().ok()?;
    inputs.iter().find(|input| input.canonicalize().is_ok_and(|input| input == target))
}
