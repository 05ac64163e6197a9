//! The legend of a panel: what its colours, lines and dots are.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::chart::{Panel, Series, Shape};
use super::paint::Area;
use super::pen::draw_dot;
use super::svg::{BAND, FigureError, FigureSize, SCALE, fitted, font, stroke, text_width};

/// The sample of a colour in a legend, in letters' heights, with the blanks beside it.
const SAMPLE: u32 = 3;

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

/// The rows of a panel's legend.
pub(super) fn legend_rows(panel: &Panel, width: u32, letters: u32) -> u32 {
    legend_places(panel, width, letters).last().map_or(0, |(row, _)| row + 1)
}

/// The legend from the top of the area, `width` pixels wide.
pub(super) fn draw_legend(
    area: &Area<'_>,
    panel: &Panel,
    width: u32,
    size: FigureSize,
) -> Result<(), FigureError> {
    let [letters, ..] = size.letters();
    let style = font(letters).pos(Pos::new(HPos::Left, VPos::Center));
    let canvas = |pixels: u32| i32::try_from(pixels * SCALE).unwrap_or(0);
    let shown = labels(panel);
    let places = legend_places(panel, width, letters);
    for (index, (series, (row, left))) in shown.iter().zip(places).enumerate() {
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
                // A band lies on those before it, in the panel and here.
                let below = shown.iter().take(index + 1).filter(|series| series.shape == Shape::Band);
                below.into_iter().try_for_each(|band| {
                    let ground = band.tone.color().mix(BAND).filled();
                    area.draw(&Rectangle::new([(from, middle - half), (to, middle + half)], ground))
                })
            }
            Shape::Dots | Shape::SmallDots(..) => area
                .draw(&PathElement::new([(from, middle), (to, middle)], stroke(series.tone, size.line())))
                .and_then(|()| draw_dot(area, (i32::midpoint(from, to), middle), series, size)),
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
