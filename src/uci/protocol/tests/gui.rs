use super::support::{gui, none, option, words};
use crate::uci::protocol::{Go, GuiCommand, PositionCommand};

fn go(line: &str) -> (Go, Vec<String>) {
    match gui(line) {
        (GuiCommand::Go(go), quirks) => (go, quirks),
        (other, _) => panic!("{line:?} is no go command: {other:?}"),
    }
}

fn position(line: &str) -> (PositionCommand, Vec<String>) {
    match gui(line) {
        (GuiCommand::Position(position), quirks) => (position, quirks),
        (other, _) => panic!("{line:?} is no position command: {other:?}"),
    }
}

fn set_option(name: &str, value: Option<&str>) -> GuiCommand {
    GuiCommand::SetOption { name: name.into(), value: value.map(str::to_owned) }
}

#[test]
fn commands_without_arguments_are_read() {
    for (line, command) in [
        ("uci", GuiCommand::Uci),
        ("  isready\r\n", GuiCommand::IsReady),
        ("ucinewgame\r", GuiCommand::UciNewGame),
        ("stop", GuiCommand::Stop),
        ("ponderhit", GuiCommand::PonderHit),
        ("\tquit", GuiCommand::Quit),
        ("debug on", GuiCommand::Debug(true)),
        ("debug   off", GuiCommand::Debug(false)),
        ("register later", GuiCommand::Register("later".into())),
        ("register name A B code 4 2", GuiCommand::Register("name A B code 4 2".into())),
        ("", GuiCommand::Other(String::new())),
    ] {
        assert_eq!(gui(line), (command, none()), "{line:?}");
    }
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    assert_eq!(
        gui("joho debug on"),
        (GuiCommand::Debug(true), vec!["words before the command: `joho`".into()])
    );
    assert_eq!(gui("please stop").0, GuiCommand::Stop);
    assert_eq!(
        gui("isready now"),
        (GuiCommand::IsReady, vec!["words after the end of the message: `now`".into()])
    );
    assert_eq!(gui("xyzzy 1"), (GuiCommand::Other("xyzzy 1".into()), vec!["no command in `xyzzy 1`".into()]));
}

#[test]
fn a_command_whose_meaning_is_lost_is_handed_on_as_it_stands() {
    for line in [
        "debug",
        "debug joho on",
        "position",
        "position moves e2e4",
        "position fen",
        "position fen moves e2e4",
        "setoption",
        "setoption Hash value 3",
        "setoption name",
        "setoption name value 3",
    ] {
        let (command, quirks) = gui(line);
        assert_eq!((command, quirks.len()), (GuiCommand::Other(line.into()), 1), "{line}");
    }
}

#[test]
fn options_are_set_with_names_and_values_of_several_words() {
    for (line, command) in [
        ("setoption name Hash value 32", set_option("Hash", Some("32"))),
        ("setoption name Clear Hash", set_option("Clear Hash", None)),
        ("setoption  name  Clear  Hash  value  a  b ", set_option("Clear  Hash", Some("a  b"))),
        (
            "setoption name Syzygy Path value /a b:/c value d",
            set_option("Syzygy Path", Some("/a b:/c value d")),
        ),
        ("setoption name Queen Value value 900", set_option("Queen Value", Some("900"))),
        ("setoption name Path value", set_option("Path", Some(""))),
        ("setoption name Path value <empty>", set_option("Path", Some(""))),
    ] {
        assert_eq!(gui(line), (command, none()), "{line:?}");
    }
}

#[test]
fn a_name_that_holds_the_word_value_is_found_among_the_declared() {
    let declared = [
        "option name Piece value type spin",
        "option name piece type string",
        "option name Reset value type button",
    ]
    .map(|line| option(line).0);
    let read = |line: &str| gui(line).0.with_declared(&declared);
    assert_eq!(read("setoption name Piece value value 5"), set_option("Piece value", Some("5")));
    assert_eq!(read("setoption name Piece value 5"), set_option("Piece", Some("5")));
    assert_eq!(read("setoption name reset value"), set_option("reset value", None));
    assert_eq!(read("setoption name Other value value 5"), set_option("Other", Some("value 5")));
    assert_eq!(read("setoption name Piece"), set_option("Piece", None));
    assert_eq!(read("stop"), GuiCommand::Stop);
}

