//! What a job of GitHub Actions shows: an annotation on stdout and a page of the job's summary.
//!
//! Nothing is written elsewhere than where the environment says so.

use std::env;
use std::fs::OpenOptions;
use std::io::Write as _;

use crate::cli::print;

/// An error's annotation, and its text in the summary.
pub(super) fn report(title: &str, finding: &str, text: &str) {
    if env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true") {
        let line = format!("::error title=fingerprint::{}\n", escape(&format!("{title}: {finding}")));
        // The text was printed before: a reader that went away misses nothing else.
        let _ = print::data(line.as_bytes());
    }
    summary(title, finding, text);
}

/// A section of the job's summary, where there is one.
pub(super) fn summary(title: &str, finding: &str, text: &str) {
    let Some(path) = env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else { return };
    let fence = "````";
    let section =
        format!("### Fingerprint: {title}\n\n{finding}\n\n{fence}\n{}\n{fence}\n\n", text.trim_end());
    let written = OpenOptions::new().create(true).append(true).open(&path);
    let written = written.and_then(|mut file| file.write_all(print::printable(&section).as_bytes()));
    if let Err(error) = written {
        print::warning(&format!(
            "the summary {} cannot be written: {error}\nhint: check GITHUB_STEP_SUMMARY",
            path.to_string_lossy()
        ));
    }
}

/// The text of a workflow command, in which `%` begins an escape.
fn escape(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
