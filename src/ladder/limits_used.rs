//! What the engines of a run used of their limits, and how a limit is named where they did not keep it.

use serde::Serialize;

use super::plan::PlannedEngine;
use super::probe::Role;
use crate::arena::{Limits, PlyRecord};
use crate::uci::process::{LimitConcern, LimitFacts, LimitTally, LimitUse, Searched, is_decisive};

/// What an engine used of a fixed limit in the games of a run that ended with a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LimitsUsed {
    /// Whose limit; the opponent's is that of all levels together.
    pub side: Role,
    /// The engine's name.
    pub engine: String,
    /// What it was asked.
    pub limits: Limits,
    /// What it used.
    pub facts: LimitFacts,
    /// What is to be said about it, if anything.
    pub concern: Option<LimitConcern>,
    /// Name, limits and options, with what was observed where there is a concern.
    #[serde(skip)]
    pub summary: String,
}

/// The concern about a limit. Beside a clock fewer nodes or plies than the limit are the clock's doing.
#[must_use]
pub fn limit_concern(limits: &Limits, facts: &LimitFacts) -> Option<LimitConcern> {
    facts.concern().filter(|concern| limits.tc.is_none() || *concern != LimitConcern::Below)
}

impl LimitsUsed {
    /// None where nothing fixed bounds the searches, or nothing was searched.
    pub(super) fn of(side: Role, engine: &PlannedEngine, tally: &LimitTally) -> Option<Self> {
        let facts = tally.facts()?;
        let limits = engine.limits.clone();
        let concern = limit_concern(&limits, &facts);
        let summary = engine.summary_with(&observed_limit(&limits, &facts));
        Some(Self { side, engine: engine.name.clone(), limits, facts, concern, summary })
    }
}

/// A limit as it is named beside a result: `20000 nodes a move`, and where it was not kept with what was
/// observed: `20000 nodes a move asked, 7 searched`.
#[must_use]
pub fn observed_limit(limits: &Limits, facts: &LimitFacts) -> String {
    let Some(concern) = limit_concern(limits, facts) else { return limits.to_string() };
    let median = |used: Option<crate::uci::process::QuantityUse>| used.and_then(|used| used.median);
    let used = match (median(facts.nodes), median(facts.depth), median(facts.time_ms)) {
        (None, None, None) => "nothing reported".to_owned(),
        (Some(nodes), None, None) => format!("{nodes} searched"),
        (None, Some(depth), None) => format!("depth {depth} reached"),
        (None, None, Some(time)) => format!("{time} ms used"),
        (nodes, depth, time) => {
            let parts = [
                nodes.map(|nodes| format!("{nodes} nodes")),
                depth.map(|depth| format!("depth {depth}")),
                time.map(|time| format!("{time} ms")),
            ];
            format!("{} used", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
        }
    };
    let share = match concern {
        LimitConcern::Above => format!(", above twice in {} of {} moves", facts.above, facts.searches),
        LimitConcern::Unreported if used != "nothing reported" => {
            format!(", nothing reported in {} of {} moves", facts.unreported, facts.searches)
        }
        LimitConcern::Below | LimitConcern::Unreported => String::new(),
    };
    format!("{limits} asked, {used}{share}")
}

/// Whether a search far below its limit had a reason to end: a score of a mate or of a tablebase. The
/// journal does not say how many legal moves there were.
pub(super) fn may_stop_early(tally: &LimitTally, ply: &PlyRecord) -> bool {
    ply.score_stm.is_some_and(is_decisive) && tally.use_by(&searched(ply)) == Some(LimitUse::Below)
}

/// A move's search.
pub(super) fn searched(ply: &PlyRecord) -> Searched {
    Searched { nodes: ply.nodes, depth: ply.depth, time_ms: Some(ply.time_us / 1_000) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::process::Asked;

    fn facts(asked: Asked, searches: &[Searched]) -> LimitFacts {
        let mut tally = LimitTally::new(asked);
        searches.iter().for_each(|one| tally.add(one));
        tally.facts().expect("there were searches")
    }

    #[test]
    fn a_limit_that_is_kept_is_named_as_it_was_asked() {
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let used = |nodes| {
            let searched = Searched { nodes, time_ms: Some(4), ..Searched::default() };
            observed_limit(&limits, &facts(limits.asked(), &[searched]))
        };
        assert_eq!(used(Some(20_480)), "20000 nodes a move");
        assert_eq!(used(Some(7)), "20000 nodes a move asked, 7 searched");
        assert_eq!(
            used(Some(90_000)),
            "20000 nodes a move asked, 90000 searched, above twice in 1 of 1 moves"
        );
        assert_eq!(used(None), "20000 nodes a move asked, nothing reported");
    }

    #[test]
    fn beside_a_clock_few_nodes_are_no_concern_and_many_are() {
        let tc = Some("1+0.1".parse().expect("a time control"));
        let limits = Limits { tc, nodes: Some(20_000), ..Limits::default() };
        let concern = |nodes| {
            let searched = Searched { nodes: Some(nodes), ..Searched::default() };
            limit_concern(&limits, &facts(limits.asked(), &[searched]))
        };
        assert_eq!((concern(7), concern(50_000)), (None, Some(LimitConcern::Above)));
    }
}
