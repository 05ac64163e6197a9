//! `elometer explain`: a position as the engine `legible` sees it.

use std::fmt::Write as _;

use anyhow::anyhow;
use clap::Args;
use serde_json::json;

use super::exit::{CommandResult, Exit, Failure};
use super::format::Format;
use super::{personality, print};
use crate::chess::{Chess, Move, Position as _, StartPosition, parse_engine_move, san, uci};
use crate::engines::legible::{Explanation, Meters, ScoreSource, explain};

/// Show what the engine `legible` makes of a position: the meters of both sides, the move it expects
/// and why, and what its score is made of to the last centipawn.
#[derive(Debug, Args)]
#[command(override_usage = "elometer explain [OPTIONS] <startpos|FEN> [MOVE]")]
pub(super) struct ExplainArguments {
    /// `startpos` or a FEN (one argument or several), then a move to explain (`e2e4` or `e4`)
    /// [default: the one the engine would play].
    #[arg(required = true, num_args = 1.., value_names = ["POSITION", "MOVE"])]
    words: Vec<String>,
    /// How deep to search, in plies.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=20))]
    depth: u8,
    /// `clean`, `careless`, or a JSON file (docs/legible.md).
    #[arg(long, value_name = "NAME|FILE", default_value = "clean")]
    personality: String,
    /// How it is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the command.
pub(super) fn run(arguments: &ExplainArguments) -> CommandResult {
    let personality = personality::read(&arguments.personality)?;
    let (start, m) = read(&arguments.words)?;
    let explanation = explain(start.position(), m, arguments.depth, &personality);
    let text = match arguments.format {
        Format::Text => text(&start, personality.name(), &explanation),
        Format::Json => json_text(&start, personality.name(), &explanation)?,
    };
    print::data(text.as_bytes())?;
    Ok(Exit::Ok)
}

/// The position and the move, out of words that the shell may have split or not.
fn read(words: &[String]) -> Result<(StartPosition, Option<Move>), Failure> {
    let bad_input = |error| Failure::new(Exit::BadInput, error);
    let all = words.join(" ");
    let fields: Vec<&str> = all.split_whitespace().collect();
    // After the four fields of a FEN come its counters, or the move.
    let is_counter = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let length = match fields.first() {
        Some(&"startpos") => 1,
        _ => 4 + fields.iter().skip(4).take(2).take_while(|word| is_counter(word)).count(),
    };
    let (position, rest) = fields.split_at(length.min(fields.len()));
    let position = position.join(" ");
    let start = if position == "startpos" {
        StartPosition::standard()
    } else {
        StartPosition::from_fen(&position).map_err(|error| {
            bad_input(anyhow!(
                "{error}\nhint: give `startpos` or a FEN of four to six fields, then a move if any"
            ))
        })?
    };
    match rest {
        [] => Ok((start, None)),
        [text] => {
            let m = read_move(start.position(), text).ok_or_else(|| {
                bad_input(anyhow!(
                    "`{text}` is no legal move in {}\nhint: write it as e2e4 or as e4",
                    start.fen()
                ))
            })?;
            Ok((start, Some(m)))
        }
        [_, stray, ..] => Err(Failure::new(
            Exit::Usage,
            anyhow!(
                "`{stray}` comes after the move\nhint: one position and one move are explained at a time"
            ),
        )),
    }
}

/// A move in UCI or standard algebraic notation.
fn read_move(position: &Chess, text: &str) -> Option<Move> {
    let plain = |text: &str| text.trim_end_matches(['+', '#']).to_owned();
    let legal = position.legal_moves();
    parse_engine_move(position, text)
        .ok()
        .map(|(m, _)| m)
        .or_else(|| legal.into_iter().find(|m| plain(&san(position, *m)) == plain(text)))
}

fn text(start: &StartPosition, personality: &str, explanation: &Explanation) -> String {
    let mut text = format!("position     {}\npersonality  {personality}\n\n", start.fen());
    text.push_str(&table(&explanation.now));
    if explanation.line.is_empty() {
        text.push_str("\nThere is no legal move.\n");
    } else {
        let _ = writeln!(
            text,
            "\nline         {}\nscore        {} for White at depth {}, {}",
            numbered(start.position(), &explanation.line),
            explanation.score_white,
            explanation.depth,
            print::count(explanation.nodes, "node")
        );
        match explanation.source {
            ScoreSource::Meters => {
                let _ = writeln!(text, "made of      the meters at the end of that line:\n");
                text.push_str(&table(&explanation.end));
            }
            ScoreSource::Mate => text.push_str("made of      a mate at the end of that line\n"),
            ScoreSource::Draw => text.push_str("made of      a draw by rule at the end of that line\n"),
            ScoreSource::Bounded => text.push_str("made of      meters larger than any score may be\n"),
        }
    }
    text.push('\n');
    for sentence in &explanation.sentences {
        let _ = writeln!(text, "says         {sentence}");
    }
    text
}

/// How long the longest bar is.
const BAR: usize = 16;

/// The meters of both sides, and their difference as bars: to the left for Black, to the right for
/// White.
fn table(meters: &Meters) -> String {
    let most =
        meters.rows().map(|(_, white, black)| (white - black).unsigned_abs()).max().unwrap_or_default();
    let scale = most.div_ceil(BAR as u32).max(5);
    let mut text = format!(
        "{:<15}{:>7}{:>7}{:>9}   {:>BAR$}| White better\n",
        "meter", "White", "Black", "W - B", "Black better "
    );
    for (name, white, black) in meters.rows() {
        let difference = white - black;
        let bar = "#".repeat(difference.unsigned_abs().div_ceil(scale) as usize);
        let (left, right) = if difference < 0 { (bar, String::new()) } else { (String::new(), bar) };
        let row = format!("{name:<15}{white:>7}{black:>7}{:>9}   {left:>BAR$}|{right}", signed(difference));
        let _ = writeln!(text, "{row}");
    }
    let (white, black) = meters.rows().fold((0, 0), |sum, (_, white, black)| (sum.0 + white, sum.1 + black));
    let _ = writeln!(
        text,
        "{:<15}{white:>7}{black:>7}{:>9}   one # is {scale} centipawns",
        "sum",
        signed(meters.value_white())
    );
    text
}

/// With a plus where it is one.
fn signed(number: i32) -> String {
    if number > 0 { format!("+{number}") } else { number.to_string() }
}

/// A line with its move numbers.
fn numbered(position: &Chess, line: &[Move]) -> String {
    let mut at = position.clone();
    let mut words = Vec::new();
    for (index, m) in line.iter().enumerate() {
        match (at.turn().is_white(), index) {
            (true, _) => words.push(format!("{}.", at.fullmoves())),
            (false, 0) => words.push(format!("{}...", at.fullmoves())),
            _ => {}
        }
        words.push(san(&at, *m));
        at.play_unchecked(*m);
    }
    words.join(" ")
}

fn json_text(start: &StartPosition, personality: &str, explanation: &Explanation) -> Result<String, Failure> {
    let meters = |meters: &Meters| {
        let blocks: serde_json::Map<_, _> = meters
            .rows()
            .map(|(name, white, black)| (name.to_owned(), json!({ "white": white, "black": black })))
            .collect();
        json!({ "blocks": blocks, "value_white": meters.value_white() })
    };
    let source = match explanation.source {
        ScoreSource::Meters => "meters",
        ScoreSource::Mate => "mate",
        ScoreSource::Draw => "draw",
        ScoreSource::Bounded => "bounded",
    };
    let document = json!({
        "format_version": 1,
        "fen": start.fen(),
        "personality": personality,
        "now": meters(&explanation.now),
        "depth": explanation.depth,
        "nodes": explanation.nodes,
        "score_white": explanation.score_white,
        "line": explanation.line.iter().map(|m| uci(*m, start.castling_mode())).collect::<Vec<_>>(),
        "end": meters(&explanation.end),
        "source": source,
        "sentences": explanation.sentences,
    });
    let mut text =
        serde_json::to_string_pretty(&document).map_err(|error| Failure::new(Exit::Internal, error))?;
    text.push('\n');
    Ok(text)
}
