//! One game between two running engines.

use std::time::Duration;

use super::clock::Clock;
use super::limits::Limits;
use super::record::{FaultReport, GameFault, GameRecord, PlyRecord, Quirks, SideName, Termination};
use super::told::{History, Told, play_and_tell};
use super::waiting::{Waits, Watch};
use crate::chess::{
    AdjudicationRules, Adjudicator, Bound, Color, Game, Move, MoveQuirk, Outcome, PlyReport, Position as _,
    StartPosition, parse_engine_move,
};
use crate::uci::process::{Engine, EngineFault, FaultCause, SearchOutcome, SearchReport, SearchRequest};
use crate::uci::protocol::{Go, visible};

/// Most `info string` lines recorded of a move.
const MOST_WORDS: usize = 16;
/// Letters recorded of each.
const LONGEST_WORDS: usize = 1000;

/// Where a game starts and what may end it early.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The first position.
    pub start: StartPosition,
    /// The moves from there to where the engines take over.
    pub opening: Vec<Move>,
    /// Early endings.
    pub adjudication: AdjudicationRules,
}

/// An engine at the board.
#[derive(Debug)]
pub struct Seat<'a> {
    /// The engine, ready for a new game.
    pub engine: &'a mut Engine,
    /// What bounds its searches.
    pub limits: &'a Limits,
    /// How long a search without a clock may take.
    pub search_deadline: Duration,
    /// How much of the game it is told.
    pub history: History,
    /// Whether its scores count for adjudication: those of a strength-limited engine do not.
    pub trusted: bool,
    /// Which of its `info string` lines are recorded: those that contain this text; none without it.
    pub words: Option<&'a str>,
}

/// Plays one game to its end. Whatever the engines do, there is a record; when it began and how
/// long it took is for the caller to add, who knows what starting the engines took.
pub fn play_game<'e>(white: &mut Seat<'e>, black: &mut Seat<'e>, setup: &GameSetup) -> GameRecord {
    let mut table = Table::new(white, black, setup);
    let end = table.play();
    let plies = std::mem::take(&mut table.plies);
    let quirks = table.take_quirks();
    let waits = Waits { white: table.watch_white.total(), black: table.watch_black.total() };
    let (outcome, termination, fault) = match end {
        End::Over(outcome, termination) => (outcome, termination, None),
        End::Fault(report) => {
            let winner = Color::from(report.side).other();
            (Outcome::win_for(winner), Termination::Fault(report.cause), Some(report))
        }
    };
    GameRecord { outcome, termination, fault, started_at: 0, duration_ms: 0, quirks, waits, plies }
}

enum End {
    Over(Outcome, Termination),
    Fault(FaultReport),
}

/// The board, the clocks and both engines during one game.
struct Table<'a, 'e> {
    white: &'a mut Seat<'e>,
    black: &'a mut Seat<'e>,
    game: Game,
    told_white: Told,
    told_black: Told,
    clock_white: Option<Clock>,
    clock_black: Option<Clock>,
    watch_white: Watch,
    watch_black: Watch,
    adjudicator: Adjudicator,
    plies: Vec<PlyRecord>,
}

impl<'a, 'e> Table<'a, 'e> {
    fn new(white: &'a mut Seat<'e>, black: &'a mut Seat<'e>, setup: &GameSetup) -> Self {
        let mut told_white = Told::new(white.history, &setup.start);
        let mut told_black = Told::new(black.history, &setup.start);
        let mut game = Game::new(setup.start.clone());
        for &m in &setup.opening {
            play_and_tell(&mut game, m, [&mut told_white, &mut told_black]);
        }
        let adjudicator = Adjudicator::new(setup.adjudication.clone(), white.trusted, black.trusted);
        let clock_white = white.limits.tc.map(Clock::new);
        let clock_black = black.limits.tc.map(Clock::new);
        let (watch_white, watch_black) = (Watch::default(), Watch::default());
        let plies = Vec::new();
        Self {
            white,
            black,
            game,
            told_white,
            told_black,
            clock_white,
            clock_black,
            watch_white,
            watch_black,
            adjudicator,
            plies,
        }
    }

    fn play(&mut self) -> End {
        if let Some(end) = self.rules() {
            return end;
        }
        loop {
            match self.ply() {
                Ok(None) => {}
                Ok(Some(end)) => return end,
                Err(report) => return End::Fault(*report),
            }
        }
    }

    /// One move; `Some` when the game is over with it.
    fn ply(&mut self) -> Result<Option<End>, Box<FaultReport>> {
        let mover = self.game.turn();
        let report = self.search(mover)?;
        let clock_ms = self.charge(mover, &report)?;
        let m = self.read_move(mover, &report)?;
        let full_move = self.game.position().fullmoves().get();
        let uci = play_and_tell(&mut self.game, m, [&mut self.told_white, &mut self.told_black]);
        self.plies.push(ply_record(uci, &report, clock_ms));
        if let Some(end) = self.rules() {
            return Ok(Some(end));
        }
        let exact = report.score_stm().filter(|(_, bound)| *bound == Bound::Exact);
        let adjudicated = self.adjudicator.after_ply(PlyReport {
            mover,
            score_mover: exact.map(|(score, _)| score),
            irreversible: self.game.last_move_was_irreversible(),
            full_move,
        });
        Ok(adjudicated.map(|(why, outcome)| End::Over(outcome, Termination::Adjudicated(why))))
    }

    fn rules(&self) -> Option<End> {
        let ending = self.game.ending()?;
        Some(End::Over(self.game.outcome(ending), Termination::Rules(ending)))
    }

