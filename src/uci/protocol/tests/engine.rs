use super::support::{best_move, engine, info, none, words};
use crate::chess::{Bound, Score};
use crate::uci::protocol::{
    BestMove, CurrentLine, EngineMessage, Id, Info, InfoScore, Quirk, Wdl, first_word, parse_engine_line,
};

fn score(line: &str) -> Option<InfoScore> {
    info(line).0.score
}

fn exact(score: Score) -> Option<InfoScore> {
    Some(InfoScore { score, bound: Bound::Exact })
}

#[test]
fn a_full_stockfish_line_is_read_without_a_quirk() {
    let (report, quirks) = info(
        "info depth 24 seldepth 31 multipv 1 score cp 28 wdl 61 920 19 nodes 1204417 nps 1003681 hashfull 412 \
         tbhits 0 time 1200 pv e2e4 e7e5 g1f3",
    );
    assert_eq!(quirks, none());
    assert_eq!(
        report,
        Info {
            depth: Some(24),
            seldepth: Some(31),
            multipv: Some(1),
            score: exact(Score::Cp(28)),
            wdl: Some(Wdl { win: 61, draw: 920, loss: 19 }),
            nodes: Some(1_204_417),
            nps: Some(1_003_681),
            hashfull: Some(412),
            tbhits: Some(0),
            time_ms: Some(1200),
            pv: words("e2e4 e7e5 g1f3"),
            ..Info::default()
        }
    );
}

#[test]
fn the_less_common_fields_are_read() {
    let (report, quirks) =
        info("info currmove d2d4 currmovenumber 2 cpuload 998 refutation d1h5 g6h5 currline 1 e2e4 c7c5");
    assert_eq!(quirks, none());
    assert_eq!(report.currmove.as_deref(), Some("d2d4"));
    assert_eq!(report.currmovenumber, Some(2));
    assert_eq!(report.cpuload, Some(998));
    assert_eq!(report.refutation, words("d1h5 g6h5"));
    assert_eq!(report.currline, Some(CurrentLine { cpu: Some(1), moves: words("e2e4 c7c5") }));
    let (report, _) = info("info currline e2e4");
    assert_eq!(report.currline, Some(CurrentLine { cpu: None, moves: words("e2e4") }));
}

#[test]
fn line_ends_tabs_blanks_and_a_byte_order_mark_change_nothing() {
    for line in ["uciok", "uciok\r", "uciok\n", "uciok\r\n", "  uciok", "\tuciok\t", "\u{feff}uciok\r\n"] {
        assert_eq!(engine(line), (EngineMessage::UciOk, none()), "{line:?}");
    }
    let (report, quirks) = info("\t info   depth\t7   pv  e2e4\te7e5 \r");
    assert_eq!((report.depth, report.pv, quirks), (Some(7), words("e2e4 e7e5"), none()));
    assert_eq!(best_move("bestmove f7f8q\r").0.best_move.as_deref(), Some("f7f8q"));
}

#[test]
fn one_carriage_return_is_part_of_the_line_end_and_a_second_of_the_text() {
    assert_eq!(info("info string a\r").0.string.as_deref(), Some("a"));
    assert_eq!(info("info string a\r\r").0.string.as_deref(), Some("a\r"));
}

#[test]
fn blank_lines_and_banners_are_nothing() {
    assert_eq!(engine(""), (EngineMessage::Other, none()));
    assert_eq!(engine(" \r\n"), (EngineMessage::Other, none()));
    for banner in [
        "Stockfish 15.1 by the Stockfish developers (see AUTHORS file)",
        "Toga II 4.0 option pack, ready",
        "Licensed under id GPL",
        "*** bestmove finder 3000 ***",
    ] {
        let (message, quirks) = engine(banner);
        assert_eq!(message, EngineMessage::Other, "{banner}");
        assert_eq!(quirks.len(), 1, "{banner}");
    }
    assert_eq!(engine("copyprotection ok"), (EngineMessage::Other, none()));
    assert_eq!(engine("registration checking"), (EngineMessage::Other, none()));
}

