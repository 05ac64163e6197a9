//! The mock engine itself, driven through plain pipes.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use elometer::chess::{Game, Score, StartPosition, parse_engine_move};
use elometer::uci::protocol::{EngineMessage, OptionDeclaration, parse_engine_line};

use super::support::mock_engine;

/// Sends all lines at once, closes the input and collects what was said. A search without
/// `--think-ms` ends at once, so order is kept.
fn talk(arguments: &[&str], lines: &[&str]) -> Output {
    let mut child = Command::new(mock_engine())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // An engine that ends early closes its input.
    let _ = input.write_all((lines.join("\n") + "\n").as_bytes());
    drop(input);
    child.wait_with_output().unwrap()
}

fn messages(output: &Output) -> Vec<EngineMessage> {
    let lines = output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| parse_engine_line(line, &mut Vec::new())).collect()
}

fn best_moves(output: &Output) -> Vec<String> {
    let token = |message| match message {
        EngineMessage::BestMove(best) => Some(best.token),
        _ => None,
    };
    messages(output).into_iter().filter_map(token).collect()
}

fn options(output: &Output) -> Vec<OptionDeclaration> {
    let option = |message| match message {
        EngineMessage::Option(option) => Some(option),
        _ => None,
    };
    messages(output).into_iter().filter_map(option).collect()
}

#[test]
fn it_plays_a_legal_game_and_the_same_one_again() {
    let play = |arguments: &[&str]| {
        let mut game = Game::new(StartPosition::standard());
        let mut moves = String::new();
        for _ in 0..8 {
            let output = talk(arguments, &[&format!("position startpos moves{moves}"), "go nodes 5"]);
            let token = best_moves(&output).pop().unwrap();
            game.play(parse_engine_move(game.position(), &token).unwrap().0);
            moves = format!("{moves} {token}");
        }
        moves
    };
    assert_eq!(play(&[]), play(&[]));
    assert_ne!(play(&[]), play(&["--seed", "1"]));
}

#[test]
fn it_introduces_itself_and_declares_options_of_every_kind() {
    let output =
        talk(&["--all-options", "--elo", "1320:3190", "--banner", "Hello id"], &["uci", "isready", "quit"]);
    assert!(output.status.success());
    let declared = options(&output);
    let elo = declared.iter().find(|option| option.is_named("uci_elo")).unwrap();
    assert_eq!(elo.summary(), "spin 1320..3190 (default 1320)");
    assert_eq!(declared.len(), 10);
    let said = messages(&output);
    assert_eq!(said.first(), Some(&EngineMessage::Other));
    assert_eq!(
        said.iter().rev().take(2).collect::<Vec<_>>(),
        [&EngineMessage::ReadyOk, &EngineMessage::UciOk]
    );
}

#[test]
fn its_faults_show_when_they_are_due() {
    let searches = |arguments: &[&str]| talk(arguments, &["position startpos", "go", "go", "go", "go"]);
    let output = searches(&["--fault", "token:(none)", "--fault-every", "2"]);
    let moves = best_moves(&output);
    assert_eq!((moves[1].as_str(), moves[3].as_str()), ("(none)", "(none)"));
    assert_eq!((moves.len(), &moves[0]), (4, &moves[2]));
    let output = searches(&["--fault", "crash", "--at-go", "3", "--exit-code", "7"]);
    assert_eq!((best_moves(&output).len(), output.status.code()), (2, Some(7)));
    let output = searches(&["--fault", "exit-after-move", "--at-go", "3"]);
    assert_eq!((best_moves(&output).len(), output.status.code()), (3, Some(3)));
    assert_eq!(best_moves(&searches(&["--fault", "twice"])).len(), 8);
    assert!(searches(&["--fault", "abort"]).status.code().is_none());
}

#[test]
fn its_odd_moves_are_what_they_say() {
    let promotion = "position fen 8/P7/8/8/8/8/7k/K7 w - - 0 1";
    let answer =
        |fault: &str| best_moves(&talk(&["--fault", fault, "--play", "a7a8q"], &[promotion, "go"])).remove(0);
    assert_eq!(answer("no-letter"), "a7a8");
    assert_eq!(answer("upper-case"), "A7A8Q");
    let game = Game::new(StartPosition::from_fen("8/P7/8/8/8/8/7k/K7 w - - 0 1").unwrap());
    assert!(parse_engine_move(game.position(), &answer("illegal")).is_err());
}

#[test]
fn it_can_be_loud_and_say_what_is_not_text() {
    let output = talk(
        &["--banner-bytes", "2000000", "--stderr-bytes", "2000000", "--non-utf8-id", "--crlf"],
        &["uci"],
    );
    assert!(output.stdout.len() > 2_000_000 && output.stderr.len() >= 2_000_000);
    assert!(output.stdout.ends_with(b"uciok\r\n"));
    assert!(
        output.stdout.windows(12).any(|window| window == b"id name Mock") && output.stdout.contains(&0xe9)
    );
}

#[test]
fn a_search_lasts_until_it_is_stopped() {
    let output = talk(&[], &["position startpos", "go infinite", "isready", "stop", "quit"]);
    let said = messages(&output);
    assert!(matches!(
        said.as_slice(),
        [EngineMessage::Info(_), EngineMessage::ReadyOk, EngineMessage::BestMove(_)]
    ));
    let output = talk(&["--score", "cp:-900", "--fault", "late"], &["position startpos", "go", "stop"]);
    let said = messages(&output);
    assert!(matches!(&said[0], EngineMessage::Info(info)
        if info.score.map(|score| score.score) == Some(Score::Cp(-900))));
    assert_eq!(best_moves(&output).len(), 1);
}

#[test]
fn a_script_is_played_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, "# a greeting\nexpect uci\nsay id name Caf\\xe9\\r\nawait go\nexit 5\n").unwrap();
    let output = talk(&["--script", script.to_str().unwrap()], &["uci", "isready", "go depth 1"]);
    assert_eq!((output.stdout.as_slice(), output.status.code()), (&b"id name Caf\xe9\r\n"[..], Some(5)));
    let output = talk(&["--script", script.to_str().unwrap()], &["isready"]);
    assert_eq!(output.status.code(), Some(97));
}
