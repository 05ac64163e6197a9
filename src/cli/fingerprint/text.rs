//! Fingerprints, comparisons and diagnoses as text.

use std::fmt::Write as _;

use serde::Serialize;

use crate::cli::exit::{Exit, Failure};
use crate::cli::print::{self, count, printable};
use crate::fingerprint::{
    Column, Comparison, Diagnosis, Effect, Fingerprint, Manifest, Row, RowComparison, RowLimits, Sensitivity,
    board_text,
};
use crate::uci::process::LimitConcern;

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
        ("", manifest.limit_use.as_ref().and_then(limit).unwrap_or_default()),
        ("positions", format!("{} of {}", recipe.positions.count, recipe.positions.file)),
        ("nodes", manifest.total_nodes.to_string()),
        ("search", manifest.sha256.search.clone()),
        ("words", manifest.sha256.words.clone()),
        ("whole", manifest.sha256.whole.clone()),
    ];
    let rows = rows.into_iter().filter(|(_, value)| !value.is_empty());
    rows.map(|(title, value)| format!("{title:<11}{}\n", printable(&value))).collect()
}

/// What is to be said of the limit, with what was asked and what was searched.
pub(super) fn limit(found: &RowLimits) -> Option<String> {
    let (unit, quantity) = found.quantity()?;
    let rows = count(found.reported.searches, "row");
    let median = quantity.median.unwrap_or_default();
    let asked = quantity.asked;
    Some(match found.concern()? {
        LimitConcern::Below => format!(
            "the engine does not keep the limit: {asked} {unit} asked, {median} searched (median); less than a \
             tenth in {} of {rows}",
            found.short
        ),
        LimitConcern::Above => format!(
            "the engine does not keep the limit: {asked} {unit} asked, {median} searched (median); more than \
             twice in {} of {rows}",
            found.over
        ),
        LimitConcern::Unreported => format!(
            "it is not known whether the engine keeps the limit: {asked} {unit} asked, and {} of {rows} tell no \
             {unit}",
            found.reported.unreported
        ),
    })
}

/// That an engine is known by its launcher alone.
pub(super) fn launcher_only(engine: &str) -> String {
    format!(
        "{engine} is a script: only this launcher is identified, and a change of what it starts goes unnoticed\n\
         hint: name the files that make the engine with --file (the script itself where it is the whole engine), \
         what runs them with --runtime"
    )
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
    for part in &comparison.identity {
        let _ = writeln!(text, "identity   {part}");
    }
    for (letter, fingerprint) in [("A", a), ("B", b)] {
        if let Some(limit) = fingerprint.manifest.limit_use.as_ref().and_then(limit) {
            let _ = writeln!(text, "limit      {letter}: {limit}");
        }
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
            (true, _) if result.comparison.rows == 0 => "no row is left",
            (true, _) => "equal",
            (false, true) => "differs, as it may",
            (false, false) => "DIFFERS",
        };
        let rows =
            if result.comparison.is_equal() { String::new() } else { columns_line(&result.comparison) };
        let left_out = left_out(result.rows_by_chance, &result.columns_by_chance);
        let clauses: Vec<_> = [rows, left_out].into_iter().filter(|clause| !clause.is_empty()).collect();
        let _ = writeln!(text, "{:<32}  {word:<19} {}", result.trial.title(), clauses.join("; "));
    }
    if let Some(limit) = diagnosis.limit_use.as_ref().and_then(limit) {
        let _ = writeln!(text, "\nlimit      {limit}");
    }
    let trimmed: Vec<_> = text.lines().map(str::trim_end).collect();
    printable(&format!("{}\n\nverdict    {}\n", trimmed.join("\n"), diagnosis.verdict.explanation()))
}

/// What differs by itself and was left out of a comparison; empty where nothing was.
fn left_out(rows: usize, columns: &[Column]) -> String {
    let names: Vec<_> = columns.iter().map(|column| column.name()).collect();
    match (rows, names.as_slice()) {
        (0, []) => String::new(),
        (0, names) => format!("left out as different by chance: the column {}", names.join(", ")),
        (rows, _) => format!("left out as different by chance: {}", count(rows, "row")),
    }
}

/// How much one change moves.
pub(super) fn sensitivity(found: &Sensitivity) -> String {
    let mut text = format!("change     {}={}\n", found.option, found.value);
    let left_out = left_out(found.rows_by_chance, &found.columns_by_chance);
    if !left_out.is_empty() {
        let _ = writeln!(text, "chance     {left_out}");
    }
    match found.effect {
        Effect::NotAboveChance => {
            let _ =
                writeln!(text, "moves      no more than chance does: {}", columns_line(&found.comparison));
        }
        _ => {
            let _ = writeln!(text, "moves      {}", columns_line(&found.comparison));
        }
    }
    if let Some(limit) = found.limit_use.as_ref().and_then(limit) {
        let _ = writeln!(text, "limit      {limit}");
    }
    let hint = match (found.effect, found.same_value) {
        (Effect::Rows, false) => None,
        (_, true) => Some("the option already had this value before the change"),
        (Effect::None, false) => Some("a gate on these positions at this limit does not see this change"),
        (_, false) => {
            Some("take the chance away first: `elometer fingerprint diagnose` tells where it comes from")
        }
    };
    if let Some(hint) = hint {
        let _ = writeln!(text, "hint: {hint}");
    }
    printable(&text)
}
