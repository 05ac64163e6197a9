//! Score, implied rating and residual against level: what a ladder says, and whether its levels agree.

use crate::rating::{Fit, FittedLevel, ImpliedRating, Interval, expected_score};
use crate::report::chart::{Axis, Chart, Mark, Panel, Series, Shape};
use crate::report::svg::Tone;

/// Points of a drawn curve.
const CURVE_POINTS: u32 = 120;
/// How far the axis of implied ratings reaches beyond the ratings, at least and in their spread.
const ROOM: f64 = 150.0;

/// The levels that have games; `None` without one.
fn played(fit: &Fit) -> Option<Vec<&FittedLevel>> {
    let played: Vec<_> = fit.levels.iter().filter(|level| level.games > 0).collect();
    (!played.is_empty()).then_some(played)
}

/// The lowest and the highest level with room beside them.
fn level_ends(levels: &[&FittedLevel]) -> (f64, f64) {
    let (first, last) =
        (levels.first().map_or(0.0, |one| one.level), levels.last().map_or(0.0, |one| one.level));
    let room = ((last - first) * 0.06).max(40.0);
    (first - room, last + room)
}

/// Whether a panel shows a series.
fn shows(panel: &Panel, key: &str) -> bool {
    panel.series.iter().any(|series| series.key == key && !series.marks.is_empty())
}

/// The words whose condition holds.
fn words_if(words: &[(bool, &str)]) -> String {
    words.iter().filter(|(is_shown, _)| *is_shown).map(|(_, words)| *words).collect()
}

fn curve(ends: (f64, f64), point: impl Fn(f64) -> Option<Mark>) -> Vec<Mark> {
    let place = |index: u32| ends.0 + f64::from(index) / f64::from(CURVE_POINTS) * (ends.1 - ends.0);
    (0..=CURVE_POINTS).filter_map(|index| point(place(index))).collect()
}

fn score_panel(scale: &str, fit: &Fit, levels: &[&FittedLevel]) -> Panel {
    let ends = level_ends(levels);
    let mut series = Vec::new();
    if let Some(Interval { rating, low, high, .. }) = fit.elo_curve.estimate.interval() {
        let marks = curve(ends, |level| {
            let (low, high) = (expected_score(low - level), expected_score(high - level));
            Some(Mark::at(level, expected_score(rating - level)).between(Some(low), Some(high)))
        });
        series.push(Series::new("elo_curve", "", Tone::Blue, Shape::Band, marks.clone()).unlabelled());
        series.push(Series::new("elo_curve", "Elo curve", Tone::Blue, Shape::Line, bare(marks)));
    }
    if let Some(found) =
        fit.free_slope.as_ref().filter(|free| free.slope.is_some()).and_then(|free| free.curve)
    {
        let marks = curve(ends, |level| {
            let at = found.expected(level);
            Some(Mark::at(level, at.score).between(Some(at.low), Some(at.high)))
        });
        series.push(Series::new("free_slope", "", Tone::Orange, Shape::Band, marks.clone()).unlabelled());
        series.push(Series::new("free_slope", "free slope", Tone::Orange, Shape::Dashes, bare(marks)));
    }
    let scores = levels.iter().filter_map(|level| {
        let score = level.score?;
        Some(Mark::at(level.level, score.score).between(Some(score.low), Some(score.high)))
    });
    series.push(Series::new("score", "score, 95 %", Tone::Ink, Shape::Dots, scores.collect()));
    Panel {
        places: Axis::numbers(scale).reaching(ends.0, ends.1),
        values: Axis::shares("score per game"),
        series,
    }
}

/// The middle of a band, without its interval: the line's own data.
fn bare(marks: Vec<Mark>) -> Vec<Mark> {
    marks.into_iter().map(|mark| Mark { low: None, high: None, ..mark }).collect()
}

