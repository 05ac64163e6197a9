//! Games from a PGN stream for counting: who played whom, who won, and hashes by which openings and
//! copies are told. No move is set on a board and nothing is allocated per game.
//!
//! A move must look like one (`Nf3`, `e7e8q`, `O-O`); whether it is legal is not asked. Invariants
//! are those of [`super::PgnReader`]: no panic, no game left out in silence.

use std::io::Read;
use std::num::{NonZeroU32, NonZeroU64};

use super::bytes::{BEGINS_MOVE, IN_MOVE, RANK, roles_of};
use super::cursor::Cursor;
use super::error::PgnError;
use super::lines::decode;
use super::mix::mix;
use super::reader::{contradiction, is_chess, outcome_in_tag};
use super::tags::{TagPair, name_key, tag_text};
use super::tokens::{MoveSink, move_word};
use crate::chess::game::Outcome;

/// Plies after which an opening is told, where neither a `FEN` tag nor book comments tell it.
const NEAR_PLIES: u32 = 4;
/// Plies after which it is told more closely.
const DEEP_PLIES: u32 = 16;

/// `e7xd8=Q` has seven letters and signs.
const LONGEST_MOVE: usize = 8;

const FEN: u64 = name_key(b"FEN");
const RESULT: u64 = name_key(b"Result");
const WHITE: u64 = name_key(b"White");
const BLACK: u64 = name_key(b"Black");
const WHITE_ELO: u64 = name_key(b"WhiteElo");
const BLACK_ELO: u64 = name_key(b"BlackElo");
const ROUND: u64 = name_key(b"Round");
const VARIANT: u64 = name_key(b"Variant");

const STANDARD_START: [&[u8]; 4] = [b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", b"w", b"KQkq", b"-"];

/// Hashes of a game's start and moves: equal where they are equal, in the notation they stand in.
///
/// The opening is told by the `FEN` tag; else by the leading moves that a comment calls `book`; else
/// by the first 4 plies (`near`) and the first 16 (`deep`). Games without any of these have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MovesDigest {
    /// Of the whole game; none without a move.
    pub game: Option<NonZeroU64>,
    /// Of the opening.
    pub near: Option<NonZeroU32>,
    /// Of the opening, closer where it had to be guessed; none if the game ended before.
    pub deep: Option<NonZeroU32>,
    /// Whether the game has a start position of its own.
    pub own_start: bool,
}

impl MovesDigest {
    /// Of an opening: a start position and the moves from there, of which all belong to it.
    #[must_use]
    pub fn of_opening<'m>(fen: &str, moves: impl Iterator<Item = &'m str>) -> Self {
        let start = start_hash(fen.as_bytes());
        let hash = moves.fold(start.map_or(0, NonZeroU64::get), |hash, m| mix_bytes(hash, m.as_bytes()));
        Self { game: NonZeroU64::new(hash), near: short(hash), deep: short(hash), own_start: start.is_some() }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "half a hash is a hash")]
fn short(hash: u64) -> Option<NonZeroU32> {
    NonZeroU32::new(hash as u32)
}

/// A game as scanned. Text is as it stands in the file, escapes included.
#[derive(Debug, Default)]
pub struct ScannedGame {
    /// Its place in the file, from 1.
    pub number: u64,
    /// The line its first tag or move stands on, from 1.
    pub line: u64,
    /// The `White` tag; empty without one.
    pub white: Vec<u8>,
    /// The `Black` tag.
    pub black: Vec<u8>,
    /// The `WhiteElo` tag.
    pub white_elo: Vec<u8>,
    /// The `BlackElo` tag.
    pub black_elo: Vec<u8>,
    /// The `Round` tag.
    pub round: Vec<u8>,
    /// Start and moves.
    pub moves: MovesDigest,
    /// Who won, by the `Result` tag, else by the end of the movetext; none for `*`.
    pub outcome: Option<Outcome>,
    /// What is wrong with the game.
    pub fault: Option<String>,
}

/// Scans games from PGN, plain, gzip or zstd.
///
/// ```
/// use elometer::chess::pgn::PgnScanner;
///
/// let text = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 {a comment} 2. Nf3 1-0\n";
/// let mut scanner = PgnScanner::new(text.as_bytes(), "example")?;
/// let game = scanner.next_game()?.unwrap();
/// assert_eq!(game.black, b"B");
/// assert!(game.moves.game.is_some());
/// # Ok::<(), elometer::chess::pgn::PgnError>(())
/// ```
pub struct PgnScanner<'a> {
    cursor: Cursor<'a>,
    game: ScannedGame,
}

impl std::fmt::Debug for PgnScanner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PgnScanner").field("source_name", &self.cursor.source_name()).finish_non_exhaustive()
    }
}

impl<'a> PgnScanner<'a> {
    /// A scanner of `reader`, which needs no buffer of its own. `source_name` is for messages.
    ///
    /// # Errors
    /// [`PgnError::Io`] when not even the first bytes can be read.
    pub fn new(reader: impl Read + 'a, source_name: impl Into<String>) -> Result<Self, PgnError> {
        Ok(Self { cursor: Cursor::new(reader, source_name.into())?, game: ScannedGame::default() })
    }

