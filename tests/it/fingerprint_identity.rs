//! What a fingerprint is of: the files behind a launcher, its arguments, its folder.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::fingerprint::{Fixture, mock};
use super::support::Ran;

/// A launcher that plays what `engine.txt` says, the arguments of the mock engine.
fn launcher(fixture: &Fixture, crash: bool) {
    let lab = &fixture.0;
    let data = lab.path("engine.txt").display().to_string();
    let crash = if crash { " --fault crash --at-go 5" } else { "" };
    lab.write("launcher", &format!("#!/bin/sh\nexec '{}' $(cat '{data}'){crash}\n", mock()));
    fs::set_permissions(lab.path("launcher"), fs::Permissions::from_mode(0o755)).unwrap();
    lab.write("engine.txt", "--seed 1");
}

fn take(fixture: &Fixture, code: i32, out: &str, options: &[&str]) -> Ran {
    fixture.ask(
        code,
        &["take", "./launcher"],
        &[&["--out", out, "--concurrency", "1"], options].concat(),
        &[],
    )
}

#[test]
fn a_take_is_not_gone_on_with_when_the_script_behind_the_launcher_changed() {
    let fixture = Fixture::new();
    launcher(&fixture, true);
    let listed = ["--file", "engine.txt"];
    let ran = take(&fixture, 4, "out", &listed);
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
    fixture.0.write("engine.txt", "--seed 2");
    let ran = take(&fixture, 3, "out", &listed);
    // Both digests, shortened as everywhere.
    let [old, new] = ["--seed 1", "--seed 2"].map(|text| sha256(&fixture, text));
    let says = format!("(different: file engine.txt (SHA-256): {old}, {new})");
    assert!(ran.stderr.contains(&says), "{says}\n{}", ran.stderr);
    assert!(!fixture.0.path("out/fingerprint.json").exists());
    // As it was, it goes on.
    fixture.0.write("engine.txt", "--seed 1");
    take(&fixture, 0, "out", &listed);
    let identity = &fixture.manifest("out")["engine"]["identity"];
    assert!(identity["program"]["files_sha256"]["engine.txt"].as_str().unwrap().starts_with(&old));
    assert_eq!(identity["limits"]["nodes"], 10);
    assert_eq!(identity["directory"], "");
    assert!(!identity.to_string().contains(fixture.0.path("").to_str().unwrap()), "{identity}");
}

/// The first digits of a text's SHA-256, by another program.
fn sha256(fixture: &Fixture, text: &str) -> String {
    fixture.0.write("text", text);
    let output = std::process::Command::new("sha256sum").arg(fixture.0.path("text")).output().unwrap();
    String::from_utf8(output.stdout).unwrap().chars().take(12).collect()
}

#[test]
fn a_file_that_changes_during_a_take_ends_it_with_4_and_the_rows_are_kept() {
    let fixture = Fixture::new();
    launcher(&fixture, false);
    // The engine itself adds to a file that is listed.
    let log = fixture.0.path("learned.txt");
    fixture.0.write("learned.txt", "");
    fixture.0.write("engine.txt", &format!("--seed 1 --log {}", log.display()));
    let listed = ["--file", "engine.txt", "--file", "learned.txt"];
    let ran = take(&fixture, 4, "out", &listed);
    let says = |text: &str| assert!(ran.stderr.contains(text), "{text}\n{}", ran.stderr);
    says("engine Mock changed while its fingerprint was taken (file learned.txt (SHA-256): ");
    says("out/fingerprint.partial.jsonl holds rows of both, no fingerprint");
    says("--mutable");
    let partial = fixture.0.read("out/fingerprint.partial.jsonl");
    assert_eq!(partial.lines().filter(|line| line.starts_with("{\"row\"")).count(), 8);
    assert!(!fixture.0.path("out/fingerprint.json").exists());
    fs::remove_dir_all(fixture.0.path("out")).unwrap();
    take(&fixture, 0, "out", &[&listed[..], &["--mutable", "learned.txt"]].concat());
}

#[test]
fn a_file_that_an_option_names_belongs_to_the_engine() {
    let fixture = Fixture::new();
    fixture.0.write("a.net", "one");
    let network = "option name EvalFile type string default <empty>";
    let take = |code, out: &str, arguments: &[&str]| {
        let options = ["--directory", ".", "--option", "EvalFile=a.net", "--concurrency", "1"];
        fixture.take(code, out, &options, &[&["--option", network], arguments].concat())
    };
    let crash = ["--fault", "crash", "--at-go", "5"];
    take(4, "out", &crash);
    fixture.0.write("a.net", "other");
    let ran = take(3, "out", &crash);
    assert!(ran.stderr.contains("(different: file option EvalFile (SHA-256): "), "{}", ran.stderr);
    take(0, "one", &[]);
    assert_eq!(fixture.manifest("one")["engine"]["identity"]["directory"], ".");
}

#[test]
fn a_launcher_without_files_is_warned_of_marked_and_never_called_chance() {
    let fixture = Fixture::new();
    launcher(&fixture, false);
    let ran = take(&fixture, 0, "one", &[]);
    assert!(
        ran.stderr.contains("warning: ./launcher is a script: only this launcher is identified"),
        "{}",
        ran.stderr
    );
    assert_eq!(fixture.manifest("one")["engine"]["launcher_only"], true);
    fixture.0.write("engine.txt", "--seed 2");
    take(&fixture, 0, "two", &[]);
    let ran = fixture.run_to(5, &["compare", "one", "two"]);
    assert!(ran.stdout.contains("the engines behind it may be different ones"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("chance"), "{}", ran.stdout);
    let json = fixture.run_to(5, &["compare", "one", "two", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["comparisons"][0]["rows"]["cause"], "behind_launcher");
    assert_eq!(json["comparisons"][0]["launcher_only"], serde_json::json!([true, true]));
    take(&fixture, 0, "listed", &["--file", "engine.txt"]);
    assert_eq!(fixture.manifest("listed")["engine"]["launcher_only"], false);
}

#[test]
fn a_comparison_names_what_differs_between_the_engines() {
    let fixture = Fixture::new();
    launcher(&fixture, false);
    let runtime = |version: &str| {
        fixture.0.write("version", &format!("#!/bin/sh\necho {version}\n"));
        fs::set_permissions(fixture.0.path("version"), fs::Permissions::from_mode(0o755)).unwrap();
    };
    let listed = ["--file", "engine.txt", "--runtime", "./version"];
    runtime("v1");
    take(&fixture, 0, "one", &listed);
    runtime("v2");
    fixture.0.write("engine.txt", "--seed  1");
    take(&fixture, 0, "two", &listed);
    let ran = fixture.run_to(0, &["compare", "one", "two"]);
    assert!(ran.stdout.contains("identity   file engine.txt (SHA-256): "), "{}", ran.stdout);
    assert!(ran.stdout.contains("identity   runtime: v1, v2\n"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("equal      every hash\n"), "{}", ran.stdout);
}

#[test]
fn the_engine_never_starts_in_the_callers_folder_by_itself() {
    let fixture = Fixture::new();
    fixture.0.write("a.net", "one");
    let ran = fixture.take(2, "out", &[], &["--play", "a.net"]);
    assert!(ran.stderr.contains("the argument `a.net` names a file of this folder"), "{}", ran.stderr);
    assert!(ran.stderr.contains("--directory ."), "{}", ran.stderr);
    fixture.take(0, "out", &["--directory", "."], &["--play", "a.net"]);
}