fn implied_panel(scale: &str, fit: &Fit, levels: &[&FittedLevel]) -> Panel {
    let ends = level_ends(levels);
    let (mut estimates, mut bounds) = (Vec::new(), Vec::new());
    for level in levels {
        match level.implied {
            Some(ImpliedRating::Estimate { elo, low, high }) => {
                estimates.push(Mark::at(level.level, elo).between(low, high));
            }
            Some(ImpliedRating::AtLeast { elo }) => {
                bounds.push(Mark::at(level.level, elo).between(Some(elo), None));
            }
            Some(ImpliedRating::AtMost { elo }) => {
                bounds.push(Mark::at(level.level, elo).between(None, Some(elo)));
            }
            None => {}
        }
    }
    let quoted = fit.quoted.line.estimate.interval();
    let of_quoted = quoted.iter().flat_map(|quoted| [quoted.low, quoted.high]);
    let values: Vec<f64> = estimates.iter().chain(&bounds).map(|mark| mark.value).chain(of_quoted).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let room = ROOM.max(0.5 * (most - least));
    let (least, most) = if least <= most { (least - room, most + room) } else { (0.0, 1.0) };
    let mut series = Vec::new();
    if let Some(quoted) = quoted {
        let band =
            Mark { value: quoted.rating, ..Mark::default() }.between(Some(quoted.low), Some(quoted.high));
        series.push(Series::new("quoted", "quoted, 95 %", Tone::Blue, Shape::Band, vec![band]));
        series.push(Series::new("quoted", "", Tone::Blue, Shape::Rule, bare(vec![band])).unlabelled());
    }
    let free = fit
        .free_slope
        .as_ref()
        .and_then(|free| Some((free.slope?.slope, free.unit.estimate.interval()?.rating)));
    if let Some((slope, rating)) = free {
        let marks = curve(ends, |level| {
            let implied = level + slope * (rating - level);
            (least..=most).contains(&implied).then(|| Mark::at(level, implied))
        });
        series.push(Series::new("free_slope_rating", "measured slope", Tone::Orange, Shape::Dashes, marks));
    }
    series.push(Series::new(
        "implied_rating",
        "implied by the level, 95 %",
        Tone::Ink,
        Shape::Dots,
        estimates,
    ));
    series.push(Series::new("implied_bound", "bound: all won or lost", Tone::Grey, Shape::Dots, bounds));
    Panel {
        places: Axis::numbers(scale).reaching(ends.0, ends.1),
        values: Axis::numbers("implied rating (Elo)").within(least, most),
        series,
    }
}

/// Scores and implied ratings side by side, for `elometer fit --figure`. `title` names subject and
/// opponents, `scale` what levels are, with the unit. `None` without a level that has games.
#[must_use]
pub fn ladder_chart(title: &str, scale: &str, fit: &Fit) -> Option<Chart> {
    let levels = played(fit)?;
    let mut panels = [score_panel(scale, fit, &levels), implied_panel(scale, fit, &levels)];
    // One legend is enough for the slope.
    panels.iter_mut().for_each(|panel| panel.series.retain(|series| !series.marks.is_empty()));
    let [score, implied] = &panels;
    let description = words_if(&[
        (true, "Left: score against level with intervals"),
        (shows(score, "elo_curve"), ", the Elo curve with its band"),
        (shows(score, "free_slope"), ", the free-slope curve with its band"),
        (true, ". Right: the rating that each level implies"),
        (shows(implied, "quoted"), ", the quoted interval as a band"),
        (shows(implied, "free_slope_rating"), ", the measured slope as a broken line"),
        (true, "."),
    ]);
    Some(Chart {
        name: "ladder".to_owned(),
        title: title.to_owned(),
        description,
        caption: String::new(),
        about: String::new(),
        method: String::new(),
        panels: panels.to_vec(),
    })
}

/// Score against level; `scale` says what levels are, with the unit.
#[must_use]
pub fn score_chart(about: &str, scale: &str, fit: &Fit) -> Option<Chart> {
    let levels = played(fit)?;
    let panel = score_panel(scale, fit, &levels);
    let (has_elo, has_free) = (shows(&panel, "elo_curve"), shows(&panel, "free_slope"));
    let curves = match (has_elo, has_free) {
        (true, true) => ", the fitted Elo curve and the curve with a free slope, both with 95 % bands",
        (true, false) => " and the fitted Elo curve with its 95 % band",
        (false, true) => " and the fitted curve with a free slope and its 95 % band",
        (false, false) => "",
    };
    let method = words_if(&[
        (true, "Intervals of scores are Wilson's with opening pairs as observations."),
        (
            has_elo,
            " The band of the Elo curve is the 95 % interval of its rating (pairs, Student's t) carried along the curve.",
        ),
        (has_free, " The band of the free slope is the delta method on the logit, pairs around the curve."),
        (
            has_elo && has_free,
            " Where dots leave the whole line and follow the broken one, the score does not fall as Elo says.",
        ),
    ]);
    Some(Chart {
        name: "score".to_owned(),
        title: "Score against level".to_owned(),
        description: format!("The score at {} levels with 95 % intervals{curves}.", levels.len()),
        caption: format!("Score per game against the opponent's level with 95 % intervals{curves}."),
        about: about.to_owned(),
        method,
        panels: vec![panel],
    })
}

