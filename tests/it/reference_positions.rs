//! The positions of fingerprints: `positions/reference` and `positions/edges.epd`.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use elometer::chess::openings::{Opening, read_openings, repeated_openings};
use elometer::chess::pgn::{PgnOptions, PgnReader, ReadGame};
use elometer::chess::{Ending, Game, Outcome, StartPosition, fen, san};

fn positions(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("positions").join(name)
}

fn reference() -> Vec<Opening> {
    read_openings(&positions("reference/positions.epd"), None).unwrap()
}

fn edges() -> Vec<Opening> {
    read_openings(&positions("edges.epd"), None).unwrap()
}

fn games() -> Vec<ReadGame> {
    let file = File::open(positions("reference/games.pgn")).unwrap();
    PgnReader::new(file, "games.pgn", PgnOptions::default()).unwrap().map(Result::unwrap).collect()
}

/// The game played to its end.
fn played(read: &ReadGame) -> Game {
    let mut game = Game::new(read.start.clone());
    for ply in &read.moves {
        assert_eq!(game.ending(), None, "game {} goes on after its end", read.number);
        game.play(ply.m);
    }
    game
}

/// Game number and ply of `N. GAME, ply N`.
fn place(id: &str) -> (usize, usize) {
    let (number, rest) = id.split_once(". ").unwrap();
    let ply = rest.rsplit_once(", ply ").unwrap().1;
    (number.parse().unwrap(), ply.parse().unwrap())
}

/// Plies of the twelve games, as published scores have them.
const PLIES: [usize; 12] = [45, 47, 33, 35, 106, 50, 103, 82, 42, 81, 87, 99];

#[test]
fn twelve_games_are_legal_to_their_end_and_end_as_their_result_says() {
    let games = games();
    assert_eq!(games.len(), 12);
    for (read, plies) in games.iter().zip(PLIES) {
        let white = read.tag("White").unwrap();
        assert_eq!(read.fault, None, "{white}");
        assert!(read.start.is_standard(), "{white}");
        assert_eq!((read.moves.len(), read.tag("PlyCount")), (plies, Some(&*plies.to_string())), "{white}");
        let game = played(read);
        let outcome = read.outcome.unwrap();
        assert_eq!(read.tag("Result"), Some(outcome.as_pgn()), "{white}");
        match game.ending() {
            None => {}
            Some(Ending::Checkmate) => assert_eq!(game.outcome(Ending::Checkmate), outcome, "{white}"),
            Some(ending) => panic!("{white}: {ending:?}"),
        }
        for tag in ["Event", "Site", "Date", "Round", "Black", "ECO"] {
            assert!(read.tag(tag).is_some_and(|value| !value.is_empty()), "{white}: {tag}");
        }
    }
    let mates = games.iter().filter(|read| played(read).ending().is_some()).count();
    let draws = games.iter().filter(|read| read.outcome == Some(Outcome::Draw)).count();
    assert_eq!((mates, draws), (5, 1));
}

#[test]
fn moments_that_made_the_games_famous_stand_where_they_should() {
    let games = games();
    // Game, ply, move: the mates of Anderssen, Morphy and Edward Lasker, Alekhine's first new queen,
    // Nimzowitsch's 25... h6, Capablanca's 35. Kg3, Fischer's 17... Be6, Tal's 13... O-O-O, Fischer's
    // 14. Bb5, Kasparov's 24. Rxd4, Karjakin's 15... axb3 en passant, Carlsen's 50. Qh6+.
    let moments = [
        (1, 45, "Be7#"),
        (2, 47, "Bxe7#"),
        (3, 33, "Rd8#"),
        (4, 35, "Kd2#"),
        (5, 66, "c1=Q+"),
        (6, 50, "h6"),
        (7, 69, "Kg3"),
        (8, 34, "Be6"),
        (9, 26, "O-O-O"),
        (10, 27, "Bb5"),
        (11, 47, "Rxd4"),
        (12, 30, "axb3"),
        (12, 99, "Qh6+"),
    ];
    for (number, ply, expected) in moments {
        let read: &ReadGame = &games[number - 1];
        let mut before = Game::new(read.start.clone());
        for earlier in &read.moves[..ply - 1] {
            before.play(earlier.m);
        }
        let m = read.moves[ply - 1].m;
        assert_eq!(san(before.position(), m), expected, "game {number}, ply {ply}");
        assert_eq!(m.is_en_passant(), expected == "axb3");
    }
}

#[test]
fn six_hundred_and_two_positions_are_distinct_and_those_of_their_games() {
    let games = games();
    let positions = reference();
    assert_eq!(positions.len(), 602);
    assert_eq!(repeated_openings(&positions), []);
    let mut last = (0, 0);
    for position in &positions {
        let place = place(position.name.as_deref().unwrap());
        assert!(place > last, "line {}: not in the order of the games", position.line);
        last = place;
        let mut game = Game::new(StartPosition::standard());
        for ply in &games[place.0 - 1].moves[..place.1] {
            game.play(ply.m);
        }
        assert_eq!(position.start.fen(), fen(game.position()), "line {}", position.line);
    }
    let numbers: BTreeSet<usize> =
        positions.iter().map(|position| place(position.name.as_deref().unwrap()).0).collect();
    assert!(numbers.into_iter().eq(1..=12));
}

#[test]
fn the_committed_line_is_the_position_that_is_read() {
    let text = fs::read_to_string(positions("reference/positions.epd")).unwrap();
    for (line, position) in text.lines().zip(reference()) {
        let fields: Vec<&str> = line.split([' ', ';']).filter(|field| !field.is_empty()).collect();
        let [board, turn, castling, en_passant, "hmvc", halfmoves, "fmvn", fullmoves, ..] = fields[..] else {
            panic!("{line}");
        };
        let written = [board, turn, castling, en_passant, halfmoves, fullmoves].join(" ");
        assert_eq!(position.start.fen(), written);
    }
}

#[test]
fn edges_are_legal_distinct_and_not_over() {
    let edges = edges();
    let text = fs::read_to_string(positions("edges.epd")).unwrap();
    assert!(edges.len() >= 60, "{} positions", edges.len());
    assert_eq!(text.lines().count(), edges.len());
    assert_eq!(repeated_openings(&edges), []);
    let both: Vec<Opening> = reference().into_iter().chain(edges).collect();
    assert_eq!(repeated_openings(&both), []);
}

#[test]
fn an_edge_with_an_en_passant_square_of_no_use_loses_it() {
    let text = fs::read_to_string(positions("edges.epd")).unwrap();
    let mut pinned = 0;
    for (line, edge) in text.lines().zip(edges()) {
        let named = line.split(' ').nth(3) != Some("-");
        let read = edge.start.fen();
        let kept = read.split(' ').nth(3) != Some("-");
        assert_eq!(kept, named && !line.contains("en-passant-pinned"), "{line}");
        pinned += usize::from(named && !kept);
    }
    assert_eq!(pinned, 3);
}
