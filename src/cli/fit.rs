//! `elometer fit`: the rating in a file of results.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::exit::{CommandResult, Exit, Failure};
use super::format::Format;
use super::print::count;
use crate::ladder::input::{Conditions, InputOptions, Results, UnusedReason, read_input};
use crate::rating::{Absence, Estimate, Fit, FittedLevel, ImpliedRating, Misfit, Remark, fit};

/// For a match, where more games would not help.
const NO_LEVELS: &str =
    "no estimate: no opponent has a level, and a rating is read off the opponents' levels";

/// Version of the JSON that `fit` prints.
const FORMAT_VERSION: u32 = 1;

/// Fit a rating to results: PGN, CSV or a run folder.
///
/// Prints a table of the levels, the rating on the Elo curve with its 95 % interval, and what a
/// reader must know beside it. Exit code 6 when the games determine no rating.
#[derive(Debug, Args)]
pub struct FitArguments {
    /// A PGN file, a CSV file with the header `level,wins,draws,losses` (either may be gzip), a run
    /// folder, or - for standard input.
    input: PathBuf,
    /// Whose rating to fit; by default the only player who is in every game of the PGN.
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    /// How to print.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the command.
pub(super) fn run(arguments: &FitArguments) -> CommandResult {
    let options = InputOptions { subject: arguments.subject.clone(), ..InputOptions::default() };
    let results =
        read_input(&arguments.input, &options).map_err(|error| Failure::new(Exit::BadInput, error))?;
    let fit = fit(&results.ladder);
    let mut output = io::stdout().lock();
    let printed = match arguments.format {
        Format::Text => print_text(&mut output, &results, &fit),
        Format::Json => print_json(&mut output, &results, &fit),
    };
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(Exit::Internal, error)),
        _ => Ok(exit_for(&fit)),
    }
}

/// The exit code that a fit is worth: 6 when there is no estimate.
pub(super) fn exit_for(fit: &Fit) -> Exit {
    match fit.elo_curve.estimate {
        Estimate::Interval(_) => Exit::Ok,
        Estimate::Absent(_) => Exit::Inconclusive,
    }
}

/// Prints every number as one JSON object.
///
/// # Errors
/// What the output reports.
pub fn print_json(output: &mut impl Write, results: &Results, fit: &Fit) -> io::Result<()> {
    let document = json!({
        "format_version": FORMAT_VERSION,
        "source": results.source,
        "subject": results.subject,
        "conditions": results.conditions,
        "lost_by_faults": results.lost_by_faults,
        "levels_from_names": results.levels_from_names,
        "unused": results.unused,
        "fit": fit,
    });
    serde_json::to_writer_pretty(&mut *output, &document)?;
    writeln!(output)
}

/// Prints the table of levels, the line with the rating, and the remarks.
///
/// # Errors
/// What the output reports.
pub fn print_text(output: &mut impl Write, results: &Results, fit: &Fit) -> io::Result<()> {
    match (&results.subject, &results.conditions) {
        (_, Some(Conditions { subject, opponent })) => {
            writeln!(output, "{subject}\nagainst {opponent}\nfrom {}\n", results.source)?;
        }
        (Some(subject), None) => writeln!(output, "{subject}, from {}\n", results.source)?,
        (None, None) => writeln!(output, "from {}\n", results.source)?,
    }
    print_levels(output, &fit.levels)?;
    let no_levels =
        fit.games == 0 && results.unused.iter().any(|unused| unused.reason == UnusedReason::UnknownLevel);
    let headline = if no_levels { NO_LEVELS.to_owned() } else { headline(fit) };
    writeln!(output, "\n{headline}")?;
    if let Some(Misfit::Tested { statistic, degrees_of_freedom, p_value, .. }) = fit.misfit {
        writeln!(
            output,
            "misfit: X2 {statistic:.1} on {degrees_of_freedom} degrees of freedom, p {}",
            probability(p_value)
        )?;
    }
    for remark in &fit.remarks {
        writeln!(output, "{}", remark_text(remark))?;
    }
    let lost_by_faults: u64 = results.lost_by_faults.values().sum();
    if lost_by_faults > 0 {
        let causes: Vec<String> =
            results.lost_by_faults.iter().map(|(cause, games)| format!("{games} {cause}")).collect();
        writeln!(
            output,
            "warning: {} lost by faults of the subject, not on the board: {}",
            count(lost_by_faults, "game"),
            causes.join(", ")
        )?;
    }
    if results.levels_from_names > 0 {
        let games = count(results.levels_from_names, "game");
        writeln!(
            output,
            "note: the level of {games} was read from the opponent's name, there being no Elo tag"
        )?;
    }
    for notice in &results.notices {
        writeln!(output, "note: {notice}")?;
    }
    for unused in &results.unused {
        let first = unused.first.as_ref().map(|first| format!(" (first: {first})")).unwrap_or_default();
        writeln!(output, "not used: {}, {}{first}", count(unused.games, "game"), reason_text(unused.reason))?;
    }
    Ok(())
}

fn print_levels(output: &mut impl Write, levels: &[FittedLevel]) -> io::Result<()> {
    if levels.is_empty() {
        return writeln!(output, "no games that can be used");
    }
    writeln!(
        output,
        "{:>7} {:>7} {:>6} {:>6} {:>6} {:>8} {:>15} {:>9} {:>15}",
        "level", "games", "W", "D", "L", "score %", "95 %", "implied", "95 %"
    )?;
    for level in levels {
        let (score, score_interval) = level.score.map_or(("-".into(), "-".into()), |score| {
            let ends = format!("[{:.1}, {:.1}]", 100.0 * score.low, 100.0 * score.high);
            (format!("{:.1}", 100.0 * score.score), ends)
        });
        let (implied, implied_interval) = implied_text(level.implied);
        writeln!(
            output,
            "{:>7} {:>7} {:>6} {:>6} {:>6} {score:>8} {score_interval:>15} {implied:>9} {implied_interval:>15}",
            level.level, level.games, level.wins, level.draws, level.losses
        )?;
    }
    Ok(())
}

