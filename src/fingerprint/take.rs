//! Taking a fingerprint: every position asked once, kept as it is answered, resumed where it
//! stopped.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::ask::{AskEnd, Manner, RowFault, Survey};
use super::error::FingerprintError;
use super::manifest::{Fingerprint, Recipe};
use super::partial::Partial;
use super::positions::PositionSet;
use super::row::Row;
use super::subject::{Question, Subject};
use crate::arena::Stop;

/// How a take ended.
#[derive(Debug)]
pub enum TakeEnd {
    /// All rows are there.
    Whole {
        /// The fingerprint.
        fingerprint: Box<Fingerprint>,
        /// How long the engine searched, all positions together.
        search: Duration,
    },
    /// A signal came, or the caller has seen enough.
    Stopped {
        /// The rows so far, where they are kept.
        partial: Option<PathBuf>,
    },
    /// The engine failed on a position.
    Fault {
        /// What it did.
        fault: Box<RowFault>,
        /// The rows so far, where they are kept.
        partial: Option<PathBuf>,
    },
}

/// Takes the fingerprint of `subject` on `set`, `workers` positions at once.
///
/// With a `folder` the rows are kept there as they come, and those that an interrupted take of the
/// same kept there are not asked for again; at the end the fingerprint is written there. `watch` sees
/// each row with the index of its position and may stop.
///
/// # Errors
/// The engine does not start, the folder cannot be used, or a file that makes the engine changed
/// meanwhile: then the rows are kept and no fingerprint is written.
pub fn take(
    subject: &Subject,
    question: &Question,
    set: &PositionSet,
    workers: usize,
    folder: Option<&Path>,
    stop: &Stop,
    mut watch: impl FnMut(usize, &Row) -> ControlFlow<()> + Send,
) -> Result<TakeEnd, FingerprintError> {
    let recipe = Recipe::new(subject, question, set);
    let mut partial = match folder {
        Some(folder) => Partial::open(folder, &recipe)?,
        None => Partial::default(),
    };
    let wanted = partial.missing(set.places().len());
    let survey = Survey { subject, question, places: set.places(), manner: Manner::default(), stop };
    let end = survey.ask(&wanted, workers, |index, answer| {
        let flow = watch(index, &answer.row);
        partial.keep(index, answer)?;
        Ok(flow)
    })?;
    let path = partial.path().map(Path::to_owned);
    match end {
        AskEnd::Stopped => Ok(TakeEnd::Stopped { partial: path }),
        AskEnd::Fault(fault) => {
            partial.end_with(&fault)?;
            Ok(TakeEnd::Fault { fault, partial: path })
        }
        AskEnd::Done => {
            let parts = subject.changes()?;
            if !parts.is_empty() {
                let engine = subject.name().to_owned();
                return Err(FingerprintError::EngineChanged { engine, parts, partial: path });
            }
            let search = partial.search();
            let fingerprint = Box::new(Fingerprint::new(recipe, partial.in_order(), set));
            if let Some(folder) = folder {
                fingerprint.write(folder)?;
            }
            partial.remove()?;
            Ok(TakeEnd::Whole { fingerprint, search })
        }
    }
}
