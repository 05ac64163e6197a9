//! Why an engine does not answer the same twice: it is asked again under changes that must not
//! matter, and the one that does is named.
//!
//! What is told apart, in this order: chance (the same repeated from a new process differs), which
//! is the threads' where it ends with one thread; state that survives `ucinewgame` (what was asked
//! before matters, always in the same way); the company of other copies. Two changes may matter and
//! are only reported: leaving out `ucinewgame`, and telling the moves that led to a position.
//!
//! Rows that differ when the same is asked of a new process count for chance alone: no other change is
//! charged with them.

use std::thread;

use serde::Serialize;

use super::ask::{Manner, Survey};
use super::chance::Chance;
use super::compare::{RowComparison, compare_answers};
use super::error::FingerprintError;
use super::positions::Place;
use super::row::{Column, Row};
use super::row_limits::RowLimits;
use super::subject::{Question, Subject};
use crate::arena::Stop;

/// One change under which the engine is asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Trial {
    /// The same again in a new process.
    AnotherProcess,
    /// A second round in the same process.
    SameProcess,
    /// A new process for each position.
    FreshProcesses,
    /// A new process for each position, twice.
    FreshProcessesTwice,
    /// The last position first.
    Reversed,
    /// Several copies of the engine at once.
    Copies,
    /// One thread, a new process for each position, twice.
    OneThread,
    /// Without `ucinewgame` and `Clear Hash` between positions.
    NoNewGame,
    /// Told the moves that led to the position instead of the position.
    FromMoves,
}

/// What a change changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrialResult {
    /// The change.
    pub trial: Trial,
    /// Whether the change may matter.
    pub may_differ: bool,
    /// How many rows differ by themselves and are left out.
    pub rows_by_chance: usize,
    /// The columns left out instead of rows, where moves and scores do not vary by themselves.
    pub columns_by_chance: Vec<Column>,
    /// With it against without it.
    pub comparison: RowComparison,
}

/// What the engine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Verdict {
    /// No change mattered that must not.
    Reproducible,
    /// Chance, and none with one thread.
    Threads,
    /// Chance: a seed from the clock, memory that was never set, an address.
    Chance,
    /// What was asked before matters.
    CarriesState,
    /// Copies that run at the same time matter.
    Company,
}

/// The verdict and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    /// What the engine is.
    pub verdict: Verdict,
    /// How many positions were asked.
    pub positions: usize,
    /// How the first searches used their limit.
    pub limit_use: Option<RowLimits>,
    /// Every change tried.
    pub trials: Vec<TrialResult>,
}

impl Trial {
    /// What is changed, in words.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::AnotherProcess => "the same in another process",
            Self::SameProcess => "again in the same process",
            Self::FreshProcesses => "a new process for each position",
            Self::FreshProcessesTwice => "that once more",
            Self::Reversed => "in reversed order",
            Self::Copies => "several copies at once",
            Self::OneThread => "one thread, twice",
            Self::NoNewGame => "without ucinewgame",
            Self::FromMoves => "from the moves that led there",
        }
    }
}

impl Verdict {
    /// The verdict in a sentence.
    #[must_use]
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Reproducible => "reproducible: no change mattered that must not",
            Self::Threads => {
                "several threads: the same question has several answers, and one with Threads=1\n\
                 hint: take fingerprints with Threads=1"
            }
            Self::Chance => {
                "chance: the same question to a new process has several answers\n\
                 hint: look for a generator seeded from the clock (UCI_LimitStrength in Stockfish), time in the \
                 search, memory that is never set, addresses used as numbers"
            }
            Self::CarriesState => {
                "carries state past `ucinewgame`: what was asked before matters\n\
                 hint: clear every table, history and counter at `ucinewgame`"
            }
            Self::Company => {
                "company: copies that run at the same time matter\n\
                 hint: look for shared files or memory, and for time in the search"
            }
        }
    }
}

/// Asks about `places` under every change. `histories` are the same positions set up by moves, where
/// they are known; `copies` run at once; `watch` is told of each trial before it begins.
///
/// # Errors
/// The engine does not start or fails on a position; or a signal came.
pub fn diagnose(
    subject: &Subject,
    question: &Question,
    places: &[Place],
    histories: &[Option<Place>],
    copies: usize,
    stop: &Stop,
    watch: impl FnMut(Trial),
) -> Result<Diagnosis, FingerprintError> {
    let mut session = Session { question, places, stop, watch, trials: Vec::new() };
    let (verdict, plain, chance) = session.examine(subject, copies)?;
    let limit_use = RowLimits::of(question.limit, &plain, places);
    let kept = session.ask(subject, Trial::NoNewGame, Manner { keep_state: true, ..Manner::default() })?;
    session.note(Trial::NoNewGame, true, &chance, &plain, &kept);
    let reached: Vec<_> = histories.iter().flatten().cloned().collect();
    if !reached.is_empty() {
        (session.watch)(Trial::FromMoves);
        let told = session.survey(subject, &reached, Manner::default()).rows(&range(reached.len()), 1)?;
        let known = plain.into_iter().enumerate().zip(histories).filter(|(_, history)| history.is_some());
        let (numbers, plain): (Vec<_>, Vec<_>) = known.map(|(numbered, _)| numbered).unzip();
        session.note(Trial::FromMoves, true, &chance.of(&numbers), &plain, &told);
    }
    Ok(Diagnosis { verdict, positions: places.len(), limit_use, trials: session.trials })
}

