//! The last lines that passed between an engine and us, and the optional full log.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Lines kept for a fault report.
const KEPT_LINES: usize = 24;
/// Bytes kept of one line.
const KEPT_BYTES: usize = 240;

/// Who said a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaker {
    /// We, to the engine.
    Us,
    /// The engine, on stdout.
    Engine,
    /// The engine, on stderr.
    Stderr,
}

impl Speaker {
    fn mark(self) -> char {
        match self {
            Self::Us => '>',
            Self::Engine => '<',
            Self::Stderr => '!',
        }
    }
}

/// A full log of one engine, shared with the thread that drains its stderr.
#[derive(Clone, Debug)]
pub(super) struct EngineLog {
    file: Arc<Mutex<File>>,
    start: Instant,
}

impl EngineLog {
    pub(super) fn new(file: File) -> Self {
        Self { file: Arc::new(Mutex::new(file)), start: Instant::now() }
    }

    /// Writes one line; a full disk must not end a game, so errors are dropped.
    pub(super) fn write(&self, speaker: Speaker, line: &[u8]) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text =
            format!("{:>10.3} {} ", self.start.elapsed().as_secs_f64(), speaker.mark()).into_bytes();
        text.extend_from_slice(line);
        text.push(b'\n');
        let _ = file.write_all(&text);
    }
}

/// The tail of a conversation. Old lines give their memory to new ones.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    lines: VecDeque<Vec<u8>>,
}

impl Transcript {
    pub(super) fn push(&mut self, speaker: Speaker, line: &[u8]) {
        let mut slot = if self.lines.len() < KEPT_LINES {
            Vec::new()
        } else {
            self.lines.pop_front().unwrap_or_default()
        };
        slot.clear();
        slot.extend_from_slice(&[speaker.mark() as u8, b' ']);
        let (head, rest) = line.split_at(line.len().min(KEPT_BYTES));
        slot.extend_from_slice(head);
        if !rest.is_empty() {
            slot.extend_from_slice(b" [...]");
        }
        self.lines.push_back(slot);
    }

    pub(super) fn lines(&self) -> Vec<String> {
        self.lines.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect()
    }
}
