//! Many ladders of one truth: how often each method's interval holds the rating, and how wide it is.

use std::collections::BTreeMap;
use std::thread;

use serde::Serialize;

use super::draw::draw_ladder;
use super::truth::{Truth, TruthError};
use crate::rating::{Absence, Estimate, Line, Method, fit};

/// How one method did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// The method.
    pub method: Method,
    /// Ladders with an interval.
    pub intervals: u64,
    /// Ladders with a bound on one side.
    pub one_sided: u64,
    /// Ladders with neither.
    pub absent: u64,
    /// Intervals and bounds that hold the rating.
    pub held: u64,
    /// `held` over intervals and bounds; absent without any.
    pub coverage: Option<f64>,
    /// Median half-width of the intervals, in Elo; absent without any.
    pub median_half_width: Option<f64>,
    /// Mean of estimate less rating over the intervals, in Elo; absent without any.
    pub mean_error: Option<f64>,
}

/// A truth and how every method did on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Simulation {
    /// What was simulated.
    pub truth: Truth,
    /// Names the sequence of ladders.
    pub seed: u64,
    /// Ladders drawn.
    pub ladders: u64,
    /// In the order of [`Method`].
    pub methods: Vec<Coverage>,
}

/// What one method said about one ladder.
#[derive(Clone, Copy)]
enum Outcome {
    Interval { held: bool, half_width: f64, error: f64 },
    OneSided { held: bool },
    Absent,
}

/// Draws `ladders` ladders and fits each with every method, on `threads` threads (at least one).
/// The result does not depend on `threads`.
///
/// # Errors
/// A truth that cannot be simulated.
///
/// ```
/// use elometer::rating::{Method, simulate::{Truth, simulate}};
/// let truth = Truth::right("model right", &[1800.0, 2000.0, 2200.0, 2400.0], 50, 2050.0);
/// let found = simulate(&truth, 1, 20, 2).unwrap();
/// let quoted = &found.methods[0];
/// assert_eq!(quoted.method, Method::Hierarchical);
/// assert!(quoted.coverage.unwrap() > 0.8);
/// ```
pub fn simulate(truth: &Truth, seed: u64, ladders: u64, threads: usize) -> Result<Simulation, TruthError> {
    truth.check()?;
    let threads = threads.max(1) as u64;
    let share = ladders.div_ceil(threads).max(1);
    let mut outcomes = BTreeMap::<Method, Vec<Outcome>>::new();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                let first = (worker * share).min(ladders);
                let last = (first + share).min(ladders);
                scope.spawn(move || play(truth, seed, first..last))
            })
            .collect();
        // Joined in order, so that the ladders stay in order.
        for worker in workers {
            let found = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            for (method, found) in found {
                outcomes.entry(method).or_default().extend(found);
            }
        }
    });
    let methods = outcomes.into_iter().map(|(method, found)| summarise(method, &found, ladders)).collect();
    Ok(Simulation { truth: truth.clone(), seed, ladders, methods })
}

fn play(truth: &Truth, seed: u64, numbers: std::ops::Range<u64>) -> BTreeMap<Method, Vec<Outcome>> {
    let mut outcomes = BTreeMap::<Method, Vec<Outcome>>::new();
    for number in numbers {
        // A checked truth draws no level that is refused.
        let Ok(ladder) = draw_ladder(truth, seed, number) else { continue };
        for line in fit(&ladder).lines() {
            outcomes.entry(line.method).or_default().push(outcome(line, truth.rating));
        }
    }
    outcomes
}

fn outcome(line: &Line, rating: f64) -> Outcome {
    match line.estimate {
        Estimate::Interval(interval) => Outcome::Interval {
            held: interval.low <= rating && rating <= interval.high,
            half_width: (interval.high - interval.low) / 2.0,
            error: interval.rating - rating,
        },
        Estimate::Absent(absence) => match absence {
            Absence::AllWon { bound } => Outcome::OneSided { held: bound.elo <= rating },
            Absence::AllLost { bound } => Outcome::OneSided { held: rating <= bound.elo },
            Absence::OnlyAtLeast { low, .. } => Outcome::OneSided { held: low <= rating },
            Absence::OnlyAtMost { high, .. } => Outcome::OneSided { held: rating <= high },
            _ => Outcome::Absent,
        },
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of ladders")]
fn summarise(method: Method, outcomes: &[Outcome], ladders: u64) -> Coverage {
    let (mut widths, mut one_sided, mut held, mut error_sum) = (Vec::new(), 0, 0, 0.0);
    for outcome in outcomes {
        match *outcome {
            Outcome::Interval { held: holds, half_width, error } => {
                widths.push(half_width);
                held += u64::from(holds);
                error_sum += error;
            }
            Outcome::OneSided { held: holds } => {
                one_sided += 1;
                held += u64::from(holds);
            }
            Outcome::Absent => {}
        }
    }
    widths.sort_by(f64::total_cmp);
    let intervals = widths.len() as u64;
    let bounded = intervals + one_sided;
    Coverage {
        method,
        intervals,
        one_sided,
        absent: ladders - bounded,
        held,
        coverage: (bounded > 0).then(|| held as f64 / bounded as f64),
        median_half_width: median(&widths),
        mean_error: (intervals > 0).then(|| error_sum / intervals as f64),
    }
}

/// Of sorted numbers.
fn median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    if sorted.len() % 2 == 1 { Some(upper) } else { Some(f64::midpoint(*sorted.get(middle - 1)?, upper)) }
}
