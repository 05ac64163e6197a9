//! Games: one between two engines, and many on many workers.
//!
//! Knows nothing of ratings or ladders. A fault is recorded with the side that did it; whether it
//! is a loss or makes the game void is decided by whoever asked for the game.

mod affinity;
mod clock;
mod limits;
mod play;
mod pool;
mod probe;
mod pulse;
mod record;
mod share;
mod stop;
mod time_control;
mod told;
mod waiting;

pub use affinity::{AffinityError, CpuChoice, CpuSlot, Workers};
pub use clock::Clock;
pub use limits::Limits;
pub use play::{GameSetup, Seat, play_game};
pub use pool::{Finished, Job, Player, PoolError, play_all};
pub use probe::{ProbedMove, probe_move};
pub use record::{FaultReport, GameFault, GameRecord, PlyRecord, Quirks, SideName, Termination};
pub use share::{Shared, share_out};
pub use stop::Stop;
pub use time_control::{TimeControl, TimeControlError};
pub use told::History;
pub use waiting::{Waiting, Waits};

#[cfg(test)]
mod tests;
