//! How much time a search may take.
//!
//! Simple and safe: a thirtieth of what is left and most of the increment, never more than three
//! quarters of what is left, always less than the clock by a margin for the way of the answer.

use std::time::Duration;

use crate::chess::Color;
use crate::uci::protocol::Go;

/// Kept back from a clock for the way of the answer.
const CLOCK_MARGIN: Duration = Duration::from_millis(20);
/// Kept back from a fixed time per move, or a quarter of it if that is less.
const MOVE_MARGIN: Duration = Duration::from_millis(5);
/// How many moves the rest of the clock is for, if nobody says.
const MOVES_TO_GO: u32 = 30;

/// The time a search may take, from its start; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::engines) struct Budget {
    /// No iteration starts after this.
    pub(in crate::engines) soft: Option<Duration>,
    /// The search is given up at this moment.
    pub(in crate::engines) hard: Option<Duration>,
}

impl Budget {
    /// What a `go` command allows the side to move; the tighter of clock and fixed time.
    #[must_use]
    pub(in crate::engines) fn new(go: &Go, mover: Color) -> Self {
        let (clock, increment) = match mover {
            Color::White => (go.wtime_ms, go.winc_ms),
            Color::Black => (go.btime_ms, go.binc_ms),
        };
        let mut budget = clock.map_or(Self::default(), |clock| {
            Self::from_clock(milliseconds(clock), milliseconds(increment.unwrap_or(0)), go.movestogo)
        });
        if let Some(time) = go.movetime_ms.map(Duration::from_millis) {
            let most = time.saturating_sub(MOVE_MARGIN.min(time / 4));
            budget.hard = Some(budget.hard.map_or(most, |hard| hard.min(most)));
        }
        budget
    }

    fn from_clock(clock: Duration, increment: Duration, moves_to_go: Option<u32>) -> Self {
        let available = clock.saturating_sub(CLOCK_MARGIN);
        let moves = moves_to_go.unwrap_or(MOVES_TO_GO).clamp(1, MOVES_TO_GO);
        let share = (available / moves).saturating_add(increment / 4 * 3);
        let hard = share.saturating_mul(3).min(available / 4 * 3);
        // An iteration takes several times as long as all before it: one that starts in the second
        // half of the share would not end within it.
        Self { soft: Some(share.min(hard) / 2), hard: Some(hard) }
    }
}

/// A clock may have run below zero.
fn milliseconds(time_ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(time_ms).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_clock(wtime_ms: i64, winc_ms: i64, movestogo: Option<u32>) -> Budget {
        let go = Go { wtime_ms: Some(wtime_ms), winc_ms: Some(winc_ms), movestogo, ..Go::default() };
        Budget::new(&go, Color::White)
    }

    #[test]
    fn no_clock_can_be_used_up() {
        for clock in [i64::MIN, -5, 0, 1, 9, 10, 11, 50, 1000, 60_000, i64::MAX] {
            for increment in [-1, 0, 10, 1000, i64::MAX] {
                for moves in [None, Some(0), Some(1), Some(40), Some(u32::MAX)] {
                    let budget = on_clock(clock, increment, moves);
                    let hard = budget.hard.unwrap();
                    let left = milliseconds(clock).saturating_sub(hard);
                    assert!(hard <= milliseconds(clock), "{clock}+{increment}/{moves:?}: {budget:?}");
                    assert!(hard.is_zero() || left >= CLOCK_MARGIN, "{clock}+{increment}/{moves:?}");
                    assert!(budget.soft.unwrap() <= hard);
                }
            }
        }
    }

    #[test]
    fn ten_milliseconds_and_an_increment_of_ten_leave_no_time_to_think() {
        assert_eq!(on_clock(10, 10, None).hard, Some(Duration::ZERO));
    }

    #[test]
    fn each_side_uses_its_own_clock() {
        let go = Go { wtime_ms: Some(320), btime_ms: Some(60_020), ..Go::default() };
        assert_eq!(Budget::new(&go, Color::White).soft, Some(Duration::from_millis(5)));
        assert_eq!(Budget::new(&go, Color::Black).soft, Some(Duration::from_secs(1)));
    }

    #[test]
    fn a_fixed_time_keeps_a_margin_and_the_tighter_limit_wins() {
        let go = |movetime, wtime| Go { movetime_ms: Some(movetime), wtime_ms: wtime, ..Go::default() };
        let hard = |go| Budget::new(&go, Color::White).hard.unwrap();
        assert_eq!(hard(go(100, None)), Duration::from_millis(95));
        assert_eq!(hard(go(1, None)), Duration::from_micros(750));
        assert_eq!(hard(go(0, None)), Duration::ZERO);
        assert!(hard(go(1000, Some(20))) < Duration::from_millis(10));
        assert_eq!(Budget::new(&Go::default(), Color::White), Budget::default());
    }
}
