//! A figure as data: everything that is drawn, and nothing else, so that its CSV holds the whole figure.

use std::io::{self, Write};

use super::svg::Tone;

/// A figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The stem of its files.
    pub name: String,
    /// What it shows, in a few words.
    pub title: String,
    /// What there is to see, for whom cannot see it.
    pub description: String,
    /// What a paper prints below it: what is drawn, and what its intervals are.
    pub caption: String,
    /// What the caption goes on with: players, versions, limits, games; may be empty.
    pub about: String,
    /// How its numbers were made.
    pub method: String,
    /// Side by side, or one above the other in a column.
    pub panels: Vec<Panel>,
}

/// One pair of axes. Where places are names they stand from top to bottom and values lie across.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Where a mark stands.
    pub places: Axis,
    /// What it says.
    pub values: Axis,
    /// In the order of drawing.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it is, with its unit.
    pub label: String,
    /// How it is divided.
    pub scale: Scale,
    /// Where it begins and ends at least; else the marks decide.
    pub range: Option<(f64, f64)>,
    /// Beyond this it never goes: what lies there is drawn at the edge.
    pub limit: Option<(f64, f64)>,
    /// By powers: from where to where the bar at zero stands, below everything else.
    pub zero: Option<(f64, f64)>,
}

/// How an axis is divided.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// Evenly, a share of 1 being 100 %.
    Percent,
    /// By powers of ten; all marks are positive, but for a bar from 0 to 0 where the axis has a zero.
    Log,
    /// One line a name; place 0 is the first.
    Names(Vec<String>),
}

/// Marks of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The word in the data.
    pub key: String,
    /// What the legend calls it; none to leave it out there.
    pub label: Option<String>,
    /// What is written into its bars, where they have the room.
    pub inside: Option<String>,
    /// Its colour.
    pub tone: Tone,
    /// How its marks are drawn.
    pub shape: Shape,
    /// Its marks, in the order of their places.
    pub marks: Vec<Mark>,
}

/// How marks are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A dot, with its interval as a line; an end that is not known, or lies beyond the edge, is an
    /// arrow at the edge.
    Dots,
    /// The same, smaller and beside the middle of its line: for several series with the same places.
    SmallDots(i8, Dot),
    /// A line through the values.
    Line,
    /// A broken line through the values.
    Dashes,
    /// The ground between low and high, along the line through the marks, or across the panel where
    /// a mark has no place.
    Band,
    /// A line at a value, across the panel.
    Rule,
    /// A line at a place, across the panel.
    PlaceRule,
    /// A bar from low to high, as wide as to `to`, or to a name.
    Bars,
}

/// The shape of a dot, so that series are told apart without their colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dot {
    /// Round.
    Circle,
    /// Only its outline.
    HollowCircle,
    /// A square.
    Square,
    /// Only its outline.
    HollowSquare,
}

/// One number of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mark {
    /// Where it stands; none for what belongs to no place.
    pub place: Option<f64>,
    /// Where it ends, for bars between numbers.
    pub to: Option<f64>,
    /// The number.
    pub value: f64,
    /// The lower end of its interval, or of its bar.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

impl Mark {
    /// A number at a place.
    #[must_use]
    pub fn at(place: f64, value: f64) -> Self {
        Self { place: Some(place), value, ..Self::default() }
    }

    /// The same with its interval.
    #[must_use]
    pub fn between(self, low: Option<f64>, high: Option<f64>) -> Self {
        Self { low, high, ..self }
    }
}

