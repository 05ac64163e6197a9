//! UCI text to typed values and back, in both directions.
//!
//! Must not know processes, clocks or the rules of chess: a move is a word here. Needs serde and
//! the standard library only, so it builds for WebAssembly.
//!
//! Invariants:
//! - Bytes in, value out: no input panics, no input is an error, and reading takes time linear in
//!   the length of the line.
//! - What is unknown or broken costs its own field and leaves a [`Quirk`]; the rest of the line is
//!   kept. Of a field given twice, the last value counts.
//! - What is written is one line, without its line end, and reads back as the same value.
//!
//! Keywords are lower case, as the protocol has them; names and values of options compare without
//! case. `docs/protocol.md` lists every decision with its reason.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod best_move;
mod engine_line;
mod go;
mod gui_line;
mod info;
mod option;
mod option_line;
mod quirk;
mod text;

#[cfg(test)]
mod tests;

pub use best_move::BestMove;
pub use engine_line::{EngineMessage, Id, parse_engine_line};
pub use go::Go;
pub use gui_line::{GuiCommand, PositionCommand, parse_gui_line};
pub use info::{CurrentLine, Info, InfoScore, Wdl};
pub use option::{OptionDeclaration, OptionKind, OptionValueError};
pub use quirk::Quirk;
pub use text::{first_word, is_hidden, visible};
