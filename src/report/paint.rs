//! A chart onto the canvas: the one place where figures get their look.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::axis::{AxisCoord, ends};
use super::chart::{Chart, Mark, Panel, Scale, Series, Shape};
use super::svg::{BAND, FigureError, FigureSize, SCALE, Tone, draw, fitted, font, stroke, text_width};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Plot<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<AxisCoord, AxisCoord>>;

/// The sample of a colour in a legend, in letters' heights, with the blanks beside it.
const SAMPLE: u32 = 3;
/// Half the thickness of a bar on its line.
const HALF_BAR: f64 = 0.34;
/// How far several marks on one line stand apart.
const APART: f64 = 0.1;
/// Marks of one series beyond which dots are smaller, so that they do not touch.
const CROWD: usize = 24;

impl Chart {
    /// The figure as SVG.
    ///
    /// # Errors
    /// The drawing library's word.
    pub fn to_svg(&self, size: FigureSize) -> Result<String, FigureError> {
        let [_, _, letters] = size.letters();
        let width = size.width();
        let stacked = size == FigureSize::Column;
        let count = u32::try_from(self.panels.len()).unwrap_or(1).max(1);
        let panel_width = if stacked { width } else { width / count };
        let heights: Vec<u32> =
            self.panels.iter().map(|panel| panel_height(panel, panel_width, size)).collect();
        let title_height = 2 * letters;
        // Side by side, axes begin at one height.
        let rows = |panel| legend_rows(panel, panel_width, size.letters()[0]);
        let most_rows = self.panels.iter().map(rows).max().unwrap_or(0);
        let body = if stacked { heights.iter().sum() } else { heights.iter().copied().max().unwrap_or(0) };
        let height = title_height + body;
        draw((width, height), &self.title, &self.description, |area| {
            let (head, mut rest) = area.split_vertically(title_height * SCALE);
            let title = fitted(&self.title, letters, width - letters);
            let middle = i32::try_from(width * SCALE / 2).unwrap_or(0);
            let top = i32::try_from(letters * SCALE / 2).unwrap_or(0);
            let style = font(letters).pos(plotters::style::text_anchor::Pos::new(
                plotters::style::text_anchor::HPos::Center,
                plotters::style::text_anchor::VPos::Top,
            ));
            head.draw(&Text::new(title, (middle, top), style)).map_err(FigureError::new)?;
            for (panel, height) in self.panels.iter().zip(&heights) {
                let (own, after) = if stacked {
                    rest.split_vertically(height * SCALE)
                } else {
                    rest.split_horizontally(panel_width * SCALE)
                };
                // Beside a taller panel, lines of names keep their own height.
                let own_height = if stacked || is_lying(panel) { *height } else { body };
                let (own, _) = own.split_vertically(own_height * SCALE);
                let legend = if stacked { rows(panel) } else { most_rows };
                draw_panel(&own, panel, (panel_width, own_height), legend, size)?;
                rest = after;
            }
            Ok(())
        })
    }
}

/// Whether places are names, so that values lie across.
fn is_lying(panel: &Panel) -> bool {
    matches!(panel.places.scale, Scale::Names(_))
}

fn panel_height(panel: &Panel, width: u32, size: FigureSize) -> u32 {
    let [letters, axis, _] = size.letters();
    let legend = legend_rows(panel, width, letters) * 2 * letters;
    let plot = match &panel.places.scale {
        Scale::Names(names) => {
            let series =
                panel.series.iter().filter(|series| matches!(series.shape, Shape::SmallDots(_))).count();
            let row = if series > 2 { 3 * letters } else { 2 * letters };
            let names = u32::try_from(names.len()).unwrap_or(u32::MAX).min(200);
            names * row + letters
        }
        _ if size == FigureSize::Column => 18 * letters,
        _ => 21 * letters,
    };
    let needed = legend + plot + 3 * letters + 3 * axis / 2;
    let [_, _, title] = size.letters();
    if size == FigureSize::Slide { needed.max(540 - 2 * title) } else { needed }
}

fn labels(panel: &Panel) -> Vec<&Series> {
    let mut shown: Vec<&Series> = Vec::new();
    for series in panel.series.iter().filter(|series| !series.marks.is_empty()) {
        if series.label.is_some() && !shown.iter().any(|known| known.label == series.label) {
            shown.push(series);
        }
    }
    shown
}

