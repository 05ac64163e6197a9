//! The processor time of a running process, where the system tells.

use std::time::Duration;

use rustix::process::Pid;

/// The clock of one process: it counts the processor time of all its threads, those that have ended
/// included, and not that of processes it started.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessorClock(Option<nix::time::ClockId>);

#[cfg(target_os = "linux")]
impl ProcessorClock {
    /// The clock of a process that has not been reaped.
    pub(super) fn of(process: Pid) -> Self {
        let process = nix::unistd::Pid::from_raw(process.as_raw_nonzero().get());
        Self(nix::time::clock_getcpuclockid(process).ok())
    }

    /// One system call, to the nanosecond. It must not be asked after the process has been reaped.
    pub(super) fn read(self) -> Option<Duration> {
        nix::time::clock_gettime(self.0?).ok().map(Duration::from)
    }
}

/// Elsewhere nothing is known.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessorClock;

#[cfg(not(target_os = "linux"))]
impl ProcessorClock {
    pub(super) fn of(_process: Pid) -> Self {
        Self
    }

    pub(super) fn read(self) -> Option<Duration> {
        None
    }
}
