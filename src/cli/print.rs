//! Printing: data to stdout, everything else to stderr. A reader that went away is no error.

use std::io::{self, Write as _};

use super::exit::{Exit, Failure};

/// A line for the person at the terminal.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A line that names a cause and what helps against it.
pub fn warning(text: &str) {
    let _ = writeln!(io::stderr(), "warning: {text}");
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
