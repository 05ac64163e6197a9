//! Printing: data to stdout, everything else to stderr. A reader that went away is no error.

use std::io::{self, Write as _};

use super::exit::{Exit, Failure};

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
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(Exit::Internal, error)),
        _ => Ok(()),
    }
}

/// `1 game`, `2 games`.
pub(super) fn count(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Text with a stranger's words in it, without the control characters that could drive a terminal.
pub(super) fn printable(text: &str) -> String {
    // Marks that turn the direction of writing can make a line read as another.
    let turns = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if (c.is_control() && c != '\n') || turns(c) { '\u{fffd}' } else { c }).collect()
}
