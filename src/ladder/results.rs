//! What a journal says about its plan: which games count, which are missing.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest as _, Sha256};

use super::journal::{GameLine, Place};
use super::latency::Latency;
use super::limits_used::{LimitsUsed, may_stop_early, searched};
use super::plan::{Plan, PlannedGame};
use super::probe::Role;
use crate::arena::{GameFault, GameRecord, SideName, Termination, Waiting};
use crate::chess::{Adjudication, Color, Ending, Outcome};
use crate::uci::process::LimitTally;

/// How often a void game is played again.
pub(super) const MOST_REPLAYS: u32 = 3;

/// Where a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Standing {
    /// Not played yet; this attempt is next.
    Missing {
        /// 0 for the first try.
        next_attempt: u32,
    },
    /// Played, and its result counts.
    Finished(GameResult),
    /// Void each time: its pair is left out.
    GivenUp,
}

/// What is kept in memory of a finished game; the rest stays in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Who won.
    pub outcome: Outcome,
    /// The fault that ended it, and whose.
    pub fault: Option<(SideName, GameFault)>,
    /// How it ended.
    pub termination: Termination,
    /// Plies after the opening.
    pub plies: usize,
    /// A hash of opening and moves; none for a game without a move.
    pub moves_hash: Option<u64>,
    /// Where its line stands.
    pub place: Place,
}

