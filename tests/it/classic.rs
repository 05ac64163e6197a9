//! The classic engine through the protocol.

use assert_cmd::Command;

use super::session::{Session, masked};

#[test]
fn a_session_reads_as_it_always_did() {
    let mut session = Session::start("classic");
    let mut transcript = session.ask("uci", "uciok");
    session.send("setoption name hash value 1");
    transcript.extend(session.ask("isready", "readyok"));
    session.send("ucinewgame");
    session.send("position startpos moves e2e4 e7e5");
    transcript.extend(session.ask("go depth 4", "bestmove"));
    session.send("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    transcript.extend(session.ask("go nodes 5000", "bestmove"));
    session.send("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    transcript.extend(session.ask("go depth 2 searchmoves e1g1", "bestmove"));
    session.send("setoption name UCI_Chess960 value true");
    transcript.extend(session.ask("go depth 1 searchmoves e1g1", "bestmove"));
    session.send("position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
    transcript.extend(session.ask("go movetime 10", "bestmove"));
    session.send("quit");
    assert_eq!(session.end(), Vec::<String>::new());
    let transcript: Vec<_> = transcript.iter().map(|line| masked(line)).collect();
    let version = concat!("id name elometer classic ", env!("CARGO_PKG_VERSION"));
    assert_eq!(transcript[0], version);
    insta::assert_snapshot!(transcript[1..].join("\n"));
}

#[test]
fn the_same_session_gives_the_same_lines_apart_from_the_clock() {
    let play = || {
        let mut session = Session::start("classic");
        let mut lines = Vec::new();
        for game in ["moves d2d4 d7d5 c2c4", "moves e2e4 c7c5 g1f3 d7d6 d2d4"] {
            session.send("ucinewgame");
            session.send(&format!("position startpos {game}"));
            lines.extend(session.ask("go nodes 20000", "bestmove"));
        }
        session.end();
        lines.iter().map(|line| masked(line)).collect::<Vec<_>>()
    };
    assert_eq!(play(), play());
}

#[test]
fn a_new_game_forgets_the_last_one() {
    let mut session = Session::start("classic");
    let mut ask = |before: &str| {
        session.send(before);
        session.send("position startpos moves e2e4");
        let lines = session.ask("go depth 5", "bestmove");
        lines.iter().map(|line| masked(line)).collect::<Vec<_>>()
    };
    let first = ask("ucinewgame");
    let warm = ask("isready");
    assert_ne!(first, warm[1..], "the table is of use while the game lasts");
    assert_eq!(ask("ucinewgame"), first);
    assert_eq!(ask("setoption name Clear Hash"), first);
}

#[test]
fn an_endless_search_answers_isready_and_only_stop_ends_it() {
    let mut session = Session::start("classic");
    session.send("position startpos");
    session.send("go infinite");
    session.until("info depth 3");
    let while_searching = session.ask("isready", "readyok");
    assert!(!while_searching.iter().any(|line| line.starts_with("bestmove")));
    let answer = session.ask("stop", "bestmove").pop().unwrap();
    assert_eq!(answer.split(' ').count(), 4, "a reply is expected: {answer}");
    assert_eq!(session.ask("isready", "readyok"), ["readyok"]);
    session.end();
}

#[test]
fn a_finished_endless_search_holds_its_answer_until_stop() {
    let mut session = Session::start("classic");
    // A mate in one is settled at once.
    session.send("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    session.send("go infinite");
    session.until("info depth 1 ");
    let ready = session.ask("isready", "readyok");
    assert!(!ready.iter().any(|line| line.starts_with("bestmove")));
    assert_eq!(session.ask("stop", "bestmove"), ["bestmove d1d8"]);
    session.end();
}

#[test]
fn pondering_ends_after_ponderhit() {
    let mut session = Session::start("classic");
    session.send("position startpos moves e2e4");
    session.send("go ponder depth 2 wtime 1000 btime 1000");
    session.until("info depth 2");
    let ready = session.ask("isready", "readyok");
    assert!(!ready.iter().any(|line| line.starts_with("bestmove")));
    session.ask("ponderhit", "bestmove");
    session.end();
}

#[test]
fn quitting_and_hanging_up_end_a_search() {
    for last_word in [Some("quit"), None] {
        let mut session = Session::start("classic");
        session.send("position startpos");
        session.send("go infinite");
        session.until("info depth 2");
        if let Some(word) = last_word {
            session.send(word);
        }
        let rest = session.end();
        assert!(rest.last().is_some_and(|line| line.starts_with("bestmove ")), "{rest:?}");
    }
}

#[test]
fn what_arrives_during_a_search_is_obeyed_after_it() {
    let mut session = Session::start("classic");
    session.send("position startpos");
    session.send("go infinite");
    session.until("info depth 2");
    session.send("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    session.send("go depth 1");
    session.ask("stop", "bestmove");
    let second = session.until("bestmove").pop();
    assert_eq!(second.as_deref(), Some("bestmove d1d8"));
    session.end();
}

#[test]
fn nonsense_is_answered_with_a_note_and_changes_nothing() {
    let mut session = Session::start("classic");
    session.send("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    for nonsense in [
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 zzzz",
        "setoption name Hash value 0",
        "setoption name Hash value many",
        "setoption name Contempt value 3",
        "flip the board",
    ] {
        session.send(nonsense);
        let lines = session.ask("isready", "readyok");
        assert_eq!(lines.len(), 2, "{nonsense}: {lines:?}");
        assert!(lines[0].starts_with("info string "), "{nonsense}: {lines:?}");
    }
    assert_eq!(session.ask("go depth 2", "bestmove").pop().unwrap(), "bestmove d1d8");
    session.end();
}

#[test]
fn every_kind_of_clock_gets_a_legal_answer() {
    let mut session = Session::start("classic");
    for go in [
        "go wtime 0 btime 0",
        "go wtime -50 btime 100",
        "go wtime 1 btime 1 winc 10 binc 10",
        "go wtime 100 btime 100 movestogo 1",
        "go movetime 0",
        "go movetime 1",
        "go nodes 1",
        "go nodes 0",
        "go depth 0",
        "go mate 1 nodes 100",
    ] {
        session.send("position startpos");
        let answer = session.ask(go, "bestmove").pop().unwrap();
        let m = answer.split(' ').nth(1).unwrap().to_owned();
        session.send(&format!("position startpos moves {m}"));
        assert_eq!(session.ask("isready", "readyok"), ["readyok"], "{go}: {answer}");
    }
    session.end();
}

#[test]
fn the_command_serves_the_engine_and_a_wrong_name_lists_all() {
    let engine = |name: &str, input: &str| {
        let mut command = Command::cargo_bin("elometer").unwrap();
        command.args(["engine", name]).write_stdin(input).output().unwrap()
    };
    let served = engine("classic", "uci\nquit\n");
    assert_eq!(served.status.code(), Some(0));
    assert!(String::from_utf8(served.stdout).unwrap().ends_with("uciok\n"));
    let refused = engine("clasic", "");
    assert_eq!(refused.status.code(), Some(2));
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("clasic") && message.contains("hint: there is classic"), "{message}");
}
