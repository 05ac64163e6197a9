//! Marks onto the canvas: dots with their intervals, lines, bands, bars.

use plotters::coord::CoordTranslate;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::{AxisCoord, ends};
use super::chart::{Dot, Mark, Series, Shape};
use super::svg::{BAND, FigureError, FigureSize, SCALE, Tone, font, stroke, text_width};
use super::text::clean;

type Plot<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<AxisCoord, AxisCoord>>;
type DrawingResult = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Half the thickness of a bar on its line.
const HALF_BAR: f64 = 0.34;
/// How far several marks on one line stand apart.
const APART: f64 = 0.1;
/// Marks of one series beyond which dots are smaller, so that they do not touch.
const CROWD: usize = 24;

/// What a series is drawn with.
pub(super) struct Pen<'a> {
    /// Whether places are names, so that values lie across.
    pub(super) lying: bool,
    /// Where marks stand.
    pub(super) places: &'a AxisCoord,
    /// What they say.
    pub(super) values: &'a AxisCoord,
    /// Letters and lines.
    pub(super) size: FigureSize,
}

impl Pen<'_> {
    fn point(&self, place: f64, value: f64) -> (f64, f64) {
        if self.lying { (value, place) } else { (place, value) }
    }

    fn path(
        &self,
        plot: &mut Plot<'_, '_>,
        points: Vec<(f64, f64)>,
        tone: Tone,
        width: u32,
    ) -> Result<(), FigureError> {
        let _ = self;
        plot.draw_series([PathElement::new(points, stroke(tone, width))]).map_err(FigureError::new)?;
        Ok(())
    }

    /// Draws a series.
    pub(super) fn series(&self, plot: &mut Plot<'_, '_>, series: &Series) -> Result<(), FigureError> {
        let width = self.size.line();
        let (first, last) = self.places.ends();
        match series.shape {
            Shape::Dots | Shape::SmallDots(..) => {
                series.marks.iter().try_for_each(|mark| self.dot(plot, series, mark))
            }
            Shape::Line => {
                let points = series.marks.iter().filter_map(|mark| Some(self.point(mark.place?, mark.value)));
                self.path(plot, points.collect(), series.tone, width * 3 / 2)
            }
            Shape::Dashes => {
                let points: Vec<_> = series
                    .marks
                    .iter()
                    .filter_map(|mark| Some(self.point(mark.place?, mark.value)))
                    .collect();
                for pair in points.chunks(2).filter(|pair| pair.len() == 2) {
                    self.path(plot, pair.to_vec(), series.tone, width * 3 / 2)?;
                }
                Ok(())
            }
            Shape::Band => self.band(plot, series),
            Shape::Rule => series.marks.iter().try_for_each(|mark| {
                let ends = vec![self.point(first, mark.value), self.point(last, mark.value)];
                self.path(plot, ends, series.tone, width)
            }),
            Shape::PlaceRule => series.marks.iter().filter_map(|mark| mark.place).try_for_each(|place| {
                let (low, high) = self.values.ends();
                self.path(
                    plot,
                    vec![self.point(place, low), self.point(place, high)],
                    series.tone,
                    width * 3 / 2,
                )
            }),
            Shape::Bars => series.marks.iter().try_for_each(|mark| self.bar(plot, series, mark)),
        }
    }

    fn dot(&self, plot: &mut Plot<'_, '_>, series: &Series, mark: &Mark) -> Result<(), FigureError> {
        let Some(place) = mark.place else { return Ok(()) };
        let place = match series.shape {
            Shape::SmallDots(step, _) => place + APART * f64::from(step),
            _ => place,
        };
        if mark.low.is_some() || mark.high.is_some() {
            let (low, high) = ends(mark, self.values);
            let bar = vec![self.point(place, low), self.point(place, high)];
            self.path(plot, bar, series.tone, self.size.line() * 6 / 5)?;
            let [below, above] = self.values.cuts(mark);
            for (is_cut, end, outward) in [(below, low, -1), (above, high, 1)] {
                if is_cut {
                    self.arrow_head(plot, self.point(place, end), outward, series)?;
                }
            }
        }
        let at = self.point(place, self.values.clamped(mark.value));
        draw_dot(plot.plotting_area(), at, series, self.size).map_err(FigureError::new)
    }

    /// The head of an interval that goes on beyond the frame: at its edge, pointing out.
    fn arrow_head(
        &self,
        plot: &mut Plot<'_, '_>,
        tip: (f64, f64),
        outward: i32,
        series: &Series,
    ) -> Result<(), FigureError> {
        let long = i32::try_from(radius(series, self.size) * 2).unwrap_or(0);
        let half = long / 2;
        // Upwards is less on the canvas.
        let base = |across: i32| {
            if self.lying { (-outward * long, across) } else { (across, outward * long) }
        };
        let corners = vec![(0, 0), base(-half), base(half)];
        let head = EmptyElement::at(tip) + Polygon::new(corners, series.tone.color().filled());
        plot.draw_series([head]).map_err(FigureError::new)?;
        Ok(())
    }

    fn band(&self, plot: &mut Plot<'_, '_>, series: &Series) -> Result<(), FigureError> {
        let ground = series.tone.color().mix(BAND).filled();
        let (first, last) = self.places.ends();
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for mark in &series.marks {
            let (low, high) = ends(mark, self.values);
            if let Some(place) = mark.place {
                lower.push(self.point(place, low));
                upper.push(self.point(place, high));
            } else {
                let across = Rectangle::new([self.point(first, low), self.point(last, high)], ground);
                plot.draw_series([across]).map_err(FigureError::new)?;
            }
        }
        if lower.len() > 1 {
            lower.extend(upper.into_iter().rev());
            plot.draw_series([Polygon::new(lower, ground)]).map_err(FigureError::new)?;
        }
        Ok(())
    }

    fn bar(&self, plot: &mut Plot<'_, '_>, series: &Series, mark: &Mark) -> Result<(), FigureError> {
        let Some(place) = mark.place else { return Ok(()) };
        let (from, to) = match (mark.to, self.places.zero()) {
            (Some(to), Some(zero)) if to <= 0.0 => zero,
            (Some(to), _) => (place, to),
            (None, _) => (place - HALF_BAR, place + HALF_BAR),
        };
        let (low, high) = ends(mark, self.values);
        if high <= low {
            return Ok(());
        }
        let corners = [self.point(from, low), self.point(to, high)];
        let ground = series.tone.color().filled();
        plot.draw_series([Rectangle::new(corners, ground)]).map_err(FigureError::new)?;
        match &series.inside {
            Some(text) => self.inside(plot, text, series.tone, corners),
            None => Ok(()),
        }
    }

    /// What a bar is, written into it where it has the room.
    fn inside(
        &self,
        plot: &mut Plot<'_, '_>,
        text: &str,
        ground: Tone,
        corners: [(f64, f64); 2],
    ) -> Result<(), FigureError> {
        let [letters, ..] = self.size.letters();
        let [(x0, y0), (x1, y1)] = corners.map(|corner| plot.backend_coord(&corner));
        let needed = (text_width(text, letters) + letters / 2, letters);
        if x0.abs_diff(x1) < needed.0 * SCALE || y0.abs_diff(y1) < needed.1 * SCALE {
            return Ok(());
        }
        let tone =
            if matches!(ground, Tone::Ink | Tone::Blue | Tone::Orange) { Tone::Paper } else { Tone::Ink };
        let color = tone.color();
        let style = font(letters).color(&color).pos(Pos::new(HPos::Center, VPos::Center));
        let [(left, from), (right, to)] = corners;
        let middle = (f64::midpoint(left, right), f64::midpoint(from, to));
        plot.draw_series([Text::new(clean(text), middle, style)]).map_err(FigureError::new)?;
        Ok(())
    }
}

