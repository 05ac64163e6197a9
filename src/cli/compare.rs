//! `elometer compare`: two runs of two versions, or of one engine twice.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::exit::{CommandResult, Exit, Failure};
use super::format::DataFormat;
use super::input::ReadingArguments;
use super::print;
use crate::ladder::IdentityComparison;
use crate::ladder::input::{Conditions, Inputs, KnownSides, RunLimits};
use crate::rating::{
    DirectComparison, Fit, Ladder, Level, LevelComparison, LevelScores, Line, PairScore, Pairing,
    RatingComparison, RunRating, compare_directly, compare_ratings, fit,
};
use crate::report::{Column, Table, TableFormat, limit_note};

/// Version of the JSON that `compare` prints.
const FORMAT_VERSION: u32 = 1;

/// Say whether two runs differ by more than luck.
///
/// Compares the ratings (standard errors, never half-widths) and, level by level, the scores themselves,
/// which needs no model of the ladder; by opening where both played the same. Levels are compared only
/// where both were played against the same opponents. Exit code 6 when nothing can be compared.
#[derive(Debug, Args)]
pub struct CompareArguments {
    /// The first run folder, PGN or CSV.
    first: PathBuf,
    /// The second.
    second: PathBuf,
    /// Whose games of the first, where it does not tell.
    #[arg(long, value_name = "NAME")]
    first_subject: Option<String>,
    /// Whose games of the second.
    #[arg(long, value_name = "NAME")]
    second_subject: Option<String>,
    #[command(flatten)]
    reading: ReadingArguments,
    /// How to print.
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    format: DataFormat,
}

/// One of the two.
struct Side {
    title: String,
    /// Name, limits and options, where the input tells: a PGN or CSV does not.
    opponent: Option<String>,
    /// Who played, where the input tells.
    known: Option<KnownSides>,
    inputs: Inputs,
    /// What its engines used of their limits.
    limits_used: Vec<RunLimits>,
    fit: Fit,
    /// Opening and score of every pair, by level.
    pairs: BTreeMap<u64, Vec<(String, u32)>>,
}

/// Whether both met the same opponents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opponents {
    Same,
    /// A level of the one is not that of the other.
    Differ,
    Unknown,
}

impl Opponents {
    fn of(players: Option<&Players>) -> Self {
        match players {
            None => Self::Unknown,
            Some(players) if players.opponents.is_same() => Self::Same,
            Some(_) => Self::Differ,
        }
    }

    /// What a reader must know of them.
    fn words(self) -> Option<&'static str> {
        match self {
            Self::Same => None,
            Self::Differ => Some(
                "the opponents differ: each rating is on the scale of its own, and levels of one name are \
                 not one opponent, so scores are not compared level by level",
            ),
            Self::Unknown => Some(
                "whether the opponents were the same is not known: PGN and CSV do not say how they were set",
            ),
        }
    }
}

/// What the plans of both say of the players.
struct Players {
    subjects: IdentityComparison,
    opponents: IdentityComparison,
}

impl Players {
    fn of(first: &Side, second: &Side) -> Option<Self> {
        let (first, second) = first.known.as_ref().zip(second.known.as_ref())?;
        Some(Self {
            subjects: first.subject.compare(&second.subject),
            opponents: first.opponent.compare(&second.opponent),
        })
    }

    /// What is compared, part by part.
    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.subjects.is_same() {
            lines.push("the subjects are equal in program, options and limits".to_owned());
        }
        for (who, found) in [("subjects", &self.subjects), ("opponents", &self.opponents)] {
            lines.extend(found.differences.iter().map(|part| format!("the {who} differ in {part}")));
            lines.extend(found.not_told.iter().map(|part| {
                format!("a plan of elometer 0.1 does not tell this of the {who}, taken as equal: {part}")
            }));
        }
        lines
    }
}

