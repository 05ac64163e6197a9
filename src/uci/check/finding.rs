//! What a check found, and the report of all.

use std::collections::BTreeMap;

use serde::Serialize;

use super::cause::{Cause, CauseKind};
use crate::uci::protocol::OptionDeclaration;

/// What a check concluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// As it should be.
    Pass,
    /// Allowed, or small, but somebody will stumble over it.
    Warn,
    /// Against the protocol, or a game is lost by it.
    Fail,
    /// The engine or the system has not what the check is about, or another fault hides it.
    NotApplicable,
}

/// The subject of a hundred numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Area {
    /// 1xx.
    Handshake,
    /// 2xx.
    Options,
    /// 3xx.
    Limits,
    /// 4xx.
    Stop,
    /// 5xx.
    Output,
    /// 6xx.
    Clocks,
    /// 7xx.
    Resources,
    /// 8xx.
    Determinism,
    /// 9xx.
    End,
}

impl Area {
    /// The area of a check's number.
    pub(super) fn of(number: u16) -> Self {
        match number / 100 {
            0 | 1 => Self::Handshake,
            2 => Self::Options,
            3 => Self::Limits,
            4 => Self::Stop,
            5 => Self::Output,
            6 => Self::Clocks,
            7 => Self::Resources,
            8 => Self::Determinism,
            _ => Self::End,
        }
    }

    /// The area in words.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Handshake => "handshake",
            Self::Options => "options",
            Self::Limits => "limits",
            Self::Stop => "stop and isready",
            Self::Output => "output",
            Self::Clocks => "clocks near zero",
            Self::Resources => "memory and idle processor",
            Self::Determinism => "determinism",
            Self::End => "the end",
        }
    }
}

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckResult {
    /// Its number, which never changes its meaning.
    pub number: u16,
    /// Its name.
    pub name: &'static str,
    /// Its area.
    pub area: Area,
    /// The conclusion.
    pub verdict: Verdict,
    /// What was measured or found, on one line.
    pub finding: String,
    /// What to do, where something is to be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The cause in [`CheckReport::causes`] that explains the finding, if one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<CauseKind>,
    /// The numbers in the finding; the unit ends each name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub measured: BTreeMap<&'static str, f64>,
}

/// Who was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckedEngine {
    /// The name it gave, else how it was called.
    pub name: String,
    /// The author it gave.
    pub author: Option<String>,
    /// The settings every process was given.
    pub options: BTreeMap<String, String>,
    /// The name it gave, if it gave one.
    #[serde(skip)]
    pub id_name: Option<String>,
    /// The options it declared.
    #[serde(skip)]
    pub declared: Vec<OptionDeclaration>,
}

/// All results, by number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckReport {
    /// The version of this form.
    pub format_version: u32,
    /// Who was checked.
    pub engine: CheckedEngine,
    /// How many checks passed.
    pub pass: usize,
    /// How many warn.
    pub warn: usize,
    /// How many failed.
    pub fail: usize,
    /// How many had nothing to judge.
    pub not_applicable: usize,
    /// The causes that explain several findings each.
    pub causes: Vec<Cause>,
    /// The checks.
    pub checks: Vec<CheckResult>,
}

impl CheckReport {
    /// The form's version; it rises when a key changes its meaning or goes.
    const FORMAT_VERSION: u32 = 1;

    pub(super) fn new(engine: CheckedEngine, mut checks: Vec<CheckResult>, causes: Vec<Cause>) -> Self {
        for check in &mut checks {
            let explains = |cause: &&Cause| cause.checks.contains(&check.number);
            check.cause = causes.iter().find(explains).map(|cause| cause.kind);
        }
        let count = |verdict| checks.iter().filter(|check| check.verdict == verdict).count();
        Self {
            format_version: Self::FORMAT_VERSION,
            engine,
            pass: count(Verdict::Pass),
            warn: count(Verdict::Warn),
            fail: count(Verdict::Fail),
            not_applicable: count(Verdict::NotApplicable),
            causes,
            checks,
        }
    }

    /// The numbers of the checks with this verdict.
    #[must_use]
    pub fn numbers(&self, verdict: Verdict) -> Vec<u16> {
        self.checks.iter().filter(|check| check.verdict == verdict).map(|check| check.number).collect()
    }
}

/// A result before it has its number.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) verdict: Verdict,
    pub(super) text: String,
    pub(super) hint: Option<String>,
    pub(super) measured: BTreeMap<&'static str, f64>,
}

impl Finding {
    pub(super) fn pass(text: impl Into<String>) -> Self {
        Self { verdict: Verdict::Pass, text: text.into(), hint: None, measured: BTreeMap::new() }
    }

    pub(super) fn not_applicable(text: impl Into<String>) -> Self {
        Self { verdict: Verdict::NotApplicable, ..Self::pass(text) }
    }

    pub(super) fn warn(text: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { verdict: Verdict::Warn, hint: Some(hint.into()), ..Self::pass(text) }
    }

    pub(super) fn fail(text: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { verdict: Verdict::Fail, ..Self::warn(text, hint) }
    }

    /// A verdict worked out elsewhere; the hint is dropped where nothing is to be done.
    pub(super) fn judged(verdict: Verdict, text: impl Into<String>, hint: impl Into<String>) -> Self {
        match verdict {
            Verdict::Pass | Verdict::NotApplicable => Self { verdict, ..Self::pass(text) },
            Verdict::Warn | Verdict::Fail => Self { verdict, ..Self::warn(text, hint) },
        }
    }

    /// Adds a number, kept to three decimals.
    pub(super) fn with(mut self, name: &'static str, value: f64) -> Self {
        self.measured.insert(name, (value * 1000.0).round() / 1000.0);
        self
    }
}