struct Session<'a, W> {
    question: &'a Question,
    places: &'a [Place],
    stop: &'a Stop,
    watch: W,
    trials: Vec<TrialResult>,
}

impl<W: FnMut(Trial)> Session<'_, W> {
    /// The verdict, the rows that all else was compared with, and what of them varies by itself.
    fn examine(
        &mut self,
        subject: &Subject,
        copies: usize,
    ) -> Result<(Verdict, Vec<Row>, Chance), FingerprintError> {
        let fresh = Manner { fresh_process: true, ..Manner::default() };
        (self.watch)(Trial::SameProcess);
        let twice = [self.places, self.places].concat();
        let mut base = self.survey(subject, &twice, Manner::default()).rows(&range(twice.len()), 1)?;
        let second = base.split_off(self.places.len().min(base.len()));
        let rows = self.ask(subject, Trial::AnotherProcess, Manner::default())?;
        let alone = self.ask(subject, Trial::FreshProcesses, fresh)?;
        let again = self.ask(subject, Trial::FreshProcessesTwice, fresh)?;
        let chance = Chance::between(&base, &rows).and(Chance::between(&alone, &again));
        let all = Chance::default();
        let same_process = self.note(Trial::SameProcess, false, &chance, &base, &second);
        let another = self.note(Trial::AnotherProcess, false, &all, &base, &rows);
        let fresh_differs = self.note(Trial::FreshProcesses, false, &chance, &base, &alone);
        let fresh_again = self.note(Trial::FreshProcessesTwice, false, &all, &alone, &again);
        (self.watch)(Trial::Reversed);
        let backwards: Vec<_> = range(self.places.len()).into_iter().rev().collect();
        let rows = self.survey(subject, self.places, Manner::default()).rows(&backwards, 1)?;
        let order = self.note(Trial::Reversed, false, &chance, &base, &rows);
        let rows = self.ask_copies(subject, copies, &base)?;
        let company = self.note(Trial::Copies, false, &chance, &base, &rows);
        let verdict = if another || fresh_again {
            if self.is_steady_with_one_thread(subject)? { Verdict::Threads } else { Verdict::Chance }
        } else if same_process || fresh_differs || order {
            Verdict::CarriesState
        } else if company {
            Verdict::Company
        } else {
            Verdict::Reproducible
        };
        Ok((verdict, base, chance))
    }

    /// Whether an engine that was asked with several threads repeats itself with one.
    fn is_steady_with_one_thread(&mut self, subject: &Subject) -> Result<bool, FingerprintError> {
        if subject.threads() == 1 {
            return Ok(false);
        }
        let fresh = Manner { fresh_process: true, ..Manner::default() };
        let single = subject.with_option("Threads", "1")?;
        let once = self.ask(&single, Trial::OneThread, fresh)?;
        let again = self.ask(&single, Trial::OneThread, fresh)?;
        Ok(!self.note(Trial::OneThread, false, &Chance::default(), &once, &again))
    }

    fn survey<'b>(&'b self, subject: &'b Subject, places: &'b [Place], manner: Manner) -> Survey<'b> {
        Survey { subject, question: self.question, places, manner, stop: self.stop }
    }

    fn ask(&mut self, subject: &Subject, trial: Trial, manner: Manner) -> Result<Vec<Row>, FingerprintError> {
        (self.watch)(trial);
        self.survey(subject, self.places, manner).rows(&range(self.places.len()), 1)
    }

    /// The rows of the copy that differs most from `base`.
    fn ask_copies(
        &mut self,
        subject: &Subject,
        copies: usize,
        base: &[Row],
    ) -> Result<Vec<Row>, FingerprintError> {
        (self.watch)(Trial::Copies);
        let survey = self.survey(subject, self.places, Manner::default());
        let order = range(self.places.len());
        let ended: Vec<_> = thread::scope(|scope| {
            let running: Vec<_> =
                (0..copies.max(2)).map(|_| scope.spawn(|| survey.rows(&order, 1))).collect();
            running.into_iter().map(thread::ScopedJoinHandle::join).collect()
        });
        let mut most = Vec::new();
        for rows in ended {
            let rows = rows.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            let differing = |rows: &[Row]| compare_answers(base, rows).differing.len();
            if most.is_empty() || differing(&rows) > differing(&most) {
                most = rows;
            }
        }
        Ok(most)
    }

    /// Notes a result, without what varies by itself; true when rows differ.
    fn note(
        &mut self,
        trial: Trial,
        may_differ: bool,
        chance: &Chance,
        without: &[Row],
        with: &[Row],
    ) -> bool {
        let comparison = chance.compare(without, with);
        let differs = !comparison.is_equal();
        self.trials.push(TrialResult {
            trial,
            may_differ,
            rows_by_chance: chance.rows().len(),
            columns_by_chance: chance.columns(),
            comparison,
        });
        differs
    }
}

fn range(length: usize) -> Vec<usize> {
    (0..length).collect()
}
