//! PGN of any origin to the subject's games.
//!
//! The subject is named, or is the one player of every game. The opponent's level is its Elo tag,
//! else the number its name ends with.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Read;
use std::sync::Arc;

use super::collect::{collect, count_unused};
use super::error::{InputError, PlayerCount};
use super::pairs::{Candidate, find_pairs, parse_round};
use super::played::{PlayedGame, Results, Unused, UnusedReason};
use crate::chess::Outcome;
use crate::chess::pgn::{PgnOptions, PgnReader, ReadGame};

const TAGS: [&str; 5] = ["White", "Black", "WhiteElo", "BlackElo", "Round"];

/// From the usual start, games are told to share an opening by their first four plies.
const OPENING_PLIES: usize = 4;

/// Games shorter than this may be alike by chance and are not taken for copies.
const COPY_PLIES: usize = 10;

/// What is kept of a game.
struct Kept {
    players: [usize; 2],
    elos: [Option<f64>; 2],
    outcome: Option<Outcome>,
    round: Option<(u64, Option<u64>)>,
    start: u64,
    opening: Option<u64>,
    moves_hash: Option<u64>,
}

/// The players by name, numbered as they come.
#[derive(Default)]
struct Players {
    numbers: BTreeMap<Arc<str>, usize>,
    names: Vec<Arc<str>>,
    games: Vec<u64>,
    /// Those that have an Elo tag in any game.
    rated: BTreeSet<usize>,
}

/// Reads PGN, plain or gzip, and groups the games of `subject`, or of the only player who is in
/// every game.
///
/// # Errors
/// [`InputError`] when the text cannot be read on or the subject cannot be told.
pub fn read_pgn_games(
    reader: impl Read,
    source_name: &str,
    subject: Option<&str>,
) -> Result<Results, InputError> {
    let options = PgnOptions { max_plies: None, ..PgnOptions::tags_only(&TAGS, 0) };
    let mut pgn = PgnReader::new(reader, source_name, options)?;
    let mut players = Players::default();
    let mut unused = BTreeMap::<UnusedReason, Unused>::new();
    let mut games = Vec::new();
    let mut read = 0_u64;
    while let Some(game) = pgn.next_game()? {
        read += 1;
        if let Some(fault) = &game.fault {
            let example = format!("game {}, line {}: {fault}", game.number, game.line);
            count_unused(&mut unused, UnusedReason::Unreadable, Some(&example));
            continue;
        }
        let name = |tag| game.tag(tag).map(str::trim).filter(|name| !matches!(*name, "" | "?"));
        let (Some(white), Some(black)) = (name("White"), name("Black")) else {
            let example = format!("game {}, line {}", game.number, game.line);
            count_unused(&mut unused, UnusedReason::NoPlayers, Some(&example));
            continue;
        };
        let both = [players.number(white), players.number(black)];
        players.count(both);
        let kept = keep(&game, both);
        let rated = kept.players.iter().zip(&kept.elos).filter(|(_, elo)| elo.is_some());
        players.rated.extend(rated.map(|(player, _)| *player));
        games.push(kept);
    }
    if read == 0 {
        return Err(InputError::Empty { source_name: source_name.to_owned() });
    }
    let subject = players.subject(subject, games.len() as u64, source_name)?;
    let (own, levels_from_names) = subject_games(&games, subject, &players, &mut unused);

    let name = players.names.get(subject).map(|name| &**name).unwrap_or_default();
    let mut results = collect(source_name, name, own)
        .map_err(|error| InputError::Level { source_name: source_name.to_owned(), error })?;
    results.unused.extend(unused.into_values());
    results.unused.sort_by_key(|unused| unused.reason);
    results.levels_from_names = levels_from_names;
    Ok(results)
}

/// The subject's games with their levels and pairs, and how many levels came from names.
fn subject_games(
    games: &[Kept],
    subject: usize,
    players: &Players,
    unused: &mut BTreeMap<UnusedReason, Unused>,
) -> (Vec<PlayedGame>, u64) {
    let mut candidates = Vec::new();
    let mut own = Vec::new();
    let mut levels_from_names = 0;
    for game in games {
        let [white, black] = game.players;
        let subject_white = white == subject;
        let (opponent, tagged) = match (subject_white, black == subject) {
            (true, false) => (black, game.elos[1]),
            (false, true) => (white, game.elos[0]),
            (true, true) => {
                count_unused(unused, UnusedReason::AgainstItself, None);
                continue;
            }
            (false, false) => {
                count_unused(unused, UnusedReason::NotTheSubjects, None);
                continue;
            }
        };
        let Some(name) = players.names.get(opponent) else { continue };
        let level = tagged.or_else(|| level_in_name(name));
        if tagged.is_none() && level.is_some() && game.outcome.is_some() {
            levels_from_names += 1;
        }
        candidates.push(Candidate {
            opponent,
            subject_white,
            round: game.round,
            start: game.start,
            opening: game.opening,
        });
        own.push(PlayedGame {
            opponent: Arc::clone(name),
            level,
            subject_white,
            outcome: game.outcome,
            pair: None,
            moves_hash: game.moves_hash,
        });
    }
    for (game, pair) in own.iter_mut().zip(find_pairs(&candidates)) {
        game.pair = pair;
    }
    (own, levels_from_names)
}

