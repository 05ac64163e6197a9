//! The level of an opponent. In this order: the user's table of names, the user's pattern, the Elo
//! tag or the plan, and a name that says `Elo` itself (`UCI_Elo 1900`). A bare number in a name may
//! be a year or a version and says nothing unless a pattern says so.

use std::collections::BTreeMap;
use std::io::Read;

use serde::Serialize;

use super::error::InputError;
use crate::rating::MAX_ABS_LEVEL;

/// Where a level was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelSource {
    /// The user's table of names.
    Table,
    /// The user's pattern.
    Pattern,
    /// An Elo tag, a run's plan or a CSV column.
    Stated,
    /// A name that says `Elo`.
    Name,
}

/// A player's level in Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlayerLevel {
    /// The level.
    pub elo: f64,
    /// Its standard error in Elo, where the table gives one.
    pub sigma: Option<f64>,
    /// Where it was found.
    pub source: LevelSource,
}

/// Levels by name: CSV with the header `name,level` or `name,level,sigma`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelTable {
    levels: BTreeMap<String, (f64, Option<f64>)>,
}

impl LevelTable {
    /// Reads a table.
    ///
    /// # Errors
    /// [`InputError`] with the line and the column; a name that stands there twice.
    pub fn read(reader: impl Read, source_name: &str) -> Result<Self, InputError> {
        let mut records = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .comment(Some(b'#'))
            .from_reader(reader);
        let mut levels = BTreeMap::new();
        let mut width = None;
        let mut record = csv::ByteRecord::new();
        let io_error =
            |error: csv::Error| InputError::Io { source_name: source_name.to_owned(), error: error.into() };
        while records.read_byte_record(&mut record).map_err(io_error)? {
            let line = record.position().map_or(0, csv::Position::line);
            let fields: Vec<String> =
                record.iter().map(|field| String::from_utf8_lossy(field).into_owned()).collect();
            let wrong = |found: &str, reason| InputError::LevelTable {
                source_name: source_name.to_owned(),
                line,
                found: found.to_owned(),
                reason,
            };
            let Some(width) = width else {
                let header = fields.join(",").to_ascii_lowercase();
                let known = ["name,level", "name,level,sigma"];
                if !known.contains(&header.trim_start_matches('\u{feff}')) {
                    return Err(wrong(&header, "the header must be `name,level` or `name,level,sigma`"));
                }
                width = Some(fields.len());
                continue;
            };
            let [name, level, rest @ ..] = fields.as_slice() else {
                return Err(wrong(&fields.join(","), "expected a name and a level"));
            };
            if fields.len() > width {
                return Err(wrong(&fields.join(","), "more fields than the header has"));
            }
            let elo = number(level).filter(|elo| elo.abs() <= MAX_ABS_LEVEL);
            let elo = elo.ok_or_else(|| wrong(level, "the level must be a rating"))?;
            let sigma = match rest.first().filter(|text| !text.is_empty()) {
                None => None,
                Some(text) => Some(
                    number(text)
                        .filter(|sigma| (0.0..=MAX_ABS_LEVEL).contains(sigma))
                        .ok_or_else(|| wrong(text, "sigma must be a number of Elo, 0 or more"))?,
                ),
            };
            if name.is_empty() || levels.insert(name.clone(), (elo, sigma)).is_some() {
                return Err(wrong(name, "each name must stand there once"));
            }
        }
        if width.is_none() {
            return Err(InputError::Empty { source_name: source_name.to_owned() });
        }
        Ok(Self { levels })
    }

    /// The names in the table.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.levels.keys().map(String::as_str)
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Where in a name the level stands: text with one `{level}`; `*` stands for any text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelPattern {
    before: String,
    after: String,
}

impl LevelPattern {
    /// Reads a pattern such as `SF-{level}` or `Stockfish * ({level})`. The whole name must match.
    ///
    /// # Errors
    /// [`InputError::LevelPattern`] without exactly one `{level}`.
    pub fn parse(text: &str) -> Result<Self, InputError> {
        match text.split_once(PLACE) {
            Some((before, after)) if !after.contains(PLACE) => {
                Ok(Self { before: before.to_owned(), after: after.to_owned() })
            }
            _ => Err(InputError::LevelPattern { found: text.to_owned() }),
        }
    }

