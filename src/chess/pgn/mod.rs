//! Games in PGN: writing them for any other program to read, and reading what other programs wrote.
//!
//! The writer follows the standard's export format. The reader streams, takes any source, and
//! never loses a game: what is wrong with one is said in its `fault`. Neither knows what the games
//! are for. The reader needs libraries that WebAssembly builds leave out, and is left out with them.

#[cfg(not(target_family = "wasm"))]
mod bytes;
#[cfg(not(target_family = "wasm"))]
mod cursor;
#[cfg(not(target_family = "wasm"))]
mod error;
#[cfg(not(target_family = "wasm"))]
pub(in crate::chess) mod lines;
#[cfg(not(target_family = "wasm"))]
mod mix;
#[cfg(not(target_family = "wasm"))]
mod movetext;
#[cfg(not(target_family = "wasm"))]
mod reader;
#[cfg(not(target_family = "wasm"))]
mod scan;
#[cfg(not(target_family = "wasm"))]
mod tags;
#[cfg(test)]
mod tests;
#[cfg(not(target_family = "wasm"))]
mod tokens;
#[cfg(not(target_family = "wasm"))]
mod unpack;
mod writer;

#[cfg(not(target_family = "wasm"))]
pub use error::PgnError;
#[cfg(not(target_family = "wasm"))]
pub use mix::{Mixer, mix};
#[cfg(not(target_family = "wasm"))]
pub use movetext::ReadMove;
#[cfg(not(target_family = "wasm"))]
pub use reader::{PgnOptions, PgnReader, ReadGame};
#[cfg(not(target_family = "wasm"))]
pub use scan::{MovesDigest, PgnScanner, ScannedGame};
#[cfg(not(target_family = "wasm"))]
pub use tags::tag_text;
#[cfg(not(target_family = "wasm"))]
pub use unpack::unpack;
pub use writer::{PgnGame, PgnMove, write_pgn};
