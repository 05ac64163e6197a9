//! A whole match whose every byte is known: the mock's moves come from the `position` text, so that
//! nothing but a change of the runner, the rules or the formats can change them.

use elometer::chess::{CastlingMode, Game, Position as _, StartPosition, fen, uci};
use sha2::{Digest as _, Sha256};

use super::support::Lab;

/// SHA-256 of `games.pgn` and `games.csv`. A change of what they hold changes these: look at what
/// changed before pinning the new ones.
const PGN: &str = "23b548924d0033b9f7f41c189b034ef1098bb123bd95f6c6331960a231e76ff0";
const CSV: &str = "929847df28421f3cfc15eddc2988b72ee7698f94f45227d0a5be8e90fb9e72fd";

/// A match of forty games: every first move as an opening, in the order of the alphabet, with both
/// colours.
fn match_of_forty(subject: &[&str], opponent: &[&str]) -> Lab {
    let lab = Lab::new();
    let subject = [&["--seed", "1"], subject].concat();
    let opponent = [&["--seed", "2"], opponent].concat();
    lab.write_mock_spec(&subject, &opponent, "");
    lab.change_spec("pairs = 20");
    lab.change_spec("max_plies = 80");
    let start = Game::new(StartPosition::standard());
    let mut openings: Vec<_> = start
        .position()
        .legal_moves()
        .iter()
        .map(|&m| {
            let mut game = Game::new(StartPosition::standard());
            game.play(m);
            format!("{}; {}", uci(m, CastlingMode::Standard), fen(game.position()))
        })
        .collect();
    openings.sort();
    let lines: Vec<_> = openings.iter().filter_map(|line| Some(line.split_once("; ")?.1)).collect();
    lab.write("openings.epd", &(lines.join("\n") + "\n"));
    lab
}

fn sha256(bytes: &str) -> String {
    Sha256::digest(bytes.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[track_caller]
fn assert_golden(lab: &Lab, concurrency: &str) {
    let ran = lab.run_to(0, &["run", "spec.toml", "--out", "run", "--concurrency", concurrency]);
    assert!(ran.stdout.contains("games      40 of 40 played"), "{}", ran.stdout);
    assert!(ran.stdout.contains("faults     none") && !ran.stdout.contains("copies"), "{}", ran.stdout);
    let found = [sha256(&lab.read("run/games.pgn")), sha256(&lab.read("run/games.csv"))];
    assert_eq!(found, [PGN, CSV]);
}

#[test]
fn a_match_is_the_same_bytes_at_any_concurrency() {
    for concurrency in ["1", "4"] {
        assert_golden(&match_of_forty(&[], &[]), concurrency);
    }
}

#[test]
fn harmless_misbehaviour_changes_no_byte_of_a_match() {
    let odd = ["--crlf", "--noise", "--fault", "upper-case", "--uciok-twice", "--stderr-bytes", "100000"];
    assert_golden(&match_of_forty(&odd, &odd), "2");
    let late = ["--banner", "Mock 1.0 by bestmove e2e4", "--fault", "twice", "--all-options"];
    let early = ["--fault", "info-afterwards", "--non-utf8-id"];
    assert_golden(&match_of_forty(&late, &early), "2");
}
