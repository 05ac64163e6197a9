//! Text files as other programs leave them, line by line: unpacked, a byte order mark, CRLF, UTF-8
//! or Latin-1, and no line so long that it fills the memory.
//!
//! A line is a slice of the one buffer: reading copies nothing and allocates nothing per line.

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::Range;

use memchr::memchr;

use super::tags::{TagPair, plain_tag};
use super::unpack::unpack;

/// The longest line that is read, in bytes.
pub(in crate::chess) const LONGEST_LINE: u64 = 1 << 24;

const BUFFER_BYTES: usize = 1 << 17;

/// Why the next line cannot be had.
#[derive(Debug)]
pub(in crate::chess) enum LineError {
    Io(io::Error),
    /// Longer than [`LONGEST_LINE`].
    TooLong,
}

/// The lines of a source, one at a time.
pub(in crate::chess) struct Lines<'a> {
    input: Box<dyn Read + 'a>,
    buffer: Vec<u8>,
    /// Where the present line stands in the buffer, without its end.
    line: Range<usize>,
    /// Where the next line begins.
    next: usize,
    /// How much of the buffer holds text.
    filled: usize,
    ended: bool,
    number: u64,
    bytes: u64,
}

impl<'a> Lines<'a> {
    pub(in crate::chess) fn new(reader: impl Read + 'a) -> io::Result<Self> {
        let mut lines = Self {
            input: unpack(reader)?,
            buffer: vec![0; BUFFER_BYTES],
            line: 0..0,
            next: 0,
            filled: 0,
            ended: false,
            number: 0,
            bytes: 0,
        };
        while lines.filled < 3 && !lines.ended {
            lines.fill()?;
        }
        if lines.buffer.starts_with(&[0xef, 0xbb, 0xbf]) {
            lines.next = 3;
        }
        Ok(lines)
    }

    /// Goes to the next line; false at the end.
    pub(in crate::chess) fn advance(&mut self) -> Result<bool, LineError> {
        let mut searched = 0;
        loop {
            let text = self.buffer.get(self.next..self.filled).unwrap_or_default();
            // Two of a game's lines are blank.
            if text.first() == Some(&b'\n') {
                return self.take_line(0, 1);
            }
            if let Some(length) = memchr(b'\n', text.get(searched..).unwrap_or_default()) {
                return self.take_line(searched + length, 1);
            }
            searched = text.len();
            if self.ended {
                return if searched == 0 { Ok(false) } else { self.take_line(searched, 0) };
            }
            if searched as u64 > LONGEST_LINE {
                return self.take_line(searched, 0);
            }
            self.fill().map_err(LineError::Io)?;
        }
    }

    fn take_line(&mut self, length: usize, end: usize) -> Result<bool, LineError> {
        let read = (length + end) as u64;
        self.line = self.next..self.next + length;
        self.next += length + end;
        self.number += 1;
        self.bytes = self.bytes.saturating_add(read);
        if read > LONGEST_LINE {
            return Err(LineError::TooLong);
        }
        while let Some(b'\r') = self.line().last() {
            self.line.end -= 1;
        }
        Ok(true)
    }

    /// Whether the next line is in the buffer and begins with `byte`.
    pub(super) fn next_begins_with(&self, byte: u8) -> bool {
        self.next < self.filled && self.buffer.get(self.next) == Some(&byte)
    }

    /// Passes the lines that are one tag pair as programs write it, and hands the pairs over. This is
    /// the fast way: such lines are looked at once, where they stand. It ends at the first other line,
    /// and at one that is not whole in the buffer.
    pub(super) fn pass_plain_tags(&mut self, mut take: impl FnMut(&TagPair<'_>)) {
        let text = self.buffer.get(self.next..self.filled).unwrap_or_default();
        let mut rest = text;
        let mut passed = 0;
        while let Some((pair, after)) = plain_tag(rest) {
            take(&pair);
            rest = after;
            passed += 1;
        }
        if passed > 0 {
            let length = text.len() - rest.len();
            self.next += length;
            self.line = self.next..self.next;
            self.number += passed;
            self.bytes = self.bytes.saturating_add(length as u64);
        }
    }

    /// Reads more text after what is there, once what was used is thrown away.
    fn fill(&mut self) -> io::Result<()> {
        if self.next > 0 {
            self.buffer.copy_within(self.next..self.filled, 0);
            self.filled -= self.next;
            (self.next, self.line) = (0, 0..0);
        }
        if self.filled == self.buffer.len() {
            self.buffer.resize(2 * self.buffer.len(), 0);
        }
        let free = self.buffer.get_mut(self.filled..).unwrap_or_default();
        let read = loop {
            match self.input.read(free) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        self.filled += read;
        self.ended = read == 0;
        Ok(())
    }

    /// The present line, without its end.
    pub(in crate::chess) fn line(&self) -> &[u8] {
        self.buffer.get(self.line.clone()).unwrap_or_default()
    }

    /// The present line's number, from 1.
    pub(in crate::chess) fn number(&self) -> u64 {
        self.number
    }

    /// How many bytes of text have been read.
    pub(in crate::chess) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// The text of `bytes`: UTF-8, and Latin-1 where it is not UTF-8.
pub(in crate::chess) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()),
    }
}
