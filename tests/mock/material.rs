//! `--material`: an engine that counts material two plies deep, so that a test knows its scores and
//! can have it play a move that is wrong by them.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use elometer::chess::{Chess, Color, Position as _, Score};

use crate::moves::Board;

/// A wrong move to play where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// `drop`: loses a rook's worth or more, no mate in it.
    Drop,
    /// `walk-into-mate`: can be mated at once, and another move cannot.
    WalkIntoMate,
    /// `let-mate-go`: does not mate though it can.
    LetMateGo,
    /// `book`: loses more than 300 centipawns and reports nothing, as a book move.
    Book,
}

impl Plant {
    /// Reads the value of `--plant`.
    pub fn read(text: &str) -> Result<Self, String> {
        Ok(match text {
            "drop" => Self::Drop,
            "walk-into-mate" => Self::WalkIntoMate,
            "let-mate-go" => Self::LetMateGo,
            "book" => Self::Book,
            _ => return Err(format!("unknown plant {text}")),
        })
    }

    /// The wrong move among the scored ones, the best of which is first.
    pub fn find(self, scored: &[(String, Score)]) -> Option<&(String, Score)> {
        let (_, best) = scored.first()?;
        let loses = |score: &Score, least: i32| match (best, score) {
            (Score::Cp(best), Score::Cp(score)) => best - score >= least,
            _ => false,
        };
        scored.iter().find(|(_, score)| match self {
            Self::Drop => loses(score, 500),
            Self::Book => loses(score, 301),
            Self::WalkIntoMate => matches!(score, Score::Mate(..0)) && !matches!(best, Score::Mate(..0)),
            Self::LetMateGo => matches!(best, Score::Mate(1..)) && matches!(score, Score::Cp(_)),
        })
    }
}

/// Appends a planted move to the file a test reads.
pub fn note(path: &Path, m: &str) {
    // A file that cannot be written shows in the test that reads it.
    if let Ok(mut file) = OpenOptions::new().create(true).append(true).open(path) {
        let _ = writeln!(file, "{m}");
    }
}

/// Every move of `moves` with its score, the best first: material after the worst reply, a mate given
/// or suffered at once. Equal moves stand in an order that the position decides.
pub fn score_moves(board: &Board, moves: &[String]) -> Vec<(String, Score)> {
    let mut scored: Vec<(String, Score)> =
        moves.iter().filter_map(|m| Some((m.clone(), score(&board.after(m)?)))).collect();
    scored.sort_by_key(|(m, score)| (std::cmp::Reverse(order(*score)), board.shuffled(m)));
    scored
}

fn order(score: Score) -> i32 {
    match score {
        Score::Mate(moves) if moves > 0 => 1_000_000,
        Score::Mate(_) => -1_000_000,
        Score::Cp(value) => value,
    }
}

/// The score of a position for the side that has just moved.
fn score(position: &Chess) -> Score {
    let us = !position.turn();
    let replies = position.legal_moves();
    if replies.is_empty() {
        return if position.is_check() { Score::Mate(1) } else { Score::Cp(0) };
    }
    let mut worst = i32::MAX;
    for reply in replies {
        let mut after = position.clone();
        after.play_unchecked(reply);
        if after.is_checkmate() {
            return Score::Mate(-1);
        }
        worst = worst.min(material(&after, us) - material(&after, !us));
    }
    Score::Cp(worst)
}

fn material(position: &Chess, color: Color) -> i32 {
    let count = position.board().material_side(color);
    let values =
        [(count.pawn, 100), (count.knight, 320), (count.bishop, 330), (count.rook, 500), (count.queen, 900)];
    values.into_iter().map(|(count, value)| i32::from(count) * value).sum()
}
