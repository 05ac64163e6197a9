//! What the games were like: pair scores by opponent, lengths, endings.

use std::collections::BTreeMap;

use crate::rating::Unit;
use crate::report::chart::{Axis, Chart, Mark, Panel, Series, Shape, count_as_f64, index_as_f64};
use crate::report::svg::Tone;

/// The five scores of a pair, from the worst, with their colours.
const PAIR_SCORES: [(&str, &str, Tone); 5] = [
    ("pair_0", "0", Tone::Orange),
    ("pair_half", "½", Tone::Amber),
    ("pair_1", "1", Tone::Grey),
    ("pair_1_half", "1½", Tone::Sky),
    ("pair_2", "2 points", Tone::Blue),
];
/// The three scores of a game without its pair.
const GAME_SCORES: [(&str, &str, Tone); 3] =
    [("lost", "lost", Tone::Orange), ("drawn", "drawn", Tone::Grey), ("won", "won", Tone::Blue)];

/// Bars of a histogram of lengths, about.
const LENGTH_BARS: u32 = 24;

/// Pairs by score against each opponent, or games where there are no pairs. `opponents`: a name for
/// each and its units with how often each occurs.
#[must_use]
pub fn pentanomial_chart(about: &str, opponents: &[(String, Vec<(Unit, u64)>)]) -> Option<Chart> {
    let pairs_of = |units: &[(Unit, u64)], half_points: u32| -> u64 {
        let alike = |(unit, _): &&(Unit, u64)| unit.games == 2 && unit.half_points == half_points;
        units.iter().filter(alike).map(|(_, count)| count).sum()
    };
    let games_of = |units: &[(Unit, u64)], half_points: u32| -> u64 {
        let alike = |(unit, _): &&(Unit, u64)| unit.games == 1 && unit.half_points == half_points;
        units.iter().filter(alike).map(|(_, count)| count).sum()
    };
    let has_pairs = opponents.iter().any(|(_, units)| units.iter().any(|(unit, _)| unit.games == 2));
    let (scores, what): (&[_], _) =
        if has_pairs { (&PAIR_SCORES, "opening pairs") } else { (&GAME_SCORES, "games") };
    let mut series: Vec<Series> = scores
        .iter()
        .map(|(key, label, tone)| Series::new(key, *label, *tone, Shape::Bars, Vec::new()))
        .collect();
    let mut names = Vec::new();
    for (index, (name, units)) in opponents.iter().enumerate() {
        let counts: Vec<u64> = (0..)
            .take(scores.len())
            .map(
                |half_points| {
                    if has_pairs { pairs_of(units, half_points) } else { games_of(units, half_points) }
                },
            )
            .collect();
        let total: u64 = counts.iter().sum();
        names.push(format!("{name} ({total})"));
        let mut low = 0.0;
        for (series, count) in series.iter_mut().zip(&counts) {
            if total == 0 {
                continue;
            }
            let share = count_as_f64(*count) / count_as_f64(total);
            let mark = Mark::at(index_as_f64(index), count_as_f64(*count));
            series.marks.push(mark.between(Some(low), Some((low + share).min(1.0))));
            low += share;
        }
    }
    if series.iter().all(|series| series.marks.is_empty()) {
        return None;
    }
    Some(Chart {
        name: "pentanomial".to_owned(),
        title: format!("Scores of {what} by opponent"),
        description: format!("A bar an opponent, divided by what the subject scored in {what}, worst first."),
        caption: format!(
            "Shares of {what} by the subject's score, from the worst on the left; the number of {what} in \
             parentheses."
        ),
        about: about.to_owned(),
        method: if has_pairs {
            "A pair is one opening played once with each colour; 1 point is two draws or a win and a loss. Copies \
             of the same games are one observation and are not in the bars when they are more than two games."
        } else {
            "No pairs are known, so each game stands by itself."
        }
        .to_owned(),
        panels: vec![Panel {
            places: Axis::names(names),
            values: Axis::shares(format!("share of {what}")),
            series,
        }],
    })
}

/// How long games were and how they ended. `games`: plies and ending of each. `None` without games.
#[must_use]
pub fn ending_chart(about: &str, games: &[(u32, String)]) -> Option<Chart> {
    let longest = games.iter().map(|(plies, _)| plies.div_ceil(2)).max()?;
    let width = round_up(longest / LENGTH_BARS + 1);
    let mut lengths = BTreeMap::<u32, u64>::new();
    let mut endings = BTreeMap::<&str, u64>::new();
    for (plies, ending) in games {
        *lengths.entry(plies.div_ceil(2) / width).or_default() += 1;
        *endings.entry(ending).or_default() += 1;
    }
    let bars = lengths.iter().map(|(bar, count)| Mark {
        place: Some(f64::from(bar * width)),
        to: Some(f64::from((bar + 1) * width)),
        value: count_as_f64(*count),
        low: Some(0.0),
        high: Some(count_as_f64(*count)),
    });
    let lengths = Series::new("length", "", Tone::Blue, Shape::Bars, bars.collect()).unlabelled();
    // The most frequent first, then by name.
    let mut endings: Vec<(&str, u64)> = endings.into_iter().collect();
    endings.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let bars = endings.iter().enumerate().map(|(index, (_, count))| {
        let count = count_as_f64(*count);
        Mark::at(index_as_f64(index), count).between(Some(0.0), Some(count))
    });
    let bars = Series::new("ending", "", Tone::Blue, Shape::Bars, bars.collect()).unlabelled();
    let names = endings.iter().map(|(name, count)| format!("{name} ({count})")).collect();
    Some(Chart {
        name: "endings".to_owned(),
        title: "Length and ending of games".to_owned(),
        description: "Left: how many games had how many moves. Right: how many ended how.".to_owned(),
        caption: "Length of the games in moves after the opening, and how they ended.".to_owned(),
        about: about.to_owned(),
        method: format!(
            "A move is two plies, rounded up; each bar of lengths is {width} {} wide. Endings are the journal's, or \
             the Termination tag's.",
            if width == 1 { "move" } else { "moves" }
        ),
        panels: vec![
            Panel {
                places: Axis::numbers("moves").reaching(0.0, f64::from((longest / width + 1) * width)),
                values: Axis::numbers("games").reaching(0.0, 1.0),
                series: vec![lengths],
            },
            Panel {
                places: Axis::names(names),
                values: Axis::numbers("games").reaching(0.0, 1.0),
                series: vec![bars],
            },
        ],
    })
}

/// 1, 2, 5, 10, 20, 50 and so on.
fn round_up(least: u32) -> u32 {
    let mut power = 1;
    loop {
        for part in [1, 2, 5] {
            if part * power >= least || power > 1_000_000 {
                return part * power;
            }
        }
        power *= 10;
    }
}
