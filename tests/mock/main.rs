//! A UCI engine that misbehaves on request, for tests of everything that drives engines.
//!
//! Without arguments it is a well-behaved engine that plays a legal move chosen by a hash of the
//! `position` text: same text, same move, on every machine. Each argument adds one behaviour;
//! `settings.rs` lists them. `--script FILE` plays a dialogue instead (`script.rs`).
//!
//! Nothing it does outlives ten minutes, so that a test that loses track of it leaves no process
//! behind for good.

mod engine;
mod faults;
mod material;
mod moves;
mod output;
mod script;
mod settings;

use std::process::ExitCode;
use std::time::Duration;

use settings::Settings;

/// How long a hang lasts, and how long a grandchild lives.
const FOREVER: Duration = Duration::from_secs(600);

fn main() -> ExitCode {
    let settings = match Settings::read(std::env::args().skip(1)) {
        Ok(settings) => settings,
        Err(message) => {
            eprintln!("mock_engine: {message}");
            return ExitCode::from(2);
        }
    };
    if settings.only_sleep {
        if settings.new_session && rustix::process::setsid().is_err() {
            return ExitCode::FAILURE;
        }
        std::thread::sleep(FOREVER);
        return ExitCode::SUCCESS;
    }
    match &settings.script {
        Some(path) => script::play(path),
        None => engine::serve(&settings),
    }
}
