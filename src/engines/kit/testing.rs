//! Positions for the tests of every engine.

use crate::chess::{Chess, Position as _, StartPosition};
use crate::engines::zobrist::splitmix64;

/// The position with colours exchanged and the board turned over, as FEN of standard chess.
pub(in crate::engines) fn mirrored(fen: &str) -> String {
    let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks: Vec<String> =
        fields[0].split('/').rev().map(|rank| rank.chars().map(swap).collect()).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let castling: String = fields[2].chars().map(swap).collect();
    let en_passant = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    format!("{} {side} {castling} {en_passant} {} {}", ranks.join("/"), fields[4], fields[5])
}

/// The 602 reference positions.
pub(in crate::engines) fn reference_positions() -> Vec<Chess> {
    include_str!("../../../positions/reference/positions.epd")
        .lines()
        .map(|line| {
            let fields: Vec<&str> = line.split(' ').take(4).collect();
            StartPosition::from_fen(&fields.join(" ")).unwrap().position().clone()
        })
        .collect()
}

/// So many positions, from random moves after the reference positions, none without a legal move.
pub(in crate::engines) fn random_positions(count: usize) -> Vec<Chess> {
    let mut state = 2026;
    let mut found = Vec::with_capacity(count);
    for start in reference_positions().iter().cycle() {
        let mut chess = start.clone();
        for _ in 0..8 {
            let moves = chess.legal_moves();
            if moves.is_empty() {
                break;
            }
            if found.len() == count {
                return found;
            }
            found.push(chess.clone());
            let (number, next) = splitmix64(state);
            state = next;
            chess.play_unchecked(moves[(number % moves.len() as u64) as usize]);
        }
    }
    found
}
