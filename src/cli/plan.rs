//! `elometer plan`: what a spec would play.

use std::path::PathBuf;

use clap::Args;

use super::exit::{CommandResult, Exit, Failure};
use super::format::Format;
use super::print;
use crate::ladder::{Plan, Spec, early_ends, make_plan};

/// Show what a spec would play, after every check that `run` makes. Nothing is played or written.
#[derive(Debug, Args)]
pub struct PlanArguments {
    /// The spec (TOML).
    spec: PathBuf,
    /// `json` is the plan as `run` would seal it.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the command.
pub fn run(arguments: &PlanArguments) -> CommandResult {
    let plan = make_plan(&Spec::load(&arguments.spec)?)?;
    warn(&plan);
    let json = plan.to_json().map_err(|error| Failure::new(Exit::Internal, error))?;
    match arguments.format {
        Format::Json => print::data(&json)?,
        Format::Text => print::data(text(&plan, &Plan::seal(&json)).as_bytes())?,
    }
    Ok(Exit::Ok)
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
    let early = early_ends(plan);
    if let Some(highest) = early.iter().max_by_key(|end| end.pick_depth) {
        let levels: Vec<String> = early.iter().map(|end| end.level.to_string()).collect();
        let takes = match highest.nodes {
            Some(nodes) => format!(", usually after about {nodes} nodes"),
            None => String::new(),
        };
        print::warning(&format!(
            "opponent limits of {}: too few for levels {}; {} at level {} picks its move at depth {}{takes}, and \
             a search that ends before makes another rung\nhint: raise opponent.limits or leave these levels out",
            plan.opponent.limits,
            levels.join(", "),
            plan.opponent.name,
            highest.level,
            highest.pick_depth,
        ));
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
        "name       {}\nsubject    {}\nopponent   {}\nlevels     {levels}\ngames      {}: {pairs} opening pairs \
         per level, each opening with both colours\nopenings   {} of {} in the file, seed {}\nplan       \
         sha256 {seal}\n",
        plan.name,
        plan.subject.summary(),
        plan.opponent.summary(),
        plan.games.len(),
        plan.openings.len(),
        plan.openings_in_file,
        plan.seed,
    )
}
