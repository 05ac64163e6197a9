//! What several subjects share.

use std::path::PathBuf;

/// The mock engine (`tests/mock`), which `cargo test` builds beside the tests: the test program is
/// `target/PROFILE/deps/it-…`, the mock `target/PROFILE/examples/mock_engine`.
pub fn mock_engine() -> PathBuf {
    let test_program = std::env::current_exe().unwrap();
    let profile = test_program.ancestors().nth(2).unwrap();
    let path = profile.join("examples").join("mock_engine");
    assert!(path.exists(), "no mock engine: run `cargo build --example mock_engine`");
    path
}
