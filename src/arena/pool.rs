//! Many games on many workers.
//!
//! Invariants: a worker owns its engines and nobody else talks to them; a game's result depends on
//! its job alone, never on which worker played it or when; every finished game is handed to the
//! caller before any engine is asked to quit.

use std::collections::VecDeque;
use std::io;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use super::affinity::{CpuSlot, Workers};
use super::limits::Limits;
use super::play::{GameSetup, Seat, play_game, process_fault};
use super::pulse::Pulse;
use super::record::{GameFault, GameRecord, Quirks, Termination};
use super::stop::Stop;
use super::told::History;
use super::waiting::Waits;
use crate::chess::{Color, Outcome};
use crate::uci::process::{Engine, EngineFault, FaultCause, Launch};

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
    /// How much of the game it is told.
    pub history: History,
    /// Whether its scores count for adjudication.
    pub trusted: bool,
    /// Which of its `info string` lines are recorded: those that contain this text.
    pub words: Option<String>,
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
    /// A worker could not be bound to its processors.
    #[error("cannot run on processor {cpus}: {source}\nhint: --cpus none, or others")]
    Pin {
        /// The worker's processors.
        cpus: String,
        /// The system's word.
        source: io::Error,
    },
    /// The system refused us what starting an engine takes. The games in progress were finished.
    #[error("{0}")]
    NoResources(Box<EngineFault>),
}

type Jobs<'a, T> = &'a mut (dyn Iterator<Item = Job<T>> + Send);
type Sink<'a, T> = &'a mut (dyn FnMut(Finished<T>) -> io::Result<Option<Job<T>>> + Send);

struct Shared<'a, T> {
    jobs: Jobs<'a, T>,
    /// Void games to be played again, before any new one.
    replays: VecDeque<Job<T>>,
    /// Games being played: one of them may still ask for a replay.
    playing: usize,
    sink: Sink<'a, T>,
    error: Option<PoolError>,
}

/// Plays `jobs` in order on as many threads as there are workers, each bound to its slot if there
/// are slots.
///
/// `sink` is called with each finished game, one at a time, in the order they finish; a job that it
/// returns is played next. Returns when no job is left, when `stop` is requested (the jobs left are
/// not played), or when the sink fails.
///
/// # Errors
/// [`PoolError::Sink`] with the first error of `sink`, [`PoolError::Pin`] when a slot cannot be used;
/// games in progress then are dropped.
/// [`PoolError::NoResources`] when an engine could not be started for a reason that is ours; games in
/// progress are finished.
pub fn play_all<T: Send>(
    programs: &[Launch],
    jobs: impl IntoIterator<Item = Job<T>, IntoIter: Send>,
    workers: impl Into<Workers>,
    stop: &Stop,
    mut sink: impl FnMut(Finished<T>) -> io::Result<Option<Job<T>>> + Send,
) -> Result<(), PoolError> {
    let workers = workers.into();
    let mut jobs = jobs.into_iter();
    let shared = Mutex::new(Shared {
        jobs: &mut jobs,
        replays: VecDeque::new(),
        playing: 0,
        sink: &mut sink,
        error: None,
    });
    let changed = Condvar::new();
    let pulse = Pulse::default();
    thread::scope(|scope| {
        let beating = scope.spawn(|| pulse.beat());
        let workers: Vec<_> = (0..workers.count.max(1))
            .map(|number| {
                let (shared, changed, pulse) = (&shared, &changed, &pulse);
                let (slot, patient) = (workers.slots.get(number), workers.patient);
                scope.spawn(move || {
                    if bind(slot, patient, shared, stop) {
                        work(programs, number, shared, changed, stop, pulse);
                    }
                })
            })
            .collect();
        let ends: Vec<_> = workers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        pulse.end();
        beating.thread().unpark();
        // A worker's panic is the caller's.
        if let Some(panic) = ends.into_iter().find_map(Result::err) {
            std::panic::resume_unwind(panic);
        }
    });
    match shared.into_inner().unwrap_or_else(PoisonError::into_inner).error {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Binds this worker to its processors; a failure ends the run.
fn bind<T>(slot: Option<&CpuSlot>, patient: bool, shared: &Mutex<Shared<'_, T>>, stop: &Stop) -> bool {
    let Some(slot) = slot else { return true };
    if patient {
        CpuSlot::be_patient();
    }
    let Err(source) = slot.pin_this_thread() else { return true };
    let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
    shared.error.get_or_insert(PoolError::Pin { cpus: slot.to_string(), source });
    stop.request_now();
    false
}

fn work<T>(
    programs: &[Launch],
    number: usize,
    shared: &Mutex<Shared<'_, T>>,
    changed: &Condvar,
    stop: &Stop,
    pulse: &Pulse,
) {
    let _alarm = Alarm { shared, changed, stop };
    let mut bench = Bench::new(programs, number, stop);
    while let Some(job) = next_job(shared, changed, stop) {
        let pauses = pulse.pauses();
        let record = match bench.play(&job) {
            Ok(record) => record,
            Err(fault) => {
                give_up(fault, shared, changed, stop);
                break;
            }
        };
        if is_spoilt(&job, &record, pauses, pulse) {
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            shared.playing -= 1;
            shared.replays.push_back(job);
        } else {
            hand_over(Finished { job, record }, shared, stop);
        }
        changed.notify_all();
        bench.dismiss();
    }
    bench.quit();
}

/// Whether this program stood still during a game for which that matters: on a clock, or when an
/// engine seemed to be late. Such a game is no evidence; it is not recorded and played again.
fn is_spoilt<T>(job: &Job<T>, record: &GameRecord, pauses: u64, pulse: &Pulse) -> bool {
    let late = matches!(record.termination, Termination::Fault(GameFault::Hang | GameFault::TimeLoss));
    let timed = job.players.iter().any(|player| player.limits.is_timed());
    (late && pulse.settled_pauses() != pauses) || (timed && pulse.pauses() != pauses)
}

/// Ends the run when a worker panics (its sink is the caller's code): the others must neither play
/// on for nothing nor wait for its game for ever.
struct Alarm<'a, 'j, T> {
    shared: &'a Mutex<Shared<'j, T>>,
    changed: &'a Condvar,
    stop: &'a Stop,
}

impl<T> Drop for Alarm<'_, '_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.stop.request_now();
            // Under the lock, so that nobody is between looking at the request and waiting.
            let _shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            self.changed.notify_all();
        }
    }
}

