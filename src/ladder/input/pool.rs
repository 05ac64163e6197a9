//! The games of all players with each other, for fitting several ratings at once.

use std::collections::{BTreeMap, BTreeSet};

use super::error::InputError;
use super::inputs::{Inputs, count_unused};
use super::played::{Pool, PoolPlayer, UnusedReason};
use super::tally::{Place, Units};
use crate::chess::pgn::mix;
use crate::rating::{MAX_ABS_LEVEL, Meeting};

/// A player: its name's number, and its level's bits if it has one.
type Key = (u32, Option<u64>);

impl Inputs {
    /// Every game as a meeting of two players.
    ///
    /// A name at several levels is a player at each. The `subjects` are to be rated: each is one
    /// player without a level, whatever its games state.
    ///
    /// # Errors
    /// [`InputError::UnknownSubject`], [`InputError::AmbiguousName`]; [`InputError::CountsInPool`] where an input is CSV, which
    /// names no players.
    pub fn pool(&self, subjects: &[String]) -> Result<Pool, InputError> {
        if let Some(counted) = self.counts.first() {
            return Err(InputError::CountsInPool { source_name: counted.source.clone() });
        }
        let mut rated = BTreeSet::new();
        for subject in subjects {
            rated.insert(self.player_named(subject)?);
        }
        let key = |place: usize, side: usize| -> Option<Key> {
            let player = *self.store.sides.get(place)?.players.get(side)?;
            let level = self.level(place, side).filter(|_| !rated.contains(&player));
            Some((player, level.map(|level| (level.elo + 0.0).to_bits())))
        };

        let mut unused = self.unused.clone();
        let mut players = BTreeMap::<Key, u64>::new();
        let mut meetings = BTreeMap::<(Key, Key), usize>::new();
        let mut sides = Vec::new();
        for (place, (finished, unfinished)) in self.finished_by_sides().into_iter().enumerate() {
            let (Some(white), Some(black)) = (key(place, 0), key(place, 1)) else { continue };
            if white.0 == black.0 {
                count_unused(&mut unused, UnusedReason::AgainstItself, finished + unfinished, || None);
                sides.push(None);
                continue;
            }
            count_unused(&mut unused, UnusedReason::Unfinished, unfinished, || None);
            if finished == 0 {
                sides.push(None);
                continue;
            }
            *players.entry(white).or_default() += finished;
            *players.entry(black).or_default() += finished;
            sides.push(Some((white, black)));
        }

        // Places by name and level, so that the order of the games does not show.
        let level_of = |key: Key| key.1.map(f64::from_bits);
        let mut order: Vec<Key> = players.keys().copied().collect();
        order.sort_by(|a, b| {
            let names = self.store.name(a.0).cmp(self.store.name(b.0));
            let levels =
                level_of(*a).unwrap_or(-MAX_ABS_LEVEL).total_cmp(&level_of(*b).unwrap_or(-MAX_ABS_LEVEL));
            names.then(levels).then(a.1.cmp(&b.1))
        });
        let numbers: BTreeMap<Key, usize> =
            order.iter().enumerate().map(|(number, key)| (*key, number)).collect();
        let number = |key: Key| numbers.get(&key).copied().unwrap_or_default();
        for (white, black) in sides.iter().flatten() {
            let (white, black) = (*white, *black);
            let pair = if number(white) < number(black) { (white, black) } else { (black, white) };
            let next = meetings.len();
            meetings.entry(pair).or_insert(next);
        }
        let places: Vec<Option<Place>> = sides
            .iter()
            .map(|both| {
                let (white, black) = (*both)?;
                let white_first = number(white) < number(black);
                let pair = if white_first { (white, black) } else { (black, white) };
                // A player's place is its name and level, whatever the order of the games.
                let label = mix(number(white) as u64, number(black) as u64);
                Some(Place { group: *meetings.get(&pair)?, label, white: white_first })
            })
            .collect();
        let units = Units::new(&self.store, &places);
        let mut tallied = units.tally(meetings.len());
        let mut met: Vec<Meeting> = meetings
            .iter()
            .filter_map(|((first, second), group)| {
                let tally = std::mem::take(tallied.groups.get_mut(*group)?);
                Some(Meeting {
                    first: number(*first),
                    second: number(*second),
                    as_white: tally.as_white,
                    as_black: tally.as_black,
                    units: tally.units,
                })
            })
            .collect();
        met.sort_by_key(|meeting| (meeting.first, meeting.second));

        let mut levels = BTreeMap::new();
        for (place, both) in sides.iter().enumerate() {
            for (side, key) in both.iter().flat_map(|(white, black)| [white, black]).enumerate() {
                let level = self.level(place, side).filter(|_| key.1.is_some());
                // Of two ways to the same level, the first in the order of precedence.
                let known = levels.entry(*key).or_insert(level);
                if let (Some(known), Some(level)) = (known, level)
                    && level.source < known.source
                {
                    *known = level;
                }
            }
        }
        let named_alike = |key: &Key| players.range((key.0, None)..=(key.0, Some(u64::MAX))).count() > 1;
        let pool_players = order.iter().map(|key| {
            let name = self.store.name(key.0);
            PoolPlayer {
                name: match level_of(*key).filter(|_| named_alike(key)) {
                    Some(level) => format!("{name} ({level})"),
                    None => name.to_owned(),
                },
                level: levels.get(key).copied().flatten(),
                games: players.get(key).copied().unwrap_or_default(),
            }
        });
        Ok(Pool {
            source: self.source(),
            players: pool_players.collect(),
            meetings: met,
            copied_games: tallied.copied_games,
            unused: unused.into_values().collect(),
            pairs: self.pair_counts(&units),
            limits_used: self.limits_used.iter().map(|(_, used)| used.clone()).collect(),
            notices: self.notices.clone(),
        })
    }
}
