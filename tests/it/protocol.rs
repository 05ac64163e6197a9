//! Our reader of the protocol against an independent one, vampirc-uci 0.11, in both directions.
//!
//! The lines compared are those where the other reader is sound; the last tests show where it is
//! not, which is why it is no dependency of the product (`docs/protocol.md`).

use std::panic::catch_unwind;

use elometer::chess::{Bound, Score};
use elometer::uci::protocol::*;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use vampirc_uci::{UciInfoAttribute, UciMessage, UciOptionConfig, UciTimeControl, parse_one};

fn read_engine(line: &str) -> EngineMessage {
    parse_engine_line(line.as_bytes(), &mut Vec::new())
}

fn read_gui(line: &str) -> GuiCommand {
    parse_gui_line(line.as_bytes(), &mut Vec::new())
}

fn texts<T: ToString>(items: &[T]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}

/// The other reader's attributes as our record.
fn as_info(attributes: &[UciInfoAttribute]) -> Info {
    let mut info = Info::default();
    for attribute in attributes {
        match attribute {
            UciInfoAttribute::Depth(depth) => info.depth = Some((*depth).into()),
            UciInfoAttribute::SelDepth(depth) => info.seldepth = Some((*depth).into()),
            UciInfoAttribute::Time(time) => info.time_ms = time.num_milliseconds().try_into().ok(),
            UciInfoAttribute::Nodes(nodes) => info.nodes = Some(*nodes),
            UciInfoAttribute::Pv(moves) => info.pv = texts(moves),
            UciInfoAttribute::MultiPv(rank) => info.multipv = Some((*rank).into()),
            UciInfoAttribute::Score { cp, mate, lower_bound, upper_bound } => {
                let mate = mate.map(|moves| Score::Mate(moves.into()));
                let bound = match (lower_bound, upper_bound) {
                    (Some(true), _) => Bound::Lower,
                    (_, Some(true)) => Bound::Upper,
                    _ => Bound::Exact,
                };
                info.score = cp.map(Score::Cp).or(mate).map(|score| InfoScore { score, bound });
            }
            UciInfoAttribute::CurrMove(m) => info.currmove = Some(m.to_string()),
            UciInfoAttribute::HashFull(permille) => info.hashfull = Some((*permille).into()),
            UciInfoAttribute::Nps(nps) => info.nps = Some(*nps),
            UciInfoAttribute::TbHits(hits) => info.tbhits = Some(*hits),
            UciInfoAttribute::CpuLoad(permille) => info.cpuload = Some((*permille).into()),
            UciInfoAttribute::String(text) => info.string = Some(text.clone()),
            UciInfoAttribute::Refutation(moves) => info.refutation = texts(moves),
            UciInfoAttribute::CurrLine { cpu_nr, line } => {
                info.currline = Some(CurrentLine { cpu: cpu_nr.map(u32::from), moves: texts(line) });
            }
            other => panic!("not among the fields compared: {other:?}"),
        }
    }
    info
}

fn as_option(config: &UciOptionConfig) -> OptionDeclaration {
    let kind = match config.clone() {
        UciOptionConfig::Check { default, .. } => OptionKind::Check { default },
        UciOptionConfig::Spin { default, min, max, .. } => OptionKind::Spin { default, min, max },
        UciOptionConfig::Combo { default, var, .. } => OptionKind::Combo { default, choices: var },
        UciOptionConfig::Button { .. } => OptionKind::Button,
        UciOptionConfig::String { default, .. } => OptionKind::String { default },
    };
    OptionDeclaration { name: config.get_name().to_owned(), kind }
}

fn as_go(message: &UciMessage) -> Go {
    let UciMessage::Go { time_control, search_control } = message else { panic!("{message:?}") };
    let mut go = Go::default();
    match time_control {
        None => {}
        Some(UciTimeControl::Ponder) => go.ponder = true,
        Some(UciTimeControl::Infinite) => go.infinite = true,
        Some(UciTimeControl::MoveTime(time)) => go.movetime_ms = time.num_milliseconds().try_into().ok(),
        Some(UciTimeControl::TimeLeft {
            white_time,
            black_time,
            white_increment,
            black_increment,
            moves_to_go,
        }) => {
            go.wtime_ms = white_time.map(|time| time.num_milliseconds());
            go.btime_ms = black_time.map(|time| time.num_milliseconds());
            go.winc_ms = white_increment.map(|time| time.num_milliseconds());
            go.binc_ms = black_increment.map(|time| time.num_milliseconds());
            go.movestogo = moves_to_go.map(u32::from);
        }
    }
    if let Some(search) = search_control {
        go.searchmoves = texts(&search.search_moves);
        go.depth = search.depth.map(u32::from);
        go.mate = search.mate.map(u32::from);
        go.nodes = search.nodes;
    }
    go
}

fn chess_move() -> impl Strategy<Value = String> {
    "[a-h][1-8][a-h][1-8][qrbn]?"
}

fn some_moves() -> impl Strategy<Value = Vec<String>> {
    vec(chess_move(), 1..6)
}

