//! Tag pairs: `[Name "value"]`, one or more on a line.

use super::bytes::{NAME, first_equal, first_marked, is, is_name, lowest, word_of};
use super::lines::decode;

/// A tag pair found at the beginning of a text.
pub(super) struct TagPair<'a> {
    /// ASCII letters, digits and `_`.
    pub(super) name: &'a [u8],
    /// The name as a number: see [`name_key`].
    pub(super) key: u64,
    /// As it stands in the file.
    pub(super) value: &'a [u8],
    /// What follows the pair.
    pub(super) rest: &'a [u8],
}

/// A name of at most eight bytes as a number, so that it is compared at once; 0 for a longer one.
pub(super) const fn name_key(name: &[u8]) -> u64 {
    let mut key = 0;
    let mut rest = name;
    while let [before @ .., last] = rest {
        key = key << 8 | *last as u64;
        rest = before;
    }
    if name.len() > 8 { 0 } else { key }
}

/// The pair on the first line of `text` and what follows that line, if the line is whole and holds
/// just the pair as programs write it: `[Name "value"]`, without escapes.
pub(super) fn plain_tag(text: &[u8]) -> Option<(TagPair<'_>, &[u8])> {
    let inner = text.strip_prefix(b"[")?;
    let word = word_of(inner)?;
    let mut length = first_marked(first_equal(word, b' '));
    if length == 0 || !is_name(word, length) {
        return None;
    }
    let mut key = lowest(word, length);
    if length == 8 {
        let more = inner.get(8..)?.iter().position(|byte| !is(*byte, NAME))?;
        length += more;
        key = if more == 0 { word } else { 0 };
    }
    let (name, after) = inner.split_at_checked(length)?;
    let value = after.strip_prefix(b" \"")?;
    let mut end = 0;
    let marked = loop {
        let word = word_of(value.get(end..)?)?;
        let marks = first_equal(word, b'"') | first_equal(word, b'\\') | first_equal(word, b'\n');
        if marks != 0 {
            break first_marked(marks);
        }
        end += 8;
    };
    let (value, after) = value.split_at_checked(end + marked)?;
    let rest = match after {
        [b'"', b']', b'\n', rest @ ..] | [b'"', b']', b'\r', b'\n', rest @ ..] => rest,
        _ => return None,
    };
    Some((TagPair { name, key, value, rest: &[] }, rest))
}

impl<'a> TagPair<'a> {
    /// Reads the pair that `text` begins with, if it does.
    ///
    /// A quote that neither ends the pair nor is escaped belongs to the value, as writers forget;
    /// a value without its closing quote ends with the line.
    pub(super) fn parse(text: &'a [u8]) -> Option<Self> {
        let inner = text.trim_ascii_start().strip_prefix(b"[")?.trim_ascii_start();
        let name_length = inner.iter().take_while(|byte| is(**byte, NAME)).count();
        let (name, rest) = inner.split_at_checked(name_length)?;
        let value = rest.trim_ascii_start().strip_prefix(b"\"")?;
        if name.is_empty() {
            return None;
        }
        let key = name_key(name);
        let mut escaped = false;
        for (at, byte) in value.iter().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => {
                    let (value, after) = value.split_at_checked(at)?;
                    let after = after.get(1..)?.trim_ascii_start();
                    if after.is_empty() {
                        return Some(Self { name, key, value, rest: after });
                    }
                    if let Some(rest) = after.strip_prefix(b"]") {
                        return Some(Self { name, key, value, rest });
                    }
                }
                _ => {}
            }
        }
        let value = value.trim_ascii_end();
        Some(Self { name, key, value: value.strip_suffix(b"]").unwrap_or(value), rest: &[] })
    }
}

/// The text of a tag's value as it stands in a file: decoded, its escapes undone.
#[must_use]
pub fn tag_text(raw: &[u8]) -> String {
    let text = decode(raw);
    if !text.contains('\\') {
        return text.into_owned();
    }
    let mut value = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(next @ ('"' | '\\'))) => {
                value.push(*next);
                chars.next();
            }
            _ => value.push(c),
        }
    }
    value
}