/// Runs the command.
pub(super) fn run(arguments: &CompareArguments) -> CommandResult {
    let first = side(arguments, 'A', &arguments.first, arguments.first_subject.as_deref())?;
    let second = side(arguments, 'B', &arguments.second, arguments.second_subject.as_deref())?;
    let lines = compared_lines(&first.fit, &second.fit);
    let players = Players::of(&first, &second);
    let opponents = Opponents::of(players.as_ref());
    let same_games = first.inputs.holds_the_same_games(&second.inputs);
    let direct = match opponents {
        Opponents::Differ => compare_directly(&[]),
        Opponents::Same | Opponents::Unknown => directly(&first, &second),
    };
    if let (Opponents::Differ, Some(one), Some(other)) = (opponents, &first.opponent, &second.opponent) {
        let parts = players.iter().flat_map(|players| &players.opponents.differences);
        let parts: String = parts.map(|part| format!("\n  {part}")).collect();
        print::warning(&format!(
            "{}\n  A: against {one}\n  B: against {other}{parts}\nhint: play both against the same opponents: \
             program, limits and options",
            opponents.words().unwrap_or_default()
        ));
    }
    let mut bytes = Vec::new();
    let known = Known { players: players.as_ref(), opponents, same_games };
    write(&mut bytes, arguments.format, [&first, &second], &known, &lines, &direct)
        .map_err(|error| Failure::new(Exit::Internal, error))?;
    print::data(&bytes)?;
    let found = lines.iter().any(|(.., found)| found.is_some()) || direct.combined.is_some();
    Ok(if found { Exit::Ok } else { Exit::Inconclusive })
}

fn side(
    arguments: &CompareArguments,
    name: char,
    path: &Path,
    subject: Option<&str>,
) -> Result<Side, Failure> {
    let inputs = arguments.reading.read(&[path.to_owned()])?;
    let results = inputs.results(subject).map_err(|error| Failure::new(Exit::BadInput, error))?;
    let title = match (&results.shown_conditions(), &results.subject) {
        (Some(Conditions { subject, opponent }), _) => {
            format!("{subject} against {opponent}, from {}", results.source)
        }
        (None, Some(subject)) => format!("{subject}, from {}", results.source),
        (None, None) => results.source.clone(),
    };
    for notice in &results.notices {
        print::note(&format!("note: {name}: {notice}"));
    }
    for run in &results.limits_used {
        if let Some(note) = limit_note(&run.used.engine, &run.used.limits, &run.used.facts) {
            print::note(&format!("note: {name}: {note}"));
        }
    }
    let pairs = pairs_by_level(name, &inputs, subject, &results.ladder);
    let limits_used = results.limits_used;
    let opponent = results.conditions.map(|conditions| conditions.opponent);
    let known = inputs.known_sides(subject);
    Ok(Side { title, opponent, known, inputs, limits_used, fit: fit(&results.ladder), pairs })
}

/// What is known of both beside their games.
struct Known<'a> {
    players: Option<&'a Players>,
    opponents: Opponents,
    /// Whether both hold the same games, move for move.
    same_games: bool,
}

/// Pairs with their openings; none where the input holds only counts.
fn pairs_by_level(
    side: char,
    inputs: &Inputs,
    subject: Option<&str>,
    ladder: &Ladder,
) -> BTreeMap<u64, Vec<(String, u32)>> {
    let mut levels = BTreeMap::<u64, Vec<(String, u32)>>::new();
    let units = match inputs.unit_sequence(subject) {
        Ok(sequence) => sequence.units,
        Err(_) => return counted_pairs(side, ladder),
    };
    for (number, unit) in units.iter().enumerate().filter(|(_, unit)| unit.games == 2) {
        let Some(level) = unit.level else { continue };
        // An opening that nobody can tell is like no other.
        let opening =
            unit.opening.map_or_else(|| format!("unknown {side}{number}"), |opening| opening.to_string());
        levels.entry((level.elo + 0.0).to_bits()).or_default().push((opening, unit.half_points));
    }
    levels
}

/// Pairs of counts, whose openings nobody knows.
fn counted_pairs(side: char, ladder: &Ladder) -> BTreeMap<u64, Vec<(String, u32)>> {
    let pairs = |level: &Level| {
        let counted = level.units().filter(|(unit, _)| unit.games == 2);
        counted
            .flat_map(|(unit, count)| (0..count).map(move |_| unit.half_points))
            .enumerate()
            .map(|(number, half_points)| (format!("unknown {side}{number}"), half_points))
            .collect::<Vec<_>>()
    };
    let found = ladder.levels().iter().map(|level| ((level.elo() + 0.0).to_bits(), pairs(level)));
    found.filter(|(_, pairs)| !pairs.is_empty()).collect()
}

