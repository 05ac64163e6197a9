//! Opening sets: the positions games begin from, out of EPD, FEN lists and PGN books.
//!
//! Every opening is checked before any game is played: an illegal line, or a position in which the
//! game is already over, stops the reading with its file and line. The module knows nothing of
//! which openings are played, or in what order.

mod epd;
mod error;
mod opening;
mod read;
#[cfg(test)]
mod tests;

pub use error::OpeningsError;
pub use opening::{Opening, repeated_openings};
pub use read::{parse_openings, parse_positions, read_openings};
