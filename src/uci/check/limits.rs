//! 3xx, first part: whether a search keeps to what `go` says.

use std::time::{Duration, Instant};

use super::bench::Bench;
use super::catalogue::{ANSWERS, Check, READY};
use super::finding::{Finding, Verdict};
use super::places::{MIDDLEGAME, ONLY_MOVE, Place};
use super::session::{Heard, Trouble};
use crate::uci::process::{Asked, LimitUse, Searched, is_decisive};

pub(super) const CHECKS: &[Check] = &[
    Check { number: ANSWERS, name: "answers go", needs: &[READY], run: answers_go },
    Check { number: 302, name: "go depth", needs: &[ANSWERS], run: keeps_to_depth },
    Check { number: 303, name: "go nodes", needs: &[ANSWERS], run: keeps_to_nodes },
    Check { number: 304, name: "go movetime", needs: &[ANSWERS], run: keeps_to_movetime },
    Check { number: 305, name: "go infinite waits for stop", needs: &[ANSWERS], run: waits_for_stop },
    Check { number: 306, name: "go searchmoves", needs: &[ANSWERS], run: keeps_to_searchmoves },
    Check { number: 307, name: "MultiPV", needs: &[ANSWERS], run: gives_many_lines },
    Check { number: 308, name: "go ponder waits for ponderhit", needs: &[ANSWERS], run: waits_for_ponderhit },
    Check { number: 309, name: "position and go with CRLF", needs: &[ANSWERS], run: understands_crlf },
];

/// How late an answer may be before games are lost by it: elometer's own margin.
pub(super) const MARGIN_MS: f64 = 50.0;
/// The node limits that are asked for.
const NODE_LIMITS: [u64; 4] = [1, 100, 1_000, LARGEST_NODES];
const LARGEST_NODES: u64 = 20_000;

fn answers_go(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    let search = session.search(&Place::start(), "go depth 1")?;
    session.ping_after("")?;
    let elapsed = search.elapsed.as_secs_f64() * 1000.0;
    Ok(Finding::pass(format!("bestmove {elapsed:.1} ms after `go depth 1`, then readyok"))
        .with("answer_ms", elapsed))
}

fn keeps_to_depth(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    let (mut above, mut below, mut reported) = (0, 0, Vec::new());
    let mut depths = Vec::new();
    for depth in [1, 3, 5] {
        let search = session.search(&Place::at(MIDDLEGAME), &format!("go depth {depth}"))?;
        let Some(found) = search.depth() else {
            return Ok(Finding::not_applicable("reports no depth with a score"));
        };
        if !search.score_stm().is_some_and(is_decisive) {
            depths.push(found);
        }
        above += u32::from(found > depth);
        below += u32::from(found < depth);
        reported.push(format!("{depth}: {found}"));
    }
    let text = format!("asked: reported depth {}", reported.join(", "));
    let ignores_depth = depths.len() > 1 && depths.iter().all(|depth| depths.first() == Some(depth));
    Ok(if ignores_depth {
        Finding::fail(
            format!("{text}: ignores `go depth`"),
            "search to the depth asked for: a rating at a depth means nothing otherwise",
        )
    } else if above > 0 {
        Finding::fail(text, "finish no iteration deeper than `go depth` says")
    } else if below > 0 {
        Finding::warn(text, "search and report every iteration up to the depth asked for")
    } else {
        Finding::pass(text)
    })
}

fn keeps_to_nodes(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    let (mut verdict, mut reported, mut worst) = (Verdict::Pass, Vec::new(), 0.0_f64);
    let (mut too_few, mut last) = (Vec::new(), 0);
    for limit in NODE_LIMITS {
        session.ping_after("ucinewgame\n")?;
        let search = session.search(&Place::at(MIDDLEGAME), &format!("go nodes {limit}"))?;
        let Some(found) = search.nodes() else {
            return Ok(Finding::not_applicable("reports no nodes"));
        };
        let asked = Asked { nodes: Some(limit), ..Asked::default() };
        let searched = Searched { nodes: Some(found), ..Searched::default() };
        // The root has many moves; a mate found, a tablebase or less than one node is honest.
        let is_honest = limit == 1 || search.score_stm().is_some_and(is_decisive);
        if asked.use_by(&searched) == Some(LimitUse::Below) && !is_honest {
            too_few.push(limit);
        }
        last = found;
        let over = found.saturating_sub(limit);
        if over > (limit * 3).max(100_000) {
            verdict = Verdict::Fail;
        } else if over > (limit / 10).max(2_048) && verdict == Verdict::Pass {
            verdict = Verdict::Warn;
        }
        worst = worst.max(over as f64);
        reported.push(format!("{limit}: {found}"));
    }
    let text = format!("asked: reported nodes {}", reported.join(", "));
    let finding = if too_few.contains(&LARGEST_NODES) {
        Finding::fail(
            format!("{text}: ignores `go nodes`"),
            "search until the limit is reached; until then use `go depth` or `go movetime` for this engine",
        )
    } else if !too_few.is_empty() && verdict == Verdict::Pass {
        Finding::warn(text, "search until the node limit is reached, however small it is")
    } else {
        let hint = "look at the node limit at least every 1024 nodes, in quiescence search too";
        Finding::judged(verdict, text, hint)
    };
    Ok(finding.with("worst_overshoot_nodes", worst).with("at_limit_20000_nodes", last as f64))
}

