//! 6xx: clocks that have almost run down.

use std::time::Duration;

use super::bench::Bench;
use super::catalogue::{ANSWERS, Check};
use super::finding::Finding;
use super::limits::lateness;
use super::places::{MIDDLEGAME, Place};
use super::session::Trouble;

pub(super) const CHECKS: &[Check] = &[
    Check { number: 601, name: "clock of 100 ms", needs: &[ANSWERS], run: |bench| on_clock(bench, 100) },
    Check { number: 602, name: "clock of 10 ms", needs: &[ANSWERS], run: |bench| on_clock(bench, 10) },
    Check { number: 603, name: "clock of 1 ms", needs: &[ANSWERS], run: |bench| on_clock(bench, 1) },
    Check { number: 604, name: "movestogo 1", needs: &[ANSWERS], run: keeps_one_move },
    Check { number: 605, name: "clock at zero and below", needs: &[ANSWERS], run: survives_no_time },
    Check { number: 606, name: "its own clock", needs: &[ANSWERS], run: reads_its_own_clock },
];

/// Tries for each clock.
const TRIES: usize = 3;
/// After this nobody waits for the exact time.
const LONGEST_WAIT: Duration = Duration::from_secs(3);
/// How long a move without any time is waited for.
const NO_TIME_WAIT: Duration = Duration::from_millis(400);
const HINT: &str = "keep at least 10 ms of the clock back, and look at it more often";

/// The shortest and the longest of several answers, in milliseconds.
fn time(bench: &mut Bench<'_>, place: &Place, go: &str) -> Result<(f64, f64), Trouble> {
    let session = bench.session()?;
    let (mut best, mut worst) = (f64::MAX, 0.0_f64);
    for _ in 0..TRIES {
        let started = session.begin(place, go)?;
        let elapsed = match session.finish(started, go, LONGEST_WAIT) {
            Ok(search) => search.elapsed,
            Err(Trouble::Overdue { waited, .. }) => waited,
            Err(trouble) => return Err(trouble),
        };
        let elapsed = elapsed.as_secs_f64() * 1000.0;
        best = best.min(elapsed);
        worst = worst.max(elapsed);
    }
    Ok((best, worst))
}

fn on_clock(bench: &mut Bench<'_>, clock: u32) -> Result<Finding, Trouble> {
    let place = Place::at(MIDDLEGAME);
    let without = format!("go wtime {clock} btime {clock}");
    let with = format!("{without} winc {clock} binc {clock}");
    let bare = time(bench, &place, &without)?;
    let increment = time(bench, &place, &with)?;
    let over = |time: f64| time - f64::from(clock);
    let best = over(bare.0.max(increment.0));
    let worst = over(bare.1.max(increment.1));
    let text = format!(
        "{clock} ms left: {:.1} to {:.1} ms; with {clock} ms increment {:.1} to {:.1} ms",
        bare.0, bare.1, increment.0, increment.1
    );
    // The increment comes after the move: it is not there to be spent on it.
    Ok(Finding::judged(lateness(best, worst), text, HINT)
        .with("clock_ms", f64::from(clock))
        .with("worst_ms", bare.1)
        .with("worst_with_increment_ms", increment.1))
}

fn keeps_one_move(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let clock = 100.0;
    let (best, worst) = time(bench, &Place::at(MIDDLEGAME), "go wtime 100 btime 100 movestogo 1")?;
    let text = format!("100 ms left for 1 move: {best:.1} to {worst:.1} ms");
    Ok(Finding::judged(lateness(best - clock, worst - clock), text, HINT)
        .with("clock_ms", clock)
        .with("worst_ms", worst))
}

fn survives_no_time(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    let place = Place::at(MIDDLEGAME);
    let mut stopped = 0;
    for clock in [0, -100] {
        let go = format!("go wtime {clock} btime {clock}");
        let started = session.begin(&place, &go)?;
        match session.finish(started, &go, NO_TIME_WAIT) {
            Ok(_) => {}
            Err(Trouble::Overdue { .. }) => stopped += 1,
            Err(trouble) => return Err(trouble),
        }
        session.ping_after("")?;
    }
    let wait = NO_TIME_WAIT.as_millis();
    Ok(match stopped {
        0 => Finding::pass(format!("0 and -100 ms left: both answered within {wait} ms")),
        _ => Finding::warn(
            format!("0 and -100 ms left: {stopped} of 2 not answered within {wait} ms, only after `stop`"),
            "take such a clock for no time, not for no limit; some runners send it",
        ),
    })
}

fn reads_its_own_clock(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let clock = 50.0;
    let place = Place::after(&["e2e4"]);
    let (best, worst) = time(bench, &place, "go wtime 60000 btime 50")?;
    let text = format!("Black to move, 50 ms left, White 60000 ms: {best:.1} to {worst:.1} ms");
    Ok(Finding::judged(
        lateness(best - clock, worst - clock),
        text,
        "Black's clock is `btime`, White's `wtime`",
    )
    .with("worst_ms", worst))
}
