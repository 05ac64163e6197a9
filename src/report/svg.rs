//! The look that all figures share, and the way from plotters to SVG.
//!
//! plotters rounds to whole pixels, so it draws on a canvas ten times as large as the figure, which
//! the viewBox brings back to size. Fonts are named, never measured: no font of this machine has a
//! say in the bytes.

use std::fmt;

use plotters::prelude::*;

/// Canvas pixels per pixel of the figure.
pub(super) const SCALE: u32 = 10;

/// A figure could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the figure cannot be drawn: {0}")]
pub struct FigureError(String);

impl FigureError {
    pub(super) fn new(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// Colours that differ for colour-blind eyes and in grey (Okabe and Ito 2008).
pub(super) const BLUE: RGBColor = RGBColor(0, 114, 178);
/// Beside blue.
pub(super) const ORANGE: RGBColor = RGBColor(213, 94, 0);
/// Text and measurements.
pub(super) const INK: RGBColor = RGBColor(34, 34, 34);
/// Grids.
pub(super) const FAINT: RGBColor = RGBColor(221, 221, 221);

/// A font of the figure's own size in pixels.
pub(super) fn font(size: u32) -> TextStyle<'static> {
    ("sans-serif", size * SCALE).into_font().color(&INK)
}

/// A line of this colour, `width` tenths of a pixel wide.
pub(super) fn stroke(color: RGBColor, width: u32) -> ShapeStyle {
    ShapeStyle { color: color.into(), filled: false, stroke_width: width }
}

/// Draws on a canvas of `width` by `height` pixels and returns the SVG. `title` and `description` are
/// what a screen reader says.
pub(super) fn draw(
    (width, height): (u32, u32),
    title: &str,
    description: &str,
    paint: impl FnOnce(&DrawingArea<SVGBackend<'_>, plotters::coord::Shift>) -> Result<(), FigureError>,
) -> Result<String, FigureError> {
    let mut svg = String::new();
    {
        let backend = SVGBackend::with_string(&mut svg, (width * SCALE, height * SCALE));
        let area = backend.into_drawing_area();
        area.fill(&WHITE).map_err(FigureError::new)?;
        paint(&area)?;
        area.present().map_err(FigureError::new)?;
    }
    let body = svg.find('>').and_then(|end| svg.get(end + 1..)).unwrap_or_default();
    Ok(format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {} {}\" role=\"img\" \
         xmlns=\"http://www.w3.org/2000/svg\">\n<title>{}</title>\n<desc>{}</desc>{body}",
        width * SCALE,
        height * SCALE,
        escaped(title),
        escaped(description),
    ))
}

/// Text as XML takes it.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
