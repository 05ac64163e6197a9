use super::expression::{Circumstances, Expression, Name, nearest_thousandth, thousandths};
use super::*;

fn document(change: (&str, &str)) -> String {
    let text = include_str!("../../../../personalities/careless.json");
    assert!(change.0.is_empty() || text.contains(change.0), "{}", change.0);
    text.replacen(change.0, change.1, 1)
}

fn error(change: (&str, &str)) -> PersonalityError {
    Personality::parse(&document(change), "mine.json").unwrap_err()
}

#[test]
fn the_personalities_of_the_program_are_sound_and_named_as_they_are_asked_for() {
    for name in Personality::names() {
        let personality = Personality::built_in(name).unwrap().unwrap();
        assert_eq!(personality.name(), name);
        assert_eq!(personality.branches.len(), BLOCKS.len());
    }
    assert_eq!(Some(Personality::clean()), Personality::built_in("clean").map(Result::unwrap));
    assert!(Personality::built_in("reckless").is_none());
}

#[test]
fn the_example_of_the_documentation_is_sound() {
    let page = include_str!("../../../../docs/legible.md");
    let example = page.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!(Personality::parse(example, "docs/legible.md").unwrap().name(), "tidy");
}

#[test]
fn an_error_names_its_place_in_the_document() {
    let cases = [
        (
            ("\"queen\": 950", "\"queen\": 9.5"),
            "/graph/sum/0/arguments/queen",
            "found 9.5, expected a whole number",
        ),
        (("\"queen\": 950", "\"queen\": -1"), "/graph/sum/0/arguments/queen", "found -1"),
        (("\"queen\": 950", "\"qeen\": 950"), "/graph/sum/0/arguments/qeen", "this name means nothing here"),
        ((", \"queen\": 950", ""), "/graph/sum/0/arguments", "`queen` is missing"),
        (("\"rook\": 500", "\"knight\": 500"), "/graph/sum/0/arguments/knight", "this name is given twice"),
        (("mobility", "activity"), "/graph/sum/3/block", "no block is named `activity`"),
        (("mobility", "material"), "/graph/sum/3/block", "this block is there already"),
        (("safety * phase", "safety * fase"), "/graph/sum/2/gain", "column 10: `fase` is no name here"),
        (
            ("safety * phase", "safety * (phase"),
            "/graph/sum/2/gain",
            "column 16: expected `)`, found the end",
        ),
        (
            ("safety * phase", "safety phase"),
            "/graph/sum/2/gain",
            "column 8: expected an operator or the end",
        ),
        (("safety * phase", "0.0001"), "/graph/sum/2/gain", "column 1: expected a number with at most three"),
        (("\"gain\": 1,", "\"gain\": 1.0005,"), "/graph/sum/0/gain", "found 1.0005, expected a number"),
        (("\"gain\": 1,", "\"gain\": [],"), "/graph/sum/0/gain", "found a list of 0, expected a number"),
        (
            ("\"kind\": \"dice\"", "\"kind\": \"coin\""),
            "/modulators/dice/kind",
            "no modulator is of kind `coin`",
        ),
        (("\"seed\": 7", "\"seed\": 4294967296"), "/modulators/dice/seed", "expected a whole number from 0"),
        (("\"dice\": {", "\"care\": {"), "/modulators/care", "`care` is taken"),
        (("\"sharp\": {", "\"voice\": {"), "/parameters/voice", "`voice` is taken"),
        (("\"sharp\": {", "\"Sharp\": {"), "/parameters/Sharp", "found the name \"Sharp\""),
        (
            ("\"default_percent\": 100", "\"default_percent\": 301"),
            "/parameters/sharp/default_percent",
            "0 to 300",
        ),
        (("[4, 8, 18, 36, 64, 105]", "[4, 8]"), "/graph/sum/4/arguments/passed", "a list of 6"),
        (("64, 105]", "64, null]"), "/graph/sum/4/arguments/passed/5", "found null"),
        (("\"format_version\": 1", "\"format_version\": 2"), "/format_version", "found 2"),
        (("\"graph\": {", "\"graphs\": {"), "/graphs", "this name means nothing here"),
        (("\"sum\": [", "\"product\": ["), "/graph/product", "this name means nothing here"),
        (("{", "["), "", "not JSON"),
    ];
    for (change, path, message) in cases {
        let error = error(change);
        assert_eq!(error.path, path, "{change:?}: {error}");
        assert!(error.message.contains(message), "{change:?}: {error}");
        assert!(
            error.to_string().starts_with("mine.json: ") && error.to_string().contains("\nhint: "),
            "{error}"
        );
    }
    let empty = r#"{"format_version": 1, "name": "x", "graph": {"sum": []}}"#;
    assert_eq!(Personality::parse(empty, "x").unwrap_err().path, "/graph/sum");
    let long = format!("{}{}", document(("", "")), " ".repeat(70_000));
    assert!(Personality::parse(&long, "x").unwrap_err().message.contains("bytes"));
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(Personality::parse(&deep, "x").unwrap_err().message.contains("not JSON"));
}

