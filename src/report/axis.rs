//! Where marks stand on an axis, and where it is labelled.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use super::chart::{Axis, Mark, Panel, Scale, Shape, index_as_f64};

/// An axis ready to draw on.
#[derive(Clone, Debug)]
pub(super) struct AxisCoord {
    low: f64,
    high: f64,
    log: bool,
    ticks: Vec<f64>,
    zero: Option<(f64, f64)>,
}

impl AxisCoord {
    /// The axis of places of a panel, labelled about `labels` times.
    pub(super) fn places(panel: &Panel, labels: u32) -> Self {
        let marks = panel.series.iter().flat_map(|series| &series.marks);
        let values = marks.flat_map(|mark| [mark.place, mark.to]).flatten();
        Self::new(&panel.places, values, labels)
    }

    /// The axis of values of a panel.
    pub(super) fn values(panel: &Panel, labels: u32) -> Self {
        let of_series = panel.series.iter().flat_map(|series| {
            series.marks.iter().flat_map(move |mark| match series.shape {
                Shape::PlaceRule => [None; 3],
                // An end that flies away does not make the rest small.
                Shape::Dots | Shape::SmallDots(..) => [Some(mark.value), mark.low, mark.high],
                Shape::Line | Shape::Dashes | Shape::Rule => [Some(mark.value), None, None],
                Shape::Band | Shape::Bars => [None, mark.low, mark.high],
            })
        });
        Self::new(&panel.values, of_series.flatten(), labels)
    }

    fn new(axis: &Axis, values: impl Iterator<Item = f64>, labels: u32) -> Self {
        if let Scale::Names(names) = &axis.scale {
            // The first name stands at the top.
            let ticks = (0..names.len()).map(index_as_f64).collect();
            return Self { low: index_as_f64(names.len()) - 0.5, high: -0.5, log: false, ticks, zero: None };
        }
        let (mut low, mut high) = axis.range.unwrap_or((f64::INFINITY, f64::NEG_INFINITY));
        let is_drawn = |value: &f64| value.is_finite() && (*value > 0.0 || axis.scale != Scale::Log);
        for value in values.filter(is_drawn) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if let Some((least, most)) = axis.limit {
            (low, high) = (low.max(least), high.min(most));
        }
        match axis.scale {
            Scale::Log => Self::log(low, high, axis.zero),
            Scale::Percent => Self::linear(low.max(0.0), high.min(1.0), labels),
            _ => {
                let room = if axis.range == Some((low, high)) { 0.0 } else { 0.04 * (high - low) };
                // What begins at zero stands on the axis.
                let foot = if low == 0.0 { 0.0 } else { room };
                Self::linear(low - foot, high + room, labels)
            }
        }
    }

    fn linear(low: f64, high: f64, labels: u32) -> Self {
        let (low, high) = if high - low > 1e-9 { (low, high) } else { (low - 0.5, high + 0.5) };
        let step = step((high - low) / f64::from(labels.max(1)));
        let first = (low / step - 1e-9).ceil();
        let mut ticks = Vec::new();
        for index in 0..100_u32 {
            let tick = (first + f64::from(index)) * step;
            if tick > high + 1e-9 * step {
                break;
            }
            ticks.push(tick);
        }
        // One number alone is no scale.
        if ticks.len() < 2 && labels < 10 {
            return Self::linear(low, high, labels + 1);
        }
        Self { low, high, log: false, ticks, zero: None }
    }

    fn log(low: f64, high: f64, zero: Option<(f64, f64)>) -> Self {
        let low = low.max(1e-9);
        let high = if high > low * 1.01 { high } else { low * 10.0 };
        let wide = high / low > 50.0;
        // The bar at zero has its tick in its middle, and none beside it.
        let mut ticks: Vec<f64> = zero.map(|(from, to)| (from * to).sqrt()).into_iter().collect();
        let least = zero.map_or(low, |(_, to)| to);
        let mut power = 1e-9;
        while power <= high {
            let parts: &[f64] = if wide { &[1.0] } else { &[1.0, 2.0, 5.0] };
            ticks.extend(parts.iter().map(|part| part * power).filter(|tick| (least..=high).contains(tick)));
            power *= 10.0;
            // Powers of ten from one on are exact.
            if (0.5..5.0).contains(&power) {
                power = 1.0;
            }
        }
        Self { low, high, log: true, ticks, zero }
    }

    /// The ends, the lower first.
    pub(super) fn ends(&self) -> (f64, f64) {
        (self.low.min(self.high), self.low.max(self.high))
    }

    /// From where to where the bar at zero stands, on an axis that has no zero.
    pub(super) fn zero(&self) -> Option<(f64, f64)> {
        self.zero
    }

    /// Whether the lower and the upper end of a mark's interval are not in the axis. A mark without any
    /// end has no interval.
    pub(super) fn cuts(&self, mark: &Mark) -> [bool; 2] {
        if mark.low.is_none() && mark.high.is_none() {
            return [false; 2];
        }
        let (low, high) = self.ends();
        [mark.low.is_none_or(|end| end < low - 1e-9), mark.high.is_none_or(|end| end > high + 1e-9)]
    }

    /// A value moved into the axis.
    pub(super) fn clamped(&self, value: f64) -> f64 {
        let (low, high) = self.ends();
        value.clamp(low, high)
    }

