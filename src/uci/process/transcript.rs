//! The last lines that passed between an engine and us, and the optional full log.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::uci::protocol::visible;

/// Our last lines kept for a fault report: two searches and what ended them.
const KEPT_OURS: usize = 8;
/// The engine's last lines kept for a fault report.
const KEPT_ITS: usize = 16;
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

/// The tail of a conversation, of each side for itself: however much an engine prints, what it was
/// asked last is kept.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    ours: Tail,
    its: Tail,
    /// Lines so far.
    count: u64,
}

impl Transcript {
    pub(super) fn push(&mut self, speaker: Speaker, line: &[u8]) {
        self.count += 1;
        let (tail, most) = match speaker {
            Speaker::Us => (&mut self.ours, KEPT_OURS),
            Speaker::Engine | Speaker::Stderr => (&mut self.its, KEPT_ITS),
        };
        tail.push(self.count, most, speaker, line);
    }

    /// What is kept, in the order in which it was said, every character visible.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<_> = self.ours.lines.iter().chain(&self.its.lines).collect();
        lines.sort_by_key(|(number, _)| *number);
        lines.into_iter().map(|(_, line)| visible(&String::from_utf8_lossy(line)).into_owned()).collect()
    }
}

/// The last lines of one side, each with its number in the conversation. Old lines give their
/// memory to new ones.
#[derive(Debug, Default)]
struct Tail {
    lines: VecDeque<(u64, Vec<u8>)>,
}

impl Tail {
    fn push(&mut self, number: u64, most: usize, speaker: Speaker, line: &[u8]) {
        let mut slot = if self.lines.len() < most {
            Vec::new()
        } else {
            self.lines.pop_front().map(|(_, slot)| slot).unwrap_or_default()
        };
        slot.clear();
        slot.extend_from_slice(&[speaker.mark() as u8, b' ']);
        let (head, rest) = line.split_at(line.len().min(KEPT_BYTES));
        slot.extend_from_slice(head);
        if !rest.is_empty() {
            slot.extend_from_slice(b" [...]");
        }
        self.lines.push_back((number, slot));
    }
}
