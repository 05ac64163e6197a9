use std::sync::Arc;

use super::games::level_in_name;
use super::pairs::{Candidate, find_pairs, parse_round};
use super::{InputError, PairKey, PlayedGame, Results, UnusedReason, collect, read_csv, read_pgn_games};
use crate::chess::Outcome;
use crate::rating::Unit;

fn pgn(text: &str) -> Results {
    read_pgn_games(text.as_bytes(), "games.pgn", None).unwrap()
}

fn game(tags: &[(&str, &str)], moves: &str) -> String {
    let tags: String = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    format!("{tags}\n{moves}\n\n")
}

fn units(results: &Results) -> Vec<(Unit, u64)> {
    results.ladder.levels().iter().flat_map(|level| level.units().collect::<Vec<_>>()).collect()
}

fn unused(results: &Results) -> Vec<(UnusedReason, u64)> {
    results.unused.iter().map(|unused| (unused.reason, unused.games)).collect()
}

fn csv_error(text: &str) -> String {
    read_csv(text.as_bytes(), "counts.csv").unwrap_err().to_string()
}

#[test]
fn a_name_tells_a_level_only_by_a_number_of_its_own_at_its_end() {
    for (name, level) in [
        ("SF-1900", Some(1900.0)),
        ("Stockfish 15.1 UCI_Elo 1900", Some(1900.0)),
        ("maia900 ", Some(900.0)),
        ("Stockfish 15.1", None),
        ("engine 2.100", None),
        ("nightly-20260929", None),
        ("1900 rung", None),
        ("x 0000", None),
        ("", None),
    ] {
        assert_eq!(level_in_name(name), level, "{name}");
    }
}

#[test]
fn rounds_are_read_with_and_without_a_second_part() {
    assert_eq!(parse_round("17.2"), Some((17, Some(2))));
    assert_eq!(parse_round(" 17 "), Some((17, None)));
    for tag in ["?", "-", "", "1.2.3", "a.1"] {
        assert_eq!(parse_round(tag), None, "{tag}");
    }
}

fn candidate(round: Option<&str>, subject_white: bool, opening: Option<u64>) -> Candidate {
    Candidate { opponent: 0, subject_white, round: round.and_then(parse_round), start: 1, opening }
}

fn joined(games: &[Candidate]) -> Vec<Option<u64>> {
    find_pairs(games).into_iter().map(|key| key.map(|PairKey(key)| key)).collect()
}

#[test]
fn two_games_of_a_round_with_colours_swapped_are_a_pair() {
    let of = |first: &str, second: &str, swapped: bool| {
        joined(&[candidate(Some(first), true, None), candidate(Some(second), !swapped, None)])
    };
    assert_eq!(of("17.1", "17.2", true), [Some(0), Some(0)]);
    assert_eq!(of("17", "17", true), [Some(0), Some(0)]);
    assert_eq!(of("17.1", "17.2", false), [None, None]);
    assert_eq!(of("17.1", "17.3", true), [None, None]);
    assert_eq!(of("17.1", "18.1", true), [None, None]);
    let third = candidate(Some("17.2"), false, None);
    assert_eq!(joined(&[candidate(Some("17.1"), true, None), third.clone(), third]), [None, None, None]);
}

#[test]
fn games_without_a_round_are_paired_by_opening_in_file_order() {
    let games = [
        candidate(None, true, Some(5)),
        candidate(None, true, Some(6)),
        candidate(Some("?"), false, Some(6)),
        candidate(None, false, Some(5)),
        candidate(None, false, Some(5)),
        candidate(None, true, None),
    ];
    assert_eq!(joined(&games), [Some(1), Some(0), Some(0), Some(1), None, None]);
}

#[test]
fn a_pgn_of_a_ladder_becomes_levels_of_pairs() {
    let subject_white = |round, black, black_elo, result| {
        game(&[("White", "Mate"), ("Black", black), ("BlackElo", black_elo), ("Round", round)], result)
    };
    let subject_black = |round, white, white_elo, result| {
        game(&[("White", white), ("Black", "Mate"), ("WhiteElo", white_elo), ("Round", round)], result)
    };
    let text = [
        subject_white("1.1", "rung", "1500", "1. e4 e5 1-0"),
        subject_black("1.2", "rung", "1500", "1. e4 e5 1/2-1/2"),
        subject_white("2.1", "SF-1700", "-", "1. e4 e5 0-1"),
        subject_black("2.2", "SF-1700", "?", "1. e4 e5 *"),
        subject_white("3.1", "nobody", "0", "1. e4 e5 1-0"),
        subject_white("4.1", "rung", "1500", "1. e4 Ke4 1-0"),
    ]
    .concat();
    let results = pgn(&text);
    assert_eq!(results.subject.as_deref(), Some("Mate"));
    assert_eq!(
        units(&results),
        [(Unit { games: 2, half_points: 3 }, 1), (Unit { games: 1, half_points: 0 }, 1)]
    );
    assert_eq!(
        unused(&results),
        [(UnusedReason::Unfinished, 1), (UnusedReason::UnknownLevel, 1), (UnusedReason::Unreadable, 1)]
    );
    assert_eq!(results.levels_from_names, 1);
    let first = results
        .unused
        .iter()
        .find_map(|unused| unused.first.clone().filter(|_| unused.reason == UnusedReason::Unreadable));
    assert!(first.unwrap().starts_with("game 6, line "));
}

