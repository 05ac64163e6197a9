//! Reading one line and looking at what came of it.

use crate::uci::protocol::{
    BestMove, EngineMessage, GuiCommand, Info, OptionDeclaration, Quirk, parse_engine_line, parse_gui_line,
};

fn shown(quirks: &[Quirk]) -> Vec<String> {
    quirks.iter().map(Quirk::to_string).collect()
}

pub(super) fn engine(line: &str) -> (EngineMessage, Vec<String>) {
    let mut quirks = Vec::new();
    let message = parse_engine_line(line.as_bytes(), &mut quirks);
    (message, shown(&quirks))
}

pub(super) fn info(line: &str) -> (Info, Vec<String>) {
    match engine(line) {
        (EngineMessage::Info(info), quirks) => (*info, quirks),
        (other, _) => panic!("{line:?} is no info line: {other:?}"),
    }
}

pub(super) fn best_move(line: &str) -> (BestMove, Vec<String>) {
    match engine(line) {
        (EngineMessage::BestMove(best), quirks) => (best, quirks),
        (other, _) => panic!("{line:?} is no bestmove line: {other:?}"),
    }
}

pub(super) fn option(line: &str) -> (OptionDeclaration, Vec<String>) {
    match engine(line) {
        (EngineMessage::Option(option), quirks) => (option, quirks),
        (other, _) => panic!("{line:?} is no option line: {other:?}"),
    }
}

pub(super) fn gui(line: &str) -> (GuiCommand, Vec<String>) {
    let mut quirks = Vec::new();
    let command = parse_gui_line(line.as_bytes(), &mut quirks);
    (command, shown(&quirks))
}

pub(super) fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

pub(super) fn none() -> Vec<String> {
    Vec::new()
}