/// Ends the run without the game that could not be started; those in progress are finished.
fn give_up<T>(fault: Box<EngineFault>, shared: &Mutex<Shared<'_, T>>, changed: &Condvar, stop: &Stop) {
    let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
    shared.playing -= 1;
    shared.error.get_or_insert(PoolError::NoResources(fault));
    // A second request would drop the games of the others.
    if !stop.is_requested() {
        stop.request();
    }
    changed.notify_all();
}

fn hand_over<T>(finished: Finished<T>, shared: &Mutex<Shared<'_, T>>, stop: &Stop) {
    let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
    shared.playing -= 1;
    // A game cut off by us says nothing about its engines.
    if stop.is_now() {
        return;
    }
    match (shared.sink)(finished) {
        Ok(Some(replay)) => shared.replays.push_back(replay),
        Ok(None) => {}
        Err(error) => {
            shared.error.get_or_insert(PoolError::Sink(error));
            stop.request_now();
        }
    }
}

fn next_job<T>(shared: &Mutex<Shared<'_, T>>, changed: &Condvar, stop: &Stop) -> Option<Job<T>> {
    let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if stop.is_requested() {
            return None;
        }
        let next = shared.replays.pop_front().or_else(|| shared.jobs.next());
        if let Some(job) = next {
            shared.playing += 1;
            return Some(job);
        }
        if shared.playing == 0 {
            return None;
        }
        shared = changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
    }
}

/// The engines of one worker.
struct Bench<'a> {
    programs: &'a [Launch],
    worker: usize,
    stop: &'a Stop,
    /// Those that play on, by program.
    engines: Vec<Option<Engine>>,
    /// Those that do not, and have still to be told.
    retired: Vec<Engine>,
}

impl<'a> Bench<'a> {
    fn new(programs: &'a [Launch], worker: usize, stop: &'a Stop) -> Self {
        let engines = programs.iter().map(|_| None).collect();
        Self { programs, worker, stop, engines, retired: Vec::new() }
    }

