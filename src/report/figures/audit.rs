//! What an audit found: how much moves lose, how accurate they are, how optimistic their player is.

use crate::audit::{Optimism, Quality};
use crate::rating::ClusteredMean;
use crate::report::chart::{Axis, Chart, Mark, Panel, Series, Shape, count_as_f64, index_as_f64};
use crate::report::svg::Tone;

use std::f64::consts::FRAC_1_SQRT_2 as SQRT_HALF;

/// How much moves lose against the best one, with the rule's line. `drops` in centipawns by the judge
/// at its first budget; `mates`: moves for which a score was a mate, which are not in it. Every bar but
/// that of moves that lose nothing goes from a loss to twice that loss, the limit being one of them, so
/// that bars are equally wide by logarithms and their heights say what the losses are like.
#[must_use]
pub fn drop_chart(about: &str, drops: &[u32], mates: u64, limit_cp: u32) -> Option<Chart> {
    let worst = f64::from(drops.iter().copied().max()?);
    let limit = f64::from(limit_cp);
    let count = |from: f64, to: f64| {
        let inside = |drop: &&u32| f64::from(**drop) > from && f64::from(**drop) <= to;
        count_as_f64(drops.iter().filter(inside).count() as u64)
    };
    let bar = |from: f64, to: f64, value: f64| Mark {
        place: Some(from),
        to: Some(to),
        value,
        low: None,
        high: Some(value),
    };
    let (mut kept, mut broken) = (Vec::new(), Vec::new());
    let nothing = count(-1.0, 0.0);
    if nothing > 0.0 {
        kept.push(bar(0.0, 0.0, nothing));
    }
    // The least edge that has no whole centipawn below it: at least a half, less than 1.
    let mut least = if limit_cp == 0 { 0.5 } else { limit };
    while least >= 1.0 {
        least /= 2.0;
    }
    let mut low = least;
    while low < worst {
        let found = count(low, 2.0 * low);
        if found > 0.0 {
            let side = if 2.0 * low <= limit { &mut kept } else { &mut broken };
            side.push(bar(low, 2.0 * low, found));
        }
        low *= 2.0;
    }
    let rule = vec![Mark { place: Some(limit.max(least)), ..Mark::default() }];
    let most = kept.iter().chain(&broken).map(|mark| mark.value).fold(1.0, f64::max);
    let numbers = format!("{} moves", drops.len());
    let left_out = if mates == 0 {
        String::new()
    } else {
        format!(" {mates} moves with a mate for a score have no loss in centipawns and are left out.")
    };
    let at_first = if broken.is_empty() {
        ""
    } else {
        " Bars right of it are what the judge says at its first budget, not the verdict: that is given at the \
         largest budget, and the count of broken promises is in the table of clauses."
    };
    // As wide as the others, with half a bar between.
    let nothing_at = (least * 0.25 * SQRT_HALF, least * 0.5 * SQRT_HALF);
    Some(Chart {
        name: "drops".to_owned(),
        title: "What moves lose against the best".to_owned(),
        description: format!(
            "Both axes by powers of ten; the line is the rule: a loss of {limit_cp} centipawns."
        ),
        caption: format!(
            "Centipawns that {numbers} lose against the best move, both axes logarithmic: each bar reaches from a \
             loss to twice that loss, 0 is moves that lose nothing, the line the limit of {limit_cp}.{at_first}{left_out}"
        ),
        about: about.to_owned(),
        method: "Best and chosen move are searched at the same position and budget by the judge; the first budget \
                 is shown, also where a larger one changed the verdict. Losses are whole centipawns, those at the \
                 end of a bar in it."
            .to_owned(),
        panels: vec![Panel {
            places: Axis::numbers("loss (centipawns)")
                .by_powers()
                .with_zero(nothing_at.0, nothing_at.1)
                .reaching(nothing_at.0 * SQRT_HALF, limit * 2.0),
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
    let mates: u64 = found.bins.iter().flat_map(|bin| bin.mates).sum();
    let all = found.moves + found.without_number + mates;
    let equal = [first, last].map(|at| Mark::at(at, at)).to_vec();
    let limit = 1.5 * first.abs().max(last.abs()).max(200.0);
    Some(Chart {
        name: "optimism".to_owned(),
        title: "The subject's number against the judge's".to_owned(),
        description: "Where the judge's median lies below the diagonal, the subject is too optimistic."
            .to_owned(),
        caption: format!(
            "The judge's score of the played move against the subject's own, in centipawns from the mover: median, \
             middle half (dark band, lines) and middle 80 % (light band) of each bin, the best fit that never falls \
             (isotonic), and the diagonal of equal numbers. {} of \
             {all} moves; left out are {} for which the subject gave no exact number of centipawns and {mates} that \
             the judge scores as a mate.",
            found.moves, found.without_number
        ),
        about: about.to_owned(),
        method:
            "Bins are of the subject's number. The fit is isotonic over all moves that have both numbers. \
                 Intervals are of the moves, not of the median."
                .to_owned(),
        panels: vec![Panel {
            places: Axis::numbers("subject's own score (centipawns)"),
            values: Axis::numbers("judge's score (centipawns)").within(-limit, limit),
            series: vec![
                Series::new("judge_80", "judge, middle 80 %", Tone::Sky, Shape::Band, outer),
                Series::new("judge_50", "judge, middle half", Tone::Blue, Shape::Band, inner.clone()),
                Series::new("equal", "equal numbers", Tone::Grey, Shape::Line, equal),
                Series::new("fitted", "best rising fit (isotonic)", Tone::Orange, Shape::Line, fitted),
                Series::new("judge_median", "judge, median", Tone::Ink, Shape::Dots, inner),
            ],
        }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::OptimismBin;

    #[test]
    fn bars_of_losses_are_equally_wide_meet_at_the_limit_and_hold_every_move() {
        for limit in [0, 1, 3, 300, 3000] {
            let drops = [0, 0, 1, 2, 3, 4, 5, 100, 299, 300, 301, 599, 3404, 70_000];
            let chart = drop_chart("", &drops, 7, limit).unwrap();
            let [within, beyond, rule] = chart.panels[0].series.as_slice() else { panic!() };
            let sum = |series: &Series| series.marks.iter().map(|mark| mark.value).sum::<f64>();
            let kept = drops.iter().filter(|drop| **drop <= limit).count();
            assert_eq!((sum(within), sum(beyond)), (index_as_f64(kept), index_as_f64(drops.len() - kept)));
            for mark in within.marks.iter().skip(1).chain(&beyond.marks) {
                assert_eq!(mark.to.unwrap(), 2.0 * mark.place.unwrap());
            }
            assert_eq!((within.marks[0].place, within.marks[0].to), (Some(0.0), Some(0.0)));
            assert!(limit == 0 || rule.marks[0].place == Some(f64::from(limit)));
            assert!(
                chart.caption.contains("14 moves lose") && chart.caption.contains(" 7 moves with a mate")
            );
            assert!(chart.to_svg(crate::report::FigureSize::Page).unwrap().contains("\n0\n"));
        }
        assert!(drop_chart("", &[], 7, 300).is_none());
    }

    #[test]
    fn moves_shown_and_left_out_are_all_moves() {
        let bin = |moves, mates| OptimismBin {
            from_cp: None,
            below_cp: None,
            moves,
            mates,
            own_median: (moves > 0).then_some(10.0),
            judge_quantiles: (moves > 0).then_some([0.0; 5]),
            fitted: (moves > 0).then_some(0.0),
        };
        let bins = vec![bin(20, [1, 2]), bin(0, [4, 0]), bin(30, [0, 0])];
        let found = Optimism { moves: 50, without_number: 100, not_judged: 0, median_offset: None, bins };
        let caption = optimism_chart("", &found).unwrap().caption;
        assert!(
            caption.contains("50 of 157 moves; left out are 100 ") && caption.contains("and 7 that"),
            "{caption}"
        );
    }
}
