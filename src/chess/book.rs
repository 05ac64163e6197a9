//! An opening book: positions with weighted moves, in a text of one line a position.
//!
//! ```text
//! elometer-book 1
//! # what the book was made from
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - | d2d4 12 | e2e4 3
//! ```
//!
//! The first line names format and version. Lines that start with `#` and blank lines say nothing
//! to a program. Every other line is a position by the first four fields of its FEN, then its moves
//! in UCI notation, each with a weight of at least 1. No position stands twice, no move twice in a
//! position, every move is legal.
//!
//! Knows neither players nor engines.

use std::collections::BTreeMap;
use std::fmt;

use super::position::{CastlingMode, Chess, Move, StartPosition, fen, parse_engine_move, uci};

/// The first line of the text.
const HEADER: &str = "elometer-book 1";

/// Positions and their weighted moves.
///
/// Invariant: positions and moves stand in an order that depends on nothing else: positions by
/// name, moves by weight, the greatest first, then by their UCI notation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    positions: BTreeMap<String, Vec<BookMove>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct BookMove {
    m: Move,
    weight: u32,
}

/// Why a text is no book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookError {
    /// The file, as the caller names it.
    pub source_name: String,
    /// The line, from 1.
    pub line: usize,
    /// What was found and what was expected.
    pub reason: String,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source_name, line, reason } = self;
        write!(
            f,
            "{source_name}:{line}: {reason}\nhint: `elometer book` writes books; docs/fallible.md has the format"
        )
    }
}

impl std::error::Error for BookError {}

/// What a book calls a position: the first four fields of its canonical FEN. Positions reached by
/// different moves share a name when board, side to move, castling rights and legal en passant
/// capture agree.
#[must_use]
pub fn position_name(position: &Chess) -> String {
    let fen = fen(position);
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    fields.join(" ")
}

impl Book {
    /// Reads a book. `source_name` is for messages.
    ///
    /// # Errors
    /// [`BookError`] for the first line that is not as the format says.
    ///
    /// ```
    /// use elometer::chess::{Book, Chess};
    ///
    /// let text = "elometer-book 1\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - | d2d4 12 | e2e4 3\n";
    /// let book = Book::parse(text, "example")?;
    /// assert_eq!(book.moves(&Chess::default()).len(), 2);
    /// assert_eq!(book.to_string(), text);
    /// # Ok::<(), elometer::chess::BookError>(())
    /// ```
    pub fn parse(text: &str, source_name: &str) -> Result<Self, BookError> {
        let error =
            |line: usize, reason: String| BookError { source_name: source_name.to_owned(), line, reason };
        let mut lines = text.trim_start_matches('\u{feff}').lines().zip(1..);
        let first = lines.next().map_or("", |(line, _)| line.trim());
        if first != HEADER {
            let found: String = first.chars().take(40).collect();
            return Err(error(1, format!("found `{found}`, expected `{HEADER}`")));
        }
        let mut book = Self::default();
        for (line, number) in lines {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                book.read_line(line).map_err(|reason| error(number, reason))?;
            }
        }
        Ok(book)
    }

    fn read_line(&mut self, line: &str) -> Result<(), String> {
        let mut parts = line.split('|').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let start = StartPosition::from_fen(&format!("{name} 0 1")).map_err(|error| error.to_string())?;
        if self.positions.contains_key(&position_name(start.position())) {
            return Err(format!("the position `{name}` stands here for the second time"));
        }
        let mut count = 0;
        for part in parts {
            let (text, weight) = part
                .split_once(' ')
                .ok_or_else(|| format!("found `{part}`, expected a move and its weight"))?;
            let (m, _) = parse_engine_move(start.position(), text)
                .map_err(|error| format!("the move `{text}` is {error}"))?;
            let weight = weight.trim().parse().ok().filter(|weight| *weight > 0).ok_or_else(|| {
                format!("the weight of {text}: found `{weight}`, expected a whole number from 1 on")
            })?;
            count += 1;
            if self.insert(start.position(), m, weight) != count {
                return Err(format!("the move `{text}` stands here twice"));
            }
        }
        if count == 0 { Err(format!("the position `{name}` has no move")) } else { Ok(()) }
    }

    /// Adds a legal move, in place of what was known of it, and returns how many moves the position
    /// has now.
    pub fn insert(&mut self, position: &Chess, m: Move, weight: u32) -> usize {
        let moves = self.positions.entry(position_name(position)).or_default();
        moves.retain(|known| known.m != m);
        moves.push(BookMove { m, weight });
        let order =
            |known: &BookMove| (std::cmp::Reverse(known.weight), uci(known.m, CastlingMode::Chess960));
        moves.sort_by_key(order);
        moves.len()
    }

    /// The moves for a position with their weights; none where the book ends.
    #[must_use]
    pub fn moves(&self, position: &Chess) -> Vec<(Move, u32)> {
        let moves = self.positions.get(&position_name(position));
        moves.into_iter().flatten().map(|known| (known.m, known.weight)).collect()
    }

    /// The number of positions.
    #[must_use]
    pub fn position_count(&self) -> usize {
        self.positions.len()
    }

    /// The number of moves, all positions together.
    #[must_use]
    pub fn move_count(&self) -> usize {
        self.positions.values().map(Vec::len).sum()
    }

    /// The text with `remarks` below its first line, each on a line of its own.
    #[must_use]
    pub fn text(&self, remarks: &[String]) -> String {
        let mut text = format!("{HEADER}\n");
        for remark in remarks {
            let remark: String = remark.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            text.push_str("# ");
            text.push_str(remark.trim_end());
            text.push('\n');
        }
        for (name, moves) in &self.positions {
            text.push_str(name);
            for BookMove { m, weight } in moves {
                // Of standard chess: a Chess960 book would say so in its castling rights.
                text.push_str(&format!(" | {} {weight}", uci(*m, CastlingMode::Standard)));
            }
            text.push('\n');
        }
        text
    }
}