fn keeps_to_movetime(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    let (mut best, mut worst) = (f64::MAX, f64::MIN);
    let mut always_early = true;
    for time in [50_u32, 100, 50, 100] {
        let search = session.search(&Place::at(MIDDLEGAME), &format!("go movetime {time}"))?;
        let asked = Asked { time_ms: Some(u64::from(time)), ..Asked::default() };
        let elapsed = u64::try_from(search.elapsed.as_millis()).unwrap_or(u64::MAX);
        let searched = Searched { time_ms: Some(elapsed), ..Searched::default() };
        let is_honest = search.score_stm().is_some_and(is_decisive);
        always_early &= asked.use_by(&searched) == Some(LimitUse::Below) && !is_honest;
        let over = search.elapsed.as_secs_f64() * 1000.0 - f64::from(time);
        best = best.min(over);
        worst = worst.max(over);
    }
    let text = format!("answers {best:+.1} to {worst:+.1} ms from the time given, 50 and 100 ms");
    let hint = "keep some milliseconds back and look at the clock more often; 50 ms late is a loss on time";
    let finding = if always_early {
        Finding::warn(
            format!("{text}: below a tenth of it"),
            "search until the time is up; a rating at a time a move means nothing otherwise",
        )
    } else {
        Finding::judged(lateness(best, worst), text, hint)
    };
    Ok(finding.with("best_overshoot_ms", best).with("worst_overshoot_ms", worst))
}

/// Late in the best of several tries is the engine's fault; in the worst only, perhaps the
/// machine's.
pub(super) fn lateness(best_over_ms: f64, worst_over_ms: f64) -> Verdict {
    if best_over_ms > MARGIN_MS {
        Verdict::Fail
    } else if worst_over_ms > MARGIN_MS {
        Verdict::Warn
    } else {
        Verdict::Pass
    }
}

fn waits_for_stop(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    for (what, place) in [("the initial position", Place::start()), ("an only move", Place::at(ONLY_MOVE))] {
        let started = session.begin(&place, "go infinite")?;
        let lines = session.gather(Duration::from_millis(200))?;
        if let Some(answer) = lines.iter().find(|line| line.is_best_move()) {
            let after = answer.at.saturating_duration_since(started).as_secs_f64() * 1000.0;
            return Ok(Finding::fail(
                format!("bestmove {after:.1} ms after `go infinite` in {what}, without `stop`"),
                "hold the answer back until `stop`, however soon the search is over",
            ));
        }
        session.stop()?;
    }
    Ok(Finding::pass("no bestmove for 200 ms, one after `stop`, also with an only move"))
}

fn keeps_to_searchmoves(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    for moves in [["a2a3", "h2h3"], ["g2g4", "f2f3"]] {
        let place = Place::start();
        let token =
            session.search(&place, &format!("go depth 3 searchmoves {}", moves.join(" ")))?.best.token;
        // What is no legal move at all is the subject of 503.
        if place.allows(&token) && !moves.contains(&token.to_ascii_lowercase().as_str()) {
            return Ok(Finding::fail(
                format!("answered {token} to `searchmoves {}`", moves.join(" ")),
                "search the listed root moves only; analysis and audits ask for it",
            ));
        }
    }
    Ok(Finding::pass("answered with a listed move, two lists"))
}

fn gives_many_lines(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let Some((_, max)) = bench.range("MultiPV").filter(|(_, max)| *max >= 2) else {
        return Ok(Finding::not_applicable("no option MultiPV"));
    };
    let wanted = max.min(4);
    let mut session = bench.fresh()?;
    session.ping_after(&format!("setoption name MultiPV value {wanted}\n"))?;
    let search = session.search(&Place::at(MIDDLEGAME), "go depth 4")?;
    let with_line = search.infos().filter(|info| info.score.is_some() && !info.pv.is_empty());
    let ranks: std::collections::BTreeSet<u32> = with_line.filter_map(|info| info.multipv).collect();
    let text = format!("{} of {wanted} lines with score and pv", ranks.len());
    Ok(if ranks.iter().copied().eq(1..=u32::try_from(wanted).unwrap_or(0)) {
        Finding::pass(text)
    } else {
        Finding::fail(text, "report lines `multipv 1` to `multipv N` with score and pv for each depth")
    })
}

fn waits_for_ponderhit(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    if bench.option("Ponder").is_none() {
        return Ok(Finding::not_applicable("no option Ponder"));
    }
    let mut session = bench.fresh()?;
    session.ping_after("setoption name Ponder value true\n")?;
    let go = "go ponder wtime 1000 btime 1000";
    session.begin(&Place::after(&["e2e4", "e7e5"]), go)?;
    if session.gather(Duration::from_millis(200))?.iter().any(Heard::is_best_move) {
        return Ok(Finding::fail(
            "bestmove before `ponderhit`",
            "hold the answer back until `ponderhit` or `stop`",
        ));
    }
    session.send("ponderhit\n")?;
    session.until("ponderhit", Duration::from_secs(3), Heard::is_best_move)?;
    Ok(Finding::pass("no bestmove for 200 ms, one after `ponderhit`"))
}

fn understands_crlf(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    let place = Place::after(&["e2e4"]);
    let started = Instant::now();
    session.send(&format!("{}\r\ngo depth 1\r\n", place.command))?;
    let search = session.finish(started, "go depth 1 (with CRLF)", session.deadlines.ready())?;
    let token = search.best.token;
    Ok(if !place.allows(&token) && Place::start().allows(&token) {
        Finding::fail(
            format!("lost the move of `position startpos moves e2e4`: answered {token}"),
            "strip a carriage return from each line",
        )
    } else {
        Finding::pass(format!("answered {token}"))
    })
}
