//! The options of the engine: their names, ranges and defaults in one place.

use super::dice::Randomness;
use crate::uci::protocol::{OptionDeclaration, OptionKind};

/// What can be set, with the values it stands at.
///
/// # Source
/// The defaults are those of the description of AL-1600, section 04; the ceiling is inclusive, as
/// in its program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// Centipawns: a move this far below the best is e times less likely, rank aside.
    pub(super) temperature: u32,
    /// Per cent of its weight that a move keeps for each place down the list.
    pub(super) rank_decay: u32,
    /// By how much a recapture on the square of the last capture is likelier.
    pub(super) recapture_weight: u32,
    /// Centipawns: a move that loses more is never chosen, one that loses exactly this may be.
    pub(super) ceiling: i32,
    /// A mate seen is played, and no move that allows one if another does not.
    pub(super) mate_clauses: bool,
    /// In a won endgame the best move is played, by an evaluation made for it.
    pub(super) won_endgame: bool,
    pub(super) seed: u64,
    pub(super) randomness: Randomness,
    /// The weakness and the book are off.
    pub(super) hint: bool,
    pub(super) own_book: bool,
    /// Plies, where `go` names no depth.
    pub(super) depth: u8,
    pub(super) multi_pv: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            temperature: 130,
            rank_decay: 78,
            recapture_weight: 40,
            ceiling: 300,
            mate_clauses: true,
            won_endgame: true,
            seed: 0,
            randomness: Randomness::Position,
            hint: false,
            own_book: true,
            depth: 4,
            multi_pv: 1,
        }
    }
}

/// The option that names the book; its value is not kept here.
pub(super) const BOOK_FILE: &str = "BookFile";

impl Settings {
    /// As the engine declares them.
    pub(super) fn declarations() -> Vec<OptionDeclaration> {
        let this = Self::default();
        let spin = |default: i64, min, max| OptionKind::Spin {
            default: Some(default),
            min: Some(min),
            max: Some(max),
        };
        let check = |default| OptionKind::Check { default: Some(default) };
        let randomness = OptionKind::Combo {
            default: Some("position".to_owned()),
            choices: vec!["position".to_owned(), "game".to_owned()],
        };
        [
            ("Temperature", spin(this.temperature.into(), 1, 10_000)),
            ("RankDecay", spin(this.rank_decay.into(), 0, 100)),
            ("RecaptureWeight", spin(this.recapture_weight.into(), 1, 1000)),
            ("Ceiling", spin(this.ceiling.into(), 0, 10_000)),
            ("MateClauses", check(this.mate_clauses)),
            ("WonEndgame", check(this.won_endgame)),
            ("Seed", spin(0, 0, u32::MAX.into())),
            ("Randomness", randomness),
            ("Hint", check(this.hint)),
            ("OwnBook", check(this.own_book)),
            (BOOK_FILE, OptionKind::String { default: Some(String::new()) }),
            ("Depth", spin(this.depth.into(), 1, super::search::MAX_DEPTH.into())),
            ("MultiPV", spin(1, 1, 256)),
        ]
        .map(|(name, kind)| OptionDeclaration { name: name.to_owned(), kind })
        .into()
    }

    /// Takes a value that the declaration allows. What it does not know it leaves alone.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        let is_true = value.eq_ignore_ascii_case("true");
        match name {
            "MateClauses" => self.mate_clauses = is_true,
            "WonEndgame" => self.won_endgame = is_true,
            "Hint" => self.hint = is_true,
            "OwnBook" => self.own_book = is_true,
            "Randomness" if value.eq_ignore_ascii_case("game") => self.randomness = Randomness::Game,
            "Randomness" => self.randomness = Randomness::Position,
            "Temperature" => assign(&mut self.temperature, value),
            "RankDecay" => assign(&mut self.rank_decay, value),
            "RecaptureWeight" => assign(&mut self.recapture_weight, value),
            "Ceiling" => assign(&mut self.ceiling, value),
            "Seed" => assign(&mut self.seed, value),
            "Depth" => assign(&mut self.depth, value),
            "MultiPV" => assign(&mut self.multi_pv, value),
            _ => {}
        }
    }
}

fn assign<T: std::str::FromStr>(place: &mut T, value: &str) {
    if let Ok(value) = value.parse() {
        *place = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declared_defaults_set_nothing_new_and_other_values_do() {
        let mut settings = Settings::default();
        for declared in Settings::declarations() {
            let (default, other) = match declared.kind {
                OptionKind::Spin { default, min, max } => {
                    let other = [max, min].into_iter().flatten().find(|value| Some(*value) != default);
                    (default.unwrap().to_string(), other.unwrap().to_string())
                }
                OptionKind::Check { default } => {
                    (default.unwrap().to_string(), (!default.unwrap()).to_string())
                }
                OptionKind::Combo { default, choices } => {
                    let other = choices.into_iter().find(|choice| Some(choice) != default.as_ref());
                    (default.unwrap(), other.unwrap())
                }
                _ => continue,
            };
            settings.set(&declared.name, &default);
            assert_eq!(settings, Settings::default(), "{}", declared.name);
            settings.set(&declared.name, &other);
            assert_ne!(settings, Settings::default(), "{}", declared.name);
            settings = Settings::default();
        }
    }
}
