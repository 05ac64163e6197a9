//! Score, implied rating and residual against level: what a ladder says, and whether its levels agree.

use crate::rating::{Fit, FittedLevel, ImpliedRating, Interval, expected_score};
use crate::report::chart::{Axis, Chart, Mark, Panel, Series, Shape};
use crate::report::svg::Tone;

/// Points of a drawn curve.
const CURVE_POINTS: u32 = 120;
/// How far the axis of implied ratings reaches beyond the ratings, at least and in their spread.
const ROOM: f64 = 150.0;

const LEVEL: &str = "level (UCI_Elo)";

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

fn curve(ends: (f64, f64), point: impl Fn(f64) -> Option<Mark>) -> Vec<Mark> {
    let place = |index: u32| ends.0 + f64::from(index) / f64::from(CURVE_POINTS) * (ends.1 - ends.0);
    (0..=CURVE_POINTS).filter_map(|index| point(place(index))).collect()
}

fn score_panel(fit: &Fit, levels: &[&FittedLevel]) -> Panel {
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
        places: Axis::numbers(LEVEL).reaching(ends.0, ends.1),
        values: Axis::shares("score per game"),
        series,
    }
}

/// The middle of a band, without its interval: the line's own data.
fn bare(marks: Vec<Mark>) -> Vec<Mark> {
    marks.into_iter().map(|mark| Mark { low: None, high: None, ..mark }).collect()
}

fn implied_panel(fit: &Fit, levels: &[&FittedLevel]) -> Panel {
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
        places: Axis::numbers(LEVEL).reaching(ends.0, ends.1),
        values: Axis::numbers("implied rating (Elo)").within(least, most),
        series,
    }
}

/// Scores and implied ratings side by side, for `elometer fit --figure`. `title` names subject and
/// opponents. `None` without a level that has games.
#[must_use]
pub fn ladder_chart(title: &str, fit: &Fit) -> Option<Chart> {
    let levels = played(fit)?;
    let mut panels = vec![score_panel(fit, &levels), implied_panel(fit, &levels)];
    // One legend is enough for the slope.
    panels.iter_mut().for_each(|panel| panel.series.retain(|series| !series.marks.is_empty()));
    Some(Chart {
        name: "ladder".to_owned(),
        title: title.to_owned(),
        description: "Left: score against level with intervals, the Elo curve and the free-slope curve with their \
                      bands. Right: the rating that each level implies, the quoted interval as a band, and the \
                      measured slope as a line."
            .to_owned(),
        caption: String::new(),
        about: String::new(),
        method: String::new(),
        panels,
    })
}

/// Score against level.
#[must_use]
pub fn score_chart(about: &str, fit: &Fit) -> Option<Chart> {
    let levels = played(fit)?;
    Some(Chart {
        name: "score".to_owned(),
        title: "Score against level".to_owned(),
        description: format!(
            "The score at {} levels with 95 % intervals, the Elo curve and the curve with a free slope.",
            levels.len()
        ),
        caption: "Score per game against the opponent's level with 95 % intervals, the fitted Elo curve and the curve \
             with a free slope, both with 95 % bands.".to_owned(),
        about: about.to_owned(),
        method: "Intervals of scores are Wilson's with opening pairs as observations. The band of the Elo curve is \
                 the 95 % interval of its rating (pairs, Student's t) carried along the curve; that of the free \
                 slope is the delta method on the logit, pairs around the curve. Where dots leave the blue band and \
                 follow the orange one, the score does not fall as Elo says."
            .to_owned(),
        panels: vec![score_panel(fit, &levels)],
    })
}

/// The rating that each level implies, with the quoted interval as a band.
#[must_use]
pub fn implied_chart(about: &str, fit: &Fit) -> Option<Chart> {
    let levels = played(fit)?;
    let panel = implied_panel(fit, &levels);
    Some(Chart {
        name: "implied".to_owned(),
        title: "Rating that each level implies".to_owned(),
        description: "A dot with its interval per level, and the quoted interval as a band across: dots far \
                      outside the band mean that the levels disagree."
            .to_owned(),
        caption: format!(
            "Rating implied by the score at each level with 95 % intervals; the band is the quoted 95 % interval, the \
             broken line what a measured slope other than Elo's would give.{}",
            panel.arrow_words()
        ),
        about: about.to_owned(),
        method: "Each level alone: its level plus the Elo difference of its score, the ends of the score's interval \
                 carried over. A level won or lost throughout has a one-sided exact bound. The band is the median \
                 and 95 % of the posterior of R50 with wrong slopes and wrong levels allowed for."
            .to_owned(),
        panels: vec![panel],
    })
}

/// Score less what the Elo curve expects. `None` without a fitted curve.
#[must_use]
pub fn residual_chart(about: &str, fit: &Fit) -> Option<Chart> {
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
            places: Axis::numbers(LEVEL).reaching(ends.0, ends.1),
            values: Axis::numbers("points per 100 games"),
            series: vec![zero, residuals],
        }],
    })
}
