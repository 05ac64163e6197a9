//! Which games the page plays, whatever they are read from.

use std::collections::BTreeMap;

use crate::cli::exit::Failure;
use crate::report::{GameSketch, Replay, choose_games};

/// Games that can be shown.
pub(super) trait GameSource {
    /// What decides whether a game is shown, in order.
    fn sketches(&self) -> Vec<GameSketch>;
    /// Plies and ending of each game.
    fn endings(&self) -> Vec<(u32, String)>;
    /// The place of a game that an audit calls by this number.
    fn place_of(&self, number: usize) -> Option<usize>;
    /// The games at these places, each with the reason why it is shown.
    fn replays(&mut self, wanted: &[(usize, &'static str)]) -> Result<Vec<Replay>, Failure>;
}

/// The games that a page plays.
#[derive(Default)]
pub(super) struct ChosenGames {
    /// The games.
    pub(super) replays: Vec<Replay>,
    /// By the number that an audit calls them: their place here.
    pub(super) by_number: BTreeMap<usize, usize>,
    /// How many there are in all.
    pub(super) of: usize,
}

/// Chooses games, as many as there is room for. `worst`: numbers of games with the worst moves.
pub(super) fn choose(
    source: &mut dyn GameSource,
    worst: &[usize],
    (most, bytes): (usize, usize),
) -> Result<ChosenGames, Failure> {
    let sketches = source.sketches();
    let places: Vec<usize> = worst.iter().filter_map(|number| source.place_of(*number)).collect();
    let mut most = most;
    loop {
        let wanted = choose_games(&sketches, &places, most);
        let replays = source.replays(&wanted)?;
        let size: usize = replays.iter().map(Replay::size).sum();
        if size > bytes && most > 1 {
            // Again with as many as will fit by their mean size, and fewer in any case.
            most = (replays.len() * bytes / size.max(1)).min(replays.len().saturating_sub(1)).max(1);
            continue;
        }
        let replays = if size > bytes { Vec::new() } else { replays };
        let shown = if replays.is_empty() { &[][..] } else { wanted.as_slice() };
        let index: BTreeMap<usize, usize> =
            shown.iter().enumerate().map(|(index, (place, _))| (*place, index)).collect();
        let by_number = worst.iter().filter_map(|number| {
            let place = source.place_of(*number)?;
            Some((*number, *index.get(&place)?))
        });
        return Ok(ChosenGames { by_number: by_number.collect(), replays, of: sketches.len() });
    }
}

impl ChosenGames {
    /// Which games are there, and how many are not.
    pub(super) fn note(&self) -> String {
        let shown = self.replays.len();
        let left_out = self.of - shown;
        let count = |why: &str| self.replays.iter().filter(|replay| replay.why == why).count();
        let (faults, audited) = (count("fault"), count("audit"));
        let all = if left_out == 0 {
            format!("All {shown} games.")
        } else {
            format!("{shown} of {} games, evenly by opponent; {left_out} are left out.", self.of)
        };
        let mut text = all;
        if faults > 0 {
            text.push_str(&format!(" {faults} ended by a fault."));
        }
        if audited > 0 {
            text.push_str(&format!(" {audited} have the worst audited moves."));
        }
        text
    }
}
