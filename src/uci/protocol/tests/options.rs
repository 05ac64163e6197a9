use super::support::{engine, none, option};
use crate::uci::protocol::{EngineMessage, GuiCommand, OptionDeclaration, OptionKind, OptionValueError};

fn spin(default: i64, min: i64, max: i64) -> OptionKind {
    OptionKind::Spin { default: Some(default), min: Some(min), max: Some(max) }
}

fn string(default: Option<&str>) -> OptionKind {
    OptionKind::String { default: default.map(str::to_owned) }
}

fn combo(default: Option<&str>, choices: &[&str]) -> OptionKind {
    OptionKind::Combo {
        default: default.map(str::to_owned),
        choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
    }
}

fn assert_option(line: &str, name: &str, kind: OptionKind) {
    assert_eq!(option(line), (OptionDeclaration { name: name.into(), kind }, none()), "{line}");
}

#[test]
fn every_kind_is_read() {
    assert_option(
        "option name UCI_Elo type spin default 1320 min 1320 max 3190",
        "UCI_Elo",
        spin(1320, 1320, 3190),
    );
    assert_option(
        "option name Ponder type check default false",
        "Ponder",
        OptionKind::Check { default: Some(false) },
    );
    assert_option("option name Clear Hash type button", "Clear Hash", OptionKind::Button);
    assert_option(
        "option name EvalFile type string default nn-6877cd24400e.nnue",
        "EvalFile",
        string(Some("nn-6877cd24400e.nnue")),
    );
    assert_option(
        "option name Style type combo default Normal var Solid var Normal var Risky",
        "Style",
        combo(Some("Normal"), &["Solid", "Normal", "Risky"]),
    );
}

#[test]
fn limits_may_come_in_any_order_or_not_at_all() {
    assert_option("option name Hash type spin max 64 min 1 default 16", "Hash", spin(16, 1, 64));
    assert_option("option name O type spin min -5 max 5 default -3", "O", spin(-3, -5, 5));
    assert_option("option name O type spin", "O", OptionKind::Spin { default: None, min: None, max: None });
    assert_option(
        "option name O type spin default 4 max 9",
        "O",
        OptionKind::Spin { default: Some(4), min: None, max: Some(9) },
    );
    assert_option("option name O type check", "O", OptionKind::Check { default: None });
}

#[test]
fn names_may_hold_the_protocols_own_words() {
    assert_option(
        "option name Search type type check default true",
        "Search type",
        OptionKind::Check { default: Some(true) },
    );
    assert_option(
        "option name default min max type spin default 1 min 0 max 2",
        "default min max",
        spin(1, 0, 2),
    );
    assert_option("option name var name value type string default x", "var name value", string(Some("x")));
    assert_option("option name Log  File type string default a  b", "Log  File", string(Some("a  b")));
}

#[test]
fn texts_may_hold_blanks_and_the_protocols_own_words() {
    assert_option(
        "option name Book type combo default Main Book var Main Book var My default book var var",
        "Book",
        combo(Some("Main Book"), &["Main Book", "My default book", "var"]),
    );
    assert_option(
        "option name B type combo var A one var B default A one",
        "B",
        combo(Some("A one"), &["A one", "B"]),
    );
    assert_option(
        "option name P type string default c:\\my type spin default min 3",
        "P",
        string(Some("c:\\my type spin default min 3")),
    );
}

#[test]
fn an_empty_text_is_written_in_two_ways() {
    assert_option("option name SyzygyPath type string default <empty>", "SyzygyPath", string(Some("")));
    assert_option("option name SyzygyPath type string default", "SyzygyPath", string(Some("")));
    assert_option("option name SyzygyPath type string default ", "SyzygyPath", string(Some("")));
    assert_option("option name SyzygyPath type string", "SyzygyPath", string(None));
    assert_option(
        "option name C type combo default <empty> var <empty> var a",
        "C",
        combo(Some(""), &["", "a"]),
    );
    let (declared, quirks) = option("option name C type combo default var a var b");
    assert_eq!(declared.kind, combo(Some(""), &["a", "b"]));
    assert_eq!(quirks, ["option `C` does not allow its own default `<empty>`"]);
}

#[test]
fn broken_limits_and_defaults_are_noted() {
    let (declared, quirks) = option("option name O type spin default 50 min 1 max 9");
    assert_eq!(declared.kind, spin(50, 1, 9));
    assert_eq!(quirks, ["option `O` does not allow its own default `50`"]);
    let (declared, quirks) = option("option name O type spin default 5 min 9 max 1");
    assert_eq!(declared.kind, spin(5, 9, 1));
    assert_eq!(quirks, ["option `O` has a minimum above its maximum"]);
    let (declared, quirks) = option("option name O type spin default 1.5 min x max");
    assert_eq!(declared.kind, OptionKind::Spin { default: None, min: None, max: None });
    assert_eq!(quirks.len(), 3);
    let (declared, quirks) = option("option name O type check default maybe");
    assert_eq!(declared.kind, OptionKind::Check { default: None });
    assert_eq!(quirks, ["`default` with the unusable value `maybe`"]);
    assert_option("option name O type check default True", "O", OptionKind::Check { default: Some(true) });
    let (declared, quirks) = option("option name O type combo default x");
    assert_eq!(declared.kind, combo(Some("x"), &[]));
    assert_eq!(quirks.len(), 2);
}

