//! `elometer fit` through the program.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use flate2::Compression;
use flate2::write::GzEncoder;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// Runs `elometer fit` in `tests/data`, so that file names in the output hold no path.
fn fit(arguments: &[&str]) -> Output {
    fit_with_input(arguments, "")
}

fn fit_with_input(arguments: &[&str], input: impl Into<Vec<u8>>) -> Output {
    let mut command = Command::cargo_bin("elometer").unwrap();
    command.current_dir(data("")).arg("fit").args(arguments).write_stdin(input);
    command.output().unwrap()
}

#[track_caller]
fn stdout(output: &Output, code: i32) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[track_caller]
fn stderr(output: &Output, code: i32) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert!(output.stdout.is_empty());
    text
}

#[test]
fn counts_give_a_table_a_rating_and_what_to_know() {
    insta::assert_snapshot!(stdout(&fit(&["ladder.csv"]), 0));
}

#[test]
fn a_pgn_gives_pairs_and_names_what_was_not_used() {
    insta::assert_snapshot!(stdout(&fit(&["ladder.pgn"]), 0));
}

#[test]
fn winning_everything_is_a_bound_and_exit_code_6() {
    let csv = "level,wins,draws,losses\n1400,20,0,0\n1600,20,0,0\n1800,20,0,0\n";
    insta::assert_snapshot!(stdout(&fit_with_input(&["-"], csv), 6));
}

#[test]
fn nothing_played_is_not_enough_data() {
    let text = stdout(&fit_with_input(&["-"], "level,wins,draws,losses\n1400,0,0,0\n"), 6);
    assert!(text.contains("no estimate, 0 games: not enough data"), "{text}");
}

#[test]
fn json_holds_every_number_and_its_version() {
    let text = stdout(&fit(&["ladder.pgn", "--format", "json"]), 0);
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["format_version"], 2);
    assert_eq!(document["subject"], "Mate");
    assert_eq!(document["fit"]["elo_curve"]["kind"], "interval");
    assert_eq!(document["fit"]["elo_curve"]["method"], "elo_curve_unit_t");
    assert_eq!(document["unused"][0]["reason"], "unfinished");
    insta::assert_snapshot!(serde_json::to_string_pretty(&rounded(document)).unwrap());
}

/// Six decimals, because the last bits of a logarithm differ between machines.
fn rounded(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Number(number) if number.is_f64() => ((number.as_f64().unwrap() * 1e6).round() / 1e6).into(),
        Value::Array(items) => items.into_iter().map(rounded).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, rounded(value))).collect(),
        other => other,
    }
}

#[test]
fn standard_input_and_gzip_give_what_the_file_gives() {
    let plain = std::fs::read(data("ladder.pgn")).unwrap();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&plain).unwrap();
    let packed = encoder.finish().unwrap();
    let from_file = stdout(&fit(&["ladder.pgn"]), 0).replace("ladder.pgn", "standard input");
    assert_eq!(stdout(&fit_with_input(&["-"], plain), 0), from_file);
    assert_eq!(stdout(&fit_with_input(&["-"], packed), 0), from_file);
}

#[test]
fn bad_input_is_exit_code_3_and_says_what_to_do() {
    let wrong = stderr(&fit_with_input(&["-"], "level,wins,draws,losses\n1500,one,2,3\n"), 3);
    assert!(wrong.contains("standard input:2: column `wins`: found `one`"), "{wrong}");
    let folder = stderr(&fit(&["."]), 3);
    assert!(folder.contains("not a run folder"), "{folder}");
    for message in [
        wrong,
        folder,
        stderr(&fit(&["missing.pgn"]), 3),
        stderr(&fit(&["ladder.pgn", "--subject", "Nobody"]), 3),
        stderr(&fit_with_input(&["-"], ""), 3),
    ] {
        assert!(message.lines().any(|line| line.starts_with("hint: ")), "{message}");
    }
}

#[test]
fn an_unknown_format_is_exit_code_2() {
    stderr(&fit(&["ladder.csv", "--format", "xml"]), 2);
}
