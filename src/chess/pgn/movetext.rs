//! Movetext: tokens to checked moves, fed line by line.
//!
//! Moves are read as people and programs write them: move numbers, annotation marks, zeros for
//! castling, a missing or needless `x`, UCI notation. What cannot be read or played is the game's
//! fault; the moves before it stay. Variations are skipped.

use shakmaty::san::{San, SanError};

use super::lines::decode;
use super::tokens::{MoveSink, move_word};
use crate::chess::position::{Chess, Move, Position as _, Role, parse_engine_move};

/// Comments are cut beyond this many bytes, so that a brace left open does not fill the memory.
const LONGEST_COMMENT: usize = 1 << 20;

/// A move as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadMove {
    /// The move.
    pub m: Move,
    /// The comments after it, joined by a space.
    pub comment: Option<String>,
}

/// The moves of one game as they come in.
pub(super) struct Movetext {
    position: Chess,
    most_plies: usize,
    keep_comments: bool,
    /// The comment that is being read.
    open: Vec<u8>,
    pub(super) moves: Vec<ReadMove>,
    pub(super) start_comment: Option<String>,
    pub(super) fault: Option<String>,
}

impl Movetext {
    pub(super) fn new(position: Chess, most_plies: Option<usize>, keep_comments: bool) -> Self {
        Self {
            position,
            most_plies: most_plies.unwrap_or(usize::MAX),
            keep_comments,
            open: Vec::new(),
            moves: Vec::new(),
            start_comment: None,
            fault: None,
        }
    }

    fn keep_comment(&mut self, text: &[u8]) {
        let text = text.trim_ascii();
        let after_kept_plies = self.moves.len() >= self.most_plies && self.most_plies > 0;
        if self.fault.is_some() || text.is_empty() || after_kept_plies {
            return;
        }
        let place = match self.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut self.start_comment,
        };
        let text = decode(text);
        match place {
            Some(comment) => {
                comment.push(' ');
                comment.push_str(&text);
            }
            None => *place = Some(text.into_owned()),
        }
    }
}

impl MoveSink for Movetext {
    fn word(&mut self, word: &[u8]) {
        if self.fault.is_some() || self.moves.len() >= self.most_plies {
            return;
        }
        let token = word;
        let Some(word) = move_word(token) else { return };
        match read_move(&self.position, word) {
            Ok(m) => {
                self.position.play_unchecked(m);
                self.moves.push(ReadMove { m, comment: None });
            }
            Err(reason) => {
                let shown: String = decode(token).chars().take(40).collect();
                self.set_fault(format!("ply {}: `{shown}` is {reason}", self.moves.len() + 1));
            }
        }
    }

    fn comment(&mut self, part: &[u8], ends: bool, main_line: bool) {
        if !(self.keep_comments && main_line) {
            return;
        }
        if self.open.len() < LONGEST_COMMENT {
            self.open.extend_from_slice(part);
            self.open.push(b' ');
        }
        if ends {
            let mut text = std::mem::take(&mut self.open);
            self.keep_comment(&text);
            text.clear();
            self.open = text;
        }
    }

    fn set_fault(&mut self, fault: String) {
        self.fault.get_or_insert(fault);
    }
}

fn read_move(position: &Chess, word: &[u8]) -> Result<Move, &'static str> {
    let parsed = San::from_ascii(word).or_else(|_| San::from_ascii(&respelled(word)));
    if matches!(parsed, Ok(San::Null)) || matches!(word, b"null" | b"0000") {
        return Err("a null move, expected a move");
    }
    // Squares without a piece letter (`g1f3`) are UCI notation, unless a pawn makes that move.
    let as_uci =
        || str::from_utf8(word).ok().and_then(|text| parse_engine_move(position, text).ok()).map(|(m, _)| m);
    let Ok(parsed) = parsed else {
        return as_uci().ok_or("no move in algebraic notation");
    };
    match parsed.to_move(position) {
        Ok(m) => Ok(m),
        Err(SanError::AmbiguousSan) => Err("ambiguous here, expected the file or rank it comes from"),
        Err(SanError::IllegalSan) => with_other_capture_mark(parsed)
            .and_then(|other| other.to_move(position).ok())
            .or_else(as_uci)
            .ok_or("not legal here"),
    }
}

/// Spellings the standard does not have, in its own: `0-0`, `Ng1-f3`, `e8Q`.
fn respelled(word: &[u8]) -> Vec<u8> {
    if word.starts_with(b"0-0") {
        return word.iter().map(|byte| if *byte == b'0' { b'O' } else { *byte }).collect();
    }
    let mut plain: Vec<u8> = word.iter().copied().filter(|byte| *byte != b'-').collect();
    if let [.., rank, b'Q' | b'R' | b'B' | b'N'] = plain.as_slice()
        && rank.is_ascii_digit()
    {
        plain.insert(plain.len() - 1, b'=');
    }
    plain
}

/// The same move with `x` put in or left out. A pawn that captures needs the file it comes from: `b5`
/// is never `axb5`.
fn with_other_capture_mark(san: San) -> Option<San> {
    match san {
        San::Normal { role: Role::Pawn, file: None, .. } => None,
        San::Normal { role, file, rank, capture, to, promotion } => {
            Some(San::Normal { role, file, rank, capture: !capture, to, promotion })
        }
        _ => None,
    }
}
