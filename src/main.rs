//! The `elometer` program: see `elometer::cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    elometer::cli::run()
}
