//! What an engine's option is and which values it takes.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::gui_line::GuiCommand;
use super::text::write_on_one_line;

/// How the protocol writes an empty text.
pub(super) const EMPTY: &str = "<empty>";

/// An option as the engine declared it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionDeclaration {
    /// Its name; names compare without case.
    pub name: String,
    /// Its kind, with default and limits.
    pub kind: OptionKind,
}

/// The kinds of options. A part that the engine left out or got wrong is `None`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OptionKind {
    /// True or false.
    Check {
        /// The default.
        default: Option<bool>,
    },
    /// A whole number.
    Spin {
        /// The default.
        default: Option<i64>,
        /// The smallest value.
        min: Option<i64>,
        /// The greatest value.
        max: Option<i64>,
    },
    /// One of several texts.
    Combo {
        /// The default.
        default: Option<String>,
        /// The texts, in the engine's order.
        choices: Vec<String>,
    },
    /// Something to do; takes no value.
    Button,
    /// Any text, also an empty one.
    String {
        /// The default.
        default: Option<String>,
    },
}

/// Why an option does not take a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionValueError {
    /// A check option takes `true` and `false`.
    NotABoolean {
        /// The option.
        option: String,
        /// The value refused.
        value: String,
    },
    /// A spin option takes whole numbers.
    NotANumber {
        /// The option.
        option: String,
        /// The value refused.
        value: String,
        /// What the engine declared.
        declared: String,
    },
    /// A whole number outside the engine's range.
    OutOfRange {
        /// The option.
        option: String,
        /// The value refused.
        value: i64,
        /// What the engine declared.
        declared: String,
    },
    /// Not one of a combo's texts.
    NotAChoice {
        /// The option.
        option: String,
        /// The value refused.
        value: String,
        /// The texts.
        choices: Vec<String>,
    },
    /// A button takes no value.
    ButtonWithValue {
        /// The option.
        option: String,
        /// The value refused.
        value: String,
    },
    /// A line break would end the command.
    LineBreak {
        /// The option.
        option: String,
    },
}

impl OptionDeclaration {
    /// Whether this is the option's name, case aside.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Whether the option takes this value. A button takes the empty one.
    ///
    /// A limit that the engine did not declare is no limit, and a range that holds nothing
    /// (minimum above maximum) is none either.
    ///
    /// # Errors
    /// [`OptionValueError`] names the option, the value and what the engine would take.
    pub fn check(&self, value: &str) -> Result<(), OptionValueError> {
        self.set(value).map(|_| ())
    }

    /// The command that gives the option this value, in the engine's own spelling: its name, and
    /// for a combo the text it declared.
    ///
    /// # Errors
    /// As [`OptionDeclaration::check`].
    pub fn set(&self, value: &str) -> Result<GuiCommand, OptionValueError> {
        let value = self.spelled(value)?;
        Ok(GuiCommand::SetOption { name: self.name.clone(), value })
    }

    /// The value as the engine spells it; `None` for a button.
    fn spelled(&self, value: &str) -> Result<Option<String>, OptionValueError> {
        let option = || self.name.clone();
        if value.contains(['\n', '\r']) {
            return Err(OptionValueError::LineBreak { option: option() });
        }
        match &self.kind {
            OptionKind::Check { .. } => parse_boolean(value)
                .map(|value| Some(value.to_string()))
                .ok_or_else(|| OptionValueError::NotABoolean { option: option(), value: value.to_owned() }),
            OptionKind::Spin { min, max, .. } => {
                let number: i64 = value.trim().parse().map_err(|_| OptionValueError::NotANumber {
                    option: option(),
                    value: value.to_owned(),
                    declared: self.summary(),
                })?;
                if is_outside(number, *min, *max) {
                    let declared = self.summary();
                    return Err(OptionValueError::OutOfRange { option: option(), value: number, declared });
                }
                Ok(Some(number.to_string()))
            }
            OptionKind::Combo { choices, .. } => find_choice(choices, value)
                .map(|choice| Some(choice.to_owned()))
                .ok_or_else(|| OptionValueError::NotAChoice {
                    option: option(),
                    value: value.to_owned(),
                    choices: choices.clone(),
                }),
            OptionKind::Button if value.is_empty() => Ok(None),
            OptionKind::Button => {
                Err(OptionValueError::ButtonWithValue { option: option(), value: value.to_owned() })
            }
            OptionKind::String { .. } => Ok(Some(value.to_owned())),
        }
    }

