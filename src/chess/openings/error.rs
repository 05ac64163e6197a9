//! Why a file is no opening set.

use std::io;

use crate::chess::game::Ending;
use crate::chess::pgn::PgnError;
use crate::chess::pgn::lines::LONGEST_LINE;

use super::read::LARGEST_FILE;

/// Why openings cannot be read. Nothing of a file with a fault is used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningsError {
    /// The file cannot be opened or read.
    #[error(
        "{source_name}: cannot read the openings: {error}\nhint: check the path and that the file is whole"
    )]
    Io {
        /// The file.
        source_name: String,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// More text than an opening set has.
    #[error("{source_name}: more than {LARGEST_FILE} bytes of openings\nhint: use a part of the file")]
    TooLarge {
        /// The file.
        source_name: String,
    },
    /// A line longer than any opening.
    #[error(
        "{source_name}:{line}: a line of more than {LONGEST_LINE} bytes, expected EPD, FEN or PGN\n\
         hint: check that the file is text"
    )]
    LineTooLong {
        /// The file.
        source_name: String,
        /// The line.
        line: u64,
    },
    /// Not one opening in the file.
    #[error(
        "{source_name}: no opening found, expected EPD, FEN or PGN\nhint: name a file with at least one position"
    )]
    Empty {
        /// The file.
        source_name: String,
    },
    /// Neither a position nor the beginning of PGN.
    #[error(
        "{source_name}:{line}: found `{found}`, expected a position (EPD or FEN) or a PGN game\n\
         hint: a comment line begins with `#`"
    )]
    NotOpenings {
        /// The file.
        source_name: String,
        /// The line.
        line: u64,
        /// The line's beginning.
        found: String,
    },
    /// A line that is no legal position.
    #[error(
        "{source_name}:{line}: found `{found}`, expected a legal position: {reason}\nhint: correct the line or take it out"
    )]
    IllegalPosition {
        /// The file.
        source_name: String,
        /// The line.
        line: u64,
        /// The line's beginning.
        found: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A game of a PGN book that cannot be followed.
    #[error(
        "{source_name}:{line}: game {number} of the book: {fault}\n\
         hint: correct the game, or use fewer plies of each game if the fault comes later"
    )]
    BrokenGame {
        /// The file.
        source_name: String,
        /// The line the game begins on.
        line: u64,
        /// Its number in the file, from 1.
        number: u64,
        /// What is wrong with it.
        fault: String,
    },
    /// A position in which there is nothing left to play.
    #[error(
        "{source_name}:{line}: the game is already over in `{fen}` ({}), expected a position to play from\n\
         hint: take it out; of a PGN book, use fewer plies of each game",
        name_of(*ending)
    )]
    GameOver {
        /// The file.
        source_name: String,
        /// The line.
        line: u64,
        /// The position.
        fen: String,
        /// How it is over.
        ending: Ending,
    },
}

impl OpeningsError {
    pub(super) fn from_pgn(error: PgnError) -> Self {
        match error {
            PgnError::Io { source_name, error, .. } => Self::Io { source_name, error },
            PgnError::LineTooLong { source_name, line } => Self::LineTooLong { source_name, line },
        }
    }
}

fn name_of(ending: Ending) -> &'static str {
    match ending {
        Ending::Checkmate => "checkmate",
        Ending::Stalemate => "stalemate",
        Ending::FiftyMoves => "fifty moves",
        Ending::InsufficientMaterial => "insufficient material",
        Ending::ThreefoldRepetition => "threefold repetition",
    }
}
