//! Where two fingerprints differ, position by position.

use crate::fingerprint::{Column, Row};
use crate::report::chart::{Axis, Chart, Mark, Panel, Series, Shape, count_as_f64, index_as_f64};
use crate::report::svg::Tone;

/// One strip a column, a cell a position. `names` are those of the two fingerprints. `None` when the
/// positions are not the same.
#[must_use]
pub fn fingerprint_chart(names: [&str; 2], a: &[Row], b: &[Row]) -> Option<Chart> {
    let same = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.fen() == b.fen());
    if !same || a.is_empty() {
        return None;
    }
    let end = count_as_f64(a.len() as u64);
    let (mut ground, mut cells, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    let mut strip = |name: &str, differs: &dyn Fn(&Row, &Row) -> bool| {
        let place = index_as_f64(lines.len());
        let differing: Vec<u64> =
            (0..).zip(a.iter().zip(b)).filter(|(_, (a, b))| differs(a, b)).map(|(index, _)| index).collect();
        lines.push(format!("{name} ({})", differing.len()));
        ground.push(Mark::at(place, end).between(Some(0.0), Some(end)));
        // Neighbours are one bar; its value is how many cells it covers.
        for run in differing.chunk_by(|one, next| one + 1 == *next) {
            let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
            let mark = Mark::at(place, count_as_f64(run.len() as u64));
            cells.push(mark.between(Some(count_as_f64(*first)), Some(count_as_f64(last + 1))));
        }
    };
    strip("any", &|a, b| a != b);
    for column in Column::ALL {
        strip(column.name(), &|a, b| a.cell(column) != b.cell(column));
    }
    let [first, second] = names;
    Some(Chart {
        name: "fingerprints".to_owned(),
        title: format!("{first} and {second}"),
        description: format!(
            "A strip a column, one cell for each of {} positions, coloured where the two answers differ.",
            a.len()
        ),
        caption: format!(
            "Where the fingerprints {first} and {second} differ: one cell for each of {} positions in their order; \
             the number of differing positions in parentheses.",
            a.len()
        ),
        about: String::new(),
        method:
            "The rows' cells as text: move, depth, score, nodes, principal variation, the engine's words."
                .to_owned(),
        panels: vec![Panel {
            places: Axis::names(lines),
            values: Axis::numbers("position").within(0.0, end),
            series: vec![
                Series::new("equal", "equal", Tone::Faint, Shape::Bars, ground),
                Series::new("differs", "different", Tone::Orange, Shape::Bars, cells),
            ],
        }],
    })
}
