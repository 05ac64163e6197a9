//! The engines of a plan on this machine: where their programs and files are, and the values that a
//! plan holds without absolute paths.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::error::LadderError;
use super::identity::{EngineFiles, file_sha256, path_digest};
use super::plan::{Plan, PlannedEngine};
use super::setup::{EngineSetup, SetupWarning};
use crate::uci::process::{Expected, Launch};

/// A plan with its engines as they are started on this machine.
#[derive(Clone, Debug)]
pub struct PreparedRun {
    /// The plan.
    pub plan: Plan,
    /// Subject and opponent.
    pub engines: [PreparedEngine; 2],
}

/// One engine of a plan on this machine.
#[derive(Clone, Debug)]
pub struct PreparedEngine {
    /// How it is set up.
    pub setup: EngineSetup,
    /// How it is started.
    pub launch: Launch,
    /// The files that make it.
    pub(super) files: EngineFiles,
    /// By option: the value that is sent where the plan holds one without an absolute path.
    pub(super) own_values: BTreeMap<String, String>,
}

impl PreparedRun {
    /// What is allowed in the set-up of the engines but may not be meant; each once.
    #[must_use]
    pub fn warnings(&self) -> Vec<SetupWarning> {
        let mut warnings = Vec::new();
        for engine in &self.engines {
            for warning in engine.setup.warnings(&engine.launch) {
                if !warnings.contains(&warning) {
                    warnings.push(warning);
                }
            }
        }
        warnings
    }
}

impl PreparedEngine {
    /// Settings of the plan as they are sent on this machine.
    #[must_use]
    pub fn sent(&self, settings: &[(String, String)]) -> Vec<(String, String)> {
        let value = |name: &String, planned: &String| self.own_values.get(name).unwrap_or(planned).clone();
        settings.iter().map(|(name, planned)| (name.clone(), value(name, planned))).collect()
    }

    /// How it is started for a game: it must be the engine that was planned with.
    pub(super) fn launch_for(
        &self,
        planned: &PlannedEngine,
        settings: &[(String, String)],
        log: Option<PathBuf>,
    ) -> Launch {
        let expected = Expected { id_name: planned.program.id_name.clone(), settings: self.sent(settings) };
        Launch { log, expected: Some(expected), ..self.launch.clone() }
    }

    /// Whether the program and its files are still those of the plan.
    pub(super) fn check(&self, planned: &PlannedEngine, when: &'static str) -> Result<(), LadderError> {
        let changed = |path: &Path| LadderError::EngineChanged {
            engine: planned.engine.clone(),
            path: path.to_owned(),
            when,
        };
        if file_sha256(&self.launch.program)? != planned.program.program_sha256 {
            return Err(changed(&self.launch.program));
        }
        for (label, path) in &self.files.paths {
            let now = path_digest(path).ok();
            if now.as_ref() != planned.program.files_sha256.get(label) {
                return Err(changed(path));
            }
        }
        Ok(())
    }

    /// The program and the files that make it.
    pub(super) fn watched(&self) -> impl Iterator<Item = PathBuf> {
        [self.launch.program.clone()].into_iter().chain(self.files.paths.values().cloned())
    }
}
