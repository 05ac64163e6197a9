//! Asking an engine about positions, on one worker or several.
//!
//! Invariant: each worker owns its engine. Before each position the engine is brought to its
//! settings and to a new game, unless the [`Manner`] says otherwise.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use super::error::FingerprintError;
use super::positions::Place;
use super::row::Row;
use super::subject::{Question, Subject};
use crate::arena::{Shared, Stop, share_out};
use crate::chess::parse_engine_move;
use crate::uci::process::{Engine, EngineFault, FaultCause, SearchOutcome, SearchReport, SearchRequest};
use crate::uci::protocol::visible;

/// An answer and what it cost.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The row.
    pub row: Row,
    /// How long the engine searched.
    pub elapsed: Duration,
}

/// How the engine is used between positions. The default is how fingerprints are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// A new process for each position.
    pub fresh_process: bool,
    /// Neither `ucinewgame` nor `Clear Hash` after a process's first position.
    pub keep_state: bool,
}

/// What an engine did wrong on one position.
#[derive(Clone, Debug)]
pub struct RowFault {
    /// Index of the position, from 0.
    pub index: usize,
    /// The position.
    pub fen: String,
    /// What happened.
    pub detail: String,
    /// The last lines both ways: `>` from us, `<` from the engine.
    pub transcript: Vec<String>,
    /// The last lines of its stderr.
    pub stderr: Vec<String>,
}

/// How asking ended.
#[derive(Clone, Debug)]
pub enum AskEnd {
    /// Every position was answered.
    Done,
    /// The caller stopped it.
    Stopped,
    /// The engine failed; of several faults the one that comes first in the set.
    Fault(Box<RowFault>),
}

/// An engine, what it is asked, and how.
#[derive(Debug)]
pub struct Survey<'a> {
    /// The engine.
    pub subject: &'a Subject,
    /// What is asked on each position.
    pub question: &'a Question,
    /// The positions.
    pub places: &'a [Place],
    /// How the engine is used between them.
    pub manner: Manner,
    /// A request to stop, from outside.
    pub stop: &'a Stop,
}

struct Taking<F> {
    sink: F,
    fault: Option<Box<RowFault>>,
    error: Option<FingerprintError>,
}

impl Survey<'_> {
    /// Asks about `places[index]` for each index of `wanted`, in this order, on `workers` threads
    /// with an engine each. `sink` gets the answers one at a time in the order they come, and may
    /// stop. After a fault no other position is begun; those in progress are finished.
    ///
    /// # Errors
    /// The engine does not start any more, or the first error of `sink`.
    pub fn ask<F>(&self, wanted: &[usize], workers: usize, sink: F) -> Result<AskEnd, FingerprintError>
    where
        F: FnMut(usize, Answer) -> Result<ControlFlow<()>, FingerprintError> + Send,
    {
        let mut taking = Taking { sink, fault: None, error: None };
        let begin = || Asker { survey: self, engine: None };
        let work = |asker: &mut Asker<'_>, number: usize| {
            let (index, place) = self.place(wanted, number)?;
            Some((index, place, asker.ask(place)))
        };
        let take = |_, answer: Option<(usize, &Place, Result<Answer, Trouble>)>| {
            answer.is_none_or(|(index, place, answer)| taking.take(index, place, answer))
        };
        let shared = share_out(wanted.len(), workers, self.stop, begin, work, |mut asker| asker.end(), take);
        match (taking.error, taking.fault) {
            // Killed engines look like faults.
            _ if self.stop.is_now() => Ok(AskEnd::Stopped),
            (Some(error), _) => Err(error),
            (None, Some(fault)) => Ok(AskEnd::Fault(fault)),
            (None, None) if shared == Shared::Part => Ok(AskEnd::Stopped),
            (None, None) => Ok(AskEnd::Done),
        }
    }

    /// The position that is the `number`-th wanted, with its index.
    fn place(&self, wanted: &[usize], number: usize) -> Option<(usize, &Place)> {
        let index = *wanted.get(number)?;
        Some((index, self.places.get(index)?))
    }

    /// The rows of these positions, asked for in this order, in the order of the places.
    ///
    /// # Errors
    /// As [`Survey::ask`]; here a fault and a stop are errors too.
    pub fn rows(&self, order: &[usize], workers: usize) -> Result<Vec<Row>, FingerprintError> {
        let mut rows = BTreeMap::new();
        let end = self.ask(order, workers, |index, answer| {
            rows.insert(index, answer.row);
            Ok(ControlFlow::Continue(()))
        })?;
        match end {
            AskEnd::Done => Ok(rows.into_values().collect()),
            AskEnd::Stopped => Err(FingerprintError::Stopped),
            AskEnd::Fault(fault) => Err(FingerprintError::Fault(fault)),
        }
    }
}

