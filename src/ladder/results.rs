//! What a journal says about its plan: which games count, which are missing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::error::LadderError;
use super::journal::{GameLine, JournalContents, damaged};
use super::plan::{Plan, PlannedGame};
use crate::arena::{GameFault, SideName, Termination};
use crate::chess::{Adjudication, Color, Ending, Outcome};

/// How often a void game is played again.
pub(super) const MOST_REPLAYS: u32 = 3;

/// Where a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Not played yet; this attempt is next.
    Missing {
        /// 0 for the first try.
        next_attempt: u32,
    },
    /// Played, and its result counts.
    Finished(Box<GameLine>),
    /// Void each time: its pair is left out.
    GivenUp,
}

/// The games of a run in plan order.
#[derive(Debug)]
pub struct RunResults<'a> {
    plan: &'a Plan,
    standings: Vec<Standing>,
    void_games: usize,
}

/// Whether a fault of `side` makes the game void instead of lost: in a ladder a rung's always, and
/// anywhere a program that did not start, since then nothing was played.
pub(super) fn makes_void(plan: &Plan, game: &PlannedGame, termination: Termination, side: SideName) -> bool {
    let started = termination != Termination::Fault(GameFault::StartFailure);
    !started || (plan.is_ladder() && side != game.subject)
}

/// Why a line cannot be what this program wrote of this game, if so: its parts contradict each
/// other, so that one of them was changed later.
fn contradiction(plan: &Plan, game: &PlannedGame, line: &GameLine) -> Option<String> {
    let record = &line.record;
    let decisive = match record.termination {
        Termination::Rules(Ending::Checkmate) | Termination::Adjudicated(Adjudication::Resignation) => true,
        Termination::Rules(_) | Termination::Adjudicated(_) => false,
        Termination::Fault(_) => true,
    };
    let (outcome, termination) = (record.outcome.as_pgn(), record.termination);
    if decisive == (record.outcome == Outcome::Draw) {
        return Some(format!("{termination} and {outcome} exclude each other"));
    }
    let named = record.fault.as_ref().map(|fault| Termination::Fault(fault.cause));
    match (&record.fault, termination) {
        (Some(_), _) if named != Some(termination) => {
            return Some(format!("the fault is not the {termination} that ended the game"));
        }
        (Some(fault), _) if record.outcome != Outcome::win_for(Color::from(fault.side).other()) => {
            return Some(format!("a fault of {} and {outcome} exclude each other", fault.side));
        }
        (None, Termination::Fault(_)) => {
            return Some(format!("{termination}, and no fault that says whose"));
        }
        _ => {}
    }
    let void = record.fault.as_ref().is_some_and(|fault| makes_void(plan, game, termination, fault.side));
    (void != line.void)
        .then(|| format!("`void` is {}, but for this {termination} it must be {void}", line.void))
}

impl<'a> RunResults<'a> {
    /// Sorts a journal's games into the plan.
    ///
    /// # Errors
    /// A game that is not in the plan, two results of one game, or a line that contradicts itself.
    pub fn new(plan: &'a Plan, contents: JournalContents, journal: &Path) -> Result<Self, LadderError> {
        let missing = |_: &PlannedGame| Standing::Missing { next_attempt: 0 };
        let mut this = Self { plan, standings: plan.games.iter().map(missing).collect(), void_games: 0 };
        for (number, line) in contents.games {
            this.add(line).map_err(|reason| damaged(journal, number, &reason))?;
        }
        Ok(this)
    }

