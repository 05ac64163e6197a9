//! Who the players of run folders are: their identities, not their names. Finds those that are one
//! player under several names, names those apart that share one, and matches the players of files, of
//! which only the name is known.

use std::collections::BTreeMap;

use super::error::{InputError, PlayerCount};
use super::inputs::Inputs;
use super::played::{Notice, SamePlayer};
use super::store::Store;
use crate::ladder::identity::{IdentityPart, RecordedIdentity, distinguishing_names};

/// One player of the runs.
#[derive(Clone, Debug)]
struct RunPlayer {
    /// A place in [`Store::names`].
    number: u32,
    /// Equal for equal identities.
    key: (String, bool, Seat),
    identity: RecordedIdentity,
    /// What runs call it, each name with its place in the inputs.
    names: BTreeMap<String, usize>,
}

/// Whose side of a run. An engine that plays itself is two players, or its games would say nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Seat {
    /// The subject's, or an opponent's.
    Any,
    /// An opponent's whose identity is the subject's.
    ItsOwnOpponent,
}

impl RunPlayer {
    /// The name that comes first in the inputs.
    fn name(&self) -> &str {
        self.names.iter().min_by_key(|(_, place)| **place).map_or("", |(name, _)| name)
    }
}

/// The players of all runs.
#[derive(Debug, Default)]
pub(super) struct RunPlayers {
    players: Vec<RunPlayer>,
    numbers: BTreeMap<(String, bool, Seat), usize>,
    /// How many names were read.
    named: usize,
    /// Players of files that are shown by another name than their own.
    apart: BTreeMap<u32, String>,
}

impl RunPlayers {
    /// The number of the player with this identity.
    pub(super) fn number(
        &mut self,
        store: &mut Store,
        name: &str,
        identity: &RecordedIdentity,
        seat: Seat,
    ) -> u32 {
        self.named += 1;
        let key = (identity.identity.key(), identity.is_partial, seat);
        let next = self.players.len();
        let place = *self.numbers.entry(key.clone()).or_insert(next);
        if place == next {
            let (number, names) = (store.nameless_player(name), BTreeMap::new());
            self.players.push(RunPlayer { number, key, identity: identity.clone(), names });
        }
        let Some(player) = self.players.get_mut(place) else { return 0 };
        player.names.entry(name.to_owned()).or_insert(self.named);
        // Two plans may leave different options to the engine's default, which is one.
        player.identity.sealed.extend(identity.sealed.iter().cloned());
        player.number
    }

    /// Every name of each player.
    pub(super) fn names(&self) -> BTreeMap<u32, Vec<&str>> {
        let apart = self.apart.iter().map(|(number, name)| (*number, vec![name.as_str()]));
        let own = self.players.iter().map(|player| {
            let names = player.names.keys().map(String::as_str);
            (player.number, names.collect())
        });
        own.chain(apart).collect()
    }

    /// Who a player is.
    pub(super) fn identity(&self, number: u32) -> Option<&RecordedIdentity> {
        self.players.iter().find(|player| player.number == number).map(|player| &player.identity)
    }

    /// The players that runs call by this name.
    fn called(&self, name: &str) -> impl Iterator<Item = u32> {
        self.players.iter().filter(move |player| player.names.contains_key(name)).map(|player| player.number)
    }

    /// Settles who is whom once all is read. The numbers that are taken by others are in the map.
    pub(super) fn settle(&mut self, store: &mut Store, notices: &mut Vec<Notice>) -> BTreeMap<u32, u32> {
        let mut taken = self.join_partial(notices);
        let mut order: Vec<&RunPlayer> = self.players.iter().collect();
        order.sort_by(|a, b| a.key.cmp(&b.key));
        let mut shown = BTreeMap::<String, u32>::new();
        for player in &order {
            // Those of the same name, be it their first or not, so that a bare name is the name of one.
            let name = player.name();
            let group: Vec<_> = order.iter().filter(|other| other.names.contains_key(name)).collect();
            let identities: Vec<_> = group.iter().map(|other| &other.identity.identity).collect();
            let place = group.iter().position(|other| other.number == player.number);
            let names = distinguishing_names(name, &identities);
            let name = place.and_then(|place| names.get(place)).map_or(name, String::as_str);
            let mut unique = name.to_owned();
            for count in 2.. {
                if !shown.contains_key(&unique) {
                    break;
                }
                unique = format!("{name} ({count})");
            }
            let called = player.names.keys().next().map_or(name, String::as_str);
            store.show(player.number, &unique, called);
            shown.insert(unique, player.number);
        }
        let mut alike: Vec<SamePlayer> = Vec::new();
        for player in self.players.iter().filter(|player| player.names.len() > 1) {
            let also = player.names.keys().filter(|name| *name != player.name()).cloned().collect();
            alike.push(SamePlayer { name: store.name(player.number).to_owned(), also });
        }
        if !alike.is_empty() {
            alike.sort();
            notices.push(Notice::EqualIdentities { players: alike });
        }
        taken.extend(self.match_names(store, &shown, notices));
        taken
    }