    /// What stands at a tick.
    pub(super) fn label(&self, axis: &Axis, value: f64) -> String {
        let step = match self.ticks.as_slice() {
            [first, second, ..] if !self.log => (second - first).abs(),
            _ => 1.0,
        };
        match &axis.scale {
            Scale::Names(names) => {
                let name = names.iter().enumerate().find(|(index, _)| index_as_f64(*index) == value);
                name.map(|(_, name)| name.clone()).unwrap_or_default()
            }
            Scale::Percent => format!("{} %", plain(100.0 * value, 100.0 * step)),
            Scale::Log if self.zero.is_some_and(|(_, to)| value < to) => "0".to_owned(),
            Scale::Log => plain(value, value.min(1.0)),
            Scale::Linear => plain(value, step),
        }
    }

    /// Where it is labelled.
    pub(super) fn ticks(&self) -> &[f64] {
        &self.ticks
    }
}

/// A round number, at least `least`: 1, 2 or 5 times a power of ten.
fn step(least: f64) -> f64 {
    let mut power = 1e-9;
    loop {
        for part in [1.0, 2.0, 5.0] {
            if part * power >= least * 0.999_999 || power > 1e12 {
                // Without the errors of many multiplications.
                let rounded = part * power;
                return if rounded >= 0.9 { rounded.round() } else { rounded };
            }
        }
        power *= 10.0;
    }
}

/// A number with the decimals that its neighbours need, and a minus that is one.
fn plain(value: f64, step: f64) -> String {
    let mut decimals = 0;
    let mut unit = 1.0;
    while decimals < 6 && step < unit * 0.999 {
        unit /= 10.0;
        decimals += 1;
    }
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => rest.to_owned(),
        Some(rest) => format!("\u{2212}{rest}"),
        None => text,
    }
}

impl Ranged for AxisCoord {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    #[expect(clippy::cast_possible_truncation, reason = "clamped to the panel and a little more")]
    fn map(&self, value: &f64, (begin, end): (i32, i32)) -> i32 {
        let share = if self.log {
            (value.max(1e-9) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        let share = share.clamp(-1.0, 2.0);
        begin + (f64::from(end - begin) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // Ticks are the bold lines; there are no light ones.
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for AxisCoord {
    fn format(value: &f64) -> String {
        value.to_string()
    }
}

impl Panel {
    /// What a caption says of intervals that go on beyond the frame, where they end in arrows; nothing
    /// where none does.
    pub(super) fn arrow_words(&self) -> &'static str {
        let axis = AxisCoord::values(self, 5);
        let dots = self.series.iter().filter(|one| matches!(one.shape, Shape::Dots | Shape::SmallDots(..)));
        if dots.flat_map(|series| &series.marks).any(|mark| axis.cuts(mark) != [false; 2]) {
            " An arrow: the interval goes on beyond the frame."
        } else {
            ""
        }
    }
}

/// The ends of a mark's interval, the edge of the axis where one is not known.
pub(super) fn ends(mark: &Mark, axis: &AxisCoord) -> (f64, f64) {
    let (low, high) = axis.ends();
    (axis.clamped(mark.low.unwrap_or(low)), axis.clamped(mark.high.unwrap_or(high)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_inside_the_axis() {
        let axis = AxisCoord::linear(1363.0, 2037.0, 6);
        assert_eq!(axis.ticks, [1400.0, 1600.0, 1800.0, 2000.0]);
        assert_eq!(AxisCoord::linear(1620.0, 2060.0, 2).ticks, [1800.0, 2000.0]);
        let axis = AxisCoord::linear(-0.12, 0.31, 5);
        let numbers = Axis::numbers("");
        let labels: Vec<String> = axis.ticks.iter().map(|tick| axis.label(&numbers, *tick)).collect();
        assert_eq!(labels, ["\u{2212}0.1", "0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(AxisCoord::log(1.0, 4000.0, None).ticks, [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(AxisCoord::log(3.0, 30.0, None).ticks, [5.0, 10.0, 20.0]);
    }

    #[test]
    fn names_stand_from_the_top_and_logarithms_at_their_places() {
        let names = Axis::names(vec!["a".into(), "b".into()]);
        let axis = AxisCoord::new(&names, std::iter::empty(), 5);
        // Plotters' lower edge comes first.
        assert_eq!((axis.map(&0.0, (100, 0)), axis.map(&1.0, (100, 0))), (25, 75));
        let log = AxisCoord::log(1.0, 100.0, None);
        assert_eq!(
            (log.map(&1.0, (0, 100)), log.map(&10.0, (0, 100)), log.map(&100.0, (0, 100))),
            (0, 50, 100)
        );
    }

    #[test]
    fn zero_has_a_tick_of_its_own_among_logarithms_and_a_cut_interval_is_known() {
        let moves = Axis::numbers("").by_powers().with_zero(0.125, 0.25).reaching(0.125, 100.0);
        let axis = AxisCoord::new(&moves, [0.0, 0.5, 30.0].into_iter(), 5);
        let labels: Vec<String> = axis.ticks.iter().map(|tick| axis.label(&moves, *tick)).collect();
        assert_eq!(labels, ["0", "1", "10", "100"]);
        assert_eq!(axis.ends(), (0.125, 100.0));
        let axis = AxisCoord::linear(0.0, 10.0, 5);
        let mark = |low, high| Mark::at(0.0, 5.0).between(low, high);
        assert_eq!(axis.cuts(&mark(None, None)), [false, false]);
        assert_eq!(axis.cuts(&mark(Some(-1.0), Some(10.0))), [true, false]);
        assert_eq!(axis.cuts(&mark(Some(5.0), None)), [false, true]);
    }
}
