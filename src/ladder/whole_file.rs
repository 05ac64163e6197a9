//! Writing a file so that nobody ever sees a part of it.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes beside the target, in a file with `.part` after its name, and renames.
///
/// # Errors
/// The system's word.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let mut file = File::create(&part)?;
    file.write_all(bytes)?;
    drop(file);
    fs::rename(&part, path)
}
