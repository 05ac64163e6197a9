//! What searches reported against the limit that was asked: an engine that ignores `go nodes` says so
//! by its own counters.
//!
//! The one place for the thresholds: below a tenth of the limit, above twice the limit.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::budget::Budget;
use super::search::SearchReport;
use crate::chess::Score;

/// A search below one part in so many of its limit used too little of it.
const TENTH: u64 = 10;
/// A search above so many times its limit used too much of it.
const TWICE: u64 = 2;
/// Scores from here on, in centipawns, are those of won or lost tablebase positions: engines report
/// them without searching further.
const TABLEBASE_CP: u32 = 10_000;

/// The fixed limit of a search. A clock is none: what a move may take depends on the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// In nodes, as `go nodes` asks; at least 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// In plies, as `go depth` asks; at least 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Time of a move in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
}

/// What one search used: nodes and depth as the engine reported them, time as it was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// Nodes that the engine reported last.
    pub nodes: Option<u64>,
    /// Plies of the line that it reported last.
    pub depth: Option<u32>,
    /// Milliseconds from `go` to `bestmove`, measured here.
    pub time_ms: Option<u64>,
}

/// How one search used its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitUse {
    /// Between a tenth and twice of what was asked, in a quantity that was asked and reported.
    Within,
    /// Below a tenth in every quantity that was asked and reported.
    Below,
    /// Above twice in some quantity.
    Above,
    /// No quantity that was asked was reported.
    Unreported,
}

impl Asked {
    /// Whether nothing fixed bounds the search.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// How a search used this limit; none where no fixed limit was asked.
    ///
    /// ```
    /// use elometer::uci::process::{Asked, LimitUse, Searched};
    /// let asked = Asked { nodes: Some(20_000), ..Asked::default() };
    /// let searched = Searched { nodes: Some(7), ..Searched::default() };
    /// assert_eq!(asked.use_by(&searched), Some(LimitUse::Below));
    /// ```
    #[must_use]
    pub fn use_by(&self, searched: &Searched) -> Option<LimitUse> {
        if self.is_none() {
            return None;
        }
        let quantities = [
            (self.nodes, searched.nodes),
            (self.depth.map(u64::from), searched.depth.map(u64::from)),
            (self.time_ms, searched.time_ms),
        ];
        let uses: Vec<LimitUse> = quantities
            .into_iter()
            .filter_map(|(asked, used)| {
                let (asked, used) = (asked?, used?);
                Some(if used.saturating_mul(TENTH) < asked {
                    LimitUse::Below
                } else if used > asked.saturating_mul(TWICE) {
                    LimitUse::Above
                } else {
                    LimitUse::Within
                })
            })
            .collect();
        Some(if uses.is_empty() {
            LimitUse::Unreported
        } else if uses.contains(&LimitUse::Above) {
            LimitUse::Above
        } else if uses.contains(&LimitUse::Within) {
            LimitUse::Within
        } else {
            LimitUse::Below
        })
    }
}

impl From<Budget> for Asked {
    fn from(budget: Budget) -> Self {
        match budget {
            Budget::Depth(depth) => Self { depth: Some(depth), ..Self::default() },
            Budget::Nodes(nodes) => Self { nodes: Some(nodes), ..Self::default() },
        }
    }
}

impl Searched {
    /// What a report says of its search.
    #[must_use]
    pub fn of(report: &SearchReport) -> Self {
        Self {
            nodes: report.nodes(),
            depth: report.depth(),
            time_ms: Some(u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX)),
        }
    }
}

/// Whether a score is that of a mate or of a tablebase: an engine that reports one may stop at once.
#[must_use]
pub fn is_decisive(score: Score) -> bool {
    match score {
        Score::Mate(_) => true,
        Score::Cp(cp) => cp.unsigned_abs() >= TABLEBASE_CP,
    }
}

