//! The built-in reference engines, each a plain UCI server over any reader and writer.
//!
//! They do not know that anyone measures them. The engines themselves know neither threads nor
//! clocks: a [`Host`] hands them lines and the time, so that they also run inside a browser.

pub mod board;
pub mod classic;
pub mod fallible;
mod host;
mod kit;
pub mod legible;
pub mod perft;
mod registry;
#[cfg(not(target_family = "wasm"))]
mod server;
#[cfg(target_family = "wasm")]
mod wasm;
pub mod zobrist;

pub use host::{Engine, Flow, Heard, Host};
#[cfg(not(target_family = "wasm"))]
pub use registry::serve;
pub use registry::{UnknownEngine, names};
#[cfg(not(target_family = "wasm"))]
pub use server::serve_engine;
