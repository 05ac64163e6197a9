//! Running a sequential test: look after look, with the counts carried along.

use std::collections::BTreeMap;

use serde::Serialize;

use super::after_test::{MedianUnbiased, median_unbiased};
use super::classes::classes;
use super::sprt::{Sprt, Verdict};
use crate::rating::observations::Unit;

/// What a reader must know beside the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum SprtRemark {
    /// Units that came after the decision and were not counted.
    AfterDecision {
        /// How many.
        units: u64,
    },
    /// The counts leave a hypothesis without a likelihood; more games are needed.
    NoLikelihood,
    /// The games are too much alike for an estimate after the test.
    NoVariance,
    /// Some units hold copies of games; each counts once.
    Copies {
        /// How many units.
        units: u64,
    },
}

/// Where a sequential test stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SprtReport {
    /// The test.
    pub sprt: Sprt,
    /// The log-likelihood ratio at the last look that counts; absent where it has no value.
    pub llr: Option<f64>,
    /// At or below it, elo0 is accepted.
    pub lower: f64,
    /// At or above it, elo1 is accepted.
    pub upper: f64,
    /// What the test says.
    pub verdict: Verdict,
    /// Games counted.
    pub games: u64,
    /// Units of two games counted.
    pub pairs: u64,
    /// Units counted.
    pub units: u64,
    /// Looks taken.
    pub looks: u64,
    /// The difference, corrected for stopping; absent without variance.
    pub estimate: Option<MedianUnbiased>,
    /// In a fixed order.
    pub remarks: Vec<SprtRemark>,
}

/// A sequential test under way. Each look adds units in plan order; the first bound touched decides,
/// and what comes later is not counted.
///
/// ```
/// use elometer::rating::{SequentialTest, Sprt, SprtModel, Unit, Verdict};
/// let sprt = Sprt::new(0.0, 200.0, 0.05, 0.05, SprtModel::Logistic).unwrap();
/// let mut test = SequentialTest::new(sprt);
/// let won = Unit { games: 2, half_points: 4 };
/// assert_eq!(test.look(&[won; 3]), Verdict::Undecided);
/// assert_eq!(test.look(&[won; 10]), Verdict::AcceptElo1);
/// ```
#[derive(Clone, Debug)]
pub struct SequentialTest {
    sprt: Sprt,
    counts: BTreeMap<Unit, u64>,
    llr: Option<f64>,
    verdict: Verdict,
    looks: u64,
    ignored: u64,
}

impl SequentialTest {
    /// A test that has seen nothing yet.
    #[must_use]
    pub fn new(sprt: Sprt) -> Self {
        Self {
            sprt,
            counts: BTreeMap::new(),
            llr: Some(0.0),
            verdict: Verdict::Undecided,
            looks: 0,
            ignored: 0,
        }
    }

    /// Adds the units that followed, in plan order, and judges all of them once. After a decision
    /// nothing changes any more.
    pub fn look(&mut self, units: &[Unit]) -> Verdict {
        if self.verdict != Verdict::Undecided {
            self.ignored += units.len() as u64;
            return self.verdict;
        }
        for unit in units {
            *self.counts.entry(*unit).or_default() += 1;
        }
        self.looks += 1;
        self.llr = self.sprt.llr(&classes(&self.counts));
        self.verdict = self.llr.map_or(Verdict::Undecided, |llr| self.sprt.verdict(llr));
        self.verdict
    }

    /// Where the test stands.
    #[must_use]
    pub fn report(&self) -> SprtReport {
        let classes = classes(&self.counts);
        let estimate = median_unbiased(&self.sprt, &classes);
        let count = |wanted: fn(u32) -> bool| -> u64 {
            self.counts.iter().filter(|(unit, _)| wanted(unit.games)).map(|(_, count)| count).sum()
        };
        let mut remarks = Vec::new();
        if self.ignored > 0 {
            remarks.push(SprtRemark::AfterDecision { units: self.ignored });
        }
        if self.llr.is_none() {
            remarks.push(SprtRemark::NoLikelihood);
        }
        if estimate.is_none() && !self.counts.is_empty() {
            remarks.push(SprtRemark::NoVariance);
        }
        let copies = count(|games| games > 2);
        if copies > 0 {
            remarks.push(SprtRemark::Copies { units: copies });
        }
        SprtReport {
            sprt: self.sprt,
            llr: self.llr,
            lower: self.sprt.lower(),
            upper: self.sprt.upper(),
            verdict: self.verdict,
            games: self.counts.iter().map(|(unit, count)| u64::from(unit.games) * count).sum(),
            pairs: count(|games| games == 2),
            units: count(|_| true),
            looks: self.looks,
            estimate,
            remarks,
        }
    }
}
