//! What bounds a search whose answer must not depend on the machine.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::deadlines::Deadlines;
use crate::uci::protocol::Go;

/// Nodes or depth; never time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
    /// Plies.
    Depth(u32),
    /// Nodes a position.
    Nodes(u64),
}

impl Budget {
    /// The `go` command.
    #[must_use]
    pub fn go(self) -> Go {
        match self {
            Self::Depth(depth) => Go { depth: Some(depth), ..Go::default() },
            Self::Nodes(nodes) => Go { nodes: Some(nodes), ..Go::default() },
        }
    }

    /// How long the answer is waited for.
    #[must_use]
    pub fn deadline(self, deadlines: &Deadlines) -> Duration {
        match self {
            Self::Depth(_) => deadlines.search(None, None),
            Self::Nodes(nodes) => deadlines.search(None, Some(nodes)),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth) => write!(f, "depth {depth}"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes a position"),
        }
    }
}
