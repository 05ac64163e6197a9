//! What several audits take: the judge, its budget, where answers are kept, how much at once.

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use clap::Args;

use crate::audit::{AuditEngine, Role, beside};
use crate::cli::engine_setup::SetupArguments;
use crate::cli::exit::{Exit, Failure};
use crate::uci::process::{Budget, Deadlines, Launch};

/// The nodes of a search where nothing is said.
const DEFAULT_NODES: u64 = 100_000;
/// Who judges where nothing is said.
const DEFAULT_JUDGE: &str = "stockfish";
/// The word for the subject as its own judge.
const SELF: &str = "self";

/// The judge and its budget.
#[derive(Debug, Args)]
pub(super) struct JudgeArguments {
    /// Who judges: a path with a slash, a name on PATH, builtin:NAME, or `self` for the subject's own
    /// wider search beside the independent judge (may be repeated) [default: stockfish].
    #[arg(long, value_name = "ENGINE")]
    judge: Vec<String>,
    /// What the judge's program is started with (may be repeated).
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    judge_argument: Vec<String>,
    /// A setting of the judge (may be repeated); Threads=1, Hash=16 and WDL unless given.
    #[arg(long = "judge-option", value_name = "NAME=VALUE", value_parser = crate::cli::check::setting)]
    judge_options: Vec<(String, String)>,
    /// Nodes a search [default: 100000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "depth")]
    nodes: Option<u64>,
    /// Plies a search.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// The longest wait for one answer [default: by the budget].
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    deadline_ms: Option<u64>,
}

/// Where answers are kept and how many positions are searched at once.
#[derive(Debug, Args)]
pub(super) struct WorkArguments {
    /// Where evaluations are kept [default: evaluations.jsonl in the run folder, FILE.evaluations.jsonl
    /// beside a PGN, runs/audit-ENGINE/evaluations.jsonl for positions]; the audit itself stays with its
    /// input.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Positions at once [default: one per core, fewer with Threads].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
}

impl JudgeArguments {
    /// Starts the independent judge.
    pub(super) fn start(&self) -> Result<AuditEngine, Failure> {
        let named: Vec<&str> = self.judge.iter().map(String::as_str).filter(|name| *name != SELF).collect();
        let name = match named.as_slice() {
            [] => DEFAULT_JUDGE,
            [name] => name,
            _ => {
                let error = anyhow::anyhow!(
                    "--judge: {} independent judges, expected one\nhint: compare two with `elometer audit stability`",
                    named.len()
                );
                return Err(Failure::new(Exit::Usage, error));
            }
        };
        self.start_as(name, Role::Judge)
    }

    /// Starts another judge with the same settings.
    pub(super) fn start_other(&self, name: &str) -> Result<AuditEngine, Failure> {
        let launch = launch(name, &[], self.deadline_ms)?;
        Ok(AuditEngine::start(launch, &self.judge_options, Role::Judge)?)
    }

    fn start_as(&self, name: &str, role: Role) -> Result<AuditEngine, Failure> {
        let launch = launch(name, &self.judge_argument, self.deadline_ms)?;
        Ok(AuditEngine::start(launch, &self.judge_options, role)?)
    }

    /// Whether the subject judges itself too.
    pub(super) fn wants_self(&self) -> bool {
        self.judge.iter().any(|name| name == SELF)
    }

    /// The budget of a search.
    pub(super) fn budget(&self) -> Budget {
        match (self.depth, self.nodes) {
            (Some(depth), _) => Budget::Depth(depth),
            (None, nodes) => Budget::Nodes(nodes.unwrap_or(DEFAULT_NODES)),
        }
    }

    /// The longest wait for one answer, where set.
    pub(super) fn deadline_ms(&self) -> Option<u64> {
        self.deadline_ms
    }
}

impl WorkArguments {
    /// The store's file, `default` where nothing is said.
    pub(super) fn store_path(&self, default: Option<PathBuf>) -> Option<PathBuf> {
        self.store.clone().or(default)
    }

    /// Positions at once, for an engine with so many threads.
    pub(super) fn workers(&self, threads: usize) -> usize {
        self.concurrency.map_or_else(|| at_once(threads), usize::from)
    }
}

/// Positions at once for an engine with so many threads where nothing is said: one per core.
pub(in crate::cli) fn at_once(threads: usize) -> usize {
    let cores = available_parallelism().map_or(1, usize::from);
    (cores / threads.max(1)).max(1)
}

/// Where the evaluations of a run folder or a file are kept; nowhere for standard input.
pub(super) fn store_beside(input: &Path) -> Option<PathBuf> {
    beside(input, "evaluations.jsonl")
}

/// How an engine is started.
pub(in crate::cli) fn launch(
    name: &str,
    arguments: &[String],
    deadline_ms: Option<u64>,
) -> Result<Launch, Failure> {
    let deadlines = Deadlines { search_ms: deadline_ms, ..Deadlines::default() };
    Ok(SetupArguments::default().setup(name, arguments, deadlines).launch()?)
}
