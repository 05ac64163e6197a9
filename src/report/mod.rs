//! Results as figures and tables.
//!
//! Takes estimates and draws or sets them; computes none. Knows nothing of engines. Invariant: the
//! same results are the same bytes.

mod ladder_figure;
mod svg;
mod table;

pub use ladder_figure::LadderFigure;
pub use svg::FigureError;
pub use table::{Align, Column, Table, TableFormat};
