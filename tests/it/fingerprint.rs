//! `elometer fingerprint`: taking, hashing, comparing, the gate, faults, the diagnosis.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::path::Path;

use super::committed_fingerprints::assert_hashes_by_the_format;
use super::support::{Lab, Ran, lines_of, mock_engine, spawn_with_heirs, wait_for, wait_for_all};

/// Eight positions; the fifth is drawn by material and yet has moves.
pub(super) const POSITIONS: &str = "\
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -
r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 5 8
8/5pk1/4p1p1/7p/1r5P/5PP1/R5K1/8 b - - 3 40
8/8/8/4k3/8/8/3K4/8 w - - 0 1
8/P4k2/8/8/8/8/5K2/8 w - - 0 1
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1
";

pub(super) struct Fixture(pub(super) Lab);

impl Fixture {
    pub(super) fn new() -> Self {
        let lab = Lab::new();
        lab.write("positions.epd", POSITIONS);
        Self(lab)
    }

    /// `fingerprint COMMAND ENGINE …`; what follows `--arguments` is for the engine and comes last.
    pub(super) fn run_to(&self, code: i32, arguments: &[&str]) -> Ran {
        self.0.run_to(code, &[&["fingerprint"], arguments].concat())
    }

    pub(super) fn take(&self, code: i32, out: &str, options: &[&str], arguments: &[&str]) -> Ran {
        self.ask(
            code,
            &[&["take"], [mock().as_str()].as_slice()].concat(),
            &[&["--out", out], options].concat(),
            arguments,
        )
    }

    /// Asks on the positions with ten nodes.
    pub(super) fn ask(&self, code: i32, command: &[&str], options: &[&str], arguments: &[&str]) -> Ran {
        let question = ["--nodes", "10", "--positions", "positions.epd"];
        let arguments = if arguments.is_empty() { vec![] } else { [&["--arguments"], arguments].concat() };
        self.run_to(code, &[command, &question, options, &arguments].concat())
    }

    pub(super) fn rows(&self, folder: &str) -> String {
        self.0.read(&format!("{folder}/fingerprint.tsv"))
    }

    pub(super) fn manifest(&self, folder: &str) -> Value {
        serde_json::from_str(&self.0.read(&format!("{folder}/fingerprint.json"))).unwrap()
    }
}

pub(super) fn mock() -> String {
    mock_engine().to_str().unwrap().to_owned()
}

#[test]
fn the_script_of_the_format_recomputes_every_hash() {
    let fixture = Fixture::new();
    fixture.take(0, "one", &["--words", "depth"], &["--noise"]);
    assert!(fixture.rows("one").contains("\tcaf\u{fffd} depth\n"), "{}", fixture.rows("one"));
    assert_hashes_by_the_format(&fixture.manifest("one"), &fixture.0.path("one/fingerprint.tsv"));
}

#[test]
fn the_same_engine_has_the_same_bytes_at_any_concurrency() {
    let fixture = Fixture::new();
    for (out, concurrency) in [("one", "1"), ("two", "3")] {
        fixture.ask(0, &["take", "builtin:classic"], &["--out", out, "--concurrency", concurrency], &[]);
    }
    for file in ["fingerprint.tsv", "fingerprint.json"] {
        assert_eq!(fixture.0.read(&format!("one/{file}")), fixture.0.read(&format!("two/{file}")));
    }
    assert!(!fixture.0.path("one/fingerprint.partial.jsonl").exists());
    let manifest = fixture.manifest("one");
    assert_eq!(manifest["positions"]["file"], "positions.epd");
    assert_eq!(manifest["positions"]["count"], 8);
    assert_eq!(manifest["limit"]["nodes"], 10);
    fixture.run_to(0, &["compare", "one", "two"]);
}

