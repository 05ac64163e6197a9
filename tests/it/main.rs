//! Integration tests: one binary, one module per subject.

mod classic;
mod layering;
mod perft;
