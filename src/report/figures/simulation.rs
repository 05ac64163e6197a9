//! How often intervals hold the rating in simulated worlds.

use crate::rating::simulate::Simulation;
use crate::rating::{CONFIDENCE, Method, clopper_pearson};
use crate::report::chart::{Axis, Chart, Dot, Mark, Panel, Series, Shape, index_as_f64};
use crate::report::svg::Tone;

/// The looks of methods, in the order given: place on the line, colour, dot.
const LOOKS: [(i8, Tone, Dot); 4] = [
    (-3, Tone::Blue, Dot::Circle),
    (-1, Tone::Green, Dot::HollowCircle),
    (1, Tone::Amber, Dot::Square),
    (3, Tone::Orange, Dot::HollowSquare),
];
/// Coverage below this is drawn at the edge.
const LOWEST: f64 = 0.5;

/// Coverage of up to four methods in each world, with the error of the simulation. `methods` with what
/// the legend calls them.
#[must_use]
pub fn coverage_chart(worlds: &[&Simulation], methods: &[(Method, &str)]) -> Option<Chart> {
    let mut series = Vec::new();
    for ((method, label), (step, tone, dot)) in methods.iter().zip(LOOKS) {
        let mark = |(index, world): (usize, &&Simulation)| {
            let found = world.methods.iter().find(|found| found.method == *method)?;
            let interval = clopper_pearson(found.held, found.intervals + found.one_sided)?;
            Some(
                Mark::at(index_as_f64(index), interval.share)
                    .between(Some(interval.low), Some(interval.high)),
            )
        };
        let marks: Vec<Mark> = worlds.iter().enumerate().filter_map(mark).collect();
        let key = serde_json::to_value(method).unwrap_or_default();
        let key = key.as_str().unwrap_or(label).to_owned();
        series.push(Series::new(&key, *label, tone, Shape::SmallDots(step, dot), marks));
    }
    let ladders = worlds.first()?.ladders;
    let rule = vec![Mark { value: CONFIDENCE, ..Mark::default() }];
    series.insert(0, Series::new("promised", "promised: 95 %", Tone::Ink, Shape::Rule, rule));
    let label = "share of intervals that hold the rating".to_owned();
    let values = Axis { range: Some((0.8, 1.0)), limit: Some((LOWEST, 1.0)), ..Axis::shares(label) };
    Some(Chart {
        name: "coverage".to_owned(),
        title: "Coverage of 95 % intervals".to_owned(),
        description: "One line a world; dots left of the line of 95 % hold the rating too seldom.".to_owned(),
        caption: format!(
            "Share of 95 % intervals that hold the true rating in simulated worlds, {ladders} ladders each, seed {}; \
             lines are the error of the simulation.",
            worlds.first().map_or(0, |world| world.seed)
        ),
        about: String::new(),
        method: format!(
            "Clopper and Pearson's intervals of the shares; one-sided bounds count with intervals, ladders without \
             either do not. Below {:.0} % dots stand at the edge.",
            100.0 * LOWEST
        ),
        panels: vec![Panel {
            places: Axis::names(worlds.iter().map(|world| world.truth.name.clone()).collect()),
            values,
            series,
        }],
    })
}