#[test]
fn a_complete_message_after_unknown_words_is_read() {
    assert_eq!(engine("> uciok"), (EngineMessage::UciOk, vec!["words before the command: `>`".to_owned()]));
    assert_eq!(engine("joho readyok").0, EngineMessage::ReadyOk);
    assert_eq!(engine("uci> id name Mock 1").0, EngineMessage::Id(Id::Name("Mock 1".into())));
    assert_eq!(info("joho info depth 5").0.depth, Some(5));
    assert_eq!(best_move("prompt> bestmove e2e4 ponder e7e5").0.ponder.as_deref(), Some("e7e5"));
}

#[test]
fn talk_about_a_bestmove_is_no_bestmove() {
    for line in [
        "info string bestmove e2e4",
        "info depth 3 string would answer bestmove e2e4",
        "info bestmove e2e4",
        "debug info x bestmove e2e4",
        "rejected bestmove e2e4 as illegal",
        "thinking about bestmove",
        "no bestmove found",
        "option bestmove e2e4",
    ] {
        assert!(!matches!(engine(line).0, EngineMessage::BestMove(_)), "{line}");
    }
}

#[test]
fn bytes_that_are_not_utf8_are_shown_lossily() {
    let mut quirks = Vec::new();
    let message = parse_engine_line(b"id name Caf\xe9 2", &mut quirks);
    assert_eq!(message, EngineMessage::Id(Id::Name("Caf\u{fffd} 2".into())));
    assert_eq!(quirks, [Quirk::NotUtf8]);
    let message = parse_engine_line(b"info depth 9 string \xff\xfe", &mut quirks);
    assert!(matches!(message, EngineMessage::Info(info) if info.depth == Some(9)));
    let message = parse_engine_line(b"\xffbestmove e2e4", &mut quirks);
    assert_eq!(message, EngineMessage::Other);
}

#[test]
fn names_keep_their_inner_blanks() {
    assert_eq!(engine("id name  My  Engine 1.0 ").0, EngineMessage::Id(Id::Name("My  Engine 1.0".into())));
    assert_eq!(
        engine("id author A. Name and others").0,
        EngineMessage::Id(Id::Author("A. Name and others".into()))
    );
    assert_eq!(engine("id name").0, EngineMessage::Id(Id::Name(String::new())));
    assert_eq!(engine("id version 3").0, EngineMessage::Other);
    assert_eq!(engine("id").0, EngineMessage::Other);
}

#[test]
fn a_score_is_read_wherever_it_stands() {
    let cp = |value, bound| Some(InfoScore { score: Score::Cp(value), bound });
    assert_eq!(score("info pv e2e4 e7e5 score cp 13 depth 4"), cp(13, Bound::Exact));
    assert_eq!(score("info score cp 13 lowerbound"), cp(13, Bound::Lower));
    assert_eq!(score("info score lowerbound cp 13"), cp(13, Bound::Lower));
    assert_eq!(score("info score upperbound cp -13 nodes 4"), cp(-13, Bound::Upper));
    assert_eq!(score("info score cp 13 nodes 5 upperbound"), cp(13, Bound::Upper));
    assert_eq!(score("info score cp +13"), cp(13, Bound::Exact));
    assert_eq!(score("info cp 13"), cp(13, Bound::Exact));
}

#[test]
fn mates_of_any_distance_are_values() {
    assert_eq!(score("info depth 0 score mate 0"), exact(Score::Mate(0)));
    assert_eq!(
        score("info score mate 0 upperbound"),
        Some(InfoScore { score: Score::Mate(0), bound: Bound::Upper })
    );
    assert_eq!(score("info score mate 130"), exact(Score::Mate(130)));
    assert_eq!(score("info score mate -130"), exact(Score::Mate(-130)));
    assert_eq!(score("info score mate +5"), exact(Score::Mate(5)));
}