/// What many searches used of one quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuantityUse {
    /// What was asked of each search.
    pub asked: u64,
    /// Searches that told this quantity.
    pub told: u64,
    /// Their median, to three digits; none where no search told.
    pub median: Option<u64>,
    /// Those below a tenth of what was asked.
    pub below: u64,
    /// Those above twice of what was asked.
    pub above: u64,
}

/// What many searches under one limit used of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitFacts {
    /// Searches counted, those that told nothing included.
    pub searches: u64,
    /// Searches below a tenth of the limit, see [`LimitUse::Below`].
    pub below: u64,
    /// Searches above twice of the limit.
    pub above: u64,
    /// Searches that told nothing that the limit bounds.
    pub unreported: u64,
    /// In nodes; none where the limit has no nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<QuantityUse>,
    /// In plies; none where the limit has no depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<QuantityUse>,
    /// In milliseconds; none where the limit has no time per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<QuantityUse>,
}

/// What is to be said about a limit, if anything: most searches used too little, more than a tenth of
/// them too much, or most told nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitConcern {
    /// Below a tenth of the limit in most searches.
    Below,
    /// Above twice the limit in more than a tenth of the searches.
    Above,
    /// Nothing that the limit bounds was reported in most searches.
    Unreported,
}

impl LimitFacts {
    /// The concern, if there is one.
    #[must_use]
    pub fn concern(&self) -> Option<LimitConcern> {
        let most = |count: u64| count.saturating_mul(2) > self.searches;
        if self.above.saturating_mul(TENTH) > self.searches {
            Some(LimitConcern::Above)
        } else if most(self.below) {
            Some(LimitConcern::Below)
        } else if most(self.unreported) {
            Some(LimitConcern::Unreported)
        } else {
            None
        }
    }
}

/// Counts searches under one limit. The memory is bounded: numbers are counted to three digits.
#[derive(Clone, Debug, Default)]
pub struct LimitTally {
    asked: Asked,
    searches: u64,
    uses: BTreeMap<LimitUse, u64>,
    quantities: [BTreeMap<u64, u64>; 3],
    outside: [[u64; 2]; 3],
}

impl LimitTally {
    /// Of searches that are asked this.
    #[must_use]
    pub fn new(asked: Asked) -> Self {
        Self { asked, ..Self::default() }
    }

    /// How a search would use the limit; see [`Asked::use_by`].
    #[must_use]
    pub fn use_by(&self, searched: &Searched) -> Option<LimitUse> {
        self.asked.use_by(searched)
    }

    fn asked(&self) -> [Option<u64>; 3] {
        [self.asked.nodes, self.asked.depth.map(u64::from), self.asked.time_ms]
    }

    /// Counts one search.
    pub fn add(&mut self, searched: &Searched) {
        let Some(limit_use) = self.asked.use_by(searched) else { return };
        self.searches += 1;
        *self.uses.entry(limit_use).or_default() += 1;
        let used = [searched.nodes, searched.depth.map(u64::from), searched.time_ms];
        let asked = self.asked();
        for (((asked, used), counts), outside) in
            asked.into_iter().zip(used).zip(&mut self.quantities).zip(&mut self.outside)
        {
            let (Some(asked), Some(used)) = (asked, used) else { continue };
            *counts.entry(three_digits(used)).or_default() += 1;
            let [below, above] = outside;
            *below += u64::from(used.saturating_mul(TENTH) < asked);
            *above += u64::from(used > asked.saturating_mul(TWICE));
        }
    }

    /// What was counted; none where no fixed limit was asked or nothing was searched.
    #[must_use]
    pub fn facts(&self) -> Option<LimitFacts> {
        if self.searches == 0 {
            return None;
        }
        let count = |limit_use| self.uses.get(&limit_use).copied().unwrap_or_default();
        let asked = self.asked();
        let mut quantities = asked.into_iter().zip(&self.quantities).zip(&self.outside).map(
            |((asked, counts), &[below, above])| {
                asked.map(|asked| QuantityUse {
                    asked,
                    told: counts.values().sum(),
                    median: median(counts),
                    below,
                    above,
                })
            },
        );
        Some(LimitFacts {
            searches: self.searches,
            below: count(LimitUse::Below),
            above: count(LimitUse::Above),
            unreported: count(LimitUse::Unreported),
            nodes: quantities.next().flatten(),
            depth: quantities.next().flatten(),
            time_ms: quantities.next().flatten(),
        })
    }
}

