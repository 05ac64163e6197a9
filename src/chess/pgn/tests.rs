use std::io::Write as _;

use super::{PgnGame, PgnMove, PgnOptions, PgnReader, ReadGame, write_pgn};
use crate::chess::game::Outcome;
use crate::chess::position::{Chess, Position as _, StartPosition, parse_engine_move, uci};

fn read_with(bytes: &[u8], options: PgnOptions) -> Vec<ReadGame> {
    PgnReader::new(bytes, "test", options).unwrap().map(Result::unwrap).collect()
}

fn read(text: &str) -> Vec<ReadGame> {
    read_with(text.as_bytes(), PgnOptions::default())
}

fn moves(game: &ReadGame) -> String {
    let mode = game.start.castling_mode();
    game.moves.iter().map(|read| uci(read.m, mode)).collect::<Vec<_>>().join(" ")
}

fn game(start: StartPosition, line: &str) -> PgnGame {
    let mut position: Chess = start.position().clone();
    let moves = line
        .split_whitespace()
        .map(|text| {
            let (m, _) = parse_engine_move(&position, text).unwrap();
            position.play_unchecked(m);
            PgnMove { m, comment: None }
        })
        .collect();
    PgnGame { tags: Vec::new(), start, moves, result: None, end_comment: None }
}

