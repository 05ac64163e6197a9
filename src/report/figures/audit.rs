//! What an audit found: how much moves lose, how accurate they are, how optimistic their player is.

use crate::audit::{Optimism, Quality};
use crate::rating::ClusteredMean;
use crate::report::chart::{Axis, Chart, Mark, Panel, Series, Shape, count_as_f64, index_as_f64};
use crate::report::svg::Tone;

/// The upper ends of the bars of losses, in centipawns: about evenly apart by their logarithms.
const EDGES: [u32; 18] = [1, 2, 3, 5, 8, 13, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1300, 2000, 3000];
/// Where the bar of moves that lose nothing stands on an axis that has no zero.
const NOTHING: (f64, f64) = (0.25, 0.5);

/// How much moves lose against the best one, with the rule's line. `drops` in centipawns by the judge
/// at its first budget; `mates`: moves for which a score was a mate, which are not in it.
#[must_use]
pub fn drop_chart(about: &str, drops: &[u32], mates: u64, limit_cp: u32) -> Option<Chart> {
    if drops.is_empty() {
        return None;
    }
    let mut edges: Vec<u32> = EDGES.to_vec();
    edges.extend([limit_cp, u32::MAX]);
    edges.sort_unstable();
    edges.dedup();
    edges.retain(|edge| *edge > 0);
    let (mut kept, mut broken) = (Vec::new(), Vec::new());
    let count = |from: u32, to: u32| drops.iter().filter(|drop| (from..=to).contains(*drop)).count() as u64;
    let bar = |(place, to): (f64, f64), count: u64| Mark {
        place: Some(place),
        to: Some(to),
        value: count_as_f64(count),
        low: None,
        high: Some(count_as_f64(count)),
    };
    let nothing = count(0, 0);
    if nothing > 0 {
        kept.push(bar(NOTHING, nothing));
    }
    let mut low = 0_u32;
    for edge in edges {
        let found = count(low + 1, edge);
        if found > 0 {
            let end = if edge == u32::MAX { 2.0 * f64::from(low) } else { f64::from(edge) + 0.5 };
            let side = if edge <= limit_cp { &mut kept } else { &mut broken };
            side.push(bar((f64::from(low) + 0.5, end), found));
        }
        low = edge.min(u32::MAX - 1);
    }
    let rule = vec![Mark { place: Some(f64::from(limit_cp) + 0.5), ..Mark::default() }];
    let most = kept.iter().chain(&broken).map(|mark| mark.value).fold(1.0, f64::max);
    Some(Chart {
        name: "drops".to_owned(),
        title: "What moves lose against the best".to_owned(),
        description: format!(
            "Both axes by powers of ten; the line is the rule: a loss of {limit_cp} centipawns."
        ),
        caption: format!(
            "Centipawns that moves lose against the best move, both axes logarithmic; the bar on the far left is \
             moves that lose nothing, the line the limit of {limit_cp}."
        ),
        about: about.to_owned(),
        method: format!(
            "{} moves. Best and chosen move are searched at the same position and budget by the judge; the first \
             budget is shown, also where a larger one changed the verdict. {mates} moves with a mate for a score \
             have no loss in centipawns and are left out.",
            drops.len()
        ),
        panels: vec![Panel {
            places: Axis::numbers("loss (centipawns)")
                .by_powers()
                .reaching(NOTHING.0, f64::from(limit_cp) * 2.0),
            values: Axis::numbers("moves").by_powers().reaching(0.7, most * 1.3),
            series: vec![
                Series::new("within", "within the rule", Tone::Blue, Shape::Bars, kept),
                Series::new("beyond", "beyond it at first sight", Tone::Orange, Shape::Bars, broken),
                Series::new("rule", format!("rule: {limit_cp}"), Tone::Ink, Shape::PlaceRule, rule),
            ],
        }],
    })
}

