//! What is said of a limit that an engine did not keep: the one place for the sentences.

use crate::arena::Limits;
use crate::ladder::{LimitsUsed, limit_concern};
use crate::uci::process::{LimitConcern, LimitFacts, QuantityUse};

/// What to say of the limit of an engine, with a hint in a line of its own; none where it was kept.
///
/// ```
/// use elometer::arena::Limits;
/// use elometer::report::limit_note;
/// use elometer::uci::process::{LimitTally, Searched};
/// let limits = Limits { nodes: Some(20_000), ..Limits::default() };
/// let mut tally = LimitTally::new(limits.asked());
/// tally.add(&Searched { nodes: Some(7), ..Searched::default() });
/// let note = limit_note("Quick", &limits, &tally.facts().unwrap()).unwrap();
/// assert!(note.starts_with("Quick was asked for 20000 nodes a move and reported 7 nodes"));
/// ```
#[must_use]
pub fn limit_note(engine: &str, limits: &Limits, facts: &LimitFacts) -> Option<String> {
    let concern = limit_concern(limits, facts)?;
    let hint = hint(limits, concern).map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    Some(sentence(engine, limits, facts, concern) + &hint)
}

/// The same of each engine that did not keep its limit.
#[must_use]
pub fn limit_notes(used: &[LimitsUsed]) -> Vec<String> {
    used.iter().filter_map(|used| limit_note(&used.engine, &used.limits, &used.facts)).collect()
}

/// The same as sentences of a paper.
pub(super) fn limit_sentences(used: &[LimitsUsed]) -> Vec<String> {
    let one =
        |used: &LimitsUsed| Some(sentence(&used.engine, &used.limits, &used.facts, used.concern?) + ".");
    used.iter().filter_map(one).collect()
}

fn sentence(engine: &str, limits: &Limits, facts: &LimitFacts, concern: LimitConcern) -> String {
    let searches = if facts.searches == 1 {
        "in one search".to_owned()
    } else {
        format!("median of {} moves", told(facts))
    };
    match concern {
        LimitConcern::Below => {
            let share = if facts.searches == 1 {
                searches
            } else {
                format!("{searches}; {} below a tenth", percent(facts.below, facts.searches))
            };
            format!(
                "{engine} was asked for {limits} and {} ({share}): it does not keep this limit, so no result is one \
                 at {limits}",
                used(facts)
            )
        }
        LimitConcern::Above => {
            let share = if facts.searches == 1 {
                searches
            } else {
                format!("{searches}; {} above twice", percent(facts.above, facts.searches))
            };
            format!(
                "{engine} was asked for {limits} and {} ({share}): it goes beyond this limit, so no result is one at \
                 {limits}",
                used(facts)
            )
        }
        LimitConcern::Unreported => {
            let what = match (facts.nodes, facts.depth) {
                (Some(_), Some(_)) => "neither nodes nor depth",
                (None, Some(_)) => "no depth",
                _ => "no nodes",
            };
            let count = if facts.searches == 1 {
                searches
            } else {
                format!("in {} of {} moves", facts.unreported, facts.searches)
            };
            format!(
                "{engine} was asked for {limits} and reported {what} {count}: whether it keeps this limit is not known"
            )
        }
    }
}

/// `reported 7 nodes`, `used 3 ms`.
fn used(facts: &LimitFacts) -> String {
    let median = |used: Option<QuantityUse>| used.and_then(|used| used.median);
    let counters = [
        median(facts.nodes).map(|nodes| format!("{nodes} node{}", if nodes == 1 { "" } else { "s" })),
        median(facts.depth).map(|depth| format!("depth {depth}")),
    ];
    let reported = counters.into_iter().flatten().collect::<Vec<_>>().join(" and ");
    match (reported.as_str(), median(facts.time_ms)) {
        ("", Some(time)) => format!("used {time} ms"),
        (_, Some(time)) => format!("reported {reported} and used {time} ms"),
        (_, None) => format!("reported {reported}"),
    }
}

/// Moves that told most of what was asked.
fn told(facts: &LimitFacts) -> u64 {
    [facts.nodes, facts.depth, facts.time_ms].into_iter().flatten().map(|used| used.told).max().unwrap_or(0)
}

/// Whole percent, cut, so that only all are 100.
fn percent(part: u64, whole: u64) -> String {
    match part.saturating_mul(100).checked_div(whole).unwrap_or_default() {
        0 if part > 0 => "less than 1 %".to_owned(),
        percent => format!("{percent} %"),
    }
}

/// What else may bound a search.
fn hint(limits: &Limits, concern: LimitConcern) -> Option<String> {
    if concern == LimitConcern::Unreported {
        let timed = limits.movetime_ms.is_some();
        return (!timed).then(|| "movetime_ms is a limit that is measured, not reported".to_owned());
    }
    let others = [
        ("nodes", limits.nodes.is_none()),
        ("depth", limits.depth.is_none()),
        ("movetime_ms", limits.movetime_ms.is_none()),
    ];
    let others: Vec<&str> = others.into_iter().filter_map(|(name, free)| free.then_some(name)).collect();
    (!others.is_empty()).then(|| format!("limit it by {}", others.join(" or ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::process::{LimitTally, Searched};

    fn note(limits: &Limits, searches: &[Searched]) -> Option<String> {
        let mut tally = LimitTally::new(limits.asked());
        searches.iter().for_each(|one| tally.add(one));
        limit_note("Quick", limits, &tally.facts()?)
    }

    #[test]
    fn each_concern_has_its_sentence_and_hint() {
        let limits = Limits { depth: Some(20), ..Limits::default() };
        let depth = |depth| Searched { depth, time_ms: Some(3), ..Searched::default() };
        assert_eq!(
            note(&limits, &[depth(Some(1)), depth(Some(1))]).as_deref(),
            Some(
                "Quick was asked for depth 20 and reported depth 1 (median of 2 moves; 100 % below a tenth): it does \
                 not keep this limit, so no result is one at depth 20\nhint: limit it by nodes or movetime_ms"
            )
        );
        assert_eq!(
            note(&limits, &[depth(Some(41))]).as_deref(),
            Some(
                "Quick was asked for depth 20 and reported depth 41 (in one search): it goes beyond this limit, so no \
                 result is one at depth 20\nhint: limit it by nodes or movetime_ms"
            )
        );
        assert_eq!(
            note(&limits, &[depth(None), depth(None), depth(Some(20))]).as_deref(),
            Some(
                "Quick was asked for depth 20 and reported no depth in 2 of 3 moves: whether it keeps this limit is \
                 not known\nhint: movetime_ms is a limit that is measured, not reported"
            )
        );
        assert_eq!(note(&limits, &[depth(Some(20))]), None);
    }

    #[test]
    fn time_is_said_as_it_was_measured() {
        let limits = Limits { movetime_ms: Some(100), ..Limits::default() };
        let words = note(&limits, &[Searched { time_ms: Some(3), ..Searched::default() }]).unwrap();
        assert!(
            words.starts_with("Quick was asked for 100 ms a move and used 3 ms (in one search)"),
            "{words}"
        );
    }

    #[test]
    fn only_all_are_a_hundred_percent() {
        assert_eq!(
            [(999, 1_000), (5, 5), (1, 1_000)].map(|(a, b)| percent(a, b)),
            ["99 %", "100 %", "less than 1 %"]
        );
    }
}
