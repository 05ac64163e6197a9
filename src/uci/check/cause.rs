//! One cause behind several findings: how long answers take under limits a hundredfold apart, or under
//! one node, looked at again where several checks of that kind failed.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use super::bench::Bench;
use super::finding::{CheckResult, Verdict};
use super::group::{load, processors};
use super::limits::MARGIN_MS;
use super::places::{MIDDLEGAME, Place};
use super::session::Trouble;

/// The checks of a time limit.
const TIME_LIMITS: [u16; 7] = [304, 601, 602, 603, 604, 605, 606];
/// The check that asks for no limit at all: an engine that never looks at the clock answers it too.
const NO_LIMIT: u16 = 305;
/// The checks that search with a node limit.
const NODE_LIMITS: [u16; 5] = [303, 701, 705, 801, 803];
/// Checks that must have missed something before a common cause is looked for.
const SEVERAL: usize = 2;
/// Tries of each limit; the fastest counts, since a busy machine only delays.
const TRIES: usize = 2;
/// Times less than this apart, as a factor, are equal.
const EQUAL: f64 = 1.5;
/// Delays less than this apart are equal, in milliseconds.
const EQUAL_MS: f64 = 20.0;
/// Waited beyond the time of a limit, and for the answer to a clock.
const PATIENCE: Duration = Duration::from_secs(3);

const SHORT: Timed = Timed { go: "go movetime 50", time_ms: 50 };
const MIDDLE: Timed = Timed { go: "go movetime 500", time_ms: 500 };
const LONG: Timed = Timed { go: "go movetime 5000", time_ms: 5_000 };
const SMALL_CLOCK: Timed = Timed { go: "go wtime 100 btime 100", time_ms: 100 };
const LARGE_CLOCK: Timed = Timed { go: "go wtime 100000 btime 100000", time_ms: 5_000 };

const ONE_NODE: Timed = Timed { go: "go nodes 1", time_ms: 0 };

/// A limit and the time an engine may take under it.
struct Timed {
    go: &'static str,
    time_ms: u64,
}

/// What lies behind several findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CauseKind {
    /// Answers take equally long whatever the limit: nothing in the engine looks at the clock.
    SameTime,
    /// The limit counts, and every answer comes later than it by the same time.
    SameDelay,
    /// A search with a node limit ends by `stop` only.
    EndlessNodes,
}

/// One cause and the checks that it explains.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cause {
    /// Which.
    pub kind: CauseKind,
    /// The checks that warn or fail by it.
    pub checks: Vec<u16>,
    /// How long answers took under different limits, the fastest of two tries each.
    pub answers: Vec<TimedAnswer>,
    /// How busy the machine was, where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<MachineLoad>,
}

/// How long an answer took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimedAnswer {
    /// The command.
    pub go: String,
    /// From the command to the answer, or to the `stop` that ended the search, in milliseconds.
    pub elapsed_ms: f64,
}

/// How busy the machine was.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MachineLoad {
    /// Processes that ran or waited for a processor, the mean of the last minute.
    pub mean_1_min: f64,
    /// Processors.
    pub processors: usize,
}

impl CauseKind {
    /// What to do.
    #[must_use]
    pub fn hint(self) -> &'static str {
        match self {
            Self::SameTime => {
                "look at the clock while searching, and end at `movetime` or at a share of the mover's clock"
            }
            Self::SameDelay => {
                "look for what waits at a fixed interval (input, a launcher) or keeps too little time back; on a \
                 busy machine check again when it is quiet"
            }
            Self::EndlessNodes => {
                "stop at the node limit; until then use `go depth` or `go movetime` for this engine"
            }
        }
    }

    fn may_explain(self, number: u16) -> bool {
        match self {
            Self::SameTime => TIME_LIMITS.contains(&number) || number == NO_LIMIT,
            Self::SameDelay => TIME_LIMITS.contains(&number),
            Self::EndlessNodes => NODE_LIMITS.contains(&number),
        }
    }
}

impl fmt::Display for CauseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SameTime => "answers take equally long whatever the limit",
            Self::SameDelay => "every answer is late by the same time whatever the limit",
            Self::EndlessNodes => "`go nodes` is taken for no limit",
        })
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.kind)?;
        for (index, TimedAnswer { go, elapsed_ms }) in self.answers.iter().enumerate() {
            let separator = if index > 0 { ", " } else { "" };
            write!(f, "{separator}{elapsed_ms:.0} ms after `{go}`")?;
        }
        if let Some(MachineLoad { mean_1_min, processors }) = self.load {
            write!(f, "; load {mean_1_min:.1} on {processors} processors")?;
        }
        Ok(())
    }
}

