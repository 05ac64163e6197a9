//! The folder an engine starts in: never the caller's by accident.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

/// The folder an engine starts in.
#[derive(Clone, Debug)]
pub enum WorkingFolder {
    /// One that a spec or an option names.
    Given(PathBuf),
    /// An empty one, removed when nobody needs it any more.
    Temporary(Arc<TempDir>),
}

impl WorkingFolder {
    /// A new empty folder.
    ///
    /// # Errors
    /// The system cannot make one.
    pub fn temporary() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("elometer-").tempdir()?;
        Ok(Self::Temporary(Arc::new(folder)))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Given(path) => path,
            Self::Temporary(folder) => folder.path(),
        }
    }
}

impl PartialEq for WorkingFolder {
    fn eq(&self, other: &Self) -> bool {
        self.path() == other.path()
    }
}

impl Eq for WorkingFolder {}
