//! Games to groups (a level, or two players) with their counts and units.
//!
//! The one rule of copies, for every kind of input: a game repeats another if white, black, start,
//! moves and result are the same, at any length but a game without a move. Units that are the same
//! games, or whose games all stand in another unit, are one unit together: copies add no evidence.

use std::collections::BTreeMap;
use std::hash::Hasher as _;

use super::store::{Record, Store};
use crate::chess::pgn::{Mixer, mix};
use crate::chess::{Color, Outcome};
use crate::rating::{Tally, Unit};

/// Where the games of some sides go, and whose score is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) group: usize,
    /// What the group is, as a number that does not depend on the order of the games.
    pub(super) label: u64,
    /// White's score counts; else Black's.
    pub(super) white: bool,
}

/// The games of a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GroupTally {
    pub(super) as_white: Tally,
    pub(super) as_black: Tally,
    pub(super) units: BTreeMap<Unit, u64>,
}

/// What became of the games.
#[derive(Debug, Default)]
pub(super) struct Tallied {
    pub(super) groups: Vec<GroupTally>,
    pub(super) copied_games: u64,
}

/// One unit: its first game, its second if it is a pair, and its score.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundUnit {
    pub(super) first: u32,
    pub(super) second: Option<u32>,
    pub(super) group: usize,
    pub(super) half_points: u32,
}

/// The games that go somewhere, seen as units.
pub(super) struct Units<'a> {
    store: &'a Store,
    /// By [`Store::sides`].
    places: &'a [Option<Place>],
    /// By [`Store::sides`]: a hash of the names of white and black.
    who: Vec<u64>,
}

impl<'a> Units<'a> {
    /// Different players of one name make copies of each other's games: a limit that an engine does not
    /// heed makes no new evidence.
    pub(super) fn new(store: &'a Store, places: &'a [Option<Place>]) -> Self {
        let players = 0..u32::try_from(store.names.len()).unwrap_or(u32::MAX);
        let names: Vec<u64> = players.map(|player| hash_of(store.called(player))).collect();
        let hash = |player: u32| names.get(player as usize).copied().unwrap_or_default();
        let who = store.sides.iter().map(|sides| mix(hash(sides.players[0]), hash(sides.players[1])));
        Self { store, places, who: who.collect() }
    }

    /// A game's record, place and score; none for a game that does not count.
    fn game(&self, number: u32) -> Option<(&'a Record, Place, u8)> {
        let record = self.store.records.get(number as usize)?;
        let place = (*self.places.get(record.sides as usize)?)?;
        let color = if place.white { Color::White } else { Color::Black };
        Some((record, place, record.outcome?.half_points(color)))
    }

    /// The other game of the pair, if it counts in the same group.
    fn partner(&self, number: u32, place: Place) -> Option<(u32, u8)> {
        let partner = *self.store.partners.get(number as usize)?;
        let (_, other, half_points) = self.game(partner).filter(|_| partner != number)?;
        (other.group == place.group).then_some((partner, half_points))
    }

