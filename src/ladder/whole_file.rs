//! Writing a file so that nobody ever sees a part of it.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// Names tried for the part; those that are taken are what killed processes left.
const NAMES: u32 = 1000;

/// Writes beside the target, in a new file of no name that was there (`.elometer-PID-N.part`), and
/// renames. What stands under another name is never touched; the part does not stay on failure.
///
/// # Errors
/// The system's word.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (part, mut file) = new_part(path)?;
    let written = file.write_all(bytes);
    drop(file);
    written.and_then(|()| fs::rename(&part, path)).inspect_err(|_| {
        // The first error is the one to tell.
        let _ = fs::remove_file(&part);
    })
}

/// A new file in the target's folder; a link of its name is not followed.
fn new_part(path: &Path) -> io::Result<(PathBuf, File)> {
    let process = std::process::id();
    for number in 0..NAMES {
        let part = path.with_file_name(format!(".elometer-{process}-{number}.part"));
        match File::create_new(&part) {
            Ok(file) => return Ok((part, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_target_changes() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let first = format!(".elometer-{}-0.part", std::process::id());
        for (name, text) in [("a.csv", "old"), ("a.csv.part", "a user's"), ("linked", "kept")] {
            fs::write(at(name), text).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(at("linked"), at(&first)).unwrap();
        write_whole(&at("a.csv"), b"new").unwrap();
        fs::create_dir(at("taken")).unwrap();
        assert!(write_whole(&at("taken"), b"new").is_err());
        let read = |name: &str| fs::read_to_string(at(name)).unwrap();
        assert_eq!(["a.csv", "a.csv.part", "linked"].map(read), ["new", "a user's", "kept"]);
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let parts: Vec<_> = names.filter(|name| name.to_string_lossy().starts_with(".elometer")).collect();
        assert!(parts.iter().all(|name| *name == *first), "{parts:?}");
    }
}
