//! 8xx: whether the same question has the same answer, with one thread and a new game.

use super::bench::Bench;
use super::catalogue::{ANSWERS, Check};
use super::finding::Finding;
use super::places::{MIDDLEGAME, Place, TACTICS};
use super::session::{Session, Trouble};

pub(super) const CHECKS: &[Check] = &[
    Check {
        number: 801,
        name: "same nodes, same answer",
        needs: &[ANSWERS],
        run: |bench| again(bench, "go nodes 5000"),
    },
    Check {
        number: 802,
        name: "same depth, same answer",
        needs: &[ANSWERS],
        run: |bench| again(bench, "go depth 5"),
    },
    Check { number: 803, name: "another process, same answer", needs: &[ANSWERS], run: in_another_process },
];

/// Move, score, nodes and depth in words.
fn answer(session: &mut Session, fen: &str, go: &str) -> Result<String, Trouble> {
    session.ping_after("ucinewgame\n")?;
    let search = session.search(&Place::at(fen), go)?;
    let mut text = search.best.token.clone();
    if let Some(score) = search.score_stm() {
        text.push_str(&format!(" {score}"));
    }
    if let Some(nodes) = search.nodes() {
        text.push_str(&format!(", {nodes} nodes"));
    }
    Ok(text)
}

/// A process of its own with one thread, where that can be set.
fn start(bench: &Bench<'_>) -> Result<Session, Trouble> {
    let mut session = bench.fresh()?;
    if bench.range("Threads").is_some_and(|(min, _)| min <= 1) {
        session.ping_after("setoption name Threads value 1\n")?;
    }
    Ok(session)
}

fn compare(first: &[String], second: &[String], what: &str) -> Finding {
    let differs = first.iter().zip(second).find(|(first, second)| first != second);
    match differs {
        None => Finding::pass(format!("{what}: {}", first.join("; "))),
        Some((first, second)) => Finding::warn(
            format!("{what}: {first}, then {second}"),
            "clear all tables at `ucinewgame` and let no clock and no unseeded chance into the search",
        ),
    }
}

/// Why no sameness is to be expected, where it is not.
fn exception(bench: &Bench<'_>) -> Option<Finding> {
    bench
        .is_limited()
        .then(|| Finding::not_applicable("its strength is limited by a setting: chance is allowed"))
}

fn again(bench: &mut Bench<'_>, go: &str) -> Result<Finding, Trouble> {
    if let Some(exception) = exception(bench) {
        return Ok(exception);
    }
    let mut session = start(bench)?;
    let mut rounds = [Vec::new(), Vec::new()];
    for round in &mut rounds {
        for fen in [MIDDLEGAME, TACTICS] {
            round.push(answer(&mut session, fen, go)?);
        }
    }
    let [first, second] = rounds;
    Ok(compare(&first, &second, &format!("`{go}` twice")))
}

fn in_another_process(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    if let Some(exception) = exception(bench) {
        return Ok(exception);
    }
    let go = "go nodes 5000";
    let first = answer(&mut start(bench)?, MIDDLEGAME, go)?;
    let second = answer(&mut start(bench)?, MIDDLEGAME, go)?;
    Ok(compare(&[first], &[second], &format!("`{go}` in two processes")))
}
