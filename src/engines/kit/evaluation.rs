//! The static evaluation: material and where it stands.
//!
//! Knows nothing of moves. Symmetric by construction: one set of tables serves both colours.
//!
//! # Source
//! The description of the chess engine in Scala, section on evaluation; the figures are Tomasz Michniewski's
//! "Simplified Evaluation Function" (<https://www.chessprogramming.org/Simplified_Evaluation_Function>).

use crate::chess::{Chess, Color, Position as _, Role, Square};

/// Piece values in centipawns; the king has none, as it is never traded.
#[must_use]
pub(in crate::engines) const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// The king comes out when the pieces of both sides, pawns and kings left out, are worth no more
/// than this: two rooks and a bishop each are too many, a rook and two minor pieces each are not.
const ENDGAME_MATERIAL: i32 = 2600;

/// Bonuses in centipawns as White sees the board: the first row is the eighth rank, a to h.
type Diagram = [[i32; 8]; 8];
/// Bonuses by square for White, a1 first.
type SquareTable = [i32; 64];

#[rustfmt::skip]
const PAWN: Diagram = [
    [  0,   0,   0,   0,   0,   0,   0,   0],
    [ 50,  50,  50,  50,  50,  50,  50,  50],
    [ 10,  10,  20,  30,  30,  20,  10,  10],
    [  5,   5,  10,  25,  25,  10,   5,   5],
    [  0,   0,   0,  20,  20,   0,   0,   0],
    [  5,  -5, -10,   0,   0, -10,  -5,   5],
    [  5,  10,  10, -20, -20,  10,  10,   5],
    [  0,   0,   0,   0,   0,   0,   0,   0],
];
#[rustfmt::skip]
const KNIGHT: Diagram = [
    [-50, -40, -30, -30, -30, -30, -40, -50],
    [-40, -20,   0,   0,   0,   0, -20, -40],
    [-30,   0,  10,  15,  15,  10,   0, -30],
    [-30,   5,  15,  20,  20,  15,   5, -30],
    [-30,   0,  15,  20,  20,  15,   0, -30],
    [-30,   5,  10,  15,  15,  10,   5, -30],
    [-40, -20,   0,   5,   5,   0, -20, -40],
    [-50, -40, -30, -30, -30, -30, -40, -50],
];
#[rustfmt::skip]
const BISHOP: Diagram = [
    [-20, -10, -10, -10, -10, -10, -10, -20],
    [-10,   0,   0,   0,   0,   0,   0, -10],
    [-10,   0,   5,  10,  10,   5,   0, -10],
    [-10,   5,   5,  10,  10,   5,   5, -10],
    [-10,   0,  10,  10,  10,  10,   0, -10],
    [-10,  10,  10,  10,  10,  10,  10, -10],
    [-10,   5,   0,   0,   0,   0,   5, -10],
    [-20, -10, -10, -10, -10, -10, -10, -20],
];
#[rustfmt::skip]
const ROOK: Diagram = [
    [  0,   0,   0,   0,   0,   0,   0,   0],
    [  5,  10,  10,  10,  10,  10,  10,   5],
    [ -5,   0,   0,   0,   0,   0,   0,  -5],
    [ -5,   0,   0,   0,   0,   0,   0,  -5],
    [ -5,   0,   0,   0,   0,   0,   0,  -5],
    [ -5,   0,   0,   0,   0,   0,   0,  -5],
    [ -5,   0,   0,   0,   0,   0,   0,  -5],
    [  0,   0,   0,   5,   5,   0,   0,   0],
];
#[rustfmt::skip]
const QUEEN: Diagram = [
    [-20, -10, -10,  -5,  -5, -10, -10, -20],
    [-10,   0,   0,   0,   0,   0,   0, -10],
    [-10,   0,   5,   5,   5,   5,   0, -10],
    [ -5,   0,   5,   5,   5,   5,   0,  -5],
    [  0,   0,   5,   5,   5,   5,   0,  -5],
    [-10,   5,   5,   5,   5,   5,   0, -10],
    [-10,   0,   5,   0,   0,   0,   0, -10],
    [-20, -10, -10,  -5,  -5, -10, -10, -20],
];
#[rustfmt::skip]
const KING_MIDDLEGAME: Diagram = [
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-20, -30, -30, -40, -40, -30, -30, -20],
    [-10, -20, -20, -20, -20, -20, -20, -10],
    [ 20,  20,   0,   0,   0,   0,  20,  20],
    [ 20,  30,  10,   0,   0,  10,  30,  20],
];
#[rustfmt::skip]
const KING_ENDGAME: Diagram = [
    [-50, -40, -30, -20, -20, -30, -40, -50],
    [-30, -20, -10,   0,   0, -10, -20, -30],
    [-30, -10,  20,  30,  30,  20, -10, -30],
    [-30, -10,  30,  40,  40,  30, -10, -30],
    [-30, -10,  30,  40,  40,  30, -10, -30],
    [-30, -10,  20,  30,  30,  20, -10, -30],
    [-30, -30,   0,   0,   0,   0, -30, -30],
    [-50, -30, -30, -30, -30, -30, -30, -50],
];

