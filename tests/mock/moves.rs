//! The position and the move: a legal move that only the `position` text and the seed decide.

use elometer::chess::{CastlingMode, Chess, Game, Position as _, StartPosition, parse_engine_move, uci};
use elometer::uci::protocol::PositionCommand;

/// The position to move in.
pub struct Board {
    game: Game,
    hash: u64,
    mode: CastlingMode,
}

impl Board {
    /// The position the command names; the error says what is wrong with it.
    pub fn set_up(command: &PositionCommand, seed: u64, is_chess960: bool) -> Result<Self, String> {
        let start = match &command.fen {
            None => StartPosition::standard(),
            Some(fen) => StartPosition::from_fen(fen).map_err(|error| error.to_string())?,
        };
        let mode = if is_chess960 { CastlingMode::Chess960 } else { start.castling_mode() };
        let mut game = Game::new(start);
        for text in &command.moves {
            let (m, _) =
                parse_engine_move(game.position(), text).map_err(|error| format!("{text}: {error}"))?;
            game.play(m);
        }
        let hash = mix(fnv1a(command.to_string().as_bytes()) ^ mix(seed));
        Ok(Self { game, hash, mode })
    }

    /// The hash of position and seed.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The position after a move.
    pub fn after(&self, m: &str) -> Option<Chess> {
        let mut position = self.game.position().clone();
        let (m, _) = parse_engine_move(&position, m).ok()?;
        position.play_unchecked(m);
        Some(position)
    }

    /// A number that puts moves into an order of this position's own.
    pub fn shuffled(&self, m: &str) -> u64 {
        mix(self.hash ^ fnv1a(m.as_bytes()))
    }

    /// The legal moves in UCI notation, in alphabetical order.
    pub fn legal_moves(&self) -> Vec<String> {
        let moves = self.game.position().legal_moves();
        let mut moves: Vec<_> = moves.iter().map(|&m| uci(m, self.mode)).collect();
        moves.sort();
        moves
    }

    /// The move to play: that of the whole game in `play`, else the first or one by hash, of those
    /// `allowed` where there are any. `None` where the game is over.
    pub fn choose(&self, play: &[String], first: bool, allowed: &[String]) -> Option<String> {
        let mut legal = self.legal_moves();
        if legal.iter().any(|m| allowed.contains(m)) {
            legal.retain(|m| allowed.contains(m));
        }
        let planned = play.get(self.game.moves().len()).filter(|planned| legal.contains(planned));
        planned.cloned().or_else(|| {
            let count = u64::try_from(legal.len()).ok().filter(|&count| count > 0)?;
            let index = if first { 0 } else { self.hash % count };
            legal.into_iter().nth(index.try_into().ok()?)
        })
    }

    /// A well-formed move that is not legal here.
    pub fn illegal_move(&self) -> String {
        let legal = self.legal_moves();
        let candidates = ["a1h8", "h8a1", "a8h1", "h1a8"];
        candidates
            .into_iter()
            .find(|candidate| !legal.iter().any(|m| m == candidate))
            .unwrap_or("a1a1")
            .to_owned()
    }

    /// A promotion without its letter, where there is one.
    pub fn promotion_without_letter(&self) -> Option<String> {
        self.legal_moves().into_iter().find(|m| m.len() == 5).map(|m| m.chars().take(4).collect())
    }
}

/// The 64-bit FNV-1a hash.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Spreads a hash over all its bits (the finaliser of SplitMix64), so that its remainder by a
/// small number is even.
fn mix(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}
