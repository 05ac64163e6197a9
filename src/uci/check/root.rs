//! 3xx, second part: root positions that are special.

use std::time::Duration;

use super::bench::Bench;
use super::catalogue::{ANSWERS, Check};
use super::finding::Finding;
use super::places::{BLACK_AHEAD, MATE_IN_ONE, MATED, ONLY_MOVE, Place, STALEMATE, WHITE_AHEAD};
use super::session::Trouble;
use crate::chess::{Position as _, Score, parse_engine_move};

pub(super) const CHECKS: &[Check] = &[
    Check { number: 320, name: "mate in one", needs: &[ANSWERS], run: finds_mate },
    Check { number: 321, name: "go mate", needs: &[ANSWERS], run: searches_for_mate },
    Check { number: 322, name: "score from the side to move", needs: &[ANSWERS], run: scores_for_the_mover },
    Check { number: 323, name: "mated or stalemated root", needs: &[ANSWERS], run: survives_the_end },
    Check { number: 324, name: "only move", needs: &[ANSWERS], run: plays_an_only_move },
    Check { number: 325, name: "game of 600 plies", needs: &[ANSWERS], run: takes_a_long_game },
];

/// A score that leaves no doubt about who is ahead.
const CLEARLY: i32 = 200;

fn finds_mate(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let place = Place::at(MATE_IN_ONE);
    let search = bench.session()?.search(&place, "go depth 4")?;
    let token = &search.best.token;
    let mates = parse_engine_move(&place.chess, token).is_ok_and(|(m, _)| {
        let mut after = place.chess.clone();
        after.play_unchecked(m);
        after.is_checkmate()
    });
    let hint = "a mate in one is found at depth 2, played, and reported as `score mate 1`";
    Ok(match (mates, search.score_stm()) {
        (true, Some(Score::Mate(1))) => Finding::pass(format!("{token}, score mate 1")),
        (_, Some(Score::Mate(moves))) if moves < 0 => {
            Finding::fail(format!("{token}, score mate {moves} for the side that mates"), hint)
        }
        (_, Some(score)) => Finding::warn(format!("{token}, score {score}"), hint),
        (_, None) => Finding::warn(format!("{token}, no score"), hint),
    })
}

fn searches_for_mate(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    let started = session.begin(&Place::at(MATE_IN_ONE), "go mate 1")?;
    match session.finish(started, "go mate 1", Duration::from_secs(1)) {
        Ok(search) => {
            let elapsed = search.elapsed.as_secs_f64() * 1000.0;
            let text = format!("answered {} after {elapsed:.1} ms", search.best.token);
            Ok(Finding::pass(text).with("answer_ms", elapsed))
        }
        Err(Trouble::Overdue { .. }) => Ok(Finding::warn(
            "no answer within 1000 ms, one after `stop`",
            "end the search when a mate within that many moves is proved",
        )),
        Err(trouble) => Err(trouble),
    }
}

fn scores_for_the_mover(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    let white = session.search(&Place::at(WHITE_AHEAD), "go depth 4")?.score_stm();
    session.ping_after("ucinewgame\n")?;
    let black = session.search(&Place::at(BLACK_AHEAD), "go depth 4")?.score_stm();
    let (Some(white), Some(black)) = (white, black) else {
        return Ok(Finding::not_applicable("reports no score"));
    };
    let text = format!("a queen ahead and to move: White {white}, Black {black}");
    let hint = "scores in `info` are from the side to move, whoever that is";
    Ok(if white.at_most_minus(CLEARLY) || black.at_most_minus(CLEARLY) {
        Finding::fail(text, hint)
    } else if white.at_least(CLEARLY) && black.at_least(CLEARLY) {
        Finding::pass(text)
    } else {
        Finding::warn(text, "its scores do not show that a queen more is better")
    })
}

fn survives_the_end(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    let mut answers = Vec::new();
    let mut moves = 0;
    for (what, fen) in [("mated", MATED), ("stalemated", STALEMATE)] {
        let search = session.search(&Place::at(fen), "go depth 2")?;
        session.ping_after("")?;
        moves += u32::from(search.best.best_move.is_some());
        answers.push(format!("{what}: {}", search.best.token));
    }
    let text = answers.join(", ");
    Ok(if moves == 0 {
        Finding::pass(text)
    } else {
        Finding::warn(text, "answer `bestmove (none)` or `bestmove 0000` where there is no move")
    })
}

fn plays_an_only_move(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    let mut times = Vec::new();
    for go in ["go depth 4", "go nodes 2000", "go movetime 50"] {
        let search = session.search(&Place::at(ONLY_MOVE), go)?;
        times.push(format!("{:.1} ms after `{go}`", search.elapsed.as_secs_f64() * 1000.0));
    }
    Ok(Finding::pass(format!("answered {}", times.join(", "))))
}

fn takes_a_long_game(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(150);
    let place = Place::after(&moves);
    let session = bench.session()?;
    session.search(&place, "go depth 2")?;
    session.ping_after("")?;
    let length = place.command.len();
    Ok(Finding::pass(format!("answered a position command of {length} bytes"))
        .with("command_bytes", length as f64))
}
