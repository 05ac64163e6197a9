//! What several subcommands take: the engine, its limit, the positions.

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use clap::Args;

use crate::cli::exit::{CommandResult, Exit, Failure};
use crate::cli::signals::Listener;
use crate::fingerprint::{FingerprintError, Limit, PositionSet, Question, Subject};
use crate::ladder::find_engine;
use crate::uci::process::{Deadlines, Launch};

/// The engine.
#[derive(Debug, Args)]
pub(super) struct EngineArguments {
    /// The engine: a path with a slash, a name on PATH, or builtin:NAME.
    pub(super) engine: String,
    /// What the engine's program is started with.
    #[arg(long, num_args = 1.., allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
    /// The longest wait for one answer [default: by the limit, a minute and more].
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    deadline_ms: Option<u64>,
}

/// What is asked, and on which positions.
#[derive(Debug, Args)]
pub(super) struct QuestionArguments {
    #[command(flatten)]
    limit: LimitArguments,
    /// The positions: EPD or FEN, one a line.
    #[arg(long, value_name = "FILE", default_value = "positions/reference/positions.epd")]
    positions: PathBuf,
    /// A setting of the engine (may be repeated); Threads=1 and Hash=16 unless given.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = crate::cli::check::setting)]
    pub(super) options: Vec<(String, String)>,
    /// Keep as the sentence the `info string` lines that contain this text.
    #[arg(long, value_name = "TEXT")]
    words: Option<String>,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct LimitArguments {
    /// Plies a position.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes a position.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
}

/// How many positions at once.
#[derive(Debug, Args)]
pub(super) struct ConcurrencyArguments {
    /// Positions at once [default: one per core, fewer with Threads].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
}

impl EngineArguments {
    /// Starts the engine once, to learn what it is.
    pub(super) fn start(&self, options: &[(String, String)]) -> Result<Subject, Failure> {
        let file = find_engine(&self.engine, Path::new(""))?;
        let launch = Launch {
            label: self.engine.clone(),
            program: file.program,
            arguments: file.arguments.into_iter().chain(self.arguments.iter().cloned()).collect(),
            directory: None,
            deadlines: Deadlines { search_ms: self.deadline_ms, ..Deadlines::default() },
            log: None,
            expected: None,
        };
        Ok(Subject::start(launch, options)?)
    }

    /// A short name for the engine: what follows the last slash or colon.
    pub(super) fn short_name(&self) -> &str {
        self.engine.rsplit(['/', ':']).next().unwrap_or(&self.engine)
    }
}

impl QuestionArguments {
    pub(super) fn question(&self) -> Question {
        let limit = match (self.limit.depth, self.limit.nodes) {
            (Some(depth), _) => Limit::Depth(depth),
            (None, nodes) => Limit::Nodes(nodes.unwrap_or(1)),
        };
        Question { limit, words: self.words.clone() }
    }

    pub(super) fn set(&self) -> Result<PositionSet, Failure> {
        Ok(PositionSet::read(&self.positions)?)
    }
}

impl ConcurrencyArguments {
    pub(super) fn workers(&self, subject: &Subject) -> usize {
        let cores = available_parallelism().map_or(1, usize::from);
        self.concurrency.map_or((cores / subject.threads()).max(1), usize::from)
    }
}

/// The exit of a command that a signal may have stopped.
pub(super) fn end_of(error: FingerprintError, listener: &Listener) -> CommandResult {
    match (&error, listener.exit()) {
        (FingerprintError::Stopped, Some(exit)) => Ok(exit),
        _ => Err(error.into()),
    }
}

/// Listens for signals.
pub(super) fn listen(stop: &crate::arena::Stop) -> Result<Listener, Failure> {
    Listener::start(stop, "positions").map_err(|error| Failure::new(Exit::Internal, error))
}
