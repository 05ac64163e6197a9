//! Tests of the protocol's reader and writer.

mod engine;
mod gui;
mod options;
mod properties;
mod support;