fn computed(text: &str) -> i64 {
    let names = |name: &str| match name {
        "a" => Some(Name::Parameter(0)),
        "b" => Some(Name::Parameter(1)),
        "dice" => Some(Name::Modulator(0)),
        "phase" => Some(Name::Phase),
        "ply" => Some(Name::Ply),
        "side" => Some(Name::Side),
        "move_number" => Some(Name::MoveNumber),
        _ => None,
    };
    let mut given = Circumstances {
        ply: 40_000,
        move_number: 21_000,
        phase: 500,
        side: 1000,
        ..Circumstances::default()
    };
    given.modulators[0] = -250;
    let expression = Expression::compile(text, &names).unwrap();
    expression.with_parameters(&[300, 2000]).value(&given)
}

#[test]
fn expressions_are_computed_in_thousandths_with_the_usual_precedence() {
    let cases = [
        ("1 + 2 * 3", 7000),
        ("(1 + 2) * 3", 9000),
        ("10 - 2 - 3", 5000),
        ("-2 * -3", 6000),
        ("- (1 - 3)", 2000),
        ("a + 0.2 * dice", 250),
        ("b * phase", 1000),
        ("0.001 * 0.5", 1),
        ("-0.001 * 0.5", -1),
        ("0.001 * 0.499", 0),
        ("min(a, b) + max(a, b)", 2300),
        ("min(3, max(1, 2))", 2000),
        ("ply < 40", 0),
        ("ply <= 40", 1000),
        ("(ply >= 40) * 0.5 + (move_number > 20)", 1500),
        ("side", 1000),
        ("1000000 * 1000000", 1_000_000_000),
        ("0 - 1000000 * 2", -1_000_000_000),
        ("2*3", 6000),
    ];
    for (text, expected) in cases {
        assert_eq!(computed(text), expected, "{text}");
    }
    assert_eq!(
        Expression::compile("2 * 3 - 1", &|_| None).unwrap().with_parameters(&[]).constant(),
        Some(5000)
    );
}

#[test]
fn what_is_no_expression_is_refused_at_its_column() {
    for (text, column) in [
        ("", 1),
        ("1 +", 4),
        ("1 + * 2", 5),
        ("min(1)", 6),
        ("min 1, 2", 5),
        ("max(1, 2", 9),
        ("1 < 2 < 3", 7),
        ("é", 1),
        ("1.2.3", 1),
        ("1e3", 1),
        ("9999999", 1),
        (")", 1),
    ] {
        assert_eq!(Expression::compile(text, &|_| None).unwrap_err().column, column, "{text}");
    }
    let deep = format!("{}1{}", "(".repeat(90), ")".repeat(90));
    assert!(Expression::compile(&deep, &|_| None).is_err());
    let waiting = format!("{}1{}", "1+(".repeat(30), ")".repeat(30));
    assert!(Expression::compile(&waiting, &|_| None).is_err());
    assert!(Expression::compile(&"1+".repeat(150), &|_| None).is_err());
}

#[test]
fn decimals_are_read_exactly() {
    assert_eq!(thousandths("0.2"), Some(200));
    assert_eq!(thousandths("12.345"), Some(12_345));
    assert_eq!(thousandths("1000000"), Some(1_000_000_000));
    for text in ["1000000.001", "0.2000", "-1", ".5", "1.", "", "1e3", "12345678901234567890"] {
        assert_eq!(thousandths(text), None, "{text}");
    }
    assert_eq!([499, 500, -499, -500, 1500].map(nearest_thousandth), [0, 1, 0, -1, 2]);
}
