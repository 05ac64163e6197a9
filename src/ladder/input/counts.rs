//! CSV with a level and its counts on each line: `level,wins,draws,losses`, or with pairs
//! `level,ll,ld,dd_wl,wd,ww`: how many opening pairs the subject scored 0, 1/2, 1, 3/2 and 2 points in.
//!
//! The columns may stand in any order. Blank lines and lines that begin with `#` are passed over.
//! Where pairs are unknown, each game is a unit of its own. Counts of pairs do not tell a pair of two
//! draws from a win and a loss, so wins, draws and losses are known but for that: see [`Counted`].

use std::io::Read;
use std::num::IntErrorKind;

use super::error::InputError;
use crate::rating::{Level, MAX_ABS_LEVEL, Unit};

const GAMES: [&str; 4] = ["level", "wins", "draws", "losses"];
const PAIRS: [&str; 6] = ["level", "ll", "ld", "dd_wl", "wd", "ww"];

/// The levels of a CSV file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Counted {
    pub(super) source: String,
    /// In file order; a level may stand there twice.
    pub(super) levels: Vec<Level>,
    /// Pairs of one point: two draws or a win and a loss. Counted as two draws.
    pub(super) even_pairs: u64,
}

/// Reads counts per level.
///
/// # Errors
/// [`InputError`] with the file, the line and the column.
pub(super) fn read_counts(reader: impl Read, source_name: &str) -> Result<Counted, InputError> {
    let named = || source_name.to_owned();
    let mut records = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(reader);
    let mut order: Option<Vec<usize>> = None;
    let mut counted = Counted { source: named(), levels: Vec::new(), even_pairs: 0 };
    let mut record = csv::ByteRecord::new();
    while records.read_byte_record(&mut record).map_err(|error| io_error(error, source_name))? {
        let line = record.position().map_or(0, csv::Position::line);
        let fields: Vec<String> =
            record.iter().map(|field| String::from_utf8_lossy(field).into_owned()).collect();
        let Some(order) = &order else {
            let found = || InputError::Header { source_name: named(), line, found: fields.join(",") };
            order = Some(
                column_order(&fields, &GAMES).or_else(|| column_order(&fields, &PAIRS)).ok_or_else(found)?,
            );
            continue;
        };
        let columns: &[&'static str] = if order.len() == PAIRS.len() { &PAIRS } else { &GAMES };
        if fields.len() != columns.len() {
            let (found, expected) = (fields.len(), columns.len());
            return Err(InputError::Fields { source_name: named(), line, found, expected });
        }
        let field = |column: usize| {
            order.get(column).and_then(|place| fields.get(*place)).map(String::as_str).unwrap_or_default()
        };
        let elo = field(0).parse().ok().filter(|elo: &f64| elo.is_finite() && elo.abs() <= MAX_ABS_LEVEL);
        let elo = elo.ok_or_else(|| InputError::Field {
            source_name: named(),
            line,
            column: "level",
            found: field(0).to_owned(),
            expected: "a rating",
            hint: "a level is the opponent's Elo, for example 1900",
        })?;
        let counts = (1..columns.len())
            .map(|column| {
                let text = field(column);
                text.parse::<u32>().map(u64::from).map_err(|error| {
                    let (expected, hint) = match error.kind() {
                        IntErrorKind::PosOverflow => (
                            "at most 4294967295",
                            "give the level several lines: they are added up, to at most 2^50 games",
                        ),
                        _ => (
                            "a whole number, 0 or more",
                            "count games, not points: two draws are 2 draws, not 1 point",
                        ),
                    };
                    let column = columns.get(column).copied().unwrap_or_default();
                    InputError::Field {
                        source_name: named(),
                        line,
                        column,
                        found: text.to_owned(),
                        expected,
                        hint,
                    }
                })
            })
            .collect::<Result<Vec<u64>, _>>()?;
        let level = match *counts.as_slice() {
            [wins, draws, losses] => Level::from_games(elo, wins, draws, losses),
            [ll, ld, even, wd, ww] => {
                counted.even_pairs += even;
                let units = (0..).zip([ll, ld, even, wd, ww]);
                let units = units.map(|(half_points, count)| (Unit { games: 2, half_points }, count));
                Level::new(elo, 2 * ww + wd, ld + 2 * even + wd, 2 * ll + ld, units)
            }
            _ => continue,
        };
        counted.levels.push(level.map_err(|error| InputError::Level { source_name: named(), error })?);
    }
    if order.is_none() {
        return Err(InputError::Empty { source_name: named() });
    }
    Ok(counted)
}

/// Where each of `columns` stands; `None` unless all are there and nothing else is.
fn column_order(fields: &[String], columns: &[&str]) -> Option<Vec<usize>> {
    if fields.len() != columns.len() {
        return None;
    }
    let place = |name: &&str| {
        let found = |field: &String| field.trim_start_matches('\u{feff}').eq_ignore_ascii_case(name);
        fields.iter().position(found)
    };
    columns.iter().map(place).collect()
}

fn io_error(error: csv::Error, source_name: &str) -> InputError {
    InputError::Io { source_name: source_name.to_owned(), error: error.into() }
}
