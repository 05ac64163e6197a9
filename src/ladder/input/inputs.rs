//! All that was read, and the views of it: one subject's ladder, a pool, units in their order.
//!
//! Invariant: in each view a game is counted once or stands in `unused` with a reason.

use std::collections::{BTreeMap, BTreeSet};

use super::counts::Counted;
use super::error::{InputError, PlayerCount};
use super::levels::{LevelRules, LevelSource, PlayerLevel, pattern_for};
use super::played::{
    Conditions, Notice, PairCounts, PlayedUnit, Results, RunLimits, UnitSequence, Unused, UnusedReason,
};
use super::players::RunPlayers;
use super::store::{Record, Sides, Store};
use super::tally::{GroupTally, Place, Units};
use crate::chess::Color;
use crate::ladder::identity::RecordedIdentity;
use crate::rating::{Ladder, Level, MAX_ABS_LEVEL, Tally};

/// Games left out, by reason.
pub(super) type UnusedGames = BTreeMap<UnusedReason, Unused>;

/// Everything that was read.
#[derive(Debug, Default)]
pub struct Inputs {
    pub(super) store: Store,
    pub(super) counts: Vec<Counted>,
    /// As the user named them.
    pub(super) sources: Vec<String>,
    /// Left out whoever the subject is.
    pub(super) unused: UnusedGames,
    pub(super) notices: Vec<Notice>,
    pub(super) run_subjects: BTreeSet<u32>,
    /// By subject and cause.
    pub(super) lost_by_faults: BTreeMap<(u32, String), u64>,
    /// Of each run: subject, conditions, and who the opponent is but for its levels.
    pub(super) conditions: Vec<(u32, Conditions, RecordedIdentity)>,
    /// Of each run: subject, what its engines used of their limits.
    pub(super) limits_used: Vec<(u32, RunLimits)>,
    /// Whether games came from files, which tell no conditions.
    pub(super) has_files: bool,
    /// Files of games and of counts, as the user named them.
    pub(super) files: Vec<String>,
    pub(super) run_players: RunPlayers,
    /// By [`Store::sides`]: the levels of white and black.
    levels: Vec<[Option<PlayerLevel>; 2]>,
}

/// Who played in the runs of one subject, all against one opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSides {
    /// The subject.
    pub subject: RecordedIdentity,
    /// The opponent but for its levels.
    pub opponent: RecordedIdentity,
}

/// One game in so many may be between others before nobody is the subject.
const STRAY_SHARE: u64 = 20;

/// The opponent's side of a subject's game.
enum Seat {
    Opponent { player: u32, subject_white: bool, level: Option<PlayerLevel> },
    Unused(UnusedReason),
}

/// Counts one unused game; the first of its kind may leave an example.
pub(super) fn count_unused(
    unused: &mut UnusedGames,
    reason: UnusedReason,
    games: u64,
    example: impl FnOnce() -> Option<String>,
) {
    if games > 0 {
        unused.entry(reason).or_insert_with(|| Unused { reason, games: 0, first: example() }).games += games;
    }
}

/// A level's place in a map: equal for -0 and 0.
fn level_key(elo: f64) -> u64 {
    (elo + 0.0).to_bits()
}

fn usable(level: Option<PlayerLevel>) -> Option<PlayerLevel> {
    level.filter(|level| level.elo.is_finite() && level.elo.abs() <= MAX_ABS_LEVEL)
}

impl Inputs {
    pub(super) fn count_unused(&mut self, reason: UnusedReason, example: impl FnOnce() -> String) {
        count_unused(&mut self.unused, reason, 1, || Some(example()));
    }

    /// Settles who the players are, once all is read.
    pub(super) fn settle_players(&mut self) {
        let taken = self.run_players.settle(&mut self.store, &mut self.notices);
        let own = |player: u32| taken.get(&player).copied().unwrap_or(player);
        self.store.give(&taken);
        self.run_subjects = self.run_subjects.iter().map(|player| own(*player)).collect();
        let faults = std::mem::take(&mut self.lost_by_faults);
        for ((player, cause), games) in faults {
            *self.lost_by_faults.entry((own(player), cause)).or_default() += games;
        }
        for (player, ..) in &mut self.conditions {
            *player = own(*player);
        }
        for (player, _) in &mut self.limits_used {
            *player = own(*player);
        }
        if !self.run_subjects.is_empty() && !self.files.is_empty() {
            self.notices.push(Notice::NamesAlone { files: self.files.clone() });
        }
    }

