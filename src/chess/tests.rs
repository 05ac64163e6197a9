use super::*;

fn play(start: &str, moves: &str) -> Game {
    let start =
        if start == "startpos" { StartPosition::standard() } else { StartPosition::from_fen(start).unwrap() };
    let mut game = Game::new(start);
    for text in moves.split_whitespace() {
        let (m, _) = parse_engine_move(game.position(), text).unwrap();
        game.play(m);
    }
    game
}

#[test]
fn mate_on_the_hundredth_ply_is_mate() {
    let game = play("6k1/5ppp/8/8/8/8/8/R6K w - - 99 80", "a1a8");
    assert_eq!(game.ending(), Some(Ending::Checkmate));
    assert_eq!(game.outcome(Ending::Checkmate), Outcome::White);
}

#[test]
fn the_hundredth_quiet_ply_is_a_draw_at_once() {
    let game = play("6k1/5ppp/8/8/8/8/8/R6K w - - 99 80", "a1b1");
    assert_eq!(game.ending(), Some(Ending::FiftyMoves));
}

#[test]
fn stalemate_comes_before_fifty_moves() {
    let stalemate = play("k7/2Q5/2K5/8/8/8/8/8 b - - 99 80", "");
    assert_eq!(stalemate.ending(), Some(Ending::Stalemate));
}

#[test]
fn fifty_moves_come_before_material_and_material_before_repetition() {
    assert_eq!(play("8/8/4k3/8/8/3NK3/8/8 w - - 100 90", "").ending(), Some(Ending::FiftyMoves));
    assert_eq!(play("8/8/4k3/8/8/3NK3/8/8 w - - 0 90", "").ending(), Some(Ending::InsufficientMaterial));
}

#[test]
fn the_third_time_a_position_stands_is_a_draw_and_the_second_is_not() {
    let there_and_back = "g1f3 g8f6 f3g1 f6g8";
    assert_eq!(play("startpos", there_and_back).ending(), None);
    let twice = format!("{there_and_back} {there_and_back}");
    assert_eq!(play("startpos", &twice).ending(), Some(Ending::ThreefoldRepetition));
}

#[test]
fn a_lost_castling_right_makes_another_position() {
    let start = "4k2r/8/8/8/8/8/8/4K3 b k - 0 1";
    // The rook leaves and comes back: the first position had the right, the later ones not.
    let once = "h8h7 e1d1 h7h8 d1e1";
    assert_eq!(play(start, &format!("{once} {once}")).ending(), None);
    assert_eq!(play(start, &format!("{once} {once} {once}")).ending(), Some(Ending::ThreefoldRepetition));
}

#[test]
fn engine_moves_are_read_in_either_case_and_refused_with_their_reason() {
    let position = StartPosition::from_fen("8/4P2k/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    let read = |text| parse_engine_move(position.position(), text);
    assert_eq!(read("E7E8Q").unwrap().1, Some(MoveQuirk::UpperCase));
    assert_eq!(read("e7e8q").unwrap().1, None);
    assert_eq!(read("e7e8"), Err(UciMoveError::PromotionLetterMissing));
    assert_eq!(read("e1e3"), Err(UciMoveError::Illegal));
    assert_eq!(read("e7"), Err(UciMoveError::Malformed));
    assert_eq!(read("P@e4"), Err(UciMoveError::Illegal));
    assert_eq!(read("h7h8"), Err(UciMoveError::Illegal));
}

#[test]
fn castling_is_understood_in_both_notations() {
    let position = StartPosition::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    let (short, _) = parse_engine_move(position.position(), "e1g1").unwrap();
    let (rook, _) = parse_engine_move(position.position(), "e1h1").unwrap();
    assert_eq!(short, rook);
    assert_eq!(uci(short, CastlingMode::Standard), "e1g1");
    assert_eq!(uci(short, CastlingMode::Chess960), "e1h1");
}

#[test]
fn chess960_is_recognised_by_its_castling_rights() {
    let shredder = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let start = StartPosition::from_fen(shredder).unwrap();
    assert_eq!(start.castling_mode(), CastlingMode::Chess960);
    assert_eq!(StartPosition::from_fen(&start.fen()).unwrap(), start);
    assert_eq!(StartPosition::standard().castling_mode(), CastlingMode::Standard);
}

#[test]
fn an_opening_with_a_right_but_no_rook_in_the_corner_is_not_taken_for_chess960() {
    let moved_rook = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKBR1 w KQkq - 2 2";
    let error = StartPosition::from_opening_fen(moved_rook).unwrap_err().to_string();
    assert!(error.contains("castling right `K`"), "{error}");
    let named = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKBR1 w GAha - 2 2";
    assert_eq!(StartPosition::from_opening_fen(named).unwrap().castling_mode(), CastlingMode::Chess960);
    let elsewhere = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9";
    assert!(StartPosition::from_opening_fen(elsewhere).is_ok());
}

#[test]
fn positions_no_game_reaches_are_refused() {
    for fen in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
        "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
        "hello",
        "",
    ] {
        assert!(StartPosition::from_fen(fen).is_err(), "{fen}");
    }
}