#[test]
fn after_a_fault_the_rows_before_it_are_kept_and_only_the_others_are_asked_for() {
    let fixture = Fixture::new();
    fixture.take(0, "whole", &[], &[]);
    let faults: [(&str, &[&str], &str); 3] = [
        ("crash", &[], "ended during `go` with exit code 3"),
        ("hang", &["--deadline-ms", "1500"], "did not answer `stop` either"),
        ("illegal", &[], "not legal in this position"),
    ];
    for (fault, options, expected) in faults {
        let log = fixture.0.path(&format!("{fault}.log"));
        let arguments = ["--fault", fault, "--at-go", "5", "--log", log.to_str().unwrap()];
        // The engine writes its log.
        let options = [&["--concurrency", "1", "--mutable", log.to_str().unwrap()], options].concat();
        let ran = fixture.take(4, fault, &options, &arguments);
        let says = |text: &str| assert!(ran.stderr.contains(text), "{text}\n{}", ran.stderr);
        says("position 5 (8/8/8/4k3/8/8/3K4/8 w - - 0 1)");
        says(expected);
        says("holds the rows so far, no fingerprint");
        let partial = lines_of(&fixture.0.path(&format!("{fault}/fingerprint.partial.jsonl")));
        assert!(partial[0].contains("not a fingerprint"), "{}", partial[0]);
        assert_eq!(partial.iter().filter(|line| line.starts_with("{\"row\"")).count(), 4);
        assert!(partial.last().unwrap().starts_with("{\"fault\":{\"position\":5,"), "{partial:?}");
        assert!(!fixture.0.path(&format!("{fault}/fingerprint.json")).exists());
        // A new process meets the fault at its fifth `go` and has only four to answer.
        fixture.take(0, fault, &options, &arguments);
        assert_eq!(fixture.rows(fault), fixture.rows("whole"));
        let asked = lines_of(&log).into_iter().filter(|line| line.starts_with("go ")).count();
        assert_eq!(asked, 5 + 4, "{fault}");
    }
}

/// Starts a take with one position at once and waits until `rows` are kept and the next is asked for.
fn begin(fixture: &Fixture, out: &str, rows: usize, arguments: &[&str]) -> std::process::Child {
    let (mock, log) = (mock(), fixture.0.path(&format!("{out}.log")));
    let command = ["fingerprint", "take", &mock, "--nodes", "10", "--positions", "positions.epd"];
    let log_file = log.to_str().unwrap();
    let options =
        ["--out", out, "--concurrency", "1", "--mutable", log_file, "--arguments", "--log", log_file];
    let child = spawn_with_heirs(&fixture.0, &[&command, &options[..], arguments].concat());
    let partial = fixture.0.path(out).join("fingerprint.partial.jsonl");
    wait_for("rows", || lines_of(&partial).len() > rows && asked(&log) > rows);
    child
}

fn asked(log: &Path) -> usize {
    lines_of(log).into_iter().filter(|line| line.starts_with("go ")).count()
}

/// The rows kept by an interrupted take.
fn kept(fixture: &Fixture, out: &str, stderr: &[u8]) -> usize {
    let stderr = String::from_utf8_lossy(stderr);
    assert!(stderr.contains("holds the rows so far, no fingerprint"), "{stderr}");
    assert!(!fixture.0.path(out).join("fingerprint.json").exists());
    let partial = lines_of(&fixture.0.path(out).join("fingerprint.partial.jsonl"));
    assert!(partial.iter().skip(1).all(|line| line.starts_with("{\"row\"")), "{partial:?}");
    partial.len() - 1
}

#[test]
fn an_interrupt_keeps_the_rows_and_the_same_command_goes_on() {
    let fixture = Fixture::new();
    fixture.take(0, "whole", &[], &[]);
    let child = begin(&fixture, "one", 1, &["--think-ms", "1000"]);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = wait_for_all(child);
    assert_eq!(output.status.code(), Some(130));
    let rows = kept(&fixture, "one", &output.stderr);
    // The position in progress was finished, no other was begun.
    assert!((2..8).contains(&rows), "{rows}");
    let log = fixture.0.path("one.log");
    assert_eq!(asked(&log), rows);
    let arguments = ["--log", log.to_str().unwrap(), "--think-ms", "1000"];
    fixture.take(0, "one", &["--concurrency", "8", "--mutable", log.to_str().unwrap()], &arguments);
    assert_eq!(fixture.rows("one"), fixture.rows("whole"));
    assert_eq!(fixture.manifest("one")["sha256"], fixture.manifest("whole")["sha256"]);
    assert_eq!(asked(&log), 8);
}

#[test]
fn a_second_interrupt_does_not_wait_for_an_engine_that_hangs() {
    let fixture = Fixture::new();
    fixture.take(0, "whole", &[], &[]);
    let hang = ["--fault", "hang", "--at-go", "5"];
    let mut child = begin(&fixture, "two", 4, &hang);
    // Two that come close together may be seen as one.
    while child.try_wait().unwrap().is_none() {
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        std::thread::park_timeout(std::time::Duration::from_millis(20));
    }
    let output = wait_for_all(child);
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(kept(&fixture, "two", &output.stderr), 4);
    let log = fixture.0.path("two.log");
    let arguments = [&["--log", log.to_str().unwrap()], &hang[..]].concat();
    // A new process would hang at its fifth `go` and has only four to answer.
    fixture.take(0, "two", &["--concurrency", "1", "--mutable", log.to_str().unwrap()], &arguments);
    assert_eq!(fixture.rows("two"), fixture.rows("whole"));
}

