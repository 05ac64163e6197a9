//! The arguments, and what is written for them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::collect::{Collected, collect, tell_subjects_apart};
use super::convert::convert;
use super::files::Output;
use super::sections::{forest, page, run_charts, run_tables, runs_table};
use crate::cli::exit::{CommandResult, Exit, Failure};
use crate::cli::input::ReadingArguments;
use crate::cli::print::{self, count};
use crate::ladder::LadderError;
use crate::report::MOST_GAMES;

/// Bytes of games in a page, all runs together: with the figures it stays below 5 MB.
const MOST_BYTES: usize = 3_000_000;

/// Write figures, tables, a methods paragraph and a page out of results.
///
/// Makes report.html (one file that works from disk), figures/*.svg for a page, a column and a slide with
/// their data as CSV, tables/*.csv, *.md and *.tex, and methods.md. A run folder or a PGN that
/// was audited has its audit in it. PDF and PNG of the figures are made where rsvg-convert is installed. Of what
/// is there, only files of an earlier report are written over. Each input is a run by itself; several are
/// compared. docs/report.md explains all of it.
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// Run folders, PGN or CSV files, each a run by itself.
    #[arg(required = true, value_name = "RUN")]
    inputs: Vec<PathBuf>,
    /// Where to write [default: the run folder; for files or several runs: report].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Whose rating, where the inputs do not tell.
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    #[command(flatten)]
    reading: ReadingArguments,
    /// PDF and PNG of the figures: `auto` where rsvg-convert is found, `none` never.
    #[arg(long, value_enum, default_value_t = Images::Auto)]
    images: Images,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Images {
    /// Where rsvg-convert is found.
    Auto,
    /// Never.
    None,
}

/// Runs the command.
pub(in crate::cli) fn run(arguments: &ReportArguments) -> CommandResult {
    let out = match (&arguments.out, arguments.inputs.as_slice()) {
        (Some(out), _) => out.clone(),
        (None, [only]) if only.is_dir() => only.clone(),
        _ => PathBuf::from("report"),
    };
    let runs_count = arguments.inputs.len();
    let room = (MOST_GAMES / runs_count, MOST_BYTES / runs_count);
    let options = arguments.reading.options()?;
    let mut runs = Vec::new();
    let mut names = BTreeSet::new();
    for input in &arguments.inputs {
        let mut run = collect(input, arguments.subject.as_deref(), &options, room)?;
        run.name = unique(&run.name, &mut names);
        runs.push(run);
    }
    tell_subjects_apart(&mut runs);
    warn_of_repeats(&arguments.inputs);
    let mut output = Output::default();
    let mut charts = Vec::new();
    for run in &runs {
        let prefix = prefix(run, runs_count);
        for chart in run_charts(run) {
            output.chart(&prefix, &chart)?;
            charts.push((prefix.clone(), chart));
        }
        for table in run_tables(run) {
            output.table(&prefix, &table)?;
        }
    }
    if runs_count > 1 {
        if let Some(chart) = forest(&runs) {
            output.chart("", &chart)?;
            charts.push((String::new(), chart));
        }
        output.table("", &runs_table(&runs))?;
    }
    output.captions(&charts);
    output.methods(&runs);
    let page =
        page(&runs, |run| prefix(run, runs_count)).map_err(|error| Failure::new(Exit::Internal, error))?;
    let html = page.to_html().map_err(|error| Failure::new(Exit::Internal, error))?;
    output.file("report.html", html);
    let figures = output.save(&out, &arguments.reading.files(&arguments.inputs))?;
    let beyond = output.beyond_pdflatex();
    if !beyond.is_empty() {
        print::warning(&format!(
            "pdfLaTeX has no letters for some names in {}\nhint: LuaLaTeX or XeLaTeX has, with a font that holds \
             them; the comment at the head of each file tells which",
            beyond.join(", ")
        ));
    }
    let images = match arguments.images {
        Images::Auto => convert(&figures)?,
        Images::None => 0,
    };
    let mut text = String::new();
    for run in &runs {
        text.push_str(&format!("{}: {}\n", run.name, run.headline()));
    }
    text.push_str(&format!(
        "wrote {} into {}: the page is {}\n",
        count(output.count() + images, "file"),
        out.display(),
        out.join("report.html").display()
    ));
    print::data(print::printable(&text).as_bytes())?;
    Ok(Exit::Ok)
}

/// The same input twice would look like two runs that agree.
fn warn_of_repeats(inputs: &[PathBuf]) {
    let mut seen = BTreeSet::new();
    for input in inputs {
        if input.canonicalize().is_ok_and(|path| !seen.insert(path)) {
            print::warning(&format!(
                "{} is given twice: it stands in the report as two runs",
                input.display()
            ));
        }
    }
}

/// What the files of a run begin with where there are several.
fn prefix(run: &Collected, runs: usize) -> String {
    if runs > 1 { format!("{}-", run.name) } else { String::new() }
}

/// A name that no other run has.
fn unique(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut candidate = name.to_owned();
    for number in 2.. {
        if taken.insert(candidate.clone()) {
            break;
        }
        candidate = format!("{name}-{number}");
    }
    candidate
}

/// Makes a folder with those above it.
pub(super) fn make_folder(path: &Path) -> Result<(), Failure> {
    let error = |source| LadderError::Io { path: path.to_owned(), action: "create", source };
    Ok(fs::create_dir_all(path).map_err(error)?)
}
