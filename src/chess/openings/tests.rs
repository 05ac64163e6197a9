use std::io::Write as _;

use super::{Opening, OpeningsError, parse_openings, parse_positions, repeated_openings};
use crate::chess::position::{CastlingMode, fen};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

fn parse(text: &str) -> Result<Vec<Opening>, OpeningsError> {
    parse_openings(text.as_bytes(), "set.epd", None)
}

fn fens(text: &str) -> Vec<String> {
    parse(text).unwrap().iter().map(|opening| fen(&opening.position())).collect()
}

fn message(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

#[test]
fn epd_operations_give_counters_and_names() {
    let text = format!(
        "{START} hmvc 3; fmvn 12; eco \"A00\"; id \"a; b\"; bm e4 d4; c0 \"note\";\n{START} c0 \"only\""
    );
    let openings = parse(&text).unwrap();
    assert_eq!(openings[0].start.fen(), format!("{START} 3 12"));
    assert_eq!((openings[0].eco.as_deref(), openings[0].name.as_deref()), (Some("A00"), Some("a; b")));
    assert_eq!((openings[1].eco.as_deref(), openings[1].name.as_deref()), (None, Some("only")));
    assert_eq!(openings[1].line, 2);
}

#[test]
fn fens_and_epds_in_every_usual_shape_are_the_same_position() {
    let text = format!(
        "\u{feff}# a comment\r\n\r\n{START} 0 1\r\n{START};\r\n{START} 0 1;\r\n  {START} 0\r\n{START} 0 1 id \"x\";\r\n;\r\n{START}"
    );
    assert_eq!(fens(&text), vec![format!("{START} 0 1"); 6]);
}

#[test]
fn gzip_and_latin_1_are_read() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(format!("{START} id \"Gr").as_bytes()).unwrap();
    encoder.write_all(b"\xfcnfeld\";\n").unwrap();
    let openings = parse_openings(&encoder.finish().unwrap(), "set.gz", None).unwrap();
    assert_eq!(openings[0].name.as_deref(), Some("Grünfeld"));
}

#[test]
fn an_en_passant_square_stays_only_where_the_capture_is_legal() {
    assert_eq!(
        fens(
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3\n\
             rnbqkbnr/ppp1pppp/8/8/2Pp4/8/PP1PPPPP/RNBQKBNR b KQkq c3"
        ),
        [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/2Pp4/8/PP1PPPPP/RNBQKBNR b KQkq c3 0 1"
        ]
    );
}

#[test]
fn chess960_starts_are_read_in_both_notations() {
    for rights in ["KQkq", "HFhf"] {
        let text = format!("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w {rights} - 2 9");
        let openings = parse(&text).unwrap();
        assert_eq!(openings[0].start.castling_mode(), CastlingMode::Chess960);
    }
}

#[test]
fn an_illegal_position_is_named_by_file_line_and_reason() {
    let cases = [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "castling"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1", "ep square"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", "3 fields"),
        ("rnbqkbnr/pppppppp/8/8/8/9/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc x;", "hmvc"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"open;", "quotation"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "check"),
    ];
    for (line, reason) in cases {
        let text = message(&format!("{START}\n\n{line}\n"));
        assert!(
            text.starts_with(&format!("set.epd:3: found `{line}`, expected a legal position: ")),
            "{text}"
        );
        assert!(text.to_lowercase().contains(reason), "{reason} is not in: {text}");
        assert!(text.contains("\nhint: "), "{text}");
    }
}

#[test]
fn a_position_without_a_game_left_in_it_is_refused() {
    let cases = [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("4k3/8/8/8/8/8/8/3NK3 w - - 0 1", "insufficient material"),
        ("4k3/8/8/8/8/8/8/3RK3 w - - 100 90", "fifty moves"),
    ];
    for (line, ending) in cases {
        let text = message(line);
        assert!(text.contains(&format!("already over in `{line}` ({ending})")), "{text}");
    }
}

#[test]
fn a_file_without_openings_is_refused() {
    assert!(matches!(parse(""), Err(OpeningsError::Empty { .. })));
    assert!(matches!(parse("# nothing\n\n"), Err(OpeningsError::Empty { .. })));
    assert!(matches!(parse("{ nothing }\n"), Err(OpeningsError::Empty { .. })));
    assert!(message("moves,score\n").starts_with("set.epd:1: found `moves,score`, expected a position"));
    assert!(matches!(parse(&"x".repeat(1 << 25)), Err(OpeningsError::LineTooLong { line: 1, .. })));
}

#[test]
fn a_pgn_book_gives_the_moves_of_each_game() {
    let book = "[ECO \"C20\"]\n[Opening \"King's Pawn\"]\n[Variation \"Main\"]\n\n1. e4 e5 2. Nf3 *\n\n\
                [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n*\n";
    let openings = parse(book).unwrap();
    assert_eq!(openings[0].name.as_deref(), Some("King's Pawn: Main"));
    assert_eq!(openings[0].eco.as_deref(), Some("C20"));
    assert!(openings[0].start.is_standard());
    assert_eq!(openings[0].moves.len(), 3);
    assert_eq!(fen(&openings[1].position()), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let short = parse_openings(book.as_bytes(), "book.pgn", Some(2)).unwrap();
    assert_eq!(short[0].moves.len(), 2);
}

#[test]
fn a_broken_game_of_a_book_is_refused_unless_it_breaks_after_what_is_used() {
    let book = "1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Ke3 *\n";
    let read = |plies| parse_openings(book.as_bytes(), "book.pgn", plies);
    assert!(matches!(read(None), Err(OpeningsError::GameOver { line: 1, .. })));
    let text = read(Some(3)).unwrap_err().to_string();
    assert!(
        text.starts_with("book.pgn:3: game 2 of the book: ply 3: `Ke3` is not legal here\nhint: "),
        "{text}"
    );
    assert_eq!(read(Some(2)).unwrap().len(), 2);
}

#[test]
fn transpositions_are_listed_as_repeated() {
    let book = "1. d4 Nf6 2. c4 *\n\n1. e4 *\n\n1. c4 Nf6 2. d4 *\n\n1. d4 Nf6 2. c4 e6 *\n";
    let openings = parse(book).unwrap();
    assert_eq!(repeated_openings(&openings), [(0, 2)]);
}

#[test]
fn a_position_to_ask_about_needs_a_legal_move_and_no_more() {
    let drawn = "8/8/8/4k3/8/8/3K4/8 w - - 0 1\n4k3/8/8/8/8/8/4P3/4K3 w - - 100 90\n";
    assert!(parse(drawn).is_err());
    assert_eq!(parse_positions(drawn.as_bytes(), "set.epd").unwrap().len(), 2);
    let over = format!("{drawn}7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n");
    let error = parse_positions(over.as_bytes(), "set.epd").unwrap_err();
    assert!(matches!(error, OpeningsError::GameOver { line: 3, .. }), "{error}");
    assert!(matches!(parse_positions(b"1. e4 *\n", "set.pgn"), Err(OpeningsError::NotOpenings { .. })));
}
