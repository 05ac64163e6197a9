//! The `bestmove` line: the answer to a search.

use std::fmt;

use super::quirk::Notes;
use super::text::{Words, looks_like_move, write_on_one_line};

/// An engine's answer to `go`.
///
/// A word that is no move is kept as it is: whether a move is well formed and legal is for the
/// rules of chess to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestMove {
    /// The first word after `bestmove`, as found; empty when there is none.
    pub token: String,
    /// The move; `None` when it is missing or a word for "no move": `(none)`, `0000`, `NULL`.
    pub best_move: Option<String>,
    /// The reply the engine expects, under the same rules.
    pub ponder: Option<String>,
}

impl BestMove {
    /// An answer; no move is written `(none)`.
    #[must_use]
    pub fn new(best_move: Option<String>, ponder: Option<String>) -> Self {
        Self { token: best_move.clone().unwrap_or_else(|| "(none)".to_owned()), best_move, ponder }
    }
}

/// Whether a word stands for "no move".
fn is_no_move(word: &str) -> bool {
    ["(none)", "none", "0000", "null", "(null)"].iter().any(|no_move| word.eq_ignore_ascii_case(no_move))
}

fn as_move(word: &str) -> Option<String> {
    (!is_no_move(word)).then(|| word.to_owned())
}

/// Reads what follows the word `bestmove`.
pub(super) fn parse_best_move(mut words: Words<'_>, notes: &mut Notes<'_>) -> BestMove {
    let token = words.peek().filter(|&word| word != "ponder").unwrap_or_default();
    if token.is_empty() {
        notes.missing_value("bestmove");
    } else {
        words.next();
    }
    let best_move = Some(token).filter(|token| !token.is_empty()).and_then(as_move);
    notes.trailing_words(words.take_until(|word| word == "ponder"));
    let mut ponder = None;
    if words.next().is_some() {
        match words.next() {
            None => notes.missing_value("ponder"),
            Some(word) => ponder = as_move(word),
        }
        notes.trailing_words(words.rest());
    }
    BestMove { token: token.to_owned(), best_move, ponder }
}

/// Whether the words are a move, perhaps with `ponder` and a move, and nothing else.
pub(super) fn is_complete_answer(mut words: Words<'_>) -> bool {
    let is_answer = |word: &str| looks_like_move(word) || is_no_move(word);
    words.next().is_some_and(is_answer)
        && match words.next() {
            None => true,
            Some(word) => word == "ponder" && words.next().is_some_and(is_answer) && words.next().is_none(),
        }
}

impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bestmove")?;
        for (key, word) in [("", Some(&self.token)), (" ponder", self.ponder.as_ref())] {
            if let Some(word) = word.filter(|word| !word.is_empty()) {
                write!(f, "{key} ")?;
                write_on_one_line(f, word)?;
            }
        }
        Ok(())
    }
}