/// The lines that have a standard error, compared.
fn compared_lines<'a>(
    first: &'a Fit,
    second: &'a Fit,
) -> Vec<(&'static str, &'a Line, &'a Line, Option<RatingComparison>)> {
    let mut lines = vec![
        ("quoted", &first.quoted.line, &second.quoted.line),
        ("Elo curve, pairs", &first.elo_curve, &second.elo_curve),
    ];
    if let (Some(one), Some(other)) = (&first.without_priors, &second.without_priors) {
        lines.push(("without priors", &one.line, &other.line));
    }
    lines
        .into_iter()
        .map(|(name, one, other)| {
            let found =
                run_rating(one).zip(run_rating(other)).and_then(|(one, other)| compare_ratings(&one, &other));
            (name, one, other, found)
        })
        .collect()
}

fn run_rating(line: &Line) -> Option<RunRating> {
    let interval = line.estimate.interval()?;
    Some(RunRating {
        rating: interval.rating,
        standard_error: interval.standard_error?,
        degrees_of_freedom: interval.degrees_of_freedom,
    })
}

fn directly(first: &Side, second: &Side) -> DirectComparison {
    let views: Vec<(f64, Vec<PairScore<'_>>, Vec<PairScore<'_>>)> = first
        .pairs
        .iter()
        .filter_map(|(level, own)| {
            Some((f64::from_bits(*level), pair_scores(own), pair_scores(second.pairs.get(level)?)))
        })
        .collect();
    let mut levels: Vec<LevelScores<'_>> =
        views.iter().map(|(level, first, second)| LevelScores { level: *level, first, second }).collect();
    levels.sort_by(|a, b| a.level.total_cmp(&b.level));
    compare_directly(&levels)
}

fn pair_scores(pairs: &[(String, u32)]) -> Vec<PairScore<'_>> {
    pairs.iter().map(|(opening, half_points)| PairScore { opening, half_points: *half_points }).collect()
}

fn write(
    output: &mut Vec<u8>,
    format: DataFormat,
    sides: [&Side; 2],
    known: &Known<'_>,
    lines: &[(&str, &Line, &Line, Option<RatingComparison>)],
    direct: &DirectComparison,
) -> io::Result<()> {
    let Known { players, opponents, same_games } = *known;
    if format == DataFormat::Json {
        let ratings: Vec<_> = lines
            .iter()
            .map(|(name, first, second, found)| {
                json!({ "line": name, "first": first, "second": second, "comparison": found })
            })
            .collect();
        let mut document = json!({
            "format_version": FORMAT_VERSION,
            "first": sides[0].title,
            "second": sides[1].title,
            "same_games": same_games,
            "subjects": {
                "same": players.map(|players| players.subjects.is_same()),
                "differences": players.map(|players| &players.subjects.differences),
                "not_told": players.map(|players| &players.subjects.not_told),
            },
            "opponents": {
                "first": sides[0].opponent,
                "second": sides[1].opponent,
                "same": match opponents {
                    Opponents::Same => Some(true),
                    Opponents::Differ => Some(false),
                    Opponents::Unknown => None,
                },
                "differences": players.map(|players| &players.opponents.differences),
                "not_told": players.map(|players| &players.opponents.not_told),
            },
            "ratings": ratings,
            "direct": direct,
        });
        let [first, second] = sides.map(|side| &side.limits_used);
        if !first.is_empty() || !second.is_empty() {
            document["limits_used"] = json!({ "first": first, "second": second });
        }
        serde_json::to_writer_pretty(&mut *output, &document)?;
        output.push(b'\n');
        return Ok(());
    }
    let mut table = rating_table(lines);
    let words = opponents.words();
    table.caption = format!("A: {}. B: {}. Difference A - B in Elo", sides[0].title, sides[1].title);
    table.caption += &words.map_or_else(|| ".".to_owned(), |words| format!("; {words}."));
    let levels = level_table(direct);
    let form = match format {
        DataFormat::Csv => return table.write(output, TableFormat::Csv),
        DataFormat::Markdown => TableFormat::Markdown,
        DataFormat::Latex => TableFormat::Latex,
        DataFormat::Text | DataFormat::Json => TableFormat::Text,
    };
    if form == TableFormat::Text {
        output.extend_from_slice(format!("A: {}\nB: {}\n\n", sides[0].title, sides[1].title).as_bytes());
    }
    table.write(output, form)?;
    if !levels.rows.is_empty() {
        output.push(b'\n');
        levels.write(output, form)?;
    }
    if form == TableFormat::Text {
        let parts = players.map(Players::lines).unwrap_or_default();
        let same = same_games.then_some("A and B hold the same games, move for move");
        let notes = parts.iter().map(String::as_str).chain(words).chain(same);
        let note: String = notes.map(|words| print::printable(&format!("note: {words}\n"))).collect();
        output.extend_from_slice(format!("\n{note}{}\n", verdict(lines, direct, opponents)).as_bytes());
    }
    Ok(())
}