/// Accuracy by group: phases, opponents, clocks.
#[must_use]
pub fn accuracy_chart(about: &str, groups: &[Quality]) -> Option<Chart> {
    let mark = |(index, group): (usize, &Quality)| {
        let ClusteredMean { mean, interval, .. } = group.accuracy?;
        let (low, high) = interval.map_or((None, None), |[low, high]| (Some(low), Some(high)));
        Some(Mark::at(index_as_f64(index), mean).between(low, high))
    };
    let marks: Vec<Mark> = groups.iter().enumerate().filter_map(mark).collect();
    if marks.is_empty() {
        return None;
    }
    let names = groups.iter().map(|group| format!("{} ({})", group.group, group.moves)).collect();
    Some(Chart {
        name: "accuracy".to_owned(),
        title: "Accuracy of the moves by group".to_owned(),
        description: "A dot with its interval for each phase, band of opponents and band of clocks.".to_owned(),
        caption: "Mean accuracy of moves (lichess's formula) by group with 95 % intervals; the number of moves in \
             parentheses.".to_owned(),
        about: about.to_owned(),
        method: "Accuracy of a move from the win percentage it loses, 103.17 exp(-0.0435 d) - 2.17, by the judge's \
                 first search. Intervals take games, not moves, for independent."
            .to_owned(),
        panels: vec![Panel {
            places: Axis::names(names),
            values: Axis::numbers("accuracy (%)"),
            series: vec![Series::new("accuracy", "mean, 95 %", Tone::Blue, Shape::Dots, marks)],
        }],
    })
}

/// The subject's own number for its moves against the judge's.
#[must_use]
pub fn optimism_chart(about: &str, found: &Optimism) -> Option<Chart> {
    // A bin of nothing but mates has no number of centipawns.
    let mut owns = found.bins.iter().filter_map(|bin| bin.own_median);
    let first = owns.next()?;
    let last = owns.next_back().unwrap_or(first);
    let (mut outer, mut inner, mut fitted) = (Vec::new(), Vec::new(), Vec::new());
    for bin in &found.bins {
        let (Some(own), Some(quantiles), Some(fit)) = (bin.own_median, bin.judge_quantiles, bin.fitted)
        else {
            continue;
        };
        let [tenth, quarter, median, three_quarters, ninetieth] = quantiles;
        outer.push(Mark::at(own, median).between(Some(tenth), Some(ninetieth)));
        inner.push(Mark::at(own, median).between(Some(quarter), Some(three_quarters)));
        fitted.push(Mark::at(own, fit));
    }
    let equal = [first, last].map(|at| Mark::at(at, at)).to_vec();
    let limit = 1.5 * first.abs().max(last.abs()).max(200.0);
    Some(Chart {
        name: "optimism".to_owned(),
        title: "The subject's number against the judge's".to_owned(),
        description: "Where the judge's median lies below the diagonal, the subject is too optimistic."
            .to_owned(),
        caption: "The judge's score of the played move against the subject's own, in centipawns from the mover: median, \
             middle half and middle 80 % of each bin, the best rising fit, and the diagonal of equal numbers.".to_owned(),
        about: about.to_owned(),
        method: format!(
            "{} moves with both numbers, in bins of the subject's number; {} moves without a number of centipawns \
             are left out. The fit is isotonic over all moves. Intervals are of the moves, not of the median.",
            found.moves, found.without_number
        ),
        panels: vec![Panel {
            places: Axis::numbers("subject's own score (centipawns)"),
            values: Axis::numbers("judge's score (centipawns)").within(-limit, limit),
            series: vec![
                Series::new("judge_80", "judge, middle 80 %", Tone::Sky, Shape::Band, outer),
                Series::new("judge_50", "", Tone::Blue, Shape::Band, inner.clone()).unlabelled(),
                Series::new("equal", "equal numbers", Tone::Grey, Shape::Line, equal),
                Series::new("fitted", "rising fit", Tone::Orange, Shape::Line, fitted),
                Series::new("judge_median", "judge, median and middle half", Tone::Ink, Shape::Dots, inner),
            ],
        }],
    })
}