/// A number with all but its first three digits zero.
fn three_digits(number: u64) -> u64 {
    let mut unit = 1;
    while number / unit >= 1_000 {
        unit *= 10;
    }
    number / unit * unit
}

/// The lower median.
fn median(counts: &BTreeMap<u64, u64>) -> Option<u64> {
    let total: u64 = counts.values().sum();
    let mut seen = 0;
    counts.iter().find_map(|(number, count)| {
        seen += count;
        (seen * 2 >= total).then_some(*number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(asked: u64, used: &[Option<u64>]) -> LimitFacts {
        let mut tally = LimitTally::new(Asked { nodes: Some(asked), ..Asked::default() });
        for &nodes in used {
            tally.add(&Searched { nodes, time_ms: Some(5), ..Searched::default() });
        }
        tally.facts().expect("there were searches")
    }

    #[test]
    fn a_tenth_and_twice_are_within_the_limit() {
        let asked = Asked { nodes: Some(1_000), ..Asked::default() };
        let used = |nodes| asked.use_by(&Searched { nodes: Some(nodes), ..Searched::default() });
        assert_eq!(used(99), Some(LimitUse::Below));
        assert_eq!(used(100), Some(LimitUse::Within));
        assert_eq!(used(2_000), Some(LimitUse::Within));
        assert_eq!(used(2_001), Some(LimitUse::Above));
        assert_eq!(asked.use_by(&Searched::default()), Some(LimitUse::Unreported));
        assert_eq!(Asked::default().use_by(&Searched::default()), None);
    }

    #[test]
    fn where_several_limits_bound_a_search_the_first_reached_is_enough() {
        let asked = Asked { nodes: Some(20_000), depth: Some(6), ..Asked::default() };
        let searched = Searched { nodes: Some(500), depth: Some(6), time_ms: None };
        assert_eq!(asked.use_by(&searched), Some(LimitUse::Within));
        let shallow = Searched { nodes: Some(7), depth: None, time_ms: None };
        assert_eq!(asked.use_by(&shallow), Some(LimitUse::Below));
    }

    #[test]
    fn concerns_need_most_searches_below_or_a_tenth_above() {
        let few = nodes(20_000, &[Some(7), Some(9), Some(20_000)]);
        assert_eq!(few.concern(), Some(LimitConcern::Below));
        assert_eq!(few.nodes.and_then(|nodes| nodes.median), Some(9));
        let forced = nodes(20_000, &[Some(1), Some(20_000), Some(20_001), Some(1)]);
        assert_eq!(forced.concern(), None, "half is not most");
        let mut many = vec![Some(20_000); 8];
        many.push(Some(2_000_000));
        assert_eq!(nodes(20_000, &many).concern(), Some(LimitConcern::Above), "one in nine");
        let silent = nodes(20_000, &[None, None, Some(20_000)]);
        assert_eq!(silent.concern(), Some(LimitConcern::Unreported));
        assert_eq!(silent.unreported, 2);
    }

    #[test]
    fn medians_are_kept_to_three_digits() {
        assert_eq!([7, 999, 1_234, 20_481_111].map(three_digits), [7, 999, 1_230, 20_400_000]);
        assert_eq!(nodes(10, &[Some(1), Some(2), Some(3), Some(4)]).nodes.and_then(|n| n.median), Some(2));
    }

    #[test]
    fn mates_and_tablebase_scores_are_decisive() {
        assert!(is_decisive(Score::Mate(-3)) && is_decisive(Score::Cp(-19_990)));
        assert!(!is_decisive(Score::Cp(9_999)));
    }
}
