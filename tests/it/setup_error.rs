//! The same fault at the beginning of game after game ends the run.

use super::support::Lab;

/// Sixteen games of a subject or an opponent with these arguments.
fn lab(subject: &[&str], opponent: &[&str], rest: &str) -> Lab {
    let lab = Lab::new();
    lab.write_mock_spec(subject, opponent, rest);
    lab.change_spec("pairs = 8");
    lab
}

const CRASH_AT_2: &[&str] = &["--fault", "crash", "--exit-code", "9", "--at-go", "2"];

#[test]
fn five_crashes_in_a_row_end_the_run_with_the_last_lines_and_the_command_that_resumes() {
    let lab = lab(CRASH_AT_2, &[], "");
    let ran = lab.run_to(4, &["run", "spec.toml", "--out", "run", "--concurrency", "1"]);
    assert_eq!(lab.journal("run").len(), 5, "what has been played is kept");
    let expected = "error: 5 games in a row ended by the same fault of the subject before its third move, crash: \
                    engine Mock: ended during `go` with exit code 9\n  last lines:\n";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    assert!(ran.stderr.contains("    > go nodes 1\n"), "{}", ran.stderr);
    assert!(
        ran.stderr.ends_with("to go on: elometer run spec.toml --out run --concurrency 1\n"),
        "{}",
        ran.stderr
    );
    // A new session counts anew.
    lab.run_to(4, &["run", "spec.toml", "--out", "run", "--concurrency", "1"]);
    assert_eq!(lab.journal("run").len(), 10);
    lab.run_to(0, &["run", "spec.toml", "--out", "run", "--keep-going"]);
    assert_eq!(lab.journal("run").len(), 16);
}

#[test]
fn games_at_once_change_nothing_about_it() {
    let lab = lab(CRASH_AT_2, &[], "");
    let ran = lab.run_to(4, &["run", "spec.toml", "--out", "run", "--concurrency", "3"]);
    assert!(ran.stderr.contains("error: 5 games in a row ended by the same fault"), "{}", ran.stderr);
}

#[test]
fn a_rungs_faults_count_too_though_its_games_are_void() {
    let opponent = [&["--elo", "1000:2000"], CRASH_AT_2].concat();
    let lab = lab(&[], &opponent, "levels = [1000]");
    let ran = lab.run_to(4, &["run", "spec.toml", "--out", "run", "--concurrency", "1"]);
    assert!(ran.stderr.contains("the same fault of the opponent before its third move"), "{}", ran.stderr);
    let journal = lab.journal("run");
    assert_eq!(journal.len(), 5);
    assert!(journal.iter().all(|game| game["void"] == true));
}

#[test]
fn a_fault_from_the_fourth_move_on_is_no_set_up_error_and_an_illegal_third_move_is() {
    let late = lab(&["--fault", "crash", "--at-go", "4"], &[], "");
    late.run_to(0, &["run", "spec.toml", "--out", "run"]);
    assert_eq!(late.journal("run").len(), 16);
    let illegal = lab(&["--fault", "illegal", "--at-go", "3"], &[], "");
    let ran = illegal.run_to(4, &["run", "spec.toml", "--out", "run"]);
    assert!(ran.stderr.contains("before its third move, illegal move: engine Mock"), "{}", ran.stderr);
}

#[test]
fn five_games_lost_on_time_are_no_set_up_error() {
    let lab = lab(&["--fault", "late", "--at-go", "2"], &[], "");
    lab.change_spec("limits = { movetime_ms = 5, margin_ms = 20 }");
    lab.run_to(0, &["run", "spec.toml", "--out", "run", "--concurrency", "1"]);
    assert_eq!(lab.journal("run").len(), 16);
}
