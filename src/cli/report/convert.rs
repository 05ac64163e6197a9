//! Figures as PDF and PNG, by librsvg's program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cli::exit::{Exit, Failure};
use crate::cli::print;

const PROGRAM: &str = "rsvg-convert";
/// Pixels of a PNG for one of the figure: 288 to an inch.
const ZOOM: &str = "3";
/// The date that programs write into files, in seconds since 1970 (reproducible-builds.org).
const DATE: &str = "SOURCE_DATE_EPOCH";

/// Makes a PDF and a PNG beside each SVG, and returns how many files that are. Without the program
/// there is a hint and nothing else.
pub(super) fn convert(figures: &[PathBuf]) -> Result<usize, Failure> {
    let found = Command::new(PROGRAM)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !found.is_ok_and(|status| status.success()) {
        print::note(
            "hint: with rsvg-convert installed (Debian: librsvg2-bin, Homebrew: librsvg) the figures are written as \
             PDF and PNG too",
        );
        return Ok(0);
    }
    let mut made = 0;
    for figure in figures {
        run(figure, &["--format", "pdf"], "pdf")?;
        run(figure, &["--format", "png", "--zoom", ZOOM], "png")?;
        made += 2;
    }
    Ok(made)
}

fn run(figure: &Path, arguments: &[&str], extension: &str) -> Result<(), Failure> {
    let target = figure.with_extension(extension);
    let mut command = Command::new(PROGRAM);
    // The date in a PDF; without it two runs would differ.
    if std::env::var_os(DATE).is_none() {
        command.env(DATE, "0");
    }
    let output = command
        .args(arguments)
        .arg("--output")
        .arg(&target)
        .arg(figure)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::new(Exit::Internal, error))?;
    if output.status.success() {
        return Ok(());
    }
    let error = anyhow::anyhow!(
        "{PROGRAM} made no {} ({}): {}\nhint: --images none leaves PDF and PNG out",
        target.display(),
        output.status,
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Err(Failure::new(Exit::Internal, error))
}
