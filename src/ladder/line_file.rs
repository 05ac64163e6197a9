//! A file of JSON lines that only grows: a line is written at once and never changed, one process
//! writes at a time, and a last line without its end is torn and cut off.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::Serialize;

/// The most that is read.
const LARGEST_FILE: u64 = 2 << 30;

/// The file, open and locked against other processes.
#[derive(Debug)]
pub struct LineFile {
    file: File,
    path: PathBuf,
}

/// Why such a file cannot be used.
#[derive(Debug)]
pub enum LineFileError {
    /// Another process has it.
    InUse,
    /// The system's word.
    Io {
        /// `read`, `write` or `lock`.
        action: &'static str,
        /// What it said.
        source: io::Error,
    },
    /// Not UTF-8.
    NoText,
}

impl LineFile {
    /// Opens or makes the file and locks it for as long as it is open.
    ///
    /// # Errors
    /// [`LineFileError`].
    pub fn open(path: &Path) -> Result<Self, LineFileError> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let file = file.map_err(|source| LineFileError::Io { action: "write", source })?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Self { file, path: path.to_owned() }),
            Err(Errno::WOULDBLOCK) => Err(LineFileError::InUse),
            Err(error) => Err(LineFileError::Io { action: "lock", source: error.into() }),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The lines that have their end; what follows them is cut off.
    ///
    /// # Errors
    /// [`LineFileError`]; a file of more than two gigabytes is not read.
    pub fn read_whole_lines(&mut self) -> Result<String, LineFileError> {
        let io = |action| move |source| LineFileError::Io { action, source };
        let size = self.file.metadata().map_err(io("read"))?.len();
        if size > LARGEST_FILE {
            let source = io::Error::other(format!("{size} bytes, expected at most {LARGEST_FILE}"));
            return Err(LineFileError::Io { action: "read", source });
        }
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(0)).map_err(io("read"))?;
        self.file.read_to_end(&mut bytes).map_err(io("read"))?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        if whole < bytes.len() {
            bytes.truncate(whole);
            self.file.set_len(whole as u64).map_err(io("write"))?;
        }
        String::from_utf8(bytes).map_err(|_| LineFileError::NoText)
    }

    /// Writes a line: one write, so that a reader sees all of it or a torn end.
    ///
    /// # Errors
    /// [`LineFileError::Io`].
    pub fn append(&mut self, line: &impl Serialize) -> Result<(), LineFileError> {
        let io = |source| LineFileError::Io { action: "write", source };
        let mut bytes = serde_json::to_vec(line).map_err(|error| io(error.into()))?;
        bytes.push(b'\n');
        self.file.write_all(&bytes).map_err(io)
    }
}
