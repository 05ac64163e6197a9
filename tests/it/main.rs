//! Integration tests: one binary, one module per subject.

mod classic;
mod layering;
mod mock;
mod perft;
mod openings;
mod pgn;
mod protocol;
mod support;
