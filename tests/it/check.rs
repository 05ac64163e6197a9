//! `elometer check`: each fault of the mock engine fails its own check and no other.
//!
//! Deadlines that must pass are short; the others are so long that waiting for one would show.

use std::path::Path;
use std::thread;

use assert_cmd::Command;
use elometer::uci::check::{CheckReport, Verdict, check_engine, check_list};
use elometer::uci::process::{Deadlines, Launch};
use serde_json::Value;

use super::support::{mock_engine, mock_launch};

/// Short, but longer than any pause of a busy machine that would matter.
const SHORT_MS: u64 = 1_500;

fn no_change(_: &mut Deadlines) {}

fn check(arguments: &[&str], change: fn(&mut Deadlines)) -> CheckReport {
    let mut launch = mock_launch(arguments);
    change(&mut launch.deadlines);
    check_engine(&launch, &[], &mut |_| {}).unwrap()
}

/// Where the findings begin in the text.
const FINDING_COLUMN: usize = 46;

/// An engine's arguments, a change of deadlines and the checks that must fail.
type Case<'a> = (&'a [&'a str], fn(&mut Deadlines), &'a [u16]);

/// Runs the cases side by side, since each mostly waits.
fn assert_failures(cases: &[Case<'_>]) {
    thread::scope(|scope| {
        let running: Vec<_> =
            cases.iter().map(|case| (case, scope.spawn(|| check(case.0, case.1)))).collect();
        for ((arguments, _, expected), thread) in running {
            let report = thread.join().unwrap();
            assert_eq!(report.numbers(Verdict::Fail), *expected, "{arguments:?}: {report:#?}");
        }
    });
}

#[test]
fn a_faulty_handshake_or_option_fails_its_own_check() {
    assert_failures(&[
        (&["--name", ""], no_change, &[102]),
        (&["--uciok-twice"], no_change, &[103]),
        (&["--hang-on", "isready"], |deadlines| deadlines.ready_ms = SHORT_MS, &[104]),
        (&["--option", "option name Bad type spin default 5 min 9 max 1"], no_change, &[201]),
        (&["--option", "option name Bad type spin default 50 min 1 max 9"], no_change, &[202]),
        (&["--all-options", "--crlf", "--banner", "Mock 1.0"], no_change, &[]),
    ]);
}

#[test]
fn a_search_without_an_answer_fails_once_and_hides_what_needs_searches() {
    let short: fn(&mut Deadlines) = |deadlines| {
        deadlines.search_ms = Some(SHORT_MS);
        deadlines.stop_ms = SHORT_MS;
    };
    assert_failures(&[
        (&["--fault", "hang"], short, &[301]),
        (&["--fault", "late"], |deadlines| deadlines.search_ms = Some(SHORT_MS), &[301]),
        (&["--fault", "chatter"], short, &[301]),
        (&["--fault", "crash"], no_change, &[301]),
        (&["--fault", "exit-after-move"], no_change, &[301]),
    ]);
}

#[test]
fn a_limit_that_is_not_kept_fails_its_own_check() {
    assert_failures(&[
        (&["--fault", "deep"], no_change, &[302]),
        (&["--fault", "overshoot"], no_change, &[303]),
        (&["--fault", "early-infinite"], no_change, &[305]),
        (&["--fault", "ignore-searchmoves"], no_change, &[306]),
        (&["--option", "option name MultiPV type spin default 1 min 1 max 5"], no_change, &[307]),
        (&["--score", "cp:-900"], no_change, &[322]),
        (&["--deaf-search"], |deadlines| deadlines.stop_ms = SHORT_MS, &[402]),
        // Two stops are one for a search and one without.
        (&["--answer-idle-stop"], no_change, &[403, 404]),
    ]);
}

#[test]
fn faulty_output_fails_its_own_check() {
    assert_failures(&[
        (&["--fault", "twice"], no_change, &[501]),
        (&["--fault", "info-afterwards"], no_change, &[502]),
        (&["--fault", "illegal"], no_change, &[503]),
        (&["--fault", "token:"], no_change, &[503]),
        (&["--fault", "no-letter"], no_change, &[503]),
        (&["--fault", "illegal-pv"], no_change, &[504]),
        (&["--fault", "illegal-ponder"], no_change, &[505]),
        (&["--fault", "falling-nodes"], no_change, &[507]),
        (&["--fault", "upper-case"], no_change, &[508]),
        (&["--fault", "negative-counters"], no_change, &[509]),
        (&["--fault", "long-line:100000"], no_change, &[509]),
        (&["--fault", "no-info"], no_change, &[]),
    ]);
}

#[test]
fn a_process_that_stays_fails_its_own_check() {
    let short: fn(&mut Deadlines) = |deadlines| deadlines.quit_ms = SHORT_MS;
    let left: &[u16] = if cfg!(target_os = "linux") { &[906] } else { &[] };
    assert_failures(&[
        (&["--hang-on", "quit"], short, &[901]),
        (&["--ignore-end"], short, &[903]),
        (&["--grandchild"], short, left),
    ]);
}

fn elometer(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("elometer").unwrap();
    command.arg("check").args(arguments);
    command
}

#[test]
fn the_built_in_engine_fails_nothing() {
    let output = elometer(&["builtin:classic", "--option", "Hash=4"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn stockfish_fails_nothing() {
    let stockfish = Path::new("/usr/games/stockfish");
    if !stockfish.exists() {
        return;
    }
    let launch = Launch { program: stockfish.to_owned(), ..mock_launch(&[]) };
    let report = check_engine(&launch, &[], &mut |_| {}).unwrap();
    assert!(report.numbers(Verdict::Fail).is_empty(), "{report:#?}");
    let settings = [("UCI_LimitStrength".to_owned(), "true".to_owned())];
    let limited = check_engine(&launch, &settings, &mut |_| {}).unwrap();
    let excepted = limited.numbers(Verdict::NotApplicable);
    assert!([801, 802, 803].iter().all(|number| excepted.contains(number)), "{limited:#?}");
}

#[test]
fn exit_codes_tell_a_failed_check_from_an_engine_that_cannot_be_used() {
    let mock = mock_engine();
    let mock = mock.to_str().unwrap();
    let code = |arguments: &[&str]| elometer(arguments).output().unwrap().status.code();
    assert_eq!(code(&[mock, "--arguments", "--fault", "illegal"]), Some(5));
    assert_eq!(code(&[mock, "--arguments", "--fault", "no-such-fault"]), Some(4));
    assert_eq!(code(&["./no-such-engine"]), Some(4));
    assert_eq!(code(&["builtin:no-such-engine"]), Some(4));
    assert_eq!(code(&[mock, "--option", "Hash=0"]), Some(3));
    assert_eq!(code(&[mock, "--option", "Hash"]), Some(2));
}

#[test]
fn json_has_a_version_and_a_unit_in_every_measured_name() {
    let mock = mock_engine();
    let output = elometer(&[mock.to_str().unwrap(), "--format", "json"]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["format_version"], &report["engine"]["name"]), (&1.into(), &"Mock".into()));
    assert_eq!((output.status.code(), &report["fail"]), (Some(0), &0.into()));
    let checks = report["checks"].as_array().unwrap();
    let numbers: Vec<u64> = checks.iter().map(|check| check["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, check_list().map(|(number, _)| u64::from(number)).collect::<Vec<_>>());
    let units = ["_ms", "_mb", "_count", "_nodes", "_percent", "_bytes"];
    let mut measured = 0;
    for name in checks.iter().filter_map(|check| check["measured"].as_object()).flat_map(|map| map.keys()) {
        measured += 1;
        assert!(units.iter().any(|unit| name.ends_with(unit)), "{name}");
    }
    assert!(measured > 10);
}

/// Every number with its sign becomes `#`, but for the numbers and names of the checks.
fn without_numbers(text: &str) -> String {
    let redact = |text: &str| {
        let mut redacted = String::new();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let is_number = letter.is_ascii_digit()
                || "+-".contains(letter) && letters.peek().is_some_and(char::is_ascii_digit);
            // The digits of a square or of a name are no number.
            if !is_number || redacted.ends_with(|before: char| before.is_ascii_alphabetic()) {
                redacted.push(letter);
                continue;
            }
            while letters.next_if(|next| next.is_ascii_digit() || *next == '.').is_some() {}
            redacted.push('#');
        }
        redacted
    };
    let lines = text.lines().map(|line| {
        let is_check = line.get(..5).is_some_and(|head| head.trim().parse::<u16>().is_ok());
        let (head, finding) = line.split_at(if is_check { FINDING_COLUMN } else { 0 });
        format!("{head}{}", redact(finding))
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
#[cfg(target_os = "linux")]
fn the_report_reads_as_it_always_did() {
    let mock = mock_engine();
    let arguments = [mock.to_str().unwrap(), "--option", "hash=8", "--arguments", "--all-options"];
    let output = elometer(&arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    insta::assert_snapshot!(without_numbers(&String::from_utf8(output.stdout).unwrap()));
}

#[test]
fn the_documentation_lists_every_check() {
    let text = include_str!("../../docs/check.md");
    let rows = text.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        Some((cells.next()?.parse().ok()?, cells.next()?))
    });
    assert_eq!(rows.collect::<Vec<(u16, &str)>>(), check_list().collect::<Vec<_>>());
}