/// Turns a diagram (eighth rank first) into a table by square (first rank first).
const fn by_square(diagram: &Diagram) -> SquareTable {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = diagram[7 - square / 8][square % 8];
        square += 1;
    }
    table
}

static PAWN_TABLE: SquareTable = by_square(&PAWN);
static KNIGHT_TABLE: SquareTable = by_square(&KNIGHT);
static BISHOP_TABLE: SquareTable = by_square(&BISHOP);
static ROOK_TABLE: SquareTable = by_square(&ROOK);
static QUEEN_TABLE: SquareTable = by_square(&QUEEN);
static KING_MIDDLEGAME_TABLE: SquareTable = by_square(&KING_MIDDLEGAME);
static KING_ENDGAME_TABLE: SquareTable = by_square(&KING_ENDGAME);

/// The side's own view of a square: Black's board is White's turned over, rank for rank.
const fn seen_by(color: Color, square: Square) -> usize {
    match color {
        Color::White => square.to_usize(),
        Color::Black => square.to_usize() ^ 56,
    }
}

const fn table(role: Role, endgame: bool) -> &'static SquareTable {
    match role {
        Role::Pawn => &PAWN_TABLE,
        Role::Knight => &KNIGHT_TABLE,
        Role::Bishop => &BISHOP_TABLE,
        Role::Rook => &ROOK_TABLE,
        Role::Queen => &QUEEN_TABLE,
        Role::King if endgame => &KING_ENDGAME_TABLE,
        Role::King => &KING_MIDDLEGAME_TABLE,
    }
}

/// The bonus in centipawns for a piece of `color` on `square`.
#[must_use]
pub(in crate::engines) const fn square_bonus(role: Role, color: Color, square: Square, endgame: bool) -> i32 {
    table(role, endgame)[seen_by(color, square)]
}

/// Whether so few pieces are left that the king belongs in the centre.
#[must_use]
pub(in crate::engines) fn is_endgame(position: &Chess) -> bool {
    let board = position.board();
    let worth: usize = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .into_iter()
        .map(|role| board.by_role(role).count() * value(role).unsigned_abs() as usize)
        .sum();
    worth <= ENDGAME_MATERIAL.unsigned_abs() as usize
}

/// The value of a position in centipawns for the side to move. Its magnitude stays far below any
/// mate score.
#[must_use]
pub(in crate::engines) fn evaluate(position: &Chess) -> i32 {
    let endgame = is_endgame(position);
    let board = position.board();
    let mut white = 0;
    for role in Role::ALL {
        let table = table(role, endgame);
        let worth = value(role);
        let of_role = board.by_role(role);
        for square in of_role & board.white() {
            white += worth + table[seen_by(Color::White, square)];
        }
        for square in of_role & board.black() {
            white -= worth + table[seen_by(Color::Black, square)];
        }
    }
    if position.turn() == Color::White { white } else { -white }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::StartPosition;

    fn evaluated(fen: &str) -> i32 {
        evaluate(StartPosition::from_fen(fen).unwrap().position())
    }

    #[test]
    fn tables_stand_the_right_way_up() {
        let white = |role, square| square_bonus(role, Color::White, square, false);
        let black = |role, square| square_bonus(role, Color::Black, square, false);
        // A pawn about to promote is worth most, an unmoved centre pawn least.
        assert_eq!((white(Role::Pawn, Square::E7), white(Role::Pawn, Square::E2)), (50, -20));
        assert_eq!((black(Role::Pawn, Square::E2), black(Role::Pawn, Square::E7)), (50, -20));
        // The castled king is safe at home and exposed on the far side.
        assert_eq!((white(Role::King, Square::G1), white(Role::King, Square::G8)), (30, -40));
        assert_eq!((black(Role::King, Square::G8), black(Role::King, Square::G1)), (30, -40));
        // A rook belongs on the seventh rank.
        assert_eq!((white(Role::Rook, Square::D7), white(Role::Rook, Square::D2)), (10, 0));
        assert_eq!((black(Role::Rook, Square::D2), black(Role::Rook, Square::D7)), (10, 0));
    }

    #[test]
    fn values_are_those_computed_by_hand() {
        assert_eq!(evaluated("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 0);
        // 1. e4: from -20 to +20, seen by Black.
        assert_eq!(evaluated("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"), -40);
        // Pawn 100 + 50 on e7; kings e1 (-30) and a8 (-50) in the endgame.
        assert_eq!(evaluated("k7/4P3/8/8/8/8/8/4K3 w - - 0 1"), 170);
        assert_eq!(evaluated("k7/4P3/8/8/8/8/8/4K3 b - - 0 1"), -170);
    }

    #[test]
    fn the_king_comes_out_when_the_pieces_are_gone() {
        let endgame = |fen| is_endgame(StartPosition::from_fen(fen).unwrap().position());
        assert!(!endgame("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
        assert!(!endgame("r1b1k2r/8/8/8/8/8/8/R1B1K2R w - - 0 1"));
        assert!(endgame("r1bnk3/8/8/8/8/8/8/R1BNK3 w - - 0 1"));
        assert!(square_bonus(Role::King, Color::White, Square::E4, true) > 0);
        assert!(square_bonus(Role::King, Color::White, Square::E4, false) < 0);
    }
}
