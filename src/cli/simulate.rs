//! `elometer simulate`: what a plan will be able to say, before a week is spent on it.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use clap::Args;
use serde_json::json;

use super::exit::{CommandResult, Exit, Failure};
use super::fit::positive_elo;
use super::format::DataFormat;
use super::{figure, print};
use crate::ladder::Spec;
use crate::ladder::input::{InputOptions, read_input};
use crate::rating::simulate::{
    Coverage, Needed, Simulation, Truth, TruthLevel, games_needed, simulate, standard_truths,
    truths_for_plan, untuned_truths,
};
use crate::rating::{Method, fit};
use crate::report::{Column, Table, TableFormat, coverage_chart};

/// Version of the JSON that `simulate` prints.
const FORMAT_VERSION: u32 = 1;

/// From so many games on, minutes pass.
const MANY_GAMES: u64 = 10_000_000_000;

/// The methods of the table for people.
const SHOWN: [(Method, &str); 4] = [
    (Method::Hierarchical, "quoted"),
    (Method::UnitOrLevel, "without priors"),
    (Method::FreeSlopeDeltaT, "R50 with t"),
    (Method::GameWithinLevel, "usual"),
];

/// Simulate ladders: how often each interval holds the rating, and how wide it is.
///
/// Plays the levels and pairs of a spec, or of results, thousands of times in worlds where the ladder is
/// right and where it is wrong in known ways, and fits every one. "usual" is what other tools print at
/// best: games as observations, centred by level. Nothing is played and no engine is started.
#[derive(Debug, Args)]
pub struct SimulateArguments {
    /// A spec (.toml), or whatever `fit` reads; without it, the ladders of docs/statistics.md.
    input: Option<PathBuf>,
    /// Whose games, where the input does not tell.
    #[arg(long, value_name = "NAME", requires = "input")]
    subject: Option<String>,
    /// The true rating [default: that of the results, or the middle of the levels].
    #[arg(long, value_name = "ELO", requires = "input", allow_negative_numbers = true)]
    rating: Option<f64>,
    /// Ladders in each world.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    ladders: u64,
    /// Names the sequence of ladders: the same seed gives the same table.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads [default: one per core]. The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Also say how many games the quoted line needs for +/- ELO in each world.
    #[arg(long, value_name = "ELO", requires = "input", value_parser = positive_elo, allow_negative_numbers = true)]
    half_width: Option<f64>,
    /// A world of your own beside the named ones: the slope relative to Elo's.
    #[arg(long, value_name = "B", requires = "input", allow_negative_numbers = true)]
    slope: Option<f64>,
    /// The same: standard deviation of level errors in Elo.
    #[arg(long, value_name = "ELO", requires = "input", allow_negative_numbers = true)]
    level_sd: Option<f64>,
    /// The same: standard deviation of the openings' advantage for White in Elo.
    #[arg(long, value_name = "ELO", requires = "input", allow_negative_numbers = true)]
    opening_sd: Option<f64>,
    /// The same: one level, another in each ladder, off by so much.
    #[arg(long, value_name = "ELO", requires = "input", allow_negative_numbers = true)]
    one_level_off: Option<f64>,
    /// Draw the coverage of each method in each world into FILE.svg, the data into FILE-data.csv.
    #[arg(long, value_name = "FILE.svg")]
    figure: Option<PathBuf>,
    /// How to print; csv and json hold every method.
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    format: DataFormat,
}

/// One world's results.
struct World {
    simulation: Simulation,
    needed: Option<Needed>,
}