fn written(game: &PgnGame) -> String {
    let mut bytes = Vec::new();
    write_pgn(&mut bytes, game).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_game_is_written_in_export_format() {
    let mut game = game(StartPosition::standard(), "e2e4 e7e5 g1f3 b8c6");
    game.tags = vec![("Event".into(), "A \"quoted\" \\ cup\n".into()), ("Result".into(), "*".into())];
    game.result = Some(Outcome::Draw);
    game.moves[0].comment = Some("+0.30/12 {a} b}".into());
    game.moves[3].comment = Some("last".into());
    game.end_comment = Some("agreed".into());
    assert_eq!(
        written(&game),
        "[Event \"A \\\"quoted\\\" \\\\ cup\"]\n[Result \"1/2-1/2\"]\n\n\
         1. e4 {+0.30/12 (a) b)} 1... e5 2. Nf3 Nc6 {last} {agreed} 1/2-1/2\n\n"
    );
}

#[test]
fn a_start_with_black_to_move_is_tagged_and_numbered() {
    let fen = "4k3/p7/8/8/8/8/P7/4K3 b - - 3 12";
    let text = written(&game(StartPosition::from_fen(fen).unwrap(), "a7a5 a2a4 e8e7"));
    assert_eq!(text, format!("[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n12... a5 13. a4 Ke7 *\n\n"));
}

#[test]
fn movetext_is_wrapped_below_eighty_columns_and_no_line_begins_with_an_escape() {
    let mut game = game(StartPosition::standard(), &"g1f3 g8f6 f3g1 f6g8 ".repeat(30));
    for (index, PgnMove { comment, .. }) in game.moves.iter_mut().enumerate() {
        *comment = (index % 3 == 0).then(|| "%full 12 %half [%eval 0.2] word".to_owned());
    }
    let text = written(&game);
    let movetext = text.split("\n\n").nth(1).unwrap();
    assert!(movetext.lines().all(|line| !line.starts_with(['%', '['])), "{movetext}");
    assert!(movetext.lines().all(|line| line.len() < 80), "{movetext}");
    assert!(movetext.lines().any(|line| line.len() > 70), "{movetext}");
    assert_eq!(read(&text)[0].moves.len(), 120);
}

#[test]
fn a_move_that_is_not_legal_is_not_written() {
    let mut broken = game(StartPosition::standard(), "e2e4");
    broken.moves.push(broken.moves[0].clone());
    let mut bytes = Vec::new();
    assert!(write_pgn(&mut bytes, &broken).unwrap_err().to_string().contains("move 2"));
    assert!(bytes.is_empty());
}

#[test]
fn what_is_written_is_read_back() {
    let fen = "rnbqkbnr/ppp1pppp/8/8/2Pp4/8/PP1PPPPP/RNBQKBNR b KQkq c3 0 3";
    let start = StartPosition::from_fen(fen).unwrap();
    let mut game = game(start, "d4c3 b2c3 e7e5 g1f3 f8d6");
    game.tags = vec![("White".into(), "Ströbeck \"A\"".into())];
    game.result = Some(Outcome::White);
    game.moves[1].comment = Some("taken".into());
    let back = read(&written(&game)).remove(0);
    assert_eq!(back.tag("White"), Some("Ströbeck \"A\""));
    assert_eq!(
        (back.start.clone(), back.outcome, back.fault.clone()),
        (game.start.clone(), game.result, None)
    );
    assert_eq!(back.moves[1].comment.as_deref(), Some("taken"));
    assert_eq!(moves(&back), "d4c3 b2c3 e7e5 g1f3 f8d6");
}

#[test]
fn moves_are_read_as_people_write_them() {
    let text = "1.e4! e5 2. Ng1-f3 Nb8c6 *\n\n1.e4 d5 2.ed5 e6 3.dxe6 Bd6?? 4.exf7+! Ke7 5.fxg8Q Kd7 6.Nf3 $14 += \
                Nc6 7.Be2 b6 8.0-0 a6 9.Rf1e1 a5 10.g2g3 *";
    let games = read(text);
    assert_eq!(moves(&games[0]), "e2e4 e7e5 g1f3 b8c6");
    assert_eq!(games[1].fault, None);
    assert_eq!(
        moves(&games[1]),
        "e2e4 d7d5 e4d5 e7e6 d5e6 f8d6 e6f7 e8e7 f7g8q e7d7 g1f3 b8c6 f1e2 b7b6 e1g1 a7a6 f1e1 a6a5 g2g3"
    );
}

#[test]
fn a_broken_game_keeps_the_moves_before_its_fault() {
    let games = read(
        "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 xx 2. e5 1-0\n\n\
         [Event \"b\"]\n\n1. d4 d5 2. Ke3 Nf6 0-1\n\n[Event \"c\"]\n\n1. d4 -- 2. c4 *\n\n\
         [Event \"d\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. d4 *\n\n[Event \"e\"]\n\n1. c4 *\n\n\
         [Event \"f\"]\n[Variant \"Atomic\"]\n\n1. Nf3 *\n\n[Event \"g\"]\n[Result \"1-0\"]\n\n1. b3 0-1",
    );
    let seen: Vec<(usize, Option<&str>)> =
        games.iter().map(|game| (game.moves.len(), game.fault.as_deref())).collect();
    assert_eq!(
        seen,
        [
            (1, Some("ply 2: `xx` is no move in algebraic notation")),
            (2, Some("ply 3: `Ke3` is not legal here")),
            (1, Some("ply 2: `--` is a null move, expected a move")),
            (0, games[3].fault.as_deref()),
            (1, None),
            (0, Some("the variant is `Atomic`, expected chess or Chess960")),
            (1, Some("the `Result` tag says 1-0, the end of the moves says 0-1")),
        ]
    );
    assert!(games[3].fault.as_deref().unwrap().starts_with("the `FEN` tag: `8/8"));
    assert_eq!(games.iter().map(|game| game.line).collect::<Vec<_>>(), [1, 6, 10, 14, 19, 23, 28]);
}

#[test]
fn a_pawn_that_captures_names_its_file() {
    let games = read("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O b5 *\n\n[Event \"b\"]\n\n1. e4 d5 2. ed5 Qd5 *");
    assert_eq!(games[0].fault.as_deref(), Some("ply 8: `b5` is not legal here"));
    assert_eq!((moves(&games[1]).as_str(), &games[1].fault), ("e2e4 d7d5 e4d5 d8d5", &None));
}

#[test]
fn comments_variations_and_escapes_are_told_apart() {
    let text = "{ about the file }\n[Event \"a\"]\n[Annotator \"x\"]\n\n{before} 1. e4 {one\n[%clk 1:00]} {two} \
                (1. d4 (1. c4 {)} d5) {no}) e5 ; to the end (of the line\n% 2. Nc3 out\n2. Nf3 *\n{after}\n\n\
                [Event \"b\"]\n\n1. d4 {never closed\n\n[Event \"c\"]\n\n1. c4 *";
    let games = read(text);
    assert_eq!(games.len(), 3);
    assert_eq!(moves(&games[0]), "e2e4 e7e5 g1f3");
    assert_eq!(games[0].start_comment.as_deref(), Some("before"));
    assert_eq!(games[0].moves[0].comment.as_deref(), Some("one [%clk 1:00] two"));
    assert_eq!(games[0].moves[1].comment.as_deref(), Some("to the end (of the line"));
    assert_eq!(games[1].fault.as_deref(), Some("the comment opened on line 13 is never closed"));
    assert_eq!((moves(&games[2]), games[2].fault.as_deref()), ("c2c4".to_owned(), None));
}

#[test]
fn files_come_with_marks_carriage_returns_latin_1_and_gzip() {
    let plain = b"\xef\xbb\xbf[White \"M\xfcller\"]\r\n[Black \"A \"odd\" one\"]\r\n[Result \"1/2-1/2\"]\r\n\r\n1. e4\r\ne5 1/2-1/2\r\n";
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(plain).unwrap();
    let packed = encoder.finish().unwrap();
    for bytes in [plain.as_slice(), &packed] {
        let games = read_with(bytes, PgnOptions::default());
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].tag("White"), Some("Müller"));
        assert_eq!(games[0].tag("Black"), Some("A \"odd\" one"));
        assert_eq!((moves(&games[0]), games[0].outcome), ("e2e4 e7e5".to_owned(), Some(Outcome::Draw)));
    }
    assert!(
        PgnReader::new(&packed[..30], "cut", PgnOptions::default()).and_then(|mut r| r.next_game()).is_err()
    );
}