    /// The level in a name: one to five digits that do not belong to a longer number; none where two
    /// numbers could be it.
    fn level(&self, name: &str) -> Option<f64> {
        let bytes = name.as_bytes();
        let mut found = None;
        let mut at = 0;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (before, after) = (name.get(..at), name.get(at + digits..));
            if (1..=5).contains(&digits)
                && let (Some(before), Some(after)) = (before, after)
                && matches_glob(&self.before, before)
                && matches_glob(&self.after, after)
            {
                let level = name.get(at..at + digits)?.parse::<u32>().ok();
                if found.is_some() && found != level {
                    return None;
                }
                found = level;
            }
            at += digits.max(1);
        }
        found.map(f64::from)
    }
}

const PLACE: &str = "{level}";

/// Whether `text` is `glob`, whose `*` stand for any text.
fn matches_glob(glob: &str, text: &str) -> bool {
    let mut parts = glob.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some((_, after)) = rest.split_once(part).or(Some(("", rest)).filter(|_| part.is_empty())) else {
            return false;
        };
        rest = after;
    }
    true
}

/// What the user says about levels.
#[derive(Clone, Debug, Default)]
pub struct LevelRules {
    /// A table of names: comes first.
    pub table: Option<LevelTable>,
    /// A pattern of names: comes next.
    pub pattern: Option<LevelPattern>,
}

impl LevelRules {
    /// The level of a player by its names, the first that tells, and, after the user's own rules, by
    /// what its games state.
    pub(super) fn level_of(&self, names: &[&str], stated: Option<u32>) -> Option<PlayerLevel> {
        let entry =
            self.table.as_ref().and_then(|table| names.iter().find_map(|name| table.levels.get(*name)));
        if let Some((elo, sigma)) = entry {
            return Some(PlayerLevel { elo: *elo, sigma: *sigma, source: LevelSource::Table });
        }
        let of = |elo, source| PlayerLevel { elo, sigma: None, source };
        let by_pattern =
            self.pattern.as_ref().and_then(|pattern| names.iter().find_map(|name| pattern.level(name)));
        by_pattern
            .map(|elo| of(elo, LevelSource::Pattern))
            .or(stated.map(|elo| of(f64::from(elo), LevelSource::Stated)))
            .or_else(|| {
                let said = names.iter().find_map(|name| level_in_name(name));
                said.map(|elo| of(elo, LevelSource::Name))
            })
    }
}

/// The rating in an Elo tag; `0`, `-` and `?` say that there is none.
pub(super) fn level_in_tag(value: &[u8]) -> Option<u32> {
    str::from_utf8(value).ok()?.trim().parse::<u32>().ok().filter(|elo| (1..=9999).contains(elo))
}

/// Three or four digits beside the word `Elo`: `UCI_Elo 1900`, `Elo=1900`, `1900 Elo`.
pub(super) fn level_in_name(name: &str) -> Option<f64> {
    let lower = name.to_ascii_lowercase();
    let is_separator = |c: char| !c.is_alphanumeric() && c != '.';
    lower.match_indices("elo").find_map(|(at, word)| {
        let (before, after) = (lower.get(..at)?, lower.get(at + word.len()..)?);
        if before.ends_with(char::is_alphabetic) {
            return None;
        }
        let after = after.trim_start_matches(is_separator);
        let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = after.strip_suffix(rest).filter(|_| !rest.starts_with('.'));
        let earlier = before.trim_end_matches(is_separator);
        let stem = earlier.trim_end_matches(|c: char| c.is_ascii_digit());
        let earlier_digits = earlier.strip_prefix(stem).filter(|_| !stem.ends_with('.'));
        let usable = |digits: &&str| (3..=4).contains(&digits.len());
        let digits = digits.filter(usable).or(earlier_digits.filter(usable))?;
        digits.parse::<u32>().ok().filter(|level| *level > 0).map(f64::from)
    })
}

/// The pattern that would read a level from `name`, if it ends with what may be one.
pub(super) fn pattern_for(name: &str) -> Option<String> {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = name.len() - stem.len();
    let plain = !stem.contains(['*', '{']) && !stem.ends_with(['.', ',']);
    (plain && (3..=4).contains(&digits)).then(|| format!("{stem}{PLACE}"))
}
