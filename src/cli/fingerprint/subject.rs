//! What several subcommands take, and how they begin: the engine, its limit, the positions.

use std::path::PathBuf;
use std::thread::available_parallelism;

use clap::Args;

use super::text;
use crate::arena::Stop;
use crate::cli::engine_setup::SetupArguments;
use crate::cli::exit::{CommandResult, Exit, Failure};
use crate::cli::print;
use crate::cli::signals::Listener;
use crate::fingerprint::{FingerprintError, Limit, PositionSet, Question, Subject};
use crate::uci::process::{Deadlines, refuse_repeated_options};

/// The engine.
#[derive(Debug, Args)]
pub(super) struct EngineArguments {
    /// The engine: a path with a slash, a name on PATH, or builtin:NAME.
    pub(super) engine: String,
    /// What the engine's program is started with.
    #[arg(long, num_args = 1.., allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
    #[command(flatten)]
    setup: SetupArguments,
    /// The longest wait for one answer [default: by the limit, a minute and more].
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    deadline_ms: Option<u64>,
}

/// What is asked, and on which positions.
#[derive(Debug, Args)]
pub(super) struct QuestionArguments {
    #[command(flatten)]
    limit: LimitArguments,
    /// The positions: `reference` (602, from twelve games), `edges` (61, what those lack), or a file
    /// of EPD or FEN, one a line.
    #[arg(long, value_name = "SET|FILE", default_value = "reference")]
    positions: PathBuf,
    /// A setting of the engine (may be repeated); Threads=1 and Hash=16 unless given.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = crate::cli::check::setting)]
    options: Vec<(String, String)>,
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
        let deadlines = Deadlines { search_ms: self.deadline_ms, ..Deadlines::default() };
        let setup = self.setup.setup(&self.engine, &self.arguments, deadlines);
        let subject = Subject::start(setup, options)?;
        if subject.is_launcher_only() {
            print::warning(&text::launcher_only(&self.engine));
        }
        Ok(subject)
    }

    /// A short name for the engine: what follows the last slash or colon.
    pub(super) fn short_name(&self) -> &str {
        self.engine.rsplit(['/', ':']).next().unwrap_or(&self.engine)
    }
}

/// An engine that has started, what it is to be asked, and whether to stop.
pub(super) struct Session {
    pub(super) subject: Subject,
    pub(super) question: Question,
    pub(super) set: PositionSet,
    pub(super) stop: Stop,
    pub(super) listener: Listener,
}

impl Session {
    /// Reads the positions, starts the engine once and listens for signals.
    pub(super) fn start(engine: &EngineArguments, asked: &QuestionArguments) -> Result<Self, Failure> {
        refuse_repeated_options(&engine.engine, &asked.options).map_err(FingerprintError::from)?;
        let set = asked.set()?;
        let subject = engine.start(&asked.options)?;
        subject.check_effects()?;
        let stop = Stop::default();
        let listener = listen(&stop)?;
        Ok(Self { subject, question: asked.question(), set, stop, listener })
    }

    /// The exit of a command that ended with an error: a signal may have been its cause.
    pub(super) fn end_of(&self, error: FingerprintError) -> CommandResult {
        match (&error, self.listener.exit()) {
            (FingerprintError::Stopped, Some(exit)) => Ok(exit),
            _ => Err(error.into()),
        }
    }
}

impl QuestionArguments {
    fn question(&self) -> Question {
        let limit = match (self.limit.depth, self.limit.nodes) {
            (Some(depth), _) => Limit::Depth(depth),
            (None, nodes) => Limit::Nodes(nodes.unwrap_or(1)),
        };
        Question { limit, words: self.words.clone() }
    }

    fn set(&self) -> Result<PositionSet, Failure> {
        Ok(PositionSet::read(&self.positions)?)
    }
}

impl ConcurrencyArguments {
    pub(super) fn workers(&self, subject: &Subject) -> usize {
        let cores = available_parallelism().map_or(1, usize::from);
        self.concurrency.map_or((cores / subject.threads()).max(1), usize::from)
    }
}

/// Listens for signals.
pub(super) fn listen(stop: &Stop) -> Result<Listener, Failure> {
    Listener::start(stop, "positions").map_err(|error| Failure::new(Exit::Internal, error))
}
