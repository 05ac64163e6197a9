//! Which two games are an opening pair: one opening, played once with each colour.
//!
//! A pair that is none would make an interval narrower than the games allow, so what is not clear
//! stays single. The order of the games in their files does not matter.

use std::num::NonZeroU32;

use serde::Serialize;

use super::store::{Record, Store};
use crate::chess::Color;

/// What tells pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PairRule {
    /// The plan of a run, else `Round`, else the opening where it was played once with each colour.
    #[default]
    Auto,
    /// The plan or `Round` alone.
    Round,
    /// The plan or the opening alone: the caller knows that each opening was played in pairs, so one
    /// that was played often is paired as often.
    Opening,
    /// No pairs: every game by itself.
    None,
}

/// How a pair was recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PairSource {
    /// The plan of a run folder.
    Plan,
    /// The `Round` tags.
    Round,
    /// The opening and the colours.
    Opening,
}

/// Finds the partner of every game; see `docs/input.md` for the rules.
pub(super) fn find_pairs(store: &mut Store, rule: PairRule) {
    store.partners = (0..u32::try_from(store.records.len()).unwrap_or(u32::MAX)).collect();
    for record in &mut store.records {
        record.pair = None;
    }
    if rule == PairRule::None {
        return;
    }
    let (mut order, ends) = by_players(store);
    let mut begin = 0;
    for end in ends {
        if let Some(group) = order.get_mut(begin..end) {
            let mut pairing = Pairing { store: &mut *store, rule };
            pairing.by_round(group);
            if group.iter().any(|game| pairing.is_single(*game)) {
                pairing.by_serial(group);
                pairing.by_opening(group);
            }
        }
        begin = end;
    }
}

/// The games sorted by their two players and input, and where each such group ends.
fn by_players(store: &Store) -> (Vec<u32>, Vec<usize>) {
    let mut keys: Vec<(u32, u32, u32)> = Vec::with_capacity(store.sides.len());
    for sides in &store.sides {
        let [white, black] = sides.players;
        keys.push((sides.source, white.min(black), white.max(black)));
    }
    let mut distinct = keys.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let rank: Vec<usize> = keys.iter().map(|key| distinct.binary_search(key).unwrap_or(0)).collect();
    let rank_of = |record: &Record| rank.get(record.sides as usize).copied().unwrap_or(0);

    let mut ends = vec![0; distinct.len()];
    for record in &store.records {
        if let Some(count) = ends.get_mut(rank_of(record)) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += std::mem::replace(end, sum);
    }
    let mut order = vec![0_u32; store.records.len()];
    for (number, record) in (0..).zip(&store.records) {
        if let Some(next) = ends.get_mut(rank_of(record)) {
            if let Some(place) = order.get_mut(*next) {
                *place = number;
            }
            *next += 1;
        }
    }
    (order, ends)
}

struct Pairing<'a> {
    store: &'a mut Store,
    rule: PairRule,
}

