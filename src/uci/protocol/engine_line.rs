//! From engine to program: which message a line is.
//!
//! The protocol says to skip words it does not know and to read on. Here the first word that can
//! start a message decides what the line is. Where other words stand before it, the message must
//! also be complete: chatter like `rejected bestmove e2e4 as illegal` is no answer, a prompt like
//! `> bestmove e2e4` is one. Nothing after the word `info` is ever taken for another message.

use std::fmt;

use super::best_move::{BestMove, is_complete_answer, parse_best_move};
use super::info::{Info, is_info_keyword, parse_info};
use super::option::OptionDeclaration;
use super::option_line::parse_option;
use super::quirk::{Notes, Quirk};
use super::text::{Words, decode, write_on_one_line};

/// One line from an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineMessage {
    /// `id name …` or `id author …`.
    Id(Id),
    /// `uciok`: the engine has declared all its options.
    UciOk,
    /// `readyok`: the engine has done what it was told before `isready`.
    ReadyOk,
    /// `option name …`: an option the engine has.
    Option(OptionDeclaration),
    /// `info …`: a report of the search.
    Info(Box<Info>),
    /// `bestmove …`: the end of a search.
    BestMove(BestMove),
    /// A blank line, a banner, `copyprotection`, `registration` and whatever is unknown.
    Other,
}

/// Who the engine is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Id {
    /// The engine's name, with its version.
    Name(String),
    /// Who made it.
    Author(String),
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (key, text) = match self {
            Self::Name(text) => ("name", text),
            Self::Author(text) => ("author", text),
        };
        write!(f, "id {key} ")?;
        write_on_one_line(f, text)
    }
}

/// Reads one line from an engine, with or without its line end; adds what was odd to `quirks`
/// (a bounded number for each line).
///
/// ```
/// use elometer::uci::protocol::{EngineMessage, Quirk, parse_engine_line};
/// let mut quirks = Vec::new();
/// let EngineMessage::Info(info) = parse_engine_line(b"info depth 12 nodes -7 pv e2e4", &mut quirks) else {
///     unreachable!()
/// };
/// assert_eq!((info.depth, info.nodes, info.pv), (Some(12), None, vec!["e2e4".to_owned()]));
/// assert_eq!(quirks, [Quirk::BadValue { field: "nodes".into(), value: "-7".into() }]);
/// ```
pub fn parse_engine_line(line: &[u8], quirks: &mut Vec<Quirk>) -> EngineMessage {
    let mut notes = Notes::new(quirks);
    let text = decode(line, &mut notes);
    let start = Words::new(&text);
    let mut words = start;
    let leading = words.take_until(is_message);
    let Some(message) = words.next() else {
        if !leading.is_empty() {
            notes.unknown_command(leading);
        }
        return EngineMessage::Other;
    };
    if !leading.is_empty() {
        if !is_complete(message, words) {
            notes.unknown_command(start.rest());
            return EngineMessage::Other;
        }
        notes.leading_words(leading);
    }
    parse_message(message, words, &mut notes)
}

fn is_message(word: &str) -> bool {
    matches!(
        word,
        "id" | "uciok" | "readyok" | "option" | "info" | "bestmove" | "copyprotection" | "registration"
    )
}

fn is_complete(message: &str, words: Words<'_>) -> bool {
    match message {
        "uciok" | "readyok" => words.peek().is_none(),
        "bestmove" => is_complete_answer(words),
        "info" => words.peek().is_some_and(is_info_keyword),
        "id" => matches!(words.peek(), Some("name" | "author")),
        "option" => words.peek() == Some("name"),
        _ => false,
    }
}

fn parse_message(message: &str, words: Words<'_>, notes: &mut Notes<'_>) -> EngineMessage {
    match message {
        "info" => EngineMessage::Info(Box::new(parse_info(words, notes))),
        "bestmove" => EngineMessage::BestMove(parse_best_move(words, notes)),
        "id" => parse_id(words, notes).map_or(EngineMessage::Other, EngineMessage::Id),
        "option" => parse_option(words, notes).map_or(EngineMessage::Other, EngineMessage::Option),
        "uciok" | "readyok" => {
            notes.trailing_words(words.rest());
            if message == "uciok" { EngineMessage::UciOk } else { EngineMessage::ReadyOk }
        }
        _ => EngineMessage::Other,
    }
}

fn parse_id(mut words: Words<'_>, notes: &mut Notes<'_>) -> Option<Id> {
    let make = match words.next() {
        Some("name") => Id::Name,
        Some("author") => Id::Author,
        Some(word) => {
            notes.unknown_word(word);
            return None;
        }
        None => {
            notes.missing_value("id");
            return None;
        }
    };
    if words.rest().is_empty() {
        notes.missing_value("id");
    }
    Some(make(words.rest().to_owned()))
}
