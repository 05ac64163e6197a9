//! Progress of a run, of an audit or of a check, on stderr: a bar on a terminal, plain lines elsewhere.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::print;
use crate::audit::Event;
use crate::ladder::input::run_input;
use crate::ladder::{GameLine, Plan, Progress, RunResults};
use crate::rating::{Interval, fit};
use crate::uci::check::{Area, CheckStep};

/// About how many lines a whole run prints where there is no terminal.
const PLAIN_LINES: usize = 20;
/// The rating is fitted again after this at the earliest.
const REFIT: Duration = Duration::from_secs(2);

/// The display of one run.
#[derive(Debug)]
pub struct ProgressLine {
    bar: Option<ProgressBar>,
    total: usize,
    concurrency: usize,
    /// When playing began, and how many games were there already.
    began: (Instant, usize),
    rating: RatingSoFar,
}

/// The rating as far as it is known, fitted again only now and then.
#[derive(Debug, Default)]
struct RatingSoFar {
    fitted: Option<Instant>,
    took: Duration,
    words: Option<String>,
}

impl RatingSoFar {
    /// `rating 1672 [1531, 1803]`; none in a match, or as long as the games determine none. `exactly`:
    /// of these very games, not of those a moment ago.
    fn words(&mut self, results: &RunResults<'_>, exactly: bool) -> Option<&str> {
        // A bar that costs more than a hundredth of the time would be no help.
        let due = exactly || self.fitted.is_none_or(|fitted| fitted.elapsed() > REFIT.max(self.took * 100));
        if due && results.plan().is_ladder() && results.finished() > 0 {
            let began = Instant::now();
            let finished = results.finished();
            self.words = rating_words(results);
            if !exactly && let Some(words) = &mut self.words {
                // The count beside it runs on.
                words.push_str(&format!(" after {finished}"));
            }
            self.took = began.elapsed();
            self.fitted = Some(Instant::now());
        }
        self.words.as_deref()
    }
}

/// The quoted rating of a ladder's games so far.
pub(super) fn rating_words(results: &RunResults<'_>) -> Option<String> {
    let found = run_input("", results).ok()?;
    let Interval { rating, low, high, .. } = fit(&found.ladder).quoted.line.estimate.interval()?;
    Some(format!("rating {rating:.0} [{low:.0}, {high:.0}]"))
}

impl ProgressLine {
    /// Chooses the form by what stderr is.
    #[must_use]
    pub fn new(plan: &Plan, concurrency: usize) -> Self {
        let total = plan.games.len();
        let bar = bar(total, "{pos}/{len} games {wide_bar} {msg}, {eta} left");
        let began = (Instant::now(), 0);
        Self { bar, total, concurrency, began, rating: RatingSoFar::default() }
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

    fn started(&mut self, results: &RunResults<'_>) {
        self.began = (Instant::now(), results.finished());
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

    fn game(&mut self, line: &GameLine, results: &RunResults<'_>) {
        if let Some(fault) = &line.record.fault {
            let then = if line.void { "; the game is void" } else { "" };
            let last = fault.stderr.last().map(|last| format!("; the last it wrote on stderr: {last}"));
            self.say(&format!(
                "game {}: {} by {} ({}): {}{}{then}",
                line.game,
                fault.cause,
                fault.engine,
                fault.side,
                fault.detail,
                last.unwrap_or_default()
            ));
        }
        for (side, quirks) in [("white", &line.record.quirks.white), ("black", &line.record.quirks.black)] {
            for quirk in quirks {
                self.say(&format!("game {}: {side} has a quirk: {quirk}", line.game));
            }
        }
        let finished = results.finished();
        let step = self.total.div_ceil(PLAIN_LINES).max(1);
        let plain = !line.void && (finished.is_multiple_of(step) || finished == self.total);
        match &self.bar {
            Some(bar) => {
                bar.set_position(finished as u64);
                bar.set_message(score(results, &mut self.rating, finished == self.total));
            }
            None if plain => {
                let left = self.time_left(finished);
                let words = score(results, &mut self.rating, true);
                print::note(&format!("{finished}/{} games, {words}{left}", self.total));
            }
            None => {}
        }
    }

    /// `, about 12 min left` at the pace of this session.
    fn time_left(&self, finished: usize) -> String {
        let (began, before) = self.began;
        let played = finished.saturating_sub(before);
        if finished >= self.total || played == 0 {
            return String::new();
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of games")]
        let left = began.elapsed().mul_f64((self.total - finished) as f64 / played as f64);
        format!(", about {} left", duration_words(left))
    }

    fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print::note(text)),
            None => print::note(text),
        }
    }
}

