use super::facts::Facts;
use super::sentences::{Mover, describe};
use super::speaker::{Scene, Speaker, Voice};
use crate::chess::{Bound, Chess, Score, StartPosition, parse_engine_move};
use crate::engines::kit::control::Report;
use crate::engines::legible::Personality;
use crate::engines::legible::evaluation::Evaluator;

fn chess(fen: &str) -> Chess {
    StartPosition::from_fen(fen).unwrap().position().clone()
}

fn clean() -> Evaluator {
    Evaluator::new(&Personality::clean())
}

fn described(mover: Mover, fen: &str, m: &str) -> String {
    let before = chess(fen);
    let m = parse_engine_move(&before, m).unwrap().0;
    describe(mover, &Facts::new(&before, m, &clean()))
}

#[test]
fn every_kind_of_move_is_told_as_what_it_is() {
    let cases = [
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "e2e3",
            "I move my pawn from e2 to e3.",
            "You moved your pawn from e2 to e3.",
        ),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "I castle kingside.", "You castled kingside."),
        ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", "I castle queenside.", "You castled queenside."),
        (
            "8/P3k3/8/8/8/8/8/4K3 w - - 0 1",
            "a7a8q",
            "I promote my pawn to a queen on a8.",
            "You promoted your pawn to a queen on a8.",
        ),
        (
            "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            "a7b8n",
            "I take your loose knight on b8 with my pawn and promote it to a knight.",
            "You took my loose knight on b8 with your pawn and promoted it to a knight.",
        ),
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "e5d6",
            "I take your pawn on d5 with my pawn en passant.",
            "You took my pawn on d5 with your pawn en passant.",
        ),
        (
            "4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1",
            "d1d7",
            "I take your pawn on d7 with my rook.",
            "You took my pawn on d7 with your rook.",
        ),
        (
            "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1",
            "d1d5",
            "I take your loose knight on d5 with my rook.",
            "You took my loose knight on d5 with your rook.",
        ),
    ];
    for (fen, m, engine, opponent) in cases {
        assert!(described(Mover::Engine, fen, m).starts_with(engine), "{}", described(Mover::Engine, fen, m));
        assert!(described(Mover::Opponent, fen, m).starts_with(opponent), "{fen} {m}");
    }
}

#[test]
fn what_a_move_does_is_said_after_it() {
    let cases = [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", "I move my rook from d1 to d8. It is checkmate."),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", "I move my queen from f1 to f7. It is stalemate."),
        (
            "4k3/8/8/8/8/8/P7/R3K3 w - - 0 1",
            "a1d1",
            "I move my rook from a1 to d1. My rook is on the open d-file.",
        ),
        // The fork: check, and the rook is loose.
        (
            "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1",
            "d5c7",
            "I move my knight from d5 to c7. It gives check. It attacks your rook on a8, which is loose.",
        ),
        // Both stay loose on their squares: a queen and a knight that a pawn attacks.
        (
            "4k3/8/2q1n3/8/3P4/8/8/4K3 w - - 0 1",
            "d4d5",
            "I move my pawn from d4 to d5. It attacks your queen on c6 and knight on e6, which are loose. My pawn on d5 stands in the centre.",
        ),
        // The knight on d4 was attacked by a pawn and leaves.
        (
            "4k3/8/8/4p3/3N4/8/8/4K3 w - - 0 1",
            "d4f3",
            "I move my knight from d4 to f3. My knight was loose on d4 and is not on f3.",
        ),
        // The bishop on c4 was attacked by the rook; b3 guards it.
        (
            "2r1k3/8/8/8/2B5/8/1P6/4K3 w - - 0 1",
            "b2b3",
            "I move my pawn from b2 to b3. My bishop on c4 was loose and is not any more.",
        ),
    ];
    for (fen, m, text) in cases {
        assert_eq!(described(Mover::Engine, fen, m), text);
    }
    // A block past its threshold, where there is no board fact.
    let opened =
        described(Mover::Opponent, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e3");
    assert_eq!(
        opened,
        "You moved your pawn from e2 to e3. Your pieces have more room: mobility up 35 centipawns."
    );
}

fn report(position: &Chess, line: &[&str], score: Score) -> Report {
    let mut at = position.clone();
    let mut variation = Vec::new();
    for text in line {
        let m = parse_engine_move(&at, text).unwrap().0;
        crate::chess::Position::play_unchecked(&mut at, m);
        variation.push(m);
    }
    Report { depth: 1, selective_depth: 1, score, bound: Bound::Exact, nodes: 1, hash_permille: 0, variation }
}

