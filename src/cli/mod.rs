//! The command line: arguments, printing, exit codes. One file per subcommand.

mod args;
mod audit;
mod book;
mod check;
mod compare;
mod derived;
mod engine;
mod engine_setup;
mod exit;
mod explain;
mod export;
mod figure;
mod fingerprint;
mod fit;
mod format;
mod generate;
mod input;
mod match_engines;
mod perft;
mod personality;
mod plan;
mod print;
mod progress;
mod report;
mod run;
mod signals;
mod simulate;
mod status;

pub use args::run;
