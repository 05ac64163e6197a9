//! `elometer audit`: planted faults found, nothing else flagged; kept answers, formats, refusals.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::support::{Lab, Ran, lines_of, mock_engine};

/// A judge that counts material two plies deep.
const JUDGE: [&str; 2] = ["--judge-argument=--material", "--nodes=100"];

struct Fixture {
    lab: Lab,
    mock: String,
}

impl Fixture {
    fn new() -> Self {
        Self { lab: Lab::new(), mock: mock_engine().to_str().unwrap().to_owned() }
    }

    /// Plays a run of two engines that count material; the subject gets `arguments` too.
    fn play(&self, arguments: &[&str], openings: &str, pairs: u32, plies: u32) {
        let subject = [&["--material"], arguments].concat();
        self.lab.write_mock_spec(&subject, &["--material", "--seed", "1"], "");
        self.lab.write("openings.epd", openings);
        let spec = self.lab.read("spec.toml").replace("max_plies = 12", &format!("max_plies = {plies}"));
        self.lab.write("spec.toml", &spec.replace("pairs = 2", &format!("pairs = {pairs}")));
        // Without a probe, which would plant and log a move of its own.
        self.lab.run_to(0, &["run", "spec.toml", "--out", "run", "--concurrency", "1", "--no-probe"]);
    }

    /// Audits with the judge that counts material.
    #[track_caller]
    fn audit(&self, code: i32, arguments: &[&str]) -> Ran {
        let command = [&["audit"], arguments, &["--judge", &self.mock], &JUDGE].concat();
        self.lab.run_to(code, &command)
    }

    #[track_caller]
    fn json(&self, code: i32, arguments: &[&str]) -> Value {
        let ran = self.audit(code, &[arguments, &["--format", "json"]].concat());
        serde_json::from_str(&ran.stdout).unwrap()
    }

    /// The moves that the subject was made to play.
    fn planted(&self) -> Vec<String> {
        lines_of(&self.lab.path("planted"))
    }

    fn plant<'a>(&self, kind: &'a str, when: &'a [&'a str], log: &'a str) -> Vec<&'a str> {
        [&["--plant", kind, "--plant-log", log], when].concat()
    }
}

/// The count of a clause over a group.
fn count<'a>(report: &'a Value, clause: &str, group: &str) -> &'a Value {
    let counts = report["clauses"].as_array().unwrap();
    counts.iter().find(|count| count["clause"] == clause && count["group"] == group).unwrap()
}

fn number(count: &Value, key: &str) -> u64 {
    count[key].as_u64().unwrap()
}

/// Moves of findings, as UCI writes them.
fn found(report: &Value, clause: &str) -> Vec<String> {
    let findings = report["findings"].as_array().unwrap();
    let of_clause = findings.iter().filter(|finding| finding["clause"] == clause);
    of_clause.map(|finding| finding["grade"]["chosen"]["move"].as_str().unwrap().to_owned()).collect()
}

fn openings(count: usize) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions/openings.epd");
    lines_of(&file)[..count].join("\n") + "\n"
}

#[test]
fn a_rook_dropped_once_in_five_hundred_moves_is_the_only_thing_found() {
    let fixture = Fixture::new();
    let log = fixture.lab.path("planted");
    let arguments = fixture.plant("drop", &["--at-go", "500"], log.to_str().unwrap());
    fixture.play(&arguments, &openings(14), 14, 50);
    let planted = fixture.planted();
    assert_eq!(planted.len(), 1);
    let report = fixture.json(5, &["run"]);
    let all = count(&report, "drop", "all");
    assert!(number(all, "applied") > 480, "{all}");
    assert_eq!([number(all, "broken"), number(all, "broken_first"), number(all, "unresolved")], [1, 1, 0]);
    assert_eq!(number(all, "kept") + 1, number(all, "applied"));
    assert_eq!(found(&report, "drop"), planted);
    for clause in ["allows_mate", "missed_mate"] {
        assert_eq!(number(count(&report, clause, "all"), "broken"), 0, "{clause}");
    }
    // The bound of one in so many, by moves and by games.
    let applied = number(all, "applied");
    let expected = elometer::rating::upper_limit(1, applied).unwrap();
    assert!((all["upper_limit"].as_f64().unwrap() - expected).abs() < 1e-12);
    assert!(all["clustered_upper_limit"].as_f64().unwrap() >= expected - 1e-12);
    assert_eq!(number(all, "games_broken"), 1);
    // The file of moves says the same.
    let moves = fixture.lab.read("run/audit.csv");
    assert_eq!(moves.matches(",broken,").count(), 1, "{moves}");
    assert_eq!(moves.lines().count() as u64, 1 + report["moves"].as_u64().unwrap());
}

