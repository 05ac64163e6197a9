//! The audit that was left with an input, if it is one of these games and this subject: the numbers of
//! others would look right.

use std::path::Path;

use crate::audit::{AuditError, AuditFiles, Origin, SavedAudit};
use crate::cli::exit::Failure;
use crate::cli::print::{self, count, shell_word};
use crate::ladder::{RunFolder, RunResults};
use crate::report::shortened;

/// Letters of a name in a message.
const LONGEST_NAME: usize = 200;

/// The audit of a run folder: of its plan, its games and its subject. One of fewer games than count
/// now is shown, with a warning: the run went on.
pub(super) fn audit_of_run(
    path: &Path,
    folder: &RunFolder,
    results: &RunResults<'_>,
    subject: Option<&str>,
) -> Result<Option<SavedAudit>, Failure> {
    let Some((files, audit)) = read(path)? else { return Ok(None) };
    let name = shell_word(&path.display().to_string());
    let again = format!("run `elometer audit {name}` again; what was searched is kept");
    let counted = results.counted().count() as u64;
    let now = Origin::of_run(folder, results);
    let is_now = audit.origin.as_ref() == Some(&now);
    let words = match (&audit.origin, now) {
        // An elometer of before did not keep it: all that can be compared is how many games there are.
        (None, _) => None,
        (Some(Origin::Run { plan_sha256: old, .. }), Origin::Run { plan_sha256: plan, .. })
            if *old != plan =>
        {
            Some((format!("an audit of the run with plan {old}"), format!("one of plan {plan}")))
        }
        (Some(of_games @ Origin::Run { .. }), Origin::Run { .. })
            if !of_games.is_part_of(folder, results) =>
        {
            Some((
                format!("an audit of {}, not all of them in the run", count(audit.games, "game")),
                format!("one of the {} that count now", count(counted, "game")),
            ))
        }
        (Some(Origin::Run { .. }), Origin::Run { .. }) => None,
        (Some(_), _) => Some(("an audit of a PGN".to_owned(), "one of this run".to_owned())),
    };
    if let Some((found, expected)) = words {
        return Ok(left_out(&files, &found, &expected, &again));
    }
    if let Some(subject) = subject.filter(|subject| *subject != audit.subject) {
        let mend = if audit.subject == folder.plan().subject.name {
            format!("`elometer report {name}` shows it: a run folder's audit is of the run's own subject")
        } else {
            again
        };
        return Ok(left_out(&files, &moves_of(&audit.subject), &moves_of(subject), &mend));
    }
    if !is_now && (audit.games != counted || audit.origin.is_some()) {
        print::warning(&format!(
            "{}: audited with {}, and {counted} count now\nhint: {again}",
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
        let mend = format!(
            "{} makes it; {} shows the one that is there",
            command("audit", subject),
            command("report", &audit.subject)
        );
        return Ok(left_out(&files, &moves_of(&audit.subject), &moves_of(subject), &mend));
    }
    Ok(Some(audit))
}

fn moves_of(subject: &str) -> String {
    format!("an audit of the moves of `{}`", shortened(subject, LONGEST_NAME))
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
