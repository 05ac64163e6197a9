//! One game to PGN export format.
//!
//! Invariants: what is written does not depend on the clock, the locale or the machine; a line of
//! movetext has at most 79 characters unless one word is longer; nothing a tag or comment contains
//! can end that tag or comment early.

use std::io::{self, Write};

use crate::chess::game::Outcome;
use crate::chess::position::{CastlingMode, Color, Move, Position as _, StartPosition, san};

/// The standard asks for fewer than 80 columns.
const LINE_WIDTH: usize = 79;

/// A game to be written.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// Tag pairs in the order in which they are to stand. `Result` takes its value from
    /// [`PgnGame::result`]; `SetUp`, `FEN` and `Variant` are added when the start asks for them.
    pub tags: Vec<(String, String)>,
    /// Where the moves begin.
    pub start: StartPosition,
    /// The moves, each legal after those before it.
    pub moves: Vec<PgnMove>,
    /// Who won; none is written `*`.
    pub result: Option<Outcome>,
    /// A last remark, after the last move and its own comment.
    pub end_comment: Option<String>,
}

/// A move to be written.
#[derive(Clone, Debug)]
pub struct PgnMove {
    /// The move.
    pub m: Move,
    /// What stands in braces after it.
    pub comment: Option<String>,
}

/// Writes one game and the empty line that ends it.
///
/// In tag values, quotes and backslashes are escaped and control characters become spaces. In
/// comments, braces become parentheses.
///
/// # Errors
/// The output's own error; `InvalidInput` when a move is not legal where it stands (nothing is
/// written then).
pub fn write_pgn(output: &mut impl Write, game: &PgnGame) -> io::Result<()> {
    let movetext = movetext(game)?;
    for (name, value) in tag_pairs(game) {
        writeln!(output, "[{name} \"{value}\"]")?;
    }
    writeln!(output, "\n{movetext}\n")
}

fn result_text(game: &PgnGame) -> &'static str {
    game.result.map_or("*", Outcome::as_pgn)
}

fn tag_pairs(game: &PgnGame) -> Vec<(String, String)> {
    let mut start_tags = Vec::new();
    if game.start.castling_mode() == CastlingMode::Chess960 {
        start_tags.push(("Variant".to_owned(), "Chess960".to_owned()));
    }
    if !game.start.is_standard() {
        start_tags.push(("SetUp".to_owned(), "1".to_owned()));
        start_tags.push(("FEN".to_owned(), game.start.fen()));
    }
    let mut pairs: Vec<(String, String)> = Vec::with_capacity(game.tags.len() + 4);
    for (name, value) in &game.tags {
        let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let about_start = matches!(name.as_str(), "SetUp" | "FEN")
            || start_tags.iter().any(|(start_name, _)| *start_name == name);
        if name.is_empty() || about_start {
            continue;
        }
        let value = if name == "Result" { result_text(game).to_owned() } else { tag_value(value) };
        pairs.push((name, value));
    }
    if !pairs.iter().any(|(name, _)| name == "Result") {
        pairs.push(("Result".to_owned(), result_text(game).to_owned()));
    }
    pairs.extend(start_tags);
    pairs
}

fn tag_value(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => value.extend(['\\', c]),
            c if c.is_control() => value.push(' '),
            c => value.push(c),
        }
    }
    value.trim().to_owned()
}

fn movetext(game: &PgnGame) -> io::Result<String> {
    let mut lines = Wrapped::default();
    let mut position = game.start.position().clone();
    let mut number_due = true;
    for (ply, PgnMove { m, comment }) in game.moves.iter().enumerate() {
        if !position.is_legal(*m) {
            let reason = format!("move {} of the game to be written is not legal where it stands", ply + 1);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        let number = position.fullmoves();
        match position.turn() {
            Color::White => lines.word(&format!("{number}.")),
            Color::Black if number_due => lines.word(&format!("{number}...")),
            Color::Black => {}
        }
        lines.word(&san(&position, *m));
        number_due = lines.comment(comment.as_deref());
        position.play_unchecked(*m);
    }
    lines.comment(game.end_comment.as_deref());
    lines.word(result_text(game));
    Ok(lines.text)
}

/// Words filled into lines.
#[derive(Default)]
struct Wrapped {
    text: String,
    column: usize,
}

impl Wrapped {
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 && self.column + 1 + width > LINE_WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += width;
    }

    /// Writes a comment if there is anything in it, and says whether it did.
    fn comment(&mut self, comment: Option<&str>) -> bool {
        let safe: String = comment
            .unwrap_or_default()
            .chars()
            .map(|c| match c {
                '{' => '(',
                '}' => ')',
                c if c.is_control() => ' ',
                c => c,
            })
            .collect();
        // A line that begins with `%` is an escape, and one that begins with `[` looks like a tag:
        // such words stay with the word before them.
        let mut words: Vec<String> = Vec::new();
        for word in safe.split_whitespace() {
            match words.last_mut() {
                Some(last) if word.starts_with(['%', '[']) => {
                    last.push(' ');
                    last.push_str(word);
                }
                _ => words.push(word.to_owned()),
            }
        }
        let Some(last) = words.len().checked_sub(1) else { return false };
        for (index, word) in words.iter().enumerate() {
            let open = if index == 0 { "{" } else { "" };
            let close = if index == last { "}" } else { "" };
            self.word(&format!("{open}{word}{close}"));
        }
        true
    }
}
