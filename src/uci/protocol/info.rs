//! The `info` line: what an engine reports of its search.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::quirk::Notes;
use super::text::{Words, looks_like_move, write_field, write_list, write_on_one_line};
use crate::chess::{Bound, Score};

/// A score with its bound, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct InfoScore {
    /// The value.
    pub score: Score,
    /// Whether it is the value itself or a bound on it.
    pub bound: Bound,
}

/// The engine's expectation in permille, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Wdl {
    /// Wins.
    pub win: u32,
    /// Draws.
    pub draw: u32,
    /// Losses.
    pub loss: u32,
}

/// The line an engine is looking at (`currline`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CurrentLine {
    /// The number of the processor, where given.
    pub cpu: Option<u32>,
    /// The moves.
    pub moves: Vec<String>,
}

/// One `info` line. Every field is optional and may stand anywhere on the line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Selective depth in plies.
    pub seldepth: Option<u32>,
    /// The rank of this line among several, from 1.
    pub multipv: Option<u32>,
    /// The score, from the side to move.
    pub score: Option<InfoScore>,
    /// The expectation, from the side to move.
    pub wdl: Option<Wdl>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Tablebase hits.
    pub tbhits: Option<u64>,
    /// Time searched, in milliseconds.
    pub time_ms: Option<u64>,
    /// How full the hash table is, in permille.
    pub hashfull: Option<u32>,
    /// Processor use, in permille.
    pub cpuload: Option<u32>,
    /// The root move being searched.
    pub currmove: Option<String>,
    /// Its number, from 1.
    pub currmovenumber: Option<u32>,
    /// The principal variation; empty when none was given.
    pub pv: Vec<String>,
    /// A refuted move and the line that refutes it; empty when none was given.
    pub refutation: Vec<String>,
    /// The line being searched.
    pub currline: Option<CurrentLine>,
    /// Free text, as it stands.
    pub string: Option<String>,
}

/// Whether a word starts a field of an `info` line.
pub(super) fn is_info_keyword(word: &str) -> bool {
    matches!(
        word,
        "depth"
            | "seldepth"
            | "multipv"
            | "score"
            | "cp"
            | "mate"
            | "lowerbound"
            | "upperbound"
            | "wdl"
            | "nodes"
            | "nps"
            | "tbhits"
            | "time"
            | "hashfull"
            | "cpuload"
            | "currmove"
            | "currmovenumber"
            | "pv"
            | "refutation"
            | "currline"
            | "string"
    )
}

/// Reads what follows the word `info`.
///
/// The parts of a score are fields like any other, so that `score cp 13 lowerbound`,
/// `score lowerbound cp 13` and `score cp 13 nodes 5 lowerbound` are the same.
pub(super) fn parse_info(words: Words<'_>, notes: &mut Notes<'_>) -> Info {
    let mut reader = Reader { words, notes };
    let mut info = Info::default();
    let (mut centipawns, mut mate) = (None, None);
    let mut value = None;
    let mut bound = Bound::Exact;
    let mut after_unknown = false;
    while let Some(word) = reader.words.next() {
        let mut unknown = false;
        match word {
            "depth" => reader.number(word, &mut info.depth),
            "seldepth" => reader.number(word, &mut info.seldepth),
            "multipv" => reader.number(word, &mut info.multipv),
            "nodes" => reader.number(word, &mut info.nodes),
            "nps" => reader.number(word, &mut info.nps),
            "tbhits" => reader.number(word, &mut info.tbhits),
            "time" => reader.number(word, &mut info.time_ms),
            "hashfull" => reader.number(word, &mut info.hashfull),
            "cpuload" => reader.number(word, &mut info.cpuload),
            "currmove" => reader.number(word, &mut info.currmove),
            "currmovenumber" => reader.number(word, &mut info.currmovenumber),
            "score" => reader.score_follows(),
            "cp" => {
                reader.number(word, &mut centipawns);
                value = centipawns.map(Score::Cp).or(value);
            }
            "mate" => {
                reader.number(word, &mut mate);
                value = mate.map(Score::Mate).or(value);
            }
            "lowerbound" => bound = Bound::Lower,
            "upperbound" => bound = Bound::Upper,
            "wdl" => reader.wdl(&mut info.wdl),
            "pv" => reader.moves(word, &mut info.pv),
            "refutation" => reader.moves(word, &mut info.refutation),
            "currline" => info.currline = Some(reader.current_line()),
            "string" => {
                info.string = Some(reader.words.rest_verbatim().to_owned());
                break;
            }
            _ => {
                unknown = true;
                if !after_unknown {
                    reader.notes.unknown_word(word);
                }
            }
        }
        after_unknown = unknown;
    }
    info.score = value.map(|score| InfoScore { score, bound });
    info
}

