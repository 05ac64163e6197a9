//! From what the user named to [`Results`]: a run folder, a file, standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use flate2::read::MultiGzDecoder;

use super::super::folder::RunFolder;
use super::super::results::RunResults;
use super::collect::collect;
use super::counts::read_csv;
use super::error::{InputError, PlayerCount};
use super::games::read_pgn_games;
use super::played::{Conditions, PairKey, PlayedGame, Results, Unused, UnusedReason};
use crate::arena::SideName;

/// What the user says about the input.
#[derive(Clone, Debug, Default)]
pub struct InputOptions {
    /// Whose rating is to be fitted. Needed only where a PGN does not tell; CSV names nobody.
    pub subject: Option<String>,
}

/// Reads a run folder, a PGN or CSV file (plain or gzip), or standard input (`-`).
///
/// # Errors
/// [`InputError`]; see there.
pub fn read_input(path: &Path, options: &InputOptions) -> Result<Results, InputError> {
    if path.as_os_str() == "-" {
        return read_text(io::stdin().lock(), "standard input", "", options);
    }
    if path.is_dir() {
        return read_run(path, options.subject.as_deref());
    }
    let source_name = path.display().to_string();
    let file =
        File::open(path).map_err(|error| InputError::Io { source_name: source_name.clone(), error })?;
    let name = source_name.to_ascii_lowercase();
    read_text(file, &source_name, name.strip_suffix(".gz").unwrap_or(&name), options)
}

/// Reads what a run folder's journal holds so far.
///
/// # Errors
/// [`InputError::Run`] when the folder is none or its journal is damaged.
pub fn read_run(path: &Path, subject: Option<&str>) -> Result<Results, InputError> {
    let folder = RunFolder::open(path)?;
    let (results, _) = folder.read_journal()?;
    let source = path.display().to_string();
    let own = &folder.plan().subject.name;
    if let Some(other) = subject.filter(|name| name != own) {
        let players = vec![PlayerCount { name: own.clone(), games: results.finished() as u64 }];
        return Err(InputError::UnknownSubject { source_name: source, subject: other.to_owned(), players });
    }
    run_input(&source, &results)
}

/// The counted games of a run. Those of pairs left out are counted as unused.
///
/// # Errors
/// [`InputError`] when the counts go beyond what a level can hold.
pub fn run_input(source: &str, run: &RunResults<'_>) -> Result<Results, InputError> {
    let plan = run.plan();
    let source = if run.missing() > 0 {
        format!("{source} ({} of {} games played)", run.finished(), plan.games.len())
    } else {
        source.to_owned()
    };
    let games = run.counted().map(|(_, game, result)| PlayedGame {
        opponent: Arc::from(plan.rung_of(game).name.as_str()),
        level: plan.rung_of(game).level.map(f64::from),
        subject_white: game.subject == SideName::White,
        outcome: Some(result.outcome),
        pair: Some(PairKey(game.pair as u64)),
        moves_hash: result.moves_hash,
    });
    let mut results = collect(&source, &plan.subject.name, games)
        .map_err(|error| InputError::Level { source_name: source.clone(), error })?;
    let scale = if plan.is_ladder() { ", levels are UCI_Elo" } else { "" };
    results.conditions =
        Some(Conditions { subject: plan.subject.summary(), opponent: plan.opponent.summary() + scale });
    for (_, game, result) in run.counted() {
        if let Some((_, cause)) = result.fault.filter(|(side, _)| *side == game.subject) {
            *results.lost_by_faults.entry(cause.to_string()).or_default() += 1;
        }
    }
    let left_out = run.finished() - run.counted().count();
    if left_out > 0 {
        results.unused.push(Unused { reason: UnusedReason::VoidPair, games: left_out as u64, first: None });
    }
    Ok(results)
}

fn read_text(
    reader: impl Read,
    source_name: &str,
    lower_name: &str,
    options: &InputOptions,
) -> Result<Results, InputError> {
    let io_error = |error| InputError::Io { source_name: source_name.to_owned(), error };
    let mut plain = BufReader::new(reader);
    let gzip = plain.fill_buf().map_err(io_error)?.starts_with(&[0x1f, 0x8b]);
    let mut text: Box<dyn BufRead + '_> =
        if gzip { Box::new(BufReader::new(MultiGzDecoder::new(plain))) } else { Box::new(plain) };
    let is_csv = match lower_name.rsplit_once('.') {
        Some((_, "csv")) => true,
        Some((_, "pgn")) => false,
        _ => looks_like_csv(text.fill_buf().map_err(io_error)?),
    };
    if is_csv {
        let subject = options.subject.clone();
        read_csv(text, source_name).map(|results| Results { subject, ..results })
    } else {
        read_pgn_games(text, source_name, options.subject.as_deref())
    }
}

/// Whether the first line with text has a comma and is neither a tag, a comment nor a move.
fn looks_like_csv(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    start
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty() && !line.starts_with(b"#"))
        .is_some_and(|line| line.contains(&b',') && !line.starts_with(b"[") && !line.starts_with(b"{"))
}