    /// Finds every player's level once the players are settled.
    ///
    /// # Errors
    /// A name of the table of levels that several players have.
    pub(super) fn finish(&mut self, rules: &LevelRules) -> Result<(), InputError> {
        let store = &self.store;
        let games = store.games_by_sides();
        let mut names_of = self.run_players.names();
        for (player, names) in &mut names_of {
            names.push(store.name(*player));
        }
        let mut overruled = 0;
        for (sides, games) in store.sides.iter().zip(&games) {
            let levels = [0, 1].map(|side: usize| {
                let player = sides.players.get(side).copied().unwrap_or_default();
                let stated = sides.stated.get(side).copied().flatten();
                let own = [store.name(player)];
                let level = rules.level_of(names_of.get(&player).map_or(&own, Vec::as_slice), stated);
                let other = |level: &PlayerLevel| stated.is_some_and(|elo| f64::from(elo) != level.elo);
                if level.as_ref().is_some_and(other) {
                    overruled += *games;
                }
                level
            });
            self.levels.push(levels);
        }
        if overruled > 0 {
            self.notices.push(Notice::LevelsOverruled { games: overruled });
        }
        let mut names = Vec::new();
        for name in rules.table.iter().flat_map(|table| table.names()) {
            match self.players_named(name).len() {
                0 => names.push(name.to_owned()),
                1 => {}
                _ => self.player_named(name).map(drop)?,
            }
        }
        if !names.is_empty() {
            self.notices.push(Notice::NamesWithoutGames { names });
        }
        let pairs = self.counts.iter().map(|counted| counted.even_pairs).sum();
        if pairs > 0 {
            self.notices.push(Notice::EvenPairs { pairs });
        }
        Ok(())
    }

    /// The inputs as the user named them.
    #[must_use]
    pub fn source(&self) -> String {
        self.sources.join(", ")
    }

    /// Every player with the number of its games, most first. CSV names none.
    #[must_use]
    pub fn players(&self) -> Vec<PlayerCount> {
        let names = self.store.names.iter().zip(self.store.games_by_player());
        let mut players: Vec<PlayerCount> = names
            .filter(|(_, games)| *games > 0)
            .map(|(name, games)| PlayerCount { name: name.to_string(), games })
            .collect();
        players.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
        players
    }

    /// The one subject of these games: named, or the only player of every game (where nobody is, of
    /// all but one in 20), or of two such the one that no game states an Elo of, or a run's own. None
    /// where there are only counts.
    fn subject(&self, asked: Option<&str>) -> Result<Option<u32>, InputError> {
        let store = &self.store;
        if store.names.is_empty() && !self.counts.is_empty() {
            return Ok(None);
        }
        let source_name = || self.source();
        if store.records.is_empty() && asked.is_none() {
            let unused = self.unused.clone().into_values().collect();
            return Err(InputError::NoGames { source_name: source_name(), unused, of_run: !self.has_files });
        }
        if let Some(asked) = asked {
            return self.player_named(asked).map(Some);
        }
        if self.run_subjects.len() > 1 {
            let subjects: Vec<u32> = self.run_subjects.iter().copied().collect();
            let players = self.counted_players(&subjects);
            return Err(InputError::SeveralSubjects { source_name: source_name(), players });
        }
        let total = store.records.len() as u64;
        let games = store.games_by_player();
        let in_most = |least: u64| -> Vec<u32> {
            (0..).zip(&games).filter(|(_, games)| **games >= least).map(|(player, _)| player).collect()
        };
        let mut everywhere = in_most(total);
        if everywhere.is_empty() {
            // A few games of others make no pool of a ladder. They are counted as not used.
            everywhere = in_most(total - total / STRAY_SHARE);
        }
        let planned = only(self.run_subjects.iter().copied()).filter(|player| everywhere.contains(player));
        let rated: BTreeSet<u32> = if everywhere.len() > 1 {
            let stated = |sides: &Sides| {
                let [white, black] = sides.players;
                let [white_level, black_level] = sides.stated;
                [white_level.map(|_| white), black_level.map(|_| black)]
            };
            store.sides.iter().flat_map(stated).flatten().collect()
        } else {
            BTreeSet::new()
        };
        let unrated = || everywhere.iter().copied().filter(|player| !rated.contains(player));
        let subject = planned.or_else(|| only(everywhere.iter().copied())).or_else(|| only(unrated()));
        subject.map(Some).ok_or_else(|| InputError::AmbiguousSubject {
            source_name: source_name(),
            games: total,
            players: self.players(),
        })
    }

