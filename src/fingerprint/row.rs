//! One row: what an engine answered on one position, as canonical text.
//!
//! Invariant: a cell holds no tab, no line end and no other control character, so that the text of
//! a row can be split at tabs by any tool.

use std::fmt;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::chess::Score;
use crate::uci::process::{SearchReport, Searched};

/// What stands in a cell without a value.
const ABSENT: &str = "-";

/// The columns that an engine fills, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    /// The word after `bestmove`.
    Move,
    /// The depth of the score, in plies.
    Depth,
    /// The score from the side to move with its kind and bound: `cp 13`, `mate -3 upperbound`.
    Score,
    /// Nodes searched.
    Nodes,
    /// The principal variation.
    Pv,
    /// The engine's words: the `info string` lines asked for.
    Sentence,
}

impl Column {
    /// All, in the order of the file.
    pub const ALL: [Self; 6] = [Self::Move, Self::Depth, Self::Score, Self::Nodes, Self::Pv, Self::Sentence];

    /// The name in the header line and in manifests.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Depth => "depth",
            Self::Score => "score",
            Self::Nodes => "nodes",
            Self::Pv => "pv",
            Self::Sentence => "sentence",
        }
    }

    /// Whether the column says what was searched rather than what was told about it.
    #[must_use]
    pub fn is_search(self) -> bool {
        self != Self::Sentence
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A position and the canonical text of what the engine answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    fen: String,
    cells: [String; 6],
}

impl Row {
    /// The first line of a file of rows, without its line end.
    #[must_use]
    pub fn header() -> String {
        Column::ALL.iter().fold("fen".to_owned(), |line, column| line + "\t" + column.name())
    }

    /// The row of one search.
    #[must_use]
    pub fn new(fen: &str, report: &SearchReport) -> Self {
        let first = report.lines.first();
        let number = |number: Option<u64>| number.map_or_else(|| ABSENT.to_owned(), |n| n.to_string());
        let list = |items: &[String], between: &str| {
            if items.is_empty() { ABSENT.to_owned() } else { escape(&items.join(between)) }
        };
        let score = first.and_then(|line| line.score);
        Self {
            fen: escape(fen),
            cells: [
                escape(&report.best.token),
                number(report.depth().map(u64::from)),
                score.map_or_else(|| ABSENT.to_owned(), |score| score.to_string()),
                number(report.nodes()),
                list(first.map_or(&[], |line| line.pv.as_slice()), " "),
                list(&report.words, "\n"),
            ],
        }
    }

    /// Reads a line without its line end; the error says what is wrong with it.
    ///
    /// # Errors
    /// Another number of cells, or a character that no cell holds.
    pub fn parse(line: &str) -> Result<Self, String> {
        if let Some(c) = line.chars().find(|c| c.is_control() && *c != '\t') {
            return Err(format!("the control character {:#04x}", u32::from(c)));
        }
        let found = line.split('\t').count();
        let mut cells = line.split('\t').map(str::to_owned);
        let mut next = || cells.next().ok_or_else(|| format!("{found} cells, expected 7"));
        let fen = next()?;
        let row = Self { fen, cells: [next()?, next()?, next()?, next()?, next()?, next()?] };
        if cells.next().is_some() { Err(format!("{found} cells, expected 7")) } else { Ok(row) }
    }

    /// The position, as a canonical FEN.
    #[must_use]
    pub fn fen(&self) -> &str {
        &self.fen
    }

    /// The text of one cell.
    #[must_use]
    pub fn cell(&self, column: Column) -> &str {
        let [mv, depth, score, nodes, pv, sentence] = &self.cells;
        match column {
            Column::Move => mv,
            Column::Depth => depth,
            Column::Score => score,
            Column::Nodes => nodes,
            Column::Pv => pv,
            Column::Sentence => sentence,
        }
    }

    /// What the search used of its limit, as the engine reported it.
    #[must_use]
    pub fn searched(&self) -> Searched {
        let depth = self.cell(Column::Depth).parse().ok();
        Searched { nodes: self.nodes(), depth, time_ms: None }
    }

    /// The score, exact or a bound, where there is one.
    #[must_use]
    pub fn score(&self) -> Option<Score> {
        let mut words = self.cell(Column::Score).split(' ');
        let (unit, value) = (words.next()?, words.next()?.parse().ok()?);
        match unit {
            "cp" => Some(Score::Cp(value)),
            "mate" => Some(Score::Mate(value)),
            _ => None,
        }
    }

