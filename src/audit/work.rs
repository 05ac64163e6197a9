//! Many positions searched on several workers, each with an engine of its own; answers that are kept
//! are not asked for again.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::engine::{Answer, AuditEngine, Task, Trouble};
use super::error::AuditError;
use super::position::Root;
use super::store::Store;
use crate::arena::{Shared, Stop, share_out};
use crate::uci::process::{Budget, Engine};

/// Jobs that tell how long the others will take.
const PROBE: usize = 16;
/// Fewer jobs than this are not worth a forecast.
const WORTH_FORECAST: usize = 32;

/// A position and what is searched there, in this order. [`Task::Only`] is left out where the free
/// search before it scored that very move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job<'a> {
    /// The position.
    pub(super) root: &'a Root,
    /// The budget of each search.
    pub(super) budget: Budget,
    /// What is searched.
    pub(super) tasks: Vec<Task>,
}

/// What happens while positions are searched.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A round begins.
    Begun {
        /// What it is, in words.
        what: String,
        /// Positions whose answers are kept already.
        known: usize,
        /// Positions to search.
        missing: usize,
    },
    /// How long the rest of the round will take, from its first positions.
    Forecast {
        /// Positions left.
        positions: usize,
        /// From now.
        remaining: Duration,
    },
    /// A position was searched.
    Searched {
        /// Positions searched in this round.
        done: usize,
        /// Of so many.
        of: usize,
    },
}

/// Takes events, on whichever thread they happen.
pub type Watch<'a> = &'a mut (dyn FnMut(Event) + Send);

/// The time that searches took in this session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchTime {
    /// Searches.
    pub searches: u64,
    /// Their time, all workers together.
    pub searched: Duration,
    /// From the first to the last, with all that is between.
    pub wall: Duration,
}

/// Who searches, and with how many workers.
#[derive(Debug)]
pub struct Work<'a> {
    /// The kept answers.
    pub store: &'a mut Store,
    /// Positions at once.
    pub workers: usize,
    /// A request to stop, from outside.
    pub stop: &'a Stop,
    /// What searches took so far.
    pub time: SearchTime,
}

impl Work<'_> {
    /// Searches what is missing. The jobs have different roots, budgets or tasks.
    pub(super) fn search(
        &mut self,
        engine: &AuditEngine,
        jobs: &[Job<'_>],
        what: &str,
        watch: Watch<'_>,
    ) -> Result<(), AuditError> {
        let missing: Vec<&Job<'_>> = jobs.iter().filter(|job| job.is_missing(engine, self.store)).collect();
        let known = jobs.len() - missing.len();
        watch(Event::Begun { what: what.to_owned(), known, missing: missing.len() });
        if missing.is_empty() {
            return Ok(());
        }
        // The probe is spread over all jobs, as openings are not like endgames.
        let count = missing.len();
        let probe = if count >= WORTH_FORECAST { PROBE.max(2 * self.workers).min(count) } else { 0 };
        let is_probe = |index: usize| index * probe / count != (index + 1) * probe / count;
        let (first, rest): (Vec<_>, Vec<_>) = (0..count).partition(|index| is_probe(*index));
        let pick = |indices: &[usize]| -> Vec<&Job<'_>> {
            indices.iter().filter_map(|index| missing.get(*index).copied()).collect()
        };
        let began = Instant::now();
        let mut done = 0;
        if probe > 0 {
            self.run(engine, &pick(&first), &mut done, count, watch)?;
            let each = began.elapsed().div_f64(count_as_f64(first.len()));
            watch(Event::Forecast {
                positions: rest.len(),
                remaining: each.mul_f64(count_as_f64(rest.len())),
            });
        }
        let end = self.run(engine, &pick(&rest), &mut done, count, watch);
        self.time.wall += began.elapsed();
        end
    }

    fn run(
        &mut self,
        engine: &AuditEngine,
        jobs: &[&Job<'_>],
        done: &mut usize,
        of: usize,
        watch: Watch<'_>,
    ) -> Result<(), AuditError> {
        let store = Mutex::new(&mut *self.store);
        let (mut error, mut time) = (None, SearchTime::default());
        let begin = || Worker { engine, running: None, stop: self.stop };
        let work = |worker: &mut Worker<'_>, index: usize| match jobs.get(index) {
            Some(job) => worker.do_job(job, &store),
            None => Ok(SearchTime::default()),
        };
        let take = |_, result: Result<SearchTime, AuditError>| match result {
            Ok(spent) => {
                time.searches += spent.searches;
                time.searched += spent.searched;
                *done += 1;
                watch(Event::Searched { done: *done, of });
                true
            }
            Err(found) => {
                error.get_or_insert(found);
                false
            }
        };
        let end = share_out(jobs.len(), self.workers, self.stop, begin, work, Worker::end, take);
        self.time.searches += time.searches;
        self.time.searched += time.searched;
        match error {
            // Killed engines look like faults.
            _ if self.stop.is_now() => Err(AuditError::Stopped),
            Some(error) => Err(error),
            None if end == Shared::Part => Err(AuditError::Stopped),
            None => Ok(()),
        }
    }
}

