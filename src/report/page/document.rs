//! What a page holds. All text in it is plain: the template escapes it.

use serde::Serialize;

use crate::report::chart::Chart;
use crate::report::replay::Replay;
use crate::report::svg::{FigureError, FigureSize};
use crate::report::table::{Align, Column, Table};

/// A page.
#[derive(Clone, Debug, Serialize)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// What it is of, below the title.
    pub subtitle: String,
    /// The version of elometer and where the data came from.
    pub made_by: String,
    /// Its parts.
    pub sections: Vec<Section>,
    /// The games that are played in it; the items of kind [`Item::Games`] name them by place.
    #[serde(skip)]
    pub games: Vec<Replay>,
}

/// A part with a heading.
#[derive(Clone, Debug, Serialize)]
pub struct Section {
    /// Letters and digits, once on the page.
    pub id: String,
    /// Its heading.
    pub heading: String,
    /// 2, or 3 below another section.
    pub level: u8,
    /// What stands in it.
    pub items: Vec<Item>,
}

/// One thing of a section.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Item {
    /// A sentence or more.
    Text {
        /// The words.
        text: String,
        /// Whether it is a warning.
        warning: bool,
    },
    /// Sentences, one below the other.
    List {
        /// The sentences.
        lines: Vec<String>,
    },
    /// Numbers, each with its method.
    Facts {
        /// The numbers.
        facts: Vec<Fact>,
    },
    /// A figure.
    Figure(Box<PageFigure>),
    /// A table.
    Table(Box<PageTable>),
    /// Diagrams.
    Gallery(Gallery),
    /// The games, to be played.
    Games {
        /// From this one of the page's games on.
        first: usize,
        /// How many.
        count: usize,
        /// Which were chosen, and how many are left out.
        note: String,
    },
}

/// A number to take away.
#[derive(Clone, Debug, Serialize)]
pub struct Fact {
    /// What it is.
    pub label: String,
    /// The number with its unit.
    pub value: String,
    /// Its interval, or what stands for one.
    pub interval: String,
    /// Out of how many.
    pub count: String,
    /// How it was made.
    pub method: String,
}

/// A figure, wide and narrow.
#[derive(Clone, Debug, Serialize)]
pub struct PageFigure {
    id: String,
    title: String,
    caption: String,
    about: String,
    method: String,
    data: String,
    wide: String,
    narrow: String,
}

/// A table as the page shows it.
#[derive(Clone, Debug, Serialize)]
pub struct PageTable {
    id: String,
    title: String,
    caption: String,
    headings: Vec<Cell>,
    rows: Vec<Vec<Cell>>,
    left_out: usize,
    /// Whether paper has less of it: no column of positions.
    is_narrower_on_paper: bool,
    /// Whether it is to stay on one page of paper.
    is_small: bool,
}

#[derive(Clone, Debug, Serialize)]
struct Cell {
    text: String,
    number: bool,
    position: bool,
}

/// Diagrams with what belongs to each.
#[derive(Clone, Debug, Serialize)]
pub struct Gallery {
    /// The diagrams.
    pub diagrams: Vec<Diagram>,
}

/// One position.
#[derive(Clone, Debug, Serialize)]
pub struct Diagram {
    /// SVG made by [`crate::report::board_svg`].
    pub svg: String,
    /// What it is.
    pub title: String,
    /// Names and values.
    pub facts: Vec<(String, String)>,
    /// The number of its game on the page, if it is there.
    pub replay: Option<usize>,
    /// The ply after the move.
    pub ply: usize,
}

/// Rows of a table that the page shows; the files have all.
const MOST_ROWS: usize = 40;
/// Rows of a table that is not broken between pages of paper.
const SMALL: usize = 24;

impl PageFigure {
    /// The chart in both sizes; `data` is the name of its CSV, `prefix` makes its id unique.
    ///
    /// # Errors
    /// The drawing library's word.
    pub fn new(chart: &Chart, prefix: &str, data: String) -> Result<Self, FigureError> {
        let id = format!("{prefix}{}", chart.name);
        let labelled = |size: FigureSize| -> Result<String, FigureError> {
            let own = format!("{id}{}", if size == FigureSize::Page { "" } else { "-narrow" });
            let svg = chart.to_svg(size)?;
            let svg = svg.replacen("<title>", &format!("<title id=\"{own}-title\">"), 1);
            let svg = svg.replacen("<desc>", &format!("<desc id=\"{own}-desc\">"), 1);
            let labels = format!("role=\"img\" aria-labelledby=\"{own}-title {own}-desc\"");
            Ok(svg.replacen("role=\"img\"", &labels, 1))
        };
        Ok(Self {
            title: chart.title.clone(),
            caption: chart.caption.clone(),
            about: chart.about.clone(),
            method: chart.method.clone(),
            data,
            wide: labelled(FigureSize::Page)?,
            narrow: labelled(FigureSize::Column)?,
            id,
        })
    }
}

impl PageTable {
    /// The table under a title.
    #[must_use]
    pub fn new(table: &Table, id: String, title: &str) -> Self {
        let columns = table.columns.iter().enumerate();
        let kinds: Vec<(bool, bool)> = columns
            .map(|(index, column)| (column.align == Align::Right, table.holds_positions(index)))
            .collect();
        let cells = |texts: &[String]| -> Vec<Cell> {
            let kinds = kinds.iter().chain(std::iter::repeat(&(false, false)));
            let cell = |(text, (number, position)): (&String, &(bool, bool))| Cell {
                text: text.clone(),
                number: *number,
                position: *position,
            };
            texts.iter().zip(kinds).map(cell).collect()
        };
        // Headings wrap, but not between a number and its unit.
        let heading = |column: &Column| column.heading.replace(" %", "\u{a0}%");
        let headings: Vec<String> = table.columns.iter().map(heading).collect();
        Self {
            id,
            title: title.to_owned(),
            caption: table.caption.clone(),
            headings: cells(&headings),
            rows: table.rows.iter().take(MOST_ROWS).map(|row| cells(row)).collect(),
            left_out: table.rows.len().saturating_sub(MOST_ROWS),
            is_narrower_on_paper: kinds.iter().any(|(_, position)| *position),
            is_small: table.rows.len() <= SMALL,
        }
    }
}
