//! `elometer book`: a player's book, and what is kept out of it.

use elometer::chess::{Book, Chess, Position as _, parse_engine_move};

use super::session::Session;
use super::support::Lab;

fn game(white: &str, black: &str, moves: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"*\"]\n\n{moves} *\n\n")
}

/// Four games of one player, in three of which the queen is given away on the third move.
fn blunders() -> String {
    let lost = "1. e4 e5 2. Qh5 Nc6 3. Qxe5+ Nxe5 4. Nf3";
    let sound = "1. e4 e5 2. Qh5 Nc6 3. Bc4 g6 4. Qf3";
    let mut text: String = ["a", "b", "c"].iter().map(|black| game("Bold, B.", black, lost)).collect();
    text += &game("Bold, B.", "d", sound);
    text + &game("e", "Bold, B.", sound)
}

#[test]
fn a_blunder_played_often_is_left_out_and_listed() {
    let lab = Lab::new();
    lab.write("games.pgn", &blunders());
    let position = "r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq -";
    for judge in [&["--depth", "2"][..], &["--contract", "builtin:classic", "--depth", "2"]] {
        let arguments = ["book", "games.pgn", "--player", "bold, b.", "--min-plays", "1"];
        let ran = lab.run_to(0, &[&arguments[..], judge].concat());
        let left_out = format!("left out {position} | h5e5 3 | drop ");
        assert_eq!(ran.stdout.matches("left out ").count(), 1, "{}", ran.stdout);
        assert!(ran.stdout.contains(&left_out), "{}", ran.stdout);
        assert!(
            ran.stderr.contains(&format!("warning: left out: {position} | h5e5 3 | drop ")),
            "{}",
            ran.stderr
        );
        let book = Book::parse(&ran.stdout, "stdout").unwrap();
        let mut position = Chess::default();
        let mut found = Vec::new();
        for text in ["e2e4", "e7e5", "d1h5", "b8c6"] {
            found.push(book.moves(&position));
            position.play_unchecked(parse_engine_move(&position, text).unwrap().0);
        }
        // As White: four times 1. e4 and 2. Qh5; as Black, once, too seldom.
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0, 1, 0]);
        assert_eq!(found[0][0].1, 4);
        let developing = parse_engine_move(&position, "f1c4").unwrap().0;
        assert_eq!(book.moves(&position), [(developing, 1)]);
    }
    let ran = lab.run_to(0, &["book", "games.pgn", "--player", "e", "--min-visits", "1", "--min-plays", "1"]);
    assert!(
        ran.stdout.contains("# contract elometer fallible ") && ran.stdout.contains(", depth 4, rule 300\n")
    );
    // With a rule that nothing breaks the blunder is in.
    let ran = lab.run_to(0, &["book", "games.pgn", "--player", "Bold, B.", "--rule", "5000"]);
    assert!(ran.stdout.contains(&format!("{position} | h5e5 3\n")), "{}", ran.stdout);
}

#[test]
fn a_book_of_real_games_is_the_same_bytes_in_any_order_and_the_engine_plays_it() {
    let lab = Lab::new();
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/positions/reference/games.pgn");
    let text = std::fs::read_to_string(games).unwrap();
    let parts: Vec<&str> = text.split("[Event ").skip(1).collect();
    let reversed: String = parts.iter().rev().map(|part| format!("[Event {part}\n\n")).collect();
    lab.write("reversed.pgn", &reversed);
    let make = |games: &str, out: &str| {
        let thresholds = ["--min-visits", "1", "--min-plays", "1", "--plies", "10"];
        let named = ["book", games, "--player", "Fischer, Robert James", "--depth", "2", "--out", out];
        lab.run_to(0, &[&named[..], &thresholds].concat());
        lab.read(out)
    };
    let book = make(games, "book.txt");
    assert_eq!(make("reversed.pgn", "again.txt"), book);
    let read = Book::parse(&book, "book").unwrap();
    assert!(read.position_count() >= 10, "{book}");

    let mut session = Session::start("fallible");
    session.send(&format!("setoption name BookFile value {}", lab.path("book.txt").display()));
    session.send("position startpos");
    let lines = session.ask("go depth 1", "bestmove");
    assert!(lines[0].starts_with("info string played ") && lines[0].contains(" by book "), "{lines:?}");
    session.end();
}

#[test]
fn the_white_half_can_be_kept_to_one_first_move() {
    let lab = Lab::new();
    let queens = game("A", "B", "1. d4 d5 2. c4 e6");
    let kings = game("A", "B", "1. e4 e5 2. Nf3 Nc6");
    let black = game("B", "A", "1. e4 c5 2. Nf3 d6");
    lab.write("games.pgn", &[queens, kings, black].concat());
    let arguments =
        ["book", "games.pgn", "--player", "A", "--min-visits", "1", "--min-plays", "1", "--depth", "1"];
    let whole = lab.run_to(0, &arguments).stdout;
    assert!(whole.contains("w KQkq - | d2d4 1 | e2e4 1\n"), "{whole}");
    for first in ["d4", "d2d4"] {
        let ran = lab.run_to(0, &[&arguments[..], &["--white-first", first]].concat());
        assert!(ran.stdout.contains("w KQkq - | d2d4 1\n") && !ran.stdout.contains("g1f3"), "{}", ran.stdout);
        assert!(ran.stdout.contains("c7c5 1"), "the other half stays: {}", ran.stdout);
        assert!(ran.stderr.contains("1 game with White not begun d2d4 left out"), "{}", ran.stderr);
    }
    let refused = lab.run_to(2, &[&arguments[..], &["--white-first", "d5"]].concat());
    assert!(refused.stderr.contains("`d5`") && refused.stderr.contains("hint:"), "{}", refused.stderr);
}

#[test]
fn what_makes_no_book_is_said_with_what_would() {
    let lab = Lab::new();
    lab.write("games.pgn", &blunders());
    let nobody = lab.run_to(3, &["book", "games.pgn", "--player", "Nobody"]);
    assert!(nobody.stderr.contains("`Nobody`") && nobody.stderr.contains("`Bold, B.`"), "{}", nobody.stderr);
    let seldom = lab.run_to(6, &["book", "games.pgn", "--player", "Bold, B.", "--min-visits", "9"]);
    assert!(seldom.stderr.contains("9 times") && seldom.stderr.contains("hint:"), "{}", seldom.stderr);
    let missing = lab.run_to(3, &["book", "none.pgn", "--player", "Nobody"]);
    assert!(missing.stderr.contains("none.pgn") && missing.stderr.contains("hint:"), "{}", missing.stderr);
    let judge = ["book", "games.pgn", "--player", "Bold, B.", "--contract", "builtin:none"];
    assert!(lab.run_to(4, &judge).stderr.contains("hint:"));
    let option = ["book", "games.pgn", "--player", "Bold, B.", "--option", "Contempt=3"];
    assert!(lab.run_to(3, &option).stderr.contains("Contempt"));

    lab.write("broken.pgn", &(blunders() + &game("Bold, B.", "f", "1. e4 e5 2. Ke3")));
    let ran = lab.run_to(0, &["book", "broken.pgn", "--player", "Bold, B.", "--depth", "1"]);
    assert!(ran.stderr.contains("game 6 is left out: ply 3"), "{}", ran.stderr);
    assert!(ran.stdout.contains("# games 4 with White, 1 with Black"), "{}", ran.stdout);
}
