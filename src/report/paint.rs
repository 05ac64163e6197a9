//! A chart onto the canvas: the one place where figures get their look.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::AxisCoord;
use super::chart::{Chart, Panel, Scale, Shape};
use super::legend::{draw_legend, legend_rows};
use super::pen::Pen;
use super::svg::{FigureError, FigureSize, SCALE, Tone, draw, fitted, fitted_name, font, stroke, text_width};

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The height of a slide in pixels: 9 to its width's 16.
const SLIDE_HEIGHT: u32 = 540;
/// The smallest letters of names, where a slide has many lines of them.
const LEAST_LETTERS: u32 = 4;

impl Chart {
    /// The figure as SVG. That for a column has no line with its title: a paper's caption says it.
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
        let title_height = if stacked { 0 } else { 2 * letters };
        // Side by side, axes begin at one height.
        let rows = |panel| legend_rows(panel, panel_width, size.letters()[0]);
        let most_rows = self.panels.iter().map(rows).max().unwrap_or(0);
        let body = match size {
            FigureSize::Column => heights.iter().sum(),
            FigureSize::Page => heights.iter().copied().max().unwrap_or(0),
            FigureSize::Slide => SLIDE_HEIGHT - title_height,
        };
        let height = title_height + body;
        draw((width, height), &self.title, &self.description, |area| {
            let (head, mut rest) = area.split_vertically(title_height * SCALE);
            if !stacked {
                let title = fitted(&self.title, letters, width - letters);
                let middle = i32::try_from(width * SCALE / 2).unwrap_or(0);
                let top = i32::try_from(letters * SCALE / 2).unwrap_or(0);
                let style = font(letters).pos(Pos::new(HPos::Center, VPos::Top));
                head.draw(&Text::new(title, (middle, top), style)).map_err(FigureError::new)?;
            }
            for (panel, height) in self.panels.iter().zip(&heights) {
                let (own, after) = if stacked {
                    rest.split_vertically(height * SCALE)
                } else {
                    rest.split_horizontally(panel_width * SCALE)
                };
                // Beside a taller panel, lines of names keep their own height.
                let own_height = match size {
                    FigureSize::Column => *height,
                    _ if is_lying(panel) => body.min(*height),
                    _ => body,
                };
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
                panel.series.iter().filter(|series| matches!(series.shape, Shape::SmallDots(..))).count();
            let row = if series > 2 { 3 * letters } else { 2 * letters };
            // A slide has room: lines stand wider apart there, as far as they may.
            let row = if size == FigureSize::Slide { 2 * row } else { row };
            let names = u32::try_from(names.len()).unwrap_or(u32::MAX).min(200);
            names * row + letters
        }
        _ if size == FigureSize::Column => 18 * letters,
        _ => 21 * letters,
    };
    legend + plot + 3 * letters + 3 * axis / 2
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
    let upright = (2 * height.saturating_sub(legend + 5 * letters) / (5 * letters)).max(2);
    let (x_axis, y_axis) =
        if lying { (&panel.values, &panel.places) } else { (&panel.places, &panel.values) };
    let y_coord = if lying { AxisCoord::places(panel, upright) } else { AxisCoord::values(panel, upright) };
    let y_letters = match &y_axis.scale {
        Scale::Names(names) => {
            let plot = height.saturating_sub(legend + 3 * letters + 3 * axis_letters / 2);
            let row = plot / u32::try_from(names.len()).unwrap_or(u32::MAX).max(1);
            (row * 4 / 5).clamp(LEAST_LETTERS, letters)
        }
        _ => letters,
    };
    let widest = match &y_axis.scale {
        Scale::Names(names) => {
            let widest = names.iter().map(|name| text_width(name, y_letters)).max().unwrap_or(0);
            widest.min(3 * width / 5) + letters
        }
        _ => {
            let ticks = y_coord.ticks().iter();
            let widest = ticks.map(|tick| text_width(&y_coord.label(y_axis, *tick), letters)).max();
            let described = if y_axis.label.is_empty() { 0 } else { 2 * axis_letters };
            widest.unwrap_or(0).max(2 * letters) + letters + described
        }
    };
    let across = (width.saturating_sub(widest + 3 * letters) / (4 * letters)).max(2);
    let x_coord = if lying { AxisCoord::values(panel, across) } else { AxisCoord::places(panel, across) };
    let mut builder = ChartBuilder::on(&body);
    builder
        .margin(letters * SCALE / 2)
        .margin_right(2 * letters * SCALE)
        .x_label_area_size((2 * letters + 3 * axis_letters / 2) * SCALE)
        .y_label_area_size(widest * SCALE);
    let mut plot = builder.build_cartesian_2d(x_coord.clone(), y_coord.clone()).map_err(FigureError::new)?;
    let names_room = widest.saturating_sub(letters);
    let y_text =
        |value: &f64| fitted_name(&y_coord.label(y_axis, *value), y_letters, names_room.max(4 * letters));
    let mut mesh = plot.configure_mesh();
    if lying {
        mesh.disable_y_mesh();
    }
    mesh.x_desc(x_axis.label.as_str())
        .y_desc(y_axis.label.as_str())
        .axis_desc_style(font(axis_letters))
        .x_label_style(font(letters))
        .y_label_style(font(y_letters))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::chart::{Axis, Mark, Series, index_as_f64};

    fn lines(count: usize, label: &str) -> Chart {
        let marks = (0..count).map(|index| Mark::at(index_as_f64(index), 5.0).between(Some(0.0), Some(5.0)));
        let names = (0..count).map(|index| format!("a name of some length {index} (80 games)")).collect();
        let series = (0..4).map(|index| {
            let label = format!("{label} {index}");
            Series::new("key", label, Tone::Blue, Shape::Bars, marks.clone().collect()).written("inside")
        });
        let panel =
            Panel { places: Axis::names(names), values: Axis::numbers("points"), series: series.collect() };
        let text = || "The title".to_owned();
        Chart {
            name: text(),
            title: text(),
            description: text(),
            caption: text(),
            about: text(),
            method: text(),
            panels: vec![panel],
        }
    }

    #[test]
    fn a_slide_is_16_to_9_whatever_stands_on_it_and_a_column_has_no_title() {
        for chart in [lines(2, "short"), lines(60, "short"), lines(3, &"a long entry of a legend ".repeat(4))]
        {
            let slide = chart.to_svg(FigureSize::Slide).unwrap();
            assert!(slide.starts_with("<svg width=\"960\" height=\"540\""), "{}", &slide[..80]);
            assert!(slide.contains("\nThe title\n"));
            let column = chart.to_svg(FigureSize::Column).unwrap();
            assert!(column.starts_with("<svg width=\"326\"") && column.contains("<title>The title</title>"));
            assert!(!column.contains("\nThe title\n") && column.contains("(80 games)\n"));
        }
    }

    #[test]
    fn bars_say_what_they_are_where_they_have_the_room() {
        let few = lines(2, "short").to_svg(FigureSize::Page).unwrap();
        assert_eq!(few.matches("\ninside\n").count(), 8);
        let many = lines(60, "short").to_svg(FigureSize::Slide).unwrap();
        assert!(!many.contains("\ninside\n"), "thinner than letters");
    }
}
