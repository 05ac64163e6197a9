//! Playing what the journal lacks.

use std::io;
use std::path::{Path, PathBuf};

use super::error::LadderError;
use super::folder::RunFolder;
use super::identity::Stamp;
use super::journal::{GameLine, SessionLine};
use super::plan::{Plan, PlannedOpening, plays_below_its_strength};
use super::prepared::{PreparedEngine, PreparedRun};
use super::probe::Role;
use super::results::{MOST_REPLAYS, RunResults, makes_void};
use super::setup_faults::{Beginning, SetupError, SetupFaults};
use crate::arena::{
    Finished, GameFault, GameSetup, Job, Player, PoolError, SideName, Stop, Workers, play_all,
};
use crate::chess::{CastlingMode, Game, StartPosition, parse_engine_move};
use crate::uci::process::{EngineFault, FaultCause};

/// After so many games in a row that no engine began, the run ends: the rest would not either.
const MOST_FAILED_STARTS: u32 = 20;

/// How to run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Games at once, and the processors of each.
    pub workers: Workers,
    /// The folder for a full log of every engine.
    pub engine_logs: Option<PathBuf>,
    /// Play on after a set-up error.
    pub keep_going: bool,
}

/// What happened just now.
#[derive(Debug)]
pub enum Progress<'a> {
    /// The session is about to play.
    Started(&'a RunResults<'a>),
    /// A game has been written to the journal.
    Game {
        /// The game.
        line: &'a GameLine,
        /// All results so far.
        results: &'a RunResults<'a>,
    },
}

/// How a session ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Every game is played.
    Complete,
    /// Every game is played or given up; some pairs are left out.
    PairsLeftOut(usize),
    /// Asked to stop before that.
    Stopped,
    /// The same fault at the beginning of game after game.
    SetupError(Box<SetupError>),
}

/// Plays the games of the folder's plan that its journal lacks, and returns all results with how the
/// session ended.
///
/// # Errors
/// The journal cannot be used or written, or a program is not the one that was planned with, when the
/// session begins or when it ends.
pub fn run_plan<'f>(
    folder: &'f RunFolder,
    prepared: &PreparedRun,
    options: &RunOptions,
    stop: &Stop,
    mut progress: impl FnMut(Progress<'_>) + Send,
) -> Result<(RunEnd, RunResults<'f>), LadderError> {
    let plan = folder.plan();
    let (mut journal, mut results) = folder.open_journal()?;
    let path = folder.journal_path();
    let [subject, opponent] = &prepared.engines;
    let log = |role: &str| options.engine_logs.as_ref().map(|folder| folder.join(role));
    let programs = [
        subject.launch_for(&plan.subject, &plan.subject.settings, log("subject")),
        opponent.launch_for(&plan.opponent, &plan.opponent.settings, log("opponent")),
    ];
    let check_programs = |when| {
        subject.check(&plan.subject, when)?;
        opponent.check(&plan.opponent, when)
    };
    check_programs("since the plan was made")?;
    let setups = plan
        .openings
        .iter()
        .map(|opening| setup(opening, plan))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|reason| LadderError::damaged(&folder.path().join("plan.json"), None, reason))?;
    progress(Progress::Started(&results));
    if results.missing() > 0 {
        let session = SessionLine::now(folder.seal(), &options.workers);
        journal.begin(&session).map_err(|error| LadderError::io(&path, "write", error))?;
    }
    let missing: Vec<(usize, u32)> = results.missing_games().collect();
    let mut setup_faults = SetupFaults::new(missing.iter().copied());
    let mut setup_error = None;
    let mut workers = options.workers.clone();
    workers.count = workers.count.min(missing.len());
    workers.patient = !plan.is_timed();
    let jobs =
        missing.into_iter().map(|(number, attempt)| job(plan, &prepared.engines, number, attempt, &setups));
    let watched: Vec<PathBuf> = subject.watched().chain(opponent.watched()).collect();
    let mut stamps = stamps(&watched);
    let mut failed_starts = 0;
    let sink = |finished: Finished<(usize, u32)>| {
        let Finished { mut job, record } = finished;
        // A game may have been played by what a program was replaced with: it is not recorded.
        let now = self::stamps(&watched);
        if now != stamps {
            check_programs("while games were played").map_err(io::Error::other)?;
            stamps = now;
        }
        failed_starts = match &record.fault {
            Some(fault) if fault.cause == GameFault::StartFailure => failed_starts + 1,
            _ => 0,
        };
        if let Some(fault) = record.fault.as_ref().filter(|_| failed_starts >= MOST_FAILED_STARTS) {
            return Err(io::Error::other(LadderError::NeverStarts {
                times: failed_starts,
                fault: EngineFault {
                    engine: fault.engine.clone(),
                    cause: FaultCause::StartFailure,
                    detail: fault.detail.clone(),
                    transcript: fault.transcript.clone(),
                    stderr: fault.stderr.clone(),
                },
            }));
        }
        let (number, attempt) = job.id;
        let void = record
            .fault
            .as_ref()
            .is_some_and(|fault| makes_void(plan, &plan.games[number], record.termination, fault.side));
        let line = GameLine { game: number, attempt, void, record };
        let place = journal.add(&line)?;
        results.add(&line, place).map_err(io::Error::other)?;
        progress(Progress::Game { line: &line, results: &results });
        let again = void && attempt < MOST_REPLAYS;
        let found = setup_faults.add((number, attempt), again, beginning(plan, &line));
        if let Some(found) = found.filter(|_| !options.keep_going && setup_error.is_none()) {
            setup_error = Some(Box::new(found));
            // A second request would drop the games in progress.
            if !stop.is_requested() {
                stop.request();
            }
        }
        job.id = (number, attempt + 1);
        Ok(again.then_some(job))
    };
    play_all(&programs, jobs, workers, stop, sink).map_err(|error| match error {
        PoolError::Sink(error) => {
            error.downcast().unwrap_or_else(|error| LadderError::io(&path, "write", error))
        }
        PoolError::NoResources(fault) => LadderError::NoResources(*fault),
        error => LadderError::Pool(error),
    })?;
    // A program that was replaced meanwhile may have been started anew after a fault or a restart.
    check_programs("while games were played")?;
    if let Some(found) = setup_error {
        return Ok((RunEnd::SetupError(found), results));
    }
    let end = match results.left_out_pairs().len() {
        _ if results.missing() > 0 => RunEnd::Stopped,
        0 => RunEnd::Complete,
        pairs => RunEnd::PairsLeftOut(pairs),
    };
    Ok((end, results))
}

