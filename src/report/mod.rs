//! Results as figures and tables.
//!
//! Takes estimates and draws or sets them; computes none. Knows nothing of engines. Invariant: the
//! same results are the same bytes.

mod axis;
mod chart;
mod figures;
mod paint;
mod svg;
mod table;

pub use chart::{Axis, Chart, Mark, Panel, Scale, Series, Shape};
pub use figures::{
    accuracy_chart, arrivals_chart, coverage_chart, drop_chart, ending_chart, fingerprint_chart, forest_chart,
    implied_chart, ladder_chart, optimism_chart, pentanomial_chart, residual_chart, score_chart,
};
pub use svg::{FigureError, FigureSize, Tone};
pub use table::{Align, Column, Table, TableFormat};