    /// The level of white (0) or black (1).
    pub(super) fn level(&self, place: usize, side: usize) -> Option<PlayerLevel> {
        usable(self.levels.get(place)?.get(side).copied().flatten())
    }

    fn seat(&self, place: usize, subject: u32) -> Option<Seat> {
        let [white, black] = self.store.sides.get(place)?.players;
        let [white_level, black_level] = *self.levels.get(place)?;
        Some(match (white == subject, black == subject) {
            (true, false) => {
                Seat::Opponent { player: black, subject_white: true, level: usable(black_level) }
            }
            (false, true) => {
                Seat::Opponent { player: white, subject_white: false, level: usable(white_level) }
            }
            (true, true) => Seat::Unused(UnusedReason::AgainstItself),
            (false, false) => Seat::Unused(UnusedReason::NotTheSubjects),
        })
    }

    /// How many finished games each of [`Store::sides`] has, and how many unfinished.
    pub(super) fn finished_by_sides(&self) -> Vec<(u64, u64)> {
        let mut games = vec![(0, 0); self.store.sides.len()];
        for record in &self.store.records {
            if let Some((finished, unfinished)) = games.get_mut(record.sides as usize) {
                *(if record.outcome.is_some() { finished } else { unfinished }) += 1;
            }
        }
        games
    }