/// How a game began, where a fault ended it.
fn beginning(plan: &Plan, line: &GameLine) -> Option<Beginning> {
    let fault = line.record.fault.clone()?;
    let game = plan.games.get(line.game)?;
    let role = if fault.side == game.subject { Role::Subject } else { Role::Opponent };
    let plies = line.record.plies.len();
    let moves = if fault.side == plan.first_mover(game) { plies.div_ceil(2) } else { plies / 2 };
    Some(Beginning { role, moves, fault })
}

/// The first opening of the plan, as its games are set up.
pub(super) fn first_setup(plan: &Plan) -> Result<Option<GameSetup>, LadderError> {
    let setup = plan.openings.first().map(|opening| setup(opening, plan)).transpose();
    setup.map_err(|reason| LadderError::damaged(Path::new("plan.json"), None, reason))
}

fn stamps(files: &[PathBuf]) -> Vec<Option<Stamp>> {
    files.iter().map(|file| Stamp::of(file)).collect()
}

fn setup(opening: &PlannedOpening, plan: &Plan) -> Result<GameSetup, String> {
    let start = StartPosition::from_fen(&opening.fen).map_err(|error| error.to_string())?;
    let mut game = Game::new(start.clone());
    for text in &opening.moves {
        let (m, _) = parse_engine_move(game.position(), text)
            .map_err(|error| format!("opening move `{text}` after {}: {error}", opening.fen))?;
        game.play(m);
    }
    Ok(GameSetup { start, opening: game.moves().to_vec(), adjudication: plan.adjudication.clone() })
}

fn job(
    plan: &Plan,
    engines: &[PreparedEngine; 2],
    number: usize,
    attempt: u32,
    setups: &[GameSetup],
) -> Job<(usize, u32)> {
    let game = &plan.games[number];
    let rung = plan.rung_of(game);
    let setup = setups[game.opening].clone();
    let mode = setup.start.castling_mode();
    let subject = Player {
        program: 0,
        settings: settings_for(mode, &engines[0].sent(&plan.subject.settings)),
        limits: plan.subject.limits.clone(),
        trusted: !plays_below_its_strength(&plan.subject.settings),
        restart: plan.subject.restart,
        history: plan.subject.history,
        words: plan.subject.words.clone(),
    };
    let opponent = Player {
        program: 1,
        settings: settings_for(mode, &engines[1].sent(&rung.settings)),
        limits: plan.opponent.limits.clone(),
        trusted: !plays_below_its_strength(&rung.settings),
        restart: plan.opponent.restart,
        history: plan.opponent.history,
        words: plan.opponent.words.clone(),
    };
    let players = match game.subject {
        SideName::White => [subject, opponent],
        SideName::Black => [opponent, subject],
    };
    Job { id: (number, attempt), players, setup }
}

/// The settings of one game. Where the plan has Chess960 openings beside others, each game is played
/// in the notation of its own opening: a Chess960 engine may ignore `e1g1` and every move after it.
pub(super) fn settings_for(mode: CastlingMode, settings: &[(String, String)]) -> Vec<(String, String)> {
    let value = |name: &String, value: &String| {
        if name.eq_ignore_ascii_case("UCI_Chess960") {
            (mode == CastlingMode::Chess960).to_string()
        } else {
            value.clone()
        }
    };
    settings.iter().map(|(name, planned)| (name.clone(), value(name, planned))).collect()
}