#[test]
fn rows_of_another_take_are_not_gone_on_with() {
    let fixture = Fixture::new();
    let crash = ["--fault", "crash", "--at-go", "5"];
    fixture.take(4, "out", &["--concurrency", "1"], &crash);
    let other = fixture.take(3, "out", &["--option", "Hash=8"], &crash);
    assert!(other.stderr.contains("(different: option Hash: 16, 8)"), "{}", other.stderr);
    let other = fixture.take(3, "out", &[], &["--seed", "1"]);
    let arguments = "(different: arguments: --fault crash --at-go 5, --seed 1)";
    assert!(other.stderr.contains(arguments), "{}", other.stderr);
    // A torn last line is asked for again.
    let path = fixture.0.path("out/fingerprint.partial.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let third_row = text.match_indices("{\"row\"").nth(2).unwrap().0;
    fs::write(&path, &text[..third_row + 20]).unwrap();
    // With six positions left the fault comes again, at the seventh.
    let ran = fixture.take(4, "out", &["--concurrency", "1"], &crash);
    assert!(ran.stderr.contains("position 7"), "{}", ran.stderr);
    fixture.take(0, "out", &["--concurrency", "1"], &crash);
}

/// Runs `check` with the mock engine and what a job of GitHub Actions sets.
fn check(fixture: &Fixture, code: i32, options: &[&str], arguments: &[&str]) -> Ran {
    let mock = mock();
    let command = ["fingerprint", "check", &mock, "one/fingerprint.json"];
    let arguments = if arguments.is_empty() { vec![] } else { [&["--arguments"], arguments].concat() };
    let mut command = fixture.0.command(&[&command, options, &arguments].concat());
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", fixture.0.path("summary.md"));
    let ran = fixture.0.ran(&command.output().unwrap());
    assert_eq!(ran.code, Some(code), "{}{}", ran.stdout, ran.stderr);
    ran
}

#[test]
fn the_gate_tells_equal_from_different_from_failed_and_can_be_blessed() {
    let fixture = Fixture::new();
    fixture.take(0, "one", &["--option", "Hash=8"], &[]);
    check(&fixture, 0, &[], &[]);
    let other = check(&fixture, 5, &[], &["--seed", "1"]);
    assert!(other.stdout.contains("\n::error title=fingerprint::Mock against"), "{}", other.stdout);
    assert!(fixture.0.read("summary.md").contains("of 8 rows"));
    let first = check(&fixture, 5, &["--fail-fast", "--concurrency", "1"], &["--seed", "1"]);
    assert!(first.stdout.contains("the rest was not asked\n\nrow 1, White to move"), "{}", first.stdout);
    let failed = check(&fixture, 4, &[], &["--fault", "crash"]);
    assert!(failed.stdout.contains("the engine failed: ended during `go`"), "{}", failed.stdout);
    check(&fixture, 4, &["--bless"], &["--fault", "crash"]);
    check(&fixture, 0, &[], &[]);
    check(&fixture, 0, &["--bless"], &["--seed", "1"]);
    check(&fixture, 0, &[], &["--seed", "1"]);
    assert_eq!(fixture.manifest("one")["options"].to_string(), r#"[["Threads","1"],["Hash","8"]]"#);
    fixture.0.write("positions.epd", &POSITIONS.replace("5 8", "5 9"));
    let changed = check(&fixture, 3, &[], &[]);
    assert!(changed.stderr.contains("their SHA-256 differs"), "{}", changed.stderr);
}

#[test]
fn a_comparison_shows_hashes_columns_cause_and_the_first_rows_on_their_board() {
    let fixture = Fixture::new();
    fixture.take(0, "one", &[], &[]);
    fixture.take(0, "two", &[], &["--seed", "1"]);
    let ran = fixture.run_to(5, &["compare", "one", "two", "--rows", "1"]);
    let host = format!("{} {}", std::env::consts::ARCH, std::env::consts::OS);
    insta::assert_snapshot!(ran.stdout.replace(&host, "[HOST]"));
    let json = fixture.run_to(5, &["compare", "one", "one", "two", "--format", "json"]);
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["format_version"], 1);
    assert_eq!([&json["comparisons"][0]["equal"], &json["comparisons"][1]["equal"]], [true, false]);
    assert_eq!(json["comparisons"][1]["rows"]["cause"], "everything");
}

#[test]
fn without_rows_the_columns_are_compared_and_with_other_rows_nothing_is() {
    let fixture = Fixture::new();
    fixture.take(0, "one", &[], &[]);
    fixture.take(0, "two", &[], &["--score", "cp:7"]);
    let rows = fixture.rows("two");
    fs::remove_file(fixture.0.path("two/fingerprint.tsv")).unwrap();
    let ran = fixture.run_to(5, &["compare", "one", "two"]);
    assert!(ran.stdout.contains("differs    score\n"), "{}", ran.stdout);
    fixture.0.write("two/fingerprint.tsv", &rows.replacen("cp 7", "cp 8", 1));
    let ran = fixture.run_to(3, &["compare", "one", "two"]);
    assert!(ran.stderr.contains("its rows are not those of"), "{}", ran.stderr);
    fixture.0.write("two/fingerprint.tsv", &rows.replacen('\t', " ", 9));
    let ran = fixture.run_to(3, &["compare", "one", "two"]);
    assert!(ran.stderr.contains("fingerprint.tsv, line 1: expected the column names"), "{}", ran.stderr);
    fixture.0.write("two/fingerprint.json", "{}");
    fixture.run_to(3, &["compare", "one", "two"]);
    fixture.run_to(3, &["compare", "one", "three"]);
}

#[test]
fn each_kind_of_engine_is_called_what_it_is() {
    let fixture = Fixture::new();
    let mock = mock();
    let verdict = |code, options: &[&str], arguments: &[&str]| {
        let options = [&["--format", "json"], options].concat();
        let ran = fixture.ask(code, &["diagnose", &mock], &options, arguments);
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        report["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(verdict(0, &[], &[]), "reproducible");
    assert_eq!(verdict(5, &[], &["--carry-state"]), "carries_state");
    assert_eq!(verdict(5, &[], &["--clock-seed"]), "chance");
    assert_eq!(verdict(5, &["--option", "Threads=2"], &["--racy"]), "threads");
    assert_eq!(verdict(5, &["--option", "Threads=2"], &["--clock-seed"]), "chance");
    assert_eq!(verdict(0, &["--option", "Threads=2"], &[]), "reproducible");
}

#[test]
fn the_built_in_engine_is_reproducible_and_games_beside_the_set_are_found() {
    let fixture = Fixture::new();
    fixture.0.write("positions.epd", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n");
    let trial = |fixture: &Fixture| {
        let ran = fixture.ask(0, &["diagnose", "builtin:classic"], &[], &[]);
        ran.stdout.contains("from the moves that led there     equal\n")
    };
    assert!(!trial(&fixture));
    fixture.0.write("games.pgn", "[Result \"*\"]\n\n1. e4 e5 2. Nf3 *\n");
    assert!(trial(&fixture));
}

#[test]
fn stockfish_is_called_what_it_is() {
    let stockfish = "/usr/games/stockfish";
    if !Path::new(stockfish).exists() {
        return;
    }
    let fixture = Fixture::new();
    // Each process loads its network: few positions.
    let verdict = |code, limit: [&str; 2], count, options: &[&str]| {
        let command =
            ["diagnose", stockfish, "--positions", "positions.epd", "--copies", "2", "--count", count];
        let ran = fixture.run_to(code, &[&command, &limit[..], options].concat());
        ran.stdout.split("verdict    ").nth(1).unwrap().split(':').next().unwrap().to_owned()
    };
    let limited = ["--option", "UCI_LimitStrength=true", "--option", "UCI_Elo=1350"];
    assert_eq!(verdict(5, ["--depth", "5"], "6", &limited), "chance");
    assert_eq!(verdict(5, ["--nodes", "60000"], "3", &["--option", "Threads=2"]), "several threads");
    assert_eq!(verdict(0, ["--depth", "7"], "3", &[]), "reproducible");
}

#[test]
fn a_change_that_moves_no_row_would_pass_the_gate() {
    let fixture = Fixture::new();
    let mock = mock();
    let sensitivity = |code, set: &str, arguments: &[&str]| {
        fixture.ask(code, &["sensitivity", &mock], &["--set", set], arguments).stdout
    };
    assert!(sensitivity(5, "Hash=1", &[]).contains("moves      0 of 8 rows\nhint: "));
    assert!(sensitivity(0, "Threads=2", &["--racy"]).contains(" of 8 rows: move"));
    fixture.ask(3, &["sensitivity", &mock], &["--set", "NoSuchOption=1"], &[]);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let fixture = Fixture::new();
    let mock = mock();
    let on = ["--positions", "positions.epd"];
    fixture.run_to(2, &[&["take", &mock], &on[..]].concat());
    fixture.run_to(2, &[&["take", &mock, "--depth", "1", "--nodes", "1"], &on[..]].concat());
    fixture.ask(4, &["take", "./no-such-engine"], &[], &[]);
    fixture.ask(3, &["take", &mock], &["--option", "Hash=0"], &[]);
    fixture.0.write("positions.epd", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n");
    let over = fixture.ask(3, &["take", &mock], &[], &[]);
    assert!(over.stderr.contains("(stalemate)"), "{}", over.stderr);
}