/// A counter of at most twelve digits, the most that the other reader takes.
fn counter() -> impl Strategy<Value = Option<u64>> {
    of(0u64..1_000_000_000_000)
}

/// Within the other reader's types: depths to 255, permille and ranks to 65,535, mates to 127.
fn sound_info() -> impl Strategy<Value = Info> {
    let value = prop_oneof![any::<i32>().prop_map(Score::Cp), (-127i32..=127).prop_map(Score::Mate)];
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    let score = (value, bound).prop_map(|(score, bound)| InfoScore { score, bound });
    let depths = (of(0u32..=255), of(0u32..=255));
    let small = (of(0u32..=65_535), of(0u32..=65_535), of(0u32..=65_535));
    let counters = (counter(), counter(), counter(), counter());
    let currline = (of(0u32..1000), some_moves()).prop_map(|(cpu, moves)| CurrentLine { cpu, moves });
    let lines = (vec(chess_move(), 0..6), vec(chess_move(), 0..6), of(currline), of(chess_move()));
    let string = of("[!-~][ -~]{0,20}");
    (depths, small, counters, of(score), lines, string)
        .prop_map(|(depths, small, counters, score, lines, string)| Info {
            depth: depths.0,
            seldepth: depths.1,
            multipv: small.0,
            score,
            nodes: counters.0,
            nps: counters.1,
            tbhits: counters.2,
            time_ms: counters.3,
            hashfull: small.1,
            cpuload: small.2,
            pv: lines.0,
            refutation: lines.1,
            currline: lines.2,
            currmove: lines.3,
            string,
            ..Info::default()
        })
        .prop_filter("an empty info line is unknown to the other reader", |info| *info != Info::default())
}

fn sound_go() -> impl Strategy<Value = Go> {
    let clock = || of(0i64..1_000_000_000);
    let clocks = (clock(), clock(), clock(), clock(), of(0u32..=255)).prop_map(|clocks| Go {
        wtime_ms: clocks.0,
        btime_ms: clocks.1,
        winc_ms: clocks.2,
        binc_ms: clocks.3,
        movestogo: clocks.4,
        ..Go::default()
    });
    let time = prop_oneof![
        clocks,
        Just(Go { infinite: true, ..Go::default() }),
        (0u64..1_000_000_000).prop_map(|time| Go { movetime_ms: Some(time), ..Go::default() }),
    ];
    let search = (of(0u32..=255), of(0u32..=255), counter(), vec(chess_move(), 0..4));
    (time, search).prop_map(|(time, (depth, mate, nodes, searchmoves))| {
        // `infinite` and `ponder` swallow the rest of the line there.
        if time.infinite { time } else { Go { depth, mate, nodes, searchmoves, ..time } }
    })
}

fn name() -> impl Strategy<Value = String> {
    "[A-Z][A-Za-z0-9_]{2,8}( [A-Z][A-Za-z0-9]{1,5}[0-9])?"
}

fn sound_option() -> impl Strategy<Value = OptionDeclaration> {
    let number = || of(-999_999_999_999i64..1_000_000_000_000);
    let word = || "[A-Z][a-z0-9]{2,6}[0-9]";
    let kind = prop_oneof![
        of(any::<bool>()).prop_map(|default| OptionKind::Check { default }),
        (number(), number(), number()).prop_map(|(default, min, max)| OptionKind::Spin { default, min, max }),
        (of(word()), vec(word(), 1..4)).prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
        Just(OptionKind::Button),
        of(prop_oneof![Just(String::new()), word().prop_map(String::from)])
            .prop_map(|default| OptionKind::String { default }),
    ];
    (name(), kind).prop_map(|(name, kind)| OptionDeclaration { name, kind })
}