#[test]
fn a_score_without_a_usable_value_is_none_and_costs_nothing_else() {
    for line in [
        "info score depth 8",
        "info score cp depth 8",
        "info score cp lowerbound depth 8",
        "info score cp 12.5 depth 8",
        "info score cp 99999999999 depth 8",
        "info score 35 depth 8",
        "info score mate x depth 8",
        "info depth 8 score",
        "info depth 8 score cp",
    ] {
        let (report, quirks) = info(line);
        assert_eq!((report.depth, report.score), (Some(8), None), "{line}");
        assert!(!quirks.is_empty(), "{line}");
    }
}

#[test]
fn wdl_stands_inside_or_after_the_score_and_is_whole_or_nothing() {
    let wdl = Some(Wdl { win: 1, draw: 2, loss: 997 });
    for line in [
        "info score cp -500 wdl 1 2 997 nodes 4",
        "info score cp -500 upperbound wdl 1 2 997 nodes 4",
        "info score wdl 1 2 997 cp -500 nodes 4",
        "info wdl 1 2 997 pv e2e4 score cp -500 nodes 4",
        "info score cp -500 pv e2e4 e7e5 wdl 1 2 997 nodes 4",
    ] {
        let (report, _) = info(line);
        assert_eq!((report.wdl, report.nodes), (wdl, Some(4)), "{line}");
        assert_eq!(report.score.map(|score| score.score), Some(Score::Cp(-500)), "{line}");
    }
    for line in [
        "info wdl 1 2 nodes 4",
        "info wdl nodes 4",
        "info wdl 1 -2 997 nodes 4",
        "info nodes 4 wdl 1",
        "info wdl 2000 10 0 nodes 4",
        "info wdl 0 0 0 nodes 4",
    ] {
        let (report, quirks) = info(line);
        assert_eq!((report.wdl, report.nodes), (None, Some(4)), "{line}");
        assert!(!quirks.is_empty(), "{line}");
    }
}

#[test]
fn numbers_of_any_size_cost_at_most_their_own_field() {
    let (report, quirks) = info("info depth 300 seldepth 1000 nodes 18446744073709551615 nps 7");
    assert_eq!(quirks, none());
    assert_eq!((report.depth, report.seldepth), (Some(300), Some(1000)));
    assert_eq!((report.nodes, report.nps), (Some(u64::MAX), Some(7)));
    for value in ["-7", "18446744073709551616", "12.5", "1e6", "abc", "0x10", "7k"] {
        let (report, quirks) = info(&format!("info depth 3 nodes {value} nps 7 pv e2e4"));
        assert_eq!((report.depth, report.nodes, report.nps), (Some(3), None, Some(7)), "{value}");
        assert_eq!(report.pv, words("e2e4"), "{value}");
        assert_eq!(quirks, [format!("`nodes` with the unusable value `{value}`")]);
    }
    assert_eq!(info("info depth -1 time 5").0.time_ms, Some(5));
}

#[test]
fn empty_fields_are_skipped() {
    let (report, quirks) = info("info depth score cp nodes time 12 currmove multipv pv");
    assert_eq!(report, Info { time_ms: Some(12), ..Info::default() });
    assert_eq!(quirks.len(), 6);
    assert_eq!(info("info").0, Info::default());
    assert_eq!(info("info  ").0, Info::default());
}

#[test]
fn of_a_field_given_twice_the_last_value_counts() {
    let (report, quirks) = info("info depth 4 depth 5 pv e2e4 pv d2d4 d7d5");
    assert_eq!((report.depth, report.pv), (Some(5), words("d2d4 d7d5")));
    assert_eq!(quirks, ["`depth` given more than once", "`pv` given more than once"]);
    assert_eq!(info("info depth 4 depth x").0.depth, Some(4));
    assert_eq!(score("info score cp 20 mate 3"), exact(Score::Mate(3)));
}