/// After 1. f3 e5: White to move, and g4 would be mated. The same with Black to move after g4.
const FOOLS: &str = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2\n";
const MATE_IN_ONE: &str = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2\n";

#[test]
fn walking_into_a_mate_and_letting_one_go_are_found() {
    let fixture = Fixture::new();
    let log = fixture.lab.path("planted");
    let log = log.to_str().unwrap();
    fixture.play(&fixture.plant("walk-into-mate", &["--at-go", "1"], log), FOOLS, 1, 12);
    assert_eq!(fixture.planted(), ["g2g4"]);
    let report = fixture.json(5, &["run"]);
    assert_eq!(found(&report, "allows_mate"), ["g2g4"]);
    assert_eq!(number(count(&report, "allows_mate", "all"), "broken"), 1);
    assert_eq!(number(count(&report, "drop", "all"), "broken"), 0);
    assert_eq!(number(count(&report, "missed_mate", "all"), "broken"), 0);

    let fixture = Fixture::new();
    let log = fixture.lab.path("planted");
    let log = log.to_str().unwrap();
    fixture.play(&fixture.plant("let-mate-go", &["--at-go", "1"], log), MATE_IN_ONE, 1, 6);
    let planted = fixture.planted();
    assert_eq!(planted.len(), 1);
    let report = fixture.json(5, &["run"]);
    assert_eq!(found(&report, "missed_mate"), planted);
    let missed = count(&report, "missed_mate", "all");
    assert!(number(missed, "applied") >= number(missed, "broken"));
    assert_eq!(number(count(&report, "drop", "all"), "broken"), 0);
}

#[test]
fn a_blunder_from_a_book_is_counted_as_one() {
    let fixture = Fixture::new();
    let log = fixture.lab.path("planted");
    fixture.play(
        &fixture.plant("book", &["--fault-every", "20"], log.to_str().unwrap()),
        &openings(4),
        4,
        40,
    );
    let planted = fixture.planted();
    assert!(planted.len() > 1, "{planted:?}");
    let report = fixture.json(5, &["run"]);
    for group in ["all", "book"] {
        assert_eq!(number(count(&report, "drop", group), "broken"), planted.len() as u64, "{group}");
    }
    assert_eq!(number(count(&report, "drop", "book"), "kept"), 0);
    assert_eq!(found(&report, "drop"), planted);
    assert!(report["findings"].as_array().unwrap().iter().all(|finding| finding["book"] == true));
}

#[test]
fn the_same_bytes_at_any_concurrency_and_after_an_interruption() {
    let fixture = Fixture::new();
    let log = fixture.lab.path("planted");
    fixture.play(
        &fixture.plant("drop", &["--fault-every", "15"], log.to_str().unwrap()),
        &openings(2),
        2,
        40,
    );
    let run = |concurrency: &str| fixture.audit(5, &["run", "--concurrency", concurrency]).stdout;
    let first = run("1");
    let rows = fixture.lab.read("run/audit.csv");
    fs::remove_file(fixture.lab.path("run/evaluations.jsonl")).unwrap();
    assert_eq!(run("3"), first);
    assert_eq!(fixture.lab.read("run/audit.csv"), rows);
    // Half of the answers and a torn line: only the rest is searched again.
    let store = fixture.lab.read("run/evaluations.jsonl");
    let lines: Vec<&str> = store.lines().collect();
    let half = lines.len() / 2;
    fixture.lab.write("run/evaluations.jsonl", &(lines[..half].join("\n") + "\n" + &lines[half][..20]));
    let ran = fixture.audit(5, &["run"]);
    assert_eq!(ran.stdout, first);
    assert!(ran.stderr.contains("kept from before"), "{}", ran.stderr);
    assert_eq!(fixture.lab.read("run/audit.csv"), rows);
    assert_eq!(fixture.lab.read("run/evaluations.jsonl").lines().count(), lines.len());
}