fn implied_text(implied: Option<ImpliedRating>) -> (String, String) {
    let end = |elo: Option<f64>| elo.map_or("-".to_owned(), |elo| format!("{elo:.0}"));
    match implied {
        None => ("-".into(), "-".into()),
        Some(ImpliedRating::Estimate { elo, low, high }) => {
            (format!("{elo:.0}"), format!("[{}, {}]", end(low), end(high)))
        }
        Some(ImpliedRating::AtLeast { elo }) => (format!(">= {elo:.0}"), "one-sided".into()),
        Some(ImpliedRating::AtMost { elo }) => (format!("<= {elo:.0}"), "one-sided".into()),
    }
}

fn headline(fit: &Fit) -> String {
    let games = if fit.pairs > 0 {
        format!("{} ({})", count(fit.games, "game"), count(fit.pairs, "pair"))
    } else {
        count(fit.games, "game")
    };
    let absence = match fit.elo_curve.estimate {
        Estimate::Interval(interval) => {
            return format!(
                "R = {:.0}, 95 % [{:.0}, {:.0}] on the Elo curve, {games}",
                interval.rating, interval.low, interval.high
            );
        }
        Estimate::Absent(absence) => absence,
    };
    match absence {
        Absence::AllWon { bound } => format!(
            "R >= {:.0} with 95 % confidence, {games}: all won, so no estimate, only a bound \
             ({:.0} if every game counted as independent)",
            bound.elo, bound.elo_games_as_units
        ),
        Absence::AllLost { bound } => format!(
            "R <= {:.0} with 95 % confidence, {games}: all lost, so no estimate, only a bound \
             ({:.0} if every game counted as independent)",
            bound.elo, bound.elo_games_as_units
        ),
        Absence::OnlyCopies { copies, .. } => {
            format!(
                "no estimate, {games}: no variance, these games are copies ({copies} repeat an earlier game)"
            )
        }
        Absence::Gap { won_up_to, lost_from } => format!(
            "no estimate, {games}: all won up to {won_up_to} and all lost from {lost_from}; \
             play levels between"
        ),
        Absence::TooWide { half_width } => format!(
            "no estimate, {games}: not enough data, the 95 % interval would reach {half_width:.0} Elo either \
             way; play more pairs"
        ),
        Absence::NotEnoughData { needed, .. } => {
            format!("no estimate, {games}: not enough data, at least {needed} pairs are needed")
        }
        _ => format!("no estimate, {games}: the games do not determine a rating"),
    }
}

fn remark_text(remark: &Remark) -> String {
    match remark {
        Remark::GamesAsUnits => {
            "note: games as units: pairs unknown; if openings were played in pairs, this interval ignores it"
                .to_owned()
        }
        Remark::SingleGames { games } => {
            format!("note: {} without a pair, each taken as independent", count(*games, "game"))
        }
        Remark::Copies { games } => format!(
            "warning: {} repeat an earlier game move for move; copies count as one observation",
            count(*games, "game")
        ),
        Remark::NoVariance { levels } => format!(
            "note: no variance at {}: all observations scored alike; the curve's own variance is used there",
            level_list(levels)
        ),
        Remark::NoGames { levels } => format!("note: no games at {}", level_list(levels)),
        Remark::AboveLadder => {
            "warning: the rating lies above every level played; it is extrapolated on the Elo curve"
                .to_owned()
        }
        Remark::BelowLadder => {
            "warning: the rating lies below every level played; it is extrapolated on the Elo curve"
                .to_owned()
        }
        Remark::LevelsDisagree { statistic, degrees_of_freedom, p_value } => format!(
            "warning: levels disagree (X2 {statistic:.1} on {degrees_of_freedom}, p {}): the interval assumes \
             the Elo curve and is too narrow here; see docs/statistics.md",
            probability(*p_value)
        ),
        Remark::LadderNotTested { levels } => format!(
            "note: ladder not tested: {} with at least 2 pairs, 4 are needed to see whether levels agree",
            count(*levels as u64, "level")
        ),
        Remark::PriorsCarryMost { levels } => format!(
            "note: with {} the assumptions about the ladder carry most of this interval",
            count(*levels as u64, "level")
        ),
        Remark::BeyondTheMethod { tau_upper90 } => format!(
            "warning: the levels disagree by up to {tau_upper90:.0} Elo, more than this method was built for"
        ),
    }
}

fn reason_text(reason: UnusedReason) -> &'static str {
    match reason {
        UnusedReason::Unfinished => "unfinished",
        UnusedReason::UnknownLevel => "level of the opponent unknown",
        UnusedReason::NotTheSubjects => "not the subject's",
        UnusedReason::AgainstItself => "the subject against itself",
        UnusedReason::Unreadable => "unreadable",
        UnusedReason::NoPlayers => "without names of players",
        UnusedReason::Duplicate => "in two folders of one run, counted in the first",
        UnusedReason::VoidPair => "in a pair left out, its other game being void each time",
    }
}

fn level_list(levels: &[f64]) -> String {
    levels.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")
}

fn probability(p: f64) -> String {
    if p < 1e-300 {
        "below 1e-300".to_owned()
    } else if p < 0.001 {
        format!("{p:.0e}")
    } else {
        format!("{p:.3}")
    }
}
