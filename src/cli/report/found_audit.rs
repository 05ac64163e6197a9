//! The audit that was left with an input, if it is one of these games and this subject.

use std::path::Path;

use crate::audit::{AuditError, AuditFiles, Origin, SavedAudit};
use crate::cli::exit::Failure;
use crate::cli::print::{self, count, shell_word};
use crate::ladder::{RunFolder, RunResults};
use crate::report::shortened;

/// Letters of a name in a message.
const LONGEST_NAME: usize = 200;

/// The audit of a run folder. One of fewer games than count now is shown, with a warning: the run
/// went on.
pub(super) fn audit_of_run(
    path: &Path,
    folder: &RunFolder,
    results: &RunResults<'_>,
) -> Result<Option<SavedAudit>, Failure> {
    let Some((files, audit)) = read(path)? else { return Ok(None) };
    let command = format!("`elometer audit {}`", shell_word(&path.display().to_string()));
    let counted = results.counted().count() as u64;
    let now = Origin::of_run(folder, results);
    let refused = match (audit.origin.as_ref(), &now) {
        // Made by an elometer that did not keep it: all that can be compared is how many games.
        (None, _) => None,
        (
            Some(Origin::Run { plan_sha256, games_sha256 }),
            Origin::Run { plan_sha256: plan, games_sha256: games },
        ) => {
            if plan_sha256 != plan {
                Some((format!("an audit of the run with plan {plan_sha256}"), format!("one of plan {plan}")))
            } else if games_sha256 != games && audit.games >= counted {
                let found = format!("an audit of {} that are not those", count(audit.games, "game"));
                Some((found, format!("one of the {counted} that count now")))
            } else {
                None
            }
        }
        (Some(_), _) => Some(("an audit of a PGN".to_owned(), "one of this run".to_owned())),
    };
    if let Some((found, expected)) = refused {
        let mend = format!("run {command} again; what was searched is kept");
        return Ok(left_out(&files, &found, &expected, &mend));
    }
    if audit.games != counted {
        print::warning(&format!(
            "{}: audited with {}, and {counted} count now\nhint: run {command} again; what was searched is kept",
            path.display(),
            count(audit.games, "game"),
        ));
    }
    Ok(Some(audit))
}

/// The audit of a PGN: of exactly these bytes, and of this subject's moves.
pub(super) fn audit_of_pgn(path: &Path, subject: &str) -> Result<Option<SavedAudit>, Failure> {
    let Some((files, audit)) = read(path)? else { return Ok(None) };
    let now = Origin::of_pgn(path)?;
    let name = path.display().to_string();
    let command = |what: &str, subject: &str| {
        let (name, subject) = (shell_word(&name), shell_word(&shortened(subject, LONGEST_NAME)));
        format!("`elometer {what} {name} --subject {subject}`")
    };
    if now.is_none() || audit.origin != now {
        let words = |origin: Option<&Origin>| match origin {
            Some(Origin::Pgn { sha256 }) => format!("a file with SHA-256 {sha256}"),
            Some(Origin::Run { .. }) => "a run folder".to_owned(),
            None => "a file that is not named".to_owned(),
        };
        let found = format!("an audit of {}", words(audit.origin.as_ref()));
        let expected = format!("one of {name}, {}", words(now.as_ref()));
        let mend = format!("run {} again; what was searched is kept", command("audit", subject));
        return Ok(left_out(&files, &found, &expected, &mend));
    }
    if audit.subject != subject {
        let moves = |name: &str| format!("the moves of `{}`", shortened(name, LONGEST_NAME));
        let found = format!("an audit of {}", moves(&audit.subject));
        let mend = format!(
            "{} audits them; {} shows the audit that is there",
            command("audit", subject),
            command("report", &audit.subject)
        );
        return Ok(left_out(&files, &found, &moves(subject), &mend));
    }
    Ok(Some(audit))
}

/// What was left with the input, if all of it is there.
fn read(path: &Path) -> Result<Option<(AuditFiles, SavedAudit)>, AuditError> {
    let Some(files) = AuditFiles::of(path) else { return Ok(None) };
    if let Some(audit) = SavedAudit::read(&files)? {
        return Ok(Some((files, audit)));
    }
    let missing = match (files.rows.exists(), files.all.exists()) {
        (true, false) => &files.all,
        (false, true) => &files.rows,
        _ => return Ok(None),
    };
    print::note(&format!(
        "hint: {} was audited by an older elometer, or {} was removed; `elometer audit` again writes it, without \
         searching",
        path.display(),
        missing.display()
    ));
    Ok(None)
}

/// Says why an audit is not shown and what helps.
fn left_out(files: &AuditFiles, found: &str, expected: &str, mend: &str) -> Option<SavedAudit> {
    let file = files.all.display();
    print::warning(&format!(
        "{file}: found {found}, expected {expected}; the report leaves it out\nhint: {mend}"
    ));
    None
}
