//! Movetext to words and comments, fed line by line. Variations are passed over.

use memchr::memchr;

use super::bytes::{ENDS_WORD, is};
use crate::chess::game::Outcome;

/// Who takes the words of a game.
pub(super) trait MoveSink {
    /// A word of the main line: a move with its number and marks, a number, a mark.
    fn word(&mut self, word: &[u8]);
    /// A part of a comment; `ends` where it is the last part. `main_line` is false in variations.
    fn comment(&mut self, part: &[u8], ends: bool, main_line: bool);
    /// What is wrong with the game as a text.
    fn set_fault(&mut self, fault: String);
}

/// Where in a game's movetext the reader stands.
#[derive(Default)]
pub(super) struct Tokens {
    depth: usize,
    /// The line of the brace that is open.
    opened_at: Option<u64>,
    /// What the movetext ended with: nothing, `*`, or a result.
    pub(super) marker: Option<Option<Outcome>>,
}

impl Tokens {
    pub(super) fn in_comment(&self) -> bool {
        self.opened_at.is_some()
    }

    /// Says what the end of the text, or the next game's tags, cut off.
    pub(super) fn close(&mut self, sink: &mut impl MoveSink) {
        if let Some(line) = self.opened_at.take() {
            sink.set_fault(format!("the comment opened on line {line} is never closed"));
        } else if self.depth > 0 {
            sink.set_fault("a variation is never closed".to_owned());
        }
    }

    /// Takes a line, and returns what follows the mark that ends the game if that was in it.
    pub(super) fn feed<'t>(
        &mut self,
        line: &'t [u8],
        line_number: u64,
        sink: &mut impl MoveSink,
    ) -> Option<&'t [u8]> {
        let mut rest = line;
        loop {
            if self.opened_at.is_some() {
                let end = memchr(b'}', rest);
                let (inside, after) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
                sink.comment(inside, end.is_some(), self.depth == 0);
                rest = after.get(1..)?;
                self.opened_at = None;
            }
            rest = rest.trim_ascii_start();
            let (first, after_first) = rest.split_first()?;
            match first {
                b'{' => self.opened_at = Some(line_number),
                b';' => {
                    sink.comment(after_first, true, self.depth == 0);
                    return None;
                }
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                b'}' => {}
                _ => {
                    let end = rest.iter().position(|byte| is(*byte, ENDS_WORD));
                    let length = end.unwrap_or(rest.len()).max(1);
                    let (word, after) = rest.split_at_checked(length)?;
                    rest = after;
                    if self.depth == 0 {
                        if let b'0'..=b'9' | b'*' | 0x80.. = *first
                            && let Some(marker) = end_marker(word)
                        {
                            self.marker = Some(marker);
                            return Some(rest);
                        }
                        sink.word(word);
                    }
                    continue;
                }
            }
            rest = after_first;
        }
    }
}

/// The result that a word is, if it is one.
#[allow(clippy::option_option, reason = "`*` ends a game and is no result")]
fn end_marker(word: &[u8]) -> Option<Option<Outcome>> {
    match word {
        b"*" => Some(None),
        b"1-0" => Some(Some(Outcome::White)),
        b"0-1" => Some(Some(Outcome::Black)),
        b"1/2-1/2" | b"1/2" => Some(Some(Outcome::Draw)),
        _ if word == "½-½".as_bytes() => Some(Some(Outcome::Draw)),
        _ => None,
    }
}

/// The part of a word that names a move: without its move number and annotation marks.
pub(super) fn move_word(token: &[u8]) -> Option<&[u8]> {
    let (first, last) = (token.first()?, token.last()?);
    if first.is_ascii_alphabetic() && last.is_ascii_alphanumeric() {
        return Some(token);
    }
    if first.is_ascii_digit() && *last == b'.' && token.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'.'))
    {
        return None;
    }
    if token.starts_with(b"$") || token == b"e.p." {
        return None;
    }
    let digits = token.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut word = token;
    if digits > 0 && !token.starts_with(b"0-0") {
        word = token.get(digits..)?;
    }
    word = word.get(word.iter().take_while(|byte| **byte == b'.').count()..)?;
    let marks = word.iter().rev().take_while(|byte| matches!(byte, b'!' | b'?' | b'+' | b'#')).count();
    word = word.get(..word.len().checked_sub(marks)?)?;
    let annotation = word != b"--" && !word.iter().any(u8::is_ascii_alphanumeric);
    (!annotation).then_some(word)
}
