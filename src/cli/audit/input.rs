//! Whose moves: games, or positions that an engine answers.

use std::path::{Path, PathBuf};

use clap::Args;

use super::arguments::{launch, store_beside};
use crate::audit::{AuditEngine, AuditFiles, AuditGame, Origin, Role, read_games};
use crate::cli::exit::{Exit, Failure};
use crate::cli::print;
use crate::ladder::PlannedEngine;
use crate::uci::process::Budget;

/// The nodes of a live answer where nothing is said.
const DEFAULT_NODES: u64 = 100_000;

/// The inputs.
#[derive(Debug, Args)]
pub(super) struct InputArguments {
    /// Run folders and PGN files (`-` is standard input).
    #[arg(value_name = "INPUT", required_unless_present = "positions")]
    pub(super) inputs: Vec<PathBuf>,
    /// Whose moves, where the inputs do not tell.
    #[arg(long, value_name = "NAME")]
    pub(super) subject: Option<String>,
    #[command(flatten)]
    pub(super) engine: SubjectArguments,
    /// Positions (EPD or FEN, one a line) that --engine answers now, instead of games.
    #[arg(long, value_name = "FILE", requires = "engine", conflicts_with = "inputs")]
    pub(super) positions: Option<PathBuf>,
}

/// The subject as a program.
#[derive(Debug, Args)]
pub(super) struct SubjectArguments {
    /// The subject's program, for --positions and --judge self [default for a run folder: as the run
    /// has it].
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// What it is started with (may be repeated).
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true, requires = "engine")]
    engine_argument: Vec<String>,
    /// A setting of it (may be repeated).
    #[arg(long = "engine-option", value_name = "NAME=VALUE", value_parser = crate::cli::check::setting,
        requires = "engine")]
    engine_options: Vec<(String, String)>,
    /// Its nodes a search [default: as in the run, else 100000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
        conflicts_with = "engine_depth")]
    engine_nodes: Option<u64>,
    /// Its plies a search.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    engine_depth: Option<u32>,
}

/// What is audited.
#[derive(Debug)]
pub(super) struct Input {
    /// Whose moves.
    pub(super) subject: String,
    /// The games.
    pub(super) games: Vec<AuditGame>,
    /// The subject as the run has it.
    pub(super) planned: Option<PlannedEngine>,
    /// What tells these games from others, and where their audit is kept, where one file or folder
    /// holds them all.
    pub(super) kept: Option<(Origin, AuditFiles)>,
}

impl InputArguments {
    /// Reads the games and says what is to be known of them.
    pub(super) fn read(&self) -> Result<Input, Failure> {
        let set = read_games(&self.inputs, self.subject.as_deref())?;
        set.notices.iter().for_each(|notice| print::warning(notice));
        let files = self.inputs.first().and_then(|input| AuditFiles::of(input));
        let kept = set.origin.zip(files);
        Ok(Input { subject: set.subject, games: set.games, planned: set.engine, kept })
    }

    /// Where evaluations are kept where nothing is said.
    pub(super) fn default_store(&self) -> Option<PathBuf> {
        match (&self.positions, self.inputs.first()) {
            (Some(_), _) => {
                let folder = format!("audit-{}", self.engine.short_name());
                Some(Path::new("runs").join(folder).join("evaluations.jsonl"))
            }
            (None, input) => store_beside(input?),
        }
    }
}

impl SubjectArguments {
    /// A short name for the engine: what follows the last slash or colon.
    fn short_name(&self) -> &str {
        let engine = self.engine.as_deref().unwrap_or_default();
        engine.rsplit(['/', ':']).next().unwrap_or(engine)
    }

    /// Starts the subject, as named or as the run has it.
    pub(super) fn start(
        &self,
        planned: Option<&PlannedEngine>,
        role: Role,
        deadline_ms: Option<u64>,
    ) -> Result<AuditEngine, Failure> {
        if let Some(name) = &self.engine {
            let launch = launch(name, &self.engine_argument, deadline_ms)?;
            return Ok(AuditEngine::start(launch, &self.engine_options, role)?);
        }
        let Some(planned) = planned else {
            let error = anyhow::anyhow!(
                "--judge self: the input does not say which program the subject is\nhint: name it with --engine"
            );
            return Err(Failure::new(Exit::Usage, error));
        };
        let launch = launch(&planned.engine, &planned.arguments, deadline_ms)?;
        let engine = AuditEngine::start(launch, &planned.settings, role)?;
        if engine.identity().program_sha256 != planned.program.program_sha256 {
            print::warning(
                "the subject's program is another than the one that played\nhint: name the right one with --engine",
            );
        }
        Ok(engine)
    }

    /// Its budget: as given, else as the run has it where that is nodes or a depth alone.
    pub(super) fn budget(&self, planned: Option<&PlannedEngine>) -> Budget {
        let limits = planned.map(|planned| &planned.limits);
        let depth = self.engine_depth.or_else(|| limits.and_then(|limits| limits.depth));
        let nodes = self.engine_nodes.or_else(|| limits.and_then(|limits| limits.nodes));
        match (depth, nodes) {
            (_, Some(nodes)) if self.engine_nodes.is_some() => Budget::Nodes(nodes),
            (Some(depth), _) => Budget::Depth(depth),
            (None, nodes) => Budget::Nodes(nodes.unwrap_or(DEFAULT_NODES)),
        }
    }
}
