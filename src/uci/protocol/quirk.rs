//! What a line had of its own, though it could be read.

use std::fmt;
use std::mem::discriminant;

use serde::{Deserialize, Serialize};

/// The longest piece of a line that a quirk quotes, in characters.
const LONGEST_EXCERPT: usize = 40;

/// The most quirks noted of one line.
const MOST_PER_LINE: usize = 16;

/// A departure from the protocol that reading survived. Quoted text is cut to 40 characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Quirk {
    /// Bytes that are not UTF-8; they are shown as replacement characters.
    NotUtf8,
    /// Words before the first one that starts a command.
    LeadingWords(String),
    /// No word of the line starts a command.
    UnknownCommand(String),
    /// A word where a keyword was expected. One is noted for several in a row.
    UnknownWord(String),
    /// Words after the end of a message.
    TrailingWords(String),
    /// A field without its value.
    MissingValue(String),
    /// A field whose value is not of its type or does not fit it.
    BadValue {
        /// The field.
        field: String,
        /// The value as found.
        value: String,
    },
    /// A field given more than once; the last value counts.
    Repeated(String),
    /// An option of a kind the protocol does not have; it is read as a string option.
    UnknownOptionKind {
        /// The option's name.
        option: String,
        /// The kind as found.
        kind: String,
    },
    /// A spin option whose minimum is above its maximum; the range is not used.
    MinimumAboveMaximum(String),
    /// An option whose default is outside its own range or not among its own choices.
    DefaultNotAllowed {
        /// The option's name.
        option: String,
        /// The default.
        value: String,
    },
}

impl Quirk {
    /// Whether the other quirk is the same apart from the words it quotes: an engine that writes a
    /// fraction for `nps` on every line has one habit, not a thousand.
    #[must_use]
    pub fn is_same_kind(&self, other: &Self) -> bool {
        discriminant(self) == discriminant(other) && self.field() == other.field()
    }

    /// The name of the field or option, where the quirk belongs to one.
    fn field(&self) -> Option<&str> {
        match self {
            Self::NotUtf8
            | Self::LeadingWords(_)
            | Self::UnknownCommand(_)
            | Self::UnknownWord(_)
            | Self::TrailingWords(_) => None,
            Self::MissingValue(field)
            | Self::Repeated(field)
            | Self::BadValue { field, .. }
            | Self::MinimumAboveMaximum(field)
            | Self::UnknownOptionKind { option: field, .. }
            | Self::DefaultNotAllowed { option: field, .. } => Some(field),
        }
    }
}

impl fmt::Display for Quirk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8 => f.write_str("bytes that are not UTF-8"),
            Self::LeadingWords(words) => write!(f, "words before the command: `{words}`"),
            Self::UnknownCommand(line) => write!(f, "no command in `{line}`"),
            Self::UnknownWord(word) => write!(f, "unknown word `{word}`"),
            Self::TrailingWords(words) => write!(f, "words after the end of the message: `{words}`"),
            Self::MissingValue(field) => write!(f, "`{field}` without a value"),
            Self::BadValue { field, value } => write!(f, "`{field}` with the unusable value `{value}`"),
            Self::Repeated(field) => write!(f, "`{field}` given more than once"),
            Self::UnknownOptionKind { option, kind } => {
                write!(f, "option `{option}` is of the unknown kind `{kind}`")
            }
            Self::MinimumAboveMaximum(option) => {
                write!(f, "option `{option}` has a minimum above its maximum")
            }
            Self::DefaultNotAllowed { option, value } => {
                write!(f, "option `{option}` does not allow its own default `{value}`")
            }
        }
    }
}

/// Takes down the quirks of one line: each once, and a bounded number.
pub(super) struct Notes<'a> {
    quirks: &'a mut Vec<Quirk>,
    first_of_line: usize,
}

impl<'a> Notes<'a> {
    pub(super) fn new(quirks: &'a mut Vec<Quirk>) -> Self {
        let first_of_line = quirks.len();
        Self { quirks, first_of_line }
    }

    fn add(&mut self, make: impl FnOnce() -> Quirk) {
        let of_line = self.quirks.get(self.first_of_line..).unwrap_or_default();
        if of_line.len() < MOST_PER_LINE {
            let quirk = make();
            if !of_line.contains(&quirk) {
                self.quirks.push(quirk);
            }
        }
    }

    pub(super) fn not_utf8(&mut self) {
        self.add(|| Quirk::NotUtf8);
    }

    pub(super) fn leading_words(&mut self, words: &str) {
        self.add(|| Quirk::LeadingWords(excerpt(words)));
    }

    pub(super) fn unknown_command(&mut self, line: &str) {
        self.add(|| Quirk::UnknownCommand(excerpt(line)));
    }

    pub(super) fn unknown_word(&mut self, word: &str) {
        self.add(|| Quirk::UnknownWord(excerpt(word)));
    }

    pub(super) fn trailing_words(&mut self, words: &str) {
        if !words.is_empty() {
            self.add(|| Quirk::TrailingWords(excerpt(words)));
        }
    }

    pub(super) fn missing_value(&mut self, field: &str) {
        self.add(|| Quirk::MissingValue(field.to_owned()));
    }

    pub(super) fn bad_value(&mut self, field: &str, value: &str) {
        self.add(|| Quirk::BadValue { field: field.to_owned(), value: excerpt(value) });
    }

    pub(super) fn repeated(&mut self, field: &str) {
        self.add(|| Quirk::Repeated(field.to_owned()));
    }

    pub(super) fn unknown_option_kind(&mut self, option: &str, kind: &str) {
        self.add(|| Quirk::UnknownOptionKind { option: excerpt(option), kind: excerpt(kind) });
    }

    pub(super) fn minimum_above_maximum(&mut self, option: &str) {
        self.add(|| Quirk::MinimumAboveMaximum(excerpt(option)));
    }

    pub(super) fn default_not_allowed(&mut self, option: &str, value: &str) {
        self.add(|| Quirk::DefaultNotAllowed { option: excerpt(option), value: excerpt(value) });
    }
}

fn excerpt(text: &str) -> String {
    match text.char_indices().nth(LONGEST_EXCERPT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}
