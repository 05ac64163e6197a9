//! Limits of a fingerprint: what the engine reports against what it was asked.

use serde_json::Value;

use super::fingerprint::{Fixture, mock};

/// `take` and `check` at 10,000 nodes with these arguments of the mock engine.
struct Limits(Fixture);

impl Limits {
    fn take(&self, out: &str, arguments: &[&str]) -> (String, Value) {
        let command = ["take", &mock(), "--nodes", "10000", "--positions", "positions.epd", "--out", out];
        let ran = self.0.run_to(0, &[&command[..], &engine(arguments)].concat());
        (ran.stderr, self.0.manifest(out)["limit_use"].clone())
    }

    fn check(&self, code: i32, manifest: &str, arguments: &[&str]) -> (String, String) {
        let ran = self.0.run_to(code, &[&["check", &mock(), manifest], &engine(arguments)[..]].concat());
        (ran.stdout, ran.stderr)
    }
}

fn engine<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    if arguments.is_empty() { Vec::new() } else { [&["--arguments"], arguments].concat() }
}

#[test]
fn an_engine_that_ignores_the_nodes_is_noted_by_take_and_fails_the_gate_though_its_digest_is_equal() {
    let limits = Limits(Fixture::new());
    let (stderr, found) = limits.take("one", &["--search-nodes", "7"]);
    let says = "the engine does not keep the limit: 10000 nodes asked, 7 searched (median)";
    assert!(stderr.contains(says), "{stderr}");
    assert_eq!([&found["short"], &found["over"], &found["reported"]["nodes"]["median"]], [8, 0, 7]);
    assert_eq!(limits.0.manifest("one")["total_nodes"], 8 * 7);
    let (stdout, stderr) = limits.check(5, "one", &["--search-nodes", "7"]);
    assert!(stdout.ends_with("equal      every hash\n"), "{stdout}");
    assert!(stdout.contains(&format!("limit      B: {says}")), "{stdout}");
    assert!(stderr.contains(says), "{stderr}");
    // What is compared is named too.
    let ran = limits.0.run_to(0, &["compare", "one", "one"]);
    assert!(ran.stdout.contains(&format!("limit      A: {says}")), "{}", ran.stdout);
}

#[test]
fn an_engine_that_overshoots_fails_the_gate_too() {
    let limits = Limits(Fixture::new());
    limits.take("one", &[]);
    // Nothing of the limit is said of an engine that keeps it.
    let (_, found) = limits.take("two", &[]);
    assert_eq!([&found["short"], &found["over"]], [0, 0]);
    limits.check(0, "one", &[]);
    let (stderr, found) = limits.take("three", &["--fault", "overshoot"]);
    assert!(
        stderr.contains("10000 nodes asked, 1010000 searched (median); more than twice in 8 of 8"),
        "{stderr}"
    );
    assert_eq!(found["over"], 8);
    let (_, stderr) = limits.check(5, "three", &["--fault", "overshoot"]);
    assert!(stderr.contains("does not keep the limit"), "{stderr}");
}

#[test]
fn mates_found_at_once_and_single_legal_moves_are_no_broken_limit() {
    let limits = Limits(Fixture::new());
    let (stderr, found) = limits.take("mates", &["--search-nodes", "7", "--score", "mate:3"]);
    assert!(!stderr.contains("limit"), "{stderr}");
    assert_eq!([&found["short"], &found["reported"]["below"]], [0, 8]);
    limits.check(0, "mates", &["--search-nodes", "7", "--score", "mate:3"]);
    limits.0.0.write("positions.epd", "7k/8/8/8/8/8/1r6/K7 w - - 0 1\n");
    let (_, found) = limits.take("forced", &["--search-nodes", "7"]);
    assert_eq!(found["short"], 0);
}

#[test]
fn a_depth_is_verified_as_nodes_are() {
    let fixture = Fixture::new();
    let command = ["take", &mock(), "--depth", "30", "--positions", "positions.epd", "--out", "one"];
    let ran = fixture.run_to(0, &command);
    assert!(!ran.stderr.contains("limit"), "{}", ran.stderr);
    assert_eq!(fixture.manifest("one")["limit_use"]["reported"]["depth"]["median"], 30);
    let command = ["take", &mock(), "--depth", "30", "--positions", "positions.epd", "--out", "short"];
    let ran = fixture.run_to(0, &[&command[..], &["--arguments", "--search-depth", "2"]].concat());
    assert!(ran.stderr.contains("30 plies asked, 2 searched (median)"), "{}", ran.stderr);
    let command = ["take", &mock(), "--depth", "1", "--positions", "positions.epd", "--out", "two"];
    let ran = fixture.run_to(0, &[&command[..], &["--arguments", "--fault", "deep"]].concat());
    assert!(ran.stderr.contains("1 plies asked, 4 searched (median)"), "{}", ran.stderr);
}

#[test]
fn an_engine_that_tells_no_nodes_is_noted_and_passes() {
    let limits = Limits(Fixture::new());
    let (stderr, found) = limits.take("one", &["--fault", "no-info"]);
    assert!(stderr.contains("it is not known whether the engine keeps the limit"), "{stderr}");
    assert_eq!(found["reported"]["unreported"], 8);
    limits.check(0, "one", &["--fault", "no-info"]);
}

#[test]
fn a_manifest_of_format_1_is_checked_and_its_engine_too() {
    let limits = Limits(Fixture::new());
    limits.take("one", &["--search-nodes", "7"]);
    let mut manifest = limits.0.manifest("one");
    let program = manifest["engine"]["identity"]["program"]["program_sha256"].clone();
    manifest["format_version"] = 1.into();
    manifest["engine"] = serde_json::json!({ "name": "Mock", "program_sha256": program });
    manifest.as_object_mut().unwrap().remove("limit_use");
    limits.0.0.write("one/fingerprint.json", &manifest.to_string());
    let (stdout, stderr) = limits.check(5, "one", &["--search-nodes", "7"]);
    assert!(stdout.ends_with("equal      every hash\n"), "{stdout}");
    assert!(stderr.contains("10000 nodes asked, 7 searched (median)"), "{stderr}");
    limits.check(5, "one", &[]);
    manifest["format_version"] = 3.into();
    limits.0.0.write("one/fingerprint.json", &manifest.to_string());
    let (_, stderr) = limits.check(3, "one", &[]);
    assert!(stderr.contains("format version 3, this elometer reads 1 to 2"), "{stderr}");
}