    /// Plays a game; whatever the engines do, there is a record.
    ///
    /// # Errors
    /// An engine could not be started for a reason that is not its own.
    fn play<T>(&mut self, job: &Job<T>) -> Result<GameRecord, Box<EngineFault>> {
        let began = Instant::now();
        let started_at = jiff::Timestamp::now().as_second();
        let mut record = self.seat_and_play(job)?;
        record.started_at = started_at;
        record.duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(record)
    }

    fn seat_and_play<T>(&mut self, job: &Job<T>) -> Result<GameRecord, Box<EngineFault>> {
        let [white, black] = &job.players;
        let mut white_engine = match self.ready(white) {
            Ok(engine) => engine,
            Err(fault) => return not_begun(Color::White, fault),
        };
        let mut black_engine = match self.ready(black) {
            Ok(engine) => engine,
            Err(fault) => {
                self.put_back(white, white_engine, white.restart);
                return not_begun(Color::Black, fault);
            }
        };
        let record = {
            let mut white_seat = self.seat(white, &mut white_engine);
            let mut black_seat = self.seat(black, &mut black_engine);
            play_game(&mut white_seat, &mut black_seat, &job.setup)
        };
        let at_fault = record.fault.as_ref().map(|fault| Color::from(fault.side));
        // An engine that misbehaved does not play the next game with whatever state it is in.
        self.put_back(white, white_engine, white.restart || at_fault == Some(Color::White));
        self.put_back(black, black_engine, black.restart || at_fault == Some(Color::Black));
        Ok(record)
    }

    fn put_back(&mut self, player: &Player, engine: Engine, retires: bool) {
        if retires || !engine.is_alive() {
            self.retired.push(engine);
        } else {
            self.engines[player.program] = Some(engine);
        }
    }

    /// An engine that is set up for a new game of `player`.
    ///
    /// A process that ended or hangs since its last game is replaced: that game is over and this
    /// one must not depend on it.
    fn ready(&mut self, player: &Player) -> Result<Engine, Box<EngineFault>> {
        let mut replaced = None;
        if let Some(mut engine) = self.engines[player.program].take() {
            if !engine.can_take(&player.settings) {
                engine.quit();
            } else if let Err(fault) = engine.new_game(&player.settings) {
                replaced = Some(fault.detail);
            } else {
                return Ok(engine);
            }
        }
        let mut engine = self.launch(player)?;
        engine.new_game(&player.settings)?;
        if let Some(detail) = replaced {
            engine.note_quirk(format!("replaced before this game: {detail}"));
        }
        Ok(engine)
    }

    fn launch(&self, player: &Player) -> Result<Engine, Box<EngineFault>> {
        let mut launch = self.programs[player.program].clone();
        if let Some(log) = &mut launch.log {
            // Workers do not share a log: lines of two conversations would mix.
            let name = log.file_name().unwrap_or_default().to_string_lossy().into_owned();
            log.set_file_name(format!("{name}.{}.log", self.worker));
        }
        Engine::launch_under(&launch, self.stop.engines()).map_err(Box::new)
    }

    fn seat<'s>(&self, player: &'s Player, engine: &'s mut Engine) -> Seat<'s> {
        let deadlines = &self.programs[player.program].deadlines;
        let search_deadline = deadlines.search(player.limits.movetime_ms, player.limits.nodes);
        Seat {
            engine,
            limits: &player.limits,
            search_deadline,
            history: player.history,
            trusted: player.trusted,
            words: player.words.as_deref(),
        }
    }

    /// Tells the retired to quit.
    fn dismiss(&mut self) {
        self.retired.drain(..).for_each(Engine::quit);
    }

    /// Tells the others too.
    fn quit(self) {
        self.engines.into_iter().flatten().for_each(Engine::quit);
    }
}

/// A game that ended before its first move, unless that was our own fault.
fn not_begun(side: Color, fault: Box<EngineFault>) -> Result<GameRecord, Box<EngineFault>> {
    if fault.cause == FaultCause::NoResources {
        return Err(fault);
    }
    let fault = process_fault(side, *fault);
    Ok(GameRecord {
        outcome: Outcome::win_for(side.other()),
        termination: Termination::Fault(fault.cause),
        fault: Some(fault),
        started_at: 0,
        duration_ms: 0,
        quirks: Quirks::default(),
        waits: Waits::default(),
        plies: Vec::new(),
    })
}
