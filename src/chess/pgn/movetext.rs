//! Movetext: tokens to checked moves, fed line by line.
//!
//! Moves are read as people and programs write them: move numbers, annotation marks, zeros for
//! castling, a missing or needless `x`, UCI notation. What cannot be read or played is the game's
//! fault; the moves before it stay. Variations are skipped.

use shakmaty::san::{San, SanError};

use super::lines::decode;
use crate::chess::game::Outcome;
use crate::chess::position::{Chess, Move, Position as _, parse_engine_move};

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

struct OpenComment {
    opened_at: u64,
    text: Vec<u8>,
}

/// The moves of one game as they come in.
pub(super) struct Movetext {
    position: Chess,
    most_plies: usize,
    keep_comments: bool,
    depth: usize,
    open: Option<OpenComment>,
    pub(super) moves: Vec<ReadMove>,
    pub(super) start_comment: Option<String>,
    pub(super) fault: Option<String>,
    /// What the movetext ended with: nothing, `*`, or a result.
    pub(super) marker: Option<Option<Outcome>>,
}

impl Movetext {
    pub(super) fn new(position: Chess, most_plies: Option<usize>, keep_comments: bool) -> Self {
        Self {
            position,
            most_plies: most_plies.unwrap_or(usize::MAX),
            keep_comments,
            depth: 0,
            open: None,
            moves: Vec::new(),
            start_comment: None,
            fault: None,
            marker: None,
        }
    }

    pub(super) fn in_comment(&self) -> bool {
        self.open.is_some()
    }

    /// Says what the end of the text, or the next game's tags, cut off.
    pub(super) fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.set_fault(format!("the comment opened on line {} is never closed", open.opened_at));
        } else if self.depth > 0 {
            self.set_fault("a variation is never closed".to_owned());
        }
    }

    fn set_fault(&mut self, fault: String) {
        self.fault.get_or_insert(fault);
    }

    /// Takes a line, and returns what follows the mark that ends the game if that was in it.
    pub(super) fn feed<'t>(&mut self, line: &'t [u8], line_number: u64) -> Option<&'t [u8]> {
        let mut rest = line;
        loop {
            if let Some(open) = &mut self.open {
                let end = rest.iter().position(|byte| *byte == b'}');
                let (inside, after) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
                if self.keep_comments && open.text.len() < LONGEST_COMMENT {
                    open.text.extend_from_slice(inside);
                    open.text.push(b' ');
                }
                rest = after.get(1..)?;
                self.finish_comment();
            }
            rest = rest.trim_ascii_start();
            let (first, after_first) = rest.split_first()?;
            match first {
                b'{' => self.open = Some(OpenComment { opened_at: line_number, text: Vec::new() }),
                b';' => {
                    if self.keep_comments {
                        self.keep_comment(after_first);
                    }
                    return None;
                }
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                b'}' => {}
                _ => {
                    let length = rest.iter().take_while(|byte| !ends_token(**byte)).count().max(1);
                    let (token, after) = rest.split_at_checked(length)?;
                    rest = after;
                    if self.depth == 0 {
                        if let Some(marker) = end_marker(token) {
                            self.marker = Some(marker);
                            return Some(rest);
                        }
                        self.token(token);
                    }
                    continue;
                }
            }
            rest = after_first;
        }
    }

    fn finish_comment(&mut self) {
        if let Some(open) = self.open.take()
            && self.keep_comments
        {
            self.keep_comment(&open.text);
        }
    }

    fn keep_comment(&mut self, text: &[u8]) {
        let text = text.trim_ascii();
        let after_kept_plies = self.moves.len() >= self.most_plies && self.most_plies > 0;
        if self.depth > 0 || self.fault.is_some() || text.is_empty() || after_kept_plies {
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

    fn token(&mut self, token: &[u8]) {
        if self.fault.is_some() || self.moves.len() >= self.most_plies {
            return;
        }
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
}

fn ends_token(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'(' | b')' | b';')
}

/// The result that a token is, if it is one.
#[allow(clippy::option_option, reason = "`*` ends a game and is no result")]
fn end_marker(token: &[u8]) -> Option<Option<Outcome>> {
    match token {
        b"*" => Some(None),
        b"1-0" => Some(Some(Outcome::White)),
        b"0-1" => Some(Some(Outcome::Black)),
        b"1/2-1/2" | b"1/2" => Some(Some(Outcome::Draw)),
        _ if token == "½-½".as_bytes() => Some(Some(Outcome::Draw)),
        _ => None,
    }
}

/// The part of a token that names a move: without its move number and annotation marks.
fn move_word(token: &[u8]) -> Option<&[u8]> {
    if token.starts_with(b"$") || token == b"e.p." {
        return None;
    }
    let digits = token.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut word = token;
    if !token.starts_with(b"0-0") {
        word = token.get(digits..)?;
        word = word.get(word.iter().take_while(|byte| **byte == b'.').count()..)?;
    }
    let marks = word.iter().rev().take_while(|byte| matches!(byte, b'!' | b'?' | b'+' | b'#')).count();
    word = word.get(..word.len().checked_sub(marks)?)?;
    let annotation = word != b"--" && !word.iter().any(u8::is_ascii_alphanumeric);
    (!annotation).then_some(word)
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

/// The same move with `x` put in or left out.
fn with_other_capture_mark(san: San) -> Option<San> {
    match san {
        San::Normal { role, file, rank, capture, to, promotion } => {
            Some(San::Normal { role, file, rank, capture: !capture, to, promotion })
        }
        _ => None,
    }
}
