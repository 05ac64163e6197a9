//! Progress of a run on stderr: a bar on a terminal, plain lines elsewhere.

use std::io;
use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::print;
use crate::ladder::{GameLine, Plan, Progress, RunResults};

/// About how many lines a whole run prints where there is no terminal.
const PLAIN_LINES: usize = 20;

/// The display of one run.
#[derive(Debug)]
pub struct ProgressLine {
    bar: Option<ProgressBar>,
    total: usize,
    concurrency: usize,
}

impl ProgressLine {
    /// Chooses the form by what stderr is.
    #[must_use]
    pub fn new(plan: &Plan, concurrency: usize) -> Self {
        let total = plan.games.len();
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{pos}/{len} games {wide_bar} {msg} {eta} left");
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar
        });
        Self { bar, total, concurrency }
    }

    /// Shows what happened.
    pub fn show(&mut self, progress: &Progress<'_>) {
        match progress {
            Progress::Started(results) => self.started(results),
            Progress::Game { line, results } => self.game(line, results),
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn started(&self, results: &RunResults<'_>) {
        let missing = results.missing();
        self.say(&match (results.finished(), missing) {
            (_, 0) => format!("all {} games are played already", self.total),
            (0, _) => format!("playing {} games, {} at once", self.total, self.concurrency),
            (finished, _) => {
                format!("resuming: {finished} of {} games are played, {missing} to go", self.total)
            }
        });
        if let Some(bar) = &self.bar {
            bar.set_position(results.finished() as u64);
            bar.reset_eta();
        }
    }

    fn game(&self, line: &GameLine, results: &RunResults<'_>) {
        if let Some(fault) = &line.record.fault {
            let then = if line.void { "; the game is void" } else { "" };
            self.say(&format!(
                "game {}: {} by {} ({}): {}{then}",
                line.game, fault.cause, fault.engine, fault.side, fault.detail
            ));
        }
        for (side, quirks) in [("white", &line.record.quirks.white), ("black", &line.record.quirks.black)] {
            for quirk in quirks {
                self.say(&format!("game {}: {side} has a quirk: {quirk}", line.game));
            }
        }
        let finished = results.finished();
        match &self.bar {
            Some(bar) => {
                bar.set_position(finished as u64);
                bar.set_message(score(results));
            }
            None if line.void => {}
            None => {
                let step = self.total.div_ceil(PLAIN_LINES).max(1);
                if finished.is_multiple_of(step) || finished == self.total {
                    print::note(&format!("{finished}/{} games, {}", self.total, score(results)));
                }
            }
        }
    }

    fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print::note(text)),
            None => print::note(text),
        }
    }
}

fn score(results: &RunResults<'_>) -> String {
    let [wins, draws, losses] = results.wins_draws_losses();
    format!("subject +{wins} ={draws} -{losses}")
}
