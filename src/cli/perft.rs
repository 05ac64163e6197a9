//! `elometer perft`: counts leaves, and compares keys when asked.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::anyhow;
use clap::Args;

use super::exit::{CommandResult, Exit, Failure};
use super::print;
use crate::chess::{StartPosition, uci};
use crate::engines::board::KeyedPosition;
use crate::engines::perft::{divide, perft};

/// Deeper trees than this cannot be counted, nor would their counts fit 64 bits.
const MAX_DEPTH: u8 = 12;

/// What `elometer perft` takes.
#[derive(Debug, Args)]
#[command(override_usage = "elometer perft [--divide] [--verify] <startpos|FEN> <DEPTH>")]
pub(super) struct PerftArguments {
    /// `startpos` or a FEN (one argument or several), then the depth in plies (0 to 12).
    #[arg(required = true, num_args = 2.., value_names = ["POSITION", "DEPTH"])]
    words: Vec<String>,
    /// Print the count below each move.
    #[arg(long)]
    divide: bool,
    /// After every move compare the Zobrist key with one computed from scratch; a mismatch ends
    /// with exit code 5.
    #[arg(long)]
    verify: bool,
}

/// Counts, prints the count on stdout and the speed on stderr.
pub(super) fn run(arguments: &PerftArguments) -> CommandResult {
    let (start, depth) = read(&arguments.words)?;
    let position = KeyedPosition::new(start.position().clone());
    let begun = Instant::now();
    let mut text = String::new();
    let leaves = if arguments.divide && depth > 0 {
        let parts = divide(&position, depth, arguments.verify).map_err(gate)?;
        for (m, leaves) in &parts {
            let _ = writeln!(text, "{} {leaves}", uci(*m, start.castling_mode()));
        }
        parts.iter().map(|(_, leaves)| leaves).sum()
    } else {
        perft(&position, depth, arguments.verify).map_err(gate)?
    };
    let time = begun.elapsed();
    let _ = writeln!(text, "leaves {leaves}");
    let per_second = u128::from(leaves) * 1_000_000 / time.as_micros().max(1);
    let keys = if arguments.verify { "every key verified" } else { "keys not verified (--verify)" };
    print::note(&format!("{per_second} nodes per second, {:.3} s, {keys}", time.as_secs_f64()));
    print::data(text.as_bytes())?;
    Ok(Exit::Ok)
}

fn gate(error: crate::engines::perft::KeyMismatch) -> Failure {
    Failure::new(Exit::GateFailed, error)
}

fn read(words: &[String]) -> Result<(StartPosition, u8), Failure> {
    let (depth, position) = words
        .split_last()
        .ok_or_else(|| Failure::new(Exit::Usage, anyhow!("a position and a depth are needed")))?;
    let depth = depth.parse().ok().filter(|depth| *depth <= MAX_DEPTH).ok_or_else(|| {
        let error = anyhow!(
            "depth: found `{depth}`, expected a whole number from 0 to {MAX_DEPTH}\n\
             hint: the depth comes last: elometer perft startpos 5"
        );
        Failure::new(Exit::Usage, error)
    })?;
    let position = position.join(" ");
    if position == "startpos" {
        return Ok((StartPosition::standard(), depth));
    }
    let start = StartPosition::from_fen(&position).map_err(|error| {
        let error = anyhow!("{error}\nhint: give `startpos` or a FEN of four to six fields");
        Failure::new(Exit::BadInput, error)
    })?;
    Ok((start, depth))
}
