//! The exit codes, decided here and nowhere else.

use std::process::ExitCode;

use crate::audit::AuditError;
use crate::fingerprint::FingerprintError;
use crate::ladder::LadderError;

/// How a command ended, as its exit code tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Ok,
    /// 1: a fault of elometer itself or of the machine (disk full, no descriptors or processes left).
    Internal,
    /// 2: the command line is wrong.
    Usage,
    /// 3: a spec, FEN, PGN, CSV, journal or plan is wrong.
    BadInput,
    /// 4: an engine cannot start or be used, a set-up error ended a run, or the replays of void games are
    /// used up.
    EngineFault,
    /// 5: a gate failed.
    GateFailed,
    /// 6: not enough data for an answer.
    Inconclusive,
    /// 130: interrupted by Ctrl-C.
    Interrupted,
    /// 143: asked to terminate.
    Terminated,
}

impl Exit {
    /// The number the shell sees.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Internal => 1,
            Self::Usage => 2,
            Self::BadInput => 3,
            Self::EngineFault => 4,
            Self::GateFailed => 5,
            Self::Inconclusive => 6,
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// An error that ends a command, with the exit code it is worth.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// What is printed on stderr.
    pub error: anyhow::Error,
}

impl Failure {
    /// Joins an error to its exit code.
    pub fn new(exit: Exit, error: impl Into<anyhow::Error>) -> Self {
        Self { exit, error: error.into() }
    }
}

impl From<LadderError> for Failure {
    fn from(error: LadderError) -> Self {
        let exit = match &error {
            LadderError::Io { action: "read", .. }
            | LadderError::Spec { .. }
            | LadderError::Option { .. }
            | LadderError::NoDirectory { .. }
            | LadderError::OptionLacking { .. }
            | LadderError::Openings(_)
            | LadderError::NoOpenings { .. }
            | LadderError::NoRun { .. }
            | LadderError::OtherPlan { .. }
            | LadderError::OlderPlan { .. }
            | LadderError::Damaged { .. } => Exit::BadInput,
            LadderError::EngineMissing { .. }
            | LadderError::NeverStarts { .. }
            | LadderError::EngineChanged { .. }
            | LadderError::Engine(_)
            | LadderError::Probe(_)
            | LadderError::Runtime(_) => Exit::EngineFault,
            LadderError::Cpus(_) | LadderError::ArgumentElsewhere { .. } => Exit::Usage,
            LadderError::Io { .. }
            | LadderError::Pool(_)
            | LadderError::NoResources(_)
            | LadderError::InUse { .. } => Exit::Internal,
        };
        Self::new(exit, error)
    }
}

impl From<FingerprintError> for Failure {
    fn from(error: FingerprintError) -> Self {
        let exit = match error {
            FingerprintError::Setup(error) => return error.into(),
            FingerprintError::Io { action: "read", .. }
            | FingerprintError::Positions(_)
            | FingerprintError::Games { .. }
            | FingerprintError::SetMissing { .. }
            | FingerprintError::SetChanged { .. }
            | FingerprintError::Option(_)
            | FingerprintError::Damaged { .. }
            | FingerprintError::OtherTake { .. } => Exit::BadInput,
            FingerprintError::Engine(_)
            | FingerprintError::Fault(_)
            | FingerprintError::EngineChanged { .. } => Exit::EngineFault,
            FingerprintError::AllByChance { .. } => Exit::Inconclusive,
            FingerprintError::Io { .. } | FingerprintError::InUse { .. } | FingerprintError::Stopped => {
                Exit::Internal
            }
        };
        Self::new(exit, error)
    }
}

impl From<AuditError> for Failure {
    fn from(error: AuditError) -> Self {
        let exit = match error {
            AuditError::Ladder(error) => return error.into(),
            AuditError::Io { action: "read", .. }
            | AuditError::Store { action: "read", .. }
            | AuditError::Games { .. }
            | AuditError::Positions(_)
            | AuditError::Subject { .. }
            | AuditError::NoMoves { .. }
            | AuditError::Option(_)
            | AuditError::Damaged { .. } => Exit::BadInput,
            AuditError::Engine(_)
            | AuditError::Position { .. }
            | AuditError::Answer { .. }
            | AuditError::EngineChanged { .. } => Exit::EngineFault,
            AuditError::Io { .. }
            | AuditError::Store { .. }
            | AuditError::InUse { .. }
            | AuditError::Stopped => Exit::Internal,
        };
        Self::new(exit, error)
    }
}

/// What every subcommand returns.
pub type CommandResult = Result<Exit, Failure>;