    /// Every unit once, in the order of the first game of each.
    pub(super) fn iter(&self) -> impl Iterator<Item = FoundUnit> + '_ {
        (0..).take(self.store.records.len()).filter_map(|number| {
            let (_, place, half_points) = self.game(number)?;
            let unit =
                |second, half_points| FoundUnit { first: number, second, group: place.group, half_points };
            match self.partner(number, place) {
                None => Some(unit(None, u32::from(half_points))),
                Some((partner, other)) if partner > number => {
                    Some(unit(Some(partner), u32::from(half_points) + u32::from(other)))
                }
                Some(_) => None,
            }
        })
    }

    /// What a game was, as one number: equal for copies alone. None where its moves are unknown.
    pub(super) fn identity(&self, number: u32) -> Option<u64> {
        let (record, place, _) = self.game(number)?;
        let result = match record.outcome? {
            Outcome::White => 0,
            Outcome::Draw => 1,
            Outcome::Black => 2,
        };
        let what = mix(record.moves?.get(), result);
        Some(mix(mix(what, *self.who.get(record.sides as usize)?), place.label))
    }

    /// The identities that more than one game has, sorted, and how many games are too many.
    pub(super) fn copies(&self) -> (Vec<u64>, u64) {
        let mut seen: Vec<u64> =
            (0..).take(self.store.records.len()).filter_map(|number| self.identity(number)).collect();
        seen.sort_unstable();
        let mut copied = Vec::new();
        let mut games = 0;
        for alike in seen.chunk_by(|a, b| a == b).filter(|alike| alike.len() > 1) {
            copied.extend(alike.first());
            games += alike.len() as u64 - 1;
        }
        (copied, games)
    }

    /// Counts games and units of `groups` groups.
    pub(super) fn tally(&self, groups: usize) -> Tallied {
        let (copied, copied_games) = self.copies();
        let mut tallied = Tallied { groups: vec![GroupTally::default(); groups], copied_games };
        for number in (0..).take(self.store.records.len()) {
            if let Some((_, place, half_points)) = self.game(number)
                && let Some(group) = tallied.groups.get_mut(place.group)
            {
                let tally = if place.white { &mut group.as_white } else { &mut group.as_black };
                match half_points {
                    0 => tally.losses += 1,
                    1 => tally.draws += 1,
                    _ => tally.wins += 1,
                }
            }
        }
        // Counted by size and score first: a map per game would cost more than reading it.
        let mut counts = vec![[[0_u64; 5]; 2]; groups];
        let mut repeated = Repeated::default();
        let is_copied = |number: u32| {
            !copied.is_empty() && self.identity(number).is_some_and(|id| copied.binary_search(&id).is_ok())
        };
        for unit in self.iter() {
            if is_copied(unit.first) || unit.second.is_some_and(is_copied) {
                repeated.add(unit, self.identity(unit.first), unit.second.map(|game| self.identity(game)));
            } else if let Some(count) = counts
                .get_mut(unit.group)
                .and_then(|sizes| sizes.get_mut(usize::from(unit.second.is_some())))
                .and_then(|scores| scores.get_mut(unit.half_points as usize))
            {
                *count += 1;
            }
        }
        for (group, sizes) in tallied.groups.iter_mut().zip(counts) {
            for (games, scores) in (1..).zip(sizes) {
                for (half_points, count) in (0..).zip(scores).filter(|(_, count)| *count > 0) {
                    *group.units.entry(Unit { games, half_points }).or_default() += count;
                }
            }
        }
        for (group, unit) in repeated.into_units() {
            if let Some(group) = tallied.groups.get_mut(group) {
                *group.units.entry(unit).or_default() += 1;
            }
        }
        tallied
    }
}

/// Group and games of units that repeat another in part or whole: one game, or two in order.
type Signature = (usize, u64, Option<u64>);

#[derive(Default)]
struct Repeated {
    alike: BTreeMap<Signature, Unit>,
    /// Pairs of which one game's moves are unknown: alike to nothing.
    apart: Vec<(usize, Unit)>,
}

impl Repeated {
    /// Takes a unit by the identities of its games.
    #[allow(clippy::option_option, reason = "a second game, and its identity")]
    fn add(&mut self, found: FoundUnit, first: Option<u64>, second: Option<Option<u64>>) {
        let unit = Unit { games: 1 + u32::from(second.is_some()), half_points: found.half_points };
        let signature = match (first, second) {
            (Some(first), None) => (found.group, first, None),
            (Some(first), Some(Some(second))) => (found.group, first.min(second), Some(first.max(second))),
            _ => return self.apart.push((found.group, unit)),
        };
        add_unit(self.alike.entry(signature).or_insert(Unit { games: 0, half_points: 0 }), unit);
    }

    /// One unit for all that are alike; a game that stands in a pair as well goes there, and of
    /// several such pairs to the largest.
    fn into_units(mut self) -> impl Iterator<Item = (usize, Unit)> {
        let mut pairs = BTreeMap::<(usize, u64), (Unit, Signature)>::new();
        for (signature @ (group, first, second), unit) in &self.alike {
            for game in second.map(|second| [*first, second]).into_iter().flatten() {
                let largest = pairs.entry((*group, game)).or_insert((*unit, *signature));
                if *unit > largest.0 {
                    *largest = (*unit, *signature);
                }
            }
        }
        let singles: Vec<Signature> = self.alike.keys().copied().filter(|key| key.2.is_none()).collect();
        for single @ (group, game, _) in singles {
            if let Some((_, pair)) = pairs.get(&(group, game))
                && let Some(unit) = self.alike.remove(&single)
                && let Some(whole) = self.alike.get_mut(pair)
            {
                add_unit(whole, unit);
            }
        }
        self.alike.into_iter().map(|((group, ..), unit)| (group, unit)).chain(self.apart)
    }
}

fn hash_of(name: &str) -> u64 {
    let mut mixer = Mixer::default();
    mixer.write(name.as_bytes());
    mixer.finish()
}

fn add_unit(sum: &mut Unit, unit: Unit) {
    sum.games = sum.games.saturating_add(unit.games);
    sum.half_points = sum.half_points.saturating_add(unit.half_points);
}
