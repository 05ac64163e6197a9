//! Reading lines and writing commands with a deadline, waiting on the pipes themselves.

use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// Bytes kept of one line; the rest of a longer one is dropped.
pub(super) const LONGEST_LINE: usize = 64 * 1024;
/// Output an engine may have waiting while it does not take our command.
const MOST_UNREAD: usize = 16 * 1024 * 1024;
const CHUNK: usize = 16 * 1024;

/// Why waiting ended without what was waited for.
#[derive(Debug)]
pub(super) enum PipeEnd {
    /// The deadline passed.
    Deadline,
    /// The other end is closed, or the process is gone with nothing left to read.
    Closed,
    /// The engine prints without end and does not read.
    Flood,
    /// The operating system refused.
    Io(io::Error),
}

impl From<Errno> for PipeEnd {
    fn from(error: Errno) -> Self {
        Self::Io(error.into())
    }
}

/// The engine's two pipes and, where the system has such a thing, a handle on its exit.
#[derive(Debug)]
pub(super) struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    exit: Option<OwnedFd>,
    buffer: Vec<u8>,
    /// Where the first line not yet handed out begins.
    start: usize,
    /// How far the buffer has been searched for a line's end.
    searched: usize,
    /// The rest of an over-long line is being dropped.
    dropping: bool,
    arrived: Instant,
    /// Over-long lines met so far.
    pub(super) cut_lines: u64,
}

impl Pipes {
    /// Takes the pipes; writing becomes non-blocking, since an engine may have stopped reading.
    pub(super) fn new(stdin: ChildStdin, stdout: ChildStdout, exit: Option<OwnedFd>) -> io::Result<Self> {
        rustix::io::ioctl_fionbio(&stdin, true)?;
        Ok(Self {
            stdin: Some(stdin),
            stdout,
            exit,
            buffer: Vec::with_capacity(CHUNK),
            start: 0,
            searched: 0,
            dropping: false,
            arrived: Instant::now(),
            cut_lines: 0,
        })
    }

    /// When the bytes of the last line handed out arrived.
    pub(super) fn arrived(&self) -> Instant {
        self.arrived
    }

    /// Closes our end of the engine's stdin.
    pub(super) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Waits for the next line and returns it without its line end (`\n` or `\r\n`).
    pub(super) fn read_line(&mut self, deadline: Instant) -> Result<&[u8], PipeEnd> {
        loop {
            // A line that came in time counts, however late it is looked at. A later one is left
            // for a later deadline, so that printing without end gains no time.
            let in_time = self.arrived < deadline;
            if in_time && let Some((from, to)) = self.take_line() {
                return Ok(self.buffer.get(from..to).unwrap_or_default());
            }
            if !in_time || Instant::now() >= deadline {
                return Err(PipeEnd::Deadline);
            }
            self.wait_readable(deadline)?;
            self.fill()?;
        }
    }

    /// Writes a whole command, keeping what the engine prints meanwhile.
    pub(super) fn write_all(&mut self, mut text: &[u8], deadline: Instant) -> Result<(), PipeEnd> {
        while !text.is_empty() {
            let Some(stdin) = &mut self.stdin else { return Err(PipeEnd::Closed) };
            match stdin.write(text) {
                Ok(written) => text = text.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.wait_writable(deadline)?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Err(PipeEnd::Closed),
                Err(error) => return Err(PipeEnd::Io(error)),
            }
        }
        Ok(())
    }

    fn take_line(&mut self) -> Option<(usize, usize)> {
        loop {
            let unsearched = self.buffer.get(self.searched..).unwrap_or_default();
            match unsearched.iter().position(|byte| *byte == b'\n') {
                Some(at) => {
                    let (from, end) = (self.start, self.searched + at);
                    self.start = end + 1;
                    self.searched = end + 1;
                    if std::mem::take(&mut self.dropping) {
                        continue;
                    }
                    // However much one read brings, the same lines are cut.
                    if end - from > LONGEST_LINE {
                        self.cut_lines += 1;
                        return Some((from, from + LONGEST_LINE));
                    }
                    let carriage = end > from && self.buffer.get(end - 1) == Some(&b'\r');
                    return Some((from, if carriage { end - 1 } else { end }));
                }
                None => {
                    self.searched = self.buffer.len();
                    if self.dropping {
                        self.buffer.clear();
                        self.start = 0;
                        self.searched = 0;
                    } else if self.buffer.len() - self.start > LONGEST_LINE {
                        self.cut_lines += 1;
                        self.dropping = true;
                        let from = self.start;
                        self.start = self.buffer.len();
                        return Some((from, from + LONGEST_LINE));
                    }
                    return None;
                }
            }
        }
    }

    fn wait_readable(&mut self, deadline: Instant) -> Result<(), PipeEnd> {
        let mut fds =
            [PollFd::new(&self.stdout, PollFlags::IN), PollFd::new(&self.stdout, PollFlags::empty())];
        let watched = match &self.exit {
            Some(exit) => {
                fds[1] = PollFd::new(exit, PollFlags::IN);
                &mut fds[..]
            }
            None => &mut fds[..1],
        };
        wait(watched, deadline)?;
        let [output, exit] = fds.map(|fd| fd.revents());
        if output.is_empty() && !exit.is_empty() {
            // The process is gone, though a child of its own may still hold the other end. Its last
            // words may have come between the two looks, so look once more.
            let mut output = [PollFd::new(&self.stdout, PollFlags::IN)];
            return match wait(&mut output, Instant::now()) {
                Err(PipeEnd::Deadline) => Err(PipeEnd::Closed),
                looked => looked,
            };
        }
        Ok(())
    }

    fn wait_writable(&mut self, deadline: Instant) -> Result<(), PipeEnd> {
        let Some(stdin) = &self.stdin else { return Err(PipeEnd::Closed) };
        if Instant::now() >= deadline {
            return Err(PipeEnd::Deadline);
        }
        let mut fds = [PollFd::new(stdin, PollFlags::OUT), PollFd::new(&self.stdout, PollFlags::IN)];
        wait(&mut fds, deadline)?;
        let [_, output] = fds.map(|fd| fd.revents());
        if !output.is_empty() {
            if self.buffer.len() - self.start > MOST_UNREAD {
                return Err(PipeEnd::Flood);
            }
            self.fill()?;
        }
        Ok(())
    }

    /// One read into the buffer, which is known not to block.
    fn fill(&mut self) -> Result<(), PipeEnd> {
        if self.start == self.buffer.len() {
            self.buffer.clear();
            self.start = 0;
            self.searched = 0;
        } else if self.start > LONGEST_LINE {
            self.buffer.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.buffer.reserve(CHUNK);
        let result = rustix::io::read(&self.stdout, spare_capacity(&mut self.buffer));
        self.arrived = Instant::now();
        match result {
            Ok(0) => Err(PipeEnd::Closed),
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Sleeps until one of `fds` is ready.
fn wait(fds: &mut [PollFd<'_>], deadline: Instant) -> Result<(), PipeEnd> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout =
            Timespec::try_from(left).unwrap_or(Timespec { tv_sec: i64::from(i32::MAX), tv_nsec: 0 });
        match poll(fds, Some(&timeout)) {
            Ok(0) => return Err(PipeEnd::Deadline),
            Ok(_) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
