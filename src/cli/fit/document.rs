//! The fit as one JSON object.

use std::io::{self, Write};

use serde_json::json;

use super::aim::Aim;
use crate::ladder::input::Results;
use crate::rating::{ClaimReport, Fit};

/// Version of the JSON that `fit` prints: 2 quotes the line that allows for wrong levels.
const FORMAT_VERSION: u32 = 2;

/// What was asked beside the fit.
#[derive(Clone, Copy, Default)]
pub(in crate::cli) struct Judged<'a> {
    /// The claim, judged.
    pub(in crate::cli) claim: Option<&'a ClaimReport>,
    /// How far the target is.
    pub(in crate::cli) aim: Option<&'a Aim>,
}

/// Writes every number.
///
/// # Errors
/// What the output reports.
pub(in crate::cli) fn write_json(
    output: &mut impl Write,
    results: &Results,
    fit: &Fit,
    judged: Judged<'_>,
) -> io::Result<()> {
    let mut document = json!({
        "format_version": FORMAT_VERSION,
        "source": results.source,
        "subject": results.subject,
        "conditions": results.conditions,
        "lost_by_faults": results.lost_by_faults,
        "level_sources": results.level_sources,
        "level_sigmas": results.level_sigmas,
        "pairs": results.pairs,
        "notices": results.notices,
        "unused": results.unused,
        "fit": fit,
        "claim": judged.claim,
    });
    // A PGN or CSV tells nothing of limits.
    if !results.limits_used.is_empty() {
        document["limits_used"] = json!(results.limits_used);
    }
    // The file of a run is the same whatever a later version can be asked.
    if let Some(aim) = judged.aim {
        document["target"] = json!(aim);
    }
    serde_json::to_writer_pretty(&mut *output, &document)?;
    writeln!(output)
}
