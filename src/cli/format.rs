//! The form in which a command prints what it found.

use clap::ValueEnum;

use crate::report::TableFormat;

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

impl DataFormat {
    /// How tables are written in this form; none for JSON, which has no tables.
    #[must_use]
    pub fn table(self) -> Option<TableFormat> {
        match self {
            Self::Text => Some(TableFormat::Text),
            Self::Json => None,
            Self::Csv => Some(TableFormat::Csv),
            Self::Markdown => Some(TableFormat::Markdown),
            Self::Latex => Some(TableFormat::Latex),
        }
    }
}

/// For people or for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables and sentences.
    Text,
    /// Every number, with `format_version`.
    Json,
}
