//! The arguments, and what is printed or drawn for them.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::super::exit::{CommandResult, Exit, Failure};
use super::super::format::DataFormat;
use super::super::input::ReadingArguments;
use super::super::{figure, print};
use super::aim::{Aim, positive_elo};
use super::claim::{self, ClaimArgument};
use super::document::{Judged, write_json};
use super::levels::{level_data, level_table};
use super::lines::{line_table, shown_lines};
use super::pool;
use super::text::write_text;
use super::words::{headline, level_words, priors_words};
use crate::ladder::input::{InputError, Inputs, Results};
use crate::rating::{Estimate, Fit, fit};
use crate::report::{Table, TableFormat, ladder_chart, observation_clause};

/// Fit a rating to results: run folders, PGN, CSV.
///
/// Prints a table of the levels, the rating with its 95 % interval, what other methods make of the same
/// games, and what a reader must know beside it. Games among several players without a common subject
/// are fitted as a pool. Exit code 6 when the games determine no rating.
#[derive(Debug, Args)]
pub struct FitArguments {
    /// Run folders, PGN files, CSV files with the header `level,wins,draws,losses` or
    /// `level,ll,ld,dd_wl,wd,ww` (plain, gzip or zstd), or - for standard input; they add up.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Whose rating to fit; by default the only player who is in every game. Several: a pool.
    #[arg(long, value_name = "NAME")]
    subject: Vec<String>,
    /// Fit the games of all players together; those with a level hold the scale.
    #[arg(long)]
    pool: bool,
    /// Of a pool: also the error and interval from N replicates drawn from the pairs (bootstrap).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    replicates: Option<u32>,
    /// Names the sequence of replicates.
    #[arg(long, default_value_t = 1, requires = "replicates")]
    seed: u64,
    #[command(flatten)]
    reading: ReadingArguments,
    /// Also judge a claim, `above:ELO`, `below:ELO` or `not:ELO`, with evidence that may be looked at after
    /// every pair.
    #[arg(long, value_name = "CLAIM", conflicts_with = "pool")]
    claim: Option<ClaimArgument>,
    /// Say whether pairs alone know the rating to +/- ELO, about how many that takes, and which level to
    /// play next. Stopping on this needs no correction; stopping on the quoted line would.
    #[arg(long, value_name = "ELO", conflicts_with = "pool", value_parser = positive_elo, allow_negative_numbers = true)]
    target_half_width: Option<f64>,
    /// Which methods to show beside the quoted line; a pool has one.
    #[arg(long, value_enum, default_value_t = Methods::Main)]
    method: Methods,
    /// How to print.
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    format: DataFormat,
    /// Draw score and implied rating against level into FILE.svg, their data into
    /// FILE-data.csv.
    #[arg(long, value_name = "FILE.svg", conflicts_with = "pool")]
    figure: Option<PathBuf>,
}

/// How many methods are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Methods {
    /// The curves and their intervals.
    Main,
    /// Every method there is.
    All,
}

/// Runs the command.
pub(in crate::cli) fn run(arguments: &FitArguments) -> CommandResult {
    let inputs = arguments.reading.read(&arguments.inputs)?;
    let bad = |error: InputError| Failure::new(Exit::BadInput, error);
    let subject = match arguments.subject.as_slice() {
        [] => None,
        [subject] => Some(subject.as_str()),
        _ => return fit_pool(arguments, &inputs),
    };
    if arguments.pool {
        return fit_pool(arguments, &inputs);
    }
    if arguments.replicates.is_some() {
        let error = anyhow::anyhow!("--replicates is for several players at once\nhint: add --pool");
        return Err(Failure::new(Exit::Usage, error));
    }
    let results = match inputs.results(subject) {
        // Nobody stands in every game: there is more than one rating to find.
        Err(InputError::AmbiguousSubject { .. }) if inputs.players().len() > 2 => {
            return fit_pool(arguments, &inputs);
        }
        found => found.map_err(bad)?,
    };
    let fit = fit(&results.ladder);
    let claim = arguments.claim.map(|claim| claim::judge(claim, &inputs, subject)).transpose()?;
    if let Some(path) = &arguments.figure {
        write_figure(arguments, path, &results, &fit)?;
    }
    let aim = arguments.target_half_width.map(|target| Aim::new(target, &fit));
    let mut bytes = Vec::new();
    let judged = Judged { claim: claim.as_ref(), aim: aim.as_ref() };
    write_fit(&mut bytes, arguments, &results, &fit, judged)
        .map_err(|error| Failure::new(Exit::Internal, error))?;
    print::data(&bytes)?;
    Ok(exit_for(&fit))
}

