//! What goes wrong before, around and after games.

use std::io;
use std::path::{Path, PathBuf};

use super::probe::ProbeFault;
use crate::arena::{AffinityError, PoolError};
use crate::uci::process::{EngineFault, FaultCause, OptionError};

/// An error of a spec, a plan, a run folder or an engine that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LadderError {
    /// A file could not be read or written.
    #[error("cannot {action} {}: {source}\nhint: {}", path.display(), io_hint(action))]
    Io {
        /// The file.
        path: PathBuf,
        /// `read`, `write`, ...
        action: &'static str,
        /// The system's word.
        source: io::Error,
    },
    /// The spec is wrong.
    #[error("{}: {reason}", path.display())]
    Spec {
        /// The spec file.
        path: PathBuf,
        /// What was found, what was expected, what to do.
        reason: String,
    },
    /// The openings of a spec cannot be read.
    #[error(
        "{}: cannot read the openings: {source}\n\
         hint: `openings.file` is `{}`; paths in a spec start at the spec's own folder", path.display(), file.display()
    )]
    NoOpenings {
        /// Where they were looked for, from the root.
        path: PathBuf,
        /// As the spec names it.
        file: PathBuf,
        /// The system's word.
        source: io::Error,
    },
    /// An engine's program is nowhere.
    #[error("engine `{engine}` not found\nhint: {hint}")]
    EngineMissing {
        /// As the spec names it.
        engine: String,
        /// Where it was looked for and what to do.
        hint: String,
    },
    /// An engine's program is not the one that the plan was made with.
    #[error(
        "engine `{engine}`: {} changed {when}\n\
         hint: games of two programs make no rating: start a new run with --out; name a file that the engine itself \
         writes in `mutable` in the spec",
        path.display()
    )]
    EngineChanged {
        /// As the spec names it.
        engine: String,
        /// The program, or a file that makes it.
        path: PathBuf,
        /// Since when.
        when: &'static str,
    },
    /// The games cannot be played where they were to be.
    #[error(transparent)]
    Pool(PoolError),
    /// Engines cannot be bound to the processors asked for.
    #[error("--cpus: {0}")]
    Cpus(#[from] AffinityError),
    /// An engine does not start or does not answer.
    #[error(
        "{}\nhint: {}",
        _0, _0.hint()
    )]
    Engine(EngineFault),
    /// An engine that cannot play the first move of its games.
    #[error(
        "{}\nhint: {}; --no-probe plays all the same", _0, _0.fault.hint()
    )]
    Probe(Box<ProbeFault>),
    /// The system has nothing left to start an engine with.
    #[error(
        "engine {}: {}\n\
         hint: raise the limits of this shell (`ulimit -n`, `ulimit -u`) or lower --concurrency; what has been \
         played is kept, and the same command goes on",
        _0.engine, _0.detail
    )]
    NoResources(EngineFault),
    /// An engine that started when the run was planned and does not any more.
    #[error(
        "did not start {times} times in a row: {fault}\n\
         hint: {}; what has been played is kept, run again", fault.hint()
    )]
    NeverStarts {
        /// How often.
        times: u32,
        /// What happened the last time.
        fault: EngineFault,
    },
    /// The command that asks for the version of what runs an engine.
    #[error(
        "{0}\n\
         hint: `runtime` is a command that prints a version, such as [\"node\", \"--version\"]"
    )]
    Runtime(EngineFault),
    /// An option that the run itself must set.
    #[error("engine {engine}: declares no `{option}`, which {needed_by} need\nhint: {hint}")]
    OptionLacking {
        /// The engine's name.
        engine: String,
        /// The option.
        option: &'static str,
        /// The part of the spec.
        needed_by: &'static str,
        /// What to do.
        hint: &'static str,
    },
    /// A setting the engine would not take.
    #[error("{key}: {error}")]
    Option {
        /// The part of the spec.
        key: &'static str,
        /// What is wrong with it.
        error: OptionError,
    },
    /// The folder an engine should start in.
    #[error(
        "engine {engine}: its working folder {} is not a folder\n\
         hint: `directory` in a spec starts at the spec's folder, --directory where the command is typed",
        directory.display()
    )]
    NoDirectory {
        /// As the spec or the command names it.
        engine: String,
        /// The folder.
        directory: PathBuf,
    },
    /// An argument names a file of the caller's folder, but the engine does not start there.
    #[error(
        "engine {engine}: the argument `{argument}` names a file of this folder, but without a spec an engine \
         starts in a temporary folder\n\
         hint: give --directory . to start it here, or the file's absolute path"
    )]
    ArgumentElsewhere {
        /// As the command names it.
        engine: String,
        /// The argument.
        argument: String,
    },
    /// The openings cannot be used.
    #[error("{0}")]
    Openings(#[from] crate::chess::openings::OpeningsError),
    /// A directory without a plan.
    #[error(
        "{} is not a run folder: it has no plan.json\nhint: give the folder that `elometer run` made",
        folder.display()
    )]
    NoRun {
        /// The directory.
        folder: PathBuf,
    },
    /// The run folder holds another plan.
    #[error(
        "{} holds a run of another plan (different: {difference})\n\
         hint: a changed spec cannot continue an old run; choose another folder with --out, or remove this one",
        folder.display()
    )]
    OtherPlan {
        /// The run folder.
        folder: PathBuf,
        /// The parts of the plan that differ.
        difference: String,
    },
    /// The run folder holds a plan of an older format.
    #[error(
        "{0} holds a run of elometer 0.1, whose plan says too little to be continued\n\
         hint: its games stay readable (`elometer fit {0}`, `elometer export {0} --format pgn`); choose another \
         folder with --out for new ones",
        folder.display()
    )]
    OlderPlan {
        /// The run folder.
        folder: PathBuf,
    },
    /// A file of a run folder is not what elometer wrote.
    #[error("{}{}: {reason}", path.display(), line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: Option<u64>,
        /// What was found, what was expected, what to do.
        reason: String,
    },
    /// Another process runs in the folder.
    #[error("{} is in use by another elometer\nhint: wait for it, or stop it", folder.display())]
    InUse {
        /// The run folder.
        folder: PathBuf,
    },
}

fn io_hint(action: &str) -> &'static str {
    match action {
        "read" => "check that the path is right and names a file",
        "lock" => "use a folder on a disk of this machine",
        _ => "check that the folder can be written and that its disk has room",
    }
}

impl From<EngineFault> for LadderError {
    fn from(fault: EngineFault) -> Self {
        if fault.cause == FaultCause::NoResources { Self::NoResources(fault) } else { Self::Engine(fault) }
    }
}

impl LadderError {
    pub(super) fn io(path: &Path, action: &'static str, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), action, source }
    }

    /// A game of the journal that cannot be written out.
    #[must_use]
    pub fn game_data(journal: &Path, error: &io::Error) -> Self {
        let hint = "hint: restore the file from a copy";
        Self::damaged(journal, None, format!("{error}\n{hint}"))
    }

    pub(super) fn spec(path: &Path, reason: String) -> Self {
        Self::Spec { path: path.to_owned(), reason }
    }

    pub(super) fn damaged(path: &Path, line: Option<u64>, reason: String) -> Self {
        Self::Damaged { path: path.to_owned(), line, reason }
    }
}
