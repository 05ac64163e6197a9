//! The look that all figures share, and the way from plotters to SVG.
//!
//! plotters rounds to whole pixels, so it draws on a canvas ten times as large as the figure, which
//! the viewBox brings back to size. Fonts are named, never measured: no font of this machine has a
//! say in the bytes.

use std::fmt;

use plotters::prelude::*;

use super::text::{clean, shown};

/// Canvas pixels per pixel of the figure.
pub(super) const SCALE: u32 = 10;
/// How much of its colour a band has.
pub(super) const BAND: f64 = 0.25;

/// A figure could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the figure cannot be drawn: {0}")]
pub struct FigureError(String);

impl FigureError {
    pub(super) fn new(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// What a colour is for. Colours that differ for colour-blind eyes (Okabe and Ito 2008).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Text and measurements.
    Ink,
    /// The first thing shown.
    Blue,
    /// Beside blue.
    Orange,
    /// A weaker blue.
    Sky,
    /// A weaker orange.
    Amber,
    /// A third thing.
    Green,
    /// Neither one nor the other.
    Grey,
    /// Grids and grounds.
    Faint,
    /// The paper.
    Paper,
}

impl Tone {
    /// All tones.
    pub const ALL: [Self; 9] = [
        Self::Ink,
        Self::Blue,
        Self::Orange,
        Self::Sky,
        Self::Amber,
        Self::Green,
        Self::Grey,
        Self::Faint,
        Self::Paper,
    ];

    /// On paper.
    pub(super) fn color(self) -> RGBColor {
        match self {
            Self::Ink => RGBColor(34, 34, 34),
            Self::Blue => RGBColor(0, 114, 178),
            Self::Orange => RGBColor(213, 94, 0),
            Self::Sky => RGBColor(86, 180, 233),
            Self::Amber => RGBColor(230, 159, 0),
            Self::Green => RGBColor(0, 158, 115),
            Self::Grey => RGBColor(176, 176, 176),
            Self::Faint => RGBColor(221, 221, 221),
            Self::Paper => RGBColor(255, 255, 255),
        }
    }

    /// On a dark page, as CSS.
    #[must_use]
    pub fn dark(self) -> &'static str {
        match self {
            Self::Ink => "#e6e6e6",
            Self::Blue => "#4aa8e8",
            Self::Orange => "#f08a3c",
            Self::Sky => "#2f6f9c",
            Self::Amber => "#a8741a",
            Self::Green => "#2fc79a",
            Self::Grey => "#6a7078",
            Self::Faint => "#3a3f46",
            Self::Paper => "#16191d",
        }
    }

    /// As the drawing library writes it.
    #[must_use]
    pub fn hex(self) -> String {
        let RGBColor(red, green, blue) = self.color();
        format!("#{red:02X}{green:02X}{blue:02X}")
    }
}

/// Where a figure is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureSize {
    /// One column of a paper of two: 86 mm.
    Column,
    /// Both columns, or a page: 178 mm.
    Page,
    /// A slide, 16 to 9.
    Slide,
}

impl FigureSize {
    /// All sizes.
    pub const ALL: [Self; 3] = [Self::Page, Self::Column, Self::Slide];

    /// What files of this size have in their names, after the figure's.
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Page => "",
            Self::Column => "-column",
            Self::Slide => "-slide",
        }
    }

    /// In pixels, 96 to an inch.
    pub(super) fn width(self) -> u32 {
        match self {
            Self::Column => 326,
            Self::Page => 672,
            Self::Slide => 960,
        }
    }

    /// The height of letters in pixels: of labels, of what axes are, of titles.
    pub(super) fn letters(self) -> [u32; 3] {
        match self {
            Self::Column => [10, 10, 10],
            Self::Page => [11, 11, 13],
            Self::Slide => [17, 18, 22],
        }
    }

    /// The width of lines, in tenths of the usual one.
    pub(super) fn line(self) -> u32 {
        if self == Self::Slide { 18 } else { 10 }
    }
}