#[test]
fn a_pv_ends_at_the_first_word_that_is_no_move() {
    let (report, quirks) = info("info pv e2e4 E7E8Q 0000 N@f3 foo bar d2d4 depth 6 string x");
    assert_eq!(report.pv, words("e2e4 E7E8Q 0000 N@f3"));
    assert_eq!(report.depth, Some(6));
    assert_eq!(quirks, ["unknown word `foo`"]);
}

#[test]
fn unknown_words_and_their_values_are_passed_over() {
    let (report, quirks) = info("info depth 3 ebf 2.31 nodes 9 idle 5 wdlx 1 2 997 time 8");
    assert_eq!((report.depth, report.nodes, report.time_ms), (Some(3), Some(9), Some(8)));
    assert_eq!(quirks, ["unknown word `ebf`", "unknown word `idle`"]);
}

#[test]
fn a_string_takes_the_rest_of_the_line_as_it_stands() {
    let (report, quirks) = info("info depth 3 string  two  blanks depth 9 score cp 1 ");
    assert_eq!(report.depth, Some(3));
    assert_eq!(report.string.as_deref(), Some(" two  blanks depth 9 score cp 1 "));
    assert_eq!(quirks, none());
    assert_eq!(info("info string").0.string.as_deref(), Some(""));
    assert_eq!(info("info string ").0.string.as_deref(), Some(""));
}

#[test]
fn a_bestmove_is_read_with_and_without_ponder() {
    let (best, quirks) = best_move("bestmove e2e4 ponder e7e5");
    assert_eq!(best, BestMove::new(Some("e2e4".into()), Some("e7e5".into())));
    assert_eq!(quirks, none());
    let (best, quirks) = best_move("bestmove E7E8Q");
    assert_eq!(best, BestMove::new(Some("E7E8Q".into()), None));
    assert_eq!(quirks, none());
    let (best, quirks) = best_move("bestmove e2e4 ponder (none)");
    assert_eq!(best, BestMove::new(Some("e2e4".into()), None));
    assert_eq!(quirks, none());
}

#[test]
fn words_for_no_move_are_no_move_and_stay_readable() {
    for token in ["(none)", "0000", "NULL", "null", "(NONE)", "none"] {
        let (best, quirks) = best_move(&format!("bestmove {token}"));
        assert_eq!(best, BestMove { token: token.into(), best_move: None, ponder: None });
        assert_eq!(quirks, none());
    }
    for line in ["bestmove", "bestmove \r", "bestmove ponder e7e5"] {
        let (best, quirks) = best_move(line);
        assert_eq!((best.token.as_str(), best.best_move), ("", None), "{line}");
        assert_eq!(quirks, ["`bestmove` without a value"]);
    }
}

#[test]
fn what_is_no_move_is_handed_on_for_the_rules_to_refuse() {
    for token in ["e4", "O-O", "e7e8q+", "resign", "e2-e4", "z9z9"] {
        assert_eq!(best_move(&format!("bestmove {token}")).0.best_move.as_deref(), Some(token));
    }
}

#[test]
fn words_after_a_bestmove_are_noted_and_do_not_harm_it() {
    let (best, quirks) = best_move("bestmove e2e4 ponder");
    assert_eq!((best.best_move.as_deref(), best.ponder), (Some("e2e4"), None));
    assert_eq!(quirks, ["`ponder` without a value"]);
    let (best, quirks) = best_move("bestmove e2e4 e7e5 thanks");
    assert_eq!((best.best_move.as_deref(), best.ponder), (Some("e2e4"), None));
    assert_eq!(quirks, ["words after the end of the message: `e7e5 thanks`"]);
    let (best, quirks) = best_move("bestmove e2e4 score 5 ponder e7e5 time 3");
    assert_eq!(best.ponder.as_deref(), Some("e7e5"));
    assert_eq!(quirks.len(), 2);
}

#[test]
fn words_after_uciok_are_noted() {
    let (message, quirks) = engine("uciok now");
    assert_eq!((message, quirks.len()), (EngineMessage::UciOk, 1));
}