fn keep(game: &ReadGame, players: [usize; 2]) -> Kept {
    let fen = game.start.fen();
    let start = hash(|hasher| fen.hash(hasher));
    let first = game.moves.get(..OPENING_PLIES);
    let opening = if game.start.is_standard() {
        first.map(|moves| hash(|hasher| moves.iter().for_each(|read| read.m.hash(hasher))))
    } else {
        Some(start)
    };
    let moves_hash = (game.moves.len() >= COPY_PLIES).then(|| {
        hash(|hasher| {
            fen.hash(hasher);
            game.moves.iter().for_each(|read| read.m.hash(hasher));
        })
    });
    let elo = |tag| game.tag(tag).and_then(level_in_tag);
    Kept {
        players,
        elos: [elo("WhiteElo"), elo("BlackElo")],
        outcome: game.outcome,
        round: game.tag("Round").and_then(parse_round),
        start,
        opening,
        moves_hash,
    }
}

/// A hash with fixed keys: equal from run to run.
fn hash(feed: impl FnOnce(&mut DefaultHasher)) -> u64 {
    let mut hasher = DefaultHasher::new();
    feed(&mut hasher);
    hasher.finish()
}

/// The rating in an Elo tag; `0`, `-` and `?` say that there is none.
fn level_in_tag(value: &str) -> Option<f64> {
    value.trim().parse::<u32>().ok().filter(|elo| (1..=9999).contains(elo)).map(f64::from)
}

/// The three or four digits that a name ends with (`SF-1900`), unless they belong to a longer
/// number or a version (`2.100`).
pub(super) fn level_in_name(name: &str) -> Option<f64> {
    let name = name.trim_end();
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = name.get(stem.len()..)?;
    let level = (3..=4).contains(&digits.len()) && !stem.ends_with(['.', ',']);
    level.then(|| digits.parse::<u32>().ok()).flatten().filter(|level| *level > 0).map(f64::from)
}

/// The one of them, if there is just one.
fn only(mut players: impl Iterator<Item = usize>) -> Option<usize> {
    let first = players.next()?;
    players.next().is_none().then_some(first)
}

impl Players {
    fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len();
        let name: Arc<str> = Arc::from(name);
        self.names.push(Arc::clone(&name));
        self.games.push(0);
        self.numbers.insert(name, number);
        number
    }

    fn count(&mut self, [white, black]: [usize; 2]) {
        let black = (black != white).then_some(black);
        for number in [Some(white), black].into_iter().flatten() {
            if let Some(games) = self.games.get_mut(number) {
                *games += 1;
            }
        }
    }

    fn subject(&self, asked: Option<&str>, games: u64, source_name: &str) -> Result<usize, InputError> {
        let source_name = || source_name.to_owned();
        if let Some(subject) = asked {
            return self.numbers.get(subject).copied().ok_or_else(|| InputError::UnknownSubject {
                source_name: source_name(),
                subject: subject.to_owned(),
                players: self.listed(),
            });
        }
        let everywhere = || (0..self.names.len()).filter(|number| self.games.get(*number) == Some(&games));
        // Of two opponents the one without an Elo is the one to be rated.
        let unrated = || everywhere().filter(|number| !self.rated.contains(number));
        match only(everywhere()).or_else(|| only(unrated())) {
            Some(subject) => Ok(subject),
            None => Err(InputError::AmbiguousSubject {
                source_name: source_name(),
                games,
                players: self.listed(),
            }),
        }
    }

    fn listed(&self) -> Vec<PlayerCount> {
        let mut players: Vec<PlayerCount> = self
            .names
            .iter()
            .zip(&self.games)
            .map(|(name, games)| PlayerCount { name: name.to_string(), games: *games })
            .collect();
        players.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
        players
    }
}
