//! A process in a group of its own: launched, watched, ended and reaped.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::kill_switch::KillSwitch;
use super::pipe::Pipes;
use super::processor_time::ProcessorClock;
use super::strays::Mark;
use super::transcript::{EngineLog, Speaker};
use crate::uci::protocol::visible;

/// Stderr lines kept.
const KEPT_STDERR: usize = 12;
/// Bytes kept of one stderr line.
const KEPT_STDERR_BYTES: u64 = 400;
/// Reads of stderr after the end of the child.
const LAST_READS: u32 = 64;
/// From SIGTERM to SIGKILL.
const TERMINATE: Duration = Duration::from_millis(500);
/// How long a dead process's last stderr lines are waited for at most.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A running child and its process group.
#[derive(Debug)]
pub(super) struct GroupChild {
    child: Child,
    group: Pid,
    mark: Mark,
    clock: ProcessorClock,
    switch: KillSwitch,
    reaped: Option<ExitStatus>,
    /// Closed when the child has been reaped.
    alive: Option<OwnedFd>,
    stderr: Arc<StderrTail>,
}

#[derive(Debug, Default)]
struct StderrTail {
    state: Mutex<(VecDeque<String>, bool)>,
    ended: Condvar,
}

impl GroupChild {
    /// Starts `program` with pipes on its three streams.
    ///
    /// On Linux the child is killed when the thread that started it ends, so that not even a
    /// SIGKILL of this program leaves an engine running.
    pub(super) fn spawn(
        program: &Path,
        arguments: &[String],
        directory: &Path,
        log: Option<EngineLog>,
        switch: &KillSwitch,
    ) -> io::Result<(Self, Pipes)> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.process_group(0);
        let mark = Mark::new();
        let (variable, value) = mark.variable();
        command.env(variable, value);
        command.current_dir(directory);
        die_with_parent(&mut command);
        let mut child = switch.spawn(&mut command)?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("the child has no pipes"));
        };
        let group = Pid::from_child(&child);
        let tail = Arc::new(StderrTail::default());
        let mut this = Self {
            child,
            group,
            mark,
            clock: ProcessorClock::of(group),
            switch: switch.clone(),
            reaped: None,
            alive: None,
            stderr: Arc::clone(&tail),
        };
        let (ended, alive) = io::pipe()?;
        this.alive = Some(alive.into());
        drain_stderr(stderr, ended.into(), tail, log)?;
        let pipes = Pipes::new(stdin, stdout, exit_handle(group)?)?;
        Ok((this, pipes))
    }

    /// Whether the process has ended; it is not reaped by looking.
    pub(super) fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.reaped.is_some() || !matches!(waitid(WaitId::Pid(self.group), options), Ok(None))
    }

    /// Waits for the process to end on its own.
    pub(super) fn wait_until(&self, deadline: Instant) -> bool {
        let mut pause = Duration::from_millis(1);
        while !self.has_ended() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            thread::sleep(pause.min(left));
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        true
    }

    /// Asks the group to end, then kills it, and reaps the child. Returns its exit status.
    pub(super) fn terminate(&mut self) -> Option<ExitStatus> {
        if !self.has_ended() {
            let _ = kill_process_group(self.group, Signal::TERM);
            self.wait_until(Instant::now() + TERMINATE);
        }
        self.kill()
    }

    /// Kills the group, and what left it, and reaps the child. Returns its exit status.
    pub(super) fn kill(&mut self) -> Option<ExitStatus> {
        if self.reaped.is_none() {
            // Before reaping, while the group's number cannot belong to anybody else.
            let _ = kill_process_group(self.group, Signal::KILL);
            self.mark.kill_all(self.group);
            self.switch.forget(self.group);
            self.reaped = self.child.wait().ok();
            self.alive = None;
        }
        self.reaped
    }

    /// The number of the process group.
    pub(super) fn group_number(&self) -> i32 {
        self.group.as_raw_nonzero().get()
    }

    /// The processor time that the process itself has used.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        // The number of a reaped process may be another's.
        if self.reaped.is_some() { None } else { self.clock.read() }
    }

    /// The last lines of stderr; those of a dead process are waited for, briefly.
    pub(super) fn stderr_tail(&self) -> Vec<String> {
        let state = self.stderr.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = if self.reaped.is_some() {
            let waited = self.stderr.ended.wait_timeout_while(state, LAST_WORDS, |(_, ended)| !*ended);
            waited.unwrap_or_else(PoisonError::into_inner).0
        } else {
            state
        };
        state.0.iter().cloned().collect()
    }
}

