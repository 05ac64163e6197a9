use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

use crate::chess::{Bound, Score};
use crate::uci::protocol::*;

fn chess_move() -> impl Strategy<Value = String> {
    "[a-h][1-8][a-h][1-8][qrbn]?"
}

fn moves() -> impl Strategy<Value = Vec<String>> {
    vec(chess_move(), 0..6)
}

/// Words without any that the protocol could take for its own.
fn text() -> impl Strategy<Value = String> {
    "[A-Z(*éß][A-Za-z0-9_.:/\\\\ é-]{0,12}[A-Z0-9)é]"
}

fn score() -> impl Strategy<Value = InfoScore> {
    let value = prop_oneof![any::<i32>().prop_map(Score::Cp), any::<i32>().prop_map(Score::Mate)];
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    (value, bound).prop_map(|(score, bound)| InfoScore { score, bound })
}

fn wdl() -> impl Strategy<Value = Wdl> {
    (0u32..=1_000, 0u32..=1_000).prop_map(|(a, b)| {
        let (low, high) = (a.min(b), a.max(b));
        Wdl { win: low, draw: high - low, loss: 1_000 - high }
    })
}

fn current_line() -> impl Strategy<Value = CurrentLine> {
    (of(0u32..64), moves()).prop_map(|(cpu, moves)| CurrentLine { cpu, moves })
}

fn info() -> impl Strategy<Value = Info> {
    let small = any::<[Option<u32>; 6]>();
    let large = any::<[Option<u64>; 4]>();
    let lines = (moves(), moves(), of(current_line()), of(chess_move()), of("[ -~]{0,20}"));
    (small, large, of(score()), of(wdl()), lines).prop_map(|(small, large, score, wdl, lines)| {
        let [depth, seldepth, multipv, hashfull, cpuload, currmovenumber] = small;
        let [nodes, nps, tbhits, time_ms] = large;
        let (pv, refutation, currline, currmove, string) = lines;
        Info {
            depth,
            seldepth,
            multipv,
            score,
            wdl,
            nodes,
            nps,
            tbhits,
            time_ms,
            hashfull,
            cpuload,
            currmove,
            currmovenumber,
            pv,
            refutation,
            currline,
            string,
        }
    })
}

fn kind() -> impl Strategy<Value = OptionKind> {
    let spin =
        any::<[Option<i64>; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max });
    let value = || prop_oneof![Just(String::new()), text()];
    let combo = (of(value()), vec(value(), 0..5))
        .prop_map(|(default, choices)| OptionKind::Combo { default, choices });
    prop_oneof![
        of(any::<bool>()).prop_map(|default| OptionKind::Check { default }),
        spin,
        combo,
        Just(OptionKind::Button),
        of(value()).prop_map(|default| OptionKind::String { default }),
    ]
}

fn option() -> impl Strategy<Value = OptionDeclaration> {
    (text(), kind()).prop_map(|(name, kind)| OptionDeclaration { name, kind })
}

fn best_move() -> impl Strategy<Value = BestMove> {
    (of(chess_move()), of(chess_move())).prop_map(|(best, ponder)| BestMove::new(best, ponder))
}

fn go() -> impl Strategy<Value = Go> {
    (
        moves(),
        any::<[bool; 2]>(),
        any::<[Option<i64>; 4]>(),
        any::<[Option<u32>; 4]>(),
        any::<[Option<u64>; 2]>(),
    )
        .prop_map(|(searchmoves, flags, clocks, small, large)| {
            let [ponder, infinite] = flags;
            let [wtime_ms, btime_ms, winc_ms, binc_ms] = clocks;
            let [movestogo, depth, mate, perft] = small;
            let [nodes, movetime_ms] = large;
            Go {
                searchmoves,
                ponder,
                wtime_ms,
                btime_ms,
                winc_ms,
                binc_ms,
                movestogo,
                depth,
                nodes,
                mate,
                movetime_ms,
                infinite,
                perft,
            }
        })
}

fn fen() -> impl Strategy<Value = String> {
    "[pnbrqkPNBRQK1-8/]{15,30} [wb] [KQkq]{1,4} (-|[a-h][36])( [0-9]{1,2} [1-9])?"
}