/// Runs the command.
pub(super) fn run(arguments: &SimulateArguments) -> CommandResult {
    let truths = truths(arguments)?;
    let threads =
        arguments.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let bad = |error| Failure::new(Exit::BadInput, error);
    let games = truths.iter().fold(0_u64, |sum, truth| sum.saturating_add(truth.games()));
    let games = games.saturating_mul(arguments.ladders);
    if games >= MANY_GAMES {
        print::note(&format!("note: {games} games are drawn; fewer --ladders take as much less time"));
    }
    let mut worlds = Vec::new();
    for (number, truth) in (1..).zip(&truths) {
        if io::stderr().is_terminal() {
            print::note(&format!("world {number} of {}: {}", truths.len(), truth.name));
        }
        let simulation = simulate(truth, arguments.seed, arguments.ladders, threads).map_err(bad)?;
        let needed = arguments
            .half_width
            .map(|width| {
                // A median needs fewer ladders than a coverage.
                let ladders = arguments.ladders.min(300);
                games_needed(truth, Method::Hierarchical, width, arguments.seed, ladders, threads)
            })
            .transpose()
            .map_err(bad)?;
        worlds.push(World { simulation, needed });
    }
    if let Some(path) = &arguments.figure {
        let simulations: Vec<&Simulation> = worlds.iter().map(|world| &world.simulation).collect();
        let inputs: Vec<PathBuf> = arguments.input.iter().cloned().collect();
        let chart = coverage_chart(&simulations, &SHOWN);
        figure::write_figure(path, &inputs, chart.as_ref(), "no world was simulated")?;
    }
    let mut bytes = Vec::new();
    write(&mut bytes, arguments, &worlds).map_err(|error| Failure::new(Exit::Internal, error))?;
    print::data(&bytes)?;
    Ok(Exit::Ok)
}

fn truths(arguments: &SimulateArguments) -> Result<Vec<Truth>, Failure> {
    let Some(input) = &arguments.input else {
        return Ok(standard_truths().into_iter().chain(untuned_truths()).collect());
    };
    let (levels, found) = ladder_of(input, arguments.subject.clone())?;
    let Some(middle) = middle(&levels) else {
        let error = anyhow::anyhow!("{}: no levels to simulate\nhint: a match has none", input.display());
        return Err(Failure::new(Exit::BadInput, error));
    };
    let rating = arguments.rating.or(found).unwrap_or(middle);
    let mut truths = truths_for_plan(&levels, rating);
    let own = [arguments.slope, arguments.level_sd, arguments.opening_sd, arguments.one_level_off];
    if own.iter().any(Option::is_some) {
        truths.push(Truth {
            name: "your own".to_owned(),
            rating,
            slope: arguments.slope.unwrap_or(1.0),
            level_sd: arguments.level_sd.unwrap_or(0.0),
            one_level_off: arguments.one_level_off.unwrap_or(0.0),
            opening_sd: arguments.opening_sd.unwrap_or(0.0),
            levels,
        });
    }
    Ok(truths)
}

/// Levels with their games, and the rating where there are results.
type PlannedLadder = (Vec<TruthLevel>, Option<f64>);

fn ladder_of(input: &Path, subject: Option<String>) -> Result<PlannedLadder, Failure> {
    if input.extension().is_some_and(|extension| extension == "toml") {
        let spec = Spec::load(input)?;
        let pairs = u64::from(spec.openings.pairs);
        let levels = spec.opponent.levels.unwrap_or_default();
        return Ok((
            levels.into_iter().map(|level| TruthLevel::paired(f64::from(level), pairs)).collect(),
            None,
        ));
    }
    let results = read_input(input, &InputOptions { subject, ..InputOptions::default() })
        .map_err(|error| Failure::new(Exit::BadInput, error))?;
    let fit = fit(&results.ladder);
    // Copies of a game are one observation, and so they are one game here.
    let levels = fit.levels.iter().map(|level| TruthLevel {
        elo: level.level,
        pairs: level.pairs,
        single_games: level.units.saturating_sub(level.pairs),
    });
    let levels = levels.collect();
    Ok((levels, fit.quoted.line.estimate.interval().map(|interval| interval.rating)))
}

fn middle(levels: &[TruthLevel]) -> Option<f64> {
    let played = || levels.iter().filter(|level| level.pairs + level.single_games > 0).map(|level| level.elo);
    Some(f64::midpoint(played().reduce(f64::min)?, played().reduce(f64::max)?))
}

