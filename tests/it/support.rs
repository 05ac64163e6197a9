//! What several subjects share.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use elometer::uci::process::{Deadlines, Launch};

/// The mock engine (`tests/mock`), which `cargo test` builds beside the tests: the test program is
/// `target/PROFILE/deps/it-…`, the mock `target/PROFILE/examples/mock_engine`.
pub fn mock_engine() -> PathBuf {
    let test_program = std::env::current_exe().unwrap();
    let profile = test_program.ancestors().nth(2).unwrap();
    let path = profile.join("examples").join("mock_engine");
    assert!(path.exists(), "no mock engine: run `cargo build --example mock_engine`");
    path
}

/// The mock engine with these arguments, and deadlines that no busy machine misses.
pub fn mock_launch(arguments: &[&str]) -> Launch {
    let minute = 60_000;
    let deadlines =
        Deadlines { start_ms: minute, ready_ms: minute, search_ms: None, stop_ms: minute, quit_ms: minute };
    Launch {
        label: "mock".to_owned(),
        program: mock_engine(),
        arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
        directory: None,
        deadlines,
        log: None,
    }
}

/// The lines of a file; none when it does not exist.
pub fn lines_of(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Lets other threads and processes work until `condition` holds, for a minute at most.
pub fn wait_for(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < deadline, "still waiting for {what}");
        std::thread::park_timeout(Duration::from_millis(1));
    }
}

/// The arguments of every process that has not ended, by its id. Empty where there is no `/proc`.
pub fn processes() -> Vec<(u32, String)> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let process = |name: &str| {
        // A process that has ended but was not waited for has no arguments any more.
        let arguments =
            std::fs::read(format!("/proc/{name}/cmdline")).ok().filter(|text| !text.is_empty())?;
        Some((name.parse().ok()?, String::from_utf8_lossy(&arguments).into_owned()))
    };
    entries.flatten().filter_map(|entry| process(&entry.file_name().to_string_lossy())).collect()
}
