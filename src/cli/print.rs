//! Printing: data to stdout, everything else to stderr. A reader that went away is no error.

use std::io::{self, Write as _};

use super::exit::{Exit, Failure};
use crate::uci::protocol::visible;

/// A line for the person at the terminal.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(text));
}

/// A line that names a cause and what helps against it.
pub fn warning(text: &str) {
    note(&format!("warning: {text}"));
}

/// Data to stdout.
///
/// # Errors
/// The system's word, except for a closed pipe.
pub fn data(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let error = anyhow::anyhow!(
                "standard output cannot be written: {error}\nhint: what was printed is not whole; check where it \
                 goes and run the command again"
            );
            Err(Failure::new(Exit::Internal, error))
        }
        _ => Ok(()),
    }
}

/// How many decimals show the interval from `low` to `high` as one: `least`, or as many more as it
/// takes for its half to be at least 1 in the last place. So no interval looks as if it had no width.
pub(super) fn decimals(low: f64, high: f64, least: usize) -> usize {
    let half = (high - low) / 2.0;
    let place = |decimals: usize| 0.1_f64.powi(i32::try_from(decimals).unwrap_or(i32::MAX));
    (least..MOST_DECIMALS).find(|decimals| half >= place(*decimals)).unwrap_or(MOST_DECIMALS)
}

/// Finer than any interval that games can give.
const MOST_DECIMALS: usize = 6;

/// `1 game`, `2 games`.
pub(super) fn count(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// A word of a command line as a shell takes it.
pub(super) fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+:@%,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Text with a stranger's words in it: what could drive a terminal or make a line read as another is
/// shown as an escape. The ends of our own lines stay.
pub(super) fn printable(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}
