//! Integration tests: one binary, one module per subject.

mod classic;
mod driver;
mod fit;
mod games;
mod layering;
mod mock;
mod openings;
mod perft;
mod pgn;
mod protocol;
mod rating;
mod support;