#[test]
fn a_second_rule_costs_no_search_and_the_limit_itself_is_kept() {
    let fixture = Fixture::new();
    // White can take a rook for nothing, and moves its king instead: the drop is 500.
    let game = "[White \"A\"]\n[Black \"B\"]\n[FEN \"7k/7p/8/8/8/8/r6P/R6K w - - 0 1\"]\n[Result \"*\"]\n\n1. Kg1 *\n";
    fixture.lab.write("games.pgn", game);
    let drop = |code: i32, rule: &str| {
        let ran = fixture.audit(code, &["games.pgn", "--subject", "A", "--rule", rule, "--format", "json"]);
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        (number(count(&report, "drop", "all"), "broken"), ran.stderr)
    };
    let rows = |name: &str| fixture.lab.read(name).lines().count();
    assert_eq!(drop(5, "300").0, 1);
    let kept = rows("games.pgn.evaluations.jsonl");
    let chosen = fixture.audit(5, &["games.pgn", "--subject", "A", "--format", "csv"]).stdout;
    let value: u32 = {
        let mut csv = csv_rows(&chosen);
        csv.remove(0)["drop_cp"].parse().unwrap()
    };
    let (broken, stderr) = drop(0, &value.to_string());
    assert_eq!(broken, 0, "a drop of exactly {value}");
    assert!(!stderr.contains("searched"), "{stderr}");
    assert_eq!(drop(5, &(value - 1).to_string()).0, 1);
    assert_eq!(rows("games.pgn.evaluations.jsonl"), kept);
}

