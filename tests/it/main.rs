//! Integration tests: one binary, one module per subject.

mod layering;
mod pgn;
