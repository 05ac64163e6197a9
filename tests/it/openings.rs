//! The opening set that comes with elometer: `positions/openings.epd`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use elometer::chess::openings::{Opening, read_openings, repeated_openings};
use elometer::chess::pgn::{PgnOptions, PgnReader};
use elometer::chess::{Color, Position as _, fen};

fn positions(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("positions").join(name)
}

fn openings() -> Vec<Opening> {
    read_openings(&positions("openings.epd"), None).unwrap()
}

#[test]
fn the_set_is_large_named_and_without_repeats() {
    let openings = openings();
    assert!(openings.len() >= 400, "{} openings", openings.len());
    assert_eq!(repeated_openings(&openings), []);
    let mut volumes = BTreeMap::new();
    for opening in &openings {
        let eco = opening.eco.as_deref().unwrap();
        let (volume, number) = eco.split_at(1);
        assert!(number.len() == 2 && number.bytes().all(|byte| byte.is_ascii_digit()), "{eco}");
        assert!(!opening.name.as_deref().unwrap().is_empty());
        *volumes.entry(volume).or_insert(0) += 1;
    }
    assert_eq!(volumes.keys().copied().collect::<String>(), "ABCDE");
    assert!(volumes.values().all(|count| *count >= 60), "{volumes:?}");
}

#[test]
fn every_opening_is_four_to_ten_plies_from_the_start() {
    for opening in openings() {
        let position = opening.start.position();
        let plies = 2 * (position.fullmoves().get() - 1) + u32::from(position.turn() == Color::Black);
        assert!((4..=10).contains(&plies), "line {}: {plies} plies", opening.line);
    }
}

#[test]
fn the_moves_beside_each_opening_lead_to_it() {
    let text = fs::read_to_string(positions("openings.epd")).unwrap();
    let openings = openings();
    assert_eq!(text.lines().count(), openings.len());
    for (line, opening) in text.lines().zip(&openings) {
        let moves = line.split(" c0 \"").nth(1).unwrap().trim_end_matches("\";");
        let mut reader = PgnReader::new(moves.as_bytes(), "c0", PgnOptions::default()).unwrap();
        let game = reader.next_game().unwrap().unwrap();
        assert_eq!(game.fault, None, "{line}");
        let mut position = game.start.position().clone();
        for read in &game.moves {
            position.play_unchecked(read.m);
        }
        assert_eq!(fen(&position), opening.start.fen(), "{line}");
    }
}

#[test]
fn the_score_beside_each_opening_is_roughly_level() {
    let openings = openings();
    let mut table = csv::Reader::from_path(positions("openings.csv")).unwrap();
    let rows: Vec<(String, String, u32, i32)> = table.deserialize().map(Result::unwrap).collect();
    assert_eq!(rows.len(), openings.len());
    for ((eco, name, _, score_white_cp), opening) in rows.iter().zip(&openings) {
        assert_eq!((Some(eco), Some(name)), (opening.eco.as_ref(), opening.name.as_ref()));
        assert!(score_white_cp.abs() <= 90, "{eco} {name}: {score_white_cp}");
    }
}
