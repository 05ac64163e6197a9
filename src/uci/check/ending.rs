//! 9xx: how the process ends.

use super::bench::Bench;
use super::catalogue::{ANSWERS, Check, READY};
use super::finding::Finding;
use super::group::members;
use super::places::{MIDDLEGAME, Place};
use super::session::{Session, Trouble};

/// Ends by `quit`.
const QUITS: u16 = 901;

pub(super) const CHECKS: &[Check] = &[
    Check { number: QUITS, name: "quit ends it", needs: &[READY], run: quits },
    Check { number: 902, name: "exit code", needs: &[QUITS], run: exits_well },
    Check { number: 903, name: "end of input ends it", needs: &[READY], run: ends_with_its_input },
    Check { number: 904, name: "quit during a search", needs: &[ANSWERS, QUITS], run: quits_searching },
    Check { number: 905, name: "end of input during a search", needs: &[ANSWERS, 903], run: ends_searching },
    Check { number: 906, name: "nothing left in its group", needs: &[QUITS], run: leaves_nobody },
];

/// Waits for the end that `what` should have brought.
fn judge(session: &mut Session, what: &str, hint: &str) -> Finding {
    let wait = session.deadlines.quit().as_millis();
    match session.wait_for_end() {
        None => Finding::fail(format!("still there {wait} ms after {what}"), hint),
        Some(took) => {
            let took = took.as_secs_f64() * 1000.0;
            Finding::pass(format!("ended {took:.1} ms after {what}")).with("end_ms", took)
        }
    }
}

const QUIT_HINT: &str = "end at once: runners kill what stays, and results may be lost";
const INPUT_HINT: &str = "end when reading fails: else it runs on for ever when its runner dies";

fn quits(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    // One that others used, as at the end of a match.
    let mut session = bench.fresh()?;
    session.send("quit\n")?;
    Ok(judge(&mut session, "`quit`", QUIT_HINT))
}

fn exits_well(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let mut session = bench.fresh()?;
    session.send("quit\n")?;
    if session.wait_for_end().is_none() {
        return Ok(Finding::not_applicable(format!("see {QUITS}")));
    }
    let status = session.kill();
    Ok(if status == "exit code 0" {
        Finding::pass(status)
    } else {
        Finding::warn(status, "return 0 from `main`; another code looks like a crash")
    })
}

fn ends_with_its_input(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let mut session = bench.fresh()?;
    session.close_input();
    Ok(judge(&mut session, "the end of its input", INPUT_HINT))
}

fn quits_searching(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let mut session = bench.fresh()?;
    session.begin(&Place::at(MIDDLEGAME), "go infinite")?;
    session.send("quit\n")?;
    Ok(judge(&mut session, "`quit` during `go infinite`", QUIT_HINT))
}

fn ends_searching(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let mut session = bench.fresh()?;
    session.begin(&Place::at(MIDDLEGAME), "go infinite")?;
    session.close_input();
    Ok(judge(&mut session, "the end of its input during `go infinite`", INPUT_HINT))
}

fn leaves_nobody(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let mut session = bench.fresh()?;
    session.send("quit\n")?;
    if session.wait_for_end().is_none() {
        return Ok(Finding::not_applicable(format!("see {QUITS}")));
    }
    // Children that end because their parent does may take a moment, too.
    let deadline = std::time::Instant::now() + session.deadlines.quit();
    loop {
        match members(session.group()) {
            None => return Ok(Finding::not_applicable("the system has no /proc")),
            Some(left) if left.is_empty() => return Ok(Finding::pass("no process left after `quit`")),
            Some(left) if std::time::Instant::now() > deadline => {
                return Ok(Finding::fail(
                    format!("{} processes left after `quit`", left.len()),
                    "end and wait for every process it started",
                )
                .with("processes_count", left.len() as f64));
            }
            Some(_) => std::thread::sleep(std::time::Duration::from_millis(5)),
        }
    }
}
