//! Where the moves are written as CSV.

use std::fs;
use std::path::Path;

use super::document::{Document, saved};
use crate::audit::{AUDIT_FILES, AuditError, Audited, write_moves};
use crate::cli::exit::{Exit, Failure};
use crate::ladder::RunFolder;

/// The rows of `audit.csv`.
pub(super) fn bytes(audited: &Audited<'_>) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    write_moves(&mut bytes, audited).map_err(|error| Failure::new(Exit::Internal, error))?;
    Ok(bytes)
}

/// Writes `audit.csv` and `audit.json` into the run folder, and the rows where asked.
pub(super) fn write(
    document: &Document<'_>,
    folder: Option<&Path>,
    file: Option<&Path>,
) -> Result<(), Failure> {
    if folder.is_none() && file.is_none() {
        return Ok(());
    }
    let bytes = bytes(&document.audited)?;
    if let Some(folder) = folder {
        let [rows, all] = AUDIT_FILES;
        let json = saved(document).map_err(|error| Failure::new(Exit::Internal, error))?;
        let folder = RunFolder::open(folder)?;
        folder.write_derived(rows, &bytes)?;
        folder.write_derived(all, &json)?;
    }
    if let Some(file) = file {
        let io = |source| AuditError::Io { path: file.to_owned(), action: "write", source };
        fs::write(file, &bytes).map_err(io)?;
    }
    Ok(())
}
