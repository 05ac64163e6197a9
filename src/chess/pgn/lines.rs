//! Text files as other programs leave them, line by line: gzip by its magic bytes, a byte order
//! mark, CRLF, UTF-8 or Latin-1, and no line so long that it fills the memory.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::read::MultiGzDecoder;

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
    input: BufReader<Box<dyn Read + 'a>>,
    line: Vec<u8>,
    number: u64,
    bytes: u64,
}

impl<'a> Lines<'a> {
    pub(in crate::chess) fn new(mut reader: impl Read + 'a) -> io::Result<Self> {
        let mut magic = Vec::with_capacity(3);
        reader.by_ref().take(3).read_to_end(&mut magic)?;
        let gzip = magic.starts_with(&[0x1f, 0x8b]);
        if magic == [0xef, 0xbb, 0xbf] {
            magic.clear();
        }
        let whole = Cursor::new(magic).chain(reader);
        let input: Box<dyn Read + 'a> =
            if gzip { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) };
        let mut input = BufReader::with_capacity(BUFFER_BYTES, input);
        if gzip && input.fill_buf()?.starts_with(&[0xef, 0xbb, 0xbf]) {
            input.consume(3);
        }
        Ok(Self { input, line: Vec::new(), number: 0, bytes: 0 })
    }

    /// Goes to the next line; false at the end.
    pub(in crate::chess) fn advance(&mut self) -> Result<bool, LineError> {
        self.line.clear();
        let read = self
            .input
            .by_ref()
            .take(LONGEST_LINE + 1)
            .read_until(b'\n', &mut self.line)
            .map_err(LineError::Io)?;
        if read == 0 {
            return Ok(false);
        }
        let read = u64::try_from(read).unwrap_or(u64::MAX);
        self.number += 1;
        self.bytes = self.bytes.saturating_add(read);
        if read > LONGEST_LINE {
            return Err(LineError::TooLong);
        }
        while let Some(b'\n' | b'\r') = self.line.last() {
            self.line.pop();
        }
        Ok(true)
    }

    /// The present line, without its end.
    pub(in crate::chess) fn line(&self) -> &[u8] {
        &self.line
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
