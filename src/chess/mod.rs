//! The rules of chess and its notations.
//!
//! The only module that names the rules library (shakmaty): every other module takes
//! positions and moves from here. It knows nothing of engines and nothing of time.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod adjudication;
pub mod book;
pub mod game;
#[cfg(not(target_family = "wasm"))]
pub mod openings;
pub mod pgn;
pub mod position;
pub mod repertoire;
pub mod score;
#[cfg(test)]
mod tests;

pub use adjudication::{Adjudication, AdjudicationRules, Adjudicator, DrawRule, PlyReport, ResignRule};
pub use book::{Book, BookError, position_name};
pub use game::{Ending, Game, Outcome};
pub use position::{
    Bitboard, Board, CastlingMode, CastlingSide, Chess, Color, FenError, File, Move, MoveList, MoveQuirk,
    Piece, Position, Rank, Role, Square, StartPosition, UciMoveError, attacks, fen, parse_engine_move, san,
    uci,
};
pub use repertoire::Repertoire;
pub use score::{Bound, Score};
