//! The table of methods: what each makes of the same games.

use super::super::print::decimals;
use super::words::{absence_cell, method_name};
use crate::rating::{Estimate, Fit, Interval, Line};
use crate::report::{Column, Table};

/// The lines that are always shown, the quoted one first, or every line there is.
pub(in crate::cli) fn shown_lines(fit: &Fit, all: bool) -> Vec<&Line> {
    if all {
        return fit.lines();
    }
    let mut lines = vec![&fit.quoted.line];
    if let Some(without_priors) = &fit.without_priors {
        lines.push(&without_priors.line);
    }
    lines.push(&fit.elo_curve);
    if let Some(without_priors) = &fit.without_priors {
        lines.push(&without_priors.widened);
    }
    if let Some(free_slope) = &fit.free_slope {
        lines.extend([&free_slope.unit, &free_slope.widened]);
    }
    lines
}

/// The table of these lines.
pub(in crate::cli) fn line_table(lines: &[&Line]) -> Table {
    let mut table = Table::new(vec![
        Column::words("method"),
        Column::numbers("R"),
        Column::numbers("95 %"),
        Column::numbers("SE"),
        Column::numbers("df"),
    ]);
    for line in lines {
        let cells = match line.estimate {
            Estimate::Interval(Interval {
                rating, low, high, standard_error, degrees_of_freedom, ..
            }) => {
                let places = decimals(low, high, 0);
                [
                    format!("{rating:.places$}"),
                    format!("[{low:.places$}, {high:.places$}]"),
                    standard_error.map(|error| format!("{error:.*}", places + 1)).unwrap_or_default(),
                    degrees_of_freedom.map(degrees).unwrap_or_default(),
                ]
            }
            Estimate::Absent(absence) => [String::new(), absence_cell(absence), String::new(), String::new()],
        };
        table.rows.push(std::iter::once(method_name(line.method).to_owned()).chain(cells).collect());
    }
    table
}

/// Whole where they are whole.
fn degrees(degrees: f64) -> String {
    if degrees.fract() == 0.0 { format!("{degrees:.0}") } else { format!("{degrees:.1}") }
}
