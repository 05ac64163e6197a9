//! The blocks: what each measures for one side, in whole centipawns before its gain.
//!
//! Symmetric by construction: each is computed for a side from what is its own and what is the
//! enemy's, Black's board turned over where ranks count.

use super::board_map::{A_FILE, BoardMap, H_FILE, LOOSE_ROLES};
use super::personality::{Arguments, Block};
use crate::chess::{Bitboard, Board, Color, File};

/// What a block measures for a side.
pub(super) fn measure(
    block: Block,
    board: &Board,
    map: &BoardMap,
    color: Color,
    arguments: &Arguments,
) -> i32 {
    match block {
        Block::Material => material(board, color, &arguments.material),
        Block::LoosePieces => -loose_pieces(board, map, color, &arguments.loose),
        Block::KingExposure => -king_exposure(board, map, color, arguments),
        Block::Mobility => {
            let reach = map.side(color).reach;
            reach.iter().zip(&arguments.mobility).map(|(squares, worth)| squares * worth).sum()
        }
        Block::PawnStructure => pawn_structure(board, color, arguments),
    }
}

fn material(board: &Board, color: Color, values: &[i32; 5]) -> i32 {
    let own = board.by_color(color);
    [board.pawns(), board.knights(), board.bishops(), board.rooks(), board.queens()]
        .iter()
        .zip(values)
        .map(|(of_role, value)| (*of_role & own).count() as i32 * value)
        .sum()
}

fn loose_pieces(board: &Board, map: &BoardMap, color: Color, costs: &[i32; 4]) -> i32 {
    let loose = map.loose(board, color);
    if loose.is_empty() {
        return 0;
    }
    LOOSE_ROLES
        .iter()
        .zip(costs)
        .map(|(role, cost)| (loose & board.by_role(*role)).count() as i32 * cost)
        .sum()
}

/// The zone is the king's square and those around it.
fn king_exposure(board: &Board, map: &BoardMap, color: Color, arguments: &Arguments) -> i32 {
    let Some(king) = board.king_of(color) else { return 0 };
    let costs = &arguments.king;
    let zone = map.side(color).king.with(king);
    let attacked = zone & map.side(color.other()).without_king();
    let unguarded = attacked & !map.side(color).without_king();
    let own_pawns = board.pawns() & board.by_color(color);
    let file = king.file() as i32;
    let open_files = (file - 1..=file + 1)
        .filter_map(|file| u32::try_from(file).ok().filter(|file| *file < 8))
        .filter(|file| (own_pawns & Bitboard::from_file(File::new(*file))).is_empty())
        .count();
    attacked.count() as i32 * costs.attacked_square
        + unguarded.count() as i32 * costs.unguarded_square
        + open_files as i32 * costs.open_file
}

fn pawn_structure(board: &Board, color: Color, arguments: &Arguments) -> i32 {
    let seen = |pawns: Bitboard| if color == Color::White { pawns } else { pawns.flip_vertical() };
    let own = seen(board.pawns() & board.by_color(color));
    let enemy = seen(board.pawns() & board.by_color(color.other()));
    let costs = &arguments.pawns;
    let doubled = own & north_fill(own).shift(8);
    let isolated = own & !beside(file_fill(own));
    let stopped = south_fill(enemy.with(beside(enemy))).shift(-8);
    let passed: i32 = (own & !stopped)
        .into_iter()
        .filter_map(|pawn| costs.passed.get((pawn.rank() as usize).wrapping_sub(1)))
        .sum();
    passed - doubled.count() as i32 * costs.doubled - isolated.count() as i32 * costs.isolated
}

/// The squares to the left and right.
fn beside(squares: Bitboard) -> Bitboard {
    squares.without_const(A_FILE).shift(-1) | squares.without_const(H_FILE).shift(1)
}

/// These squares and all above them.
fn north_fill(squares: Bitboard) -> Bitboard {
    let mut filled = squares;
    filled |= filled.shift(8);
    filled |= filled.shift(16);
    filled | filled.shift(32)
}

/// These squares and all below them.
fn south_fill(squares: Bitboard) -> Bitboard {
    let mut filled = squares;
    filled |= filled.shift(-8);
    filled |= filled.shift(-16);
    filled | filled.shift(-32)
}

fn file_fill(squares: Bitboard) -> Bitboard {
    north_fill(squares) | south_fill(squares)
}