/// What is said at each of several scenes: position, line, score.
fn said(voice: Voice, scenes: &[(&str, &[&str], Score)]) -> Vec<Vec<String>> {
    let (evaluator, mut speaker) = (clean(), Speaker::default());
    scenes
        .iter()
        .map(|(fen, line, score)| {
            let position = chess(fen);
            let report = report(&position, line, *score);
            speaker.speak(
                voice,
                &Scene { evaluator: &evaluator, last: None, position: &position, report: &report },
            )
        })
        .collect()
}

const QUIET_MOVE: [&str; 1] = ["g1h1"];

fn ending(number: u32) -> String {
    format!("6k1/8/8/8/8/8/8/6K1 w - - 0 {number}")
}

#[test]
fn who_stands_better_is_said_when_the_word_changes() {
    let fens: Vec<_> = (1..=6).map(ending).collect();
    let scores = [0, 35, 41, 25, -50, -50];
    let scenes: Vec<_> =
        fens.iter().zip(scores).map(|(fen, cp)| (fen.as_str(), &QUIET_MOVE[..], Score::Cp(cp))).collect();
    let standing: Vec<_> = said(Voice::Narrate, &scenes)
        .into_iter()
        .map(|lines| {
            lines.into_iter().find_map(|line| line.strip_prefix("says standing: ").map(str::to_owned))
        })
        .collect();
    let text = |text: &str| Some(text.to_owned());
    let expected = [
        text("We are about equal."),
        None,
        text("I am slightly better."),
        None,
        text("You are slightly better."),
        None,
    ];
    assert_eq!(standing, expected);
}

#[test]
fn mates_are_said_for_either_side() {
    let fens: Vec<_> = (1..=3).map(ending).collect();
    let scenes = [
        (fens[0].as_str(), &QUIET_MOVE[..], Score::Mate(3)),
        (&fens[1], &QUIET_MOVE, Score::Mate(2)),
        (&fens[2], &QUIET_MOVE, Score::Mate(-2)),
    ];
    let quiet = said(Voice::Quiet, &scenes);
    assert_eq!(quiet[0], ["says standing: I have a forced mate in 3."]);
    assert!(quiet[1].is_empty(), "said when it happened: {:?}", quiet[1]);
    assert_eq!(quiet[2], ["says standing: You have a forced mate in 2."]);
    let mated = said(Voice::Quiet, &[("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", &[], Score::Mate(0))]);
    assert_eq!(mated, [["says standing: You have checkmated me."]]);
    let stalemated = said(Voice::Quiet, &[("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &[], Score::Cp(0))]);
    assert_eq!(stalemated, [["says standing: It is stalemate: I have no move."]]);
}

#[test]
fn the_quiet_voice_says_what_happened_and_then_rests_but_never_for_what_is_always_said() {
    // A rook to an open file is ordinary; a loose piece taken is always said.
    let rook = |number: u32| format!("4k3/8/8/8/8/8/P7/R3K3 w - - 0 {number}");
    let take = |number: u32| format!("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 {number}");
    let fens = [rook(1), rook(2), take(3), rook(4), rook(5), rook(6)];
    let line = |fen: &str| if fen.contains('n') { ["d1d5"] } else { ["a1d1"] };
    let (evaluator, mut speaker) = (clean(), Speaker::default());
    let mut counts = Vec::new();
    for fen in &fens {
        let position = chess(fen);
        let report = report(&position, &line(fen), Score::Cp(0));
        let scene = Scene { evaluator: &evaluator, last: None, position: &position, report: &report };
        counts.push(speaker.speak(Voice::Quiet, &scene).len());
    }
    // The second waits; the third is said at once; then three moves of rest.
    assert_eq!(counts, [1, 0, 1, 0, 0, 1]);
    assert!(said(Voice::Off, &[(&fens[2], &["d1d5"], Score::Cp(0))])[0].is_empty());
    // Every move is told by the other voice.
    assert_eq!(said(Voice::Narrate, &[(&fens[0], &["a1d1"], Score::Cp(0))])[0].len(), 2);
}

#[test]
fn a_game_taken_back_or_begun_anew_starts_the_words_anew() {
    let fens = [ending(9), ending(3)];
    let lines =
        said(Voice::Narrate, &[(&fens[0], &QUIET_MOVE, Score::Cp(0)), (&fens[1], &QUIET_MOVE, Score::Cp(0))]);
    assert_eq!(lines[0].len(), 2);
    assert_eq!(lines[1], lines[0]);
}
