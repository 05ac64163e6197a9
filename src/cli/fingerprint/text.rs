//! Fingerprints, comparisons and diagnoses as text.

use std::fmt::Write as _;

use serde::Serialize;

use crate::cli::exit::{Exit, Failure};
use crate::cli::print::{self, count, printable};
use crate::fingerprint::{
    Column, Comparison, Diagnosis, Fingerprint, Manifest, Row, RowComparison, Sensitivity, board_text,
};

/// A value of more characters gets a line of its own.
const WIDEST: usize = 24;

/// JSON to stdout.
pub(super) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut json =
        serde_json::to_string_pretty(value).map_err(|error| Failure::new(Exit::Internal, error))?;
    json.push('\n');
    print::data(json.as_bytes())
}

/// What was taken, and its hashes.
pub(super) fn summary(manifest: &Manifest) -> String {
    let recipe = &manifest.recipe;
    let options = recipe.options.iter().map(|(name, value)| format!("{name}={value}"));
    let rows = [
        ("engine", recipe.engine.name.clone()),
        ("options", options.collect::<Vec<_>>().join(" ")),
        ("limit", recipe.limit.to_string()),
        ("positions", format!("{} of {}", recipe.positions.count, recipe.positions.file)),
        ("nodes", manifest.total_nodes.to_string()),
        ("search", manifest.sha256.search.clone()),
        ("words", manifest.sha256.words.clone()),
        ("whole", manifest.sha256.whole.clone()),
    ];
    let rows = rows.into_iter().filter(|(_, value)| !value.is_empty());
    rows.map(|(title, value)| format!("{title:<11}{}\n", printable(&value))).collect()
}

/// Two fingerprints side by side: hashes, columns, cause, the first rows that differ.
pub(super) fn comparison(
    names: &[String; 2],
    [a, b]: [&Fingerprint; 2],
    comparison: &Comparison,
    shown: usize,
) -> String {
    let mut text = String::new();
    for (letter, name, fingerprint) in [("A", &names[0], a), ("B", &names[1], b)] {
        let Manifest { recipe, host, sha256, .. } = &fingerprint.manifest;
        let _ = writeln!(
            text,
            "{letter:<11}{} {}: {}, {} {}",
            sha256.whole, name, recipe.engine.name, host.architecture, host.os
        );
    }
    if !comparison.taken_otherwise.is_empty() {
        let _ = writeln!(text, "otherwise  taken with another: {}", comparison.taken_otherwise.join(", "));
    }
    if comparison.equal {
        text.push_str("equal      every hash\n");
        return printable(&text);
    }
    let _ = writeln!(text, "differs    {}", difference_line(comparison));
    let Some(rows) = &comparison.rows else {
        text.push_str("rows       not compared: they are missing, or on other positions\n");
        return printable(&text);
    };
    // Where the two were taken otherwise, that is the cause.
    if let Some(cause) = rows.cause.filter(|_| comparison.taken_otherwise.is_empty()) {
        let _ = writeln!(text, "cause      {}", cause.explanation());
    }
    let (rows_a, rows_b) = (a.rows.as_deref().unwrap_or_default(), b.rows.as_deref().unwrap_or_default());
    for &index in rows.differing.iter().take(shown) {
        if let (Some(a), Some(b)) = (rows_a.get(index), rows_b.get(index)) {
            let _ = write!(text, "\n{}", row_pair(index, a, b, names));
        }
    }
    if rows.differing.len() > shown {
        let _ = writeln!(text, "\nand {} more", count(rows.differing.len() - shown, "row"));
    }
    printable(&text)
}

/// How much differs, on one line.
pub(super) fn difference_line(comparison: &Comparison) -> String {
    match &comparison.rows {
        Some(rows) => columns_line(rows),
        None => {
            let columns: Vec<_> = comparison.columns.iter().map(ToString::to_string).collect();
            if columns.is_empty() { "the positions".to_owned() } else { columns.join(", ") }
        }
    }
}

/// `3 of 602 rows: move 1, score 3`.
fn columns_line(rows: &RowComparison) -> String {
    let columns: Vec<_> = rows.columns.iter().map(|(column, count)| format!("{column} {count}")).collect();
    let columns = if columns.is_empty() { String::new() } else { format!(": {}", columns.join(", ")) };
    format!("{} of {}{columns}", rows.differing.len(), count(rows.rows, "row"))
}

/// One row that differs, on one line.
pub(super) fn row_line(index: usize, a: &Row, b: &Row) -> String {
    let differing = Column::ALL.into_iter().filter(|column| a.cell(*column) != b.cell(*column));
    let cells: Vec<_> =
        differing.map(|column| format!("{column} {} / {}", a.cell(column), b.cell(column))).collect();
    format!("row {}: {}", index + 1, cells.join(", "))
}

/// One row that differs: the board, then both answers; `*` marks the columns that differ.
pub(super) fn row_pair(index: usize, a: &Row, b: &Row, names: &[String; 2]) -> String {
    let side = if a.fen().split_whitespace().nth(1) == Some("b") { "Black" } else { "White" };
    let mut text = format!("row {}, {side} to move: {}\n\n", index + 1, a.fen());
    for line in board_text(a.fen()).lines() {
        let _ = writeln!(text, "  {line}");
    }
    let _ = writeln!(text, "\n  {:<10}  {:<WIDEST$}  {}", "", short(&names[0]), short(&names[1]));
    for column in Column::ALL {
        let (a, b) = (a.cell(column), b.cell(column));
        let mark = if a == b { ' ' } else { '*' };
        if a == "-" && b == "-" {
            continue;
        }
        if a.chars().count().max(b.chars().count()) <= WIDEST {
            let _ = writeln!(text, "{mark} {:<10}  {a:<WIDEST$}  {b}", column.name());
        } else {
            let _ = writeln!(text, "{mark} {:<10}  {a}\n  {:<10}  {b}", column.name(), "");
        }
    }
    printable(&text)
}

/// The end of a name that may be long.
fn short(name: &str) -> String {
    let length = name.chars().count();
    name.chars().skip(length.saturating_sub(WIDEST)).collect()
}

/// The verdict, and a line for each trial.
pub(super) fn diagnosis(engine: &str, diagnosis: &Diagnosis) -> String {
    let mut text = format!("engine     {engine}\npositions  {}\n\n", diagnosis.positions);
    for result in &diagnosis.trials {
        let word = match (result.comparison.is_equal(), result.may_differ) {
            (true, _) => "equal",
            (false, true) => "differs, as it may",
            (false, false) => "DIFFERS",
        };
        let rows =
            if result.comparison.is_equal() { String::new() } else { columns_line(&result.comparison) };
        let _ = writeln!(text, "{:<32}  {word:<19} {rows}", result.trial.title());
    }
    let trimmed: Vec<_> = text.lines().map(str::trim_end).collect();
    printable(&format!("{}\n\nverdict    {}\n", trimmed.join("\n"), diagnosis.verdict.explanation()))
}

/// How much one change moves.
pub(super) fn sensitivity(found: &Sensitivity) -> String {
    let mut text = format!(
        "change     {}={}\nmoves      {}\n",
        found.option,
        found.value,
        columns_line(&found.comparison)
    );
    if found.comparison.is_equal() {
        text.push_str("hint: a gate on these positions at this limit does not see this change\n");
    }
    printable(&text)
}