    /// Takes one more game in.
    ///
    /// # Errors
    /// What is wrong with it; see [`RunResults::new`].
    pub(super) fn add(&mut self, line: GameLine) -> Result<(), String> {
        let number = line.game;
        let (Some(standing), Some(game)) = (self.standings.get_mut(number), self.plan.games.get(number))
        else {
            return Err(format!(
                "game {number} is not in the plan, which has {} games",
                self.plan.games.len()
            ));
        };
        if let Some(contradiction) = contradiction(self.plan, game, &line) {
            return Err(format!("game {number}: {contradiction}"));
        }
        match standing {
            Standing::Missing { next_attempt } if line.attempt < *next_attempt => {
                Err(format!("attempt {} of game {number} stands there twice", line.attempt))
            }
            Standing::Missing { next_attempt } if line.void => {
                self.void_games += 1;
                let next_attempt = (*next_attempt).max(line.attempt.saturating_add(1));
                *standing = if next_attempt > MOST_REPLAYS {
                    Standing::GivenUp
                } else {
                    Standing::Missing { next_attempt }
                };
                Ok(())
            }
            Standing::Missing { .. } => {
                *standing = Standing::Finished(Box::new(line));
                Ok(())
            }
            Standing::Finished(_) | Standing::GivenUp => Err(format!("game {number} stands there twice")),
        }
    }

    /// The plan these results belong to.
    #[must_use]
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// The standing of every game, in plan order.
    #[must_use]
    pub fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// Games played to an end that counts, those of left-out pairs included.
    #[must_use]
    pub fn finished(&self) -> usize {
        self.standings.iter().filter(|standing| matches!(standing, Standing::Finished(_))).count()
    }

    /// Games that are still to be played.
    #[must_use]
    pub fn missing(&self) -> usize {
        self.standings.iter().filter(|standing| matches!(standing, Standing::Missing { .. })).count()
    }

    /// Void games played, replays included.
    #[must_use]
    pub fn void_games(&self) -> usize {
        self.void_games
    }

    /// Pairs left out because one of their games was void each time.
    #[must_use]
    pub fn left_out_pairs(&self) -> Vec<usize> {
        let mut pairs: Vec<usize> = self
            .plan
            .games
            .iter()
            .zip(&self.standings)
            .filter(|(_, standing)| **standing == Standing::GivenUp)
            .map(|(game, _)| game.pair)
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// The games that count, in plan order: number, plan, line.
    pub fn counted(&self) -> impl Iterator<Item = (usize, &'a PlannedGame, &GameLine)> {
        let left_out = self.left_out_pairs();
        let plan = self.plan;
        self.standings.iter().enumerate().filter_map(move |(number, standing)| {
            let game = &plan.games[number];
            match standing {
                Standing::Finished(line) if left_out.binary_search(&game.pair).is_err() => {
                    Some((number, game, &**line))
                }
                _ => None,
            }
        })
    }

    /// Faults of counted games by side and cause: the subject's first.
    #[must_use]
    pub fn faults(&self) -> BTreeMap<(bool, GameFault), usize> {
        let mut faults = BTreeMap::new();
        for (_, game, line) in self.counted() {
            if let Some(fault) = &line.record.fault {
                *faults.entry((fault.side != game.subject, fault.cause)).or_insert(0) += 1;
            }
        }
        faults
    }

    /// For every counted game a number that it shares with the games of the same opening and the
    /// same moves; none for a game without a move.
    #[must_use]
    pub fn move_numbers(&self) -> Vec<Option<u64>> {
        let mut numbers = BTreeMap::new();
        self.counted()
            .map(|(_, game, line)| {
                let opening = self.plan.opening_of(game);
                let moves: Vec<&str> = line.record.plies.iter().map(|ply| ply.m.as_str()).collect();
                let next = numbers.len() as u64;
                let known = !moves.is_empty();
                known.then(|| *numbers.entry((&opening.fen, &opening.moves, moves)).or_insert(next))
            })
            .collect()
    }

    /// How many counted games repeat an earlier one between the same players with the same colours,
    /// move for move: copies are not evidence.
    #[must_use]
    pub fn copies(&self) -> usize {
        let mut seen = BTreeSet::new();
        let numbered = self.counted().zip(self.move_numbers());
        numbered
            .filter_map(|((_, game, _), moves)| Some((game.rung, game.subject == SideName::White, moves?)))
            .filter(|game| !seen.insert(*game))
            .count()
    }
}