    /// The same row with nothing in these columns.
    pub(super) fn without(&self, columns: &[Column]) -> Self {
        let kept = |column: Column| if columns.contains(&column) { ABSENT } else { self.cell(column) };
        Self { fen: self.fen.clone(), cells: Column::ALL.map(|column| kept(column).to_owned()) }
    }

    /// The nodes searched, where the engine said so.
    #[must_use]
    pub fn nodes(&self) -> Option<u64> {
        self.cell(Column::Nodes).parse().ok()
    }

    /// An exact score in centipawns, where it is one.
    #[must_use]
    pub fn centipawns(&self) -> Option<i64> {
        self.cell(Column::Score).strip_prefix("cp ")?.parse().ok()
    }
}

/// The line without its line end.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen)?;
        self.cells.iter().try_for_each(|cell| write!(f, "\t{cell}"))
    }
}

/// Text as a cell holds it: backslash, control characters and a lone `-` are written as escapes.
fn escape(text: &str) -> String {
    if text == ABSENT {
        return format!("\\{ABSENT}");
    }
    let mut cell = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => cell.push_str("\\\\"),
            '\t' => cell.push_str("\\t"),
            '\n' => cell.push_str("\\n"),
            '\r' => cell.push_str("\\r"),
            c if c.is_control() => {
                // Writing to a String cannot fail.
                let _ = write!(cell, "\\x{:02x}", u32::from(c));
            }
            c => cell.push(c),
        }
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Bound, Score};
    use crate::uci::protocol::{BestMove, Info, InfoScore};

    const FEN: &str = "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1";

    #[test]
    fn a_row_has_seven_cells_whatever_the_engine_says() {
        let info = Info {
            depth: Some(300),
            score: Some(InfoScore { score: Score::Mate(-3), bound: Bound::Upper }),
            nodes: Some(7),
            pv: vec!["e3d3".to_owned(), "e1f2".to_owned()],
            ..Info::default()
        };
        let report = SearchReport {
            best: BestMove::new(Some("e3d3".to_owned()), None),
            lines: vec![info],
            words: vec!["a\tb\\".to_owned(), "c\u{7f}\u{85}é".to_owned()],
            ..SearchReport::default()
        };
        let row = Row::new(FEN, &report);
        let expected = "\te3d3\t300\tmate -3 upperbound\t7\te3d3 e1f2\ta\\tb\\\\\\nc\\x7f\\x85é";
        assert_eq!(row.to_string(), format!("{FEN}{expected}"));
        assert_eq!(Row::parse(&row.to_string()), Ok(row));
    }

    #[test]
    fn what_is_absent_differs_from_every_text() {
        let absent = Row::new(FEN, &SearchReport::default()).to_string();
        assert_eq!(absent, format!("{FEN}\t\t-\t-\t-\t-\t-"));
        let say = |words: &[&str]| {
            let words = words.iter().map(|&word| word.to_owned()).collect();
            Row::new(FEN, &SearchReport { words, ..SearchReport::default() }).to_string()
        };
        let texts = [say(&[]), say(&[""]), say(&["-"]), say(&["\\-"]), say(&["", ""]), say(&["\\n"])];
        for (index, text) in texts.iter().enumerate() {
            assert_eq!(texts.iter().position(|other| other == text), Some(index), "{text}");
        }
    }

    #[test]
    fn scores_are_read_back_with_their_bounds() {
        let row = |cell: &str| Row::parse(&format!("{FEN}\te2e4\t3\t{cell}\t12\t-\t-")).unwrap();
        assert_eq!(row("cp -13 upperbound").score(), Some(Score::Cp(-13)));
        assert_eq!(row("mate 2").score(), Some(Score::Mate(2)));
        assert_eq!(row("-").score(), None);
        let searched = row("-").searched();
        assert_eq!((searched.depth, searched.nodes), (Some(3), Some(12)));
        assert_eq!(row("cp 1").without(&[Column::Score, Column::Nodes]), {
            Row::parse(&format!("{FEN}\te2e4\t3\t-\t-\t-\t-")).unwrap()
        });
    }

    #[test]
    fn a_line_of_another_shape_is_refused() {
        assert!(Row::parse("a\tb").is_err());
        assert!(Row::parse(&format!("{FEN}\t-\t-\t-\t-\t-\t-\t-")).is_err());
        assert!(Row::parse(&format!("{FEN}\t-\t-\t-\t-\t-\t-\r")).is_err());
    }
}
