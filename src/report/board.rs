//! Chess diagrams, drawn here: squares, pieces of a few strokes, arrows for moves.

use std::fmt::Write as _;

use super::svg::Tone;
use crate::chess::{Board, Color, File, Rank, Role, Square};

/// The side of a square in the diagram's own units.
const SQUARE: i32 = 45;
/// The room left of the squares and below them, for the names of ranks and files.
const EDGE: i32 = 18;

/// The outline of a piece in a square of 45 by 45, and the strokes on it.
fn strokes(role: Role) -> (&'static str, &'static str) {
    match role {
        Role::Pawn => (
            "M22.5 8.5a5.5 5.5 0 0 1 3.2 10c1.2 5.5 3.1 9 6.3 12.500v6h-19v-6c3.200-3.500 5.100-7 6.300-12.500a5.500 5.500 0 0 1 3.200-10z",
            "M16 31h13",
        ),
        Role::Rook => (
            "M11 9h5.500v3.500h4v-3.500h4v3.500h4v-3.500h5.500v8.500l-3.500 2.500 1 11.500 2.500 2v3h-23v-3l2.500-2 1-11.500-3.500-2.500z",
            "M15 20h15M14 32h17",
        ),
        Role::Knight => (
            "M12 37c0-7.500 7-9.500 8-16l-6 3.500-3.500-3.500 5-8.500 1-5.500 4 3c8.500.5 13 9 12.500 27z",
            "M17.500 15.500h.5M14 34h17",
        ),
        Role::Bishop => (
            "M22.500 6a2.600 2.600 0 0 1 1.600 4.600c6.400 4.900 7.400 12.400 3.400 17.900l1.500 3.500 4 2v3h-21v-3l4-2 1.500-3.500c-4-5.500-3-13 3.400-17.900a2.600 2.600 0 0 1 1.600-4.600z",
            "M22.500 15v7M19 18.500h7M17 28.500h11",
        ),
        Role::Queen => (
            "M9 11l6.500 7.500 2.500-9 4.500 8 4.500-8 2.500 9 6.500-7.500-4 18.500 1 4.500v3h-21v-3l1-4.500z",
            "M13.500 29.500h18M12.500 34h20",
        ),
        Role::King => (
            "M21 4h3v3h3.500v3h-3.500v3.500c7-4 12.500.5 10 8l-3.500 8 1.500 4.500v3h-19v-3l1.500-4.500-3.500-8c-2.500-7.500 3-12 10-8v-3.500h-3.500v-3h3.500z",
            "M14.500 29.500h16M13.500 34h18M22.500 14v10",
        ),
    }
}

fn letter(role: Role) -> char {
    match role {
        Role::Pawn => 'P',
        Role::Knight => 'N',
        Role::Bishop => 'B',
        Role::Rook => 'R',
        Role::Queen => 'Q',
        Role::King => 'K',
    }
}

/// The twelve pieces as groups that diagrams of one page refer to: `wK`, `bP`.
#[must_use]
pub fn piece_definitions() -> String {
    let mut svg = String::from(
        "<svg class=\"definitions\" width=\"0\" height=\"0\" aria-hidden=\"true\" focusable=\"false\"><defs>\n",
    );
    for (side, fill, line, detail) in
        [("w", "#ffffff", "#1c1c1c", "#1c1c1c"), ("b", "#262626", "#0a0a0a", "#e8e8e8")]
    {
        for role in [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
            let (outline, inside) = strokes(role);
            let _ = writeln!(
                svg,
                "<g id=\"{side}{}\" stroke-width=\"1.500\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\
                 <path d=\"{outline}\" fill=\"{fill}\" stroke=\"{line}\"/>\
                 <path d=\"{inside}\" fill=\"none\" stroke=\"{detail}\"/></g>",
                letter(role)
            );
        }
    }
    svg.push_str("</defs></svg>");
    svg
}

/// An arrow on a diagram.
#[derive(Clone, Copy, Debug)]
pub struct Arrow {
    /// Where it begins.
    pub from: Square,
    /// Where it points.
    pub to: Square,
    /// Its colour.
    pub tone: Tone,
    /// Broken, so that it is told from a whole one without colour.
    pub broken: bool,
}