#[test]
fn keywords_are_lower_case() {
    for line in ["UCIOK", "BestMove e2e4", "ReadyOk", "uciokay", "bestmovee2e4"] {
        assert_eq!(engine(line).0, EngineMessage::Other, "{line}");
    }
}

#[test]
fn quirks_of_a_line_are_few_short_and_without_repetition() {
    let mut line = "info".to_owned();
    for number in 0..10_000 {
        line.push_str(&format!(" unknown{number} {} nodes -{number} nodes", "x".repeat(100)));
    }
    let mut quirks = vec![Quirk::NotUtf8];
    parse_engine_line(line.as_bytes(), &mut quirks);
    assert_eq!(quirks.len(), 17);
    let longest = quirks.iter().map(|quirk| quirk.to_string().chars().count()).max();
    assert!(longest < Some(100), "{longest:?}");
    let (_, quirks) = info("info nodes -1 nodes -1 nodes -1");
    assert_eq!(quirks.len(), 1);
}

#[test]
fn quirks_of_one_kind_are_told_from_others() {
    let bad = |field: &str, value: &str| Quirk::BadValue { field: field.into(), value: value.into() };
    assert!(bad("nps", "1.5").is_same_kind(&bad("nps", "2.5")));
    assert!(!bad("nps", "1.5").is_same_kind(&bad("nodes", "1.5")));
    assert!(!bad("nps", "1.5").is_same_kind(&Quirk::MissingValue("nps".into())));
}

/// A quadratic reader would take an hour here, so the test's end is the check.
#[test]
fn long_lines_are_read_in_linear_time() {
    const LENGTH: usize = 400_000;
    let repeated = |word: &str| word.repeat(LENGTH / word.len());
    for word in
        ["x", " ", "e2e4 ", "x y ", "depth ", "type ", "var ", "default ", "value ", "moves ", "type check "]
    {
        for start in [
            "",
            "info ",
            "info pv ",
            "info string ",
            "bestmove ",
            "option name a type combo ",
            "option name ",
        ] {
            engine(&format!("{start}{}", repeated(word)));
        }
        for start in
            ["", "go ", "go searchmoves ", "position startpos moves ", "position fen ", "setoption name "]
        {
            super::support::gui(&format!("{start}{}", repeated(word)));
        }
    }
}

#[test]
fn the_first_word_is_found_without_reading_the_line() {
    assert_eq!(first_word(b"info depth 1"), b"info");
    assert_eq!(first_word(b" \t bestmove\te2e4\r\n"), b"bestmove");
    assert_eq!(first_word(b"uciok\r\n"), b"uciok");
    assert_eq!(first_word(b"\xef\xbb\xbfuciok"), b"uciok");
    assert_eq!(first_word(b"  \r\n"), b"");
    assert_eq!(first_word(b"\xff\xfe x"), b"\xff\xfe");
}

#[test]
fn messages_are_written_as_the_protocol_has_them() {
    assert_eq!(Id::Name("Mock 1".into()).to_string(), "id name Mock 1");
    assert_eq!(BestMove::new(None, None).to_string(), "bestmove (none)");
    assert_eq!(
        BestMove::new(Some("e2e4".into()), Some("e7e5".into())).to_string(),
        "bestmove e2e4 ponder e7e5"
    );
    let report = Info {
        depth: Some(5),
        score: Some(InfoScore { score: Score::Mate(-3), bound: Bound::Upper }),
        wdl: Some(Wdl { win: 0, draw: 0, loss: 1000 }),
        nodes: Some(20),
        pv: words("e2e4 e7e5"),
        string: Some("a\nbestmove e2e4".into()),
        ..Info::default()
    };
    assert_eq!(
        report.to_string(),
        "info depth 5 score mate -3 upperbound wdl 0 0 1000 nodes 20 pv e2e4 e7e5 string a bestmove e2e4"
    );
}
