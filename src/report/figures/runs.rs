//! How a rating settles while games arrive, and several runs side by side.

use crate::rating::{Arrival, Estimate, Fit, Interval};
use crate::report::chart::{Axis, Chart, Dot, Mark, Panel, Series, Shape, count_as_f64, index_as_f64};
use crate::report::svg::Tone;

/// The quoted rating after ever more games in plan order, with the final interval across. `None` where
/// no beginning has an estimate.
#[must_use]
pub fn arrivals_chart(about: &str, arrivals: &[Arrival], fit: &Fit) -> Option<Chart> {
    let marks: Vec<Mark> = arrivals
        .iter()
        .filter_map(|arrival| {
            let Interval { rating, low, high, .. } = arrival.estimate.interval()?;
            Some(Mark::at(count_as_f64(arrival.games), rating).between(Some(low), Some(high)))
        })
        .collect();
    let last = marks.last()?;
    let end = last.place.unwrap_or_default();
    // The first intervals are so wide that nothing else could be seen.
    let final_half = last.high.zip(last.low).map_or(100.0, |(high, low)| (high - low) / 2.0);
    let (least, most) = (last.value - 6.0 * final_half, last.value + 6.0 * final_half);
    let mut series = Vec::new();
    if let Some(quoted) = fit.quoted.line.estimate.interval() {
        let mark = Mark { value: quoted.rating, ..Mark::default() };
        let band = mark.between(Some(quoted.low), Some(quoted.high));
        series.push(Series::new("final", "final interval, 95 %", Tone::Blue, Shape::Band, vec![band]));
        series.push(Series::new("final", "", Tone::Blue, Shape::Rule, vec![mark]).unlabelled());
    }
    series.push(Series::new("so_far", "quoted rating so far, 95 %", Tone::Ink, Shape::Dots, marks));
    let panel = Panel {
        places: Axis::numbers("games").reaching(0.0, end),
        values: Axis::numbers("rating (Elo)").within(least, most),
        series,
    };
    Some(Chart {
        name: "arrivals".to_owned(),
        title: "Rating as games arrive".to_owned(),
        description: "The quoted rating with its interval after ever more games, and the final interval as a band."
            .to_owned(),
        caption: format!(
            "Quoted rating with its 95 % interval after the first games of the plan; the band is the final \
             interval.{}",
            panel.arrow_words()
        ),
        about: about.to_owned(),
        method: "Games in plan order, not in the order in which they ended; copies are left out. Each interval is \
                 for one look at its games: choosing where to stop from this picture would make it too narrow."
            .to_owned(),
        panels: vec![panel],
    })
}

/// Runs by name with their fits: the quoted interval of each, and the Elo curve's beside it. `None`
/// where none has an estimate.
#[must_use]
pub fn forest_chart(runs: &[(String, &Fit)]) -> Option<Chart> {
    let marks = |estimate: fn(&Fit) -> Estimate| -> Vec<Mark> {
        let of_run = |(index, (_, fit)): (usize, &(String, &Fit))| {
            let Interval { rating, low, high, .. } = estimate(fit).interval()?;
            Some(Mark::at(index_as_f64(index), rating).between(Some(low), Some(high)))
        };
        runs.iter().enumerate().filter_map(of_run).collect()
    };
    let quoted = marks(|fit| fit.quoted.line.estimate);
    let curve = marks(|fit| fit.elo_curve.estimate);
    if quoted.is_empty() && curve.is_empty() {
        return None;
    }
    let names = runs.iter().map(|(name, fit)| format!("{name} ({} games)", fit.games)).collect();
    Some(Chart {
        name: "forest".to_owned(),
        title: "Ratings of the runs".to_owned(),
        description: "One line a run: the quoted rating with its interval (a circle), and the Elo curve's below it (a square)."
            .to_owned(),
        caption: "Quoted rating of each run with its 95 % interval, which allows for a wrong slope and wrong \
                  levels, and the Elo curve's rating with the interval from pairs alone."
            .to_owned(),
        about: String::new(),
        method: "Intervals that overlap may still differ, and runs that share opponents share the errors of their \
                 levels: `elometer compare` tests a difference."
            .to_owned(),
        panels: vec![Panel {
            places: Axis::names(names),
            values: Axis::numbers("rating (Elo)"),
            series: vec![
                Series::new("quoted", "quoted, 95 %", Tone::Blue, Shape::SmallDots(-2, Dot::Circle), quoted),
                Series::new("elo_curve", "Elo curve, pairs, 95 %", Tone::Ink, Shape::SmallDots(2, Dot::HollowSquare), curve),
            ],
        }],
    })
}