/// Rows of a CSV by column.
fn csv_rows(text: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

#[test]
fn two_rulers_stand_side_by_side() {
    let fixture = Fixture::new();
    let log = fixture.lab.path("planted");
    fixture.play(
        &fixture.plant("drop", &["--fault-every", "10"], log.to_str().unwrap()),
        &openings(2),
        2,
        40,
    );
    let planted = fixture.planted().len() as u64;
    let itself = ["--judge", "self", "--engine", &fixture.mock, "--engine-argument=--material"];
    for depth in ["--engine-depth=2", "--engine-nodes=7"] {
        let report = fixture.json(5, &[&["run"], &itself[..], &[depth]].concat());
        let rulers = report["rulers"].as_array().unwrap();
        let drop = &rulers.iter().find(|ruler| ruler["clause"] == "drop").unwrap()["moves"];
        assert_eq!(number(drop, "both"), planted, "{depth}");
        assert_eq!(
            [number(drop, "judge_only"), number(drop, "itself_only"), number(drop, "open")],
            [0, 0, 0]
        );
    }
    // A subject that sees nothing finds nothing.
    let blind =
        ["--judge", "self", "--engine", &fixture.mock, "--engine-argument=--score", "--engine-argument=cp:5"];
    let report = fixture.json(5, &[&["run"], &blind[..]].concat());
    let drop = &report["rulers"][0]["moves"];
    assert_eq!([number(drop, "both"), number(drop, "judge_only")], [0, planted]);
}

#[test]
fn an_engine_that_answers_live_is_audited_and_its_hint_too() {
    let fixture = Fixture::new();
    fixture.lab.write("positions.epd", &openings(6));
    let live = |code: i32, engine: &[&str]| {
        let positions = ["--positions", "positions.epd", "--engine", &fixture.mock, "--engine-nodes", "5"];
        let store = ["--store", "live.jsonl"];
        let report = fixture.json(code, &[&positions, engine, &store].concat());
        fs::remove_file(fixture.lab.path("live.jsonl")).unwrap();
        report
    };
    let report = live(0, &["--engine-argument=--material"]);
    assert_eq!(report["moves"], 6);
    assert_eq!(report["hint"]["verdict"], "not_applicable");
    let hint = "--engine-argument=option name Hint type check default false";
    let with_hint = ["--engine-argument=--option", hint];
    // Chosen by the text of the position, so that moves make a difference; then not.
    let report = live(5, &[&with_hint[..], &["--rule", "100000"]].concat());
    assert_eq!(report["hint"]["positions"], 6);
    assert_eq!(report["verdict"], "broken", "by the hint alone");
    assert_eq!(number(count(&report, "drop", "all"), "broken"), 0);
    assert!(!report["hint"]["differences"].as_array().unwrap().is_empty());
    let steady = ["--engine-argument=--move-policy", "--engine-argument=first"];
    let report = live_any(&fixture, &[&with_hint[..], &steady].concat());
    assert_eq!(report["hint"]["differences"].as_array().unwrap().len(), 0);
}

fn live_any(fixture: &Fixture, engine: &[&str]) -> Value {
    let positions =
        ["audit", "--positions", "positions.epd", "--engine", &fixture.mock, "--engine-nodes", "5"];
    let judge = ["--judge", &fixture.mock, "--format", "json"];
    let ran = fixture.lab.run(&[&positions, engine, &judge, &JUDGE].concat());
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn gradings_are_compared_and_optimism_is_binned_by_policy() {
    let fixture = Fixture::new();
    fixture.play(&[], &openings(3), 3, 30);
    let stability =
        ["audit", "stability", "run", "--judge", &fixture.mock, "--against-depth", "3", "--format", "json"];
    let ran = fixture.lab.run_to(0, &[&stability, &JUDGE[..]].concat());
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    // The judge knows no depth: both gradings are the same.
    assert_eq!(report["agreement"]["observed"], 1.0);
    let graded = report["table"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap());
    assert_eq!(
        graded.map(|cell| cell.as_u64().unwrap()).sum::<u64>(),
        report["agreement"]["count"].as_u64().unwrap()
    );
    let optimism = ["audit", "optimism", "best=run", "--judge", &fixture.mock, "--format", "json"];
    let ran = fixture.lab.run_to(0, &[&optimism, &JUDGE[..]].concat());
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["policies"][0]["policy"], "best");
    // Subject and judge count alike.
    assert_eq!(report["policies"][0]["optimism"]["median_offset"], 0.0);
    fixture.lab.run_to(2, &["audit", "stability", "run"]);
}

#[test]
fn a_judge_that_is_of_no_use_is_refused_with_its_cause() {
    let fixture = Fixture::new();
    fixture.lab.write("games.pgn", "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. h4 *\n");
    let refused = |code: i32, arguments: &[&str]| {
        let base = ["audit", "games.pgn", "--subject", "A", "--nodes", "1", "--judge", &fixture.mock];
        fixture.lab.run_to(code, &[&base, arguments].concat()).stderr
    };
    let ignores = ["--judge-argument=--fault", "--judge-argument=ignore-searchmoves"];
    assert!(refused(4, &ignores).contains("must know `go searchmoves`"));
    let silent = ["--judge-argument=--fault", "--judge-argument=no-info"];
    assert!(refused(4, &silent).contains("it reports no score"));
    let crash = ["--judge-argument=--fault", "--judge-argument=crash"];
    let crashed = refused(4, &crash);
    assert!(crashed.contains("ended during `go`"), "{crashed}");
    let position = "tried twice on rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1: ";
    assert!(crashed.contains(position), "{crashed}");
    refused(3, &["--judge-option", "NoSuchOption=1"]);
    fixture.lab.run_to(3, &["audit", "games.pgn", "--judge", &fixture.mock]);
    fixture.lab.run_to(3, &["audit", "games.pgn", "--subject", "C", "--judge", &fixture.mock]);
    fixture.lab.run_to(2, &["audit"]);
    fixture.lab.run_to(2, &["audit", "games.pgn", "--positions", "x.epd"]);
    fixture.lab.write("games.pgn.evaluations.jsonl", "{\"game\":0}\n");
    let damaged = refused(3, &[]);
    assert!(damaged.contains("games.pgn.evaluations.jsonl, line 1"), "{damaged}");
}

#[test]
fn a_position_that_stands_twice_is_one_answer() {
    let fixture = Fixture::new();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    fixture.lab.write("positions.epd", &format!("{start} hmvc 0;\n{start} id \"again\";\n{start} 0 1\n"));
    let engine = ["--positions", "positions.epd", "--engine", &fixture.mock, "--engine-argument=--material"];
    let ran = fixture.audit(0, &[&engine[..], &["--format", "json"]].concat());
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(number(count(&report, "drop", "all"), "applied"), 1);
    assert!(ran.stderr.contains("positions.epd: 2 positions that repeat another left out"), "{}", ran.stderr);
}

fn pgn(white: &str, black: &str, moves: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"*\"]\n\n{moves} *\n\n")
}

