//! The ladder: its spec, its plan, the run folder, running and resuming.
//!
//! Data flows one way: [`Spec`] -> [`Plan`] -> journal -> results. A game is identified by its
//! place in the plan, never by the order in which it finished. Holds no formula of a rating: estimates
//! come from [`crate::rating`].

mod engine_file;
mod error;
mod export;
mod folder;
mod identity;
pub mod input;
mod journal;
mod latency;
mod limits_used;
mod line_file;
mod pick_depth;
mod plan;
mod planner;
mod prepared;
mod probe;
mod results;
mod run;
mod sealed_options;
mod setup;
mod setup_faults;
mod spec;
mod whole_file;

pub use engine_file::{EngineFile, find as find_engine};
pub use error::LadderError;
pub use export::{pgn_and_csv, write_csv, write_pgn};
pub use folder::RunFolder;
pub(crate) use identity::bytes_sha256;
pub use identity::{
    EngineFiles, Identity, IdentityComparison, IdentityPart, Program, RecordedIdentity, distinguishing_names,
    file_sha256, text_sha256,
};
pub use journal::{GameLine, GameReader, Journal, JournalSummary, Place, SessionLine};
pub use latency::Latency;
pub use limits_used::{LimitsUsed, limit_concern, observed_limit};
pub use line_file::{LineFile, LineFileError};
pub use pick_depth::early_end_words;
pub use plan::{Plan, PlannedEngine, PlannedGame, PlannedOpening, Rung};
pub use planner::make_plan;
pub use prepared::{PreparedEngine, PreparedRun};
pub use probe::{Probe, ProbeFault, ProbeNote, Role, probe_engines};
pub use results::{GameResult, RunResults, fault_list};
pub use run::{Progress, RunEnd, RunOptions, run_plan};
pub(crate) use sealed_options::strength_fault;
pub use setup::{EngineSetup, Greeted, Greeting, Origin, SetupWarning};
pub use setup_faults::SetupError;
pub use spec::{EngineSpec, OpeningsSpec, Spec};
pub(crate) use whole_file::write_whole;
