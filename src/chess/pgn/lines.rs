//! Text files as other programs leave them, line by line: unpacked, a byte order mark, CRLF, UTF-8
//! or Latin-1, and no line so long that it fills the memory.
//!
//! A line is a slice of the one buffer: reading copies nothing and allocates nothing per line.

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::Range;

use memchr::{memchr, memchr3};

use super::bytes::{NAME, is};
use super::unpack::unpack;

/// The longest line that is read, in bytes.
pub(in crate::chess) const LONGEST_LINE: u64 = 1 << 20;

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

    /// The pair that the next line is, if that is all it holds, as programs write it: `[Name "value"]`
    /// without escapes. This is the fast way: the line is looked at once, and stays the next one.
    pub(super) fn plain_tag(&self) -> Option<PlainTag<'_>> {
        let text = self.buffer.get(self.next..self.filled)?;
        let inner = text.strip_prefix(b"[")?;
        let length = inner.iter().position(|byte| !is(*byte, NAME)).filter(|length| *length > 0)?;
        let (name, after) = inner.split_at_checked(length)?;
        let after = after.strip_prefix(b" \"")?;
        let end = memchr3(b'"', b'\\', b'\n', after)?;
        let (value, after) = after.split_at_checked(end)?;
        let rest = after.strip_prefix(b"\"]")?;
        let rest = rest.strip_prefix(b"\r").unwrap_or(rest).strip_prefix(b"\n")?;
        Some(PlainTag { name, value, length: text.len() - rest.len() })
    }

    /// Passes the next line, whose `length` bytes with its end stand in the buffer.
    pub(super) fn pass(&mut self, length: usize) {
        self.next += length;
        self.line = self.next..self.next;
        self.number += 1;
        self.bytes = self.bytes.saturating_add(length as u64);
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

/// A line that is one tag pair and nothing else.
pub(super) struct PlainTag<'a> {
    pub(super) name: &'a [u8],
    pub(super) value: &'a [u8],
    /// The line's bytes with its end.
    pub(super) length: usize,
}

/// The text of `bytes`: UTF-8, and Latin-1 where it is not UTF-8.
pub(in crate::chess) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()),
    }
}
