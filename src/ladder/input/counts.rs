//! CSV with a level and its counts on each line: `level,wins,draws,losses`.
//!
//! The columns may stand in any order. Blank lines and lines that begin with `#` are passed over.
//! Pairs are unknown here, so each game is a unit of its own.

use std::io::Read;

use super::error::InputError;
use super::played::Results;
use crate::rating::{Ladder, Level, MAX_ABS_LEVEL};

const COLUMNS: [&str; 4] = ["level", "wins", "draws", "losses"];

/// Reads counts per level. Lines with the same level are added up.
///
/// # Errors
/// [`InputError`] with the file, the line and the column.
pub fn read_csv(reader: impl Read, source_name: &str) -> Result<Results, InputError> {
    let named = || source_name.to_owned();
    let mut records = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(reader);
    let mut order: Option<[usize; 4]> = None;
    let mut levels = Vec::new();
    let mut record = csv::ByteRecord::new();
    while records.read_byte_record(&mut record).map_err(|error| io_error(error, source_name))? {
        let line = record.position().map_or(0, csv::Position::line);
        let fields: Vec<String> =
            record.iter().map(|field| String::from_utf8_lossy(field).into_owned()).collect();
        let Some(order) = order else {
            let found = || InputError::Header { source_name: named(), line, found: fields.join(",") };
            order = Some(column_order(&fields).ok_or_else(found)?);
            continue;
        };
        if fields.len() != COLUMNS.len() {
            return Err(InputError::Fields { source_name: named(), line, found: fields.len() });
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
        let count = |column: usize| {
            field(column).parse::<u32>().map(u64::from).map_err(|_| InputError::Field {
                source_name: named(),
                line,
                column: COLUMNS.get(column).copied().unwrap_or_default(),
                found: field(column).to_owned(),
                expected: "a whole number, 0 or more",
                hint: "count games, not points: two draws are 2 draws, not 1 point",
            })
        };
        let level = Level::from_games(elo, count(1)?, count(2)?, count(3)?)
            .map_err(|error| InputError::Level { source_name: named(), error })?;
        levels.push(level);
    }
    if order.is_none() {
        return Err(InputError::Empty { source_name: named() });
    }
    Ok(Results {
        source: named(),
        subject: None,
        ladder: Ladder::new(levels),
        unused: Vec::new(),
        levels_from_names: 0,
        lost_by_faults: Default::default(),
        conditions: None,
    })
}

/// Where each of [`COLUMNS`] stands; `None` unless all are there and nothing else is.
fn column_order(fields: &[String]) -> Option<[usize; 4]> {
    if fields.len() != COLUMNS.len() {
        return None;
    }
    let mut order = [0; 4];
    for (place, name) in order.iter_mut().zip(COLUMNS) {
        let found = |field: &String| field.trim_start_matches('\u{feff}').eq_ignore_ascii_case(name);
        *place = fields.iter().position(found)?;
    }
    Some(order)
}

fn io_error(error: csv::Error, source_name: &str) -> InputError {
    InputError::Io { source_name: source_name.to_owned(), error: error.into() }
}