/// Letters of this height in pixels.
pub(super) fn font(pixels: u32) -> TextStyle<'static> {
    // The library divides by this again.
    ("sans-serif", 1.24 * f64::from(pixels * SCALE)).into_font().color(&Tone::Ink.color())
}

/// The width of a letter in heights, about that of DejaVu Sans, the widest of the usual fonts: what
/// room texts are given.
fn letter_width(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | 'I' | 'J' | '\'' | '|' | '.' | ',' | ':' | ';' => 0.32,
        ' ' | 'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' | '!' => 0.41,
        'm' | 'M' | 'W' | '%' | '@' | '…' => 1.0,
        'w' | '<' | '>' | '=' | '+' | '±' | '×' | '\u{2212}' => 0.84,
        'A'..='Z' => 0.75,
        c if c.is_ascii() => 0.64,
        // From here on are scripts with square letters, and pictures.
        '\u{1100}'.. => 1.0,
        _ => 0.72,
    }
}

/// The width of a text in pixels, about.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a text has some million letters at most"
)]
pub(super) fn text_width(text: &str, letters: u32) -> u32 {
    (text.chars().map(letter_width).sum::<f64>() * f64::from(letters)).ceil() as u32
}

/// The text, cut where it is wider than so many pixels; without hidden characters.
pub(super) fn fitted(text: &str, letters: u32, pixels: u32) -> String {
    // Cut first: a name may have a million letters.
    let most = (pixels / (letters / 4).max(1)) as usize + 1;
    let start: String = text.chars().take(most + 1).collect();
    if start.len() == text.len() && text_width(text, letters) <= pixels {
        return clean(text);
    }
    let mut cut = start;
    while text_width(&cut, letters) + letters > pixels && cut.pop().is_some() {}
    format!("{}…", clean(&cut).trim_end())
}

/// The same for a name with a count in parentheses behind it: the name is cut, the count stays.
pub(super) fn fitted_name(text: &str, letters: u32, pixels: u32) -> String {
    if text_width(text, letters) > pixels
        && text.ends_with(')')
        && let Some((name, count)) = text.rsplit_once(" (")
    {
        let count = format!(" ({count}");
        let room = pixels.saturating_sub(text_width(&count, letters));
        if room >= 3 * letters {
            return fitted(name, letters, room) + &clean(&count);
        }
    }
    fitted(text, letters, pixels)
}

/// A line of this colour, `width` tenths of a pixel wide.
pub(super) fn stroke(tone: Tone, width: u32) -> ShapeStyle {
    ShapeStyle { color: tone.color().into(), filled: false, stroke_width: width }
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
        area.fill(&Tone::Paper.color()).map_err(FigureError::new)?;
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

/// Text as XML takes it, at most a paragraph.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len().min(4000));
    for c in text.chars().take(2000) {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(shown(c)),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_to_its_room_and_holds_no_control_character() {
        assert_eq!(fitted("a\u{1b}b\u{ffff}", 10, 100), "a b ");
        let cut = fitted(&"x".repeat(1_000_000), 10, 100);
        assert!(cut.ends_with('…') && text_width(&cut, 10) <= 100 + 6, "{cut}");
        assert_eq!(fitted("", 10, 0), "");
        let name = fitted_name("a-run-with-a-long-name (80 games)", 10, 150);
        assert!(name.starts_with("a-ru") && name.ends_with("… (80 games)"), "{name}");
        assert!(text_width(&name, 10) <= 150, "{name}");
        assert_eq!(fitted_name("short (80 games)", 10, 150), "short (80 games)");
        let count = fitted_name(&format!("a ({})", "1".repeat(1000)), 10, 100);
        assert!(count.ends_with("1…") && text_width(&count, 10) <= 100, "{count}");
    }

    #[test]
    fn a_title_cannot_leave_its_element() {
        let svg = draw((1, 1), "</title><script>", "\"&\u{fffe}", |_| Ok(())).unwrap();
        assert!(
            svg.contains("<title>&lt;/title&gt;&lt;script&gt;</title>\n<desc>&quot;&amp; </desc>"),
            "{svg}"
        );
    }
}
