//! One engine as a child process.
//!
//! Invariants: every command has one absolute deadline, whatever the engine prints meanwhile; an
//! engine lives in its own process group, which is killed and reaped on every path; lines and
//! buffers are bounded; stderr is drained on a thread of its own.

mod budget;
mod child;
mod deadlines;
mod engine;
mod fault;
mod kill_switch;
mod limit_use;
mod options;
mod pipe;
mod processor_time;
mod search;
mod start_gate;
mod strays;
mod transcript;
mod wire;
mod working_folder;

pub use budget::Budget;
pub use deadlines::Deadlines;
pub use engine::{Engine, Expected, Launch, first_line_of};
pub use fault::{EngineFault, FaultCause, Suspicion};
pub use kill_switch::KillSwitch;
pub use limit_use::{
    Asked, LimitConcern, LimitFacts, LimitTally, LimitUse, QuantityUse, Searched, is_decisive,
};
pub use options::{OptionError, check_options, declared_default, refuse_repeated_options};
pub use search::{SearchOutcome, SearchReport, SearchRequest};
pub use wire::{Wire, WireEnd};
pub use working_folder::WorkingFolder;
