//! Why a PGN file cannot be read on. A game that is wrong is no such reason: it carries its fault.

use std::io;

use super::lines::LONGEST_LINE;

/// Why reading stopped before the end of the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PgnError {
    /// The source failed (a broken gzip stream included).
    #[error("{source_name}: cannot read after line {line}: {error}\nhint: check that the file is whole")]
    Io {
        /// The file, as the caller names it.
        source_name: String,
        /// The last line that was read.
        line: u64,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// A line no PGN writer makes.
    #[error(
        "{source_name}:{line}: a line of more than {LONGEST_LINE} bytes, expected PGN\n\
         hint: check that the file is PGN text"
    )]
    LineTooLong {
        /// The file, as the caller names it.
        source_name: String,
        /// The line.
        line: u64,
    },
}
