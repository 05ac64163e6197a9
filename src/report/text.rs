//! Strangers' text for a page, a figure, a table: one line that every format takes.

use crate::uci::protocol::is_hidden;

/// A character, or a blank in place of a hidden one.
pub(super) fn shown(c: char) -> char {
    if is_hidden(c) { ' ' } else { c }
}

/// A text with blanks in place of hidden characters.
pub(super) fn clean(text: &str) -> String {
    text.chars().map(shown).collect()
}

/// A text with blanks in place of hidden characters, cut after `most` letters.
#[must_use]
pub fn shortened(text: &str, most: usize) -> String {
    let mut short: String = text.chars().take(most).map(shown).collect();
    if text.chars().nth(most).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_text_is_short_and_plain() {
        let long = shortened(&"x\n\u{202e}".repeat(1_000_000), 5);
        assert_eq!(long, "x  x …");
        let forbidden =
            "a\u{0}\u{1b}\u{85}\u{61c}\u{200f}\u{2028}\u{2029}\u{2067}\u{fdd0}\u{fffe}\u{ffff}\u{1fffe}b";
        assert_eq!(clean(forbidden), format!("a{}b", " ".repeat(12)));
        assert_eq!(clean("Жук é 王 👩\u{200d}🔬 \u{fffd}"), "Жук é 王 👩\u{200d}🔬 \u{fffd}");
    }
}