    /// Kind, range and default in a few words: `spin 1320..3190 (default 1320)`.
    #[must_use]
    pub fn summary(&self) -> String {
        let (kind, default) = match &self.kind {
            OptionKind::Check { default } => ("check".to_owned(), default.map(|value| value.to_string())),
            OptionKind::Spin { default, min, max } => {
                let limit = |limit: &Option<i64>| limit.map(|limit| limit.to_string()).unwrap_or_default();
                let range = match (min, max) {
                    (None, None) => "spin".to_owned(),
                    _ => format!("spin {}..{}", limit(min), limit(max)),
                };
                (range, default.map(|value| value.to_string()))
            }
            OptionKind::Combo { default, choices } => {
                (format!("combo {}", choices.join(", ")), default.as_ref().map(|text| shown(text)))
            }
            OptionKind::Button => ("button".to_owned(), None),
            OptionKind::String { default } => ("string".to_owned(), default.as_ref().map(|text| shown(text))),
        };
        match default {
            Some(default) => format!("{kind} (default {default})"),
            None => kind,
        }
    }
}

/// A text, or the protocol's word for an empty one.
pub(super) fn shown(text: &str) -> String {
    if text.is_empty() { EMPTY.to_owned() } else { text.to_owned() }
}

pub(super) fn parse_boolean(word: &str) -> Option<bool> {
    [true, false].into_iter().find(|value| word.eq_ignore_ascii_case(if *value { "true" } else { "false" }))
}

/// Whether a number lies outside the range, if that range holds anything at all.
pub(super) fn is_outside(number: i64, min: Option<i64>, max: Option<i64>) -> bool {
    let is_range = min.zip(max).is_none_or(|(min, max)| min <= max);
    is_range && (min.is_some_and(|min| number < min) || max.is_some_and(|max| number > max))
}

/// The text as the engine spells it: an exact match, else one without case.
pub(super) fn find_choice<'a>(choices: &'a [String], value: &str) -> Option<&'a str> {
    let exact = choices.iter().find(|choice| *choice == value);
    exact.or_else(|| choices.iter().find(|choice| choice.eq_ignore_ascii_case(value))).map(String::as_str)
}

/// The line as an engine writes it.
impl fmt::Display for OptionDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("option name ")?;
        write_on_one_line(f, &self.name)?;
        let (kind, default) = match &self.kind {
            OptionKind::Check { default } => ("check", default.map(|value| value.to_string())),
            OptionKind::Spin { default, .. } => ("spin", default.map(|value| value.to_string())),
            OptionKind::Combo { default, .. } => ("combo", default.as_ref().map(|text| shown(text))),
            OptionKind::Button => ("button", None),
            OptionKind::String { default } => ("string", default.as_ref().map(|text| shown(text))),
        };
        write!(f, " type {kind}")?;
        if let Some(default) = default {
            f.write_str(" default ")?;
            write_on_one_line(f, &default)?;
        }
        match &self.kind {
            OptionKind::Spin { min, max, .. } => {
                min.map_or(Ok(()), |min| write!(f, " min {min}"))?;
                max.map_or(Ok(()), |max| write!(f, " max {max}"))
            }
            OptionKind::Combo { choices, .. } => choices.iter().try_for_each(|choice| {
                f.write_str(" var ")?;
                write_on_one_line(f, &shown(choice))
            }),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for OptionValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotABoolean { option, value } => {
                write!(
                    f,
                    "option `{option}` is a check and does not take `{value}`\nhint: write true or false"
                )
            }
            Self::NotANumber { option, value, declared } => write!(
                f,
                "option `{option}` does not take `{value}`: the engine declares {declared}\nhint: write a whole number"
            ),
            Self::OutOfRange { option, value, declared } => write!(
                f,
                "option `{option}` does not take {value}: the engine declares {declared}\nhint: choose a number within that range"
            ),
            Self::NotAChoice { option, value, choices } => write!(
                f,
                "option `{option}` does not take `{value}`\nhint: choose one of: {}",
                choices.join(", ")
            ),
            Self::ButtonWithValue { option, value } => write!(
                f,
                "option `{option}` is a button and does not take `{value}`\nhint: give it an empty value"
            ),
            Self::LineBreak { option } => write!(
                f,
                "the value for option `{option}` holds a line break\nhint: write the value on one line"
            ),
        }
    }
}

impl std::error::Error for OptionValueError {}
