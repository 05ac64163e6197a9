//! The one figure that a ladder needs: score against level with both curves, and the rating that
//! each level implies against the quoted interval. Where the points of the second leave the band,
//! the levels disagree.

use std::io::{self, Write};

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::svg::{BLUE, FAINT, FigureError, INK, ORANGE, SCALE, draw, font, stroke};
use crate::rating::{Fit, ImpliedRating, expected_score};

/// Points of a drawn curve.
const CURVE_POINTS: u32 = 120;
/// Width and height in pixels: two panels side by side, the width of a page at 100 pixels an inch.
const SIZE: (u32, u32) = (700, 320);

/// What the figure shows; nothing is drawn that is not in here.
#[derive(Clone, Debug, PartialEq)]
pub struct LadderFigure {
    title: String,
    marks: Vec<Mark>,
}

/// One number of the figure with its interval.
#[derive(Clone, Debug, PartialEq)]
struct Mark {
    series: Series,
    /// The level; absent for what belongs to no level.
    level: Option<f64>,
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Series {
    Score,
    ImpliedRating,
    EloCurve,
    FreeSlope,
    FreeSlopeRating,
    Quoted,
}

impl Series {
    /// The word in the data.
    fn key(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::ImpliedRating => "implied_rating",
            Self::EloCurve => "elo_curve",
            Self::FreeSlope => "free_slope",
            Self::FreeSlopeRating => "free_slope_rating",
            Self::Quoted => "quoted",
        }
    }
}

impl LadderFigure {
    /// The figure of a fit; `title` names subject and opponents. `None` without a level that has
    /// games.
    #[must_use]
    pub fn new(title: &str, fit: &Fit) -> Option<Self> {
        let mut marks = Vec::new();
        let played: Vec<_> = fit.levels.iter().filter(|level| level.games > 0).collect();
        let (first, last) = (played.first()?.level, played.last()?.level);
        for level in &played {
            if let Some(score) = level.score {
                let (low, high) = (Some(score.low), Some(score.high));
                marks.push(Mark {
                    series: Series::Score,
                    level: Some(level.level),
                    value: score.score,
                    low,
                    high,
                });
            }
            if let Some(ImpliedRating::Estimate { elo, low, high }) = level.implied {
                let series = Series::ImpliedRating;
                marks.push(Mark { series, level: Some(level.level), value: elo, low, high });
            }
        }
        let elo_curve = fit.elo_curve.estimate.interval();
        let free = fit
            .free_slope
            .as_ref()
            .and_then(|free| Some((free.slope?.slope, free.unit.estimate.interval()?.rating)));
        let margin = ((last - first) * 0.06).max(40.0);
        for point in 0..=CURVE_POINTS {
            let share = f64::from(point) / f64::from(CURVE_POINTS);
            let level = first - margin + share * (last - first + 2.0 * margin);
            let mut push = |series, value| {
                marks.push(Mark { series, level: Some(level), value, low: None, high: None });
            };
            if let Some(interval) = elo_curve {
                push(Series::EloCurve, expected_score(interval.rating - level));
            }
            if let Some((slope, rating)) = free {
                push(Series::FreeSlope, expected_score(slope * (rating - level)));
                push(Series::FreeSlopeRating, level + slope * (rating - level));
            }
        }
        if let Some(quoted) = fit.quoted.line.estimate.interval() {
            let (low, high) = (Some(quoted.low), Some(quoted.high));
            marks.push(Mark { series: Series::Quoted, level: None, value: quoted.rating, low, high });
        }
        Some(Self { title: title.to_owned(), marks })
    }

    fn of(&self, series: Series) -> impl Iterator<Item = &Mark> {
        self.marks.iter().filter(move |mark| mark.series == series)
    }

    /// Everything drawn, as CSV: `series`, `level`, `value`, `low`, `high`. Scores are per game,
    /// ratings in Elo; an empty cell is an end that the games do not determine.
    ///
    /// # Errors
    /// What the output reports.
    pub fn write_csv(&self, output: &mut impl Write) -> io::Result<()> {
        let cell = |value: Option<f64>| value.map(|value| format!("{value:.6}")).unwrap_or_default();
        let mut csv = csv::Writer::from_writer(output);
        csv.write_record(["series", "level", "value", "low", "high"])?;
        for mark in &self.marks {
            let Mark { series, level, value, low, high } = mark;
            csv.write_record([
                series.key().to_owned(),
                cell(*level),
                cell(Some(*value)),
                cell(*low),
                cell(*high),
            ])?;
        }
        csv.flush()
    }

    /// The figure as SVG.
    ///
    /// # Errors
    /// The drawing library's word.
    pub fn to_svg(&self) -> Result<String, FigureError> {
        let description = "Left: score against level with intervals, the Elo curve and the free-slope curve. \
                           Right: the rating that each level implies, the quoted interval as a band, and the \
                           measured slope as a line.";
        draw(SIZE, &self.title, description, |area| {
            let title = area.titled(&self.title, font(13)).map_err(FigureError::new)?;
            let (left, right) = title.split_horizontally(SIZE.0 * SCALE / 2);
            self.draw_scores(&left)?;
            self.draw_ratings(&right)
        })
    }

    /// Lowest and highest level drawn.
    fn level_range(&self) -> (f64, f64) {
        range(self.marks.iter().filter_map(|mark| mark.level), 40.0)
    }

