//! `elometer check` on engines that do not do what `go` says, and what it says beside its checks: one
//! cause for several findings, progress, the program that was checked.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use assert_cmd::Command;
use elometer::uci::check::{CauseKind, CheckReport, CheckResult, CheckStep, Verdict, check_engine};
use elometer::uci::process::FaultCause;
use serde_json::Value;

use super::support::{mock_engine, mock_launch};

fn check(arguments: &[&str]) -> CheckReport {
    check_engine(&mock_launch(arguments), &[], &mut |_| {}).unwrap()
}

fn result(report: &CheckReport, number: u16) -> &CheckResult {
    report.checks.iter().find(|check| check.number == number).unwrap()
}

fn elometer(arguments: &[&str]) -> std::process::Output {
    Command::cargo_bin("elometer").unwrap().arg("check").args(arguments).output().unwrap()
}

fn mock() -> String {
    mock_engine().to_str().unwrap().to_owned()
}

fn script(folder: &tempfile::TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("engine.sh");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn an_engine_that_searches_seven_nodes_whatever_is_asked_fails_go_nodes() {
    let report = check(&["--search-nodes", "7"]);
    let nodes = result(&report, 303);
    assert_eq!(nodes.verdict, Verdict::Fail, "{nodes:#?}");
    assert!(nodes.finding.ends_with("20000: 7: ignores `go nodes`"), "{}", nodes.finding);
    assert_eq!(nodes.measured["at_limit_20000_nodes"], 7.0);
    assert!(result(&report, 302).verdict == Verdict::Pass && report.causes.is_empty());
}

#[test]
fn a_tenth_of_the_nodes_is_enough_and_one_node_fewer_is_not() {
    assert_eq!(result(&check(&["--search-nodes", "2000"]), 303).verdict, Verdict::Pass);
    assert_eq!(result(&check(&["--search-nodes", "1999"]), 303).verdict, Verdict::Fail);
    let mate = check(&["--search-nodes", "7", "--score", "mate:3"]);
    assert_ne!(result(&mate, 303).verdict, Verdict::Fail, "a mate found ends a search honestly");
}

#[test]
fn an_engine_that_reports_one_depth_whatever_is_asked_fails_go_depth() {
    let report = check(&["--search-depth", "1"]);
    let depth = result(&report, 302);
    assert_eq!(depth.verdict, Verdict::Fail, "{depth:#?}");
    assert!(depth.finding.ends_with("ignores `go depth`"), "{}", depth.finding);
}

#[test]
fn an_engine_that_answers_long_before_its_movetime_is_warned_of() {
    let time = check(&[]);
    assert_eq!(result(&time, 304).verdict, Verdict::Warn, "{time:#?}");
    assert!(result(&time, 304).finding.ends_with("below a tenth of it"));
}

#[test]
fn an_engine_without_clock_code_has_one_cause_that_the_findings_refer_to() {
    let report = check(&["--fixed-time-ms", "450"]);
    let [cause] = report.causes.as_slice() else { panic!("{:#?}", report.causes) };
    assert_eq!(cause.kind, CauseKind::SameTime);
    assert!([304, 601, 602, 603, 604, 606].iter().all(|number| cause.checks.contains(number)), "{cause:#?}");
    assert_eq!(cause.answers.len(), 5);
    assert_eq!(cause.load.is_some(), cfg!(target_os = "linux"));
    for check in &report.checks {
        assert_eq!(check.cause.is_some(), cause.checks.contains(&check.number), "{check:#?}");
    }
    assert!(!cause.checks.contains(&303));
}

#[test]
fn an_engine_that_is_late_by_the_same_time_is_told_from_one_without_clock_code() {
    let report = check(&["--late-by-ms", "300"]);
    let [cause] = report.causes.as_slice() else { panic!("{:#?}", report.causes) };
    assert_eq!(cause.kind, CauseKind::SameDelay, "{cause:#?}");
    assert!(cause.checks.contains(&304) && cause.checks.contains(&603), "{cause:#?}");
}

#[test]
fn an_engine_that_takes_go_nodes_for_no_limit_has_one_cause() {
    let mut launch = mock_launch(&["--endless-nodes"]);
    launch.deadlines.search_ms = Some(1_000);
    let report = check_engine(&launch, &[], &mut |_| {}).unwrap();
    let [cause] = report.causes.as_slice() else { panic!("{:#?}", report.causes) };
    assert_eq!(cause.kind, CauseKind::EndlessNodes);
    assert!([303, 705, 801, 803].iter().all(|number| cause.checks.contains(number)), "{cause:#?}");
}

#[test]
fn the_text_names_the_cause_once_with_its_hint_and_each_finding_refers_to_it() {
    let output = elometer(&[&mock(), "--arguments", "--fixed-time-ms", "450"]);
    assert_eq!(output.status.code(), Some(5));
    let text = String::from_utf8(output.stdout).unwrap();
    let cause = text.lines().find(|line| line.starts_with("cause      of 304, ")).unwrap();
    assert!(cause.contains("answers take equally long whatever the limit: 4"), "{cause}");
    assert_eq!(text.matches("hint: look at the clock while searching").count(), 1, "{text}");
    assert!(text.matches("cause: answers take equally long whatever the limit").count() > 5, "{text}");
}

#[test]
fn every_check_is_announced_before_it_runs_and_each_area_once_without_a_terminal() {
    let mut steps: Vec<CheckStep> = Vec::new();
    let report = check_engine(&mock_launch(&[]), &[], &mut |step| steps.push(step)).unwrap();
    assert_eq!(steps.len(), report.checks.len());
    assert!(steps.iter().enumerate().all(|(index, step)| step.done == index && step.total == steps.len()));
    let output = elometer(&[&mock()]);
    let lines = String::from_utf8(output.stderr).unwrap();
    assert_eq!(lines.lines().count(), 9, "{lines}");
    assert_eq!(lines.lines().next(), Some("0/68 checks, next: handshake"));
}

#[test]
#[cfg(unix)]
fn an_engine_that_does_not_start_shows_its_last_lines_and_its_stderr() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#!/bin/sh\nread line\necho Illegal move: uci\necho cannot open small.nn >&2\nexit 1\n";
    let engine = script(&folder, text);
    let output = elometer(&[engine.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(4));
    let stderr = String::from_utf8(output.stderr).unwrap();
    for expected in ["> uci", "< Illegal move: uci", "cannot open small.nn", "exit code 1", "xboard"] {
        assert!(stderr.contains(expected), "{expected} in {stderr}");
    }
    let mut launch = mock_launch(&["--hang-on", "uci"]);
    launch.deadlines.start_ms = 1_000;
    let error = check_engine(&launch, &[], &mut |_| {}).unwrap_err();
    let elometer::uci::check::CheckError::CannotStart(fault) = error else { panic!("{error}") };
    assert_eq!((fault.cause, fault.transcript), (FaultCause::StartFailure, vec!["> uci".to_owned()]));
}

#[test]
#[cfg(unix)]
fn a_script_whose_files_nobody_named_is_warned_of_and_its_files_are_in_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let engine = script(&folder, &format!("#!/bin/sh\nexec '{}'\n", mock()));
    let data = folder.path().join("weights.nn");
    fs::write(&data, "weights").unwrap();
    let (engine, data) = (engine.to_str().unwrap(), data.to_str().unwrap());
    let warning = "is a script and no files are listed";
    let unlisted = elometer(&[engine]);
    assert!(String::from_utf8_lossy(&unlisted.stderr).contains(warning));
    let listed = elometer(&[engine, "--file", data, "--format", "json"]);
    assert!(!String::from_utf8_lossy(&listed.stderr).contains(warning));
    let report: Value = serde_json::from_slice(&listed.stdout).unwrap();
    let program = &report["program"];
    assert_eq!(program["program_sha256"].as_str().map(str::len), Some(64), "{program}");
    assert_eq!(program["files_sha256"].as_object().map(serde_json::Map::len), Some(1), "{program}");
    assert_eq!((&program["id_name"], &report["format_version"]), (&"Mock".into(), &1.into()));
    let missing = elometer(&[engine, "--file", "no-such-file"]);
    assert_eq!(missing.status.code(), Some(3), "{}", String::from_utf8_lossy(&missing.stderr));
}

#[test]
fn an_option_set_twice_is_refused_and_one_without_effect_is_noted() {
    let twice = elometer(&[&mock(), "--option", "Hash=8", "--option", "hash=8"]);
    assert_eq!(twice.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&twice.stderr).contains("option `hash`: set twice, to `8` and to `8`"));
    let arguments =
        [&mock(), "--format", "json", "--option", "UCI_Elo=1350", "--arguments", "--elo", "1320:3190"];
    let idle = elometer(&arguments);
    let stderr = String::from_utf8_lossy(&idle.stderr).into_owned();
    assert!(stderr.contains("has no effect while UCI_LimitStrength is false"), "{stderr}");
    let report: Value = serde_json::from_slice(&idle.stdout).unwrap();
    assert_eq!(report["options_without_effect"], serde_json::json!(["UCI_Elo"]));
}

#[test]
#[cfg(unix)]
fn a_script_whose_interpreter_is_missing_is_told_from_a_missing_file() {
    let folder = tempfile::tempdir().unwrap();
    let engine = script(&folder, "#!/no/such/interpreter\n");
    let output = elometer(&[engine.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(4));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("the interpreter or the loader that it names is not on this machine"),
        "{stderr}"
    );
}
