//! 7xx: memory and processor time, where the system tells.

use std::time::{Duration, Instant};

use super::bench::Bench;
use super::catalogue::{ANSWERS, Check, READY};
use super::finding::{Finding, Verdict};
use super::group::{processor_ms, resident_mb};
use super::places::{MIDDLEGAME, Place};
use super::session::{Session, Trouble};

pub(super) const CHECKS: &[Check] = &[
    Check { number: 701, name: "memory against Hash", needs: &[ANSWERS], run: uses_what_hash_says },
    Check { number: 702, name: "idle before the first search", needs: &[READY], run: is_idle_at_first },
    Check {
        number: 703,
        name: "idle on the other side's move",
        needs: &[ANSWERS],
        run: is_idle_between_moves,
    },
    Check { number: 704, name: "idle after ucinewgame", needs: &[ANSWERS], run: is_idle_after_new_game },
    Check { number: 705, name: "memory over 20 games", needs: &[ANSWERS], run: keeps_its_size },
];

const SMALL_HASH: i64 = 16;
const LARGE_HASH: i64 = 144;
/// How long the processor time of a waiting engine is watched.
const WATCHED: Duration = Duration::from_millis(300);
/// Shares of one processor, in percent.
const SOME_IDLE_PERCENT: f64 = 5.0;
const MUCH_IDLE_PERCENT: f64 = 50.0;
const GAMES: usize = 20;
/// Games before the memory is first taken.
const WARM_UP: usize = 5;
const GROWTH_WARN_MB: f64 = 8.0;
const GROWTH_FAIL_MB: f64 = 64.0;

fn no_proc() -> Finding {
    Finding::not_applicable("the system has no /proc")
}

fn memory_at(bench: &Bench<'_>, hash: i64) -> Result<Option<f64>, Trouble> {
    let mut session = bench.fresh()?;
    session.ping_after(&format!("setoption name Hash value {hash}\nucinewgame\n"))?;
    session.search(&Place::at(MIDDLEGAME), "go nodes 20000")?;
    session.ping_after("")?;
    Ok(resident_mb(session.group()))
}

fn uses_what_hash_says(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let Some((min, max)) = bench.range("Hash").filter(|(min, max)| max > min) else {
        return Ok(Finding::not_applicable("no option Hash with a range"));
    };
    let (small, large) = (SMALL_HASH.clamp(min, max), LARGE_HASH.clamp(min, max));
    let (Some(with_small), Some(with_large)) = (memory_at(bench, small)?, memory_at(bench, large)?) else {
        return Ok(no_proc());
    };
    let (asked, grown) = ((large - small) as f64, with_large - with_small);
    let text = format!(
        "Hash {small}: {with_small:.1} MB, Hash {large}: {with_large:.1} MB; {grown:.1} MB more for {asked:.0} asked"
    );
    let verdict = if grown > asked * 2.0 + 64.0 {
        Verdict::Fail
    } else if grown > asked * 1.25 + 16.0 {
        Verdict::Warn
    } else {
        Verdict::Pass
    };
    let hint =
        "`Hash` is megabytes of all tables together; whoever plans memory for many engines counts on it";
    Ok(Finding::judged(verdict, text, hint)
        .with("small_hash_mb", small as f64)
        .with("small_memory_mb", with_small)
        .with("large_hash_mb", large as f64)
        .with("large_memory_mb", with_large))
}

/// Watches an engine that has nothing to do.
fn watch(session: &mut Session) -> Result<Finding, Trouble> {
    let before = processor_ms(session.group());
    let started = Instant::now();
    session.gather(WATCHED)?;
    let after = processor_ms(session.group());
    let (Some(before), Some(after)) = (before, after) else { return Ok(no_proc()) };
    let used = (after - before).max(0.0);
    let percent = used / (started.elapsed().as_secs_f64() * 1000.0) * 100.0;
    let text = format!("{used:.1} ms of processor time in {} ms, {percent:.1} %", WATCHED.as_millis());
    let verdict = if percent > MUCH_IDLE_PERCENT {
        Verdict::Fail
    } else if percent > SOME_IDLE_PERCENT {
        Verdict::Warn
    } else {
        Verdict::Pass
    };
    let hint = "wait for input with a blocking read: it takes the time from the side that thinks";
    Ok(Finding::judged(verdict, text, hint).with("processor_ms", used).with("share_percent", percent))
}

fn is_idle_at_first(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    watch(&mut bench.fresh()?)
}

fn is_idle_between_moves(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    session.search(&Place::at(MIDDLEGAME), "go depth 4")?;
    watch(session)
}

fn is_idle_after_new_game(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    session.search(&Place::start(), "go depth 4")?;
    session.ping_after("ucinewgame\n")?;
    watch(session)
}

fn keeps_its_size(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let mut session = bench.fresh()?;
    if let Some((min, max)) = bench.range("Hash") {
        // A small table is full soon: filling it is no growth.
        session.ping_after(&format!("setoption name Hash value {}\n", 1.clamp(min, max.max(min))))?;
    }
    let line = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"];
    let mut first = None;
    for game in 0..GAMES {
        if game == WARM_UP {
            first = resident_mb(session.group());
        }
        session.ping_after("ucinewgame\n")?;
        for plies in [0, 2, 4, 6, 8] {
            let place = Place::after(line.get(..plies).unwrap_or_default());
            session.search(&place, "go nodes 500")?;
        }
    }
    let (Some(first), Some(last)) = (first, resident_mb(session.group())) else { return Ok(no_proc()) };
    let grown = last - first;
    let text = format!("{first:.1} MB after {WARM_UP} games, {last:.1} MB after {GAMES}");
    let verdict = if grown > GROWTH_FAIL_MB {
        Verdict::Fail
    } else if grown > GROWTH_WARN_MB {
        Verdict::Warn
    } else {
        Verdict::Pass
    };
    let hint = "free what belongs to a game at `ucinewgame`: a run has thousands";
    Ok(Finding::judged(verdict, text, hint).with("first_memory_mb", first).with("last_memory_mb", last))
}
