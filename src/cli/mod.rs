//! The command line: arguments, printing, exit codes. One file per subcommand.

mod args;
mod engine;
mod exit;
pub mod fit;
mod perft;

pub use args::run;