fn comparison_cells(found: Option<RatingComparison>) -> [String; 5] {
    let Some(found) = found else { return Default::default() };
    let places = print::decimals(found.low, found.high, 0);
    [
        format!("{:+.places$}", found.difference),
        format!("[{:+.places$}, {:+.places$}]", found.low, found.high),
        format!("{:.*}", places + 1, found.standard_error),
        format!("{:.2}", found.z),
        super::fit::probability(found.p_value),
    ]
}

fn rating_table(lines: &[(&str, &Line, &Line, Option<RatingComparison>)]) -> Table {
    let mut columns = vec![Column::words("line"), Column::numbers("A"), Column::numbers("B")];
    columns.extend(["A - B", "95 %", "SE", "z", "p"].map(Column::numbers));
    let mut table = Table::new(columns);
    let rating = |line: &Line| line.estimate.interval().map(|found| format!("{:.0}", found.rating));
    for (name, first, second, found) in lines {
        let own = [(*name).to_owned(), rating(first).unwrap_or_default(), rating(second).unwrap_or_default()];
        table.rows.push(own.into_iter().chain(comparison_cells(*found)).collect());
    }
    table
}

fn level_table(direct: &DirectComparison) -> Table {
    let mut columns = ["level", "pairs A", "pairs B", "score A %", "score B %"].map(Column::numbers).to_vec();
    columns.push(Column::words("compared"));
    columns.extend(["A - B", "95 %", "SE", "z", "p"].map(Column::numbers));
    let mut table = Table::new(columns);
    table.caption =
        "The same two at their common levels, without a model of the ladder: scores of opening pairs, \
                     compared opening by opening where both played them; Elo, intervals of 95 %."
            .to_owned();
    for level in &direct.levels {
        let LevelComparison { first_pairs, second_pairs, first_score, second_score, .. } = level;
        let pairing = match level.pairing {
            Pairing::ByOpening { openings, .. } => format!("by {openings} openings"),
            Pairing::Unpaired => "means".to_owned(),
        };
        let own = [
            level.level.to_string(),
            first_pairs.to_string(),
            second_pairs.to_string(),
            format!("{:.1}", 100.0 * first_score),
            format!("{:.1}", 100.0 * second_score),
            pairing,
        ];
        table.rows.push(own.into_iter().chain(comparison_cells(level.comparison)).collect());
    }
    if let Some(found) = direct.combined {
        let own =
            ["all".to_owned(), String::new(), String::new(), String::new(), String::new(), String::new()];
        table.rows.push(own.into_iter().chain(comparison_cells(Some(found))).collect());
    }
    table
}

/// The sentence to take away: without a model where the levels allow it, else from the Elo curves.
fn verdict(
    lines: &[(&str, &Line, &Line, Option<RatingComparison>)],
    direct: &DirectComparison,
    opponents: Opponents,
) -> String {
    // Never from the Elo curves alone: they do not know when the ladder is wrong.
    let quoted = lines.iter().find_map(|(name, .., found)| found.filter(|_| *name == "quoted"));
    let (found, how) = match (direct.combined, quoted) {
        (Some(found), _) => (found, "at common levels, without a model of the ladder"),
        (None, Some(found)) => (found, "between the quoted lines, as pairs at common levels do not suffice"),
        (None, None) => return "not enough data to compare".to_owned(),
    };
    let places = print::decimals(found.low, found.high, 0);
    if opponents == Opponents::Differ {
        return format!(
            "no verdict: A - B = {:+.places$} Elo, 95 % [{:+.places$}, {:+.places$}] between the quoted \
             lines, where the difference of the opponents is in it",
            found.difference, found.low, found.high
        );
    }
    let judged = if found.p_value < 0.05 { "more than luck" } else { "no more than luck may give" };
    format!(
        "A - B = {:+.places$} Elo, 95 % [{:+.places$}, {:+.places$}] {how}: {judged} (z {:.2}, p {})",
        found.difference,
        found.low,
        found.high,
        found.z,
        super::fit::probability(found.p_value)
    )
}
