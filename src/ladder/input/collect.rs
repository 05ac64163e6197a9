//! Games to units to levels.

use std::collections::{BTreeMap, BTreeSet};

use super::played::{PlayedGame, Results, Unused, UnusedReason};
use crate::chess::Color;
use crate::rating::{Ladder, Level, LevelError, MAX_ABS_LEVEL, Unit};

/// What a unit's games were, by which copies of it are known.
type Signature = Vec<(bool, u64, u8)>;

#[derive(Default)]
struct Group {
    unit: Tally,
    signature: Option<Signature>,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    games: u32,
    half_points: u32,
}

#[derive(Default)]
struct LevelTally {
    wins: u64,
    draws: u64,
    losses: u64,
    units: BTreeMap<Unit, u64>,
}

/// Groups the subject's games: a pair is one unit, a game without its pair a unit of its own, and
/// units that repeat each other move for move are one unit, because copies add no evidence.
///
/// Games without a result or a usable level are counted in [`Results::unused`]. The order of the
/// games does not matter.
///
/// # Errors
/// [`LevelError`] when the counts go beyond what a level can hold.
pub fn collect(
    source: &str,
    subject: &str,
    games: impl IntoIterator<Item = PlayedGame>,
) -> Result<Results, LevelError> {
    let mut unused = BTreeMap::<UnusedReason, Unused>::new();
    let mut opponents = BTreeMap::<std::sync::Arc<str>, usize>::new();
    let mut levels = BTreeMap::<u64, LevelTally>::new();
    let mut groups = BTreeMap::<(u64, usize, Option<u64>, usize), Group>::new();
    let mut seen = BTreeSet::<(u64, usize, bool, u64, u8)>::new();
    let mut copied_games = 0;
    for (index, game) in games.into_iter().enumerate() {
        let Some(outcome) = game.outcome else {
            count_unused(&mut unused, UnusedReason::Unfinished, None);
            continue;
        };
        let Some(elo) = game.level.filter(|elo| elo.is_finite() && elo.abs() <= MAX_ABS_LEVEL) else {
            count_unused(&mut unused, UnusedReason::UnknownLevel, Some(&game.opponent));
            continue;
        };
        // Adding zero makes -0 and 0 one level.
        let level_key = (elo + 0.0).to_bits();
        let known = opponents.len();
        let opponent = *opponents.entry(game.opponent).or_insert(known);
        let color = if game.subject_white { Color::White } else { Color::Black };
        let half_points = outcome.half_points(color);

        let tally = levels.entry(level_key).or_default();
        match half_points {
            0 => tally.losses += 1,
            1 => tally.draws += 1,
            _ => tally.wins += 1,
        }
        if let Some(hash) = game.moves_hash
            && !seen.insert((level_key, opponent, game.subject_white, hash, half_points))
        {
            copied_games += 1;
        }
        let single = if game.pair.is_some() { 0 } else { index + 1 };
        let group = groups
            .entry((level_key, opponent, game.pair.map(|pair| pair.0), single))
            .or_insert_with(|| Group { unit: Tally::default(), signature: Some(Vec::new()) });
        group.unit.add(Tally { games: 1, half_points: u32::from(half_points) });
        match (game.moves_hash, &mut group.signature) {
            (Some(hash), Some(signature)) => signature.push((game.subject_white, hash, half_points)),
            _ => group.signature = None,
        }
    }

    let mut copies = BTreeMap::<(u64, usize, Signature), Tally>::new();
    for ((level_key, opponent, ..), group) in groups {
        if let Some(mut signature) = group.signature {
            signature.sort_unstable();
            copies.entry((level_key, opponent, signature)).or_default().add(group.unit);
        } else if let Some(tally) = levels.get_mut(&level_key) {
            tally.add_unit(group.unit);
        }
    }
    for ((level_key, ..), unit) in copies {
        if let Some(tally) = levels.get_mut(&level_key) {
            tally.add_unit(unit);
        }
    }
    let levels = levels
        .into_iter()
        .map(|(key, tally)| {
            Level::new(f64::from_bits(key), tally.wins, tally.draws, tally.losses, tally.units)
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Results {
        source: source.to_owned(),
        subject: Some(subject.to_owned()),
        ladder: Ladder::new(levels).with_copied_games(copied_games),
        unused: unused.into_values().collect(),
        levels_from_names: 0,
        lost_by_faults: Default::default(),
        conditions: None,
    })
}

/// Counts one unused game; the first of its kind may leave an example.
pub(super) fn count_unused(
    unused: &mut BTreeMap<UnusedReason, Unused>,
    reason: UnusedReason,
    example: Option<&str>,
) {
    unused
        .entry(reason)
        .or_insert_with(|| Unused { reason, games: 0, first: example.map(str::to_owned) })
        .games += 1;
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.games = self.games.saturating_add(other.games);
        self.half_points = self.half_points.saturating_add(other.half_points);
    }
}

impl LevelTally {
    fn add_unit(&mut self, unit: Tally) {
        *self.units.entry(Unit { games: unit.games, half_points: unit.half_points }).or_default() += 1;
    }
}
