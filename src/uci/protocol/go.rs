//! The `go` command: what to search and for how long.

use std::fmt;

use super::quirk::Notes;
use super::text::{Words, write_field, write_list};

/// A `go` command. Times are in milliseconds; a clock may be below zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Only these moves are to be searched; empty means all.
    pub searchmoves: Vec<String>,
    /// The search is on the expected reply; it ends after `ponderhit` or `stop`.
    pub ponder: bool,
    /// White's clock.
    pub wtime_ms: Option<i64>,
    /// Black's clock.
    pub btime_ms: Option<i64>,
    /// White's increment.
    pub winc_ms: Option<i64>,
    /// Black's increment.
    pub binc_ms: Option<i64>,
    /// Moves to the next time control.
    pub movestogo: Option<u32>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Search for a mate in this many moves.
    pub mate: Option<u32>,
    /// Exactly this time.
    pub movetime_ms: Option<u64>,
    /// Until `stop`.
    pub infinite: bool,
    /// Count the positions at this depth instead of searching (Stockfish's extension).
    pub perft: Option<u32>,
}

fn is_go_keyword(word: &str) -> bool {
    matches!(
        word,
        "searchmoves"
            | "ponder"
            | "wtime"
            | "btime"
            | "winc"
            | "binc"
            | "movestogo"
            | "depth"
            | "nodes"
            | "mate"
            | "movetime"
            | "infinite"
            | "perft"
    )
}

/// Reads what follows the word `go`.
pub(super) fn parse_go(mut words: Words<'_>, notes: &mut Notes<'_>) -> Go {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        match word {
            "searchmoves" => {
                if !go.searchmoves.is_empty() {
                    notes.repeated(word);
                }
                go.searchmoves = words.take_moves();
                if go.searchmoves.is_empty() {
                    notes.missing_value(word);
                }
            }
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "wtime" => words.take_value(word, &mut go.wtime_ms, is_go_keyword, notes),
            "btime" => words.take_value(word, &mut go.btime_ms, is_go_keyword, notes),
            "winc" => words.take_value(word, &mut go.winc_ms, is_go_keyword, notes),
            "binc" => words.take_value(word, &mut go.binc_ms, is_go_keyword, notes),
            "movestogo" => words.take_value(word, &mut go.movestogo, is_go_keyword, notes),
            "depth" => words.take_value(word, &mut go.depth, is_go_keyword, notes),
            "nodes" => words.take_value(word, &mut go.nodes, is_go_keyword, notes),
            "mate" => words.take_value(word, &mut go.mate, is_go_keyword, notes),
            "movetime" => words.take_value(word, &mut go.movetime_ms, is_go_keyword, notes),
            "perft" => words.take_value(word, &mut go.perft, is_go_keyword, notes),
            _ => notes.unknown_word(word),
        }
    }
    go
}

/// The command as it is sent. `searchmoves` comes last: some engines take every word after it for
/// a move.
impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        write_field(f, "wtime", self.wtime_ms)?;
        write_field(f, "btime", self.btime_ms)?;
        write_field(f, "winc", self.winc_ms)?;
        write_field(f, "binc", self.binc_ms)?;
        write_field(f, "movestogo", self.movestogo)?;
        write_field(f, "depth", self.depth)?;
        write_field(f, "nodes", self.nodes)?;
        write_field(f, "mate", self.mate)?;
        write_field(f, "movetime", self.movetime_ms)?;
        write_field(f, "perft", self.perft)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        write_list(f, "searchmoves", &self.searchmoves)
    }
}
