//! The files that an audit leaves.

use std::fs;
use std::path::Path;

use super::document::{Document, saved};
use crate::audit::{AuditError, AuditFiles, Audited, Origin, not_of_an_audit, write_moves};
use crate::cli::exit::{Exit, Failure};
use crate::cli::print;
use crate::ladder::{text_sha256, write_whole};

/// The rows of `audit.csv`.
pub(super) fn rows(audited: &Audited<'_>) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    write_moves(&mut bytes, audited).map_err(|error| Failure::new(Exit::Internal, error))?;
    Ok(bytes)
}

/// Writes `audit.csv` and `audit.json` where they are kept, and the rows where asked.
pub(super) fn write(
    document: &Document<'_>,
    kept: Option<&(Origin, AuditFiles)>,
    file: Option<&Path>,
) -> Result<(), Failure> {
    if kept.is_none() && file.is_none() {
        return Ok(());
    }
    let bytes = rows(&document.audited)?;
    if let Some((origin, files)) = kept {
        let hash = text_sha256(&String::from_utf8_lossy(&bytes));
        let json = saved(document, origin, &hash).map_err(|error| Failure::new(Exit::Internal, error))?;
        // Beside a PGN stand a user's own files; a run folder is elometer's.
        let strange = matches!(origin, Origin::Pgn { .. }).then(|| not_of_an_audit(files)).flatten();
        let not_kept = "this audit is not kept for `elometer report`";
        match (strange, origin) {
            (Some(path), _) => print::warning(&format!(
                "{not_kept}: {} is not of an earlier audit\nhint: move it away and run the command again; what was \
                 searched is kept",
                path.display()
            )),
            // A PGN may stand where nothing can be written, with --store elsewhere.
            (None, Origin::Pgn { .. }) => {
                if let Err(error) = keep(files, &bytes, &json) {
                    print::warning(&format!("{not_kept}: {error}"));
                }
            }
            (None, Origin::Run { .. }) => keep(files, &bytes, &json)?,
        }
    }
    if let Some(file) = file {
        let io = |source| AuditError::Io { path: file.to_owned(), action: "write", source };
        fs::write(file, &bytes).map_err(io)?;
    }
    Ok(())
}

/// Both files, each whole or not at all. A crash between them leaves two that a report refuses.
fn keep(files: &AuditFiles, rows: &[u8], all: &[u8]) -> Result<(), AuditError> {
    for (path, bytes) in [(&files.rows, rows), (&files.all, all)] {
        let io = |source| AuditError::Io { path: path.clone(), action: "write", source };
        write_whole(path, bytes).map_err(io)?;
    }
    Ok(())
}
