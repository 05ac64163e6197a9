//! SHA-256 of files and texts.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

use crate::ladder::error::LadderError;

/// What changes when a file is replaced or written: device, inode, size, and the times of its bytes
/// and of its inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ladder) struct Stamp([i128; 5]);

impl Stamp {
    /// The present stamp; `None` for a file that cannot be looked at.
    pub(in crate::ladder) fn of(path: &Path) -> Option<Self> {
        let data = path.metadata().ok()?;
        let nanoseconds = |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
        Some(Self([
            data.dev().into(),
            data.ino().into(),
            data.size().into(),
            nanoseconds(data.mtime(), data.mtime_nsec()),
            nanoseconds(data.ctime(), data.ctime_nsec()),
        ]))
    }
}

/// Files hashed by this process. An engine of fifty megabytes is asked for again and again: for
/// subject and opponent, when the plan is made, and before and after playing.
static HASHED: Mutex<BTreeMap<PathBuf, (Stamp, String)>> = Mutex::new(BTreeMap::new());

/// The SHA-256 of one file, in hex. A file is read again only when its device, inode, size or times
/// are others.
///
/// # Errors
/// [`LadderError::Io`] when it cannot be read.
pub fn file_sha256(path: &Path) -> Result<String, LadderError> {
    let stamp = Stamp::of(path);
    let mut hashed = HASHED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, hash)) = hashed.get(path).filter(|(known, _)| Some(*known) == stamp) {
        return Ok(hash.clone());
    }
    let hash = hash(path).map_err(|error| LadderError::io(path, "read", error))?;
    // Only when nothing was written while it was read.
    if let Some(stamp) = stamp.filter(|stamp| Stamp::of(path) == Some(*stamp)) {
        hashed.insert(path.to_owned(), (stamp, hash.clone()));
    }
    Ok(hash)
}

fn hash(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; 64 * 1024];
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Ok(hex(&hasher.finalize())),
            Ok(read) => hasher.update(&chunk[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The SHA-256 of a text, in hex.
#[must_use]
pub fn text_sha256(text: &str) -> String {
    bytes_sha256(text.as_bytes())
}

/// The hash of bytes, in hex.
pub(crate) fn bytes_sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