#[test]
fn positions_are_read_with_and_without_moves() {
    let moves = words("e2e4 e7e5");
    assert_eq!(position("position startpos"), (PositionCommand::default(), none()));
    assert_eq!(position("position startpos moves"), (PositionCommand::default(), none()));
    let played = PositionCommand { fen: None, moves: moves.clone() };
    assert_eq!(position("position  startpos\tmoves e2e4  e7e5\r"), (played, none()));
    for fen in
        ["4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w K - 0", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]
    {
        let (read, quirks) = position(&format!("position fen {fen} moves e2e4 e7e5"));
        assert_eq!(read, PositionCommand { fen: Some(fen.into()), moves: moves.clone() });
        assert_eq!(quirks, none());
        assert_eq!(position(&format!("position fen  {fen} ")).0.fen.as_deref(), Some(fen));
    }
}

#[test]
fn odd_positions_keep_what_can_be_known() {
    let (read, quirks) = position("position 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1");
    assert_eq!(read.fen.as_deref(), Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
    assert_eq!((read.moves, quirks.len()), (words("e1g1"), 1));
    let (read, quirks) = position("position startpos now moves e2e4");
    assert_eq!((read.moves, quirks.len()), (words("e2e4"), 1));
    assert_eq!(position("position startpos moves e2e4 O-O").0.moves, words("e2e4 O-O"));
}

#[test]
fn limits_are_read_in_any_order() {
    let (read, quirks) =
        go("go btime 900 movestogo 300 wtime 1000 binc 2 winc 1 depth 300 mate 300 nodes 5 movetime 7");
    assert_eq!(quirks, none());
    assert_eq!(
        read,
        Go {
            wtime_ms: Some(1000),
            btime_ms: Some(900),
            winc_ms: Some(1),
            binc_ms: Some(2),
            movestogo: Some(300),
            depth: Some(300),
            mate: Some(300),
            nodes: Some(5),
            movetime_ms: Some(7),
            ..Go::default()
        }
    );
    assert_eq!(go("go"), (Go::default(), none()));
    assert!(go("go infinite").0.infinite);
    assert!(go("go ponder wtime 1").0.ponder);
    assert_eq!(go("go perft 5").0.perft, Some(5));
}

#[test]
fn searchmoves_end_at_the_next_keyword() {
    let (read, quirks) = go("go searchmoves e2e4 d2d4 depth 5 infinite");
    assert_eq!((read.searchmoves, read.depth, read.infinite), (words("e2e4 d2d4"), Some(5), true));
    assert_eq!(quirks, none());
    let (read, quirks) = go("go searchmoves e2e4 Nf3 depth 5");
    assert_eq!((read.searchmoves, read.depth), (words("e2e4"), Some(5)));
    assert_eq!(quirks, ["unknown word `Nf3`"]);
    assert_eq!(go("go searchmoves").1, ["`searchmoves` without a value"]);
}

#[test]
fn clocks_below_zero_are_values_and_broken_numbers_are_none() {
    assert_eq!(go("go wtime -20 btime 5").0.wtime_ms, Some(-20));
    let (read, quirks) = go("go depth -1 nodes 1e6 movetime movestogo 3");
    assert_eq!(read, Go { movestogo: Some(3), ..Go::default() });
    assert_eq!(quirks.len(), 3);
}

#[test]
fn commands_are_written_as_the_protocol_has_them() {
    let position = PositionCommand { fen: None, moves: words("e2e4 e7e5") };
    assert_eq!(GuiCommand::Position(position).to_string(), "position startpos moves e2e4 e7e5");
    let go = Go { searchmoves: words("e2e4"), wtime_ms: Some(1), infinite: true, ..Go::default() };
    assert_eq!(go.to_string(), "go wtime 1 infinite searchmoves e2e4");
    assert_eq!(set_option("Clear Hash", None).to_string(), "setoption name Clear Hash");
    assert_eq!(set_option("Path", Some("")).to_string(), "setoption name Path value <empty>");
    assert_eq!(set_option("Path", Some("a\r\nquit")).to_string(), "setoption name Path value a  quit");
}
