//! Integration tests: one binary, one module per subject.

mod fit;
mod layering;
mod pgn;
mod rating;
