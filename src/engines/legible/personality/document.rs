//! A place in a personality's document: what stands there, read as what is expected there.

use std::fmt;

use super::expression::thousandths;
use super::json::Json;

/// Why a document is no personality.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalityError {
    /// The file, or the name of a personality that is part of the program.
    pub file: String,
    /// Where in the document, as a JSON pointer; empty for the whole of it.
    pub path: String,
    /// What was found and what was expected.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl fmt::Display for PersonalityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.path.is_empty() { String::new() } else { format!("{}: ", self.path) };
        write!(f, "{}: {place}{}\nhint: {}", self.file, self.message, self.hint)
    }
}

impl std::error::Error for PersonalityError {}

/// The longest document that is read, in bytes.
pub(super) const MAX_BYTES: usize = 64 * 1024;
/// The longest text in it, in bytes.
const MAX_TEXT: usize = 400;

/// A value and where it stands.
#[derive(Clone)]
pub(super) struct Place<'a> {
    file: &'a str,
    path: String,
    value: &'a Json,
}

impl<'a> Place<'a> {
    /// The whole document.
    pub(super) fn whole(file: &'a str, value: &'a Json) -> Self {
        Self { file, path: String::new(), value }
    }

    fn within(&self, name: impl fmt::Display, value: &'a Json) -> Self {
        Self { file: self.file, path: format!("{}/{name}", self.path), value }
    }

    /// An error at this place.
    pub(super) fn error(&self, message: impl Into<String>, hint: impl Into<String>) -> PersonalityError {
        PersonalityError {
            file: self.file.to_owned(),
            path: self.path.clone(),
            message: message.into(),
            hint: hint.into(),
        }
    }

    fn expected(&self, what: &str) -> PersonalityError {
        self.error(
            format!("found {}, expected {what}", self.value.kind()),
            "docs/legible.md has the schema; personalities/clean.json is an example",
        )
    }

    /// The members of an object, in their order, none twice.
    pub(super) fn members(&self) -> Result<Vec<(&'a str, Self)>, PersonalityError> {
        let Json::Object(members) = self.value else { return Err(self.expected("an object")) };
        let mut found: Vec<(&str, Self)> = Vec::new();
        for (name, value) in members {
            let place = self.within(name, value);
            if found.iter().any(|(other, _)| other == name) {
                return Err(place.error("this name is given twice", "leave one of them out"));
            }
            found.push((name.as_str(), place));
        }
        Ok(found)
    }

    /// The members that an object must have, in the order asked for. It may have no others but
    /// those that are `optional`, which come after them.
    pub(super) fn fields<const N: usize, const M: usize>(
        &self,
        required: [&str; N],
        optional: [&str; M],
    ) -> Result<([Self; N], [Option<Self>; M]), PersonalityError> {
        let members = self.members()?;
        let names = || required.iter().chain(&optional).copied().collect::<Vec<_>>().join(", ");
        if let Some((_, stray)) =
            members.iter().find(|(name, _)| !required.contains(name) && !optional.contains(name))
        {
            return Err(
                stray.error("this name means nothing here", format!("the names here are: {}", names()))
            );
        }
        let find =
            |name: &str| members.iter().find(|(other, _)| *other == name).map(|(_, place)| place.clone());
        if let Some(lacking) = required.iter().find(|name| find(name).is_none()) {
            let hint = format!("the names here are: {}", names());
            return Err(self.error(format!("`{lacking}` is missing"), hint));
        }
        // Every required name was found.
        Ok((required.map(|name| find(name).unwrap_or_else(|| self.clone())), optional.map(find)))
    }

    /// The values of a list.
    pub(super) fn list(&self) -> Result<Vec<Self>, PersonalityError> {
        let Json::List(values) = self.value else { return Err(self.expected("a list")) };
        Ok(values.iter().enumerate().map(|(index, value)| self.within(index, value)).collect())
    }

    /// A text of bounded length.
    pub(super) fn text(&self) -> Result<&'a str, PersonalityError> {
        match self.value {
            Json::Text(text) if text.len() <= MAX_TEXT && !text.chars().any(char::is_control) => Ok(text),
            Json::Text(_) => {
                let message =
                    format!("found a text with control characters or of more than {MAX_TEXT} bytes");
                Err(self.error(message, "write a shorter text on one line"))
            }
            _ => Err(self.expected("a text")),
        }
    }

    /// A whole number from `least` to `most`.
    pub(super) fn whole_number(&self, least: i64, most: i64) -> Result<i64, PersonalityError> {
        let expected = || self.expected(&format!("a whole number from {least} to {most}"));
        let Json::Number(digits) = self.value else { return Err(expected()) };
        digits.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(expected)
    }

    /// The digits of a number with at most three decimals, or a text.
    pub(super) fn number_or_text(&self) -> Result<&'a str, PersonalityError> {
        match self.value {
            Json::Number(digits) if thousandths(digits.trim_start_matches('-')).is_some() => Ok(digits),
            Json::Text(_) => self.text(),
            _ => Err(self.expected("a number with at most three decimals, or an expression as a text")),
        }
    }
}