#[test]
fn an_en_passant_square_is_kept_only_where_the_capture_is_legal() {
    let useless = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert!(StartPosition::from_fen(useless).unwrap().fen().contains(" KQkq - "));
    let useful = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert!(StartPosition::from_fen(useful).unwrap().fen().contains(" KQkq e3 "));
}

fn rules() -> AdjudicationRules {
    AdjudicationRules {
        resign: Some(ResignRule { moves: 2, score_cp: 500 }),
        draw: Some(DrawRule { from_move: 10, moves: 2, score_cp: 10 }),
        max_plies: Some(50),
    }
}

/// Feeds plies by turns, White first, with the mover's score, and returns when the game ended.
fn adjudicate(
    mut adjudicator: Adjudicator,
    scores: &[Option<Score>],
    irreversible: &[usize],
) -> Option<(usize, Adjudication, Outcome)> {
    scores.iter().enumerate().find_map(|(index, &score_mover)| {
        let ply = PlyReport {
            mover: if index % 2 == 0 { Color::White } else { Color::Black },
            score_mover,
            irreversible: irreversible.contains(&index),
            full_move: 10 + u32::try_from(index).unwrap() / 2,
        };
        adjudicator.after_ply(ply).map(|(why, outcome)| (index + 1, why, outcome))
    })
}

fn cp(values: &[i32]) -> Vec<Option<Score>> {
    values.iter().map(|&value| Some(Score::Cp(value))).collect()
}

#[test]
fn resignation_needs_both_scores_for_the_whole_count() {
    let both = |scores: &[i32]| adjudicate(Adjudicator::new(rules(), true, true), &cp(scores), &[]);
    assert_eq!(both(&[600, -600, 600, -600]), Some((4, Adjudication::Resignation, Outcome::White)));
    assert_eq!(both(&[600, -400, 600, -400, 600, -400]), None);
    assert_eq!(both(&[600, -600, 499, -600, 600, -600]), None);
    assert_eq!(both(&[-500, 500, -500, 500]), Some((4, Adjudication::Resignation, Outcome::Black)));
}

#[test]
fn a_mate_counts_as_a_resignable_score_and_no_score_does_not() {
    let mate = [Some(Score::Mate(5)), Some(Score::Mate(-5)), Some(Score::Mate(4)), Some(Score::Mate(-4))];
    let ended = adjudicate(Adjudicator::new(rules(), true, true), &mate, &[]);
    assert_eq!(ended, Some((4, Adjudication::Resignation, Outcome::White)));
    let silent = [Some(Score::Cp(900)), None, Some(Score::Cp(900)), None];
    assert_eq!(adjudicate(Adjudicator::new(rules(), true, true), &silent, &[]), None);
}

#[test]
fn where_one_score_counts_that_side_can_resign_but_not_claim_a_win() {
    let black_limited = || Adjudicator::new(rules(), true, false);
    let lost = cp(&[-600, 0, -600, 0]);
    assert_eq!(adjudicate(black_limited(), &lost, &[]), Some((3, Adjudication::Resignation, Outcome::Black)));
    let won = cp(&[900, -900, 900, -900, 900, -900]);
    assert_eq!(adjudicate(black_limited(), &won, &[]), None);
    assert_eq!(adjudicate(Adjudicator::new(rules(), false, false), &lost, &[]), None);
}

#[test]
fn a_draw_is_given_after_quiet_level_moves_of_both_and_an_irreversible_move_starts_it_anew() {
    let both = || Adjudicator::new(rules(), true, true);
    let level = cp(&[0, 5, -10, 10, 0, 0, 0, 0]);
    assert_eq!(adjudicate(both(), &level, &[]), Some((4, Adjudication::DrawAgreed, Outcome::Draw)));
    assert_eq!(adjudicate(both(), &level, &[2]), Some((7, Adjudication::DrawAgreed, Outcome::Draw)));
    assert_eq!(adjudicate(both(), &cp(&[0, 0, 11, 0, 0, 0, 0]), &[]).map(|end| end.0), Some(7));
    assert_eq!(adjudicate(Adjudicator::new(rules(), true, false), &level, &[]), None);
}

#[test]
fn the_longest_game_is_a_draw() {
    let only_length = AdjudicationRules { max_plies: Some(3), ..AdjudicationRules::default() };
    let ended = adjudicate(Adjudicator::new(only_length, true, true), &cp(&[0, 900, 0, 900]), &[]);
    assert_eq!(ended, Some((3, Adjudication::MaximumLength, Outcome::Draw)));
}

#[test]
fn scores_print_as_pgn_comments_have_them() {
    for (score, text) in [
        (Score::Cp(34), "+0.34"),
        (Score::Cp(-120), "-1.20"),
        (Score::Cp(0), "+0.00"),
        (Score::Cp(-5), "-0.05"),
        (Score::Mate(5), "+M5"),
        (Score::Mate(-3), "-M3"),
        (Score::Cp(i32::MIN), "-21474836.48"),
    ] {
        assert_eq!(score.to_string(), text);
    }
}
