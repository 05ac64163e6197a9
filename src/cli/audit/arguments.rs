//! What several audits take: the judge, its budget, where answers are kept, how much at once.

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use clap::Args;

use crate::audit::{AuditEngine, Role, beside};
use crate::cli::engine_setup::SetupArguments;
use crate::cli::exit::{Exit, Failure};
use crate::cli::print;
use crate::ladder::EngineSetup;
use crate::uci::process::{Budget, Deadlines};

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
    #[command(flatten)]
    setup: JudgeSetupArguments,
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

/// Where the judge starts and which files make it, as [`SetupArguments`] say it of a subject.
#[derive(Debug, Args)]
struct JudgeSetupArguments {
    /// The folder the judge starts in [default: an empty temporary one].
    #[arg(long, value_name = "DIR")]
    judge_directory: Option<PathBuf>,
    /// A file that decides what the judge answers (the script behind a launcher, a network): part of its
    /// identity (may be repeated).
    #[arg(long = "judge-file", value_name = "FILE")]
    judge_files: Vec<PathBuf>,
    /// A file that the judge may write: no part of its identity (may be repeated).
    #[arg(long, value_name = "FILE")]
    judge_mutable: Vec<PathBuf>,
    /// A command whose first line of output is the version of what runs the judge, such as
    /// "node --version".
    #[arg(long, value_name = "COMMAND")]
    judge_runtime: Option<String>,
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
        let JudgeSetupArguments { judge_directory, judge_files, judge_mutable, judge_runtime } = &self.setup;
        let setup = SetupArguments {
            directory: judge_directory.clone(),
            files: judge_files.clone(),
            mutable: judge_mutable.clone(),
            runtime: judge_runtime.clone(),
        };
        let setup = setup.setup(name, &self.judge_argument, deadlines(self.deadline_ms));
        start(setup, "--judge-option", &self.judge_options, Role::Judge, &[], "--judge-file")
    }

    /// Starts another judge with the same settings.
    pub(super) fn start_other(&self, name: &str) -> Result<AuditEngine, Failure> {
        let setup = SetupArguments::default().setup(name, &[], deadlines(self.deadline_ms));
        start(setup, "--judge-option", &self.judge_options, Role::Judge, &[], "--judge-file")
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

/// The deadlines of an engine whose answers are waited for at most so long.
pub(in crate::cli) fn deadlines(deadline_ms: Option<u64>) -> Deadlines {
    Deadlines { search_ms: deadline_ms, ..Deadlines::default() }
}

/// Starts an engine once and says what a user should know of it; `flag` gives its options, `file_flag`
/// its files.
///
/// # Errors
/// An option is given twice, or the engine does not start or take an option.
pub(in crate::cli) fn start(
    setup: EngineSetup,
    flag: &str,
    options: &[(String, String)],
    role: Role,
    hint: &[(String, String)],
    file_flag: &str,
) -> Result<AuditEngine, Failure> {
    once(flag, options)?;
    let program = setup.engine.clone();
    let engine = AuditEngine::start(setup, options, role, hint)?;
    if engine.is_unlisted_script() {
        print::warning(&format!(
            "{program} is a script: a change in the files it runs goes unnoticed, and answers that are kept would \
             be taken for its own\nhint: name them with {file_flag}"
        ));
    }
    Ok(engine)
}

/// Refuses an option that is given twice, names compared without case.
pub(super) fn once(flag: &str, options: &[(String, String)]) -> Result<(), Failure> {
    let is_again = |(index, (name, _)): &(usize, &(String, String))| {
        options.iter().take(*index).any(|(before, _)| before.eq_ignore_ascii_case(name))
    };
    match options.iter().enumerate().find(is_again) {
        None => Ok(()),
        Some((_, (name, _))) => {
            let error = anyhow::anyhow!("{flag}: `{name}` is given twice\nhint: give each option once");
            Err(Failure::new(Exit::Usage, error))
        }
    }
}