/// `subject +37 =2 -41, rating 1672 [1531, 1803], 2 faults`.
fn score(results: &RunResults<'_>, rating: &mut RatingSoFar, exactly: bool) -> String {
    let [wins, draws, losses] = results.wins_draws_losses();
    let mut text = format!("subject +{wins} ={draws} -{losses}");
    if let Some(words) = rating.words(results, exactly) {
        text.push_str(&format!(", {words}"));
    }
    let faults = results.faults().values().sum::<usize>() + results.void_games();
    if faults > 0 {
        text.push_str(&format!(", {}", print::count(faults, "fault")));
    }
    text
}

/// A bar where stderr is a terminal that can draw one.
fn bar(total: usize, form: &str) -> Option<ProgressBar> {
    let target = ProgressDrawTarget::stderr();
    if target.is_hidden() {
        return None;
    }
    let bar = ProgressBar::with_draw_target(Some(total as u64), target);
    if let Ok(style) = ProgressStyle::with_template(form) {
        bar.set_style(style);
    }
    Some(bar)
}

/// The display of positions being searched.
#[derive(Debug)]
pub(super) struct WorkProgress {
    workers: usize,
    bar: Option<ProgressBar>,
    began: Instant,
}

impl WorkProgress {
    /// So many positions at once.
    pub(super) fn new(workers: usize) -> Self {
        Self { workers, bar: None, began: Instant::now() }
    }

    /// Shows what happened.
    pub(super) fn show(&mut self, event: &Event) {
        match event {
            Event::Begun { what, known, missing } => self.begun(what, *known, *missing),
            Event::Forecast { positions, remaining } => self.say(&format!(
                "{positions} positions left in this round: about {}, {} at once",
                duration_words(*remaining),
                self.workers
            )),
            Event::Searched { done, of } => self.searched(*done, *of),
        }
    }

    /// Removes the bar.
    pub(super) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn begun(&mut self, what: &str, known: usize, missing: usize) {
        self.finish();
        self.began = Instant::now();
        let kept = if known > 0 { format!(", {known} kept from before") } else { String::new() };
        print::note(&format!("{what}: {} to search{kept}", print::count(missing, "position")));
        let form = "{pos}/{len} positions {wide_bar} {eta} left";
        self.bar = if missing > 0 { bar(missing, form) } else { None };
    }

    fn searched(&self, done: usize, of: usize) {
        match &self.bar {
            Some(bar) => bar.set_position(done as u64),
            None => {
                let step = of.div_ceil(PLAIN_LINES).max(PLAIN_LINES);
                if done.is_multiple_of(step) && done < of {
                    #[expect(clippy::cast_precision_loss, reason = "counts of positions")]
                    let left = self.began.elapsed().mul_f64((of - done) as f64 / done as f64);
                    print::note(&format!("{done}/{of} positions, about {} left", duration_words(left)));
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

/// The display of an engine's checks: a bar on a terminal, a line for each area elsewhere.
#[derive(Debug, Default)]
pub(super) struct CheckProgress {
    bar: Option<ProgressBar>,
    area: Option<Area>,
}

impl CheckProgress {
    /// Shows the check that begins.
    pub(super) fn show(&mut self, step: CheckStep) {
        if self.area.is_none() {
            self.bar = bar(step.total, "{pos}/{len} checks {wide_bar} {msg}");
        }
        match &self.bar {
            Some(bar) => {
                bar.set_position(step.done as u64);
                bar.set_message(format!("{} {}", step.number, step.name));
            }
            None if self.area != Some(step.area) => {
                print::note(&format!("{}/{} checks, next: {}", step.done, step.total, step.area.title()));
            }
            None => {}
        }
        self.area = Some(step.area);
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// `45 s`, `12 min`, `3 h 20 min`.
pub(super) fn duration_words(duration: Duration) -> String {
    let seconds = duration.as_secs_f64().ceil();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and not negative")]
    let seconds = seconds as u64;
    match seconds {
        ..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}
