//! The wording of what is found before and during a run: probes, warnings of a set-up, set-up errors.

use crate::ladder::{Probe, ProbeNote, SetupError, SetupWarning};
use crate::uci::process::LimitUse;

/// The note of a probe, if there is one: `probe: Ethereal 12.00 was asked for 20000 nodes and reported
/// 7`.
#[must_use]
pub fn probe_words(probe: &Probe) -> Option<String> {
    let Probe { player, asked, searched, .. } = probe;
    let limit = match probe.note? {
        ProbeNote::Stopped => {
            return Some(format!(
                "probe: {player} had no move after {} ms and was stopped: its games may take long",
                searched.time_ms.unwrap_or_default()
            ));
        }
        ProbeNote::Limit(LimitUse::Within) => return None,
        ProbeNote::Limit(limit) => limit,
    };
    let quantities = [
        (asked.nodes, searched.nodes, "nodes"),
        (asked.depth.map(u64::from), searched.depth.map(u64::from), "plies"),
        (asked.time_ms, searched.time_ms, "ms"),
    ];
    let asked = quantities.into_iter().filter_map(|(asked, used, unit)| Some((asked?, used, unit)));
    let parts: Vec<String> = asked
        .map(|(asked, used, unit)| {
            let used = used.map_or_else(|| "none".to_owned(), |used| used.to_string());
            let verb = if unit == "ms" { "used" } else { "reported" };
            format!("{asked} {unit} and {verb} {used}")
        })
        .collect();
    let limit = match limit {
        LimitUse::Below => "less than a tenth of its limit",
        LimitUse::Above => "more than twice its limit",
        LimitUse::Unreported | LimitUse::Within => "whether it keeps its limit cannot be told",
    };
    Some(format!("probe: {player} was asked for {} ({limit})", parts.join(", for ")))
}

/// A warning of a set-up.
#[must_use]
pub fn setup_warning_words(warning: &SetupWarning) -> String {
    match warning {
        SetupWarning::UnlistedScript { engine } => format!(
            "engine {engine} is a script and no files are listed: what it starts may change without being \
             noticed\nhint: list its files and its runtime: `files` and `runtime` in a spec, --file and --runtime \
             without one"
        ),
    }
}

/// What ended a run, with the engine's last lines and what to do.
#[must_use]
pub fn setup_error_words(error: &SetupError) -> String {
    let SetupError { role, games, of, fault } = error;
    let count =
        if games == of { format!("{games} games in a row") } else { format!("{games} of {of} games") };
    let mut text = format!(
        "{count} ended by the same fault of the {role} before its third move, {}: engine {}: {}",
        fault.cause, fault.engine, fault.detail
    );
    for (title, lines) in [("last lines", &fault.transcript), ("stderr", &fault.stderr)] {
        if !lines.is_empty() {
            text.push_str(&format!("\n  {title}:"));
            lines.iter().for_each(|line| text.push_str(&format!("\n    {line}")));
        }
    }
    text.push_str(
        "\nhint: correct the set-up first, such as a wrong path; what has been played is kept; \
         --keep-going plays on all the same",
    );
    text
}
