//! The Universal Chess Interface: protocol text, and one engine as a child process.
//!
//! Knows nothing of games or ratings.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

#[cfg(not(target_family = "wasm"))]
pub mod check;
#[cfg(not(target_family = "wasm"))]
pub mod process;
pub mod protocol;
