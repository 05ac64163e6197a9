//! One function a figure: from results to a [`Chart`](super::Chart).

mod audit;
mod fingerprint;
mod games;
mod ladder;
mod runs;
mod simulation;

pub use audit::{accuracy_chart, drop_chart, optimism_chart};
pub use fingerprint::fingerprint_chart;
pub use games::{ending_chart, pentanomial_chart};
pub use ladder::{implied_chart, ladder_chart, residual_chart, score_chart};
pub use runs::{arrivals_chart, forest_chart};
pub use simulation::coverage_chart;