proptest! {
    #[test]
    fn both_read_the_same_info(info in sound_info()) {
        let line = info.to_string();
        let UciMessage::Info(theirs) = parse_one(&line) else { panic!("not read by the other: {line}") };
        prop_assert_eq!(as_info(&theirs), info.clone(), "{}", line);
        prop_assert_eq!(read_engine(&line), EngineMessage::Info(Box::new(info)), "{}", line);
    }

    #[test]
    fn both_read_the_same_option(option in sound_option()) {
        let line = option.to_string();
        let UciMessage::Option(theirs) = parse_one(&line) else { panic!("not read by the other: {line}") };
        prop_assert_eq!(as_option(&theirs), option.clone(), "{}", line);
        // What the other writes is read here as well.
        prop_assert_eq!(read_engine(&line), EngineMessage::Option(option), "{}", line);
    }

    #[test]
    fn both_read_the_same_bestmove(best in chess_move(), ponder in of(chess_move())) {
        let ours = BestMove::new(Some(best), ponder);
        let line = ours.to_string();
        let UciMessage::BestMove { best_move, ponder } = parse_one(&line) else { panic!("{line}") };
        let theirs = BestMove::new(Some(best_move.to_string()), ponder.map(|m| m.to_string()));
        prop_assert_eq!(&theirs, &ours);
        prop_assert_eq!(read_engine(&line), EngineMessage::BestMove(ours));
    }

    #[test]
    fn both_read_the_same_go(go in sound_go()) {
        let line = go.to_string();
        let theirs = parse_one(&line);
        prop_assert_eq!(as_go(&theirs), go.clone(), "{}", line);
        prop_assert_eq!(read_gui(&theirs.to_string()), GuiCommand::Go(go), "{}", theirs);
    }

    #[test]
    fn both_read_the_same_position(moves in some_moves()) {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        for fen in [None, Some(fen.to_owned())] {
            let ours = PositionCommand { fen, moves: moves.clone() };
            let line = ours.to_string();
            let UciMessage::Position { startpos, fen, moves } = parse_one(&line) else { panic!("{line}") };
            prop_assert_eq!(startpos, ours.fen.is_none());
            prop_assert_eq!(fen.map(|fen| fen.as_str().to_owned()), ours.fen.clone());
            prop_assert_eq!(texts(&moves), ours.moves.clone());
            prop_assert_eq!(read_gui(&line), GuiCommand::Position(ours));
        }
    }

    #[test]
    fn both_read_the_same_option_setting(name in name(), value in name()) {
        let ours = GuiCommand::SetOption { name, value: Some(value) };
        let UciMessage::SetOption { name, value } = parse_one(&ours.to_string()) else { panic!("{ours}") };
        prop_assert_eq!(GuiCommand::SetOption { name, value }, ours);
    }
}

#[test]
fn both_read_the_same_bare_messages() {
    let same = |line: &str, theirs: UciMessage| assert_eq!(parse_one(line), theirs, "{line}");
    same("uciok", UciMessage::UciOk);
    same("readyok", UciMessage::ReadyOk);
    same("uci", UciMessage::Uci);
    same("isready", UciMessage::IsReady);
    same("ucinewgame", UciMessage::UciNewGame);
    same("stop", UciMessage::Stop);
    same("ponderhit", UciMessage::PonderHit);
    same("quit", UciMessage::Quit);
    same("debug off", UciMessage::Debug(false));
    assert_eq!(read_engine("uciok"), EngineMessage::UciOk);
    assert_eq!(read_engine("readyok"), EngineMessage::ReadyOk);
    for line in ["uci", "isready", "ucinewgame", "stop", "ponderhit", "quit", "debug off"] {
        assert_eq!(read_gui(line).to_string(), parse_one(line).to_string());
    }
}

fn info(line: &str) -> Info {
    match read_engine(line) {
        EngineMessage::Info(info) => *info,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn the_other_reader_loses_what_follows_an_unknown_field() {
    for line in ["info depth 5 wdl 1 2 997 nodes 7", "info depth 5 currmovenumber 3 nodes 7"] {
        let UciMessage::Info(theirs) = parse_one(line) else { panic!("{line}") };
        assert!(!theirs.iter().any(|attribute| matches!(attribute, UciInfoAttribute::Nodes(_))), "{line}");
        assert_eq!(info(line).nodes, Some(7), "{line}");
    }
}

#[test]
fn the_other_reader_wraps_a_long_mate() {
    let UciMessage::Info(theirs) = parse_one("info score mate 130") else { panic!() };
    assert!(matches!(theirs.as_slice(), [UciInfoAttribute::Score { mate: Some(-126), .. }]));
    let score = info("info score mate 130").score.map(|score| score.score);
    assert_eq!(score, Some(Score::Mate(130)));
}

#[test]
fn the_other_reader_panics_above_255() {
    for line in ["info depth 300", "go depth 300", "go movestogo 300", "go mate 300"] {
        assert!(catch_unwind(|| parse_one(line)).is_err(), "{line}");
    }
    assert_eq!(info("info depth 300").depth, Some(300));
    assert_eq!(read_gui("go depth 300"), GuiCommand::Go(Go { depth: Some(300), ..Go::default() }));
}

#[test]
fn the_other_reader_does_not_know_these_lines() {
    for line in ["bestmove (none)", "bestmove 0000", "position fen 4k3/8/8/8/8/8/8/4K2R w K -", "> uciok"] {
        assert!(matches!(parse_one(line), UciMessage::Unknown(..)), "{line}");
    }
    assert!(matches!(read_engine("bestmove (none)"), EngineMessage::BestMove(_)));
    assert!(matches!(read_gui("position fen 4k3/8/8/8/8/8/8/4K2R w K -"), GuiCommand::Position(_)));
    assert_eq!(read_engine("> uciok"), EngineMessage::UciOk);
}

#[test]
fn the_other_writer_gives_a_button_a_value() {
    let theirs = UciMessage::SetOption { name: "Clear Hash".into(), value: None };
    assert_eq!(theirs.to_string(), "setoption name Clear Hash value <empty>");
    let ours = GuiCommand::SetOption { name: "Clear Hash".into(), value: None };
    assert_eq!(ours.to_string(), "setoption name Clear Hash");
}