    /// The results of one subject: `subject` by name, else the only one that can be meant. Counts of
    /// CSV are added to its games.
    ///
    /// # Errors
    /// [`InputError`] when the subject cannot be told or counts go beyond what a level can hold.
    pub fn results(&self, subject: Option<&str>) -> Result<Results, InputError> {
        let Some(own) = self.subject(subject)? else { return self.counted(subject) };
        let mut unused = self.unused.clone();
        let mut notices = self.notices.clone();
        let mut levels = BTreeMap::<u64, usize>::new();
        let mut sigmas = BTreeMap::<u64, f64>::new();
        let mut level_sources = BTreeMap::<LevelSource, u64>::new();
        let mut places = Vec::new();
        let mut unknown = BTreeSet::new();
        for (number, (finished, unfinished)) in self.finished_by_sides().into_iter().enumerate() {
            let mut place = None;
            match self.seat(number, own) {
                None => {}
                Some(Seat::Unused(reason)) => {
                    count_unused(&mut unused, reason, finished + unfinished, || None);
                }
                Some(Seat::Opponent { player, subject_white, level }) => {
                    count_unused(&mut unused, UnusedReason::Unfinished, unfinished, || None);
                    if let Some(level) = level.filter(|_| finished > 0) {
                        let (key, next) = (level_key(level.elo), levels.len());
                        let group = *levels.entry(key).or_insert(next);
                        *level_sources.entry(level.source).or_default() += finished;
                        if let Some(sigma) = level.sigma {
                            sigmas.entry(key).and_modify(|known| *known = known.max(sigma)).or_insert(sigma);
                        }
                        place = Some(Place { group, label: key, white: subject_white });
                    } else if finished > 0 {
                        let name = self.store.name(player);
                        unknown.insert(name);
                        let example = || Some(name.to_owned());
                        count_unused(&mut unused, UnusedReason::UnknownLevel, finished, example);
                    }
                }
            }
            places.push(place);
        }
        if let Some((name, pattern)) = unknown.iter().find_map(|name| Some((name, pattern_for(name)?))) {
            notices.push(Notice::PatternPossible { pattern, name: (*name).to_owned() });
        }
        let units = Units::new(&self.store, &places);
        let tallied = units.tally(levels.len());
        let ladder_levels = levels.iter().filter_map(|(key, group)| {
            let GroupTally { as_white, as_black, units } = tallied.groups.get(*group)?;
            let [w, d, l] = sum(*as_white, *as_black);
            Some(Level::new(f64::from_bits(*key), w, d, l, units.iter().map(|(unit, count)| (*unit, *count))))
        });
        let ladder_levels = ladder_levels
            .chain(self.counted_levels().map(Ok))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| InputError::Level { source_name: self.source(), error })?;
        let counted: u64 = self.counted_levels().map(|level| level.games()).sum();
        if counted > 0 {
            *level_sources.entry(LevelSource::Stated).or_default() += counted;
        }
        let conditions = self.common_conditions(own, &mut notices);
        let faults = self.lost_by_faults.iter().filter(|((subject, _), _)| *subject == own);
        let from_names = [LevelSource::Pattern, LevelSource::Name];
        Ok(Results {
            source: self.source(),
            subject: Some(self.store.name(own).to_owned()),
            ladder: Ladder::new(ladder_levels).with_copied_games(tallied.copied_games),
            level_sigmas: sigmas.into_iter().map(|(key, sigma)| (f64::from_bits(key), sigma)).collect(),
            unused: unused.into_values().collect(),
            pairs: self.pair_counts(&units),
            levels_from_names: from_names.iter().filter_map(|source| level_sources.get(source)).sum(),
            level_sources,
            lost_by_faults: faults.map(|((_, cause), games)| (cause.clone(), *games)).collect(),
            conditions,
            limits_used: self.limits_used_by(own),
            notices,
        })
    }

    fn counted_levels(&self) -> impl Iterator<Item = Level> + '_ {
        self.counts.iter().flat_map(|counted| counted.levels.iter().cloned())
    }

    /// The results where there are only counts.
    fn counted(&self, subject: Option<&str>) -> Result<Results, InputError> {
        let ladder = Ladder::new(self.counted_levels());
        Ok(Results {
            source: self.source(),
            subject: subject.map(str::to_owned),
            level_sources: [(LevelSource::Stated, ladder.games())]
                .into_iter()
                .filter(|(_, n)| *n > 0)
                .collect(),
            ladder,
            level_sigmas: Vec::new(),
            unused: self.unused.clone().into_values().collect(),
            pairs: PairCounts::default(),
            levels_from_names: 0,
            lost_by_faults: BTreeMap::new(),
            conditions: None,
            limits_used: Vec::new(),
            notices: self.notices.clone(),
        })
    }

    fn limits_used_by(&self, subject: u32) -> Vec<RunLimits> {
        let own = self.limits_used.iter().filter(|(player, _)| *player == subject);
        own.map(|(_, used)| used.clone()).collect()
    }

    /// What all of the subject's games were played with; else a notice of what differs.
    fn common_conditions(&self, subject: u32, notices: &mut Vec<Notice>) -> Option<Conditions> {
        let mut own = self.conditions.iter().filter(|(player, ..)| *player == subject);
        let (_, first, opponent) = own.next()?;
        let mut parts = Vec::new();
        let mut conditions = vec![first.clone()];
        for (_, other, other_opponent) in own {
            let found = opponent.compare(other_opponent).differences;
            if !found.is_empty() && !conditions.contains(other) {
                conditions.push(other.clone());
            }
            for part in found {
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
        if parts.is_empty() {
            return Some(first.clone()).filter(|_| !self.has_files && self.counts.is_empty());
        }
        notices.push(Notice::ConditionsDiffer { conditions, parts });
        None
    }

    /// Who the subject and its opponent are, where all of its games come from run folders and from one
    /// opponent.
    #[must_use]
    pub fn known_sides(&self, subject: Option<&str>) -> Option<KnownSides> {
        if self.has_files || !self.counts.is_empty() {
            return None;
        }
        let own = self.subject(subject).ok()??;
        let mut runs = self.conditions.iter().filter(|(player, ..)| *player == own);
        let (_, _, opponent) = runs.next()?;
        let same = runs.all(|(.., other)| opponent.compare(other).is_same());
        let subject = self.run_players.identity(own).filter(|_| same)?;
        Some(KnownSides { subject: subject.clone(), opponent: opponent.clone() })
    }

    /// Whether both hold the same games, move for move; not where a game's moves are unknown.
    #[must_use]
    pub fn holds_the_same_games(&self, other: &Self) -> bool {
        let games = |inputs: &Self| -> Option<Vec<_>> {
            let game = |record: &Record| Some((record.moves?, record.outcome?.half_points(Color::White)));
            let mut games = inputs.store.records.iter().map(game).collect::<Option<Vec<_>>>()?;
            games.sort_unstable();
            Some(games).filter(|games| !games.is_empty() && inputs.counts.is_empty())
        };
        self.store.records.len() == other.store.records.len()
            && games(self).is_some_and(|own| games(other) == Some(own))
    }

    pub(super) fn pair_counts(&self, units: &Units<'_>) -> PairCounts {
        let mut counts = PairCounts::default();
        for unit in units.iter() {
            let record = self.store.records.get(unit.first as usize);
            match record.and_then(|record| record.pair).filter(|_| unit.second.is_some()) {
                Some(source) => *counts.pairs.entry(source).or_default() += 1,
                None => counts.single_games += 1,
            }
        }
        counts
    }

    /// The subject's units in the order they were planned, levels known or not.
    ///
    /// # Errors
    /// [`InputError`] when the subject cannot be told; counts of CSV have no order and are refused.
    pub fn unit_sequence(&self, subject: Option<&str>) -> Result<UnitSequence, InputError> {
        let own = match (self.counts.first(), self.subject(subject)?) {
            (None, Some(own)) => own,
            (counted, _) => {
                let source_name = counted.map_or_else(|| self.source(), |counted| counted.source.clone());
                return Err(InputError::CountsInOrder { source_name });
            }
        };
        let mut groups = BTreeMap::new();
        let places: Vec<Option<Place>> = (0..self.store.sides.len())
            .map(|number| match self.seat(number, own)? {
                Seat::Opponent { player, subject_white, level } => {
                    let next = groups.len();
                    let key = (player, level.map(|level| level_key(level.elo)));
                    let group = *groups.entry(key).or_insert(next);
                    Some(Place {
                        group,
                        label: key.1.map_or(0, |key| key.wrapping_add(1)),
                        white: subject_white,
                    })
                }
                Seat::Unused(_) => None,
            })
            .collect();
        let units = Units::new(&self.store, &places);
        let (copied, _) = units.copies();
        let mut found: Vec<_> = units.iter().collect();
        let record = |game: u32| self.store.records.get(game as usize);
        let source = |game: u32| {
            let sides = self.store.sides.get(record(game)?.sides as usize)?;
            Some(sides.source)
        };
        for part in found.chunk_by_mut(|a, b| source(a.first) == source(b.first)) {
            // A pair is known when its later game is, so without rounds that game is its place.
            let rounds = part.iter().all(|unit| record(unit.first).is_some_and(|game| game.round.is_some()));
            let planned = part.iter().all(|unit| record(unit.first).is_some_and(|game| game.planned));
            part.sort_by_key(|unit| {
                let game = record(unit.first);
                let round = game.filter(|_| rounds && !planned).map(|game| (game.round, game.part));
                (round, unit.second.unwrap_or(unit.first))
            });
        }
        let mut seen = BTreeSet::new();
        let mut sequence = UnitSequence::default();
        for unit in found {
            let games = [Some(unit.first), unit.second];
            let mut repeats = true;
            for game in games.into_iter().flatten() {
                let identity = units.identity(game).filter(|one| copied.binary_search(one).is_ok());
                repeats &= identity.is_some_and(|identity| !seen.insert(identity));
            }
            if repeats {
                sequence.copies += 1;
                continue;
            }
            let Some(game) = record(unit.first) else { continue };
            let Some(Seat::Opponent { player, level, .. }) = self.seat(game.sides as usize, own) else {
                continue;
            };
            sequence.units.push(PlayedUnit {
                opponent: self.store.name(player).to_owned(),
                level,
                opening: game.near,
                games: if unit.second.is_some() { 2 } else { 1 },
                half_points: unit.half_points,
            });
        }
        Ok(sequence)
    }
}

/// Wins, draws and losses with either colour.
fn sum(white: Tally, black: Tally) -> [u64; 3] {
    [white.wins + black.wins, white.draws + black.draws, white.losses + black.losses]
}

/// The one of them, if there is just one.
fn only(mut players: impl Iterator<Item = u32>) -> Option<u32> {
    let first = players.next()?;
    players.next().is_none().then_some(first)
}