    fn draw_scores(&self, area: &Area<'_>) -> Result<(), FigureError> {
        let (first, last) = self.level_range();
        let mut chart = builder(area).build_cartesian_2d(first..last, 0.0..1.0).map_err(FigureError::new)?;
        mesh(&mut chart, "score per game", |score| format!("{:.0} %", 100.0 * score))?;
        for (series, color, label) in
            [(Series::EloCurve, BLUE, "Elo curve"), (Series::FreeSlope, ORANGE, "free slope")]
        {
            let points: Vec<_> = self.of(series).filter_map(|mark| Some((mark.level?, mark.value))).collect();
            if !points.is_empty() {
                chart
                    .draw_series(LineSeries::new(points, stroke(color, 15)))
                    .map_err(FigureError::new)?
                    .label(label)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 180, y)], stroke(color, 15)));
            }
        }
        points(&mut chart, self.of(Series::Score), (0.0, 1.0))?;
        legend(&mut chart)
    }

    fn draw_ratings(&self, area: &Area<'_>) -> Result<(), FigureError> {
        let (first, last) = self.level_range();
        let implied = || self.of(Series::ImpliedRating);
        let quoted = || self.of(Series::Quoted);
        let values = implied().chain(quoted()).flat_map(|mark| [Some(mark.value), mark.low, mark.high]);
        let (low, high) = range(values.flatten(), 50.0);
        let (low, high) = (low - 0.05 * (high - low), high + 0.05 * (high - low));
        let mut chart = builder(area).build_cartesian_2d(first..last, low..high).map_err(FigureError::new)?;
        mesh(&mut chart, "implied rating (Elo)", |rating| format!("{rating:.0}"))?;
        for mark in quoted() {
            let (Some(bottom), Some(top)) = (mark.low, mark.high) else { continue };
            let band = Rectangle::new([(first, bottom), (last, top)], BLUE.mix(0.15).filled());
            chart
                .draw_series([band])
                .map_err(FigureError::new)?
                .label("quoted, 95 %")
                .legend(|(x, y)| Rectangle::new([(x, y - 40), (x + 180, y + 40)], BLUE.mix(0.15).filled()));
            let line = PathElement::new([(first, mark.value), (last, mark.value)], stroke(BLUE, 10));
            chart.draw_series([line]).map_err(FigureError::new)?;
        }
        let slope: Vec<_> = self
            .of(Series::FreeSlopeRating)
            .filter_map(|mark| Some((mark.level?, mark.value)))
            .filter(|(_, rating)| (low..=high).contains(rating))
            .collect();
        if !slope.is_empty() {
            chart
                .draw_series(LineSeries::new(slope, stroke(ORANGE, 15)))
                .map_err(FigureError::new)?
                .label("measured slope")
                .legend(|(x, y)| PathElement::new([(x, y), (x + 180, y)], stroke(ORANGE, 15)));
        }
        points(&mut chart, implied(), (low, high))?;
        legend(&mut chart)
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

fn builder<'a, 'b>(area: &'a Area<'b>) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(area);
    builder.margin(8 * SCALE).x_label_area_size(40 * SCALE).y_label_area_size(56 * SCALE);
    builder
}

fn mesh(chart: &mut Chart<'_, '_>, what: &str, label: impl Fn(&f64) -> String) -> Result<(), FigureError> {
    chart
        .configure_mesh()
        .x_desc("level (UCI_Elo)")
        .y_desc(what)
        .axis_desc_style(font(12))
        .label_style(font(11))
        .x_labels(6)
        .y_labels(6)
        .x_label_formatter(&|level| format!("{level:.0}"))
        .y_label_formatter(&label)
        .axis_style(stroke(INK, 8))
        .bold_line_style(stroke(FAINT, 6))
        .light_line_style(TRANSPARENT)
        .draw()
        .map_err(FigureError::new)
}

/// A dot per mark with its interval as a bar; an end that is not known goes to the edge.
fn points<'a>(
    chart: &mut Chart<'_, '_>,
    marks: impl Iterator<Item = &'a Mark>,
    edge: (f64, f64),
) -> Result<(), FigureError> {
    for mark in marks {
        let Some(level) = mark.level else { continue };
        let (low, high) = (mark.low.unwrap_or(edge.0), mark.high.unwrap_or(edge.1));
        let bar = PathElement::new([(level, low), (level, high)], stroke(INK, 12));
        chart.draw_series([bar]).map_err(FigureError::new)?;
        let dot = Circle::new((level, mark.value), 3 * SCALE, INK.filled());
        chart.draw_series([dot]).map_err(FigureError::new)?;
    }
    Ok(())
}

fn legend<'a, 'b: 'a>(chart: &mut Chart<'a, 'b>) -> Result<(), FigureError> {
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .legend_area_size(24 * SCALE)
        .margin(4 * SCALE)
        .label_font(font(11))
        .background_style(WHITE.mix(0.8))
        .draw()
        .map_err(FigureError::new)
}

/// Lowest and highest value, at least `least` apart on either side of their middle.
fn range(values: impl Iterator<Item = f64>, least: f64) -> (f64, f64) {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values {
        low = low.min(value);
        high = high.max(value);
    }
    if low > high {
        return (0.0, least);
    }
    let middle = f64::midpoint(low, high);
    (low.min(middle - least), high.max(middle + least))
}
