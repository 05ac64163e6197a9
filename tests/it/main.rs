//! Integration tests: one binary, one module per subject.

mod layering;
mod mock;
mod pgn;
mod protocol;
mod support;