fn command() -> impl Strategy<Value = GuiCommand> {
    let value = prop_oneof![Just(String::new()), text()];
    prop_oneof![
        Just(GuiCommand::Uci),
        any::<bool>().prop_map(GuiCommand::Debug),
        Just(GuiCommand::IsReady),
        (text(), of(value)).prop_map(|(name, value)| GuiCommand::SetOption { name, value }),
        text().prop_map(GuiCommand::Register),
        Just(GuiCommand::UciNewGame),
        (of(fen()), moves()).prop_map(|(fen, moves)| GuiCommand::Position(PositionCommand { fen, moves })),
        go().prop_map(GuiCommand::Go),
        Just(GuiCommand::Stop),
        Just(GuiCommand::PonderHit),
        Just(GuiCommand::Quit),
    ]
}

/// Lines that come near the protocol: its words, numbers and odd bytes in any order.
fn near_protocol() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        4 => proptest::sample::select(vec![
            "info", "bestmove", "option", "id", "name", "author", "uciok", "depth", "nodes", "score", "cp", "mate",
            "lowerbound", "wdl", "pv", "currline", "refutation", "string", "ponder", "type", "spin", "combo", "check",
            "default", "min", "max", "var", "<empty>", "(none)", "e2e4", "0000", "go", "position", "startpos", "fen",
            "moves", "setoption", "value", "searchmoves", "wtime", "debug", "on", "\t", "\r", "\n", "é",
        ])
        .prop_map(|word| word.as_bytes().to_vec()),
        1 => any::<i64>().prop_map(|number| number.to_string().into_bytes()),
        1 => vec(any::<u8>(), 0..6),
    ];
    vec(word, 0..24).prop_map(|words| words.join(&b' '))
}

fn read_engine(line: &str) -> EngineMessage {
    parse_engine_line(line.as_bytes(), &mut Vec::new())
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_a_panic(line in vec(any::<u8>(), 0..300)) {
        parse_engine_line(&line, &mut Vec::new());
        parse_gui_line(&line, &mut Vec::new());
        prop_assert!(first_word(&line).len() <= line.len());
    }

    #[test]
    fn anything_near_the_protocol_is_read_without_a_panic_and_is_stable_once_written(line in near_protocol()) {
        match parse_engine_line(&line, &mut Vec::new()) {
            EngineMessage::Info(info) => {
                let written = info.to_string();
                let EngineMessage::Info(again) = read_engine(&written) else { panic!("{written}") };
                prop_assert_eq!(again.to_string(), written);
            }
            EngineMessage::BestMove(best) => {
                prop_assert_eq!(read_engine(&best.to_string()), EngineMessage::BestMove(best));
            }
            _ => {}
        }
        if let command @ (GuiCommand::Go(_) | GuiCommand::Position(_)) = parse_gui_line(&line, &mut Vec::new()) {
            let written = command.to_string();
            prop_assert_eq!(parse_gui_line(written.as_bytes(), &mut Vec::new()), command);
        }
    }

    #[test]
    fn a_written_info_line_reads_back(info in info()) {
        let written = info.to_string();
        prop_assert_eq!(read_engine(&written), EngineMessage::Info(Box::new(info)), "{}", written);
    }

    #[test]
    fn a_written_option_reads_back(option in option()) {
        let written = option.to_string();
        prop_assert_eq!(read_engine(&written), EngineMessage::Option(option), "{}", written);
    }

    #[test]
    fn a_written_bestmove_reads_back(best in best_move()) {
        prop_assert_eq!(read_engine(&best.to_string()), EngineMessage::BestMove(best));
    }

    #[test]
    fn a_written_name_reads_back(name in text(), is_author in any::<bool>()) {
        let id = if is_author { Id::Author(name) } else { Id::Name(name) };
        prop_assert_eq!(read_engine(&id.to_string()), EngineMessage::Id(id));
    }

    #[test]
    fn a_written_command_reads_back_without_a_quirk(command in command()) {
        let mut quirks = Vec::new();
        let written = command.to_string();
        prop_assert_eq!(parse_gui_line(written.as_bytes(), &mut quirks), command, "{}", written);
        prop_assert_eq!(quirks, vec![]);
    }

    #[test]
    fn a_value_the_option_takes_is_one_it_takes_again(option in option(), value in text()) {
        if let Ok(GuiCommand::SetOption { value, .. }) = option.set(&value) {
            prop_assert_eq!(option.check(value.as_deref().unwrap_or_default()), Ok(()));
        }
    }
}
