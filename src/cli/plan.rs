//! `elometer plan`: what a spec would play.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::engine_setup::print_warnings;
use super::exit::{CommandResult, Exit, Failure};
use super::format::Format;
use super::print;
use super::progress::duration_words;
use crate::arena::{Limits, Stop};
use crate::ladder::{LadderError, Plan, PreparedRun, Spec, early_end_words, make_plan, probe_engines};
use crate::report::probe_words;

/// Show what a spec would play, after every check that `run` makes: each engine makes one move from the
/// first opening, which is not kept (--no-probe leaves that out). No game is played, nothing written.
#[derive(Debug, Args)]
pub struct PlanArguments {
    /// The spec (TOML).
    spec: PathBuf,
    /// `json` is the plan as `run` would seal it.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Do not ask every engine for one move from the first opening.
    #[arg(long)]
    no_probe: bool,
}

/// Runs the command.
pub fn run(arguments: &PlanArguments) -> CommandResult {
    let prepared = make_plan(&Spec::load(&arguments.spec)?)?;
    if !arguments.no_probe {
        probe(&prepared.plan, &prepared, &Stop::default())?;
    }
    print_warnings(&prepared.warnings());
    let plan = prepared.plan;
    warn(&plan);
    let json = plan.to_json().map_err(|error| Failure::new(Exit::Internal, error))?;
    match arguments.format {
        Format::Json => print::data(&json)?,
        Format::Text => print::data(text(&plan, &Plan::seal(&json)).as_bytes())?,
    }
    Ok(Exit::Ok)
}

/// Asks every engine for one move and says what is to be said of it.
pub(super) fn probe(plan: &Plan, prepared: &PreparedRun, stop: &Stop) -> Result<(), LadderError> {
    let probes = probe_engines(plan, prepared, stop)?;
    probes.iter().filter_map(probe_words).for_each(|words| print::note(&words));
    Ok(())
}

/// Says what in a plan is allowed but may not be meant.
pub(super) fn warn(plan: &Plan) {
    let pairs = plan.games.len() / 2 / plan.rungs.len().max(1);
    if pairs > plan.openings.len() {
        print::warning(&format!(
            "{pairs} pairs per level from {} openings: openings repeat, and with deterministic engines so do \
             games\nhint: lower openings.pairs or use a larger file",
            plan.openings.len()
        ));
    }
    for (side, engine) in [("subject", &plan.subject), ("opponent", &plan.opponent)] {
        if plan.subject.limits.is_timed() != plan.opponent.limits.is_timed() && engine.limits.is_timed() {
            print::warning(&format!(
                "only the {side} is limited by time: the rating depends on this machine's speed"
            ));
        }
    }
    if let Some(words) = early_end_words(plan) {
        print::warning(&format!("{words}\nhint: raise opponent.limits or leave these levels out"));
    }
    let judged = plan.adjudication.resign.is_some() || plan.adjudication.draw.is_some();
    if plan.is_ladder() && judged {
        print::warning(
            "a strength-limited opponent's scores do not count: only the subject can resign, and no draw is \
             adjudicated",
        );
    }
}

fn text(plan: &Plan, seal: &str) -> String {
    let levels: Vec<String> =
        plan.rungs.iter().filter_map(|rung| rung.level).map(|level| level.to_string()).collect();
    let levels = if levels.is_empty() { "none (a match)".to_owned() } else { levels.join(", ") };
    let pairs = plan.games.len() / 2 / plan.rungs.len().max(1);
    format!(
        "name       {}\nsubject    {}\nopponent   {}\nlevels     {levels}\ngames      {}: {pairs} opening \
         pairs per level, each opening with both colours\nopenings   {} of {} in the file, seed {}\n{}\
         plan       sha256 {seal}\n",
        plan.name,
        plan.subject.summary(),
        plan.opponent.summary(),
        plan.games.len(),
        plan.openings.len(),
        plan.openings_in_file,
        plan.seed,
        time_line(plan),
    )
}

/// Moves of each side in a game of the usual length.
const USUAL_MOVES: u32 = 60;

/// How long the games take where clocks bound both sides; nothing where they do not.
fn time_line(plan: &Plan) -> String {
    let sides = game_time(&plan.subject.limits).zip(game_time(&plan.opponent.limits));
    let Some((subject, opponent)) = sides else { return String::new() };
    let games = u32::try_from(plan.games.len()).unwrap_or(u32::MAX);
    format!(
        "time       about {} at most, one game at once, if a game has {USUAL_MOVES} moves a side and uses \
         up its clocks; N at once take an Nth of it\n",
        duration_words((subject + opponent).saturating_mul(games))
    )
}

/// What one side can think in a game of [`USUAL_MOVES`].
fn game_time(limits: &Limits) -> Option<Duration> {
    let moves = u64::from(USUAL_MOVES);
    let milliseconds = match (limits.tc, limits.movetime_ms) {
        (Some(clock), _) => {
            let periods = clock.moves.map_or(1, |moves| u64::from(USUAL_MOVES.div_ceil(moves)));
            periods * clock.base_ms + moves * clock.increment_ms
        }
        (None, Some(move_time)) => moves.saturating_mul(move_time),
        (None, None) => return None,
    };
    Some(Duration::from_millis(milliseconds))
}
