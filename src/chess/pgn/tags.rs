//! Tag pairs: `[Name "value"]`, one or more on a line.

use super::bytes::{NAME, is};
use super::lines::decode;

/// A tag pair found at the beginning of a text.
pub(super) struct TagPair<'a> {
    /// ASCII letters, digits and `_`.
    pub(super) name: &'a [u8],
    /// As it stands in the file.
    pub(super) value: &'a [u8],
    /// What follows the pair.
    pub(super) rest: &'a [u8],
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
        let mut escaped = false;
        for (at, byte) in value.iter().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => {
                    let (value, after) = value.split_at_checked(at)?;
                    let after = after.get(1..)?.trim_ascii_start();
                    if after.is_empty() {
                        return Some(Self { name, value, rest: after });
                    }
                    if let Some(rest) = after.strip_prefix(b"]") {
                        return Some(Self { name, value, rest });
                    }
                }
                _ => {}
            }
        }
        let value = value.trim_ascii_end();
        Some(Self { name, value: value.strip_suffix(b"]").unwrap_or(value), rest: &[] })
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
