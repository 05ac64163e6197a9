//! The legible engine through the protocol and `elometer explain`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::session::{Session, masked};
use super::support::Lab;

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";

fn asked(session: &mut Session, position: &str, go: &str) -> Vec<String> {
    session.send(&format!("position {position}"));
    session.ask(go, "bestmove").iter().map(|line| masked(line)).collect()
}

fn personality(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("personalities").join(name);
    fs::read_to_string(file).unwrap()
}

#[test]
fn a_session_reads_as_it_always_did() {
    let mut session = Session::start("legible");
    let mut transcript = session.ask("uci", "uciok");
    session.send("ucinewgame");
    transcript.extend(asked(&mut session, "startpos moves e2e4 d7d5", "go depth 3"));
    transcript.extend(asked(&mut session, "startpos moves e2e4 d7d5 e4d5 d8d5", "go depth 3"));
    session.send("setoption name sharp value 0");
    transcript.extend(asked(&mut session, &format!("fen {MIDDLEGAME}"), "go nodes 5000"));
    session.send("setoption name Voice value quiet");
    transcript.extend(asked(&mut session, "fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "go depth 4"));
    transcript.extend(asked(&mut session, "fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "go depth 4"));
    session.send("quit");
    session.end();
    assert_eq!(transcript[0], concat!("id name elometer legible ", env!("CARGO_PKG_VERSION")));
    insta::assert_snapshot!(transcript[1..].join("\n"));
}

#[test]
fn every_parameter_is_an_option_that_changes_the_scores_and_can_be_set_back() {
    let mut session = Session::start("legible");
    let fen = "r2q1rk1/1bp1bppp/p1n2n2/1p1pp1B1/1P2P3/2NP1N2/P1P2PPP/R2QKB1R w KQ - 0 9";
    let ask = |session: &mut Session| asked(session, &format!("fen {fen}"), "go depth 3");
    let default = ask(&mut session);
    for (name, value) in [("sharp", 0), ("safety", 300), ("care", 300), ("structure", 0)] {
        session.send(&format!("setoption name {name} value {value}"));
        assert_ne!(ask(&mut session), default, "{name}");
        session.send(&format!("setoption name {name} value 100"));
        session.send("ucinewgame");
        assert_eq!(ask(&mut session), default, "{name}");
    }
    session.end();
}

#[test]
fn nothing_found_earlier_changes_an_answer() {
    let mut session = Session::start("legible");
    session.send("setoption name Voice value off");
    let first = asked(&mut session, &format!("fen {MIDDLEGAME}"), "go nodes 20000");
    asked(&mut session, "startpos moves e2e4 e7e5", "go nodes 30000");
    assert_eq!(asked(&mut session, &format!("fen {MIDDLEGAME}"), "go nodes 20000"), first);
    assert!(!first.iter().any(|line| line.contains("string")), "{first:?}");
    session.end();
}

#[test]
fn a_search_is_stopped_and_clocks_are_kept() {
    let mut session = Session::start("legible");
    session.send("position startpos");
    session.send("go infinite");
    session.until("info depth 3");
    session.ask("stop", "bestmove");
    for go in
        ["go wtime 1 btime 1", "go movetime 1", "go nodes 1", "go depth 0", "go wtime 200 btime 200 winc 10"]
    {
        session.send(&format!("position fen {MIDDLEGAME}"));
        let answer = session.ask(go, "bestmove").pop().unwrap();
        assert!(answer.starts_with("bestmove ") && !answer.contains("none"), "{go}: {answer}");
    }
    session.end();
}

#[test]
fn a_personality_is_chosen_by_name_or_file_and_says_so() {
    let lab = Lab::new();
    lab.write("mine.json", &personality("careless.json").replace("\"careless\"", "\"mine\""));
    let uci = |arguments: &[&str]| {
        let mut command =
            assert_cmd::Command::from_std(lab.command(&[&["engine", "legible"], arguments].concat()));
        let output = command.write_stdin("uci\nquit\n").output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(uci(&[]).starts_with("id name elometer legible 0"));
    assert!(uci(&["--personality", "clean"]).starts_with("id name elometer legible 0"));
    let careless = uci(&["--personality", "careless"]);
    assert!(careless.starts_with("id name elometer legible (careless) "), "{careless}");
    assert!(careless.contains("option name care type spin default 30 min 0 max 300\n"), "{careless}");
    assert!(
        careless.contains("option name dice_seed type spin default 7 min 0 max 4294967295\n"),
        "{careless}"
    );
    assert!(uci(&["--personality", "mine.json"]).starts_with("id name elometer legible (mine) "));
}

#[test]
fn a_document_that_is_no_personality_is_refused_with_its_place() {
    let lab = Lab::new();
    lab.write("bad.json", &personality("clean.json").replace("safety * phase", "saftey * phase"));
    let ran = lab.run_to(3, &["engine", "legible", "--personality", "bad.json"]);
    insta::assert_snapshot!(ran.stderr);
    let ran = lab.run_to(3, &["explain", "startpos", "--personality", "none.json"]);
    assert!(
        ran.stderr.contains("none.json: cannot be read") && ran.stderr.contains("\nhint: "),
        "{}",
        ran.stderr
    );
    let ran = lab.run_to(2, &["engine", "classic", "--personality", "clean"]);
    assert!(ran.stderr.contains("only `legible` has personalities\nhint: "), "{}", ran.stderr);
}

#[test]
fn a_position_is_explained_to_the_last_centipawn() {
    let lab = Lab::new();
    let explained = |words: &[&str]| lab.run_to(0, &[&["explain"], words].concat()).stdout;
    insta::assert_snapshot!("explain_a_position", explained(&[MIDDLEGAME, "--depth", "3"]));
    insta::assert_snapshot!("explain_a_move", explained(&[MIDDLEGAME, "h3", "--depth", "2"]));
    insta::assert_snapshot!("explain_a_mate", explained(&["6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"]));
    // The shell may split a FEN, and a move may be in either notation.
    let split: Vec<_> = MIDDLEGAME.split(' ').chain(["h2h3", "--depth", "2"]).collect();
    assert_eq!(explained(&split), explained(&[MIDDLEGAME, "h3", "--depth", "2"]));
    let none = explained(&["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]);
    assert!(none.contains("There is no legal move."), "{none}");
}

#[test]
fn the_meters_of_an_explanation_add_up_to_its_score() {
    let lab = Lab::new();
    let positions =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("positions/reference/positions.epd"))
            .unwrap();
    let mut made_of_meters = 0;
    for line in positions.lines().step_by(40) {
        let fen = line.split(' ').take(4).collect::<Vec<_>>().join(" ");
        let ran = lab.run_to(0, &["explain", &fen, "--depth", "2", "--format", "json"]);
        let json: Value = serde_json::from_str(&ran.stdout).unwrap();
        for at in ["now", "end"] {
            let blocks = json[at]["blocks"].as_object().unwrap();
            assert_eq!(blocks.len(), 5);
            let sum: i64 = blocks
                .values()
                .map(|block| block["white"].as_i64().unwrap() - block["black"].as_i64().unwrap())
                .sum();
            assert_eq!(json[at]["value_white"], sum, "{fen}");
        }
        if json["source"] == "meters" {
            assert_eq!(json["score_white"]["cp"], json["end"]["value_white"], "{fen}");
            made_of_meters += 1;
        }
    }
    assert!(made_of_meters >= 12, "{made_of_meters}");
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let lab = Lab::new();
    let refused = |code: i32, words: &[&str]| lab.run_to(code, &[&["explain"], words].concat()).stderr;
    assert!(refused(3, &["8/8/8/8/8/8/8/8 w - - 0 1"]).contains("\nhint: give `startpos`"));
    assert!(refused(3, &["startpos", "e2e5"]).contains("`e2e5` is no legal move"));
    assert!(refused(2, &["startpos", "e4", "e5"]).contains("`e5` comes after the move"));
    refused(2, &["startpos", "--depth", "21"]);
}
