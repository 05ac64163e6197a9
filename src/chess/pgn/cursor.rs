//! Where one game of a PGN stream ends and the next begins, whoever takes its tags and moves.

use std::hash::Hasher as _;
use std::io::Read;

use super::error::PgnError;
use super::lines::{LineError, Lines};
use super::mix::Mixer;
use super::tags::TagPair;
use super::tokens::{MoveSink, Tokens};
use crate::chess::game::Outcome;

/// A place in a PGN stream.
pub(super) struct Cursor<'a> {
    lines: Lines<'a>,
    source_name: String,
    /// Where in the present line the next game begins.
    at: usize,
    has_line: bool,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(reader: impl Read + 'a, source_name: String) -> Result<Self, PgnError> {
        let lines = match Lines::new(reader) {
            Ok(lines) => lines,
            Err(error) => return Err(PgnError::Io { source_name, line: 0, error }),
        };
        Ok(Self { lines, source_name, at: 0, has_line: false })
    }

    pub(super) fn source_name(&self) -> &str {
        &self.source_name
    }

    /// The number of the line that the next text stands on, from 1.
    pub(super) fn line_number(&self) -> u64 {
        self.lines.number() + u64::from(!self.has_line)
    }

    /// How many bytes of text have been read.
    pub(super) fn bytes(&self) -> u64 {
        self.lines.bytes()
    }

    /// Goes to the next line when the present one is used up; false at the end of the file.
    fn ensure_text(&mut self) -> Result<bool, PgnError> {
        if self.has_line {
            return Ok(true);
        }
        self.at = 0;
        self.has_line = self.lines.advance().map_err(|error| match error {
            LineError::Io(error) => {
                PgnError::Io { source_name: self.source_name.clone(), line: self.lines.number(), error }
            }
            LineError::TooLong => {
                PgnError::LineTooLong { source_name: self.source_name.clone(), line: self.lines.number() }
            }
        })?;
        Ok(self.has_line)
    }

    /// What is left of the present line. Empty for a line that `%` takes out of the text.
    fn rest(&self) -> &[u8] {
        let line = self.lines.line();
        if self.at == 0 && line.starts_with(b"%") {
            return &[];
        }
        line.get(self.at..).unwrap_or_default().trim_ascii_start()
    }

    /// Keeps only the last `length` bytes of the present line.
    fn keep_last(&mut self, length: usize) {
        self.at = self.lines.line().len().saturating_sub(length);
        self.has_line = length > 0;
    }

    /// Passes blank lines and comments, such as those after a result; false at the end of the file.
    pub(super) fn skip_between_games(&mut self) -> Result<bool, PgnError> {
        let mut in_comment = false;
        loop {
            if !self.has_line && !in_comment && self.lines.next_begins_with(b'[') {
                return Ok(true);
            }
            if !self.ensure_text()? {
                return Ok(false);
            }
            let rest = self.rest();
            if in_comment && !(self.at == 0 && opens_game(rest)) {
                let end = rest.iter().position(|byte| *byte == b'}');
                in_comment = end.is_none();
                let left = end.map_or(0, |end| rest.len() - end - 1);
                self.keep_last(left);
                continue;
            }
            match rest.first() {
                None | Some(b';') => self.keep_last(0),
                Some(b'{') => {
                    in_comment = true;
                    let left = rest.len() - 1;
                    self.keep_last(left);
                }
                Some(_) => return Ok(true),
            }
        }
    }

    /// Hands over the game's tags, in file order.
    pub(super) fn read_tags(&mut self, mut take: impl FnMut(&TagPair<'_>)) -> Result<(), PgnError> {
        let mut blank_line = false;
        let mut first_tag = None;
        loop {
            if !self.has_line && !blank_line {
                self.lines.pass_plain_tags(|pair| {
                    first_tag.get_or_insert_with(|| name_hash(pair.name));
                    take(pair);
                });
            }
            if !self.ensure_text()? {
                break;
            }
            let rest = self.rest();
            if rest.is_empty() {
                blank_line |= self.at == 0;
                self.keep_last(0);
                continue;
            }
            let Some(pair) = TagPair::parse(rest) else {
                if rest.starts_with(b"[") && !blank_line {
                    // No tag, but among tags: not a move either.
                    self.keep_last(0);
                    continue;
                }
                break;
            };
            // A game may be nothing but its tags.
            let left = pair.rest.len();
            if blank_line || first_tag.is_none() {
                let name = name_hash(pair.name);
                if blank_line && first_tag == Some(name) {
                    break;
                }
                first_tag.get_or_insert(name);
            }
            blank_line = false;
            take(&pair);
            self.keep_last(left);
        }
        Ok(())
    }

    /// Hands over the game's movetext and returns what ended it: nothing, `*`, or a result.
    #[allow(clippy::option_option, reason = "`*` ends a game and is no result")]
    pub(super) fn read_movetext(
        &mut self,
        sink: &mut impl MoveSink,
    ) -> Result<Option<Option<Outcome>>, PgnError> {
        let mut tokens = Tokens::default();
        while self.ensure_text()? {
            let rest = if tokens.in_comment() && self.at == 0 { self.lines.line() } else { self.rest() };
            let next_game = if tokens.in_comment() {
                opens_game(rest)
            } else {
                rest.starts_with(b"[") && TagPair::parse(rest).is_some()
            };
            if self.at == 0 && next_game {
                break;
            }
            let after = tokens.feed(rest, self.lines.number(), sink).map(<[u8]>::len);
            self.keep_last(after.unwrap_or(0));
            if after.is_some() {
                return Ok(tokens.marker);
            }
        }
        tokens.close(sink);
        Ok(tokens.marker)
    }
}

fn name_hash(name: &[u8]) -> u64 {
    let mut mixer = Mixer::default();
    mixer.write(name);
    mixer.finish()
}

/// Whether a line inside a comment begins the next game, so that the comment was never closed.
fn opens_game(line: &[u8]) -> bool {
    line.starts_with(b"[Event \"")
}
