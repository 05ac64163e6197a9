//! The games of all inputs, one small record each, names kept once.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;

use super::pairs::PairSource;
use crate::chess::Outcome;
use crate::chess::pgn::Mixer;

/// A map with fixed keys; its order is never asked for.
type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// Who played whom: the same for many games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sides {
    /// Places in [`Store::names`]: white, black.
    pub(super) players: [u32; 2],
    /// Their levels as the games state them.
    pub(super) stated: [Option<u32>; 2],
    /// The input, so that rounds of one are not those of another.
    pub(super) source: u32,
}

// Three numbers in place of a field at a time: there may be as many sides as games.
impl Hash for Sides {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for [white, black] in [self.players, self.stated.map(|elo| elo.map_or(0, |elo| elo.wrapping_add(1)))]
        {
            state.write_u64(u64::from(white) << 32 | u64::from(black));
        }
        state.write_u32(self.source);
    }
}

/// One game, whatever it was read from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    /// A hash of start and moves; none without a move.
    pub(super) moves: Option<NonZeroU64>,
    /// The opening; see [`crate::chess::pgn::MovesDigest`].
    pub(super) near: Option<NonZeroU32>,
    pub(super) deep: Option<NonZeroU32>,
    /// A place in [`Store::sides`].
    pub(super) sides: u32,
    /// The number in the `Round` tag, or the plan's pair from 1.
    pub(super) round: Option<NonZeroU32>,
    /// What follows the point in `Round`; 0 without it.
    pub(super) part: u16,
    pub(super) outcome: Option<Outcome>,
    pub(super) own_start: bool,
    /// The pair is the plan's.
    pub(super) planned: bool,
    /// How its partner was found, if it was.
    pub(super) pair: Option<PairSource>,
}

/// All games.
#[derive(Debug, Default)]
pub(super) struct Store {
    /// What each player is shown as; unique once all is read.
    pub(super) names: Vec<Arc<str>>,
    /// The players of files by the name that they have there.
    numbers: Map<Arc<str>, u32>,
    /// The players of runs, and those of files that are kept apart from them, by what they are shown as.
    shown: BTreeMap<Arc<str>, u32>,
    /// What those are called by themselves, in which they may be alike.
    called: BTreeMap<u32, Arc<str>>,
    pub(super) sides: Vec<Sides>,
    sides_numbers: Map<Sides, u32>,
    pub(super) records: Vec<Record>,
    /// The other game of a record's pair; its own number for a single game.
    pub(super) partners: Vec<u32>,
}

/// Records are numbered in 32 bits.
pub(super) const MOST_GAMES: usize = u32::MAX as usize;

fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl Store {
    /// The number of a name.
    pub(super) fn player(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let new = number(self.names.len());
        let name: Arc<str> = Arc::from(name);
        self.names.push(Arc::clone(&name));
        self.numbers.insert(name, new);
        new
    }

    /// A new player, which is not found by its name: those of runs are known by their identity.
    pub(super) fn nameless_player(&mut self, name: &str) -> u32 {
        self.names.push(Arc::from(name));
        number(self.names.len() - 1)
    }

    /// Shows a player by this name, and finds it by it. `called`: what it is called by itself.
    pub(super) fn show(&mut self, player: u32, name: &str, called: &str) {
        self.called.insert(player, Arc::from(called));
        let name: Arc<str> = Arc::from(name);
        if let Some(known) = self.names.get_mut(player as usize) {
            *known = Arc::clone(&name);
        }
        self.shown.insert(name, player);
    }

    /// The player that files call by this name.
    pub(super) fn file_player(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// The player that [`Store::show`] gave this name.
    pub(super) fn shown_player(&self, name: &str) -> Option<u32> {
        self.shown.get(name).copied()
    }

    /// Takes a name from the player that files call by it.
    pub(super) fn take_file_player(&mut self, name: &str) -> Option<u32> {
        self.numbers.remove(name)
    }

    /// Gives the games of some players to others.
    pub(super) fn give(&mut self, taken: &BTreeMap<u32, u32>) {
        for player in self.sides.iter_mut().flat_map(|sides| &mut sides.players) {
            *player = taken.get(player).copied().unwrap_or(*player);
        }
    }

    pub(super) fn name(&self, player: u32) -> &str {
        self.names.get(player as usize).map(|name| &**name).unwrap_or_default()
    }

    /// What runs and files call a player: different ones may be called alike.
    pub(super) fn called(&self, player: u32) -> &str {
        match self.called.get(&player) {
            Some(name) => name,
            None => self.name(player),
        }
    }

    pub(super) fn sides_number(&mut self, sides: Sides) -> u32 {
        let new = number(self.sides.len());
        let known = *self.sides_numbers.entry(sides).or_insert(new);
        if known == new {
            self.sides.push(sides);
        }
        known
    }

    /// How many games each of [`Store::sides`] has.
    pub(super) fn games_by_sides(&self) -> Vec<u64> {
        let mut games = vec![0; self.sides.len()];
        for record in &self.records {
            if let Some(games) = games.get_mut(record.sides as usize) {
                *games += 1;
            }
        }
        games
    }

    /// How many games each player has; a game against itself counts once.
    pub(super) fn games_by_player(&self) -> Vec<u64> {
        let mut games = vec![0; self.names.len()];
        for (sides, count) in self.sides.iter().zip(self.games_by_sides()) {
            let [white, black] = sides.players;
            for player in [Some(white), Some(black).filter(|_| black != white)].into_iter().flatten() {
                if let Some(games) = games.get_mut(player as usize) {
                    *games += count;
                }
            }
        }
        games
    }
}
