//! What bounds a search: a clock, a time per move, nodes, depth, or several of them.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::Clock;
use super::time_control::TimeControl;
use crate::uci::process::Asked;
use crate::uci::protocol::Go;

/// The limits of one side's searches. Several may stand together; the engine stops at the first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// A clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<TimeControl>,
    /// Milliseconds per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime_ms: Option<u64>,
    /// Nodes per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Milliseconds by which a clock or a move time may be overstepped; 50 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin_ms: Option<u64>,
}

impl Limits {
    /// The margin when none is set: more than a busy machine delays a pipe, less than any engine
    /// could use.
    const MARGIN_MS: u64 = 50;

    /// Why these limits cannot be used, if so.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        if self.tc.is_none() && self.movetime_ms.is_none() && self.nodes.is_none() && self.depth.is_none() {
            Some("no limit at all\nhint: set one of tc, movetime_ms, nodes, depth")
        } else if self.movetime_ms == Some(0) || self.nodes == Some(0) || self.depth == Some(0) {
            Some("a limit of zero\nhint: a limit that is left out does not bound the search")
        } else if self.tc.is_some() && self.movetime_ms.is_some() {
            Some("a clock (tc) and a time per move (movetime_ms) exclude each other\nhint: keep one of them")
        } else {
            None
        }
    }

    /// What each search is asked that does not depend on the game: nothing for a clock alone.
    #[must_use]
    pub fn asked(&self) -> Asked {
        Asked { nodes: self.nodes, depth: self.depth, time_ms: self.movetime_ms }
    }

    /// Whether time bounds the search, so that results depend on the machine.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.tc.is_some() || self.movetime_ms.is_some()
    }

    /// The tolerance on clocks and move times.
    #[must_use]
    pub fn margin(&self) -> Duration {
        Duration::from_millis(self.margin_ms.unwrap_or(Self::MARGIN_MS))
    }

    /// The `go` command without clocks.
    #[must_use]
    pub fn go(&self) -> Go {
        Go { movetime_ms: self.movetime_ms, nodes: self.nodes, depth: self.depth, ..Go::default() }
    }

    /// Puts both clocks into a `go` command, each where its side has one.
    pub(super) fn set_clocks(go: &mut Go, own: Option<&Clock>, white: Option<&Clock>, black: Option<&Clock>) {
        go.wtime_ms = white.map(Clock::told_ms);
        go.btime_ms = black.map(Clock::told_ms);
        go.winc_ms = white.map(Clock::increment_ms);
        go.binc_ms = black.map(Clock::increment_ms);
        go.movestogo = own.and_then(Clock::moves_to_go);
    }
}

/// For people: `10+0.1, 25000 nodes`.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let mut part = |f: &mut fmt::Formatter<'_>, text: String| {
            let result = write!(f, "{separator}{text}");
            separator = ", ";
            result
        };
        if let Some(tc) = self.tc {
            part(f, tc.to_string())?;
        }
        if let Some(movetime) = self.movetime_ms {
            part(f, format!("{movetime} ms a move"))?;
        }
        if let Some(nodes) = self.nodes {
            part(f, format!("{nodes} nodes a move"))?;
        }
        if let Some(depth) = self.depth {
            part(f, format!("depth {depth}"))?;
        }
        Ok(())
    }
}
