//! What an engine answers on many positions, as text to the byte and as one SHA-256.
//!
//! Data flows one way: [`PositionSet`] and [`Subject`] -> [`Row`]s -> [`Digests`] -> [`Manifest`].
//! `fingerprints/FORMAT.md` specifies the text. Knows nothing of games and ratings.
//!
//! Invariants: a row depends on its position alone (the engine's state is cleared before each), so
//! that the rows are the same at any concurrency; nothing that depends on a clock, a machine or a
//! path is hashed; a row that was not answered by the rules of the protocol and of chess is never
//! written.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod ask;
mod board;
mod built_in;
mod cause;
mod chance;
mod compare;
mod diagnose;
mod digest;
mod error;
mod identity;
mod manifest;
mod partial;
mod positions;
mod row;
mod row_limits;
mod sensitivity;
mod subject;
mod take;

pub use ask::{Answer, AskEnd, Manner, RowFault, Survey};
pub use board::board_text;
pub use cause::Cause;
pub use compare::{Comparison, RowComparison, compare, compare_rows};
pub use diagnose::{Diagnosis, Trial, TrialResult, Verdict, diagnose};
pub use digest::Digests;
pub use error::FingerprintError;
pub use identity::{EngineIdentity, Known};
pub use manifest::{Fingerprint, Host, Manifest, Recipe, SetIdentity};
pub use positions::{Place, PositionSet};
pub use row::{Column, Row};
pub use row_limits::RowLimits;
pub use sensitivity::{Effect, Sensitivity, sensitivity};
pub use subject::{Limit, Question, Subject};
pub use take::{TakeEnd, take};
