//! Where the moves are written as CSV.

use std::fs;
use std::path::Path;

use crate::audit::{AuditError, Audited, write_moves};
use crate::cli::exit::{Exit, Failure};
use crate::ladder::RunFolder;

/// The rows of `audit.csv`.
pub(super) fn bytes(audited: &Audited<'_>) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    write_moves(&mut bytes, audited).map_err(|error| Failure::new(Exit::Internal, error))?;
    Ok(bytes)
}

/// Writes `audit.csv` into the run folder, and where asked.
pub(super) fn write(
    audited: &Audited<'_>,
    folder: Option<&Path>,
    file: Option<&Path>,
) -> Result<(), Failure> {
    if folder.is_none() && file.is_none() {
        return Ok(());
    }
    let bytes = bytes(audited)?;
    if let Some(folder) = folder {
        RunFolder::open(folder)?.write_derived("audit.csv", &bytes)?;
    }
    if let Some(file) = file {
        let io = |source| AuditError::Io { path: file.to_owned(), action: "write", source };
        fs::write(file, &bytes).map_err(io)?;
    }
    Ok(())
}