    fn search(&mut self, mover: Color) -> Result<SearchReport, Box<FaultReport>> {
        let (seat, own, watch, told) = match mover {
            Color::White => {
                (&mut *self.white, self.clock_white.as_ref(), &mut self.watch_white, &self.told_white)
            }
            Color::Black => {
                (&mut *self.black, self.clock_black.as_ref(), &mut self.watch_black, &self.told_black)
            }
        };
        let limits = seat.limits;
        let mut go: Go = limits.go();
        // An engine without a clock of its own is not told its opponent's: it would plan by it.
        if own.is_some() {
            Limits::set_clocks(&mut go, own, self.clock_white.as_ref(), self.clock_black.as_ref());
        }
        let bound = match (own, limits.movetime_ms) {
            (Some(clock), _) => Some(clock.left() + limits.margin()),
            (None, Some(movetime)) => Some(Duration::from_millis(movetime) + limits.margin()),
            (None, None) => None,
        };
        let request = SearchRequest {
            position: told.command(),
            go: &go,
            wait: bound.unwrap_or(seat.search_deadline),
            timed: limits.is_timed(),
            words: seat.words,
        };
        watch.end(seat.engine);
        match seat.engine.search(&request) {
            Ok(SearchOutcome::Answered(report)) => {
                watch.begin(seat.engine);
                Ok(report)
            }
            Ok(SearchOutcome::Overdue { stopped, elapsed }) => {
                let cause = match (bound, stopped) {
                    (Some(_), true) => GameFault::TimeLoss,
                    _ => GameFault::Hang,
                };
                let then = if stopped { "then answered `stop`" } else { "did not answer `stop` either" };
                Err(self.fault(mover, cause, format!("no move after {} ms, {then}", elapsed.as_millis())))
            }
            Err(fault) => Err(Box::new(process_fault(mover, fault))),
        }
    }

    /// Takes the move's time off the mover's clock and returns what is left, in milliseconds.
    fn charge(&mut self, mover: Color, report: &SearchReport) -> Result<Option<u64>, Box<FaultReport>> {
        let margin = self.seat(mover).limits.margin();
        let clock = match mover {
            Color::White => self.clock_white.as_mut(),
            Color::Black => self.clock_black.as_mut(),
        };
        let Some(clock) = clock else { return Ok(None) };
        let before = clock.left();
        if clock.spend(report.elapsed, margin) {
            return Ok(Some(u64::try_from(clock.left().as_millis()).unwrap_or(u64::MAX)));
        }
        let detail = format!(
            "its move took {} ms with {} ms on the clock and a margin of {} ms",
            report.elapsed.as_millis(),
            before.as_millis(),
            margin.as_millis()
        );
        Err(self.fault(mover, GameFault::TimeLoss, detail))
    }

    fn read_move(&mut self, mover: Color, report: &SearchReport) -> Result<Move, Box<FaultReport>> {
        let Some(text) = &report.best.best_move else {
            let token = shown(&report.best.token);
            let detail = format!("answered `bestmove {token}` though there are legal moves");
            return Err(self.fault(mover, GameFault::NoMove, detail));
        };
        match parse_engine_move(self.game.position(), text) {
            Ok((m, quirk)) => {
                if quirk == Some(MoveQuirk::UpperCase) {
                    self.seat(mover).engine.note_quirk("moves in upper case".to_owned());
                }
                Ok(m)
            }
            Err(error) => {
                let detail = format!(
                    "its move `{}` is {error} ({})",
                    shown(text),
                    crate::chess::fen(self.game.position())
                );
                Err(self.fault(mover, GameFault::IllegalMove, detail))
            }
        }
    }

    fn fault(&mut self, side: Color, cause: GameFault, detail: String) -> Box<FaultReport> {
        let engine = &self.seat(side).engine;
        Box::new(FaultReport {
            side: side.into(),
            engine: engine.name().to_owned(),
            cause,
            detail,
            transcript: engine.transcript(),
            stderr: engine.stderr_tail(),
        })
    }

    fn seat(&mut self, color: Color) -> &mut Seat<'e> {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    fn take_quirks(&mut self) -> Quirks {
        Quirks { white: self.white.engine.take_quirks(), black: self.black.engine.take_quirks() }
    }
}

fn ply_record(m: String, report: &SearchReport, clock_ms: Option<u64>) -> PlyRecord {
    let score = report.score_stm();
    let first = report.lines.first();
    PlyRecord {
        m,
        score_stm: score.map(|(score, _)| score),
        bound: score.map(|(_, bound)| bound).unwrap_or_default(),
        wdl_stm: report.wdl_stm().map(|wdl| [wdl.win, wdl.draw, wdl.loss]),
        depth: report.depth(),
        seldepth: first.and_then(|line| line.seldepth),
        nodes: report.nodes(),
        engine_time_ms: report.time_ms(),
        time_us: u64::try_from(report.elapsed.as_micros()).unwrap_or(u64::MAX),
        clock_ms,
        words: report
            .words
            .iter()
            .take(MOST_WORDS)
            .map(|line| visible(&line.chars().take(LONGEST_WORDS).collect::<String>()).into_owned())
            .collect(),
    }
}

pub(super) fn process_fault(side: Color, fault: EngineFault) -> FaultReport {
    let cause = match fault.cause {
        FaultCause::StartFailure | FaultCause::NoResources => GameFault::StartFailure,
        FaultCause::Hang => GameFault::Hang,
        FaultCause::Crash => GameFault::Crash,
    };
    FaultReport {
        side: SideName::from(side),
        engine: fault.engine,
        cause,
        detail: fault.detail,
        transcript: fault.transcript,
        stderr: fault.stderr,
    }
}

/// A token as it may stand in a message: bounded, every character visible.
pub(super) fn shown(token: &str) -> String {
    visible(&token.chars().take(40).collect::<String>()).into_owned()
}
