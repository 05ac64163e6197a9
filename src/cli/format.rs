//! The form in which a command prints what it found.

use clap::ValueEnum;

/// For people, for programs, or for a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DataFormat {
    /// Tables and sentences.
    Text,
    /// Every number, with `format_version`.
    Json,
    /// One table, unrounded.
    Csv,
    /// Tables with captions.
    Markdown,
    /// Tables with captions, for booktabs.
    Latex,
}

/// For people or for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables and sentences.
    Text,
    /// Every number, with `format_version`.
    Json,
}