/// Where each entry of a legend stands: row and left end, in pixels.
fn legend_places(panel: &Panel, width: u32, letters: u32) -> Vec<(u32, u32)> {
    let (mut row, mut left, mut places) = (0, letters, Vec::new());
    for series in labels(panel) {
        let text = series.label.as_deref().unwrap_or_default();
        let needed = SAMPLE * letters + text_width(text, letters) + letters;
        if left > letters && left + needed > width {
            row += 1;
            left = letters;
        }
        places.push((row, left));
        left += needed;
    }
    places
}

fn legend_rows(panel: &Panel, width: u32, letters: u32) -> u32 {
    legend_places(panel, width, letters).last().map_or(0, |(row, _)| row + 1)
}

fn draw_legend(area: &Area<'_>, panel: &Panel, width: u32, size: FigureSize) -> Result<(), FigureError> {
    let [letters, ..] = size.letters();
    let style = font(letters).pos(plotters::style::text_anchor::Pos::new(
        plotters::style::text_anchor::HPos::Left,
        plotters::style::text_anchor::VPos::Center,
    ));
    let canvas = |pixels: u32| i32::try_from(pixels * SCALE).unwrap_or(0);
    for (series, (row, left)) in labels(panel).into_iter().zip(legend_places(panel, width, letters)) {
        let middle = canvas(row * 2 * letters + letters);
        let (from, to) = (canvas(left), canvas(left + 2 * letters));
        let half = canvas(letters) * 2 / 5;
        let color = series.tone.color();
        let line = stroke(series.tone, size.line() * 3 / 2);
        let drawn = match series.shape {
            Shape::Bars => {
                area.draw(&Rectangle::new([(from, middle - half), (to, middle + half)], color.filled()))
            }
            Shape::Band => {
                let ground = color.mix(BAND).filled();
                area.draw(&Rectangle::new([(from, middle - half), (to, middle + half)], ground))
            }
            Shape::Dots | Shape::SmallDots(_) => {
                let x = i32::midpoint(from, to);
                area.draw(&PathElement::new([(from, middle), (to, middle)], stroke(series.tone, size.line())))
                    .and_then(|()| area.draw(&Circle::new((x, middle), radius(series, size), color.filled())))
            }
            Shape::Dashes => dashes([(from, middle), (to, middle)], size)
                .into_iter()
                .try_for_each(|part| area.draw(&PathElement::new(part, line))),
            Shape::Line | Shape::Rule | Shape::PlaceRule => {
                area.draw(&PathElement::new([(from, middle), (to, middle)], line))
            }
        };
        drawn.map_err(FigureError::new)?;
        let text = fitted(
            series.label.as_deref().unwrap_or_default(),
            letters,
            width.saturating_sub(left + 3 * letters),
        );
        let place = (canvas(left) + canvas(letters) * 5 / 2, middle);
        area.draw(&Text::new(text, place, style.clone())).map_err(FigureError::new)?;
    }
    Ok(())
}

/// A line in pieces, in canvas pixels.
fn dashes([from, to]: [(i32, i32); 2], size: FigureSize) -> Vec<Vec<(i32, i32)>> {
    let dash = i32::try_from(size.line() * 5).unwrap_or(50);
    let mut parts = Vec::new();
    let mut left = from.0;
    while left < to.0 {
        parts.push(vec![(left, from.1), ((left + dash).min(to.0), to.1)]);
        left += 2 * dash;
    }
    parts
}

fn radius(series: &Series, size: FigureSize) -> u32 {
    let usual = if size == FigureSize::Slide { 5 * SCALE } else { 3 * SCALE };
    match series.shape {
        _ if series.marks.len() > CROWD => usual * 3 / 4,
        Shape::SmallDots(_) => usual * 4 / 5,
        _ => usual,
    }
}

