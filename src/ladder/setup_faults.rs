//! The same fault at the beginning of game after game: an error of the set-up, not of play.
//!
//! Pure: counts finished games in plan order, however they came in.

use std::collections::BTreeMap;

use super::probe::Role;
use crate::arena::{FaultReport, GameFault};

/// A fault counts before the engine's move of this number.
const EARLY: usize = 3;
/// So many games in a row.
const IN_A_ROW: u32 = 5;
/// Or so many ...
const OF_THE_FIRST: u32 = 10;
/// ... of the first games of a session.
const FIRST_GAMES: u32 = 11;

/// A fault that ended game after game before an engine's third move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    /// Whose.
    pub role: Role,
    /// In so many games ...
    pub games: u32,
    /// ... of so many, in the order of the plan.
    pub of: u32,
    /// The last of these faults.
    pub fault: FaultReport,
}

/// How a game began, as far as this is concerned.
#[derive(Clone, Debug)]
pub(super) struct Beginning {
    /// Whose fault ended it.
    pub(super) role: Role,
    /// Moves that engine had made.
    pub(super) moves: usize,
    /// The fault.
    pub(super) fault: FaultReport,
}

/// One finished game: its attempt, whether another attempt follows, how it began if by a fault.
type Entry = (bool, Option<Beginning>);

/// Counts the games of one session in plan order.
#[derive(Debug, Default)]
pub(super) struct SetupFaults {
    /// Games of this session that are still awaited, last first: number and next attempt.
    awaited: Vec<(usize, u32)>,
    /// Finished before an earlier game was.
    early: BTreeMap<(usize, u32), Entry>,
    games: u32,
    row: Option<(Role, GameFault, u32)>,
    first: BTreeMap<(Role, GameFault), u32>,
}

impl SetupFaults {
    /// Of a session that plays these games, each from this attempt on, in this order.
    pub(super) fn new(games: impl IntoIterator<Item = (usize, u32)>) -> Self {
        let mut awaited: Vec<_> = games.into_iter().collect();
        awaited.reverse();
        Self { awaited, ..Self::default() }
    }

    /// Takes a finished game in; the set-up error, when one is now known.
    pub(super) fn add(
        &mut self,
        game: (usize, u32),
        is_played_again: bool,
        beginning: Option<Beginning>,
    ) -> Option<SetupError> {
        self.early.insert(game, (is_played_again, beginning));
        while let Some(next) = self.awaited.last_mut() {
            let (is_played_again, beginning) = self.early.remove(next)?;
            if is_played_again {
                next.1 += 1;
            } else {
                self.awaited.pop();
            }
            if let Some(found) = self.count(beginning) {
                return Some(found);
            }
        }
        None
    }

    fn count(&mut self, beginning: Option<Beginning>) -> Option<SetupError> {
        self.games += 1;
        let counts = |cause| matches!(cause, GameFault::Crash | GameFault::Hang | GameFault::IllegalMove);
        let beginning = beginning.filter(|found| found.moves < EARLY && counts(found.fault.cause));
        let Some(Beginning { role, fault, .. }) = beginning else {
            self.row = None;
            return None;
        };
        let key = (role, fault.cause);
        let in_a_row = match self.row {
            Some((role, cause, before)) if (role, cause) == key => before + 1,
            _ => 1,
        };
        self.row = Some((role, fault.cause, in_a_row));
        if in_a_row == IN_A_ROW {
            return Some(SetupError { role, games: in_a_row, of: in_a_row, fault });
        }
        if self.games > FIRST_GAMES {
            return None;
        }
        let of_the_first = self.first.entry(key).or_default();
        *of_the_first += 1;
        let games = *of_the_first;
        (games == OF_THE_FIRST).then_some(SetupError { role, games, of: self.games, fault })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::SideName;

    fn fault(role: Role, cause: GameFault, moves: usize) -> Option<Beginning> {
        let fault = FaultReport {
            side: SideName::White,
            engine: "E".to_owned(),
            cause,
            detail: String::new(),
            transcript: Vec::new(),
            stderr: Vec::new(),
        };
        Some(Beginning { role, moves, fault })
    }

    fn crash() -> Option<Beginning> {
        fault(Role::Subject, GameFault::Crash, 2)
    }

    /// The number of the game that ends the session, from 1.
    fn ends_at(games: &[Option<Beginning>]) -> Option<usize> {
        let mut counter = SetupFaults::new((0..games.len()).map(|game| (game, 0)));
        games
            .iter()
            .position(|game| {
                let number = counter.games as usize;
                counter.add((number, 0), false, game.clone()).is_some()
            })
            .map(|index| index + 1)
    }

    #[test]
    fn five_games_in_a_row_with_the_same_early_fault_are_a_set_up_error() {
        assert_eq!(ends_at(&vec![crash(); 7]), Some(5));
        let mut broken = vec![crash(); 9];
        broken[4] = None;
        assert_eq!(ends_at(&broken), None, "four, one without, four");
        broken[4] = fault(Role::Opponent, GameFault::Crash, 0);
        assert_eq!(ends_at(&broken), None, "another engine");
        broken[4] = fault(Role::Subject, GameFault::Hang, 0);
        assert_eq!(ends_at(&broken), None, "another fault");
        broken[4] = fault(Role::Subject, GameFault::Crash, 3);
        assert_eq!(ends_at(&broken), None, "after its third move");
    }

    #[test]
    fn ten_of_the_first_eleven_are_one_too() {
        let mut games = vec![crash(); 11];
        games[4] = None;
        assert_eq!(ends_at(&games), Some(10), "five in a row come first");
        games[4] = crash();
        games[3] = None;
        games[8] = None;
        assert_eq!(ends_at(&games), None, "nine of eleven");
    }

    #[test]
    fn losses_on_time_and_failed_starts_are_none() {
        for cause in [GameFault::TimeLoss, GameFault::StartFailure, GameFault::NoMove] {
            assert_eq!(ends_at(&vec![fault(Role::Subject, cause, 0); 12]), None, "{cause}");
        }
        assert_eq!(ends_at(&vec![fault(Role::Opponent, GameFault::IllegalMove, 1); 12]), Some(5));
    }

    #[test]
    fn games_count_in_plan_order_however_they_finish() {
        let mut counter = SetupFaults::new((0..6).map(|game| (game, 0)));
        for late in [5, 4, 3, 2, 1] {
            assert!(counter.add((late, 0), false, crash()).is_none(), "game 0 is still played");
        }
        let found = counter.add((0, 0), false, None).expect("games 1 to 5");
        assert_eq!((found.games, found.of), (5, 5));
    }

    #[test]
    fn games_that_are_void_count_each_time_they_are_played() {
        let mut counter = SetupFaults::new([(0, 0), (1, 0)]);
        for attempt in 0..4 {
            assert!(counter.add((0, attempt), attempt < 3, crash()).is_none());
        }
        assert!(counter.add((1, 0), true, crash()).is_some());
    }
}
