//! The committed fingerprints of the built-in engines, and what the program brings along for them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use elometer::engines;
use serde_json::Value;

use super::support::Lab;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The committed manifests with this size in their name, with their engine's name.
fn manifests(size: &str) -> Vec<(String, PathBuf)> {
    let ending = format!("-{size}.json");
    let entries = fs::read_dir(repository().join("fingerprints")).unwrap();
    let mut found: Vec<_> = entries
        .filter_map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().strip_suffix(&ending)?.to_owned();
            Some((name, path))
        })
        .collect();
    found.sort();
    found
}

fn manifest(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The names and hashes that the script in FORMAT.md prints for a file of rows.
pub(super) fn hashes_by_the_format(rows: &Path) -> Vec<(String, String)> {
    let format = include_str!("../../fingerprints/FORMAT.md");
    let script = format.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let output = Command::new("sh").args(["-c", script, "sh"]).arg(rows).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let pair = |line: &str| line.split_once(' ').map(|(name, hash)| (name.to_owned(), hash.to_owned()));
    printed.lines().map(|line| pair(line).unwrap()).collect()
}

/// Each hash of a manifest against the one that the script prints.
#[track_caller]
pub(super) fn assert_hashes_by_the_format(manifest: &Value, rows: &Path) {
    let printed = hashes_by_the_format(rows);
    assert_eq!(printed.len(), 9, "{printed:?}");
    let hashes = &manifest["sha256"];
    for (name, hash) in printed {
        assert_eq!(hashes.get(&name).unwrap_or(&hashes["columns"][&name]), &hash, "{name}");
    }
}

#[test]
fn every_built_in_engine_has_a_small_and_a_large_fingerprint() {
    for (size, least, most) in [("5m", 4_000_000, 6_000_000), ("100m", 95_000_000, 110_000_000)] {
        let manifests = manifests(size);
        let names: Vec<_> = manifests.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, engines::names(), "{size}");
        for (name, path) in manifests {
            let manifest = manifest(&path);
            let nodes = manifest["total_nodes"].as_u64().unwrap();
            assert!((least..=most).contains(&nodes), "{name}: {nodes} nodes");
            assert_eq!(manifest["positions"]["file"], "reference", "{name}");
            assert_eq!(manifest["positions"]["count"], 602, "{name}");
        }
    }
}

#[test]
fn the_hashes_of_the_committed_manifests_are_those_of_their_rows() {
    for (name, path) in manifests("5m").into_iter().chain(manifests("100m")) {
        println!("{name}");
        assert_hashes_by_the_format(&manifest(&path), &path.with_extension("tsv"));
    }
}

#[test]
fn the_built_in_engines_have_the_committed_fingerprints() {
    let lab = Lab::new();
    for (name, path) in manifests("5m") {
        let engine = format!("builtin:{name}");
        let command = ["fingerprint", "check", &engine, path.to_str().unwrap(), "--concurrency", "2"];
        let ran = lab.run_to(0, &command);
        assert!(ran.stdout.ends_with("equal      every hash\n"), "{}", ran.stdout);
    }
}

#[test]
fn a_part_of_them_is_the_same_one_at_a_time_and_twice() {
    let lab = Lab::new();
    let some = 30;
    let first_lines = |path: &Path, count: usize| {
        let text = fs::read_to_string(path).unwrap();
        text.split_inclusive('\n').take(count).collect::<String>()
    };
    lab.write("some.epd", &first_lines(&repository().join("positions/reference/positions.epd"), some));
    for (name, path) in manifests("5m") {
        let engine = format!("builtin:{name}");
        let manifest = manifest(&path);
        let nodes = manifest["limit"]["nodes"].to_string();
        let words: Vec<_> =
            manifest["words"].as_str().into_iter().flat_map(|words| ["--words", words]).collect();
        for (out, concurrency) in [("once", "1"), ("twice", "1"), ("at-once", "3")] {
            let limit = ["--nodes", &nodes, "--positions", "some.epd", "--concurrency", concurrency];
            lab.run_to(0, &[&["fingerprint", "take", &engine, "--out", out], &limit[..], &words].concat());
            let rows = lab.read(&format!("{out}/fingerprint.tsv"));
            assert_eq!(rows, first_lines(&path.with_extension("tsv"), 1 + some), "{name} {out}");
        }
    }
}

#[test]
fn the_sets_of_the_program_are_those_of_the_files_and_there_in_any_folder() {
    let lab = Lab::new();
    let take = |positions: &[&str], out: &str| {
        lab.run_to(
            0,
            &[&["fingerprint", "take", "builtin:classic", "--depth", "1", "--out", out], positions].concat(),
        );
        manifest(&lab.path(out).join("fingerprint.json"))
    };
    let own = take(&[], "own");
    assert_eq!(own["positions"]["file"], "reference");
    for (name, file, count) in
        [("reference", "positions/reference/positions.epd", 602), ("edges", "positions/edges.epd", 61)]
    {
        let file = repository().join(file).display().to_string();
        let (named, from_file) = (take(&["--positions", name], name), take(&["--positions", &file], "file"));
        assert_eq!(named["positions"]["file"], name);
        assert_eq!(named["positions"]["count"], count);
        assert_eq!(named["positions"]["sha256"], from_file["positions"]["sha256"]);
        assert_eq!(named["sha256"], from_file["sha256"]);
        fs::remove_dir_all(lab.path("file")).unwrap();
        // The file is not there, its bytes are in the program.
        let path = lab.path("moved.json");
        let mut moved = named.clone();
        moved["positions"]["file"] = "no-such-folder/positions.epd".into();
        fs::write(&path, moved.to_string()).unwrap();
        lab.run_to(0, &["fingerprint", "check", "builtin:classic", "moved.json"]);
    }
    assert_eq!(own["sha256"], manifest(&lab.path("reference").join("fingerprint.json"))["sha256"]);
}

#[test]
fn the_games_of_the_reference_positions_are_in_the_program_too() {
    let lab = Lab::new();
    let command = ["fingerprint", "diagnose", "builtin:classic", "--depth", "1", "--count", "12"];
    let ran = lab.run_to(0, &command);
    assert!(ran.stdout.contains("from the moves that led there"), "{}", ran.stdout);
}