#[test]
fn both_sides_of_a_game_against_itself_are_audited_as_one_game() {
    let fixture = Fixture::new();
    fixture.lab.write("games.pgn", &(pgn("A", "A", "1. e4 e5 2. Nf3") + &pgn("B", "A", "1. d4 d5")));
    let report = fixture.json(0, &["games.pgn", "--subject", "A"]);
    assert_eq!((&report["moves"], &report["games"]), (&Value::from(4), &Value::from(2)));
    assert_eq!(number(count(&report, "drop", "all"), "games"), 2);
    assert_eq!(report["quality"][0]["centipawn_loss"]["clusters"], 2);
    assert_eq!(report["games_quality"]["plain"]["observations"], 3);
    assert_eq!(report["games_quality"]["plain"]["clusters"], 2);
    let rows = csv_rows(&fixture.audit(0, &["games.pgn", "--subject", "A", "--format", "csv"]).stdout);
    let told: Vec<_> = rows.iter().map(|row| format!("{} {}", row["number"], row["subject_color"])).collect();
    assert_eq!(told, ["1. white", "2. white", "1... black", "1... black"]);
}

#[test]
fn the_files_evaluations_count_only_where_no_move_but_a_mate_lacks_one() {
    let fixture = Fixture::new();
    let judged = |moves: &str| {
        fixture.lab.write("games.pgn", &pgn("A", "B", moves));
        let ran = fixture.lab.run(&[
            "audit",
            "games.pgn",
            "--subject",
            "A",
            "--judge",
            &fixture.mock,
            JUDGE[0],
            JUDGE[1],
            "--format",
            "json",
        ]);
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        report["file_quality"]["moves"].as_u64()
    };
    let last_lacks = "1. f3 {[%eval -0.5]} e5 {[%eval -0.6]} 2. g4 {[%eval #-1] [%clk 0:01:00]} Qh4#";
    assert_eq!(judged(last_lacks), Some(2));
    assert_eq!(judged(&format!("{last_lacks} {{[%eval #0]}}")), Some(2));
    let other_lacks = "1. f3 {[%eval -0.5]} e5 {[%clk 0:01:00]} 2. g4 {[%eval #-1]} Qh4# {[%eval #-1]}";
    assert_eq!(judged(other_lacks), None);
    assert_eq!(judged("1. f3 {[%eval -0.5]} e5 {[%eval -0.6]} 2. g4"), None);
}

#[test]
fn nothing_is_made_beside_an_input_that_is_not_there() {
    let fixture = Fixture::new();
    for command in [&["audit"][..], &["audit", "stability", "--against-depth", "3"], &["audit", "optimism"]] {
        let input = ["none/games.pgn", "--subject", "A", "--judge", &fixture.mock, "--nodes", "1"];
        fixture.lab.run_to(3, &[command, &input[..]].concat());
        assert!(!fixture.lab.path("none").exists(), "{command:?}");
    }
}

#[test]
fn a_judge_with_a_hint_mode_judges_by_its_hints() {
    let fixture = Fixture::new();
    fixture.lab.write("games.pgn", &pgn("A", "B", "1. e4"));
    let arguments = [
        "audit",
        "games.pgn",
        "--subject",
        "A",
        "--judge",
        "builtin:fallible",
        "--depth",
        "1",
        "--format",
        "json",
    ];
    let report: Value = serde_json::from_str(&fixture.lab.run_to(0, &arguments).stdout).unwrap();
    assert!(report["judge"].as_str().unwrap().contains("Hint=true"), "{}", report["judge"]);
}

