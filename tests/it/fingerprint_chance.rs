//! Chance and what is asked of a fingerprint: no option is credited with it, and options that cannot
//! have an effect are refused.

use serde_json::Value;

use super::fingerprint::{Fixture, mock};
use super::support::Ran;

fn ask(code: i32, command: &str, options: &[&str], arguments: &[&str]) -> Ran {
    let fixture = Fixture::new();
    let question = ["--depth", "1", "--positions", "positions.epd"];
    let arguments = [&["--arguments"], arguments].concat();
    fixture.run_to(code, &[&[command, &mock()], &question[..], options, &arguments].concat())
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn no_row_of_an_engine_that_plays_at_random_is_credited_to_an_option_set_to_its_default() {
    let random = ["--clock-seed", "--clock-nodes", "--all-options"];
    let ran = ask(6, "sensitivity", &["--set", "Contempt=0"], &random);
    assert!(ran.stderr.contains("answers differently on all 8 positions"), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
    ask(6, "sensitivity", &["--set", "Contempt=50"], &random);
}

#[test]
fn an_option_is_credited_with_moves_though_the_nodes_differ_by_themselves() {
    let found = |code, set: &str, arguments: &[&str]| {
        let arguments = [&["--clock-nodes", "--all-options"], arguments].concat();
        json(&ask(code, "sensitivity", &["--set", set, "--format", "json"], &arguments))
    };
    let none = found(5, "Contempt=50", &[]);
    assert_eq!(none["effect"], "none");
    assert_eq!(none["columns_by_chance"], serde_json::json!(["nodes"]));
    assert_eq!([&none["rows_by_chance"], &none["comparison"]["rows"]], [0, 8]);
    let moved = found(0, "Threads=2", &["--racy"]);
    assert_eq!(moved["effect"], "rows");
    assert!(moved["comparison"]["columns"]["move"].as_u64().unwrap() > 0, "{moved}");
    assert_eq!(moved["comparison"]["columns"].get("nodes"), None);
}

#[test]
fn an_option_set_to_its_default_on_a_sound_engine_moves_nothing_and_that_is_said() {
    let ran = ask(5, "sensitivity", &["--set", "Contempt=0"], &["--all-options"]);
    assert!(
        ran.stdout.contains("moves      0 of 8 rows\nhint: the option already had this value"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_diagnosis_charges_no_change_with_rows_that_differ_by_themselves() {
    let ran = ask(5, "diagnose", &["--format", "json"], &["--clock-seed", "--clock-nodes"]);
    let report = json(&ran);
    assert_eq!(report["verdict"], "chance");
    for result in report["trials"].as_array().unwrap() {
        let (trial, rows) = (result["trial"].as_str().unwrap(), &result["comparison"]["rows"]);
        let is_repetition = ["another_process", "fresh_processes_twice"].contains(&trial);
        let expected = if is_repetition { [0, 8] } else { [8, 0] };
        assert_eq!([&result["rows_by_chance"], rows], expected, "{trial}");
    }
    let counts = json(&ask(5, "diagnose", &["--format", "json"], &["--clock-nodes"]));
    let reversed =
        counts["trials"].as_array().unwrap().iter().find(|one| one["trial"] == "reversed").unwrap();
    assert_eq!(reversed["columns_by_chance"], serde_json::json!(["nodes"]));
    assert_eq!(reversed["comparison"]["differing"], serde_json::json!([]));
    let text = ask(5, "diagnose", &[], &["--clock-seed", "--clock-nodes"]).stdout;
    assert!(text.contains("no row is left      left out as different by chance: 8 rows"), "{text}");
}

#[test]
fn an_option_that_is_set_twice_is_refused_even_to_the_same_value() {
    for (first, second) in [("Hash=8", "Hash=8"), ("Hash=8", "hash=16")] {
        for command in ["take", "diagnose"] {
            let ran = ask(3, command, &["--option", first, "--option", second], &["--all-options"]);
            assert!(ran.stderr.contains(": set twice, to `8` and to `"), "{}", ran.stderr);
        }
    }
}

#[test]
fn a_strength_that_nothing_switches_on_is_refused() {
    let elo = ["--elo", "1300:3000", "--option", "option name Skill Level type spin default 20 min 0 max 20"];
    for set in [
        &["--option", "UCI_Elo=1350"][..],
        &["--option", "UCI_Elo=1350", "--option", "UCI_LimitStrength=false"],
    ] {
        let ran = ask(3, "take", set, &elo);
        assert!(ran.stderr.contains("option `UCI_Elo`: has no effect while"), "{}", ran.stderr);
    }
    let ran = ask(3, "sensitivity", &["--set", "UCI_Elo=1350"], &elo);
    assert!(ran.stderr.contains("option `UCI_Elo`: has no effect while"), "{}", ran.stderr);
    let limited = ["--option", "UCI_Elo=1350", "--option", "UCI_LimitStrength=true"];
    ask(0, "take", &limited, &elo);
    let ran = ask(3, "take", &[&limited[..], &["--option", "Skill Level=3"]].concat(), &elo);
    assert!(ran.stderr.contains("option `Skill Level`: has no effect beside UCI_Elo"), "{}", ran.stderr);
}
