//! A file to its openings, whatever its format.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::epd::{begins_with_board, parse_line};
use super::error::OpeningsError;
use super::opening::Opening;
use crate::chess::game::{Ending, Game};
use crate::chess::pgn::lines::{LineError, Lines, decode};
use crate::chess::pgn::{PgnOptions, PgnReader, ReadGame};
use crate::chess::position::fen;

/// The most text that is read, after decompression.
pub(super) const LARGEST_FILE: u64 = 1 << 28;

/// Reads the openings of a file: EPD, FEN or PGN, told apart by what is in it; gzip or not.
///
/// Of a PGN book, each game gives one opening: its first `max_plies` moves, or all of them.
///
/// # Errors
/// [`OpeningsError`] names the file and the line.
pub fn read_openings(path: &Path, max_plies: Option<usize>) -> Result<Vec<Opening>, OpeningsError> {
    let source_name = path.display().to_string();
    let mut bytes = Vec::new();
    // Compressed text is bounded again once it is unpacked.
    File::open(path)
        .and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes))
        .map_err(|error| OpeningsError::Io { source_name: source_name.clone(), error })?;
    parse_openings(&bytes, &source_name, max_plies)
}

/// Reads the openings in `bytes`; `source_name` is for messages.
///
/// # Errors
/// As [`read_openings`].
///
/// ```
/// use elometer::chess::openings::parse_openings;
///
/// let text = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - eco \"B20\"; id \"Sicilian\";";
/// let openings = parse_openings(text.as_bytes(), "example", None)?;
/// assert_eq!(openings[0].name.as_deref(), Some("Sicilian"));
/// # Ok::<(), elometer::chess::openings::OpeningsError>(())
/// ```
pub fn parse_openings(
    bytes: &[u8],
    source_name: &str,
    max_plies: Option<usize>,
) -> Result<Vec<Opening>, OpeningsError> {
    let mut source = Source::new(bytes, source_name)?;
    let mut openings = Vec::new();
    while let Some((line, text)) = source.next_line()? {
        if begins_with_board(&text) {
            openings.push(ensure_playable(opening_of_line(&text, source_name, line)?, source_name)?);
        } else if openings.is_empty() && begins_pgn(&text) {
            return read_book(bytes, source_name, max_plies);
        } else {
            let found = shown(&text);
            return Err(OpeningsError::NotOpenings { source_name: source_name.to_owned(), line, found });
        }
    }
    if openings.is_empty() {
        return Err(OpeningsError::Empty { source_name: source_name.to_owned() });
    }
    Ok(openings)
}

/// Reads positions to ask an engine about, EPD or FEN: as [`parse_openings`], but a game that is
/// over by the clock or by material may be asked about too. One without a legal move may not.
///
/// # Errors
/// As [`read_openings`].
pub fn parse_positions(bytes: &[u8], source_name: &str) -> Result<Vec<Opening>, OpeningsError> {
    let mut source = Source::new(bytes, source_name)?;
    let mut positions = Vec::new();
    while let Some((line, text)) = source.next_line()? {
        if !begins_with_board(&text) {
            let found = shown(&text);
            return Err(OpeningsError::NotOpenings { source_name: source_name.to_owned(), line, found });
        }
        positions.push(ensure_movable(opening_of_line(&text, source_name, line)?, source_name)?);
    }
    if positions.is_empty() {
        return Err(OpeningsError::Empty { source_name: source_name.to_owned() });
    }
    Ok(positions)
}

/// The lines of a file that say something.
struct Source<'a> {
    lines: Lines<'a>,
    source_name: &'a str,
}

impl<'a> Source<'a> {
    fn new(bytes: &'a [u8], source_name: &'a str) -> Result<Self, OpeningsError> {
        let lines = Lines::new(bytes)
            .map_err(|error| OpeningsError::Io { source_name: source_name.to_owned(), error })?;
        Ok(Self { lines, source_name })
    }

