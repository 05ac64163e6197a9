//! The form in which a command prints what it found.

use clap::ValueEnum;

/// For people or for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables and sentences.
    Text,
    /// Every number, with `format_version`.
    Json,
}