fn write(output: &mut Vec<u8>, arguments: &SimulateArguments, worlds: &[World]) -> io::Result<()> {
    let format = match arguments.format {
        DataFormat::Json => return write_json(output, worlds),
        DataFormat::Csv => return all_methods(worlds).write(output, TableFormat::Csv),
        DataFormat::Text => TableFormat::Text,
        DataFormat::Markdown => TableFormat::Markdown,
        DataFormat::Latex => TableFormat::Latex,
    };
    let mut table = summary(worlds, arguments.half_width);
    table.caption = format!(
        "Coverage of 95 % intervals in % / median half-width in Elo, {} simulated ladders a world, seed {}.",
        arguments.ladders, arguments.seed
    );
    if format == TableFormat::Text {
        output.extend_from_slice(table.caption.as_bytes());
        output.extend_from_slice(b"\n\n");
    }
    table.write(output, format)
}

fn summary(worlds: &[World], half_width: Option<f64>) -> Table {
    let mut columns = vec![Column::words("world"), Column::numbers("R"), Column::numbers("games")];
    columns.extend(SHOWN.map(|(_, heading)| Column::numbers(heading)));
    columns.extend(half_width.map(|width| Column::numbers(format!("games for +/- {width}"))));
    let mut table = Table::new(columns);
    for World { simulation, needed } in worlds {
        let truth = &simulation.truth;
        let mut row = vec![truth.name.clone(), format!("{:.0}", truth.rating), truth.games().to_string()];
        row.extend(SHOWN.map(|(method, _)| {
            let found = simulation.methods.iter().find(|coverage| coverage.method == method);
            found.map(cell).unwrap_or_default()
        }));
        row.extend(needed.map(needed_cell));
        table.rows.push(row);
    }
    table
}

fn cell(found: &Coverage) -> String {
    // Bounds on one side are no intervals.
    let Some(coverage) = found.coverage.filter(|_| found.intervals > 0) else { return String::new() };
    let width = found.median_half_width.map_or("-".to_owned(), |width| format!("{width:.0}"));
    format!("{:.1} / {width}", 100.0 * coverage)
}

fn needed_cell(needed: Needed) -> String {
    match needed {
        Needed::Games { games, .. } => games.to_string(),
        Needed::OutOfReach { games, half_width: Some(width) } => {
            format!("more than {games} (+/- {width:.0})")
        }
        Needed::OutOfReach { games, half_width: None } => format!("more than {games}"),
    }
}

/// Every method in every world, unrounded.
fn all_methods(worlds: &[World]) -> Table {
    let headings = [
        "world",
        "rating",
        "slope",
        "level_sd",
        "one_level_off",
        "opening_sd",
        "games",
        "ladders",
        "method",
        "intervals",
        "one_sided",
        "absent",
        "held",
        "coverage",
        "median_half_width",
        "mean_error",
    ];
    let mut table = Table::new(headings.map(Column::words).to_vec());
    let number = |value: Option<f64>| value.map(|value| format!("{value:.6}")).unwrap_or_default();
    for World { simulation, .. } in worlds {
        let truth = &simulation.truth;
        for found in &simulation.methods {
            let method = serde_json::to_value(found.method).unwrap_or_default();
            table.rows.push(vec![
                truth.name.clone(),
                truth.rating.to_string(),
                truth.slope.to_string(),
                truth.level_sd.to_string(),
                truth.one_level_off.to_string(),
                truth.opening_sd.to_string(),
                truth.games().to_string(),
                simulation.ladders.to_string(),
                method.as_str().unwrap_or_default().to_owned(),
                found.intervals.to_string(),
                found.one_sided.to_string(),
                found.absent.to_string(),
                found.held.to_string(),
                number(found.coverage),
                number(found.median_half_width),
                number(found.mean_error),
            ]);
        }
    }
    table
}

fn write_json(output: &mut Vec<u8>, worlds: &[World]) -> io::Result<()> {
    let worlds: Vec<_> = worlds
        .iter()
        .map(|world| json!({ "simulation": world.simulation, "games_needed": world.needed }))
        .collect();
    serde_json::to_writer_pretty(
        &mut *output,
        &json!({ "format_version": FORMAT_VERSION, "worlds": worlds }),
    )?;
    output.push(b'\n');
    Ok(())
}
