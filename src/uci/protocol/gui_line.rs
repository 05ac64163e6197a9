//! From program to engine: the commands, for the driver that writes them and the built-in engines
//! that read them.

use std::fmt;

use super::go::{Go, parse_go};
use super::option::{OptionDeclaration, shown};
use super::option_line;
use super::quirk::{Notes, Quirk};
use super::text::{Words, decode, write_list, write_on_one_line};

/// One line to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GuiCommand {
    /// `uci`: say who you are.
    Uci,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `isready`: answer when all before is done.
    IsReady,
    /// `setoption name N value V`; without `value` it presses a button. An empty value is written
    /// `<empty>`.
    SetOption {
        /// The option's name.
        name: String,
        /// The value; `None` for a button.
        value: Option<String>,
    },
    /// `register …`, with the words after it.
    Register(String),
    /// `ucinewgame`: what follows is of another game.
    UciNewGame,
    /// `position …`.
    Position(PositionCommand),
    /// `go …`.
    Go(Go),
    /// `stop`: end the search and answer.
    Stop,
    /// `ponderhit`: the expected reply was played.
    PonderHit,
    /// `quit`.
    Quit,
    /// Anything else, also commands whose meaning is lost (`position` without a position, `debug`
    /// without on or off): the line as it stands. Empty for a blank line.
    Other(String),
}

/// The position to search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionCommand {
    /// The FEN of the first position; `None` is the usual initial position.
    pub fen: Option<String>,
    /// The moves played from there, as written.
    pub moves: Vec<String>,
}

/// Reads one line to an engine, with or without its line end; adds what was odd to `quirks` (a
/// bounded number for each line).
///
/// Words before the first one that starts a command are skipped, as the protocol says of
/// `joho debug on`.
pub fn parse_gui_line(line: &[u8], quirks: &mut Vec<Quirk>) -> GuiCommand {
    let mut notes = Notes::new(quirks);
    let text = decode(line, &mut notes);
    let start = Words::new(&text);
    let mut words = start;
    let leading = words.take_until(is_command);
    let Some(command) = words.next() else {
        if !leading.is_empty() {
            notes.unknown_command(leading);
        }
        return GuiCommand::Other(leading.to_owned());
    };
    if !leading.is_empty() {
        notes.leading_words(leading);
    }
    parse_command(command, words, &mut notes).unwrap_or_else(|| GuiCommand::Other(start.rest().to_owned()))
}

fn is_command(word: &str) -> bool {
    matches!(
        word,
        "uci"
            | "debug"
            | "isready"
            | "setoption"
            | "register"
            | "ucinewgame"
            | "position"
            | "go"
            | "stop"
            | "ponderhit"
            | "quit"
    )
}

/// `None` when the command's meaning is lost.
fn parse_command(command: &str, mut words: Words<'_>, notes: &mut Notes<'_>) -> Option<GuiCommand> {
    let bare = match command {
        "setoption" => return parse_set_option(words, notes),
        "register" => return Some(GuiCommand::Register(words.rest().to_owned())),
        "position" => return parse_position(words, notes).map(GuiCommand::Position),
        "go" => return Some(GuiCommand::Go(parse_go(words, notes))),
        "debug" => match words.next() {
            Some("on") => GuiCommand::Debug(true),
            Some("off") => GuiCommand::Debug(false),
            Some(word) => {
                notes.bad_value(command, word);
                return None;
            }
            None => {
                notes.missing_value(command);
                return None;
            }
        },
        "uci" => GuiCommand::Uci,
        "isready" => GuiCommand::IsReady,
        "ucinewgame" => GuiCommand::UciNewGame,
        "stop" => GuiCommand::Stop,
        "ponderhit" => GuiCommand::PonderHit,
        "quit" => GuiCommand::Quit,
        _ => return None,
    };
    notes.trailing_words(words.rest());
    Some(bare)
}

/// The name ends at the first word `value`; [`GuiCommand::with_declared`] mends the rest.
fn parse_set_option(mut words: Words<'_>, notes: &mut Notes<'_>) -> Option<GuiCommand> {
    if words.next() != Some("name") {
        notes.missing_value("setoption");
        return None;
    }
    let name = words.take_until(|word| word == "value").to_owned();
    if name.is_empty() {
        notes.missing_value("name");
        return None;
    }
    let value = words.next().map(|_| option_line::text(words.rest()));
    Some(GuiCommand::SetOption { name, value })
}

fn parse_position(mut words: Words<'_>, notes: &mut Notes<'_>) -> Option<PositionCommand> {
    let fen = match words.peek() {
        Some("startpos") => {
            words.next();
            notes.trailing_words(words.take_until(|word| word == "moves"));
            None
        }
        // Without the word `fen` a position is still known by its slashes.
        Some(word) if word == "fen" || word.contains('/') => {
            if word == "fen" {
                words.next();
            } else {
                notes.missing_value("position");
            }
            let fields = Words::new(words.take_until(|word| word == "moves")).collect::<Vec<_>>();
            if fields.is_empty() {
                notes.missing_value("fen");
                return None;
            }
            Some(fields.join(" "))
        }
        _ => {
            notes.missing_value("position");
            return None;
        }
    };
    words.next();
    Some(PositionCommand { fen, moves: words.map(str::to_owned).collect() })
}

impl GuiCommand {
    /// Mends a `setoption` whose name holds the word `value`, which no rule of the protocol tells
    /// from the keyword: the longest name among those declared decides. Other commands, and names
    /// that were not declared, stay as they are.
    #[must_use]
    pub fn with_declared(self, declared: &[OptionDeclaration]) -> Self {
        let Self::SetOption { name, value: Some(value) } = &self else { return self };
        let text = format!("{name} value {value}");
        let longest = declared
            .iter()
            .filter(|option| option.name.len() > name.len())
            .filter_map(|option| {
                let start = text.get(..option.name.len()).filter(|start| option.is_named(start))?;
                let mut rest = Words::new(text.get(option.name.len()..)?);
                let value = match rest.next() {
                    None => None,
                    Some("value") => Some(option_line::text(rest.rest())),
                    Some(_) => return None,
                };
                Some((start.to_owned(), value))
            })
            .max_by_key(|(name, _)| name.len());
        match longest {
            Some((name, value)) => Self::SetOption { name, value },
            None => self,
        }
    }
}

impl fmt::Display for GuiCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::Debug(true) => f.write_str("debug on"),
            Self::Debug(false) => f.write_str("debug off"),
            Self::IsReady => f.write_str("isready"),
            Self::SetOption { name, value } => {
                f.write_str("setoption name ")?;
                write_on_one_line(f, name)?;
                if let Some(value) = value {
                    f.write_str(" value ")?;
                    write_on_one_line(f, &shown(value))?;
                }
                Ok(())
            }
            Self::Register(words) => {
                f.write_str("register ")?;
                write_on_one_line(f, words)
            }
            Self::UciNewGame => f.write_str("ucinewgame"),
            Self::Position(position) => position.fmt(f),
            Self::Go(go) => go.fmt(f),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
            Self::Other(line) => write_on_one_line(f, line),
        }
    }
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fen {
            None => f.write_str("position startpos")?,
            Some(fen) => {
                f.write_str("position fen ")?;
                write_on_one_line(f, fen)?;
            }
        }
        write_list(f, "moves", &self.moves)
    }
}
