use std::time::Duration;

use super::*;
use crate::chess::{Adjudication, Ending};

fn control(text: &str) -> TimeControl {
    text.parse().unwrap()
}

#[test]
fn time_controls_are_read_and_written_as_pgn_writes_them() {
    for (text, moves, base_ms, increment_ms, pgn) in [
        ("10+0.1", None, 10_000, 100, "10+0.1"),
        ("2+0.02", None, 2_000, 20, "2+0.02"),
        ("0+5", None, 0, 5_000, "0+5"),
        ("40/5:00+3", Some(40), 300_000, 3_000, "40/300+3"),
        ("40/0:30.5", Some(40), 30_500, 0, "40/30.5"),
        (" 1:00 ", None, 60_000, 0, "60"),
        (".5", None, 500, 0, "0.5"),
    ] {
        let read = control(text);
        assert_eq!(read, TimeControl { moves, base_ms, increment_ms }, "{text}");
        assert_eq!(read.to_string(), pgn, "{text}");
        assert_eq!(control(pgn), read, "{text}");
    }
}

#[test]
fn what_is_no_time_control_is_refused_with_a_hint() {
    for text in
        ["", "0", "0+0", "-1", "1e3", "10+", "+", "0/10", "40/", "10 + 1", "1:2:3", "10.0001", "400000"]
    {
        let error = text.parse::<TimeControl>().unwrap_err().to_string();
        assert!(error.contains(&format!("`{text}`")) && error.contains("hint:"), "{text}: {error}");
    }
}

#[test]
fn the_increment_comes_after_each_move() {
    let mut clock = Clock::new(control("10+0.1"));
    assert_eq!(clock.told_ms(), 10_000);
    assert!(clock.spend(Duration::from_millis(1_000), Duration::ZERO));
    assert_eq!(clock.told_ms(), 9_100);
}

#[test]
fn an_increment_only_clock_starts_with_one_increment() {
    let mut clock = Clock::new(control("0+5"));
    assert_eq!(clock.told_ms(), 5_000);
    assert!(clock.spend(Duration::from_millis(4_000), Duration::ZERO));
    assert_eq!(clock.told_ms(), 6_000);
}

#[test]
fn the_base_is_added_again_after_the_moves_of_a_period() {
    let mut clock = Clock::new(control("2/10"));
    assert_eq!(clock.moves_to_go(), Some(2));
    assert!(clock.spend(Duration::from_secs(1), Duration::ZERO));
    assert_eq!((clock.moves_to_go(), clock.told_ms()), (Some(1), 9_000));
    assert!(clock.spend(Duration::from_secs(1), Duration::ZERO));
    assert_eq!((clock.moves_to_go(), clock.told_ms()), (Some(2), 18_000));
}

#[test]
fn a_move_within_the_margin_is_in_time_and_the_next_clock_is_told_as_one_millisecond() {
    let margin = Duration::from_millis(50);
    let mut clock = Clock::new(control("1"));
    assert!(clock.spend(Duration::from_millis(1_050), margin));
    assert_eq!(clock.left(), Duration::ZERO);
    assert_eq!(clock.told_ms(), 1);
    assert!(!clock.spend(Duration::from_millis(51), margin));
}

#[test]
fn limits_that_cannot_be_used_say_why() {
    let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    assert!(Limits::default().fault().unwrap().contains("no limit"));
    assert!(nodes(0).fault().unwrap().contains("zero"));
    assert_eq!(nodes(1).fault(), None);
    let both = Limits { tc: Some(control("1")), movetime_ms: Some(1), ..Limits::default() };
    assert!(both.fault().unwrap().contains("exclude"));
}

#[test]
fn terminations_survive_json() {
    for termination in [
        Termination::Rules(Ending::Checkmate),
        Termination::Rules(Ending::ThreefoldRepetition),
        Termination::Adjudicated(Adjudication::Resignation),
        Termination::Adjudicated(Adjudication::DrawAgreed),
        Termination::Adjudicated(Adjudication::MaximumLength),
        Termination::Fault(GameFault::TimeLoss),
        Termination::Fault(GameFault::StartFailure),
    ] {
        let json = serde_json::to_string(&termination).unwrap();
        assert_eq!(serde_json::from_str::<Termination>(&json).unwrap(), termination, "{json}");
    }
}
