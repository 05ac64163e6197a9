//! "The hint is deterministic: the same position, the same advice, whether reached by FEN or by
//! moves."

use std::collections::BTreeMap;

use serde::Serialize;

use super::engine::{AuditEngine, Task, Trouble};
use super::error::AuditError;
use super::position::Root;
use crate::arena::{Shared, Stop, share_out};
use crate::chess::{CastlingMode, Game, Move, Position as _, StartPosition, uci};
use crate::uci::process::{Asked, Budget, Engine, LimitFacts, LimitTally, LimitUse, Searched};

/// What asking the hint mode again and again showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum HintVerdict {
    /// The clause does not apply.
    NotApplicable {
        /// Why.
        reason: String,
    },
    /// Positions were asked three times each: by FEN, by the moves that led there, by FEN again.
    Asked {
        /// How many positions.
        positions: u64,
        /// Those with different advice.
        differences: Vec<HintDifference>,
        /// What the searches used of their limit.
        limits: Option<LimitFacts>,
    },
}

impl HintVerdict {
    /// Whether the advice depends on more than the position.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        matches!(self, Self::Asked { differences, .. } if !differences.is_empty())
    }
}

/// A position with several pieces of advice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HintDifference {
    /// The position.
    pub fen: String,
    /// The advice by FEN, by moves, by FEN again.
    pub advice: [String; 3],
}

/// Asks the hint mode about each position in three ways. The position asked about is two plies after
/// the one given, so that there are moves that lead to it: the subject's answer and the first reply in
/// alphabetical order; `chosen` holds the answers, by the key of the root. The hint mode is switched on
/// for it.
///
/// # Errors
/// The engine fails, or a signal came.
pub fn check_hint(
    subject: &AuditEngine,
    positions: &[StartPosition],
    chosen: &BTreeMap<String, String>,
    budget: Budget,
    workers: usize,
    stop: &Stop,
) -> Result<HintVerdict, AuditError> {
    let Some(hint) = subject.with_hint()? else {
        let reason = format!(
            "{} declares no hint mode (an on-off option named so), and --hint-option names none",
            subject.name()
        );
        return Ok(HintVerdict::NotApplicable { reason });
    };
    if hint.key() == subject.key() {
        let reason =
            format!("the options of the hint mode change nothing: {} has them already", subject.name());
        return Ok(HintVerdict::NotApplicable { reason });
    }
    let pairs: Vec<(Root, Root)> = positions.iter().filter_map(|start| two_plies_on(start, chosen)).collect();
    if pairs.is_empty() {
        let reason = "no position has a position two plies on to ask about".to_owned();
        return Ok(HintVerdict::NotApplicable { reason });
    }
    let (mut found, mut error) = (BTreeMap::new(), None);
    let begin = || None::<Engine>;
    let mut tally = LimitTally::new(Asked::from(budget));
    type Asking = (Option<HintDifference>, Vec<Searched>);
    let ask = |running: &mut Option<Engine>, index: usize| -> Result<Asking, Trouble> {
        let Some((by_fen, by_moves)) = pairs.get(index) else { return Ok((None, Vec::new())) };
        let mut engine = match running.take() {
            Some(engine) => engine,
            None => Engine::launch_under(hint.launch(), stop.engines())?,
        };
        let mut searched = Vec::new();
        let mut advice = [const { String::new() }; 3];
        for (advice, root) in advice.iter_mut().zip([by_fen, by_moves, by_fen]) {
            let answer = hint.search(&mut engine, root, budget, &Task::Free)?;
            if answer.is_short(budget)
                || Asked::from(budget).use_by(&answer.searched()) != Some(LimitUse::Below)
            {
                searched.push(answer.searched());
            }
            *advice = answer.best_move;
        }
        *running = Some(engine);
        let [first, second, third] = &advice;
        let differs = first != second || first != third;
        let difference = differs.then(|| HintDifference { fen: by_fen.fen.clone(), advice: advice.clone() });
        Ok((difference, searched))
    };
    let take = |index: usize, result: Result<Asking, Trouble>| match result {
        Ok((difference, searched)) => {
            searched.iter().for_each(|searched| tally.add(searched));
            found.extend(difference.map(|difference| (index, difference)));
            true
        }
        Err(trouble) => {
            error.get_or_insert(match trouble {
                Trouble::Fault(fault) => AuditError::Engine(fault),
                Trouble::Useless(error) => error,
            });
            false
        }
    };
    let end = |running: Option<Engine>| {
        if let Some(engine) = running {
            engine.quit();
        }
    };
    let shared = share_out(pairs.len(), workers, stop, begin, ask, end, take);
    match error {
        _ if stop.is_now() => Err(AuditError::Stopped),
        Some(error) => Err(error),
        None if shared == Shared::Part => Err(AuditError::Stopped),
        None => Ok(HintVerdict::Asked {
            positions: pairs.len() as u64,
            differences: found.into_values().collect(),
            limits: tally.facts(),
        }),
    }
}

/// The position two plies on, by its FEN and by the moves; none where the game is over before.
fn two_plies_on(start: &StartPosition, chosen: &BTreeMap<String, String>) -> Option<(Root, Root)> {
    let mode = start.castling_mode();
    let mut game = Game::new(start.clone());
    let answer = chosen.get(&Root::of(start).key);
    let first = named(&game, mode, answer.map(String::as_str))?;
    game.play(first);
    let second = named(&game, mode, None)?;
    game.play(second);
    if game.position().legal_moves().is_empty() {
        return None;
    }
    let there = StartPosition::from_position(game.position().clone(), mode);
    Some((Root::of(&there), Root::after(start, &[first, second])))
}

/// The legal move of this name, else the first in alphabetical order.
fn named(game: &Game, mode: CastlingMode, name: Option<&str>) -> Option<Move> {
    let moves = game.position().legal_moves();
    let by_name = |m: &&Move| name.is_some_and(|name| uci(**m, mode) == name);
    moves.iter().find(by_name).or_else(|| moves.iter().min_by_key(|m| uci(**m, mode))).copied()
}
