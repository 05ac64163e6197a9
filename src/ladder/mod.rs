//! The ladder: its spec, its plan, the run folder, running and resuming.
//!
//! Holds no formula: estimates come from [`crate::rating`].

pub mod input;
