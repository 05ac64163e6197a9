//! PGN against other programs: what elometer writes, pgn-extract accepts; what elometer reads,
//! the pgn-reader library reads alike.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};

use elometer::chess::pgn::{PgnGame, PgnMove, PgnOptions, PgnReader, write_pgn};
use elometer::chess::{Game, Outcome, Position as _, StartPosition, san, uci};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};

/// Runs pgn-extract over `pgn` and returns its stdout and stderr.
fn pgn_extract(pgn: &str, arguments: &[&str]) -> (String, String) {
    let program = ["/usr/games/pgn-extract", "/usr/bin/pgn-extract", "/usr/local/bin/pgn-extract"]
        .into_iter()
        .find(|path| Path::new(path).exists())
        .unwrap_or("pgn-extract");
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("pgn-extract does not start: {error}; install it to run this test"));
    child.stdin.take().unwrap().write_all(pgn.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// A game of `plies` moves in which each next move is drawn by a small generator from those legal.
fn drawn_game(start: StartPosition, seed: u64, plies: usize) -> PgnGame {
    let mut game = Game::new(start.clone());
    let mut state = seed;
    while game.ending().is_none() && game.moves().len() < plies {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let legal = game.position().legal_moves();
        let pick = usize::try_from(state >> 33).unwrap() % legal.len();
        game.play(legal[pick]);
    }
    let result = game.ending().map(|ending| game.outcome(ending));
    let comment = |ply: usize| match ply % 4 {
        0 => Some(format!("+0.{ply:02}/12 {} n", 1000 * ply)),
        1 => Some("book {odd} 100 % } [%emt 0.1]".to_owned()),
        _ => None,
    };
    let moves =
        game.moves().iter().enumerate().map(|(ply, m)| PgnMove { m: *m, comment: comment(ply) }).collect();
    let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    PgnGame {
        tags: vec![
            tag("Event", "A \"test\" of C:\\engines"),
            tag("Site", "?"),
            tag("Date", "2024.01.31"),
            tag("Round", &format!("{seed}.1")),
            tag("White", "classic"),
            tag("Black", "Stockfish 15.1 (1600)"),
            tag("Result", "*"),
            tag("PlyCount", &game.moves().len().to_string()),
        ],
        start,
        moves,
        result,
        end_comment: result.map(|_| "ended by the rules".to_owned()),
    }
}

const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/2Pp4/8/PP1PPPPP/RNBQKBNR b KQkq c3 0 3",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 7 31",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

fn drawn_games() -> Vec<PgnGame> {
    (0..60)
        .map(|seed: u64| {
            let fen = STARTS[usize::try_from(seed).unwrap() % STARTS.len()];
            drawn_game(StartPosition::from_fen(fen).unwrap(), seed, 160)
        })
        .collect()
}

fn written(games: &[PgnGame]) -> String {
    let mut bytes = Vec::new();
    for game in games {
        write_pgn(&mut bytes, game).unwrap();
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn pgn_extract_accepts_what_is_written() {
    let games = drawn_games();
    let text = written(&games);
    let (rewritten, complaints) = pgn_extract(&text, &["-s", "-C", "-Wuci"]);
    assert_eq!(complaints, "");
    assert_eq!(rewritten.matches("[Event ").count(), games.len());

    // It must have seen the same moves, not only no error: it writes them out again as UCI.
    let rewritten = rewritten.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
    for game in games.iter().filter(|game| game.start.is_standard()) {
        let mode = game.start.castling_mode();
        let moves: Vec<String> = game.moves.iter().map(|written| uci(written.m, mode)).collect();
        assert!(rewritten.contains(&moves.join(" ")), "not found: {}", moves.join(" "));
    }
}

#[test]
fn what_is_written_is_read_back_move_by_move() {
    let games = drawn_games();
    let text = written(&games);
    let back: Vec<_> = PgnReader::new(text.as_bytes(), "written", PgnOptions::default())
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(back.len(), games.len());
    for (read, game) in back.iter().zip(&games) {
        assert_eq!(read.fault, None);
        assert_eq!((&read.start, read.outcome), (&game.start, game.result));
        assert_eq!(read.tag("Event"), Some("A \"test\" of C:\\engines"));
        assert!(read.moves.iter().map(|read| read.m).eq(game.moves.iter().map(|written| written.m)));
    }
    assert!(back.iter().any(|game| game.outcome == Some(Outcome::Draw)));
}

/// What the library sees of a game: tags and moves as text, comments left out.
struct Seen;

impl Visitor for Seen {
    type Tags = Vec<String>;
    type Movetext = Vec<String>;
    type Output = Vec<String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Vec<String>, name: &[u8], value: RawTag<'_>) -> ControlFlow<Vec<String>> {
        tags.push(format!("{}={}", str::from_utf8(name).unwrap(), value.decode_utf8_lossy()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Vec<String>) -> ControlFlow<Vec<String>, Vec<String>> {
        ControlFlow::Continue(tags)
    }

    fn san(&mut self, seen: &mut Vec<String>, san: SanPlus) -> ControlFlow<Vec<String>> {
        seen.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, seen: Vec<String>) -> Vec<String> {
        seen
    }
}

/// The library is the reference where it is sound. It drops words it cannot read, so that
/// `1. e4 xx 2. e5` becomes a good game of two moves: that is why it is not the reader here.
#[test]
fn the_pgn_reader_library_reads_the_same() {
    let text = written(&drawn_games());
    let mut library = Reader::new(text.as_bytes());
    let mut own = PgnReader::new(text.as_bytes(), "written", PgnOptions::default()).unwrap();
    let mut games = 0;
    while let Some(expected) = library.read_game(&mut Seen).unwrap() {
        let game = own.next_game().unwrap().unwrap();
        let mut seen: Vec<String> = game.tags.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut position = game.start.position().clone();
        for read in &game.moves {
            seen.push(san(&position, read.m));
            position.play_unchecked(read.m);
        }
        assert_eq!(seen, expected);
        games += 1;
    }
    assert_eq!(games, 60);
    assert!(own.next_game().unwrap().is_none());

    let dropped = Reader::new(b"1. e4 xx 2. e5 *".as_slice()).read_game(&mut Seen).unwrap().unwrap();
    assert_eq!(dropped, ["e4", "e5"]);
}
