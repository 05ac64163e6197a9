//! The command line: arguments, printing, exit codes. One file per subcommand.

mod args;
mod engine;
mod exit;
mod perft;

pub use args::run;
