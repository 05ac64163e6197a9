//! `elometer match`: how far apart two engines are, and whether a sequential test has decided.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::exit::{CommandResult, Exit, Failure};
use super::format::DataFormat;
use super::input::ReadingArguments;
use super::print::{self, count};
use crate::ladder::input::{InputError, Inputs, Pool};
use crate::rating::{
    MatchAbsence, MatchElo, MatchRemark, MatchSummary, Meeting, OpeningBias, ScoreView, SequentialTest, Sprt,
    SprtModel, SprtRemark, SprtReport, Tally, Unit, Verdict, summarize_match,
};
use crate::report::{Column, Table, TableFormat};

/// Version of the JSON that `match` prints.
const FORMAT_VERSION: u32 = 1;

/// Compare two engines that played each other: Elo, normalised Elo, LOS, a sequential test.
///
/// All figures are from the side of the first engine. Exit code 6 while a sequential test is undecided,
/// or when the games give no difference.
#[derive(Debug, Args)]
pub struct MatchArguments {
    /// Run folders or PGN files of a match (plain, gzip or zstd), or -; they add up.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The first engine; by default the subject of a run, else the first by name.
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    /// The second engine, where there are more than two.
    #[arg(long, value_name = "NAME")]
    opponent: Option<String>,
    /// A sequential test of elo0 against elo1, error rates 0.05 each unless given; pairs are looked at one
    /// by one in plan order, and what comes after the decision is not counted.
    #[arg(long, value_name = "elo0,elo1[,alpha,beta]", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// The scale on which elo0 and elo1 are stated.
    #[arg(long, value_enum, default_value_t = Model::Logistic, requires = "sprt")]
    model: Model,
    #[command(flatten)]
    reading: ReadingArguments,
    /// How to print.
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    format: DataFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Model {
    /// Elo.
    Logistic,
    /// Normalised Elo.
    Normalized,
}

/// Two players and their games.
struct Match {
    pool: Pool,
    names: [String; 2],
    meeting: Meeting,
}

/// Runs the command.
pub(super) fn run(arguments: &MatchArguments) -> CommandResult {
    let sprt = arguments.sprt.as_deref().map(|text| parse_sprt(text, arguments.model)).transpose()?;
    let inputs = arguments.reading.read(&arguments.inputs)?;
    let found = the_match(&inputs, arguments.subject.as_deref(), arguments.opponent.as_deref())?;
    let bad = |error| Failure::new(Exit::BadInput, error);
    let summary = summarize_match(&found.meeting).map_err(bad)?;
    let report = sprt.map(|sprt| sequential(sprt, &inputs, &found)).transpose()?;
    let mut bytes = Vec::new();
    write(&mut bytes, arguments.format, &found, &summary, report.as_ref())
        .map_err(|error| Failure::new(Exit::Internal, error))?;
    print::data(&bytes)?;
    let decided = match &report {
        Some(report) => report.verdict != Verdict::Undecided,
        None => matches!(summary.elo, MatchElo::Interval(_)),
    };
    Ok(if decided { Exit::Ok } else { Exit::Inconclusive })
}

fn parse_sprt(text: &str, model: Model) -> Result<Sprt, Failure> {
    let usage = |error: anyhow::Error| Failure::new(Exit::Usage, error);
    let numbers = text.split(',').map(|part| part.trim().parse::<f64>()).collect::<Result<Vec<_>, _>>();
    let (elo0, elo1, alpha, beta) = match numbers.as_deref() {
        Ok([elo0, elo1]) => (*elo0, *elo1, 0.05, 0.05),
        Ok([elo0, elo1, alpha, beta]) => (*elo0, *elo1, *alpha, *beta),
        _ => {
            return Err(usage(anyhow::anyhow!(
                "--sprt {text}: expected elo0,elo1 or elo0,elo1,alpha,beta\nhint: such as --sprt 0,5"
            )));
        }
    };
    let model = match model {
        Model::Logistic => SprtModel::Logistic,
        Model::Normalized => SprtModel::Normalized,
    };
    Sprt::new(elo0, elo1, alpha, beta, model).map_err(|error| usage(error.into()))
}

/// A match as a report shows it.
pub(super) struct ReportedMatch {
    /// The views of it; the caption is its headline.
    pub(super) table: Table,
    /// What else there is to say.
    pub(super) lines: Vec<String>,
    /// Its numbers.
    pub(super) summary: MatchSummary,
}

/// The match of two players, from the side of `subject` or else of the one that comes first; none where
/// there are not two who met.
pub(super) fn for_report(inputs: &Inputs, subject: Option<&str>) -> Option<ReportedMatch> {
    let found = the_match(inputs, subject, None).ok()?;
    let summary = summarize_match(&found.meeting).ok()?;
    let mut table = view_table(&summary);
    table.caption = headline(&found, &summary);
    let mut lines = count_lines(&summary);
    lines.extend(bias_line(&summary));
    lines.extend(summary.remarks.iter().map(remark_text));
    Some(ReportedMatch { table, lines, summary })
}

/// The games of the two players that were asked for, or that are the only two.
fn the_match(inputs: &Inputs, subject: Option<&str>, opponent: Option<&str>) -> Result<Match, Failure> {
    let bad = |error: anyhow::Error| Failure::new(Exit::BadInput, error);
    // Ratings do not matter here: a player is one player whatever its tags say.
    let all: Vec<String> = inputs.players().into_iter().map(|player| player.name).collect();
    let pool = inputs.pool(&all).map_err(|error| bad(error.into()))?;
    let place = |name: &str| {
        let shown = match inputs.shown_name(name) {
            Err(error @ InputError::AmbiguousName { .. }) => return Err(bad(error.into())),
            found => found.unwrap_or(name),
        };
        pool.players.iter().position(|player| player.name == shown).ok_or_else(|| {
            bad(anyhow::anyhow!(
                "{}: no games of `{name}`\nhint: the players are {}",
                pool.source,
                pool.players.iter().map(|player| player.name.as_str()).collect::<Vec<_>>().join(", ")
            ))
        })
    };
    let planned = || inputs.results(None).ok().and_then(|results| results.subject);
    let first = match (subject, opponent) {
        (Some(name), _) => place(name)?,
        (None, Some(other)) if pool.players.len() == 2 => 1 - place(other)?.min(1),
        (None, _) => planned().and_then(|name| place(&name).ok()).unwrap_or(0),
    };
    let second = match opponent {
        Some(name) => place(name)?,
        None if pool.players.len() == 2 => 1 - first,
        None => {
            return Err(bad(anyhow::anyhow!(
                "{}: a match has two players, found {}: {}\nhint: choose two with --subject and --opponent",
                pool.source,
                pool.players.len(),
                pool.players.iter().map(|player| player.name.as_str()).collect::<Vec<_>>().join(", ")
            )));
        }
    };
    let meeting = pool.meetings.iter().find_map(|meeting| {
        if (meeting.first, meeting.second) == (first, second) {
            Some(meeting.clone())
        } else if (meeting.first, meeting.second) == (second, first) {
            Some(reversed(meeting))
        } else {
            None
        }
    });
    let names = [first, second].map(|place| pool.players[place].name.clone());
    let Some(meeting) = meeting else {
        return Err(bad(anyhow::anyhow!(
            "{}: `{}` and `{}` did not meet\nhint: choose two who did",
            pool.source,
            names[0],
            names[1]
        )));
    };
    Ok(Match { pool, names, meeting })
}

/// The same games from the other side.
fn reversed(meeting: &Meeting) -> Meeting {
    let turned = |tally: Tally| Tally { wins: tally.losses, draws: tally.draws, losses: tally.wins };
    Meeting {
        first: meeting.second,
        second: meeting.first,
        as_white: turned(meeting.as_black),
        as_black: turned(meeting.as_white),
        units: meeting
            .units
            .iter()
            .map(|(unit, count)| (Unit { half_points: 2 * unit.games - unit.half_points, ..*unit }, *count))
            .collect(),
    }
}

/// One look after every unit, in plan order.
fn sequential(sprt: Sprt, inputs: &Inputs, found: &Match) -> Result<SprtReport, Failure> {
    let sequence =
        inputs.unit_sequence(Some(&found.names[0])).map_err(|error| Failure::new(Exit::BadInput, error))?;
    let mut test = SequentialTest::new(sprt);
    for unit in sequence.units.iter().filter(|unit| unit.opponent == found.names[1]) {
        test.look(&[Unit { games: unit.games, half_points: unit.half_points }]);
    }
    Ok(test.report())
}

fn write(
    output: &mut Vec<u8>,
    format: DataFormat,
    found: &Match,
    summary: &MatchSummary,
    report: Option<&SprtReport>,
) -> io::Result<()> {
    let mut table = view_table(summary);
    table.caption = headline(found, summary);
    match format {
        DataFormat::Json => {
            let document = json!({
                "format_version": FORMAT_VERSION,
                "source": found.pool.source,
                "first": found.names[0],
                "second": found.names[1],
                "match": summary,
                "sprt": report,
                "pairs": found.pool.pairs,
                "copied_games": found.pool.copied_games,
                "limits_used": found.pool.limits_used,
                "notices": found.pool.notices,
                "unused": found.pool.unused,
            });
            serde_json::to_writer_pretty(&mut *output, &document)?;
            output.push(b'\n');
            Ok(())
        }
        DataFormat::Csv => table.write(output, TableFormat::Csv),
        DataFormat::Markdown => table.write(output, TableFormat::Markdown),
        DataFormat::Latex => table.write(output, TableFormat::Latex),
        DataFormat::Text => {
            let mut lines =
                vec![format!("{} against {}, from {}", found.names[0], found.names[1], found.pool.source)];
            lines.push(String::new());
            lines.extend(count_lines(summary));
            lines.push(String::new());
            write_lines(output, &lines);
            table.write(output, TableFormat::Text)?;
            let mut lines = vec![String::new(), table.caption.clone()];
            lines.extend(bias_line(summary));
            lines.extend(report.into_iter().flat_map(sprt_lines));
            lines.extend(summary.remarks.iter().map(remark_text));
            if found.pool.copied_games > 0 {
                let games = count(found.pool.copied_games, "game");
                lines.push(format!("warning: {games} repeat an earlier game move for move"));
            }
            lines.extend(super::fit::pair_words(&found.pool.pairs));
            lines.extend(super::fit::limit_words(&found.pool.limits_used));
            lines.extend(found.pool.notices.iter().map(|notice| format!("{}: {notice}", notice.severity())));
            lines.extend(super::fit::unused_words(&found.pool.unused));
            write_lines(output, &lines);
            Ok(())
        }
    }
}

fn write_lines(output: &mut Vec<u8>, lines: &[String]) {
    for line in lines {
        output.extend_from_slice(print::printable(line).as_bytes());
        output.push(b'\n');
    }
}

fn headline(found: &Match, summary: &MatchSummary) -> String {
    let games = if summary.pairs > 0 {
        format!("{} ({})", count(summary.games, "game"), count(summary.pairs, "pair"))
    } else {
        count(summary.games, "game")
    };
    let [first, second] = &found.names;
    match summary.elo {
        MatchElo::Interval(elo) => {
            let los = summary.los.map(|los| format!(", LOS {:.1} %", 100.0 * los)).unwrap_or_default();
            let places = print::decimals(elo.low, elo.high, 1);
            format!(
                "{first} - {second} = {:+.places$} Elo, 95 % [{:+.places$}, {:+.places$}], {games}{los}",
                elo.elo, elo.low, elo.high
            )
        }
        MatchElo::Absent(absence) => match absence {
            MatchAbsence::NoGames => format!("no estimate for {first} - {second}: no games"),
            MatchAbsence::AllWon { at_least } => {
                format!("{first} - {second} >= {at_least:.0} Elo with 95 % confidence, {games}: all won")
            }
            MatchAbsence::AllLost { at_most } => {
                format!("{first} - {second} <= {at_most:.0} Elo with 95 % confidence, {games}: all lost")
            }
            MatchAbsence::OneUnit => {
                format!("no estimate for {first} - {second}, {games}: one observation has no spread")
            }
            MatchAbsence::NoVariance { score, .. } => format!(
                "no estimate for {first} - {second}, {games}: no variance, all observations scored {:.1} %; as \
                 many won or lost games would allow [{:.1}, {:.1}] %",
                100.0 * score.score,
                100.0 * score.low,
                100.0 * score.high
            ),
            MatchAbsence::TooWide { half_width } => format!(
                "no estimate for {first} - {second}, {games}: not enough data, the interval would reach \
                 {half_width:.0} Elo"
            ),
        },
    }
}

fn count_lines(summary: &MatchSummary) -> Vec<String> {
    let wdl = |tally: Tally| format!("{} won, {} drawn, {} lost", tally.wins, tally.draws, tally.losses);
    let share =
        |share: Option<f64>| share.map(|share| format!("{:.1} %", 100.0 * share)).unwrap_or("-".into());
    let mut lines = vec![
        format!("games       {} (draws {})", wdl(summary.tally), share(summary.draw_rate)),
        format!("with White  {}", wdl(summary.as_white)),
        format!("with Black  {}", wdl(summary.as_black)),
    ];
    if summary.pairs > 0 {
        let counts = summary.pentanomial_counts.map(|count| count.to_string()).join(", ");
        let ratio = summary.pairs_ratio.map(|ratio| format!(", pairs ratio {ratio:.2}")).unwrap_or_default();
        lines.push(format!(
            "pairs       [{counts}] with 0, 1/2, 1, 3/2, 2 points{ratio}, even {}",
            share(summary.even_pair_rate)
        ));
    }
    lines
}

/// Pairs and games as observations, side by side.
fn view_table(summary: &MatchSummary) -> Table {
    let mut table = Table::new(vec![
        Column::words("observations"),
        Column::numbers("n"),
        Column::numbers("score %"),
        Column::numbers("Elo"),
        Column::numbers("95 %"),
        Column::numbers("normalised Elo"),
        Column::numbers("SE"),
        Column::numbers("LOS %"),
    ]);
    if let (MatchElo::Interval(quoted), Some(view)) =
        (summary.elo, summary.pentanomial.as_ref().or(summary.trinomial.as_ref()))
    {
        let places = print::decimals(quoted.low, quoted.high, 1);
        let score =
            if summary.pairs * 2 == summary.games || summary.pairs == 0 { view.score } else { f64::NAN };
        table.rows.push(vec![
            "quoted, Student's t".to_owned(),
            summary.units.to_string(),
            if score.is_nan() { String::new() } else { format!("{:.2}", 100.0 * score) },
            format!("{:.places$}", quoted.elo),
            format!("[{:.places$}, {:.places$}]", quoted.low, quoted.high),
            String::new(),
            String::new(),
            summary.los.map(|los| format!("{:.1}", 100.0 * los)).unwrap_or_default(),
        ]);
    }
    let mut push = |name: &str, view: Option<&ScoreView>| {
        let Some(view) = view else { return };
        let number = |value: Option<f64>| value.map(|value| format!("{value:.1}")).unwrap_or_default();
        let end = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
        table.rows.push(vec![
            name.to_owned(),
            view.observations.to_string(),
            format!("{:.2}", 100.0 * view.score),
            number(view.elo),
            format!("[{}, {}]", end(view.elo_low), end(view.elo_high)),
            number(view.normalized.map(|found| found.elo)),
            number(view.normalized.map(|found| found.standard_error)),
            number(view.los.map(|los| 100.0 * los)),
        ]);
    };
    push("pairs (pentanomial), z", summary.pentanomial.as_ref());
    push("games (trinomial), z", summary.trinomial.as_ref());
    table
}

fn bias_line(summary: &MatchSummary) -> Option<String> {
    Some(match summary.opening_bias? {
        OpeningBias::Estimated { score, elo, .. } => {
            let elo = elo.map(|elo| format!(" ({elo:.0} Elo)")).unwrap_or_default();
            format!("opening bias: an opening is worth {:.1} % of a point to one side{elo}", 100.0 * score)
        }
        OpeningBias::PairsAgree { .. } => {
            "opening bias: none seen; the two games of a pair agree more often than by chance".to_owned()
        }
    })
}

fn sprt_lines(report: &SprtReport) -> Vec<String> {
    let verdict = match report.verdict {
        Verdict::AcceptElo0 => format!("elo0 = {} is accepted", report.sprt.elo0()),
        Verdict::AcceptElo1 => format!("elo1 = {} is accepted", report.sprt.elo1()),
        Verdict::Undecided => "undecided".to_owned(),
    };
    let model = match report.sprt.model() {
        SprtModel::Logistic => "logistic",
        SprtModel::Normalized => "normalised",
    };
    let llr = report.llr.map_or("none".to_owned(), |llr| format!("{llr:.2}"));
    let mut lines = vec![format!(
        "SPRT ({model}, elo0 {}, elo1 {}): LLR {llr} in ({:.2}, {:.2}) after {} in {}: {verdict}",
        report.sprt.elo0(),
        report.sprt.elo1(),
        report.lower,
        report.upper,
        count(report.games, "game"),
        count(report.looks, "look"),
    )];
    if let Some(found) = report.estimate {
        let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:+.1}"));
        lines.push(format!(
            "after the test: {} Elo ({model}), 95 % [{}, {}], median-unbiased",
            number(found.elo),
            number(found.low),
            number(found.high)
        ));
    }
    lines.extend(report.remarks.iter().map(|remark| match remark {
        SprtRemark::AfterDecision { units } => {
            format!("note: {} after the decision, not counted by the test", count(*units, "observation"))
        }
        SprtRemark::NoLikelihood => "note: the games leave a hypothesis without a likelihood".to_owned(),
        SprtRemark::NoVariance => {
            "note: the games are too much alike for an estimate after the test".to_owned()
        }
        SprtRemark::Copies { units } => format!("note: {} of copies", count(*units, "observation")),
    }));
    lines
}

fn remark_text(remark: &MatchRemark) -> String {
    match remark {
        MatchRemark::GamesAsUnits => {
            "note: games as units: pairs unknown; if openings were played in pairs, this interval ignores it"
                .to_owned()
        }
        MatchRemark::SingleGames { games } => {
            format!("note: {} without a pair, each taken as independent", count(*games, "game"))
        }
        MatchRemark::Copies { units } => format!("note: {} of copies", count(*units, "observation")),
        MatchRemark::OneColour => {
            "warning: one colour only: White's advantage is part of the difference".to_owned()
        }
    }
}
