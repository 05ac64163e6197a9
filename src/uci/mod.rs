//! The Universal Chess Interface: protocol text, and one engine as a child process.
//!
//! Knows nothing of games or ratings.

#[cfg(not(target_family = "wasm"))]
pub mod process;
pub mod protocol;