struct Reader<'text, 'notes, 'quirks> {
    words: Words<'text>,
    notes: &'notes mut Notes<'quirks>,
}

impl Reader<'_, '_, '_> {
    fn number<T: std::str::FromStr>(&mut self, field: &str, slot: &mut Option<T>) {
        self.words.take_value(field, slot, is_info_keyword, self.notes);
    }

    fn score_follows(&mut self) {
        if !matches!(self.words.peek(), Some("cp" | "mate" | "lowerbound" | "upperbound")) {
            self.notes.missing_value("score");
        }
    }

    fn wdl(&mut self, slot: &mut Option<Wdl>) {
        if slot.is_some() {
            self.notes.repeated("wdl");
        }
        let (mut win, mut draw, mut loss) = (None, None, None);
        self.number("wdl", &mut win);
        if win.is_some() {
            self.number("wdl", &mut draw);
        }
        if draw.is_some() {
            self.number("wdl", &mut loss);
        }
        let (Some(win), Some(draw), Some(loss)) = (win, draw, loss) else { return };
        let sum = u64::from(win) + u64::from(draw) + u64::from(loss);
        // Rounded each for itself, the three may miss a thousand by a little.
        if sum.abs_diff(1_000) <= 3 {
            *slot = Some(Wdl { win, draw, loss });
        } else {
            self.notes.bad_value("wdl", &format!("{win} {draw} {loss}"));
        }
    }

    fn moves(&mut self, field: &str, slot: &mut Vec<String>) {
        if !slot.is_empty() {
            self.notes.repeated(field);
        }
        let moves = self.words.take_moves();
        if moves.is_empty() {
            self.notes.missing_value(field);
        } else {
            *slot = moves;
        }
    }

    fn current_line(&mut self) -> CurrentLine {
        let mut line = CurrentLine::default();
        let cpu = self.words.peek().filter(|word| !looks_like_move(word));
        if let Some(cpu) = cpu.and_then(|word| word.parse().ok()) {
            line.cpu = Some(cpu);
            self.words.next();
        }
        self.moves("currline", &mut line.moves);
        line
    }
}

/// The line as an engine writes it, in the order that Stockfish uses; free text comes last.
impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        write_field(f, "depth", self.depth)?;
        write_field(f, "seldepth", self.seldepth)?;
        write_field(f, "multipv", self.multipv)?;
        write_field(f, "score", self.score)?;
        if let Some(Wdl { win, draw, loss }) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        write_field(f, "nodes", self.nodes)?;
        write_field(f, "nps", self.nps)?;
        write_field(f, "hashfull", self.hashfull)?;
        write_field(f, "tbhits", self.tbhits)?;
        write_field(f, "time", self.time_ms)?;
        write_field(f, "cpuload", self.cpuload)?;
        write_field(f, "currmove", self.currmove.as_ref())?;
        write_field(f, "currmovenumber", self.currmovenumber)?;
        write_list(f, "refutation", &self.refutation)?;
        if let Some(line) = &self.currline {
            f.write_str(" currline")?;
            line.cpu.map_or(Ok(()), |cpu| write!(f, " {cpu}"))?;
            line.moves.iter().try_for_each(|word| write!(f, " {word}"))?;
        }
        write_list(f, "pv", &self.pv)?;
        match self.string.as_deref() {
            None => Ok(()),
            Some("") => f.write_str(" string"),
            Some(text) => {
                f.write_str(" string ")?;
                write_on_one_line(f, text)
            }
        }
    }
}

/// As on an `info` line: `cp 13`, `mate -3 upperbound`.
impl fmt::Display for InfoScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            Score::Cp(value) => write!(f, "cp {value}")?,
            Score::Mate(moves) => write!(f, "mate {moves}")?,
        }
        f.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })
    }
}
