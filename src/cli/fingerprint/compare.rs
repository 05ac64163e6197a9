//! `elometer fingerprint compare`.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::text;
use crate::cli::exit::{CommandResult, Exit, Failure};
use crate::cli::figure;
use crate::cli::format::Format;
use crate::cli::print;
use crate::fingerprint::{Comparison, Fingerprint, compare};
use crate::report::fingerprint_chart;

/// Compare fingerprints with the first one. Exit code 0 when all are equal, 5 when one differs.
#[derive(Debug, Args)]
pub(super) struct CompareArguments {
    /// The first: a manifest, or a folder that `take` wrote.
    first: PathBuf,
    /// The others.
    #[arg(required = true)]
    others: Vec<PathBuf>,
    /// How many differing rows are shown.
    #[arg(long, value_name = "N", default_value_t = 3)]
    rows: usize,
    /// Draw a strip of cells, one a position, coloured where the first two differ, into FILE.svg, the data
    /// into FILE-data.csv.
    #[arg(long, value_name = "FILE.svg")]
    figure: Option<PathBuf>,
    /// How the comparison is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Serialize)]
struct Report<'a> {
    format_version: u32,
    first: String,
    comparisons: Vec<Compared<'a>>,
}

#[derive(Serialize)]
struct Compared<'a> {
    path: String,
    #[serde(flatten)]
    comparison: &'a Comparison,
}

/// Runs the command.
pub(super) fn run(arguments: &CompareArguments) -> CommandResult {
    let first = Fingerprint::read(&arguments.first)?;
    let mut compared = Vec::new();
    for path in &arguments.others {
        let other = Fingerprint::read(path)?;
        let comparison = compare(&first, &other);
        compared.push((path, other, comparison));
    }
    match arguments.format {
        Format::Text => {
            for (index, (path, other, comparison)) in compared.iter().enumerate() {
                if index > 0 {
                    print::data(b"\n")?;
                }
                let names = [arguments.first.display().to_string(), path.display().to_string()];
                let text = text::comparison(&names, [&first, other], comparison, arguments.rows);
                print::data(text.as_bytes())?;
            }
        }
        Format::Json => {
            let comparisons = compared
                .iter()
                .map(|(path, _, comparison)| Compared { path: path.display().to_string(), comparison });
            let report = Report {
                format_version: 1,
                first: arguments.first.display().to_string(),
                comparisons: comparisons.collect(),
            };
            text::print_json(&report)?;
        }
    }
    if let (Some(path), Some((other_path, other, _))) = (&arguments.figure, compared.first()) {
        write_strip(path, [&arguments.first, *other_path], [&first, other])?;
    }
    let equal = compared.iter().all(|(_, _, comparison)| comparison.equal);
    Ok(if equal { Exit::Ok } else { Exit::GateFailed })
}

/// The strip of the first two fingerprints.
fn write_strip(path: &Path, paths: [&PathBuf; 2], found: [&Fingerprint; 2]) -> Result<(), Failure> {
    let name = |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let [first, second] = paths.map(name);
    let chart = match found.map(|one| one.rows.as_deref()) {
        [Some(a), Some(b)] => fingerprint_chart([&first, &second], a, b),
        _ => None,
    };
    let inputs = paths.map(PathBuf::clone);
    figure::write_figure(path, &inputs, chart.as_ref(), "the rows are missing, or on other positions")
}