/// The dot of a series, in its shape.
pub(super) fn draw_dot<CT: CoordTranslate>(
    area: &DrawingArea<SVGBackend<'_>, CT>,
    at: CT::From,
    series: &Series,
    size: FigureSize,
) -> DrawingResult
where
    CT::From: Clone,
{
    let radius = radius(series, size);
    let (color, line) = (series.tone.color(), stroke(series.tone, size.line() * 6 / 5));
    let dot = if let Shape::SmallDots(_, dot) = series.shape { dot } else { Dot::Circle };
    let half = i32::try_from(radius).unwrap_or(0) * 9 / 10;
    let corners = vec![(-half, -half), (half, -half), (half, half), (-half, half), (-half, -half)];
    match dot {
        Dot::Circle => area.draw(&Circle::new(at, radius, color.filled())),
        Dot::Square => area.draw(&(EmptyElement::at(at) + Polygon::new(corners, color.filled()))),
        Dot::HollowCircle => {
            area.draw(&Circle::new(at.clone(), radius, Tone::Paper.color().filled()))?;
            area.draw(&Circle::new(at, radius, line))
        }
        Dot::HollowSquare => {
            let ground = Polygon::new(corners.clone(), Tone::Paper.color().filled());
            area.draw(&(EmptyElement::at(at) + ground + PathElement::new(corners, line)))
        }
    }
}

fn radius(series: &Series, size: FigureSize) -> u32 {
    let usual = if size == FigureSize::Slide { 5 * SCALE } else { 3 * SCALE };
    match series.shape {
        _ if series.marks.len() > CROWD => usual * 3 / 4,
        Shape::SmallDots(..) => usual * 4 / 5,
        _ => usual,
    }
}
