//! Integration tests: one binary, one module per subject.

mod classic;
mod layering;
mod mock;
mod openings;
mod perft;
mod pgn;
mod protocol;
mod support;
