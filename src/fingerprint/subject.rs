//! The engine whose fingerprint is taken, and what it is asked.

use super::error::FingerprintError;
use super::identity::{EngineIdentity, Known};
use crate::arena::{History, Limits};
use crate::ladder::{EngineSetup, Greeting, Identity, IdentityPart, LadderError, strength_fault};
pub use crate::uci::process::Budget as Limit;
use crate::uci::process::{Deadlines, Launch, check_options, declared_default};
use crate::uci::protocol::OptionKind;

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

/// An engine that has been started once: what it is, and its checked settings.
#[derive(Clone, Debug)]
pub struct Subject {
    pub(super) launch: Launch,
    setup: EngineSetup,
    given: Vec<(String, String)>,
    settings: Vec<(String, String)>,
    greeting: Greeting,
    /// Without the limit, which belongs to the question.
    identity: Identity,
}

impl Subject {
    /// Starts the engine, checks `options` against what it declares and completes them: one thread
    /// and 16 MB of hash unless given, and `Clear Hash` before each position, each where it is
    /// declared.
    ///
    /// # Errors
    /// The engine does not start or does not take an option, or a file that makes it cannot be read.
    pub fn start(setup: EngineSetup, options: &[(String, String)]) -> Result<Self, FingerprintError> {
        let launch = setup.launch()?;
        let greeting = Greeting::hear(&launch)?;
        let mut this = Self {
            launch,
            setup,
            given: options.to_vec(),
            settings: Vec::new(),
            greeting,
            identity: Identity::default(),
        };
        this.settings = this.complete(options)?;
        this.identity = this.identify()?;
        Ok(this)
    }

    /// Whether every option that was given has an effect.
    ///
    /// # Errors
    /// A strength that nothing switches on, or that something else sets.
    pub fn check_effects(&self) -> Result<(), FingerprintError> {
        match strength_fault(&self.greeting.name, &self.greeting.declared, &self.settings, false) {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }

    /// The same engine with one option set otherwise.
    ///
    /// # Errors
    /// The engine does not take it, or it would have no effect.
    pub fn with_option(&self, name: &str, value: &str) -> Result<Self, FingerprintError> {
        let others = self.given.iter().filter(|(other, _)| !other.eq_ignore_ascii_case(name));
        let given: Vec<_> = others.cloned().chain([(name.to_owned(), value.to_owned())]).collect();
        let settings = self.complete(&given)?;
        let mut this = Self { given, settings, ..self.clone() };
        this.check_effects()?;
        this.identity = this.identify()?;
        Ok(this)
    }

    /// The name the engine gave.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.greeting.name
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

    /// The value that is sent for an option; its declared default where nothing is sent.
    #[must_use]
    pub fn value_of(&self, option: &str) -> Option<String> {
        let sent = self.settings.iter().find(|(name, _)| name.eq_ignore_ascii_case(option));
        let declared = || self.greeting.declared.iter().find(|declared| declared.is_named(option));
        sent.map(|(_, value)| value.clone()).or_else(|| declared_default(declared()?))
    }

    /// What it is under this limit.
    #[must_use]
    pub fn identity(&self, limit: Limit) -> EngineIdentity {
        let limits = match limit {
            Limit::Depth(depth) => Limits { depth: Some(depth), ..Limits::default() },
            Limit::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        };
        EngineIdentity {
            name: self.greeting.name.clone(),
            known: Known::Whole {
                identity: Box::new(Identity { limits, ..self.identity.clone() }),
                launcher_only: self.is_launcher_only(),
            },
        }
    }

    /// Whether its program is a script whose own files were not listed: then a change in them goes
    /// unnoticed.
    #[must_use]
    pub fn is_launcher_only(&self) -> bool {
        self.setup.is_unlisted_script(&self.launch)
    }

    /// What has changed in its program and files since it was started the first time.
    ///
    /// # Errors
    /// What runs it does not tell its version any more.
    pub(super) fn changes(&self) -> Result<Vec<IdentityPart>, FingerprintError> {
        let options = self.options();
        let greeted = self.greeting.with(&options);
        let program = self
            .setup
            .files(&self.launch, greeted)
            .and_then(|files| self.setup.program(&self.launch, greeted, &files));
        match program {
            Ok(program) => Ok(self.identity.differences(&Identity { program, ..self.identity.clone() })),
            Err(LadderError::Io { path, .. }) => {
                let known = self.identity.program.files_sha256.iter();
                let mut known =
                    known.filter(|(label, _)| path.ends_with(label)).map(|(_, hash)| hash.clone());
                let values = [known.next().unwrap_or_default(), String::new()];
                Ok(vec![IdentityPart::File { file: path.display().to_string(), values }])
            }
            Err(error) => Err(error.into()),
        }
    }

    fn identify(&self) -> Result<Identity, FingerprintError> {
        let options = self.options();
        let greeted = self.greeting.with(&options);
        Ok(self.setup.identity(&self.launch, greeted, Limits::default(), History::default())?)
    }

    fn complete(&self, given: &[(String, String)]) -> Result<Vec<(String, String)>, FingerprintError> {
        let mut settings = given.to_vec();
        let declared = |wanted: &str| self.greeting.declared.iter().find(|option| option.is_named(wanted));
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
        Ok(check_options(&self.greeting.name, &self.greeting.declared, &settings)?)
    }
}