impl Job<'_> {
    /// Whether an answer is still to be searched for.
    fn is_missing(&self, engine: &AuditEngine, store: &Store) -> bool {
        let mut free = None;
        for task in &self.tasks {
            if is_answered(free, task) {
                continue;
            }
            match store.get(engine, self.root, self.budget, task) {
                None => return true,
                Some(answer) if *task == Task::Free => free = Some(answer),
                Some(_) => {}
            }
        }
        false
    }
}

/// Whether the free search has scored the one move that the task asks for.
fn is_answered(free: Option<&Answer>, task: &Task) -> bool {
    let scored = free.and_then(|answer| answer.scored.first());
    matches!((scored, task), (Some(scored), Task::Only(chosen)) if scored.m == *chosen)
}

struct Worker<'a> {
    engine: &'a AuditEngine,
    running: Option<Engine>,
    stop: &'a Stop,
}

impl Worker<'_> {
    fn do_job(&mut self, job: &Job<'_>, store: &Mutex<&mut Store>) -> Result<SearchTime, AuditError> {
        let mut spent = SearchTime::default();
        let mut free: Option<Answer> = None;
        for task in &job.tasks {
            if is_answered(free.as_ref(), task) {
                continue;
            }
            let lock = || store.lock().unwrap_or_else(PoisonError::into_inner);
            let known = lock().get(self.engine, job.root, job.budget, task).cloned();
            let answer = match known {
                Some(answer) => answer,
                None => {
                    let answer = self.search(job.root, job.budget, task)?;
                    spent.searches += 1;
                    spent.searched += Duration::from_micros(answer.search_us);
                    lock().put(self.engine, job.root, job.budget, task, &answer)?;
                    answer
                }
            };
            if *task == Task::Free {
                free = Some(answer);
            }
        }
        Ok(spent)
    }

    /// A new process gets one more try: a crash may be a matter of the machine.
    fn search(&mut self, root: &Root, budget: Budget, task: &Task) -> Result<Answer, AuditError> {
        match self.try_search(root, budget, task) {
            Err(Trouble::Fault(_)) if !self.stop.is_now() => self.try_search(root, budget, task),
            other => other,
        }
        .map_err(|trouble| match trouble {
            Trouble::Fault(fault) => AuditError::Position { fen: root.fen.clone(), fault: Box::new(fault) },
            Trouble::Useless(error) => error,
        })
    }

    fn try_search(&mut self, root: &Root, budget: Budget, task: &Task) -> Result<Answer, Trouble> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Engine::launch_under(self.engine.launch(), self.stop.engines())?,
        };
        let answer = self.engine.search(&mut running, root, budget, task)?;
        self.running = Some(running);
        Ok(answer)
    }

    fn end(self) {
        if let Some(engine) = self.running {
            engine.quit();
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a count of positions")]
fn count_as_f64(count: usize) -> f64 {
    count as f64
}
