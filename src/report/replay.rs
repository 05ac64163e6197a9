//! Games that a page plays move by move: as steps that a script can follow without the rules of chess.

use serde::Serialize;

use crate::chess::{Board, CastlingSide, Chess, Color, Move, Position as _, Role, Score, StartPosition, san};
use crate::report::text::shortened;

/// Letters of a comment or a fault that are shown.
const LONGEST_WORDS: usize = 240;
/// Letters of a name that are shown.
const LONGEST_NAME: usize = 80;

/// A game for the page. Keys are short, since there may be a thousand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replay {
    /// What the list calls it.
    #[serde(rename = "t")]
    pub title: String,
    /// The players.
    #[serde(rename = "w")]
    pub white: String,
    /// The players.
    #[serde(rename = "b")]
    pub black: String,
    /// As PGN writes it.
    #[serde(rename = "r")]
    pub result: String,
    /// How it ended, and whose fault if one did.
    #[serde(rename = "e")]
    pub ending: String,
    /// Why it is here: `fault`, `audit` or `level`.
    #[serde(rename = "y")]
    pub why: &'static str,
    /// Whether the subject has Black, so that the board is turned.
    #[serde(rename = "k")]
    pub subject_is_black: bool,
    /// The board where it starts, as in a FEN.
    #[serde(rename = "f")]
    start: String,
    /// The number of the first move, negative where Black makes it.
    #[serde(rename = "n")]
    first: i64,
    /// Each ply as steps, blanks between: `e2e4`, `e7e8Q`, `e1g1/h1f1`, `e5d6xd5`.
    #[serde(rename = "m")]
    steps: String,
    /// Each ply as players write it.
    #[serde(rename = "s")]
    sans: String,
    /// After each ply what its player said, in centipawns from White or `#N`; null where nothing.
    #[serde(rename = "v")]
    scores: Vec<Option<ReplayScore>>,
    /// Words that came with plies, by place.
    #[serde(rename = "c", skip_serializing_if = "Vec::is_empty")]
    words: Vec<(usize, String)>,
}

/// A number of centipawns, or a mate as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum ReplayScore {
    Cp(i32),
    Mate(String),
}

/// One ply with what came with it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayPly {
    /// The move.
    pub m: Move,
    /// Its player's score, from the mover.
    pub score_stm: Option<Score>,
    /// Its player's words.
    pub words: Option<String>,
}

/// What is known of a game beside its moves. All of it may be strangers' text of any length.
#[derive(Clone, Debug, Default)]
pub struct ReplayHead {
    /// What the list calls it.
    pub title: String,
    /// The players, White first.
    pub players: [String; 2],
    /// As PGN writes it.
    pub result: String,
    /// How it ended.
    pub ending: String,
    /// Why it is here.
    pub why: &'static str,
    /// Whether the subject has Black.
    pub subject_is_black: bool,
}

impl Replay {
    /// A game whose plies are legal one after the other.
    #[must_use]
    pub fn new(head: &ReplayHead, start: &StartPosition, plies: &[ReplayPly]) -> Self {
        let mut position = start.position().clone();
        let number = i64::from(position.fullmoves().get());
        let first = if position.turn() == Color::White { number } else { -number };
        let board = board_field(position.board());
        let (mut steps, mut sans) = (Vec::new(), Vec::new());
        let (mut scores, mut words) = (Vec::new(), Vec::new());
        for (index, ply) in plies.iter().enumerate() {
            let white = position.turn() == Color::White;
            steps.push(steps_of(&position, ply.m));
            sans.push(san(&position, ply.m));
            let sign = if white { 1 } else { -1 };
            scores.push(ply.score_stm.map(|score| match score {
                Score::Cp(value) => ReplayScore::Cp(value.saturating_mul(sign)),
                Score::Mate(moves) => ReplayScore::Mate(format!("#{}", moves.saturating_mul(sign))),
            }));
            if let Some(text) = ply.words.as_deref().map(|text| shortened(text, LONGEST_WORDS)) {
                words.push((index, text));
            }
            position.play_unchecked(ply.m);
        }
        let [white, black] = head.players.each_ref().map(|name| shortened(name, LONGEST_NAME));
        Self {
            title: shortened(&head.title, LONGEST_NAME),
            white,
            black,
            result: shortened(&head.result, LONGEST_NAME),
            ending: shortened(&head.ending, LONGEST_WORDS),
            why: head.why,
            subject_is_black: head.subject_is_black,
            start: board,
            first,
            steps: steps.join(" "),
            sans: sans.join(" "),
            scores,
            words,
        }
    }

    /// About how many bytes it takes.
    #[must_use]
    pub fn size(&self) -> usize {
        serde_json::to_string(self).map_or(0, |text| text.len())
    }
}