impl Drop for GroupChild {
    fn drop(&mut self) {
        self.kill();
    }
}

/// `exit code 3` or `signal 9`.
pub(super) fn describe_status(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "unknown status".to_owned(),
    }
}

/// Reads stderr on a thread of its own until it ends, or until `ended` hangs up: a grandchild may
/// hold the other end for ever.
fn drain_stderr(
    stderr: ChildStderr,
    ended: OwnedFd,
    tail: Arc<StderrTail>,
    log: Option<EngineLog>,
) -> io::Result<()> {
    let builder = thread::Builder::new().name("engine stderr".to_owned()).stack_size(128 * 1024);
    builder.spawn(move || {
        let mut reader = BufReader::new(UntilHangUp { stderr, ended, last_reads: LAST_READS });
        let mut line = Vec::new();
        loop {
            line.clear();
            match reader.by_ref().take(KEPT_STDERR_BYTES).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            let text = line.strip_suffix(b"\n").unwrap_or(&line);
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            if let Some(log) = &log {
                log.write(Speaker::Stderr, text);
            }
            let mut state = tail.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.0.len() == KEPT_STDERR {
                state.0.pop_front();
            }
            state.0.push_back(visible(&String::from_utf8_lossy(text)).into_owned());
        }
        tail.state.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
        tail.ended.notify_all();
    })?;
    Ok(())
}

/// A child's stderr that ends with the child, whoever else holds it: what is in the pipe then is
/// still read.
struct UntilHangUp {
    stderr: ChildStderr,
    ended: OwnedFd,
    /// How often it is read after the end, as a grandchild may write on.
    last_reads: u32,
}

impl io::Read for UntilHangUp {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut fds = [PollFd::new(&self.stderr, PollFlags::IN), PollFd::new(&self.ended, PollFlags::IN)];
        loop {
            match poll(&mut fds, None) {
                Ok(_) => break,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let [readable, ended] = fds.map(|fd| !fd.revents().is_empty());
        if ended {
            self.last_reads = self.last_reads.saturating_sub(1);
        }
        if readable && self.last_reads > 0 { self.stderr.read(buffer) } else { Ok(0) }
    }
}

#[cfg(target_os = "linux")]
fn exit_handle(pid: Pid) -> io::Result<Option<OwnedFd>> {
    match rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()) {
        Err(error @ (Errno::MFILE | Errno::NFILE | Errno::NOMEM)) => Err(error.into()),
        // Kernels before 5.3 have none; the end of the pipe and the deadline remain.
        handle => Ok(handle.ok()),
    }
}

#[cfg(not(target_os = "linux"))]
fn exit_handle(_pid: Pid) -> io::Result<Option<OwnedFd>> {
    Ok(None)
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn die_with_parent(command: &mut Command) {
    let parent = rustix::process::getpid();
    let before_exec = move || {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have died before the line above took effect.
        if rustix::process::getppid() == Some(parent) {
            Ok(())
        } else {
            Err(io::Error::other("the parent is gone"))
        }
    };
    // SAFETY: between fork and exec only async-signal-safe calls are allowed; the closure makes two
    // system calls. Its error branch allocates, but nobody is left then to wait for this child.
    unsafe {
        command.pre_exec(before_exec);
    }
}

#[cfg(not(target_os = "linux"))]
fn die_with_parent(_command: &mut Command) {}