impl<F> Taking<F>
where
    F: FnMut(usize, Answer) -> Result<ControlFlow<()>, FingerprintError>,
{
    /// Takes an answer in; false when no other is wanted.
    fn take(&mut self, index: usize, place: &Place, answer: Result<Answer, Trouble>) -> bool {
        match answer {
            Ok(answer) => match (self.sink)(index, answer) {
                Ok(ControlFlow::Continue(())) => return true,
                Ok(ControlFlow::Break(())) => {}
                Err(error) => {
                    self.error.get_or_insert(error);
                }
            },
            Err(Trouble::NoStart(fault)) => {
                self.error.get_or_insert(FingerprintError::Engine(*fault));
            }
            Err(Trouble::Answer { detail, transcript, stderr }) => {
                let fault = RowFault { index, fen: place.fen.clone(), detail, transcript, stderr };
                if self.fault.as_ref().is_none_or(|known| index < known.index) {
                    self.fault = Some(Box::new(fault));
                }
            }
        }
        false
    }
}

/// What an engine did wrong.
enum Trouble {
    NoStart(Box<EngineFault>),
    Answer { detail: String, transcript: Vec<String>, stderr: Vec<String> },
}

impl From<EngineFault> for Trouble {
    fn from(fault: EngineFault) -> Self {
        match fault.cause {
            FaultCause::StartFailure | FaultCause::NoResources => Self::NoStart(Box::new(fault)),
            _ => Self::Answer { detail: fault.detail, transcript: fault.transcript, stderr: fault.stderr },
        }
    }
}

struct Asker<'a> {
    survey: &'a Survey<'a>,
    engine: Option<Engine>,
}

impl Asker<'_> {
    fn ask(&mut self, place: &Place) -> Result<Answer, Trouble> {
        let Survey { subject, manner, stop, .. } = self.survey;
        if manner.fresh_process {
            self.end();
        }
        let (mut engine, is_new) = match self.engine.take() {
            Some(engine) => (engine, false),
            None => (Engine::launch_under(&subject.launch, stop.engines())?, true),
        };
        if is_new || !manner.keep_state {
            engine.new_game(subject.settings())?;
        }
        let report = self.search(&mut engine, place)?;
        self.engine = Some(engine);
        Ok(Answer { row: Row::new(&place.fen, &report), elapsed: report.elapsed })
    }

    fn search(&self, engine: &mut Engine, place: &Place) -> Result<SearchReport, Trouble> {
        let Survey { subject, question, .. } = self.survey;
        let go = question.limit.go();
        let request = SearchRequest {
            position: &place.command,
            go: &go,
            wait: question.limit.deadline(subject.deadlines()),
            timed: false,
            words: question.words.as_deref(),
        };
        let detail = match engine.search(&request)? {
            SearchOutcome::Overdue { stopped, elapsed } => {
                let then = if stopped { "then answered `stop`" } else { "did not answer `stop` either" };
                format!("no move after {} ms, {then}", elapsed.as_millis())
            }
            SearchOutcome::Answered(report) => match &report.best.best_move {
                None => format!("answered `bestmove {}` though there are legal moves", report.best.token),
                Some(text) => match parse_engine_move(&place.position, text) {
                    Ok(_) => return Ok(report),
                    Err(error) => format!("its move `{}` is {error}", visible(text)),
                },
            },
        };
        Err(Trouble::Answer { detail, transcript: engine.transcript(), stderr: engine.stderr_tail() })
    }

    fn end(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.quit();
        }
    }
}

impl fmt::Display for RowFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position {} ({}): {}", self.index + 1, self.fen, self.detail)?;
        for (title, lines) in [("last lines", &self.transcript), ("stderr", &self.stderr)] {
            if !lines.is_empty() {
                write!(f, "\n  {title}:")?;
                lines.iter().try_for_each(|line| write!(f, "\n    {line}"))?;
            }
        }
        Ok(())
    }
}
