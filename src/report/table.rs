//! One table, four ways to write it: for a terminal, as CSV, Markdown and LaTeX (booktabs).

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::latex::write_table;
use super::text::shown;
use crate::uci::protocol::visible;

/// How a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its heading, with the unit where there is one.
    pub heading: String,
    /// How it stands.
    pub align: Align,
}

impl Column {
    /// A column of words.
    pub fn words(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), align: Align::Left }
    }

    /// A column of numbers.
    pub fn numbers(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), align: Align::Right }
    }
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Columns of equal width, for a terminal.
    Text,
    /// Comma-separated, one line of headings.
    Csv,
    /// A GitHub Markdown table.
    Markdown,
    /// A `table` with booktabs rules that fits a portrait page, a `longtable` where it is long.
    Latex,
}

/// Rows of cells under headings. A cell is text; the empty cell is a dash on a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// What it shows: games, versions, limits, how intervals were made. Not written as CSV.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each as long as there are columns.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Whether every cell of a column that holds something holds a FEN: too wide for paper.
    pub(super) fn holds_positions(&self, index: usize) -> bool {
        let cells = self.rows.iter().filter_map(|row| row.get(index));
        let mut cells = cells.filter(|cell| !cell.is_empty()).peekable();
        let is_fen = |cell: &String| {
            let mut fields = cell.split(' ');
            fields.next().is_some_and(|board| board.matches('/').count() == 7)
                && (3..6).contains(&fields.count())
        };
        cells.peek().is_some() && cells.all(is_fen)
    }

    /// An empty table.
    #[must_use]
    pub fn new(columns: Vec<Column>) -> Self {
        Self { caption: String::new(), columns, rows: Vec::new() }
    }

    /// Writes it.
    ///
    /// ```
    /// use elometer::report::{Column, Table, TableFormat};
    /// let mut table = Table::new(vec![Column::words("engine"), Column::numbers("Elo")]);
    /// table.rows.push(vec!["A & B".into(), "1870".into()]);
    /// let mut latex = Vec::new();
    /// table.write(&mut latex, TableFormat::Latex).unwrap();
    /// assert!(String::from_utf8(latex).unwrap().contains(r"A \& B & 1870 \\"));
    /// ```
    ///
    /// # Errors
    /// What the output reports.
    pub fn write(&self, output: &mut impl Write, format: TableFormat) -> io::Result<()> {
        match format {
            TableFormat::Text => self.write_text(output),
            TableFormat::Csv => self.write_csv(output),
            TableFormat::Markdown => self.write_markdown(output),
            TableFormat::Latex => write_table(self, output),
        }
    }

    fn write_text(&self, output: &mut impl Write) -> io::Result<()> {
        let filled = |cell: &str| if cell.is_empty() { "-".to_owned() } else { printable(cell) };
        let headings: Vec<String> = self.columns.iter().map(|column| printable(&column.heading)).collect();
        let rows: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(|cell| filled(cell)).collect()).collect();
        let width = |index: usize| {
            let cells = rows.iter().filter_map(|row| row.get(index)).chain(headings.get(index));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        for row in std::iter::once(&headings).chain(&rows) {
            let mut line = String::new();
            for ((cell, column), width) in row.iter().zip(&self.columns).zip(&widths) {
                let blanks = " ".repeat(width - cell.chars().count());
                match column.align {
                    Align::Left => line.push_str(&format!("{cell}{blanks}  ")),
                    Align::Right => line.push_str(&format!("{blanks}{cell}  ")),
                }
            }
            writeln!(output, "{}", line.trim_end())?;
        }
        Ok(())
    }

    fn write_csv(&self, output: &mut impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(output);
        csv.write_record(self.columns.iter().map(|column| printable(&column.heading)))?;
        self.rows.iter().try_for_each(|row| csv.write_record(row.iter().map(|cell| printable(cell))))?;
        csv.flush()
    }

    fn write_markdown(&self, output: &mut impl Write) -> io::Result<()> {
        let row = |cells: &mut dyn Iterator<Item = &str>| {
            format!("| {} |", cells.map(markdown).collect::<Vec<_>>().join(" | "))
        };
        writeln!(output, "{}", row(&mut self.columns.iter().map(|column| column.heading.as_str())))?;
        let rules = self.columns.iter().map(|column| match column.align {
            Align::Left => "---",
            Align::Right => "---:",
        });
        writeln!(output, "| {} |", rules.collect::<Vec<_>>().join(" | "))?;
        for cells in &self.rows {
            writeln!(output, "{}", row(&mut cells.iter().map(String::as_str)))?;
        }
        if !self.caption.is_empty() {
            writeln!(output, "\n{}", markdown(&self.caption))?;
        }
        Ok(())
    }
}

/// A stranger's text with escapes in place of what could drive a terminal.
fn printable(text: &str) -> String {
    visible(text).into_owned()
}

/// Text that Markdown takes as it stands.
#[must_use]
pub fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '\\' | '#' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(shown(c)),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: TableFormat) -> String {
        let mut table = Table::new(vec![Column::words("player"), Column::numbers("score %")]);
        table.caption = "50 % of 2 games_".to_owned();
        table.rows.push(vec!["a|b\u{1b}<x>".to_owned(), "-12.5".to_owned()]);
        table.rows.push(vec!["c, \"d\"".to_owned(), String::new()]);
        let mut bytes = Vec::new();
        table.write(&mut bytes, format).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn every_format_escapes_what_it_must() {
        assert_eq!(
            written(TableFormat::Text),
            "player      score %\na|b\\x1b<x>    -12.5\nc, \"d\"            -\n"
        );
        assert_eq!(written(TableFormat::Csv), "player,score %\na|b\\x1b<x>,-12.5\n\"c, \"\"d\"\"\",\n");
        assert_eq!(
            written(TableFormat::Markdown),
            "| player | score % |\n| --- | ---: |\n| a\\|b \\<x\\> | -12.5 |\n| c, \"d\" |  |\n\n50 % of 2 games\\_\n"
        );
        assert_eq!(
            written(TableFormat::Latex),
            "% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\\setlength{\\emergencystretch}{3em}\n\\caption{50 \\% of 2 games\\_}\n\
             \\begin{tabular}{lr}\n\\toprule\nplayer & score \\% \\\\\n\\midrule\n\
             a\\textbar{}b \\textless{}x\\textgreater{} & $-$12.5 \\\\\nc, \"d\" &  \\\\\n\
             \\bottomrule\n\\end{tabular}\n\\end{table}\n"
        );
    }
}