impl Pairing<'_> {
    fn record(&self, game: u32) -> Option<&Record> {
        self.store.records.get(game as usize)
    }

    fn is_single(&self, game: u32) -> bool {
        self.record(game).is_some_and(|record| record.pair.is_none())
    }

    fn white(&self, game: u32) -> Option<u32> {
        let sides = self.store.sides.get(self.record(game)?.sides as usize)?;
        Some(sides.players[0])
    }

    /// What a game states of its players' levels, the player first by name first.
    fn stated(&self, game: u32) -> Option<[Option<u32>; 2]> {
        let sides = self.store.sides.get(self.record(game)?.sides as usize)?;
        let [white, black] = sides.players.map(|player| self.store.name(player));
        let [of_white, of_black] = sides.stated;
        Some(if white <= black { [of_white, of_black] } else { [of_black, of_white] })
    }

    /// Pairs games of one colour with games of the other: first those that state the same levels, since
    /// copies may state others, then what is left.
    fn match_up(&self, one: &[u32], other: &[u32], pairs: &mut Vec<(u32, u32)>) {
        if let (&[first], &[second]) = (one, other) {
            pairs.push((first, second));
            return;
        }
        let [mut one, mut other] = [one, other].map(|games| {
            let mut games = games.to_vec();
            games.sort_by_key(|game| std::cmp::Reverse(self.stated(*game)));
            games
        });
        let mut left = [Vec::new(), Vec::new()];
        let [left_one, left_other] = &mut left;
        while let (Some(first), Some(second)) = (one.last(), other.last()) {
            let order = self.stated(*first).cmp(&self.stated(*second));
            if order.is_eq() {
                pairs.push((*first, *second));
            }
            if order.is_le() {
                left_one.extend(one.pop().filter(|_| order.is_lt()));
            }
            if order.is_ge() {
                left_other.extend(other.pop().filter(|_| order.is_gt()));
            }
        }
        left_one.extend(one.into_iter().rev());
        left_other.extend(other.into_iter().rev());
        let [left_one, left_other] = left;
        pairs.extend(left_one.into_iter().zip(left_other));
    }

    fn join(&mut self, first: u32, second: u32, source: PairSource) {
        for (game, partner) in [(first, second), (second, first)] {
            if let Some(place) = self.store.partners.get_mut(game as usize) {
                *place = partner;
            }
            if let Some(record) = self.store.records.get_mut(game as usize) {
                record.pair = Some(source);
            }
        }
    }

    /// Two games of one round, and no third, with colours swapped and the same start: `17.1` and
    /// `17.2`, or twice `17`.
    fn by_round(&mut self, group: &mut [u32]) {
        group.sort_by_key(|game| self.record(*game).map(|record| (record.round, record.part)));
        let mut rest: &[u32] = group;
        while let Some(game) = rest.first() {
            let round = self.round(*game);
            let alike = rest.iter().take_while(|game| self.round(**game) == round).count();
            let (games, after) = rest.split_at_checked(alike).unwrap_or_default();
            rest = after;
            let &[first, second] = games else { continue };
            let (Some(a), Some(b)) = (self.record(first), self.record(second)) else { continue };
            let planned = a.planned && b.planned;
            let numbered = a.round.is_some() && matches!((a.part, b.part), (0, 0) | (1, 2));
            let allowed = planned || matches!(self.rule, PairRule::Auto | PairRule::Round);
            let same_start = a.own_start == b.own_start && (!a.own_start || a.near == b.near);
            if numbered && allowed && (planned || same_start) && self.white(first) != self.white(second) {
                self.join(first, second, if planned { PairSource::Plan } else { PairSource::Round });
            }
        }
    }

    fn round(&self, game: u32) -> Option<NonZeroU32> {
        self.record(game).and_then(|record| record.round)
    }

    /// Games numbered one by one, a pair being an odd number and the next: `17` and `18`, or `1.17`
    /// and `1.18`. Each number must stand there once, and the opening must be known and the same.
    fn by_serial(&mut self, group: &[u32]) {
        if !matches!(self.rule, PairRule::Auto | PairRule::Round) {
            return;
        }
        let serial = |record: &Record| match record.part {
            0 => (0, record.round.map_or(0, NonZeroU32::get)),
            part => (record.round.map_or(0, NonZeroU32::get), u32::from(part)),
        };
        // The group is sorted by round and part, so equal and following numbers are neighbours.
        let mut pairs = Vec::new();
        for (at, window) in group.windows(2).enumerate() {
            let &[first, second] = window else { continue };
            let (Some(a), Some(b)) = (self.record(first), self.record(second)) else { continue };
            let (one, two) = (serial(a), serial(b));
            let alone = |neighbour: Option<&u32>, number: (u32, u32)| {
                neighbour.and_then(|game| self.record(*game)).is_none_or(|record| serial(record) != number)
            };
            if one.1 % 2 == 1
                && two == (one.0, one.1 + 1)
                && (a.pair, b.pair, a.planned, b.planned) == (None, None, false, false)
                && a.near.is_some()
                && a.near == b.near
                && self.white(first) != self.white(second)
                && alone(at.checked_sub(1).and_then(|before| group.get(before)), one)
                && alone(group.get(at + 2), two)
            {
                pairs.push((first, second));
            }
        }
        for (first, second) in pairs {
            self.join(first, second, PairSource::Round);
        }
    }

    /// One opening, once with each colour; copies of a game count once. Where the opening was told by
    /// first moves, the closer look comes first. Stated pairs need not be the only ones.
    fn by_opening(&mut self, group: &[u32]) {
        if !matches!(self.rule, PairRule::Auto | PairRule::Opening) {
            return;
        }
        for deep in [true, false] {
            let opening = |record: &Record| if deep { record.deep } else { record.near };
            let mut left: Vec<u32> = group
                .iter()
                .copied()
                .filter(|game| {
                    self.record(*game).is_some_and(|record| {
                        record.pair.is_none() && !record.planned && opening(record).is_some()
                    })
                })
                .collect();
            let key = |game: u32| {
                let record = self.record(game);
                let result =
                    record.and_then(|record| record.outcome).map(|outcome| outcome.half_points(Color::White));
                record.map(|record| (opening(record), self.white(game), record.moves, result))
            };
            left.sort_by_key(|game| key(*game));
            let mut pairs = Vec::new();
            for games in left.chunk_by(|a, b| key(*a).map(|key| key.0) == key(*b).map(|key| key.0)) {
                let colour = games.first().and_then(|game| self.white(*game));
                let split = games.partition_point(|game| self.white(*game) == colour);
                let (one, other) = games.split_at(split);
                let alike = |games: &[u32]| {
                    let first = games.first().and_then(|game| key(*game));
                    let same = |game: &u32| {
                        let key = key(*game);
                        key == first && key.is_some_and(|key| key.2.is_some())
                    };
                    games.len() == 1 || games.iter().all(same)
                };
                if self.rule == PairRule::Opening || (alike(one) && alike(other)) {
                    self.match_up(one, other, &mut pairs);
                }
            }
            for (first, second) in pairs {
                if self.is_single(first) && self.is_single(second) {
                    self.join(first, second, PairSource::Opening);
                }
            }
        }
    }
}

/// Reads a `Round` tag: `17`, `17.2`; anything else says nothing.
pub(super) fn parse_round(tag: &[u8]) -> Option<(NonZeroU32, u16)> {
    let mut round = None;
    let (mut number, mut digits) = (0_u32, 0);
    for byte in tag.trim_ascii() {
        match byte {
            b'0'..=b'9' => {
                number = number.checked_mul(10)?.checked_add(u32::from(byte - b'0'))?;
                digits += 1;
            }
            b'.' if digits > 0 && round.is_none() => {
                round = Some(number);
                (number, digits) = (0, 0);
            }
            _ => return None,
        }
    }
    let (round, part) = match round {
        _ if digits == 0 => return None,
        None => (number, 0),
        Some(round) => (round, u16::try_from(number).ok().filter(|part| *part > 0)?),
    };
    Some((NonZeroU32::new(round)?, part))
}