#[test]
fn games_may_be_nothing_but_tags() {
    let games =
        read("[White \"a\"]\n[Result \"1-0\"]\n\n[White \"b\"]\n[Result \"0-1\"]\n\n1-0 [White \"c\"]\n");
    assert_eq!(games.len(), 3);
    assert_eq!(games[1].outcome, Some(Outcome::Black));
    assert_eq!(games[2].tag("White"), Some("c"));
    assert!(read("").is_empty());
    assert!(read("\n% nothing\n\n").is_empty());
}

#[test]
fn no_more_is_kept_than_was_asked_for() {
    let text = "[White \"a\"]\n[Site \"s\"]\n[Result \"1-0\"]\n\n1. e4 {x} e5 2. Zz9 {y} (z) 1-0\n[White \"b\"]\n*\n";
    let games = read_with(text.as_bytes(), PgnOptions::tags_only(&["White", "Result"], 1));
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].tags, [("White".into(), "a".into()), ("Result".into(), "1-0".into())]);
    assert_eq!((moves(&games[0]), games[0].moves[0].comment.clone()), ("e2e4".to_owned(), None));
    assert_eq!(games[0].fault, None);
}

#[test]
fn any_bytes_are_survived() {
    let seed = b"[Event \"x\"]\n\n1. e4 {a} (1. d4) e5 $1 ; c\n%\n2. O-O 0-0-0 e8=Q+ 1/2-1/2 \xbd\x1f\x8b";
    for cut in 0..seed.len() {
        for byte in [0, b'"', b'{', b'}', b'(', b'[', b'\n', 0xff] {
            let mut bytes = seed.to_vec();
            bytes[cut] = byte;
            bytes.rotate_left(cut);
            let _ = read_with(&bytes, PgnOptions::default());
        }
    }
}

#[test]
fn zstd_is_read_frame_by_frame_and_a_cut_is_an_error() {
    let game =
        |white: &str| format!("[White \"{white}\"]\n[Black \"B\"]\n\n{}1-0\n\n", "1. e4 e5 ".repeat(40));
    let frame = |text: &str| {
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        ruzstd::encoding::compress_to_vec(text.as_bytes(), level)
    };
    // Parallel packers write frames to be skipped before and between the others.
    let skipped = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
    let packed = [&skipped[..], &frame(&game("A")), &skipped, &frame(&game("C"))].concat();
    let names = |bytes: &[u8]| -> Result<Vec<Vec<u8>>, super::PgnError> {
        let mut scanner = super::PgnScanner::new(bytes, "packed")?;
        let mut names = Vec::new();
        while let Some(game) = scanner.next_game()? {
            names.push(game.white.clone());
        }
        Ok(names)
    };
    assert_eq!(names(&packed).unwrap(), [b"A", b"C"]);
    assert!(names(&packed[..packed.len() - 9]).is_err());
    assert!(names(&packed[..5]).is_err());
}

