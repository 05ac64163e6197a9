//! All checks, and running them in order.

use std::collections::BTreeMap;

use super::bench::Bench;
use super::cause::find_causes;
use super::finding::{Area, CheckReport, CheckResult, CheckedEngine, Finding, Verdict};
use super::session::Trouble;
use super::{clocks, determinism, ending, handshake, limits, options, output, resources, root, stopping};
use crate::uci::process::{EngineFault, Launch, OptionError, check_options, refuse_repeated_options};
use crate::uci::protocol::{EngineMessage, Id};

/// A check.
pub(super) struct Check {
    pub(super) number: u16,
    pub(super) name: &'static str,
    /// The checks without which this one could only show the same fault again.
    pub(super) needs: &'static [u16],
    pub(super) run: fn(&mut Bench<'_>) -> Result<Finding, Trouble>,
}

/// Starts and answers `uci`.
pub(super) const STARTS: u16 = 101;
/// Answers `isready`.
pub(super) const READY: u16 = 104;
/// Answers `go`, and is there afterwards.
pub(super) const ANSWERS: u16 = 301;
/// Answers `stop`.
pub(super) const STOPS: u16 = 401;

const AREAS: [&[Check]; 10] = [
    handshake::CHECKS,
    options::CHECKS,
    limits::CHECKS,
    root::CHECKS,
    stopping::CHECKS,
    output::CHECKS,
    clocks::CHECKS,
    resources::CHECKS,
    determinism::CHECKS,
    ending::CHECKS,
];

/// Why an engine could not be checked at all.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// It does not start, or does not answer `uci`.
    #[error("{}\nhint: {}", _0, _0.hint())]
    CannotStart(Box<EngineFault>),
    /// It does not take a setting it was to be checked with.
    #[error("{0}")]
    Option(#[from] OptionError),
}

/// A check that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckStep {
    /// Its number.
    pub number: u16,
    /// Its name.
    pub name: &'static str,
    /// Its area.
    pub area: Area,
    /// Checks before it.
    pub done: usize,
    /// Checks of the whole report.
    pub total: usize,
}

/// The number and name of every check, in order.
pub fn check_list() -> impl Iterator<Item = (u16, &'static str)> {
    AREAS.into_iter().flatten().map(|check| (check.number, check.name))
}

/// Checks an engine with these settings; `begins` is told of each check before it. Of `launch` the log
/// is not used.
///
/// A good engine takes some ten seconds; each answer that does not come takes its deadline.
///
/// # Errors
/// The engine cannot be started, does not declare a setting, or a setting is repeated.
pub fn check_engine(
    launch: &Launch,
    settings: &[(String, String)],
    begins: &mut dyn FnMut(CheckStep),
) -> Result<CheckReport, CheckError> {
    refuse_repeated_options(&launch.label, settings)?;
    let mut bench = Bench::open(launch).map_err(CheckError::CannotStart)?;
    let (mut id_name, mut author) = (None, None);
    for line in &bench.greeting.lines {
        match &line.message {
            EngineMessage::Id(Id::Name(given)) if !given.is_empty() => id_name = Some(given.clone()),
            EngineMessage::Id(Id::Author(given)) => author = Some(given.clone()),
            _ => {}
        }
    }
    let name = id_name.clone().unwrap_or_else(|| launch.label.clone());
    let settings = check_options(&name, &bench.declared, settings)?;
    bench.set(&settings);
    let declared = bench.declared.clone();
    let options = settings.into_iter().collect();
    let engine = CheckedEngine { name, author, options, id_name, declared };
    let mut verdicts = BTreeMap::new();
    let mut results = Vec::new();
    let total = check_list().count();
    for (done, check) in AREAS.into_iter().flatten().enumerate() {
        let (number, name) = (check.number, check.name);
        begins(CheckStep { number, name, area: Area::of(number), done, total });
        let result = run(check, &mut bench, &verdicts);
        verdicts.insert(check.number, result.verdict);
        results.push(result);
    }
    let causes = find_causes(&mut bench, &results);
    Ok(CheckReport::new(engine, results, causes))
}

fn run(check: &Check, bench: &mut Bench<'_>, verdicts: &BTreeMap<u16, Verdict>) -> CheckResult {
    let is_met = |number: &&u16| matches!(verdicts.get(number), Some(Verdict::Pass | Verdict::Warn));
    let unmet = check.needs.iter().find(|number| !is_met(number));
    let finding = match unmet {
        Some(number) => Finding::not_applicable(format!("see {number}")),
        None => (check.run)(bench).unwrap_or_else(|trouble| {
            Finding::fail(trouble.to_string(), "it must answer every command and go on")
        }),
    };
    if finding.verdict == Verdict::Fail {
        bench.discard();
    }
    let Finding { verdict, text, hint, measured } = finding;
    let (number, name) = (check.number, check.name);
    CheckResult { number, name, area: Area::of(number), verdict, finding: text, hint, cause: None, measured }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_rise_and_every_check_comes_after_the_one_it_needs() {
        let checks: Vec<&Check> = AREAS.into_iter().flatten().collect();
        for pair in checks.windows(2) {
            assert!(pair[0].number < pair[1].number, "{} before {}", pair[0].number, pair[1].number);
        }
        for check in &checks {
            for needed in check.needs {
                let is_known = checks.iter().any(|other| other.number == *needed);
                assert!(is_known && *needed < check.number, "{}", check.number);
            }
        }
    }
}
