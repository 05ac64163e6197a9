//! An engine without manners: bytes out, lines in, nothing assumed about either.
//!
//! For whoever examines an engine, and so must send what no driver would and see what a driver
//! skips. [`super::Engine`] is for everybody else.

use std::time::Instant;

use super::child::{GroupChild, describe_status};
use super::engine::Launch;
use super::fault::{EngineFault, FaultCause, cannot_start};
use super::kill_switch::KillSwitch;
use super::pipe::{PipeEnd, Pipes};
use super::transcript::{Speaker, Transcript};

/// A running process with its pipes; its group is killed when this is dropped.
#[derive(Debug)]
pub struct Wire {
    label: String,
    child: GroupChild,
    pipes: Pipes,
    transcript: Transcript,
}

/// Why sending or reading came to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireEnd {
    /// The deadline passed.
    Deadline,
    /// The process ended, or closed its end of the pipe.
    Ended,
}

impl From<PipeEnd> for WireEnd {
    fn from(end: PipeEnd) -> Self {
        match end {
            PipeEnd::Deadline | PipeEnd::Flood => Self::Deadline,
            PipeEnd::Closed | PipeEnd::Io(_) => Self::Ended,
        }
    }
}

impl Wire {
    /// Starts the program and says nothing to it.
    ///
    /// # Errors
    /// [`FaultCause::StartFailure`] when it cannot be started.
    pub fn start(launch: &Launch) -> Result<Self, EngineFault> {
        let switch = KillSwitch::default();
        GroupChild::spawn(&launch.program, &launch.arguments, launch.directory.path(), None, &switch)
            .map(|(child, pipes)| Self {
                label: launch.label.clone(),
                child,
                pipes,
                transcript: Transcript::default(),
            })
            .map_err(|error| EngineFault {
                engine: launch.label.clone(),
                cause: FaultCause::StartFailure,
                detail: cannot_start(&launch.program, &error),
                transcript: Vec::new(),
                stderr: Vec::new(),
            })
    }

    /// Sends bytes as they are.
    ///
    /// # Errors
    /// The deadline passes, or nobody reads any more.
    pub fn send(&mut self, bytes: &[u8], deadline: Instant) -> Result<(), WireEnd> {
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            self.transcript.push(Speaker::Us, line);
        }
        self.pipes.write_all(bytes, deadline).map_err(WireEnd::from)
    }

    /// The next line without its line end, and when it arrived.
    ///
    /// # Errors
    /// The deadline passes, or nothing more will come.
    pub fn read_line(&mut self, deadline: Instant) -> Result<(Vec<u8>, Instant), WireEnd> {
        let line = self.pipes.read_line(deadline)?.to_vec();
        self.transcript.push(Speaker::Engine, &line);
        Ok((line, self.pipes.arrived()))
    }

    /// How many lines were too long and have been cut.
    #[must_use]
    pub fn cut_lines(&self) -> u64 {
        self.pipes.cut_lines
    }

    /// Closes its standard input.
    pub fn close_input(&mut self) {
        self.pipes.close_stdin();
    }

    /// Waits for the process to end on its own, reading on so that a full pipe does not hold it.
    pub fn wait_for_end(&mut self, deadline: Instant) -> bool {
        while self.pipes.read_line(deadline).is_ok() {}
        self.child.wait_until(deadline)
    }

    /// The process group, whose first process is the engine. Its number belongs to nobody else
    /// until the group has been killed.
    #[must_use]
    pub fn group(&self) -> i32 {
        self.child.group_number()
    }

    /// A failure to start with what was last said, on stderr too.
    #[must_use]
    pub fn start_failure(&self, detail: String) -> EngineFault {
        EngineFault {
            engine: self.label.clone(),
            cause: FaultCause::StartFailure,
            detail,
            transcript: self.transcript.lines(),
            stderr: self.child.stderr_tail(),
        }
    }

    /// Kills the group and says how the engine ended: on its own before, or by the signal.
    pub fn kill(&mut self) -> String {
        self.child.kill().map_or_else(|| "unknown status".to_owned(), describe_status)
    }
}