/// The rating that each level implies, with the quoted interval as a band; `scale` says what levels
/// are, with the unit.
#[must_use]
pub fn implied_chart(about: &str, scale: &str, fit: &Fit) -> Option<Chart> {
    let levels = played(fit)?;
    let panel = implied_panel(scale, fit, &levels);
    let [has_quoted, has_slope, has_bounds] =
        ["quoted", "free_slope_rating", "implied_bound"].map(|key| shows(&panel, key));
    let description = words_if(&[
        (true, "A dot with its interval per level"),
        (
            has_quoted,
            ", and the quoted interval as a band across: dots far outside the band mean that the levels disagree",
        ),
        (true, "."),
    ]);
    let caption = words_if(&[
        (true, "Rating implied by the score at each level with 95 % intervals"),
        (has_quoted, "; the band is the quoted 95 % interval"),
        (has_slope, "; the broken line is what the measured slope, other than Elo's, would give"),
        (has_bounds, "; grey dots are 95 % bounds of levels at which all games were won or all lost"),
        (true, "."),
        (true, panel.arrow_words()),
    ]);
    let method = words_if(&[
        (
            true,
            "Each level alone: its level plus the Elo difference of its score, the ends of the score's interval \
             carried over.",
        ),
        (has_bounds, " A level won or lost throughout has a one-sided exact bound."),
        (
            has_quoted,
            " The band is the median and 95 % of the posterior of R50 with wrong slopes and wrong levels allowed for.",
        ),
    ]);
    Some(Chart {
        name: "implied".to_owned(),
        title: "Rating that each level implies".to_owned(),
        description,
        caption,
        about: about.to_owned(),
        method,
        panels: vec![panel],
    })
}

/// Score less what the Elo curve expects; `scale` says what levels are, with the unit. `None` without a fitted curve.
#[must_use]
pub fn residual_chart(about: &str, scale: &str, fit: &Fit) -> Option<Chart> {
    let levels = played(fit)?;
    let marks: Vec<Mark> = levels
        .iter()
        .filter_map(|level| {
            let (score, expected) = (level.score?, level.expected?);
            let points = |share: f64| 100.0 * (share - expected);
            Some(
                Mark::at(level.level, points(score.score))
                    .between(Some(points(score.low)), Some(points(score.high))),
            )
        })
        .collect();
    if marks.is_empty() {
        return None;
    }
    let ends = level_ends(&levels);
    let zero = Series::new("zero", "", Tone::Blue, Shape::Rule, vec![Mark::default()]).unlabelled();
    let residuals = Series::new("residual", "score less expected, 95 %", Tone::Ink, Shape::Dots, marks);
    Some(Chart {
        name: "residuals".to_owned(),
        title: "Residuals of the Elo curve".to_owned(),
        description: "Points per 100 games above or below what the Elo curve expects at each level.".to_owned(),
        caption: "Score less the score that the fitted Elo curve expects, in points per 100 games, with 95 % intervals \
             of the score.".to_owned(),
        about: about.to_owned(),
        method: "The interval is the score's own (Wilson with pairs); the error of the curve is not in it. A trend \
                 from one end to the other is a wrong slope, a single level far from zero a wrong label."
            .to_owned(),
        panels: vec![Panel {
            places: Axis::numbers(scale).reaching(ends.0, ends.1),
            values: Axis::numbers("points per 100 games"),
            series: vec![zero, residuals],
        }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{Ladder, Level, fit};

    fn found(counts: &[(f64, [u64; 3])]) -> Fit {
        let level = |(elo, [won, drawn, lost]): &(f64, [u64; 3])| {
            Level::from_games(*elo, *won, *drawn, *lost).unwrap()
        };
        fit(&Ladder::new(counts.iter().map(level)))
    }

    #[test]
    fn captions_speak_of_what_is_drawn() {
        let whole =
            [(1500.0, [60, 13, 27]), (1700.0, [52, 16, 32]), (1900.0, [30, 23, 47]), (2100.0, [17, 14, 69])];
        let texts = |fit: &Fit| -> Vec<String> {
            let charts = [score_chart("", "x", fit), implied_chart("", "x", fit), ladder_chart("", "x", fit)];
            let text = |chart: Chart| format!("{}\n{}\n{}", chart.description, chart.caption, chart.method);
            charts.into_iter().flatten().map(text).collect()
        };
        let whole = texts(&found(&whole));
        for (text, words) in
            whole.iter().zip(["curve with a free slope, both", "broken line", "free-slope curve"])
        {
            assert!(text.contains(words), "{text}");
        }
        // One level has a rating and no slope.
        let one = texts(&found(&[(1800.0, [20, 5, 15])]));
        assert!(one[0].contains(" and the fitted Elo curve with its 95 % band."), "{}", one[0]);
        assert!(one.iter().all(|text| !text.contains("slope,") && !text.contains("broken")), "{one:?}");
        assert!(!one[0].contains("free slope") && !one[1].contains("grey dots"), "{one:?}");
        // All won: no curve, no rating, a bound.
        let won = texts(&found(&[(1800.0, [9, 0, 0])]));
        assert!(won[0].contains("with 95 % intervals.") && !won[0].contains("curve"), "{}", won[0]);
        assert!(won[1].contains("grey dots are 95 % bounds") && !won[1].contains("the quoted"), "{}", won[1]);
        assert!(!won[2].contains("curve") && !won[2].contains("quoted"), "{}", won[2]);
    }
}