/// The first field of a FEN.
fn board_field(board: &Board) -> String {
    board.to_string()
}

/// A move as the pieces that go from square to square.
fn steps_of(position: &Chess, m: Move) -> String {
    let color = position.turn();
    if let (Some(side), Some(king)) = (m.castling_side(), m.from()) {
        let rook = m.to();
        return format!("{king}{}/{rook}{}", king_to(side, color), rook_to(side, color));
    }
    let from = m.from().map(|square| square.to_string()).unwrap_or_default();
    let promoted = m.promotion().map(|role| role.upper_char().to_string()).unwrap_or_default();
    let passed = if m.is_en_passant() {
        // The pawn taken stands beside the one that takes.
        let taken = m.from().map(|square| {
            let file = m.to().file();
            crate::chess::Square::from_coords(file, square.rank()).to_string()
        });
        taken.map(|square| format!("x{square}")).unwrap_or_default()
    } else {
        String::new()
    };
    debug_assert!(m.role() == Role::Pawn || passed.is_empty());
    format!("{from}{}{promoted}{passed}", m.to())
}

fn king_to(side: CastlingSide, color: Color) -> String {
    side.king_to(color).to_string()
}

fn rook_to(side: CastlingSide, color: Color) -> String {
    side.rook_to(color).to_string()
}

/// How many games may be shown.
pub const MOST_GAMES: usize = 1000;

/// What of a game decides whether it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSketch {
    /// The opponent: games are taken evenly from each.
    pub opponent: usize,
    /// Whether a fault ended it.
    pub fault: bool,
}

/// Chooses games to show: those with faults, then `worst` in its order, then evenly by opponent, at most
/// `most`. Returns places in `games`, in order, each with the reason.
#[must_use]
pub fn choose_games(games: &[GameSketch], worst: &[usize], most: usize) -> Vec<(usize, &'static str)> {
    let mut chosen = std::collections::BTreeMap::new();
    let faults = games.iter().enumerate().filter(|(_, game)| game.fault).map(|(place, _)| (place, "fault"));
    let worst = worst.iter().filter(|place| **place < games.len()).map(|place| (*place, "audit"));
    for (place, why) in faults.chain(worst) {
        if chosen.len() < most {
            chosen.entry(place).or_insert(why);
        }
    }
    let mut opponents = std::collections::BTreeMap::<usize, Vec<usize>>::new();
    for (place, game) in games.iter().enumerate().filter(|(place, _)| !chosen.contains_key(place)) {
        opponents.entry(game.opponent).or_default().push(place);
    }
    // An equal share to each; what small ones leave goes to the others, smallest first.
    let mut left: Vec<Vec<usize>> = opponents.into_values().collect();
    left.sort_by_key(Vec::len);
    for index in 0..left.len() {
        let share = (most - chosen.len()) / (left.len() - index);
        let own = left.get(index).map(Vec::as_slice).unwrap_or_default();
        let taken = share.min(own.len());
        for nth in 0..taken {
            if let Some(place) = own.get(nth * own.len() / taken) {
                chosen.insert(*place, "level");
            }
        }
    }
    chosen.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::parse_engine_move;

    fn steps(fen: &str, uci: &str) -> String {
        let start = StartPosition::from_fen(fen).unwrap();
        let (m, _) = parse_engine_move(start.position(), uci).unwrap();
        steps_of(start.position(), m)
    }

    #[test]
    fn moves_are_steps_that_need_no_rules() {
        assert_eq!(steps("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "e1g1/h1f1");
        assert_eq!(steps("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"), "e1c1/a1d1");
        assert_eq!(steps("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), "e5d6xd5");
        assert_eq!(steps("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8n"), "b7b8N");
        // King takes rook: the king may not move at all.
        assert_eq!(steps("4k3/8/8/8/8/8/8/5RK1 w F - 0 1", "g1f1"), "g1c1/f1d1");
    }

    #[test]
    fn faults_come_first_then_the_worst_then_opponents_evenly() {
        let games: Vec<GameSketch> =
            (0..100).map(|place| GameSketch { opponent: place / 90, fault: place == 50 }).collect();
        let chosen = choose_games(&games, &[70, 50, 999], 20);
        assert_eq!(chosen.len(), 20);
        assert!(chosen.contains(&(50, "fault")) && chosen.contains(&(70, "audit")));
        let of_small = chosen.iter().filter(|(place, _)| *place >= 90).count();
        assert_eq!(of_small, 9, "{chosen:?}");
        assert_eq!(choose_games(&games, &[], 1000).len(), 100);
        assert_eq!(choose_games(&games, &[3], 1), [(50, "fault")]);
    }
}