/// The text without remarks.
impl fmt::Display for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&[]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn a_book_reads_as_it_was_written_whatever_the_order_of_its_lines() {
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - | e1c1 2 | e1g1 2 | a1a8 1";
        let text = format!("{HEADER}\n{castling}\n{START} | d2d4 12 | e2e4 3\n");
        let shuffled = format!(
            "\u{feff}{HEADER}\r\n# made by hand\r\n\r\n{START} | e2e4 3 | d2d4 12\r\n\
             r3k2r/8/8/8/8/8/8/R3K2R w KQkq - | e1g1 2 | a1a8 1 | e1c1 2\r\n"
        );
        let book = Book::parse(&shuffled, "shuffled").unwrap();
        assert_eq!(book.to_string(), text);
        assert_eq!(
            Book::parse(&book.text(&["one".to_owned(), "two\nlines".to_owned()]), "again"),
            Ok(book.clone())
        );
        assert_eq!((book.position_count(), book.move_count()), (2, 5));
        assert!(
            book.moves(StartPosition::from_fen("8/8/4k3/8/8/4K3/8/7R w - - 0 1").unwrap().position())
                .is_empty()
        );
    }

    #[test]
    fn what_is_no_book_is_refused_with_its_line() {
        let legal = "d2d4 12";
        for (text, line, word) in [
            (String::new(), 1, "expected `elometer-book 1`"),
            ("elometer-book 2\n".to_owned(), 1, "elometer-book 2"),
            (format!("{HEADER}\n# remark\n{START} | e2e5 1\n"), 3, "not legal"),
            (format!("{HEADER}\n{START} | d2d4\n"), 2, "a move and its weight"),
            (format!("{HEADER}\n{START} | d2d4 0\n"), 2, "from 1 on"),
            (format!("{HEADER}\n{START} | d2d4 -3\n"), 2, "from 1 on"),
            (format!("{HEADER}\n{START} | {legal} | {legal}\n"), 2, "twice"),
            (format!("{HEADER}\n{START} | {legal}\n{START} | {legal}\n"), 3, "second time"),
            (format!("{HEADER}\n{START}\n"), 2, "no move"),
            (format!("{HEADER}\n8/8/8/8/8/8/8/8 w - - | {legal}\n"), 2, "legal position"),
        ] {
            let error = Book::parse(&text, "book").unwrap_err();
            assert!(error.line == line && error.to_string().contains(word), "{text}: {error}");
        }
    }
}