    /// The next line that is neither blank nor a comment, with its number.
    fn next_line(&mut self) -> Result<Option<(u64, String)>, OpeningsError> {
        let source_name = || self.source_name.to_owned();
        loop {
            match self.lines.advance() {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(LineError::Io(error)) => {
                    return Err(OpeningsError::Io { source_name: source_name(), error });
                }
                Err(LineError::TooLong) => {
                    let line = self.lines.number();
                    return Err(OpeningsError::LineTooLong { source_name: source_name(), line });
                }
            }
            if self.lines.bytes() > LARGEST_FILE {
                return Err(OpeningsError::TooLarge { source_name: source_name() });
            }
            let text = decode(self.lines.line());
            let text = text.trim();
            if !text.trim_matches(';').is_empty() && !text.starts_with(['#', '%']) {
                return Ok(Some((self.lines.number(), text.to_owned())));
            }
        }
    }
}

fn begins_pgn(text: &str) -> bool {
    let word = text.trim_start_matches(|c: char| c.is_ascii_digit());
    text.starts_with(['[', '{', ';']) || (word.len() < text.len() && word.starts_with('.'))
}

fn shown(text: &str) -> String {
    text.chars().take(100).collect()
}

fn opening_of_line(text: &str, source_name: &str, line: u64) -> Result<Opening, OpeningsError> {
    let parsed = parse_line(text).map_err(|reason| OpeningsError::IllegalPosition {
        source_name: source_name.to_owned(),
        line,
        found: shown(text),
        reason,
    })?;
    Ok(Opening { eco: parsed.eco, name: parsed.name, start: parsed.start, moves: Vec::new(), line })
}

fn ensure_movable(opening: Opening, source_name: &str) -> Result<Opening, OpeningsError> {
    match Game::new(opening.start.clone()).ending() {
        Some(ending @ (Ending::Checkmate | Ending::Stalemate)) => Err(OpeningsError::GameOver {
            source_name: source_name.to_owned(),
            line: opening.line,
            fen: opening.start.fen(),
            ending,
        }),
        _ => Ok(opening),
    }
}

fn read_book(
    bytes: &[u8],
    source_name: &str,
    max_plies: Option<usize>,
) -> Result<Vec<Opening>, OpeningsError> {
    let options = PgnOptions { max_plies, comments: false, tags: None };
    let mut games = PgnReader::new(bytes, source_name, options).map_err(OpeningsError::from_pgn)?;
    let mut openings = Vec::new();
    while let Some(game) = games.next_game().map_err(OpeningsError::from_pgn)? {
        if games.bytes() > LARGEST_FILE {
            return Err(OpeningsError::TooLarge { source_name: source_name.to_owned() });
        }
        openings.push(opening_of_game(game, source_name)?);
    }
    if openings.is_empty() {
        return Err(OpeningsError::Empty { source_name: source_name.to_owned() });
    }
    Ok(openings)
}

fn opening_of_game(game: ReadGame, source_name: &str) -> Result<Opening, OpeningsError> {
    let name = match (game.tag("Opening"), game.tag("Variation")) {
        (Some(opening), Some(variation)) => Some(format!("{opening}: {variation}")),
        (opening, variation) => opening.or(variation).map(str::to_owned),
    };
    let eco = game.tag("ECO").map(str::to_owned);
    if let Some(fault) = game.fault {
        let source_name = source_name.to_owned();
        return Err(OpeningsError::BrokenGame { source_name, line: game.line, number: game.number, fault });
    }
    let moves = game.moves.iter().map(|read| read.m).collect();
    ensure_playable(Opening { eco, name, start: game.start, moves, line: game.line }, source_name)
}

fn ensure_playable(opening: Opening, source_name: &str) -> Result<Opening, OpeningsError> {
    let mut game = Game::new(opening.start.clone());
    for m in &opening.moves {
        game.play(*m);
    }
    match game.ending() {
        None => Ok(opening),
        Some(ending) => Err(OpeningsError::GameOver {
            source_name: source_name.to_owned(),
            line: opening.line,
            fen: fen(game.position()),
            ending,
        }),
    }
}
