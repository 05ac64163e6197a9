//! Integration tests: one binary, one module per subject.

mod check;
mod classic;
mod driver;
mod fit;
mod games;
mod ladder;
mod layering;
mod mock;
mod openings;
mod perft;
mod pgn;
mod protocol;
mod rating;
mod refusals;
mod resume;
mod support;