#[test]
fn tags_are_read_alike_wherever_the_buffer_ends() {
    let text: String = (0..9000)
        .map(|n| {
            format!(
                "[Event \"{}\"]\r\n[White \"a\\\"{n}\"] [Black \"b\"]\n[Round \"{n}.1\"]\n[Site \"x\n\n1. e4 1-0\n\n",
                "e".repeat(n % 37)
            )
        })
        .collect();
    let mut scanner = super::PgnScanner::new(text.as_bytes(), "long").unwrap();
    let mut games = 0;
    while let Some(game) = scanner.next_game().unwrap() {
        assert_eq!((game.number, game.line), (games + 1, 7 * games + 1));
        assert_eq!(super::tag_text(&game.white), format!("a\"{games}"));
        assert_eq!((game.black.as_slice(), &game.fault), (&b"b"[..], &None));
        assert_eq!(game.round, format!("{games}.1").as_bytes());
        games += 1;
    }
    assert_eq!(games, 9000);
}

/// Gives one byte at a time, so that no line is whole in the buffer when it is looked at.
struct Trickle<'a>(&'a [u8]);

impl std::io::Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let end = buffer.len().min(1);
        std::io::Read::read(&mut self.0, &mut buffer[..end])
    }
}

fn scanned(reader: impl std::io::Read) -> Vec<String> {
    let mut scanner = super::PgnScanner::new(reader, "test").unwrap();
    let mut games = Vec::new();
    while let Some(game) = scanner.next_game().unwrap() {
        games.push(format!("{game:?}"));
    }
    games
}

#[test]
fn lines_seen_whole_and_lines_that_trickle_in_are_the_same_games() {
    let names = [
        "White",
        "WhiteElo",
        "BlackElo",
        "Round",
        "Result",
        "Timetable",
        "A_9",
        "Wh-ite",
        "W\u{e9}",
        "",
        "Black ",
    ];
    let values = [
        "1-0",
        "a",
        "",
        "a b",
        "exactly8",
        "nine char",
        "a\\\"b",
        "a\\\\",
        "a\"b",
        "x]",
        " \u{e9} ",
        "1\"] [Black \"b",
    ];
    let ends = ["\"]\n", "\"]\r\n", "\"] \n", "\n", "\" ]\n", "\"] ; a\n", "\"]\n\n1. e4 1-0\n\n"];
    let mut text = String::new();
    for (number, name) in names.iter().cycle().take(names.len() * values.len() * ends.len()).enumerate() {
        let (value, end) = (values[number % values.len()], ends[number % ends.len()]);
        text.push_str(&format!("[{name} \"{value}{end}"));
    }
    let whole = scanned(text.as_bytes());
    assert!(whole.len() > 50, "{}", whole.len());
    assert_eq!(whole, scanned(Trickle(text.as_bytes())));
}

#[test]
fn a_name_is_told_from_what_is_none_eight_bytes_at_once() {
    for byte in 0..=255_u8 {
        for place in 0..8 {
            let mut bytes = *b"Whi_e9Az";
            bytes[place] = byte;
            let word = super::bytes::word_of(&bytes).unwrap();
            let is_name = super::bytes::is(byte, super::bytes::NAME);
            assert_eq!(super::bytes::is_name(word, 8), is_name, "{byte} at {place}");
            assert!(super::bytes::is_name(word, place), "{byte} after {place}");
            let found = super::bytes::first_marked(super::bytes::first_equal(word, byte));
            assert_eq!(bytes.iter().position(|one| *one == byte), Some(found), "{byte} at {place}");
        }
    }
    let word = super::bytes::word_of(b"WhiteElo").unwrap();
    assert_eq!(super::bytes::first_marked(super::bytes::first_equal(word, b' ')), 8);
    assert_eq!(super::tags::name_key(b"WhiteElo"), word);
    assert_eq!(super::tags::name_key(b"White"), super::bytes::lowest(word, 5));
    assert_eq!(super::tags::name_key(b"Timetable"), 0);
}