fn fit_pool(arguments: &FitArguments, inputs: &Inputs) -> CommandResult {
    let for_one = [
        ("--figure", arguments.figure.is_some()),
        ("--claim", arguments.claim.is_some()),
        ("--target-half-width", arguments.target_half_width.is_some()),
        ("--method all", arguments.method == Methods::All),
    ];
    if let Some((option, _)) = for_one.iter().find(|(_, given)| *given) {
        let error = anyhow::anyhow!(
            "{option} is for one subject, and a pool has several and one joint fit\nhint: name one with --subject, \
             without --pool"
        );
        return Err(Failure::new(Exit::Usage, error));
    }
    let draws = arguments.replicates.map(|count| (count, arguments.seed));
    pool::run(inputs, &arguments.subject, arguments.format, draws)
}

/// The exit code that a fit is worth: 6 when there is no estimate.
fn exit_for(fit: &Fit) -> Exit {
    match fit.quoted.line.estimate {
        Estimate::Interval(_) => Exit::Ok,
        Estimate::Absent(_) => Exit::Inconclusive,
    }
}

fn write_fit(
    output: &mut Vec<u8>,
    arguments: &FitArguments,
    results: &Results,
    fit: &Fit,
    judged: Judged<'_>,
) -> io::Result<()> {
    let all = arguments.method == Methods::All;
    let format = match arguments.format {
        DataFormat::Text => {
            let mut bytes = Vec::new();
            write_text(&mut bytes, results, fit, all)?;
            let claim = judged.claim.map(claim::words).unwrap_or_default();
            let aim = judged.aim.map(Aim::words).unwrap_or_default();
            claim.iter().chain(&aim).try_for_each(|line| writeln!(bytes, "{line}"))?;
            // Names are strangers' text.
            return output.write_all(print::printable(&String::from_utf8_lossy(&bytes)).as_bytes());
        }
        DataFormat::Json => return write_json(output, results, fit, judged),
        DataFormat::Csv => return level_data(fit).write(output, TableFormat::Csv),
        DataFormat::Markdown => TableFormat::Markdown,
        DataFormat::Latex => TableFormat::Latex,
    };
    let (levels, lines) = captioned_tables(results, fit, all);
    levels.write(output, format)?;
    writeln!(output)?;
    lines.write(output, format)
}

/// The table of levels and that of methods with the captions of a paper. `all`: every method.
pub(in crate::cli) fn captioned_tables(results: &Results, fit: &Fit, all: bool) -> (Table, Table) {
    let mut levels = level_table(fit);
    let subject = match (&results.shown_conditions(), &results.subject) {
        (Some(conditions), _) => format!("{}: ", conditions.subject),
        (None, Some(subject)) => format!("{subject}: "),
        (None, None) => String::new(),
    };
    levels.caption = format!(
        "{subject}{}. Intervals of scores are Wilson's; {}.",
        headline(fit, results),
        observation_clause(fit)
    );
    if fit.quoted.ladder.is_some() {
        levels.caption.push_str(&format!(" Quoted line: {}.", priors_words()));
    }
    let mut lines = line_table(&shown_lines(fit, all));
    lines.caption = "The same games by other methods; R and SE in Elo, intervals of 95 %.".to_owned();
    (levels, lines)
}

fn write_figure(arguments: &FitArguments, path: &Path, results: &Results, fit: &Fit) -> Result<(), Failure> {
    let title = match (&results.shown_conditions(), &results.subject) {
        (Some(conditions), _) => format!("{} against {}", conditions.subject, conditions.opponent),
        (None, Some(subject)) => subject.clone(),
        (None, None) => results.source.clone(),
    };
    let chart = ladder_chart(&title, level_words(results), fit);
    figure::write_figure(
        path,
        &arguments.reading.files(&arguments.inputs),
        chart.as_ref(),
        "no level has games",
    )
}