    /// A plan of 0.1 tells less: its player is the one of later plans from which it differs in nothing
    /// that it tells, if there is just one.
    fn join_partial(&mut self, notices: &mut Vec<Notice>) -> BTreeMap<u32, u32> {
        let (partial, mut whole): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.players).into_iter().partition(|player| player.identity.is_partial);
        let mut taken = BTreeMap::new();
        let mut left = Vec::new();
        let (mut names, mut parts) = (Vec::new(), Vec::<IdentityPart>::new());
        for player in partial {
            let fits = |other: &&mut RunPlayer| {
                player.key.2 == other.key.2 && player.identity.compare(&other.identity).is_same()
            };
            let mut fitting = whole.iter_mut().filter(fits);
            let (Some(other), None) = (fitting.next(), fitting.next()) else {
                left.push(player);
                continue;
            };
            taken.insert(player.number, other.number);
            names.push(player.name().to_owned());
            for part in player.identity.compare(&other.identity).not_told {
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
            for (name, place) in player.names {
                let known = other.names.entry(name).or_insert(place);
                *known = place.min(*known);
            }
        }
        whole.extend(left);
        self.players = whole;
        if !parts.is_empty() {
            names.sort();
            names.dedup();
            notices.push(Notice::PartsNotTold { players: names, parts });
        }
        taken
    }

    /// Players of files are those of runs that have their name, where just one has.
    fn match_names(
        &mut self,
        store: &mut Store,
        shown: &BTreeMap<String, u32>,
        notices: &mut Vec<Notice>,
    ) -> BTreeMap<u32, u32> {
        let mut names = BTreeMap::<&str, Vec<u32>>::new();
        for player in &self.players {
            for name in player.names.keys() {
                names.entry(name).or_default().push(player.number);
            }
        }
        let mut taken = BTreeMap::new();
        for (name, players) in &names {
            if let [one] = players.as_slice() {
                taken.extend(store.take_file_player(name).map(|number| (number, *one)));
                continue;
            }
            let Some(number) = store.file_player(name) else { continue };
            let unknown = format!("{name}, settings not known");
            store.show(number, &unknown, name);
            self.apart.insert(number, (*name).to_owned());
            let mut players: Vec<String> =
                players.iter().map(|player| store.name(*player).to_owned()).collect();
            players.sort();
            notices.push(Notice::NameOfSeveral { name: (*name).to_owned(), shown: unknown, players });
        }
        for (name, player) in shown {
            taken.extend(store.take_file_player(name).map(|number| (number, *player)));
        }
        taken
    }
}

impl Inputs {
    /// The player of a name: of one that is shown, else of one that runs or files give to one player
    /// alone.
    pub(super) fn player_named(&self, name: &str) -> Result<u32, InputError> {
        match self.players_named(name).as_slice() {
            [one] => Ok(*one),
            [] => Err(InputError::UnknownSubject {
                source_name: self.source(),
                subject: name.to_owned(),
                players: self.players(),
            }),
            several => Err(InputError::AmbiguousName {
                source_name: self.source(),
                name: name.to_owned(),
                players: self.counted_players(several),
            }),
        }
    }

    /// Every player that a name may mean.
    pub(super) fn players_named(&self, name: &str) -> Vec<u32> {
        match self.store.shown_player(name) {
            Some(shown) => vec![shown],
            None => self.run_players.called(name).chain(self.store.file_player(name)).collect(),
        }
    }

    /// What the player of a name is shown as.
    ///
    /// # Errors
    /// [`InputError::UnknownSubject`], [`InputError::AmbiguousName`].
    pub fn shown_name(&self, name: &str) -> Result<&str, InputError> {
        self.player_named(name).map(|player| self.store.name(player))
    }

    /// These players with their games, most first.
    pub(super) fn counted_players(&self, players: &[u32]) -> Vec<PlayerCount> {
        let games = self.store.games_by_player();
        let mut counted: Vec<PlayerCount> = players
            .iter()
            .map(|player| PlayerCount {
                name: self.store.name(*player).to_owned(),
                games: games.get(*player as usize).copied().unwrap_or_default(),
            })
            .collect();
        counted.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
        counted
    }
}