/// The games of a run in plan order.
#[derive(Debug)]
pub struct RunResults<'a> {
    plan: &'a Plan,
    standings: Vec<Standing>,
    finished: usize,
    given_up: usize,
    void_games: usize,
    /// Faults that made games void, by side and cause as in [`RunResults::faults`].
    void_faults: BTreeMap<(bool, GameFault), usize>,
    /// Pairs with a game that was given up.
    left_out: BTreeSet<usize>,
    /// What the subject and its opponents did between their moves, void games included.
    waits: [Waiting; 2],
    /// Won, drawn and lost by the subject, those of left-out pairs included.
    tally: [usize; 3],
    /// Of all moves played, void games included: the subject's, the opponent's.
    latency: [Latency; 2],
    /// What searches used of their limits, in finished games: the subject's, the opponent's.
    limits: [LimitTally; 2],
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
    /// Nothing played yet.
    #[must_use]
    pub fn new(plan: &'a Plan) -> Self {
        let missing = |_: &PlannedGame| Standing::Missing { next_attempt: 0 };
        Self {
            plan,
            standings: plan.games.iter().map(missing).collect(),
            finished: 0,
            given_up: 0,
            void_games: 0,
            void_faults: BTreeMap::new(),
            left_out: BTreeSet::new(),
            waits: [Waiting::default(); 2],
            tally: [0; 3],
            latency: Default::default(),
            limits: [&plan.subject, &plan.opponent].map(|engine| LimitTally::new(engine.limits.asked())),
        }
    }

    /// Takes one more game in.
    ///
    /// # Errors
    /// It is not in the plan, stands there twice, or contradicts itself.
    pub(super) fn add(&mut self, line: &GameLine, place: Place) -> Result<(), String> {
        let number = line.game;
        let (Some(standing), Some(game)) = (self.standings.get_mut(number), self.plan.games.get(number))
        else {
            return Err(format!(
                "game {number} is not in the plan, which has {} games",
                self.plan.games.len()
            ));
        };
        if let Some(contradiction) = contradiction(self.plan, game, line) {
            return Err(format!("game {number}: {contradiction}"));
        }
        let played = match standing {
            Standing::Missing { next_attempt } if line.attempt < *next_attempt => {
                Err(format!("attempt {} of game {number} stands there twice", line.attempt))
            }
            Standing::Missing { next_attempt } if line.void => {
                self.void_games += 1;
                if let Some(fault) = &line.record.fault {
                    *self.void_faults.entry((fault.side != game.subject, fault.cause)).or_insert(0) += 1;
                }
                let next_attempt = (*next_attempt).max(line.attempt.saturating_add(1));
                if next_attempt > MOST_REPLAYS {
                    *standing = Standing::GivenUp;
                    self.given_up += 1;
                    self.left_out.insert(game.pair);
                } else {
                    *standing = Standing::Missing { next_attempt };
                }
                Ok(())
            }
            Standing::Missing { .. } => {
                let record = &line.record;
                *standing = Standing::Finished(GameResult {
                    outcome: record.outcome,
                    fault: record.fault.as_ref().map(|fault| (fault.side, fault.cause)),
                    termination: record.termination,
                    plies: record.plies.len(),
                    moves_hash: moves_hash(self.plan, game, record),
                    place,
                });
                self.finished += 1;
                self.tally[tally_index(record.outcome, game)] += 1;
                Ok(())
            }
            Standing::Finished(_) | Standing::GivenUp => Err(format!("game {number} stands there twice")),
        };
        if played.is_ok() {
            self.add_moves(game, line);
            self.add_waits(game, &line.record);
        }
        played
    }

    fn add_waits(&mut self, game: &PlannedGame, record: &GameRecord) {
        let (white, black) = (record.waits.white, record.waits.black);
        let sides = match game.subject {
            SideName::White => [white, black],
            SideName::Black => [black, white],
        };
        for (known, more) in self.waits.iter_mut().zip(sides) {
            *known = known.plus(more.unwrap_or_default());
        }
    }

    fn add_moves(&mut self, game: &PlannedGame, line: &GameLine) {
        let opponent_starts = self.plan.first_mover(game) != game.subject;
        for (number, ply) in line.record.plies.iter().enumerate() {
            let by_opponent = number.is_multiple_of(2) == opponent_starts;
            self.latency[usize::from(by_opponent)].add(ply);
            if !line.void && !may_stop_early(&self.limits[usize::from(by_opponent)], ply) {
                self.limits[usize::from(by_opponent)].add(&searched(ply));
            }
        }
    }

    /// How much later moves arrived than their engines say: the subject's, the opponent's.
    #[must_use]
    pub fn latency(&self) -> &[Latency; 2] {
        &self.latency
    }

    /// What subject and opponent used of their fixed limits, in games that ended with a result. A side
    /// without a fixed limit or without a move is not in it.
    #[must_use]
    pub fn limits_used(&self) -> Vec<LimitsUsed> {
        let sides = [(Role::Subject, &self.plan.subject), (Role::Opponent, &self.plan.opponent)];
        let used = sides.into_iter().zip(&self.limits);
        used.filter_map(|((side, engine), tally)| LimitsUsed::of(side, engine, tally)).collect()
    }

    /// The plan these results belong to.
    #[must_use]
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Games played to an end that counts, those of left-out pairs included.
    #[must_use]
    pub fn finished(&self) -> usize {
        self.finished
    }

    /// How many games are still to be played.
    #[must_use]
    pub fn missing(&self) -> usize {
        self.standings.len() - self.finished - self.given_up
    }

    /// The games still to be played, in plan order, each with its next attempt.
    pub fn missing_games(&self) -> impl Iterator<Item = (usize, u32)> {
        self.standings.iter().enumerate().filter_map(|(number, standing)| match standing {
            Standing::Missing { next_attempt } => Some((number, *next_attempt)),
            _ => None,
        })
    }

    /// Void games played, replays included.
    #[must_use]
    pub fn void_games(&self) -> usize {
        self.void_games
    }

    /// Pairs left out because one of their games was void each time.
    #[must_use]
    pub fn left_out_pairs(&self) -> &BTreeSet<usize> {
        &self.left_out
    }

    /// The games that count, in plan order: number, plan, result.
    pub fn counted(&self) -> impl Iterator<Item = (usize, &'a PlannedGame, &GameResult)> {
        let plan = self.plan;
        self.standings.iter().enumerate().filter_map(move |(number, standing)| {
            let game = &plan.games[number];
            match standing {
                Standing::Finished(result) if !self.left_out.contains(&game.pair) => {
                    Some((number, game, result))
                }
                _ => None,
            }
        })
    }

    /// The subject's counted games: won, drawn, lost.
    #[must_use]
    pub fn wins_draws_losses(&self) -> [usize; 3] {
        if self.left_out.is_empty() {
            return self.tally;
        }
        let mut tally = [0; 3];
        for (_, game, result) in self.counted() {
            tally[tally_index(result.outcome, game)] += 1;
        }
        tally
    }

    /// Faults of counted games by side and cause: the subject's first.
    #[must_use]
    pub fn faults(&self) -> BTreeMap<(bool, GameFault), usize> {
        let mut faults = BTreeMap::new();
        for (_, game, result) in self.counted() {
            if let Some((side, cause)) = result.fault {
                *faults.entry((side != game.subject, cause)).or_insert(0) += 1;
            }
        }
        faults
    }

    /// The same of void games, which do not count.
    #[must_use]
    pub fn void_faults(&self) -> &BTreeMap<(bool, GameFault), usize> {
        &self.void_faults
    }

    /// What the subject and its opponents did between their moves, in all games, void ones included.
    #[must_use]
    pub fn waits(&self) -> [Waiting; 2] {
        self.waits
    }

    /// How many counted games repeat an earlier one between the same players with the same colours,
    /// move for move: copies are not evidence.
    #[must_use]
    pub fn copies(&self) -> usize {
        let mut seen = BTreeSet::new();
        self.counted()
            .filter_map(|(_, game, result)| {
                Some((game.rung, game.subject == SideName::White, result.moves_hash?))
            })
            .filter(|game| !seen.insert(*game))
            .count()
    }
}

