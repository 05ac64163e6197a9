//! 4xx: `stop` and `isready`, during a search and without one.

use std::time::{Duration, Instant};

use super::bench::{AFTERWARDS, Bench};
use super::catalogue::{ANSWERS, Check, READY, STOPS};
use super::finding::Finding;
use super::places::{MIDDLEGAME, Place};
use super::session::{Heard, Session, Trouble, count_best_moves};

pub(super) const CHECKS: &[Check] = &[
    Check { number: STOPS, name: "stop latency", needs: &[ANSWERS], run: stops_soon },
    Check { number: 402, name: "isready during a search", needs: &[STOPS], run: answers_isready_meanwhile },
    Check { number: 403, name: "stop without a search", needs: &[READY], run: survives_idle_stop },
    Check { number: 404, name: "stop twice", needs: &[STOPS], run: answers_two_stops_once },
    Check { number: 405, name: "new position after stop", needs: &[STOPS], run: takes_the_next_position },
];

/// How often the latency is measured.
const TRIES: usize = 7;
/// A median that costs games at fast controls.
const SLOW_MS: f64 = 50.0;
/// How long a search runs before it is stopped.
const RUNNING: Duration = Duration::from_millis(20);

/// Lets an endless search run for a moment. `false` when it answered on its own: then there is
/// nothing to stop.
fn run_endless(session: &mut Session, place: &Place) -> Result<bool, Trouble> {
    session.begin(place, "go infinite")?;
    let mut lines = Vec::new();
    // The clock starts with the first sign of the search, for engines that are slow to begin.
    lines.extend(session.hear(Instant::now() + 10 * RUNNING, "go infinite")?);
    lines.extend(session.gather(RUNNING)?);
    Ok(count_best_moves(&lines) == 0)
}

fn answered_before() -> Finding {
    Finding::not_applicable("answered before `stop`: see 305")
}

fn stops_soon(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    let mut times = Vec::new();
    for _ in 0..TRIES {
        if !run_endless(session, &Place::at(MIDDLEGAME))? {
            return Ok(answered_before());
        }
        times.push(session.stop()?.1.as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    let median = times.get(TRIES / 2).copied().unwrap_or_default();
    let worst = times.last().copied().unwrap_or_default();
    let text = format!("bestmove {median:.1} ms after `stop` (median of {TRIES}), {worst:.1} ms at most");
    let finding = if median > SLOW_MS {
        Finding::warn(text, "look for input, or read it in a thread of its own, every few milliseconds")
    } else {
        Finding::pass(text)
    };
    Ok(finding.with("median_ms", median).with("worst_ms", worst))
}

fn answers_isready_meanwhile(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    if !run_endless(session, &Place::at(MIDDLEGAME))? {
        return Ok(answered_before());
    }
    let sent = Instant::now();
    session.send("isready\n")?;
    let wait = session.deadlines.stop();
    let heard = session.until("isready", wait, |line| line.is_ready() || line.is_best_move());
    let answered = match &heard {
        Ok(lines) => lines.last().filter(|line| line.is_ready()),
        Err(Trouble::Silent { .. }) => None,
        Err(trouble) => return Err(trouble.clone()),
    };
    let Some(answer) = answered else {
        return Ok(Finding::fail(
            format!("no readyok within {} ms while it searches", wait.as_millis()),
            "answer `isready` at once, also during a search, and go on searching",
        ));
    };
    let took = answer.at.saturating_duration_since(sent).as_secs_f64() * 1000.0;
    session.stop()?;
    Ok(Finding::pass(format!("readyok after {took:.1} ms, then bestmove after `stop`"))
        .with("answer_ms", took))
}

fn survives_idle_stop(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    let (lines, _) = session.ping_after("stop\n")?;
    Ok(match lines.iter().find(|line| line.is_best_move()) {
        None => Finding::pass("readyok, no bestmove"),
        Some(line) => Finding::fail(
            format!("`{}` though nothing was searched", line.text),
            "ignore `stop` without a search: the next search would be given that move",
        ),
    })
}

fn answers_two_stops_once(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    let mut counts = Vec::new();
    for text in ["stop\n", "stop\nstop\n"] {
        if !run_endless(session, &Place::at(MIDDLEGAME))? {
            return Ok(answered_before());
        }
        session.send(text)?;
        let mut lines = session.until("stop", session.deadlines.stop(), Heard::is_best_move)?;
        lines.extend(session.ping_after("")?.0);
        lines.extend(session.gather(AFTERWARDS)?);
        counts.push(count_best_moves(&lines));
    }
    Ok(match counts.as_slice() {
        [1, 1] => Finding::pass("one bestmove"),
        [1, twice] => Finding::fail(
            format!("{twice} bestmoves"),
            "ignore a second `stop`: the next search would be given that move",
        ),
        _ => Finding::not_applicable("one `stop` has several answers: see 501"),
    })
}

fn takes_the_next_position(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    let (old, new) = (Place::start(), Place::after(&["e2e4"]));
    if !run_endless(session, &old)? {
        return Ok(answered_before());
    }
    session.stop()?;
    let token = session.search(&new, "go depth 2")?.best.token;
    Ok(if !new.allows(&token) && old.allows(&token) {
        Finding::fail(
            format!("answered {token}, a move of the position before"),
            "forget everything of a stopped search when `position` comes",
        )
    } else {
        Finding::pass(format!("answered {token} in the new position"))
    })
}
