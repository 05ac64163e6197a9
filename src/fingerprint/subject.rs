//! The engine whose fingerprint is taken, and what it is asked.

use std::fs;

use super::digest::sha256;
use super::error::FingerprintError;
use super::manifest::EngineIdentity;
pub use crate::uci::process::Budget as Limit;
use crate::uci::process::{Deadlines, Engine, Launch, check_options};
use crate::uci::protocol::{OptionDeclaration, OptionKind};

/// Set where the engine declares them and the caller does not say otherwise.
const DEFAULTS: [(&str, &str); 2] = [("Threads", "1"), ("Hash", "16")];
/// Pressed before each position where the engine declares it.
const CLEAR_HASH: &str = "Clear Hash";

/// What is asked on each position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The limit.
    pub limit: Limit,
    /// Which `info string` lines are kept: those that contain this text.
    pub words: Option<String>,
}

/// An engine that has been started once: its name, its program's hash, its checked settings.
#[derive(Clone, Debug)]
pub struct Subject {
    pub(super) launch: Launch,
    given: Vec<(String, String)>,
    settings: Vec<(String, String)>,
    declared: Vec<OptionDeclaration>,
    name: String,
    program_sha256: String,
}

impl Subject {
    /// Starts the engine, checks `options` against what it declares and completes them: one thread
    /// and 16 MB of hash unless given, and `Clear Hash` before each position, each where it is
    /// declared.
    ///
    /// # Errors
    /// The engine does not start, or does not take an option.
    pub fn start(launch: Launch, options: &[(String, String)]) -> Result<Self, FingerprintError> {
        let bytes = fs::read(&launch.program)
            .map_err(|error| FingerprintError::io(&launch.program, "read", error))?;
        let engine = Engine::launch(&launch)?;
        let mut this = Self {
            launch,
            given: options.to_vec(),
            settings: Vec::new(),
            declared: engine.declared().to_vec(),
            name: engine.name().to_owned(),
            program_sha256: sha256(&bytes),
        };
        engine.quit();
        this.settings = this.complete(options)?;
        Ok(this)
    }

    /// The same engine with one option set otherwise.
    ///
    /// # Errors
    /// The engine does not take it.
    pub fn with_option(&self, name: &str, value: &str) -> Result<Self, FingerprintError> {
        let others = self.given.iter().filter(|(other, _)| !other.eq_ignore_ascii_case(name));
        let given: Vec<_> = others.cloned().chain([(name.to_owned(), value.to_owned())]).collect();
        let settings = self.complete(&given)?;
        Ok(Self { given, settings, ..self.clone() })
    }

    /// The name the engine gave.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How long its program may take for an answer, and so on.
    #[must_use]
    pub fn deadlines(&self) -> &Deadlines {
        &self.launch.deadlines
    }

    /// Everything set before each position, in the order it is sent.
    #[must_use]
    pub fn settings(&self) -> &[(String, String)] {
        &self.settings
    }

    /// The options that a manifest names: all but the `Clear Hash` that is pressed anyway.
    #[must_use]
    pub fn options(&self) -> Vec<(String, String)> {
        self.settings.iter().filter(|(name, _)| !name.eq_ignore_ascii_case(CLEAR_HASH)).cloned().collect()
    }

    /// The threads it searches with.
    #[must_use]
    pub fn threads(&self) -> usize {
        let threads = self.settings.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        threads.and_then(|(_, value)| value.parse().ok()).unwrap_or(1).max(1)
    }

    /// Who it is.
    #[must_use]
    pub fn identity(&self) -> EngineIdentity {
        EngineIdentity { name: self.name.clone(), program_sha256: self.program_sha256.clone() }
    }

    fn complete(&self, given: &[(String, String)]) -> Result<Vec<(String, String)>, FingerprintError> {
        let mut settings = given.to_vec();
        let declared = |wanted: &str| self.declared.iter().find(|option| option.is_named(wanted));
        for (name, value) in DEFAULTS {
            let is_given = given.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
            // A value that the engine does not take (a Hash from 32 on) is left to its own default.
            if !is_given && declared(name).is_some_and(|option| option.check(value).is_ok()) {
                settings.push((name.to_owned(), value.to_owned()));
            }
        }
        if declared(CLEAR_HASH).is_some_and(|option| option.kind == OptionKind::Button) {
            settings.push((CLEAR_HASH.to_owned(), String::new()));
        }
        Ok(check_options(&self.name, &self.declared, &settings)?)
    }
}