fn draw_panel(
    area: &Area<'_>,
    panel: &Panel,
    (width, height): (u32, u32),
    legend_rows: u32,
    size: FigureSize,
) -> Result<(), FigureError> {
    let [letters, axis_letters, _] = size.letters();
    let lying = is_lying(panel);
    let legend = legend_rows * 2 * letters;
    let (head, body) = area.split_vertically(legend * SCALE);
    draw_legend(&head, panel, width, size)?;
    let across = (width.saturating_sub(8 * letters) / (4 * letters)).max(2);
    let upright = (2 * height.saturating_sub(legend + 5 * letters) / (5 * letters)).max(2);
    let (x_axis, y_axis, x_coord, y_coord) = if lying {
        (&panel.values, &panel.places, AxisCoord::values(panel, across), AxisCoord::places(panel, upright))
    } else {
        (&panel.places, &panel.values, AxisCoord::places(panel, across), AxisCoord::values(panel, upright))
    };
    let widest = match &y_axis.scale {
        Scale::Names(names) => {
            let widest = names.iter().map(|name| text_width(name, letters)).max().unwrap_or(0);
            widest.min(3 * width / 5) + letters
        }
        _ => {
            let ticks = y_coord.ticks().iter();
            let widest = ticks.map(|tick| text_width(&y_coord.label(y_axis, *tick), letters)).max();
            let described = if y_axis.label.is_empty() { 0 } else { 2 * axis_letters };
            widest.unwrap_or(0).max(2 * letters) + letters + described
        }
    };
    let mut builder = ChartBuilder::on(&body);
    builder
        .margin(letters * SCALE / 2)
        .margin_right(2 * letters * SCALE)
        .x_label_area_size((2 * letters + 3 * axis_letters / 2) * SCALE)
        .y_label_area_size(widest * SCALE);
    let mut plot = builder.build_cartesian_2d(x_coord.clone(), y_coord.clone()).map_err(FigureError::new)?;
    let names_room = widest.saturating_sub(letters);
    let y_text = |value: &f64| fitted(&y_coord.label(y_axis, *value), letters, names_room.max(4 * letters));
    let mut mesh = plot.configure_mesh();
    if lying {
        mesh.disable_y_mesh();
    }
    mesh.x_desc(x_axis.label.as_str())
        .y_desc(y_axis.label.as_str())
        .axis_desc_style(font(axis_letters))
        .label_style(font(letters))
        .x_labels(x_coord.ticks().len().max(1))
        .y_labels(y_coord.ticks().len().max(1))
        .set_all_tick_mark_size(letters * SCALE / 3)
        .x_label_formatter(&|value| x_coord.label(x_axis, *value))
        .y_label_formatter(&y_text)
        .axis_style(stroke(Tone::Ink, size.line() * 4 / 5))
        .bold_line_style(stroke(Tone::Faint, size.line() * 3 / 5))
        .light_line_style(TRANSPARENT)
        .draw()
        .map_err(FigureError::new)?;
    let (places, values) = if lying { (&y_coord, &x_coord) } else { (&x_coord, &y_coord) };
    let pen = Pen { lying, places, values, size };
    panel.series.iter().try_for_each(|series| pen.series(&mut plot, series))
}

/// What a series is drawn with.
struct Pen<'a> {
    lying: bool,
    places: &'a AxisCoord,
    values: &'a AxisCoord,
    size: FigureSize,
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

    fn series(&self, plot: &mut Plot<'_, '_>, series: &Series) -> Result<(), FigureError> {
        let width = self.size.line();
        let (first, last) = self.places.ends();
        match series.shape {
            Shape::Dots | Shape::SmallDots(_) => {
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
            Shape::Bars => series.marks.iter().try_for_each(|mark| self.bar(plot, series.tone, mark)),
        }
    }

    fn dot(&self, plot: &mut Plot<'_, '_>, series: &Series, mark: &Mark) -> Result<(), FigureError> {
        let Some(place) = mark.place else { return Ok(()) };
        let place = match series.shape {
            Shape::SmallDots(step) => place + APART * f64::from(step),
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
        let dot = Circle::new(
            self.point(place, self.values.clamped(mark.value)),
            radius(series, self.size),
            series.tone.color().filled(),
        );
        plot.draw_series([dot]).map_err(FigureError::new)?;
        Ok(())
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

    fn bar(&self, plot: &mut Plot<'_, '_>, tone: Tone, mark: &Mark) -> Result<(), FigureError> {
        let Some(place) = mark.place else { return Ok(()) };
        let (from, to) = match (mark.to, self.places.zero()) {
            (Some(to), Some(zero)) if to <= 0.0 => zero,
            (Some(to), _) => (place, to),
            (None, _) => (place - HALF_BAR, place + HALF_BAR),
        };
        let (low, high) = ends(mark, self.values);
        if high > low {
            let corners = [self.point(from, low), self.point(to, high)];
            plot.draw_series([Rectangle::new(corners, tone.color().filled())]).map_err(FigureError::new)?;
        }
        Ok(())
    }
}
