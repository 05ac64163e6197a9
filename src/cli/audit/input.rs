//! Whose moves: games, or positions that an engine answers.

use std::path::{Path, PathBuf};

use clap::Args;

use super::arguments::{deadlines, start, store_beside};
use crate::audit::{AuditEngine, AuditFiles, AuditGame, BudgetUse, Origin, Role, read_games};
use crate::cli::engine_setup::SetupArguments;
use crate::cli::exit::{Exit, Failure};
use crate::cli::print;
use crate::ladder::{Identity, IdentityPart, PlannedEngine};
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
    #[command(flatten)]
    setup: SetupArguments,
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
    /// Which program it is, where that is known.
    pub(super) identity: Option<Identity>,
    /// What its live answers used of their limit.
    pub(super) used: Option<BudgetUse>,
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
        let identity = set.engine.as_ref().map(|planned| planned.identity(&planned.settings));
        Ok(Input { subject: set.subject, games: set.games, planned: set.engine, identity, used: None, kept })
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

    /// Whether a program is named.
    pub(super) fn is_named(&self) -> bool {
        self.engine.is_some()
    }

    /// Starts the subject, as named or as the run has it; `hint` switches its hint mode on.
    pub(super) fn start(
        &self,
        planned: Option<&PlannedEngine>,
        role: Role,
        hint: &[(String, String)],
        deadline_ms: Option<u64>,
    ) -> Result<AuditEngine, Failure> {
        let deadlines = deadlines(deadline_ms);
        if let Some(name) = &self.engine {
            let setup = self.setup.setup(name, &self.engine_argument, deadlines);
            return start(setup, "--engine-option", &self.engine_options, role, hint, "--file");
        }
        let Some(planned) = planned else {
            let error = anyhow::anyhow!(
                "--judge self: the input does not say which program the subject is\nhint: name it with --engine"
            );
            return Err(Failure::new(Exit::Usage, error));
        };
        let setup = self.setup.setup(&planned.engine, &planned.arguments, deadlines);
        let engine = start(setup, "--engine-option", &planned.settings, role, hint, "--file")?;
        let played = planned.identity(&planned.settings);
        let differs = |part: &IdentityPart| match part {
            IdentityPart::Program { .. } | IdentityPart::File { .. } => true,
            IdentityPart::Runtime { .. } => self.setup.runtime.is_some(),
            _ => false,
        };
        let differences = played.differences(engine.identity()).into_iter().filter(differs);
        let differences: Vec<String> = differences.map(|part| part.to_string()).collect();
        if !differences.is_empty() {
            print::warning(&format!(
                "the subject is not as it played (as it played, now): {}\nhint: name its program with --engine, its \
                 files with --file and the folder it starts in with --directory",
                differences.join("; ")
            ));
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