#[test]
fn an_unknown_kind_can_be_set_like_a_string() {
    let (declared, quirks) = option("option name Net type file default a b.nnue");
    assert_eq!(declared, OptionDeclaration { name: "Net".into(), kind: string(Some("a b.nnue")) });
    assert_eq!(quirks, ["option `Net` is of the unknown kind `file`"]);
    assert_option("option name O type Spin default 1 min 0 max 2", "O", spin(1, 0, 2));
}

#[test]
fn a_line_that_declares_nothing_is_noted() {
    for line in [
        "option",
        "option name",
        "option name Foo",
        "option name Foo type",
        "option name type spin",
        "option Foo type spin",
    ] {
        let (message, quirks) = engine(line);
        assert_eq!((message, quirks.len()), (EngineMessage::Other, 1), "{line}");
    }
}

#[test]
fn values_are_checked_against_the_declaration() {
    let elo = option("option name UCI_Elo type spin default 1320 min 1320 max 3190").0;
    assert_eq!(elo.check("1320"), Ok(()));
    assert_eq!(elo.check("3190"), Ok(()));
    assert!(matches!(elo.check("1319"), Err(OptionValueError::OutOfRange { value: 1319, .. })));
    assert!(matches!(elo.check("3191"), Err(OptionValueError::OutOfRange { .. })));
    for value in ["", "1500.5", "high", "1500 1600"] {
        assert!(matches!(elo.check(value), Err(OptionValueError::NotANumber { .. })), "{value}");
    }
    let ponder = option("option name Ponder type check default false").0;
    assert_eq!((ponder.check("true"), ponder.check("False")), (Ok(()), Ok(())));
    assert!(matches!(ponder.check("yes"), Err(OptionValueError::NotABoolean { .. })));
    let style = option("option name Style type combo default Normal var Solid var Normal").0;
    assert_eq!(style.check("solid"), Ok(()));
    assert!(matches!(style.check("Wild"), Err(OptionValueError::NotAChoice { .. })));
    let clear = option("option name Clear Hash type button").0;
    assert_eq!(clear.check(""), Ok(()));
    assert!(matches!(clear.check("true"), Err(OptionValueError::ButtonWithValue { .. })));
    let path = option("option name SyzygyPath type string default <empty>").0;
    assert_eq!((path.check(""), path.check("/a b/value c")), (Ok(()), Ok(())));
    assert!(matches!(path.check("a\nquit"), Err(OptionValueError::LineBreak { .. })));
}

#[test]
fn a_missing_or_impossible_range_limits_nothing() {
    let open = option("option name O type spin default 4 min 0").0;
    assert_eq!(open.check("9223372036854775807"), Ok(()));
    assert!(open.check("-1").is_err());
    let impossible = option("option name O type spin default 4 min 9 max 1").0;
    assert_eq!(impossible.check("5"), Ok(()));
}

#[test]
fn a_value_is_sent_in_the_engines_own_spelling() {
    let sent = |line: &str, value: &str| option(line).0.set(value).unwrap().to_string();
    let style = "option name Style type combo default Normal var Solid var Normal";
    assert_eq!(sent(style, "SOLID"), "setoption name Style value Solid");
    assert_eq!(sent("option name Clear Hash type button", ""), "setoption name Clear Hash");
    assert_eq!(sent("option name Path type string", ""), "setoption name Path value <empty>");
    assert_eq!(sent("option name Ponder type check", "TRUE"), "setoption name Ponder value true");
    assert_eq!(sent("option name N type spin", " +7 "), "setoption name N value 7");
    let twins = option("option name C type combo default a var a var A").0;
    assert_eq!(twins.set("A"), Ok(GuiCommand::SetOption { name: "C".into(), value: Some("A".into()) }));
}

#[test]
fn names_compare_without_case() {
    let option = option("option name Clear Hash type button").0;
    assert!(option.is_named("clear hash"));
    assert!(!option.is_named("clearhash"));
}

#[test]
fn a_declaration_is_summed_up_for_people() {
    let summary = |line: &str| option(line).0.summary();
    assert_eq!(
        summary("option name E type spin default 1320 min 1320 max 3190"),
        "spin 1320..3190 (default 1320)"
    );
    assert_eq!(summary("option name E type spin min 5"), "spin 5..");
    assert_eq!(summary("option name E type spin"), "spin");
    assert_eq!(summary("option name E type check default true"), "check (default true)");
    assert_eq!(summary("option name E type combo default b var a var b"), "combo a, b (default b)");
    assert_eq!(summary("option name E type button"), "button");
    assert_eq!(summary("option name E type string default <empty>"), "string (default <empty>)");
}

#[test]
fn a_refusal_names_the_option_the_value_and_the_range() {
    let elo = option("option name UCI_Elo type spin default 1320 min 1320 max 3190").0;
    assert_eq!(
        elo.check("1200").unwrap_err().to_string(),
        "option `UCI_Elo` does not take 1200: the engine declares spin 1320..3190 (default 1320)\n\
         hint: choose a number within that range"
    );
}