/// 0, 1, 2 for a game won, drawn, lost by the subject.
fn tally_index(outcome: Outcome, game: &PlannedGame) -> usize {
    2 - usize::from(outcome.half_points(game.subject.into()))
}

/// The first eight bytes of SHA-256 over the opening and the moves: equal for copies, on any machine.
fn moves_hash(plan: &Plan, game: &PlannedGame, record: &GameRecord) -> Option<u64> {
    let opening = plan.opening_of(game);
    if record.plies.is_empty() {
        return None;
    }
    let moves = opening.moves.iter().chain(record.plies.iter().map(|ply| &ply.m));
    let text = moves.fold(opening.fen.clone(), |text, m| text + " " + m);
    let digest = Sha256::digest(text.as_bytes());
    Some(digest.iter().take(8).fold(0, |hash, byte| hash << 8 | u64::from(*byte)))
}

/// Faults by side (whether the opponent's) and cause, in words: `9 crashes of the subject, 1 time loss of
/// the opponent`.
#[must_use]
pub fn fault_list(faults: &BTreeMap<(bool, GameFault), usize>) -> String {
    let one = |((opponent, cause), count): (&(bool, GameFault), &usize)| {
        let (noun, ending) = match cause {
            GameFault::IllegalMove => ("illegal move", "s"),
            GameFault::NoMove => ("answer without a move", ""),
            GameFault::TimeLoss => ("time loss", "es"),
            GameFault::Hang => ("hang", "s"),
            GameFault::Crash => ("crash", "es"),
            GameFault::StartFailure => ("failed start", "s"),
        };
        let noun = match (count, cause) {
            (1, _) => noun.to_owned(),
            (_, GameFault::NoMove) => "answers without a move".to_owned(),
            _ => format!("{noun}{ending}"),
        };
        format!("{count} {noun} of the {}", if *opponent { "opponent" } else { "subject" })
    };
    faults.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_counted_by_side_and_cause() {
        let faults = [
            ((false, GameFault::Crash), 9),
            ((false, GameFault::NoMove), 2),
            ((true, GameFault::TimeLoss), 1),
        ];
        assert_eq!(
            fault_list(&faults.into_iter().collect()),
            "2 answers without a move of the subject, 9 crashes of the subject, 1 time loss of the opponent"
        );
    }
}
