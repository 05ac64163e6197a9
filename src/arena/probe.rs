//! One move of one engine, as a game would ask for it: whether it can play at all.
//!
//! Nothing measured here enters a game: the engine is asked, judged and let go.

use std::time::Duration;

use super::clock::Clock;
use super::limits::Limits;
use super::play::{GameSetup, process_fault, shown};
use super::record::{FaultReport, GameFault};
use super::told::{History, Told, play_and_tell};
use crate::chess::{Game, fen, parse_engine_move};
use crate::uci::process::{Engine, SearchReport, SearchRequest};

/// A search may take so many times its limit.
const TIMES_THE_LIMIT: u32 = 10;
/// However long its limit is, it is stopped after this.
const LONGEST: Duration = Duration::from_secs(10);
/// Moves that a clock is divided by where its time control says none.
const USUAL_MOVES: u64 = 40;

/// What a probe found.
#[derive(Clone, Debug)]
pub struct ProbedMove {
    /// What the engine reported.
    pub report: SearchReport,
    /// It was not finished within the deadline and answered `stop`.
    pub stopped: bool,
}

/// The first position of a game in which there is a move; none when the opening ends the game.
fn game_of(setup: &GameSetup, history: History) -> Option<(Game, Told)> {
    let mut told = Told::new(history, &setup.start);
    let mut other = Told::new(history, &setup.start);
    let mut game = Game::new(setup.start.clone());
    for &m in &setup.opening {
        play_and_tell(&mut game, m, [&mut told, &mut other]);
    }
    game.ending().is_none().then_some((game, told))
}

/// Asks for one move after the opening, under these limits, from an engine that is ready for a new
/// game. None where the opening leaves no move to ask for.
///
/// The deadline is ten times the time of a move and at most ten seconds; ten seconds where no time
/// bounds the search. A search that is longer is stopped.
///
/// # Errors
/// The engine ends, does not answer `stop` either, or answers with no legal move.
pub fn probe_move(
    engine: &mut Engine,
    limits: &Limits,
    history: History,
    setup: &GameSetup,
) -> Result<Option<ProbedMove>, Box<FaultReport>> {
    let Some((game, told)) = game_of(setup, history) else { return Ok(None) };
    let turn = game.turn();
    let clock = limits.tc.map(Clock::new);
    let mut go = limits.go();
    if let Some(clock) = &clock {
        Limits::set_clocks(&mut go, Some(clock), Some(clock), Some(clock));
    }
    let request = SearchRequest {
        position: told.command(),
        go: &go,
        wait: deadline(limits),
        timed: limits.is_timed(),
        words: None,
    };
    let searched = engine.search_until(&request);
    let (report, stopped) = searched.map_err(|fault| Box::new(process_fault(turn, fault)))?;
    let wrong = match &report.best.best_move {
        None => {
            let token = shown(&report.best.token);
            Some((GameFault::NoMove, format!("answered `bestmove {token}` though there are legal moves")))
        }
        Some(text) => parse_engine_move(game.position(), text).err().map(|error| {
            let detail = format!("its move `{}` is {error} ({})", shown(text), fen(game.position()));
            (GameFault::IllegalMove, detail)
        }),
    };
    match wrong {
        None => Ok(Some(ProbedMove { report, stopped })),
        Some((cause, detail)) => Err(Box::new(FaultReport {
            side: turn.into(),
            engine: engine.name().to_owned(),
            cause,
            detail,
            transcript: engine.transcript(),
            stderr: engine.stderr_tail(),
        })),
    }
}

/// How long a probe's search may take before it is stopped.
fn deadline(limits: &Limits) -> Duration {
    let move_time = match (limits.tc, limits.movetime_ms) {
        (Some(clock), _) => {
            let moves = clock.moves.map_or(USUAL_MOVES, u64::from).max(1);
            Duration::from_millis((clock.base_ms / moves).saturating_add(clock.increment_ms))
        }
        (None, Some(milliseconds)) => Duration::from_millis(milliseconds),
        (None, None) => return LONGEST,
    };
    let whole = move_time.saturating_mul(TIMES_THE_LIMIT).saturating_add(limits.margin());
    whole.min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deadline_is_ten_times_the_time_of_a_move_and_at_most_ten_seconds() {
        let limits = |text: &str| toml::from_str::<Limits>(text).expect("limits");
        let of = |text: &str| deadline(&limits(text)).as_millis();
        assert_eq!(of("movetime_ms = 100\nmargin_ms = 50"), 1_050);
        assert_eq!(of("movetime_ms = 60000"), 10_000);
        assert_eq!(of("tc = '8+0.1'\nmargin_ms = 0"), 3_000);
        assert_eq!(of("nodes = 1"), 10_000);
        assert_eq!(of("depth = 40"), 10_000);
    }
}