#[test]
fn a_share_has_no_interval_beyond_nothing_and_all() {
    let fixture = Fixture::new();
    fixture.lab.write(
        "games.pgn",
        &[pgn("A", "B", "1. a3"), pgn("A", "C", "1. a3"), pgn("A", "D", "1. h4")].concat(),
    );
    let judge = [
        "--judge-argument=--move-policy",
        "--judge-argument=first",
        "--judge-argument=--score",
        "--judge-argument=cp:5",
        "--nodes",
        "1",
        "--format",
        "json",
    ];
    let audit = ["audit", "games.pgn", "--subject", "A", "--judge", &fixture.mock];
    let report: Value =
        serde_json::from_str(&fixture.lab.run_to(0, &[&audit[..], &judge].concat()).stdout).unwrap();
    let agreement = &report["quality"][0]["agreement"];
    assert!((agreement["mean"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-12, "{agreement}");
    assert_eq!(agreement["interval"], serde_json::json!([0.0, 1.0]));
}

#[test]
fn moves_that_the_judge_sees_mate_with_stand_in_their_bin_of_optimism() {
    let fixture = Fixture::new();
    fixture.lab.write("games.pgn", &pgn("A", "B", "1. e4 {+9.00/10 0.1s} e5 2. Nf3 {+0.20/10}"));
    let judge = ["--judge-argument=--score", "--judge-argument=mate:3", "--nodes", "1"];
    let optimism = ["audit", "optimism", "games.pgn", "--subject", "A", "--judge", &fixture.mock];
    let of =
        |format: &str| fixture.lab.run_to(6, &[&optimism[..], &judge, &["--format", format]].concat()).stdout;
    let report: Value = serde_json::from_str(&of("json")).unwrap();
    let bins = report["policies"][0]["optimism"]["bins"].as_array().unwrap();
    let told: Vec<_> =
        bins.iter().map(|bin| (&bin["from_cp"], &bin["mates"][0], &bin["own_median"])).collect();
    let (one, none) = (Value::from(1), Value::Null);
    assert_eq!(told, [(&Value::from(0), &one, &none), (&Value::from(500), &one, &none)]);
    assert!(of("csv").contains("all,500 and more,0,,,,,,,,1,0"), "{}", of("csv"));
}

/// Two lichess games with evaluations and clocks, one of them ending in mate.
const ANNOTATED: &str = include_str!("../data/annotated.pgn");

#[test]
fn accuracy_and_centipawn_loss_are_those_of_an_independent_program() {
    if !Command::new("python3").args(["-c", "import chess"]).status().is_ok_and(|status| status.success()) {
        println!("skipped: python3 with python-chess is not installed (Debian: python3-chess)");
        return;
    }
    let fixture = Fixture::new();
    fixture.lab.write("games.pgn", ANNOTATED);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check-accuracy");
    for subject in ["Ann", "Bob"] {
        let ran = fixture.lab.run(&[
            "audit",
            "games.pgn",
            "--subject",
            subject,
            "--judge",
            &fixture.mock,
            JUDGE[0],
            JUDGE[1],
            "--format",
            "json",
        ]);
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        let output =
            Command::new("python3").arg(&script).arg(fixture.lab.path("games.pgn")).arg(subject).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let expected: Value = serde_json::from_slice(&output.stdout).unwrap();
        let (quality, games) = (&report["file_quality"], &report["file_games_quality"]);
        let pairs = [
            (&quality["centipawn_loss"]["mean"], "centipawn_loss"),
            (&quality["accuracy"]["mean"], "accuracy"),
            (&quality["published_accuracy"]["mean"], "published_accuracy"),
            (&games["deployed"]["mean"], "game_accuracy"),
            (&games["published"]["mean"], "published_game_accuracy"),
            (&games["plain"]["mean"], "plain_game_accuracy"),
        ];
        for (found, name) in pairs {
            let (found, expected) = (found.as_f64().unwrap(), expected[name].as_f64().unwrap());
            assert!((found - expected).abs() < 1e-9, "{subject}, {name}: {found}, python-chess {expected}");
        }
        assert_eq!(quality["judgements"], expected["judgements"], "{subject}");
        assert_eq!(quality["moves"], expected["moves"]);
    }
}

#[test]
fn stockfish_at_a_small_budget_keeps_the_rule_by_stockfish_at_a_larger_one() {
    let stockfish = "/usr/games/stockfish";
    if !Path::new(stockfish).exists() {
        return;
    }
    let fixture = Fixture::new();
    fixture.lab.write("positions.epd", &openings(20));
    let ran = fixture.lab.run_to(
        0,
        &[
            "audit",
            "--positions",
            "positions.epd",
            "--engine",
            stockfish,
            "--engine-nodes",
            "2000",
            "--judge",
            stockfish,
            "--nodes",
            "8000",
            "--format",
            "json",
        ],
    );
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["moves"], 20);
    assert_eq!(number(count(&report, "drop", "all"), "broken"), 0);
    assert!(report["quality"][0]["centipawn_loss"]["mean"].as_f64().unwrap() < 60.0);
}