/// The causes that explain several of these results; a few searches where several time limits were
/// missed, none otherwise.
pub(super) fn find_causes(bench: &mut Bench<'_>, results: &[CheckResult]) -> Vec<Cause> {
    let missed = |result: &&CheckResult| matches!(result.verdict, Verdict::Warn | Verdict::Fail);
    let missed: Vec<u16> = results.iter().filter(missed).map(|result| result.number).collect();
    let several =
        |numbers: &[u16]| missed.iter().filter(|number| numbers.contains(number)).count() >= SEVERAL;
    let mut causes = Vec::new();
    let mut add = |answers: Vec<TimedAnswer>, kind: CauseKind| {
        let checks = missed.iter().copied().filter(|number| kind.may_explain(*number)).collect();
        let load = load().map(|mean_1_min| MachineLoad { mean_1_min, processors: processors() });
        causes.push(Cause { kind, checks, answers, load });
    };
    // What fails to answer here has failed its own check before.
    if several(&NODE_LIMITS)
        && let Ok(elapsed_ms) = fastest(bench, &ONE_NODE)
        && elapsed_ms >= PATIENCE.as_secs_f64() * 1000.0
    {
        add(vec![TimedAnswer { go: ONE_NODE.go.to_owned(), elapsed_ms }], CauseKind::EndlessNodes);
    }
    if several(&TIME_LIMITS)
        && let Ok((answers, Some(kind))) = look(bench)
    {
        add(answers, kind);
    }
    causes
}

/// Asks under one limit after another, as long as the answers so far have a common cause.
fn look(bench: &mut Bench<'_>) -> Result<(Vec<TimedAnswer>, Option<CauseKind>), Trouble> {
    let mut answers = Vec::new();
    let mut ask = |limit: &Timed| -> Result<f64, Trouble> {
        let elapsed_ms = fastest(bench, limit)?;
        answers.push(TimedAnswer { go: limit.go.to_owned(), elapsed_ms });
        Ok(elapsed_ms)
    };
    let (short, middle) = (ask(&SHORT)?, ask(&MIDDLE)?);
    let mut kind = same_delay(short, middle);
    if is_equal(&[short, middle]) {
        let more = [ask(&LONG)?, ask(&SMALL_CLOCK)?, ask(&LARGE_CLOCK)?];
        kind = is_equal(&[&[short, middle], &more[..]].concat()).then_some(CauseKind::SameTime);
    }
    Ok((answers, kind))
}

fn same_delay(short_ms: f64, middle_ms: f64) -> Option<CauseKind> {
    let delays = [short_ms - SHORT.time_ms as f64, middle_ms - MIDDLE.time_ms as f64];
    let late = delays.iter().all(|delay| *delay > MARGIN_MS);
    let apart = (delays[0] - delays[1]).abs();
    (late && apart < EQUAL_MS.max(delays[0].min(delays[1]) / 4.0)).then_some(CauseKind::SameDelay)
}

fn is_equal(times_ms: &[f64]) -> bool {
    let longest = times_ms.iter().copied().fold(0.0, f64::max);
    let shortest = times_ms.iter().copied().fold(f64::MAX, f64::min);
    longest < shortest * EQUAL
}

/// The shortest answer of a few, in milliseconds to a decimal; a search that only `stop` ended counts
/// with the time it was waited for.
fn fastest(bench: &mut Bench<'_>, limit: &Timed) -> Result<f64, Trouble> {
    let mut best = f64::MAX;
    for _ in 0..TRIES {
        let session = bench.session()?;
        let started = session.begin(&Place::at(MIDDLEGAME), limit.go)?;
        let wait = Duration::from_millis(limit.time_ms) + PATIENCE;
        let elapsed = match session.finish(started, limit.go, wait) {
            Ok(search) => search.elapsed,
            Err(Trouble::Overdue { waited, .. }) => waited,
            Err(trouble) => return Err(trouble),
        };
        best = best.min(elapsed.as_secs_f64() * 1000.0);
    }
    Ok((best * 10.0).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_equal_when_the_longest_is_less_than_half_above_the_shortest() {
        assert!(is_equal(&[300.0, 310.0, 440.0]));
        assert!(!is_equal(&[300.0, 310.0, 460.0]));
        assert!(!is_equal(&[50.0, 500.0]));
    }

    #[test]
    fn a_delay_counts_when_it_is_late_and_the_same_under_both_limits() {
        assert_eq!(same_delay(250.0, 705.0), Some(CauseKind::SameDelay));
        assert_eq!(same_delay(60.0, 512.0), None, "10 ms are within the margin");
        assert_eq!(same_delay(250.0, 510.0), None, "one pause of the machine");
        assert_eq!(same_delay(300.0, 300.0), None, "no delay but a time of its own");
    }
}