impl Axis {
    /// An axis of numbers.
    pub fn numbers(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear, range: None, limit: None, zero: None }
    }

    /// An axis of shares, from 0 to 100 %.
    pub fn shares(label: impl Into<String>) -> Self {
        Self { scale: Scale::Percent, range: Some((0.0, 1.0)), ..Self::numbers(label) }
    }

    /// An axis of names.
    #[must_use]
    pub fn names(names: Vec<String>) -> Self {
        Self { scale: Scale::Names(names), ..Self::numbers("") }
    }

    /// The same, reaching from `low` to `high` at least.
    #[must_use]
    pub fn reaching(self, low: f64, high: f64) -> Self {
        Self { range: Some((low, high)), ..self }
    }

    /// The same, never reaching beyond `low` and `high`.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Self {
        Self { limit: Some((low, high)), ..self }
    }

    /// The same with a bar at zero, which has no place among logarithms and is drawn from `low` to `high`.
    #[must_use]
    pub fn with_zero(self, low: f64, high: f64) -> Self {
        Self { zero: Some((low, high)), ..self }
    }

    /// The same by powers of ten.
    #[must_use]
    pub fn by_powers(self) -> Self {
        Self { scale: Scale::Log, ..self }
    }

    fn cell(&self, value: f64) -> String {
        match &self.scale {
            Scale::Names(names) => {
                // A place is the index of a name.
                let name = names.iter().enumerate().find(|(index, _)| index_as_f64(*index) == value);
                name.map(|(_, name)| name.clone()).unwrap_or_default()
            }
            _ => number(value),
        }
    }
}

impl Series {
    /// A series with a legend.
    pub fn new(key: &str, label: impl Into<String>, tone: Tone, shape: Shape, marks: Vec<Mark>) -> Self {
        Self { key: key.to_owned(), label: Some(label.into()), inside: None, tone, shape, marks }
    }

    /// The same with a text in its bars.
    #[must_use]
    pub fn written(self, text: &str) -> Self {
        Self { inside: Some(text.to_owned()), ..self }
    }

    /// The same without a legend.
    #[must_use]
    pub fn unlabelled(self) -> Self {
        Self { label: None, ..self }
    }
}

impl Chart {
    /// Everything drawn, as CSV: `series`, `place`, `to`, `value`, `low`, `high`; an empty cell is
    /// what a mark has not, or an end that the games do not determine. Shares are of 1.
    ///
    /// # Errors
    /// What the output reports.
    pub fn write_csv(&self, output: &mut impl Write) -> io::Result<()> {
        let cell = |value: Option<f64>| value.map(number).unwrap_or_default();
        let mut csv = csv::Writer::from_writer(output);
        csv.write_record(["series", "place", "to", "value", "low", "high"])?;
        for panel in &self.panels {
            for series in &panel.series {
                for mark in &series.marks {
                    csv.write_record([
                        series.key.clone(),
                        mark.place.map(|place| panel.places.cell(place)).unwrap_or_default(),
                        cell(mark.to),
                        number(mark.value),
                        cell(mark.low),
                        cell(mark.high),
                    ])?;
                }
            }
        }
        csv.flush()
    }

    /// The same as bytes.
    #[must_use]
    pub fn csv(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Writing to memory does not fail.
        let _ = self.write_csv(&mut bytes);
        bytes
    }
}

/// To a millionth, where what the last bit says is no matter.
fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A place among names.
#[expect(clippy::cast_precision_loss, reason = "a number of lines in a figure")]
pub(super) fn index_as_f64(index: usize) -> f64 {
    index as f64
}

/// A count as a coordinate.
#[expect(clippy::cast_precision_loss, reason = "a number of games or moves")]
pub(super) fn count_as_f64(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_hold_every_mark_and_no_minus_zero() {
        let dots = vec![Mark::at(0.0, -1e-9).between(None, Some(0.5)), Mark::at(1.0, 2.0)];
        let series = Series::new("a,b", "", Tone::Ink, Shape::Dots, dots);
        let names = Axis::names(vec!["one".to_owned(), "two".to_owned()]);
        let panel = Panel { places: names, values: Axis::numbers("x"), series: vec![series] };
        let empty = String::new;
        let chart = Chart {
            name: empty(),
            title: empty(),
            description: empty(),
            caption: empty(),
            about: empty(),
            method: empty(),
            panels: vec![panel],
        };
        let csv = String::from_utf8(chart.csv()).unwrap();
        assert_eq!(csv, "series,place,to,value,low,high\n\"a,b\",one,,0,,0.5\n\"a,b\",two,,2,,\n");
    }
}
