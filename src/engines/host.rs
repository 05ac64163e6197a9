//! Where an engine runs: what it hears, where it speaks, what time it is.

use std::fmt;
use std::time::Duration;

/// An engine that answers one line at a time.
pub trait Engine {
    /// Acts on one line of the protocol, with or without its line end. A search runs inside this
    /// call and asks `host` for further lines now and then.
    fn handle(&mut self, line: &[u8], host: &mut dyn Host) -> Flow;
}

/// Whether an engine goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Waiting for the next line.
    Continue,
    /// Told to quit.
    Quit,
}

/// What is there to hear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line.
    Line(Vec<u8>),
    /// Nothing yet.
    Nothing,
    /// The other side is gone.
    End,
}

/// What an engine needs of the world.
pub trait Host {
    /// The next line if one has come; never waits.
    fn poll(&mut self) -> Heard;
    /// Sends one line at once.
    fn say(&mut self, line: &dyn fmt::Display);
    /// The time since some fixed moment; never runs backwards.
    fn elapsed(&self) -> Duration;
}