    /// The next game, or none at the end of the file. Its memory is used again for the one after.
    ///
    /// # Errors
    /// [`PgnError`] when the source fails or is no text. What is wrong inside a game is in its
    /// `fault` instead.
    pub fn next_game(&mut self) -> Result<Option<&ScannedGame>, PgnError> {
        if !self.cursor.skip_between_games()? {
            return Ok(None);
        }
        let game = &mut self.game;
        game.clear();
        game.line = self.cursor.line_number();
        let mut start = None;
        let mut result = None;
        self.cursor.read_tags(|pair| match pair.key {
            FEN => start = start_hash(pair.value),
            RESULT => result = Some(outcome_in_tag(pair.value)),
            _ => game.take(pair),
        })?;
        let mut moves = MoveScan::new(start);
        let marker = self.cursor.read_movetext(&mut moves)?;
        game.number += 1;
        game.moves = moves.digest();
        game.outcome = result.unwrap_or(marker.flatten());
        game.fault = game.fault.take().or(moves.fault).or_else(|| contradiction(result, marker));
        Ok(Some(game))
    }
}

impl ScannedGame {
    fn clear(&mut self) {
        for text in
            [&mut self.white, &mut self.black, &mut self.white_elo, &mut self.black_elo, &mut self.round]
        {
            text.clear();
        }
        self.fault = None;
    }

    fn take(&mut self, pair: &TagPair<'_>) {
        let place = match pair.key {
            WHITE => &mut self.white,
            BLACK => &mut self.black,
            WHITE_ELO => &mut self.white_elo,
            BLACK_ELO => &mut self.black_elo,
            ROUND => &mut self.round,
            VARIANT => {
                let variant = tag_text(pair.value);
                if !is_chess(&variant) {
                    self.fault = Some(format!("the variant is `{variant}`, expected chess or Chess960"));
                }
                return;
            }
            _ => return,
        };
        // The first tag of a name counts.
        if place.is_empty() {
            place.extend_from_slice(pair.value.trim_ascii());
        }
    }
}

/// A hash of board, turn, castling and en passant; none for the usual start.
fn start_hash(fen: &[u8]) -> Option<NonZeroU64> {
    let mut fields = fen.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let fields: [&[u8]; 4] = std::array::from_fn(|_| fields.next().unwrap_or_default());
    if fields == STANDARD_START {
        return None;
    }
    NonZeroU64::new(fields.iter().fold(1, |hash, field| mix_bytes(mix(hash, 0), field)))
}

fn mix_bytes(state: u64, bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(state, |state, chunk| {
        mix(state, chunk.iter().fold(1, |word: u64, byte| word << 8 | u64::from(*byte)))
    })
}

/// The moves of a game as they come in.
struct MoveScan {
    start: Option<NonZeroU64>,
    hash: u64,
    plies: u32,
    near: u64,
    deep: u64,
    book: u64,
    book_plies: u32,
    /// No part of the present comment has been seen.
    comment_begins: bool,
    fault: Option<String>,
}

impl MoveScan {
    fn new(start: Option<NonZeroU64>) -> Self {
        Self {
            start,
            hash: start.map_or(0, NonZeroU64::get),
            plies: 0,
            near: 0,
            deep: 0,
            book: 0,
            book_plies: 0,
            comment_begins: true,
            fault: None,
        }
    }

    fn digest(&self) -> MovesDigest {
        let (near, deep) = match self.start {
            Some(start) => (start.get(), start.get()),
            None if self.book_plies > 0 => (self.book, self.book),
            None => (self.near, self.deep),
        };
        MovesDigest {
            game: NonZeroU64::new(self.hash).filter(|_| self.plies > 0),
            near: short(near),
            deep: short(deep),
            own_start: self.start.is_some(),
        }
    }
}

impl MoveSink for MoveScan {
    fn word(&mut self, word: &[u8]) {
        if self.fault.is_some() {
            return;
        }
        let Some(m) = move_word(word) else { return };
        let Some(code) = move_code(m) else {
            let shown: String = decode(word).chars().take(40).collect();
            self.set_fault(format!("ply {}: `{shown}` is no move", self.plies + 1));
            return;
        };
        self.hash = mix(self.hash, code);
        self.plies = self.plies.saturating_add(1);
        match self.plies {
            NEAR_PLIES => self.near = self.hash,
            DEEP_PLIES => self.deep = self.hash,
            _ => {}
        }
    }

    fn comment(&mut self, part: &[u8], ends: bool, main_line: bool) {
        if self.comment_begins
            && main_line
            && self.book_plies + 1 == self.plies
            && part.trim_ascii_start().get(..4).is_some_and(|word| word.eq_ignore_ascii_case(b"book"))
        {
            (self.book, self.book_plies) = (self.hash, self.plies);
        }
        self.comment_begins = ends;
    }

    fn set_fault(&mut self, fault: String) {
        self.fault.get_or_insert(fault);
    }
}

/// A word of the form of a move, in algebraic or UCI notation, as a number.
fn move_code(word: &[u8]) -> Option<u64> {
    let (mut all, mut any, mut code) = (IN_MOVE, 0, 0);
    for byte in word {
        let roles = roles_of(*byte);
        all &= roles;
        any |= roles;
        code = code << 8 | u64::from(*byte);
    }
    let begins = word.first().map_or(0, |byte| roles_of(*byte));
    let is_move = (all != 0 && any & RANK != 0 && begins & BEGINS_MOVE != 0 && word.len() <= LONGEST_MOVE)
        || matches!(word, b"O-O" | b"O-O-O" | b"0-0" | b"0-0-0");
    is_move.then_some(code)
}
