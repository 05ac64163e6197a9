//! Which two games are an opening pair: one opening, played once with each colour.

use std::collections::{BTreeMap, VecDeque};

use super::played::PairKey;

/// What is known of a game's opening and place.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// Any number that tells opponents apart.
    pub(super) opponent: usize,
    pub(super) subject_white: bool,
    /// The `Round` tag: the part before the point, and the part after it if there is one.
    pub(super) round: Option<(u64, Option<u64>)>,
    /// A hash of the start position.
    pub(super) start: u64,
    /// A hash of the opening, where it can be told: a start position of its own, or first moves.
    pub(super) opening: Option<u64>,
}

/// Finds the pairs by `Round`, then by opening.
///
/// Two games with the same round (`17.1` and `17.2`, or twice `17`), opponent and start and with
/// colours swapped are a pair, unless a third game has that round. What is left is paired, in file
/// order, with the earliest game of the same opponent and opening with the other colour.
pub(super) fn find_pairs(games: &[Candidate]) -> Vec<Option<PairKey>> {
    let mut keys = vec![None; games.len()];
    let mut pairs = 0..;
    let mut join = |keys: &mut Vec<Option<PairKey>>, first: usize, second: usize| {
        let key = pairs.next().map(PairKey);
        for index in [first, second] {
            if let Some(place) = keys.get_mut(index) {
                *place = key;
            }
        }
    };

    let mut rounds = BTreeMap::<(usize, u64), Vec<(usize, &Candidate)>>::new();
    for (index, game) in games.iter().enumerate() {
        if let Some((round, _)) = game.round {
            rounds.entry((game.opponent, round)).or_default().push((index, game));
        }
    }
    for group in rounds.values() {
        if let [(first, a), (second, b)] = group.as_slice()
            && a.subject_white != b.subject_white
            && a.start == b.start
            && numbers_agree(a.round, b.round)
        {
            join(&mut keys, *first, *second);
        }
    }

    let mut waiting = BTreeMap::<(usize, u64, bool), VecDeque<usize>>::new();
    for (index, game) in games.iter().enumerate() {
        let Some(opening) = game.opening.filter(|_| matches!(keys.get(index), Some(None))) else { continue };
        let partner =
            waiting.get_mut(&(game.opponent, opening, !game.subject_white)).and_then(VecDeque::pop_front);
        match partner {
            Some(partner) => join(&mut keys, partner, index),
            None => {
                waiting.entry((game.opponent, opening, game.subject_white)).or_default().push_back(index);
            }
        }
    }
    keys
}

/// Both without a part after the point, or one of them 1 and the other 2.
fn numbers_agree(a: Option<(u64, Option<u64>)>, b: Option<(u64, Option<u64>)>) -> bool {
    let part = |round: Option<(u64, Option<u64>)>| round.and_then(|(_, part)| part);
    matches!((part(a), part(b)), (None, None) | (Some(1), Some(2)) | (Some(2), Some(1)))
}

/// Reads a `Round` tag: `17`, `17.2`; anything else says nothing.
pub(super) fn parse_round(tag: &str) -> Option<(u64, Option<u64>)> {
    match tag.trim().split_once('.') {
        None => Some((tag.trim().parse().ok()?, None)),
        Some((round, part)) => Some((round.parse().ok()?, Some(part.parse().ok()?))),
    }
}
