//! A numbered report of how an engine keeps to the protocol and how it behaves.
//!
//! Knows one engine as a process and the rules of chess; must not know games, opponents or ratings.
//!
//! Invariants:
//! - A number means the same check for ever; a check that goes leaves a gap.
//! - No check spoils the next: what a check could not finish is killed, and the next one starts
//!   another process.
//! - A check judges its own subject only. What it cannot judge because of another fault is not
//!   applicable, and says which check has the fault.
//! - Every wait has a deadline. A verdict `fail` needs a wrong answer, none before the deadline, or
//!   a limit missed in the best of several tries: one busy moment of the machine fails nobody.
//! - A cause names checks and what was measured to find it; it changes no verdict.
//!
//! `docs/check.md` lists every number.

mod bench;
mod catalogue;
mod cause;
mod clocks;
mod determinism;
mod ending;
mod finding;
mod group;
mod handshake;
mod limits;
mod options;
mod output;
mod places;
mod resources;
mod root;
mod session;
mod stopping;

pub use catalogue::{CheckError, CheckStep, check_engine, check_list};
pub use cause::{Cause, CauseKind, MachineLoad, TimedAnswer};
pub use finding::{Area, CheckReport, CheckResult, CheckedEngine, Verdict};
