//! elometer measures how strong a chess engine is, and says how well it knows.
//!
//! It drives a UCI engine (the *subject*) against strength-limited Stockfish opponents
//! (the *rungs* of a *ladder*, one per `UCI_Elo` level) and turns the games into a rating with an
//! interval. Data flows one way: spec -> plan -> games -> estimates.
//!
//! A module uses only the modules above it in this list; `tests/it/layering.rs` fails on an
//! upward arrow.
//!
//! | module | what it knows |
//! |---|---|
//! | [`chess`] | positions, moves, notation, opening sets, game endings, adjudication |
//! | [`rating`] | from scores to estimates and intervals: pure functions |
//! | [`uci`] | protocol text to typed values, and one engine as a child process |
//! | [`engines`] | the built-in reference engines, each a plain UCI server |
//! | `arena` | one game between two engines; many games on many workers |
//! | [`ladder`] | the spec, the plan, the run folder; running and resuming |
//! | [`audit`] | chosen moves against a judge's: clauses kept and broken, accuracy, agreement |
//! | [`fingerprint`] | what an engine answers on many positions, hashed and compared |
//! | [`report`] | results as figures, tables and a page |
//! | `cli` | arguments, progress, printing, exit codes |
//!
//! [`chess`], [`uci::protocol`] and [`engines`] need neither processes nor threads and are the
//! part that builds for WebAssembly; the rest is left out there.

#[cfg(not(any(target_os = "linux", target_os = "macos", target_family = "wasm")))]
compile_error!("elometer runs on Linux and macOS (engines live in Unix process groups)");

#[cfg(not(target_family = "wasm"))]
pub mod arena;
#[cfg(not(target_family = "wasm"))]
pub mod audit;
pub mod chess;
#[cfg(not(target_family = "wasm"))]
pub mod cli;
pub mod engines;
#[cfg(not(target_family = "wasm"))]
pub mod fingerprint;
#[cfg(not(target_family = "wasm"))]
pub mod ladder;
#[cfg(not(target_family = "wasm"))]
pub mod rating;
#[cfg(not(target_family = "wasm"))]
pub mod report;
pub mod uci;
