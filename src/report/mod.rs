//! Results as figures, tables and a page.
//!
//! Takes estimates and draws or sets them; computes none. Knows nothing of engines. Invariant: the
//! same results are the same bytes.

mod axis;
mod board;
mod chart;
mod figures;
mod latex;
mod legend;
mod limits;
mod methods;
mod page;
mod paint;
mod pen;
mod probe_words;
mod replay;
mod svg;
mod table;
mod text;

pub use board::{Arrow, board_svg, piece_definitions};
pub use chart::{Axis, Chart, Dot, Mark, Panel, Scale, Series, Shape};
pub use figures::{
    accuracy_chart, arrivals_chart, coverage_chart, drop_chart, ending_chart, fingerprint_chart,
    forest_chart, implied_chart, ladder_chart, optimism_chart, pentanomial_chart, residual_chart,
    score_chart,
};
pub use latex::{beyond_pdflatex, latex, latex_head};
pub use limits::{limit_note, limit_notes};
pub use methods::{audit_words, match_words, methods, methods_latex, observation_clause, rating_words};
pub use page::{Diagram, Fact, Gallery, Item, Page, PageError, PageFigure, PageTable, Section};
pub use probe_words::{probe_words, setup_error_words, setup_warning_words};
pub use replay::{GameSketch, MOST_GAMES, Replay, ReplayHead, ReplayPly, choose_games};
pub use svg::{FigureError, FigureSize, Tone};
pub use table::{Align, Column, Table, TableFormat, markdown};
pub use text::shortened;