/// A diagram seen from `side`; pieces are those of [`piece_definitions`]. `id` makes its labels unique on
/// the page, `title` and `description` are plain words of this program.
#[must_use]
pub fn board_svg(board: &Board, side: Color, arrows: &[Arrow], id: &str, title: &str) -> String {
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"-{EDGE} 0 {0} {0}\" role=\"img\" aria-labelledby=\"{id}\">\
         <title id=\"{id}\">{title}</title>\n",
        8 * SQUARE + EDGE
    );
    for rank in Rank::ALL {
        for file in File::ALL {
            let square = Square::from_coords(file, rank);
            let (x, y) = corner(square, side);
            let class = if square.is_light() { "light" } else { "dark" };
            let _ = write!(
                svg,
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\"/>"
            );
        }
    }
    svg.push('\n');
    for (file, rank) in File::ALL.into_iter().zip(Rank::ALL) {
        // The diagonal from a1 to h8 has every file and every rank.
        let (x, y) = corner(Square::from_coords(file, rank), side);
        let (x, y) = (x + SQUARE / 2, y + SQUARE / 2 + 5);
        let _ = write!(
            svg,
            "<text x=\"{x}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{y}\">{}</text>",
            8 * SQUARE + EDGE - 4,
            file.char(),
            -EDGE / 2,
            rank.char()
        );
    }
    svg.push('\n');
    for (square, piece) in board.clone() {
        let (x, y) = corner(square, side);
        let color = if piece.color == Color::White { 'w' } else { 'b' };
        let _ = write!(svg, "<use href=\"#{color}{}\" x=\"{x}\" y=\"{y}\"/>", letter(piece.role));
    }
    for arrow in arrows {
        svg.push_str(&arrow_svg(arrow, side));
    }
    svg.push_str("</svg>");
    svg
}

/// The upper left corner of a square.
fn corner(square: Square, side: Color) -> (i32, i32) {
    let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
    let place = |index: u32| i32::try_from(index).unwrap_or(0) * SQUARE;
    match side {
        Color::White => (place(file), place(7 - rank)),
        Color::Black => (place(7 - file), place(rank)),
    }
}

/// From centre to centre on a white ground, which parts it from squares of its own colour; drawn along the x axis and turned, so that no sine is asked for.
fn arrow_svg(arrow: &Arrow, side: Color) -> String {
    let centre = |square| {
        let (x, y) = corner(square, side);
        (f64::from(x) + 22.5, f64::from(y) + 22.5)
    };
    let ((x0, y0), (x1, y1)) = (centre(arrow.from), centre(arrow.to));
    let (dx, dy) = (x1 - x0, y1 - y0);
    let length = (dx * dx + dy * dy).sqrt();
    if length < 1.0 {
        return String::new();
    }
    let (cos, sin) = (dx / length, dy / length);
    let shaft = length - 14.0;
    let dashes = if arrow.broken { " stroke-dasharray=\"9 5\"" } else { "" };
    format!(
        "<g transform=\"matrix({cos:.5} {sin:.5} {:.5} {cos:.5} {x0:.1} {y0:.1})\" opacity=\"0.9\">\
         <path d=\"M0 0H{shaft:.1}\" stroke=\"#fff\" stroke-width=\"10\" fill=\"none\"/>\
         <path d=\"M{shaft:.1} -10L{length:.1} 0L{shaft:.1} 10Z\" fill=\"{1}\" stroke=\"#fff\" stroke-width=\"2\"/>\
         <path d=\"M0 0H{shaft:.1}\" stroke=\"{1}\" stroke-width=\"6\" fill=\"none\"{dashes}/></g>",
        -sin,
        arrow.tone.hex()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Chess, Position as _};

    #[test]
    fn a_diagram_has_every_piece_in_its_place_from_either_side() {
        let board = Chess::default().board().clone();
        let white = board_svg(&board, Color::White, &[], "b", "start");
        assert_eq!((white.matches("<use ").count(), white.matches("<rect ").count()), (32, 64));
        // The white king on e1 stands below, fifth from the left; for Black above, fourth.
        assert!(white.contains("<use href=\"#wK\" x=\"180\" y=\"315\"/>"), "{white}");
        let black = board_svg(&board, Color::Black, &[], "b", "start");
        assert!(black.contains("<use href=\"#wK\" x=\"135\" y=\"0\"/>"), "{black}");
        // The names of files and ranks stand beside them.
        assert!(
            white.contains("<text x=\"22\" y=\"374\">a</text><text x=\"-9\" y=\"342\">1</text>"),
            "{white}"
        );
        assert!(
            black.contains("<text x=\"337\" y=\"374\">a</text><text x=\"-9\" y=\"27\">1</text>"),
            "{black}"
        );
        let definitions = piece_definitions();
        assert!(["wP", "bN", "wQ"].iter().all(|id| definitions.contains(&format!("id=\"{id}\""))));
    }
}
