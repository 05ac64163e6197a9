//! What the games were like: pair scores by opponent, lengths, endings.

use std::collections::BTreeMap;
use std::fmt::Write as _;

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

/// Opponents in the figure of pair scores.
const MOST_OPPONENTS: usize = 60;
/// Bars of a histogram of lengths, at most about.
const LENGTH_BARS: u32 = 40;
/// Endings with a bar of their own.
const MOST_ENDINGS: usize = 15;

/// Pairs by score against each opponent, or games where there are no pairs. `opponents`: a name for
/// each and its units with how often each occurs. Drawn are the opponents with the most of them; the
/// caption counts what is not.
#[must_use]
pub fn pentanomial_chart(about: &str, opponents: &[(String, Vec<(Unit, u64)>)]) -> Option<Chart> {
    let units = || opponents.iter().flat_map(|(_, units)| units);
    let has_pairs = units().any(|(unit, _)| unit.games == 2);
    let (scores, what, games): (&[_], _, _) =
        if has_pairs { (&PAIR_SCORES, "opening pairs", 2) } else { (&GAME_SCORES, "games", 1) };
    let of_opponent = |(name, units): &(String, Vec<(Unit, u64)>)| {
        let count = |half_points: u32| -> u64 {
            let alike = |(unit, _): &&(Unit, u64)| unit.games == games && unit.half_points == half_points;
            units.iter().filter(alike).map(|(_, count)| count).sum()
        };
        let counts: Vec<u64> = (0..).take(scores.len()).map(count).collect();
        (name.clone(), counts.iter().sum::<u64>(), counts)
    };
    let mut rows: Vec<_> = opponents.iter().map(of_opponent).filter(|(_, total, _)| *total > 0).collect();
    // The fewest that are drawn, and how many opponents with as few there is room for.
    let mut totals: Vec<u64> = rows.iter().map(|(_, total, _)| *total).collect();
    totals.sort_unstable_by(|a, b| b.cmp(a));
    let least = totals.get(MOST_OPPONENTS - 1).copied().unwrap_or_default();
    let mut room = MOST_OPPONENTS - totals.iter().filter(|total| **total > least).count().min(MOST_OPPONENTS);
    let all: u64 = totals.iter().sum();
    let opponents = rows.len();
    rows.retain(|(_, total, _)| {
        let is_drawn = *total > least || (*total == least && room > 0);
        if is_drawn && *total == least {
            room -= 1;
        }
        is_drawn
    });
    let drawn: u64 = rows.iter().map(|(_, total, _)| total).sum();
    let mut series: Vec<Series> = scores
        .iter()
        .map(|(key, label, tone)| {
            let word = label.split(' ').next().unwrap_or_default();
            Series::new(key, *label, *tone, Shape::Bars, Vec::new()).written(word)
        })
        .collect();
    let mut names = Vec::new();
    for (index, (name, total, counts)) in rows.iter().enumerate() {
        names.push(format!("{name} ({total})"));
        let mut low = 0.0;
        for (series, count) in series.iter_mut().zip(counts) {
            let share = count_as_f64(*count) / count_as_f64(*total);
            let mark = Mark::at(index_as_f64(index), count_as_f64(*count));
            series.marks.push(mark.between(Some(low), Some((low + share).min(1.0))));
            low += share;
        }
    }
    if series.iter().all(|series| series.marks.is_empty()) {
        return None;
    }
    let mut left_out = String::new();
    if rows.len() < opponents {
        let _ = write!(
            left_out,
            " Drawn are the {} opponents with the most of them; {} others with {} {what} are left out.",
            rows.len(),
            opponents - rows.len(),
            all - drawn
        );
    }
    let unit_count = |of: fn(u32) -> bool| -> u64 {
        units().filter(|(unit, _)| of(unit.games)).map(|(_, count)| count).sum()
    };
    let lone = if has_pairs { unit_count(|games| games == 1) } else { 0 };
    if lone > 0 {
        let _ = write!(left_out, " Games without their pair are not in the bars: {lone}.");
    }
    let copies = unit_count(|games| games > 2);
    if copies > 0 {
        let _ = write!(left_out, " Nor are groups of copies of the same games: {copies}.");
    }
    Some(Chart {
        name: "pentanomial".to_owned(),
        title: if rows.len() < opponents {
            format!("Scores of {what} by opponent: {} of {opponents}", rows.len())
        } else {
            format!("Scores of {what} by opponent")
        },
        description: format!("A bar an opponent, divided by what the subject scored in {what}, worst first."),
        caption: format!(
            "Shares of {what} by the subject's score, from the worst on the left, written in where there is room; \
             the number of {what} in parentheses.{left_out}"
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

/// How long games were and how they ended. `games`: plies and ending of each; `after_opening`: whether
/// the plies of an opening are not among them, as in a run, while a PGN has them like all others. The
/// rarest endings share a bar where there are many. `None` without games.
#[must_use]
pub fn ending_chart(about: &str, games: &[(u32, String)], after_opening: bool) -> Option<Chart> {
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
    let rare = endings.split_off(endings.len().min(MOST_ENDINGS));
    let others = match rare.as_slice() {
        [] => String::new(),
        [one] => one.0.to_owned(),
        rare => format!("{} others", rare.len()),
    };
    if !rare.is_empty() {
        endings.push((&others, rare.iter().map(|(_, count)| count).sum()));
    }
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
        caption: format!(
            "Length of the games in moves {}, and how they ended{}.",
            if after_opening {
                "after the opening"
            } else {
                "as the file has them, those of an opening with them"
            },
            if rare.len() > 1 {
                format!("; the {} rarest endings are one bar", rare.len())
            } else {
                String::new()
            }
        ),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_lone_games_and_copies_that_are_not_drawn_are_counted() {
        let unit = |games, half_points| Unit { games, half_points };
        let mut opponents: Vec<_> = (0..70)
            .map(|index| (format!("o{index}"), vec![(unit(2, index % 5), 1 + u64::from(index) / 40)]))
            .collect();
        opponents[0].1.push((unit(1, 2), 3));
        opponents.push(("lone".to_owned(), vec![(unit(1, 0), 2), (unit(4, 4), 1)]));
        let chart = pentanomial_chart("", &opponents).unwrap();
        // Of 40 with one pair and 30 with two, all the latter and the first 30 of the former.
        let csv = String::from_utf8(chart.csv()).unwrap();
        assert!(csv.contains("o29 (1)") && !csv.contains("o30 (") && csv.contains("o69 (2)"), "{csv}");
        assert!(!csv.contains("lone"), "{csv}");
        assert_eq!(chart.title, "Scores of opening pairs by opponent: 60 of 70");
        for words in [
            "the 60 opponents with the most of them; 10 others with 10 opening pairs are left out.",
            "Games without their pair are not in the bars: 5.",
            "Nor are groups of copies of the same games: 1.",
        ] {
            assert!(chart.caption.contains(words), "{}", chart.caption);
        }
        let few = pentanomial_chart("", &opponents[1..3]).unwrap();
        assert!(
            few.title.ends_with("by opponent") && few.caption.ends_with("parentheses."),
            "{}",
            few.caption
        );
    }

    #[test]
    fn rare_endings_share_a_bar_and_the_caption_says_what_a_length_is() {
        let games: Vec<(u32, String)> = (0..3000_u32)
            .flat_map(|index| {
                std::iter::repeat_n((40, format!("e{index:04}")), if index < 14 { 2 } else { 1 })
            })
            .collect();
        let chart = ending_chart("", &games, false).unwrap();
        let csv = String::from_utf8(chart.csv()).unwrap();
        assert_eq!(csv.lines().filter(|line| line.starts_with("ending,")).count(), 16, "{csv}");
        assert!(csv.ends_with("ending,2985 others (2985),,2985,0,2985\n"), "{csv}");
        assert!(chart.caption.contains("as the file has them") && chart.caption.contains("2985 rarest"));
        let run = ending_chart("", &games[..10], true).unwrap();
        assert_eq!(run.caption, "Length of the games in moves after the opening, and how they ended.");
    }
}
