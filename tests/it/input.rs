//! Run folders beside each other and beside PGN: no game is counted twice.

use std::fs;
use std::path::PathBuf;

use elometer::ladder::input::{InputOptions, Notice, Results, UnusedReason, read_inputs};

use super::support::Lab;

fn results(lab: &Lab, inputs: &[&str]) -> Results {
    let paths: Vec<PathBuf> = inputs.iter().map(|input| lab.path(input)).collect();
    read_inputs(&paths, &InputOptions::default()).unwrap().results(None).unwrap()
}

/// A run of eight games whose moves differ, with a copy of the folder and of its PGN.
fn lab_with_copies() -> Lab {
    let lab = Lab::new();
    lab.write_mock_spec(&[], &["--elo", "1000:2000"], "levels = [1000, 2000]");
    lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    fs::create_dir(lab.path("again")).unwrap();
    for file in fs::read_dir(lab.path("run")).unwrap() {
        let file = file.unwrap();
        if file.file_type().unwrap().is_file() {
            fs::copy(file.path(), lab.path("again").join(file.file_name())).unwrap();
        }
    }
    fs::copy(lab.path("run/games.pgn"), lab.path("elsewhere.pgn")).unwrap();
    lab
}

#[test]
fn a_run_given_with_its_copies_counts_once() {
    let lab = lab_with_copies();
    let once = results(&lab, &["run"]);
    assert_eq!(once.ladder.games(), 8);

    let folders = results(&lab, &["run", "again"]);
    assert_eq!(folders.ladder, once.ladder);
    assert_eq!((folders.unused[0].reason, folders.unused[0].games), (UnusedReason::Duplicate, 8));
    assert_eq!(folders.conditions, once.conditions);

    let inside = results(&lab, &["run", "run/games.pgn"]);
    assert_eq!(inside.ladder, once.ladder);
    assert!(matches!(inside.notices.as_slice(), [Notice::InsideRun { .. }]), "{:?}", inside.notices);

    // A PGN elsewhere may hold other games too, so its games are read, and seen to be copies.
    let elsewhere = results(&lab, &["run", "elsewhere.pgn"]);
    assert_eq!(elsewhere.ladder.units(), once.ladder.units());
    assert_eq!(elsewhere.ladder.games(), 16);
    assert!(elsewhere.ladder.copied_games() >= 8);
}
