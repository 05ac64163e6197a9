//! The built-in reference engines, each a plain UCI server over any reader and writer.
//!
//! They do not know that anyone measures them. The engines themselves know neither threads nor
//! clocks: a host hands them lines and the time, so that they also run inside a browser.

pub mod board;
pub mod classic;
pub mod perft;
pub mod zobrist;
