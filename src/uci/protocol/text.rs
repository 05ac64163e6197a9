//! Lines as words: decoding bytes, splitting at blanks, the shape of a move, writing on one line.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::str::FromStr;

use super::quirk::Notes;

/// A byte-order mark: programs built on .NET put one before their first word.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The text of a line without its line end (a line feed, then one carriage return) and without a
/// byte-order mark. Bytes that are not UTF-8 become replacement characters.
pub(super) fn decode<'a>(line: &'a [u8], notes: &mut Notes<'_>) -> Cow<'a, str> {
    let line = strip_marks(line);
    let text = String::from_utf8_lossy(line);
    if matches!(text, Cow::Owned(_)) {
        notes.not_utf8();
    }
    text
}

fn strip_marks(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(line);
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Whether a character is no part of a readable text: controls, marks that turn the direction of
/// writing, ends of lines, and code points that are no characters (XML 1.0, section 2.2, forbids
/// U+FFFE and U+FFFF).
#[must_use]
pub fn is_hidden(c: char) -> bool {
    let turns =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let ends = matches!(c, '\u{2028}' | '\u{2029}');
    let nothing = matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe;
    c.is_control() || turns || ends || nothing
}

/// What an engine said as it may reach a terminal or a file: hidden characters as escapes that can be
/// seen. Text without them stays as it is, so that this may be done more than once.
///
/// ```
/// use elometer::uci::protocol::visible;
/// assert_eq!(visible("e2\u{8}e4\t\u{1b}[31m"), r"e2\x08e4\t\x1b[31m");
/// assert_eq!(visible("\u{202e}4e2e"), r"\u{202e}4e2e");
/// ```
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\t' => shown.push_str("\\t"),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            // Writing to a String cannot fail.
            c if is_hidden(c) && u32::from(c) < 0x100 => {
                let _ = write!(shown, "\\x{:02x}", u32::from(c));
            }
            c if is_hidden(c) => {
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
            }
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// The first word of a line, empty for a blank line: what tells lines apart before any of the
/// work of reading them is done.
///
/// A line that starts with `info` is an `info` line whatever follows, so a caller that needs no
/// search reports may drop it by this word alone.
///
/// ```
/// use elometer::uci::protocol::first_word;
/// assert_eq!(first_word(b"  info depth 1\r"), b"info");
/// assert_eq!(first_word(b""), b"");
/// ```
#[must_use]
pub fn first_word(line: &[u8]) -> &[u8] {
    let line = strip_marks(line).trim_ascii_start();
    line.split(u8::is_ascii_whitespace).next().unwrap_or_default()
}

fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace()
}

/// The words of a line from some place on. Cheap to copy, which is how to look ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    pub(super) fn peek(self) -> Option<&'a str> {
        let mut ahead = self;
        ahead.next()
    }

    /// What is left, without the blanks around it.
    pub(super) fn rest(self) -> &'a str {
        self.rest.trim_matches(is_blank)
    }

    /// What is left, as it stands after the one blank that ends the last word.
    pub(super) fn rest_verbatim(self) -> &'a str {
        self.rest.strip_prefix(is_blank).unwrap_or(self.rest)
    }

    /// The text from here to `later`, a place further on in the same line, without the blanks
    /// around it.
    pub(super) fn until(self, later: Words<'_>) -> &'a str {
        let length = self.rest.len().saturating_sub(later.rest.len());
        self.rest.get(..length).unwrap_or_default().trim_matches(is_blank)
    }

    /// Takes words up to the first that `ends` accepts, which is left in place; the text between,
    /// without the blanks around it.
    pub(super) fn take_until(&mut self, ends: impl Fn(&str) -> bool) -> &'a str {
        let start = *self;
        while let Some(word) = self.peek() {
            if ends(word) {
                break;
            }
            self.next();
        }
        start.until(*self)
    }

    /// Takes words as long as they look like moves.
    pub(super) fn take_moves(&mut self) -> Vec<String> {
        let mut moves = Vec::new();
        while let Some(word) = self.peek().filter(|word| looks_like_move(word)) {
            moves.push(word.to_owned());
            self.next();
        }
        moves
    }

    /// Takes the value of `field` into `slot`: nothing where the next word is a keyword, and no
    /// value where the word is not one of the field's type.
    pub(super) fn take_value<T: FromStr>(
        &mut self,
        field: &str,
        slot: &mut Option<T>,
        is_keyword: impl Fn(&str) -> bool,
        notes: &mut Notes<'_>,
    ) {
        if slot.is_some() {
            notes.repeated(field);
        }
        match self.peek().filter(|word| !is_keyword(word)) {
            None => notes.missing_value(field),
            Some(word) => {
                self.next();
                match word.parse() {
                    Ok(value) => *slot = Some(value),
                    Err(_) => notes.bad_value(field, word),
                }
            }
        }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        // Blanks are ASCII, so bytes are enough and never split a character.
        let start = self.rest.trim_ascii_start();
        let end = start.bytes().position(|byte| byte.is_ascii_whitespace()).unwrap_or(start.len());
        let (word, rest) = start.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Whether a word has the form of a move: two squares and perhaps a piece letter (`e2e4`,
/// `e7e8q`, in either case), a drop (`N@f3`), or the null move `0000`.
pub(super) fn looks_like_move(word: &str) -> bool {
    let is_square =
        |file: u8, rank: u8| matches!(file.to_ascii_lowercase(), b'a'..=b'h') && matches!(rank, b'1'..=b'8');
    match *word.as_bytes() {
        [b'0', b'0', b'0', b'0'] => true,
        [piece, b'@', file, rank] => piece.is_ascii_alphabetic() && is_square(file, rank),
        [file, rank, to_file, to_rank] => is_square(file, rank) && is_square(to_file, to_rank),
        [file, rank, to_file, to_rank, piece] => {
            is_square(file, rank) && is_square(to_file, to_rank) && piece.is_ascii_alphabetic()
        }
        _ => false,
    }
}

/// Writes text with its line breaks as blanks, so that no value can smuggle in a second line.
pub(super) fn write_on_one_line(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    for (index, piece) in text.split(['\n', '\r']).enumerate() {
        if index > 0 {
            f.write_str(" ")?;
        }
        f.write_str(piece)?;
    }
    Ok(())
}

/// Writes ` key` and the words of a list after it; nothing for an empty list.
pub(super) fn write_list(f: &mut fmt::Formatter<'_>, key: &str, words: &[String]) -> fmt::Result {
    if words.is_empty() {
        return Ok(());
    }
    write!(f, " {key}")?;
    for word in words {
        f.write_str(" ")?;
        write_on_one_line(f, word)?;
    }
    Ok(())
}

/// Writes ` key value`; nothing where there is no value.
pub(super) fn write_field(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {key} {value}"))
}
