//! The command line: arguments, printing, exit codes. One file per subcommand.

mod args;
mod exit;

pub use args::run;
