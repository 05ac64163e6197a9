//! The Universal Chess Interface: protocol text, and one engine as a child process.
//!
//! Knows nothing of games or ratings.

pub mod protocol;
