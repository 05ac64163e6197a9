//! Integration tests: one binary, one module per subject.

mod check;
mod classic;
mod coverage;
mod driver;
mod fingerprint;
mod fit;
mod games;
mod golden_match;
mod input;
mod ladder;
mod layering;
mod mock;
mod openings;
mod perft;
mod pgn;
mod protocol;
mod r;
mod rating;
mod rating_commands;
mod reference_positions;
mod refusals;
mod resume;
mod runner_cases;

mod statistics;
mod support;