#[test]
fn the_subject_is_the_only_player_of_every_game_or_named() {
    let text = game(&[("White", "A"), ("Black", "B 1500")], "1-0")
        + &game(&[("White", "B 1500"), ("Black", "A")], "1-0")
        + &game(&[("White", "A"), ("Black", "A")], "1-0");
    assert_eq!(pgn(&text).subject.as_deref(), Some("A"));
    assert_eq!(unused(&pgn(&text)), [(UnusedReason::AgainstItself, 1)]);

    let two = game(&[("White", "A"), ("Black", "B 1500")], "1-0");
    let error = read_pgn_games(two.as_bytes(), "x.pgn", None).unwrap_err().to_string();
    assert_eq!(
        error,
        "x.pgn: cannot tell whose rating to fit: 2 players are in every game\n  A: 1 game\n  B 1500: 1 game\n\
         hint: name the subject with --subject NAME"
    );
    assert_eq!(read_pgn_games(two.as_bytes(), "x.pgn", Some("A")).unwrap().ladder.games(), 1);
    let error = read_pgn_games(two.as_bytes(), "x.pgn", Some("C")).unwrap_err();
    assert!(matches!(error, InputError::UnknownSubject { .. }), "{error}");

    let other = two + &game(&[("White", "C"), ("Black", "D")], "1-0") + &game(&[("White", "C")], "1-0");
    let results = read_pgn_games(other.as_bytes(), "x.pgn", Some("A")).unwrap();
    assert_eq!(unused(&results), [(UnusedReason::NotTheSubjects, 1), (UnusedReason::NoPlayers, 1)]);
}

#[test]
fn a_pgn_without_a_game_is_an_error() {
    assert!(matches!(read_pgn_games(&b"\n"[..], "x.pgn", None), Err(InputError::Empty { .. })));
}

fn played(pair: u64, subject_white: bool, outcome: Outcome, moves: u64) -> PlayedGame {
    PlayedGame {
        opponent: Arc::from("rung"),
        level: Some(1500.0),
        subject_white,
        outcome: Some(outcome),
        pair: Some(PairKey(pair)),
        moves_hash: Some(moves),
    }
}

#[test]
fn pairs_that_repeat_each_other_move_for_move_are_one_unit() {
    let mut games = Vec::new();
    for pair in 0..10 {
        games.push(played(pair, true, Outcome::White, 1));
        games.push(played(pair, false, Outcome::Draw, 2));
    }
    games.push(played(10, true, Outcome::White, 1));
    games.push(played(10, false, Outcome::White, 3));
    let results = collect("test", "Mate", games.clone()).unwrap();
    assert_eq!(
        units(&results),
        [(Unit { games: 2, half_points: 2 }, 1), (Unit { games: 20, half_points: 30 }, 1)]
    );
    assert_eq!(results.ladder.copied_games(), 19);
    games.reverse();
    assert_eq!(collect("test", "Mate", games).unwrap().ladder, results.ladder);
}

#[test]
fn a_level_that_is_no_rating_is_unknown() {
    let game = PlayedGame { level: Some(f64::NAN), ..played(0, true, Outcome::White, 1) };
    let results = collect("test", "Mate", [game]).unwrap();
    assert_eq!(unused(&results), [(UnusedReason::UnknownLevel, 1)]);
    assert_eq!(results.ladder.games(), 0);
}

#[test]
fn csv_counts_are_read_in_any_column_order_and_equal_levels_added_up() {
    let text = "\u{feff}Level, losses, draws, wins\n# a remark\n\n1500,1,2,3\n1500.0,1,0,0\n-20,0,0,7\n";
    let results = read_csv(text.as_bytes(), "counts.csv").unwrap();
    let counts: Vec<_> = results
        .ladder
        .levels()
        .iter()
        .map(|level| (level.elo(), level.wins(), level.draws(), level.losses()))
        .collect();
    assert_eq!(counts, [(-20.0, 7, 0, 0), (1500.0, 3, 2, 2)]);
}

#[test]
fn wrong_csv_is_refused_with_line_and_column() {
    assert_eq!(
        csv_error("level,wins,draws\n"),
        "counts.csv:1: found the header `level,wins,draws`, expected `level,wins,draws,losses`\n\
         hint: name each column once; other columns are not read"
    );
    assert!(csv_error("1500,1,2,3\n").contains("found the header `1500,1,2,3`"));
    assert!(csv_error("level,wins,wins,losses\n1500,1,2,3\n").contains("header"));
    assert_eq!(
        csv_error("level,wins,draws,losses\n1500,1,2,3\n1700,4,0.5,3\n"),
        "counts.csv:3: column `draws`: found `0.5`, expected a whole number, 0 or more\n\
         hint: count games, not points: two draws are 2 draws, not 1 point"
    );
    assert!(csv_error("level,wins,draws,losses\n1500,-1,2,3\n").contains("column `wins`: found `-1`"));
    assert!(csv_error("level,wins,draws,losses\nnan,1,2,3\n").contains("column `level`: found `nan`"));
    assert!(
        csv_error("level,wins,draws,losses\n1500,1,2\n").contains("counts.csv:2: found 3 fields, expected 4")
    );
    assert!(csv_error("\n").contains("nothing to read"));
}

#[test]
fn of_two_players_the_one_without_an_elo_is_the_subject() {
    let pgn = "[White \"New\"]\n[Black \"Rung\"]\n[BlackElo \"1900\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n\
               [White \"Rung\"]\n[Black \"New\"]\n[WhiteElo \"1900\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    let results = read_pgn_games(pgn.as_bytes(), "two.pgn", None).unwrap();
    assert_eq!(results.subject.as_deref(), Some("New"));
    assert_eq!(results.ladder.levels()[0].elo(), 1900.0);
    let unrated = pgn.replace("Elo", "Note");
    assert!(read_pgn_games(unrated.as_bytes(), "two.pgn", None).is_err());
}
