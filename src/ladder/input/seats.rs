//! Who sits on which side of a PGN game, by the tags as they stand in one text: each spelling is
//! decoded and read once, and two players who meet again are found without a look at their names.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::levels::level_in_tag;
use super::store::{Sides, Store};
use crate::chess::pgn::{Mixer, tag_text};

/// Up to this many seats, sides stand in a table of all pairs of them; beyond, in the store's map.
const TABLED: usize = 256;

/// One spelling of a player: its name and Elo tags.
struct Seat {
    name: Vec<u8>,
    elo: Vec<u8>,
    /// A place in [`Store::names`].
    player: u32,
    stated: Option<u32>,
}

/// Whether two short texts are equal, byte by byte: one of them was written a moment ago by narrow
/// stores, on which the wide loads of `==` would have to wait.
fn is_same(known: &[u8], read: &[u8]) -> bool {
    known.len() == read.len() && known.iter().zip(read).all(|(known, read)| known == read)
}

/// The seats of one text.
pub(super) struct Seats {
    source: u32,
    seats: Vec<Seat>,
    /// By name, Elo tag and the name's length, so that no two seats are spelt alike.
    numbers: HashMap<Vec<u8>, usize, BuildHasherDefault<Mixer>>,
    spelling: Vec<u8>,
    /// The last two seats: players often meet again and again.
    last: [usize; 2],
    /// By white and black seat: a place in [`Store::sides`], from 1; 0 where they have not met.
    met: Vec<u32>,
}

impl Seats {
    /// Of the input with this number.
    pub(super) fn new(source: u32) -> Self {
        Self {
            source,
            seats: Vec::new(),
            numbers: HashMap::default(),
            spelling: Vec::new(),
            last: [0, 1],
            met: vec![0; TABLED * TABLED],
        }
    }

    /// The place in [`Store::sides`] of a game by its names and Elo tags, white first.
    pub(super) fn sides(&mut self, store: &mut Store, names: [&[u8]; 2], elos: [&[u8]; 2]) -> u32 {
        let [white_name, black_name] = names;
        let [white_elo, black_elo] = elos;
        let white = self.seat(store, white_name, white_elo);
        let black = self.seat(store, black_name, black_elo);
        let met = (white < TABLED && black < TABLED).then_some(white * TABLED + black);
        let known = met.and_then(|place| self.met.get(place)).and_then(|known| known.checked_sub(1));
        if let Some(known) = known {
            return known;
        }
        let seat = |number: usize| self.seats.get(number).map(|seat| (seat.player, seat.stated));
        let [white, black] = [white, black].map(|number| seat(number).unwrap_or_default());
        let sides = Sides { players: [white.0, black.0], stated: [white.1, black.1], source: self.source };
        let number = store.sides_number(sides);
        if let Some(place) = met.and_then(|place| self.met.get_mut(place)) {
            *place = number.saturating_add(1);
        }
        number
    }

    fn seat(&mut self, store: &mut Store, name: &[u8], elo: &[u8]) -> usize {
        let is = |number: &usize| {
            self.seats.get(*number).is_some_and(|seat| is_same(&seat.name, name) && is_same(&seat.elo, elo))
        };
        if let Some(known) = self.last.iter().copied().find(is) {
            return known;
        }
        self.spelling.clear();
        self.spelling.extend_from_slice(name);
        self.spelling.extend_from_slice(elo);
        self.spelling.extend_from_slice(&name.len().to_le_bytes());
        let number = match self.numbers.get(&self.spelling) {
            Some(known) => *known,
            None => {
                let player = store.player(tag_text(name).trim());
                self.seats.push(Seat {
                    name: name.to_owned(),
                    elo: elo.to_owned(),
                    player,
                    stated: level_in_tag(elo),
                });
                self.numbers.insert(self.spelling.clone(), self.seats.len() - 1);
                self.seats.len() - 1
            }
        };
        let [newer, _] = self.last;
        self.last = [number, newer];
        number
    }
}
