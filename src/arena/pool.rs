//! Many games on many workers.
//!
//! Invariants: a worker owns its engines and nobody else talks to them; a game's result depends on
//! its job alone, never on which worker played it or when; every finished game is handed to the
//! caller before any engine is asked to quit.

use std::collections::VecDeque;
use std::io;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use super::limits::Limits;
use super::play::{GameSetup, Seat, play_game};
use super::record::{FaultReport, GameFault, GameRecord, Quirks, Termination};
use super::stop::Stop;
use crate::chess::{Color, Outcome};
use crate::uci::process::{Engine, EngineFault, Launch};

/// A player: a program to launch and how it is used. Two players with the same `program` number
/// share one process per worker (the levels of a ladder).
#[derive(Clone, Debug)]
pub struct Player {
    /// Index into the programs given to [`play_all`], which panics where it is out of range.
    pub program: usize,
    /// Checked and ordered settings.
    pub settings: Vec<(String, String)>,
    /// Limits of its searches.
    pub limits: Limits,
    /// Whether its scores count for adjudication.
    pub trusted: bool,
    /// Whether a new process is started for every game.
    pub restart: bool,
}

/// A game to play. The two players must not share a program number.
#[derive(Clone, Debug)]
pub struct Job<T> {
    /// The caller's own name for it.
    pub id: T,
    /// White, black.
    pub players: [Player; 2],
    /// Opening and adjudication.
    pub setup: GameSetup,
}

/// A game that has been played.
#[derive(Debug)]
pub struct Finished<T> {
    /// The job.
    pub job: Job<T>,
    /// What happened.
    pub record: GameRecord,
}

/// Why playing ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PoolError {
    /// The caller could not keep a finished game.
    #[error("a finished game could not be kept: {0}")]
    Sink(#[from] io::Error),
}

struct Shared<T, F> {
    queue: VecDeque<Job<T>>,
    /// Games being played: one of them may still ask for a replay.
    playing: usize,
    sink: F,
    error: Option<io::Error>,
}

/// Plays `jobs` in order on `workers` threads.
///
/// `sink` is called with each finished game, one at a time, in the order they finish; a job that it
/// returns is played next. Returns when the queue is empty, when `stop` is requested (the jobs left
/// are not played), or when the sink fails.
///
/// # Errors
/// [`PoolError::Sink`] with the first error of `sink`; games in progress then are dropped.
pub fn play_all<T, F>(
    programs: &[Launch],
    jobs: impl IntoIterator<Item = Job<T>>,
    workers: usize,
    stop: &Stop,
    sink: F,
) -> Result<(), PoolError>
where
    T: Send,
    F: FnMut(Finished<T>) -> io::Result<Option<Job<T>>> + Send,
{
    let queue: VecDeque<_> = jobs.into_iter().collect();
    let workers = workers.clamp(1, queue.len().max(1));
    let shared = Mutex::new(Shared { queue, playing: 0, sink, error: None });
    let changed = Condvar::new();
    thread::scope(|scope| {
        for number in 0..workers {
            let (shared, changed) = (&shared, &changed);
            scope.spawn(move || work(programs, number, shared, changed, stop));
        }
    });
    match shared.into_inner().unwrap_or_else(PoisonError::into_inner).error {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

fn work<T, F>(
    programs: &[Launch],
    number: usize,
    shared: &Mutex<Shared<T, F>>,
    changed: &Condvar,
    stop: &Stop,
) where
    F: FnMut(Finished<T>) -> io::Result<Option<Job<T>>>,
{
    let mut bench = Bench::new(programs, number);
    while let Some(job) = next_job(shared, changed, stop) {
        let record = bench.play(&job);
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.playing -= 1;
        // A game cut off by us says nothing about its engines.
        if !stop.is_now() {
            match (shared.sink)(Finished { job, record }) {
                Ok(Some(replay)) => shared.queue.push_front(replay),
                Ok(None) => {}
                Err(error) => {
                    shared.error.get_or_insert(error);
                    stop.request_now();
                }
            }
        }
        changed.notify_all();
    }
    bench.quit();
}

fn next_job<T, F>(shared: &Mutex<Shared<T, F>>, changed: &Condvar, stop: &Stop) -> Option<Job<T>> {
    let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if stop.is_requested() {
            return None;
        }
        if let Some(job) = shared.queue.pop_front() {
            shared.playing += 1;
            return Some(job);
        }
        if shared.playing == 0 {
            return None;
        }
        shared = changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
    }
}

/// The engines of one worker, by program.
struct Bench<'a> {
    programs: &'a [Launch],
    worker: usize,
    engines: Vec<Option<Engine>>,
}

impl<'a> Bench<'a> {
    fn new(programs: &'a [Launch], worker: usize) -> Self {
        Self { programs, worker, engines: programs.iter().map(|_| None).collect() }
    }

    fn play<T>(&mut self, job: &Job<T>) -> GameRecord {
        let [white, black] = &job.players;
        let mut white_engine = match self.take(white) {
            Ok(engine) => engine,
            Err(fault) => return failed_start(Color::White, *fault),
        };
        let mut black_engine = match self.take(black) {
            Ok(engine) => engine,
            Err(fault) => {
                self.engines[white.program] = Some(white_engine);
                return failed_start(Color::Black, *fault);
            }
        };
        let record = {
            let mut white_seat = self.seat(white, &mut white_engine);
            let mut black_seat = self.seat(black, &mut black_engine);
            play_game(&mut white_seat, &mut black_seat, &job.setup)
        };
        let at_fault = record.fault.as_ref().map(|fault| Color::from(fault.side));
        for (player, engine, color) in
            [(white, white_engine, Color::White), (black, black_engine, Color::Black)]
        {
            // An engine that misbehaved does not play the next game with whatever state it is in.
            if player.restart || at_fault == Some(color) || !engine.is_alive() {
                engine.quit();
            } else {
                self.engines[player.program] = Some(engine);
            }
        }
        record
    }

    fn take(&mut self, player: &Player) -> Result<Engine, Box<EngineFault>> {
        if let Some(engine) = self.engines[player.program].take() {
            return Ok(engine);
        }
        let mut launch = self.programs[player.program].clone();
        if let Some(log) = &mut launch.log {
            // Workers do not share a log: lines of two conversations would mix.
            let name = log.file_name().unwrap_or_default().to_string_lossy().into_owned();
            log.set_file_name(format!("{name}.{}.log", self.worker));
        }
        Engine::launch(&launch).map_err(Box::new)
    }

    fn seat<'s>(&self, player: &'s Player, engine: &'s mut Engine) -> Seat<'s> {
        let deadlines = &self.programs[player.program].deadlines;
        let search_deadline = deadlines.search(player.limits.movetime_ms, player.limits.nodes);
        Seat {
            engine,
            settings: &player.settings,
            limits: &player.limits,
            search_deadline,
            trusted: player.trusted,
        }
    }

    fn quit(self) {
        for engine in self.engines.into_iter().flatten() {
            engine.quit();
        }
    }
}

fn failed_start(side: Color, fault: EngineFault) -> GameRecord {
    GameRecord {
        outcome: Outcome::win_for(side.other()),
        termination: Termination::Fault(GameFault::StartFailure),
        fault: Some(FaultReport {
            side: side.into(),
            engine: fault.engine,
            cause: GameFault::StartFailure,
            detail: fault.detail,
            transcript: fault.transcript,
            stderr: fault.stderr,
        }),
        started_at: jiff::Timestamp::now().as_second(),
        duration_ms: 0,
        quirks: Quirks::default(),
        plies: Vec::new(),
    }
}
