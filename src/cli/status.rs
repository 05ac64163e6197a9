//! `elometer status`: how far a run is, once or again and again.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::Args;

use super::exit::{CommandResult, Exit, Failure};
use super::progress::{duration_words, rating_words};
use super::{derived, print};
use crate::ladder::RunFolder;

/// Seconds between two looks at the journal.
const PAUSE: u64 = 5;

/// Say how far a run is, from its journal. The run may be going on meanwhile.
#[derive(Debug, Args)]
pub struct StatusArguments {
    /// The run folder.
    run: PathBuf,
    /// Go on showing it until every game is played (Ctrl-C ends it).
    #[arg(long)]
    watch: bool,
    /// Seconds between two looks [default: 5].
    #[arg(long, value_name = "SECONDS", requires = "watch", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    every: Option<u64>,
}

/// What was seen.
struct Seen {
    text: String,
    finished: usize,
    missing: usize,
}

/// Runs the command.
pub fn run(arguments: &StatusArguments) -> CommandResult {
    let folder = RunFolder::open(&arguments.run)?;
    if !arguments.watch {
        print::data(look(&folder)?.text.as_bytes())?;
        return Ok(Exit::Ok);
    }
    let pause = Duration::from_secs(arguments.every.unwrap_or(PAUSE));
    let began = Instant::now();
    let mut first = None;
    let mut size = None;
    loop {
        // A folder that is gone looks like one in which nothing was played.
        RunFolder::open(&arguments.run)?;
        let now = std::fs::metadata(folder.journal_path()).map(|data| data.len()).ok();
        if now != size || first.is_none() {
            size = now;
            let looked = Instant::now();
            let seen = look(&folder)?;
            let before = *first.get_or_insert(seen.finished);
            show(&seen, before, began.elapsed())?;
            if seen.missing == 0 {
                return Ok(Exit::Ok);
            }
            // A long journal takes long to read: no more than a tenth of the time goes into it.
            sleep(looked.elapsed() * 9);
        }
        sleep(pause);
    }
}

/// A terminal shows the last look alone, anything else one after the other.
fn show(seen: &Seen, before: usize, elapsed: Duration) -> Result<(), Failure> {
    let mut text = if io::stdout().is_terminal() { "\u{1b}[H\u{1b}[2J".to_owned() } else { String::new() };
    text.push_str(&seen.text);
    let played = seen.finished.saturating_sub(before);
    if seen.missing > 0 && played > 0 {
        #[expect(clippy::cast_precision_loss, reason = "counts of games")]
        let left = elapsed.mul_f64(seen.missing as f64 / played as f64);
        text.push_str(&format!("left       about {}, at the pace since this began\n", duration_words(left)));
    }
    if !io::stdout().is_terminal() {
        text.push('\n');
    }
    print::data(text.as_bytes())
}

fn look(folder: &RunFolder) -> Result<Seen, Failure> {
    let (results, journal) = folder.read_journal()?;
    let sessions = journal.sessions.len();
    let last = journal.sessions.last().map(|session| session.started.clone());
    let torn = journal.torn_bytes;
    let mut text = derived::standing_text(&results);
    text.push_str(&match last {
        Some(started) => {
            let second = started.split_once('.').map_or(started.clone(), |(second, _)| format!("{second}Z"));
            format!("sessions   {sessions}, the last started {second}\n")
        }
        None => "sessions   0, nothing played yet\n".to_owned(),
    });
    if folder.plan().is_ladder()
        && let Some(rating) = rating_words(&results)
    {
        let (title, numbers) = rating.split_once(' ').unwrap_or((&rating, ""));
        let so_far = if results.missing() > 0 { " so far" } else { "" };
        text.push_str(&format!("{title:<11}{numbers}{so_far}\n"));
    }
    text.push_str(&derived::limit_text(&results));
    if torn > 0 {
        text.push_str(&format!(
            "torn line  {torn} bytes: a game being written, or cut off; it is replayed\n"
        ));
    }
    Ok(Seen { text, finished: results.finished(), missing: results.missing() })
}
