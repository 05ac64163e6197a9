//! The fit on one screen.

use std::io::{self, Write};

use super::levels::level_table;
use super::lines::{line_table, shown_lines};
use super::words::{headline, input_words, ladder_lines, priors_words, remarks, test_words};
use crate::ladder::input::{Conditions, Results};
use crate::rating::Fit;
use crate::report::TableFormat;

/// Writes the levels, the line to quote, the lines beside it, and the remarks. `all`: every method.
///
/// # Errors
/// What the output reports.
pub(in crate::cli) fn write_text(
    output: &mut impl Write,
    results: &Results,
    fit: &Fit,
    all: bool,
) -> io::Result<()> {
    match (&results.subject, results.shown_conditions()) {
        (_, Some(Conditions { subject, opponent })) => {
            writeln!(output, "{subject}\nagainst {opponent}\nfrom {}\n", results.source)?;
        }
        (Some(subject), None) => writeln!(output, "{subject}, from {}\n", results.source)?,
        (None, None) => writeln!(output, "from {}\n", results.source)?,
    }
    if fit.levels.is_empty() {
        writeln!(output, "no games that can be used")?;
    } else {
        level_table(fit).write(output, TableFormat::Text)?;
    }
    let lines = shown_lines(fit, all);
    if lines.iter().any(|line| line.estimate.interval().is_some()) {
        writeln!(output)?;
        line_table(&lines).write(output, TableFormat::Text)?;
        let more = if all { ladder_lines(fit) } else { Vec::new() };
        test_words(fit).iter().chain(&more).try_for_each(|line| writeln!(output, "{line}"))?;
    }
    writeln!(output, "\n{}", headline(fit, results))?;
    if fit.quoted.ladder.is_some() {
        writeln!(output, "{}", priors_words())?;
    }
    remarks(fit, &lines).iter().try_for_each(|line| writeln!(output, "{line}"))?;
    input_words(results).iter().try_for_each(|line| writeln!(output, "{line}"))
}
