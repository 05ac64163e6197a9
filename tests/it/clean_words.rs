//! What an engine says reaches a terminal or a file with every character visible.

use super::support::{Lab, mock_engine};

/// Neither control characters but line ends, nor marks that turn the direction of writing.
#[track_caller]
fn assert_clean(text: &str) {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let found = text.chars().find(|c| (c.is_control() && *c != '\n') || turns(*c));
    assert_eq!(found, None, "{text:?}");
}

fn lab(subject: &[&str], lines: &str) -> Lab {
    let lab = Lab::new();
    lab.write_mock_spec(subject, &[], "");
    lab.write("spec.toml", &lab.read("spec.toml").replacen("[opponent]", &format!("{lines}\n[opponent]"), 1));
    lab
}

#[test]
fn a_move_with_control_characters_is_shown_as_it_came() {
    let lab = lab(&["--fault", "token:e2\u{8}e4\u{1b}[31m\u{202e}"], "");
    let ran = lab.run_to(0, &["run", "spec.toml", "--out", "run", "--no-probe"]);
    assert_clean(&ran.stderr);
    assert_clean(&ran.stdout);
    assert!(ran.stderr.contains(r"its move `e2\x08e4\x1b[31m\u{202e}` is "), "{}", ran.stderr);
    for game in lab.journal("run") {
        let detail = game["fault"]["detail"].as_str().unwrap();
        assert!(detail.contains(r"`e2\x08e4\x1b[31m\u{202e}`"), "{detail}");
        assert_clean(&game["fault"].to_string());
        let last = game["fault"]["transcript"].as_array().unwrap().last().unwrap();
        assert_eq!(last, r"< bestmove e2\x08e4\x1b[31m\u{202e}");
    }
    let refused = lab.run_to(4, &["plan", "spec.toml"]);
    assert_clean(&refused.stderr);
}

#[test]
fn names_and_options_are_clean() {
    let option = "option name Mad\u{1b}[2J\u{2066} type spin default 5 min 1 max 9";
    let lab = lab(&["--name", "Mock\u{1b}]0;owned\u{7}", "--option", option], "hash = 1");
    let plan = lab.run_to(0, &["plan", "spec.toml", "--format", "json"]);
    let plan: serde_json::Value = serde_json::from_str(&plan.stdout).unwrap();
    assert_eq!(plan["subject"]["program"]["id_name"], r"Mock\x1b]0;owned\x07");
    lab.change_spec("hash = 0");
    assert_clean(&lab.run_to(3, &["plan", "spec.toml"]).stderr);
    lab.write("spec.toml", &lab.read("spec.toml").replacen("hash = 0", "[subject.options]\nNone = 1", 1));
    let refused = lab.run_to(3, &["plan", "spec.toml"]).stderr;
    assert_clean(&refused);
    assert!(refused.contains(r"Mad\x1b[2J\u{2066}"), "{refused}");
}

#[test]
fn stderr_and_quirks_and_kept_words_are_clean() {
    let lab = lab(&["--say-at-go", "says \u{1b}[1mfine\u{9}\u{202d}"], "words = 'says'");
    lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    let games = lab.journal("run");
    let words =
        games[0]["plies"].as_array().unwrap().iter().find_map(|ply| ply["words"][0].as_str()).unwrap();
    assert_eq!(words, r"says \x1b[1mfine\t\u{202d}");
    assert_clean(&lab.read("run/games.pgn"));

    lab.write("dialogue", "warn \u{1b}[31mred\u{7}\nawait uci\nsay \\x1b[2Jgone\nexit 2\n");
    let mock = mock_engine();
    let dialogue = lab.path("dialogue");
    let check = ["check", mock.to_str().unwrap(), "--arguments", "--script", dialogue.to_str().unwrap()];
    let stderr = lab.run_to(4, &check).stderr;
    assert_clean(&stderr);
    assert!(stderr.contains(r"\x1b[31mred\x07") && stderr.contains(r"< \x1b[2Jgone"), "{stderr}");
}

#[test]
fn a_quirk_is_clean() {
    let lab =
        lab(&["--say-at-go", "x", "--option", "option name A type spin default \u{1b}[7m min 1 max 9"], "");
    let ran = lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    assert_clean(&ran.stderr);
    assert!(ran.stderr.contains(r"`default` with the unusable value `\x1b[7m`"), "{}", ran.stderr);
    assert_clean(&lab.read("run/games.jsonl"));
}
