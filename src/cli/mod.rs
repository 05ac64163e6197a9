//! The command line: arguments, printing, exit codes. One file per subcommand.

mod args;
mod check;
mod derived;
mod engine;
mod exit;
mod export;
pub mod fit;
mod format;
mod perft;
mod plan;
mod print;
mod progress;
mod run;
mod signals;
mod status;

pub use args::run;
