//! An engine's identity: its program, every file that decides what it plays, its arguments, options and
//! limits.
//!
//! Holds digests and relative paths, never an absolute path, so that two machines agree.

mod files;
mod hash;
mod names;
mod player;
mod recorded;

pub(super) use files::path_digest;
pub use files::{EngineFiles, FileSources, portable};
pub(super) use hash::Stamp;
pub(crate) use hash::bytes_sha256;
pub use hash::{file_sha256, text_sha256};
pub use names::distinguishing_names;
pub use player::{Identity, IdentityPart, Program};
pub use recorded::{IdentityComparison, RecordedIdentity};
