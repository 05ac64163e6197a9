//! Time controls: `40/5:00+3`, `10+0.1`, `0+5`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A clock: base time, increment per move, and after how many moves the base is added again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// Moves per period; `None` when the base is for the whole game.
    pub moves: Option<u32>,
    /// Base time in milliseconds.
    pub base_ms: u64,
    /// Added after each move, in milliseconds.
    pub increment_ms: u64,
}

/// Text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{found}` is not a time control: {reason}\n\
     hint: write [moves/][minutes:]seconds[+increment in seconds], such as 10+0.1, 40/5:00 or 0+5"
)]
pub struct TimeControlError {
    found: String,
    reason: &'static str,
}

/// A hundred hours: longer is a slip of the pen.
const LONGEST_MS: u64 = 360_000_000;

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = |reason| TimeControlError { found: text.to_owned(), reason };
        let (moves, rest) = match text.trim().split_once('/') {
            Some((moves, rest)) => {
                let moves: u32 = moves.parse().map_err(|_| error("the number of moves is no number"))?;
                if moves == 0 {
                    return Err(error("zero moves per period"));
                }
                (Some(moves), rest)
            }
            None => (None, text.trim()),
        };
        let (base, increment) = match rest.split_once('+') {
            Some((base, increment)) => (base, Some(increment)),
            None => (rest, None),
        };
        let base_ms = match base.split_once(':') {
            Some((minutes, seconds)) => {
                let minutes: u64 = minutes.parse().map_err(|_| error("the minutes are no whole number"))?;
                let seconds = milliseconds(seconds).ok_or_else(|| error("the seconds are no number"))?;
                minutes.saturating_mul(60_000).saturating_add(seconds)
            }
            None => milliseconds(base).ok_or_else(|| error("the base time is no number"))?,
        };
        let increment_ms = match increment {
            Some(increment) => milliseconds(increment).ok_or_else(|| error("the increment is no number"))?,
            None => 0,
        };
        if base_ms == 0 && increment_ms == 0 {
            return Err(error("there is no time at all"));
        }
        if base_ms > LONGEST_MS || increment_ms > LONGEST_MS {
            return Err(error("more than a hundred hours"));
        }
        Ok(Self { moves, base_ms, increment_ms })
    }
}

/// Decimal seconds to whole milliseconds, without going through floating point.
fn milliseconds(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || fraction.len() > 3 || !digits(whole) || !digits(fraction)
    {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let fraction: u64 = format!("{fraction:0<3}").parse().ok()?;
    whole.checked_mul(1_000)?.checked_add(fraction)
}

struct Seconds(u64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 / 1_000)?;
        match self.0 % 1_000 {
            0 => Ok(()),
            rest => write!(f, ".{}", format!("{rest:03}").trim_end_matches('0')),
        }
    }
}

/// As the `TimeControl` tag of PGN writes it, in seconds: `40/300+3`, `10+0.1`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", Seconds(self.base_ms))?;
        if self.increment_ms > 0 {
            write!(f, "+{}", Seconds(self.increment_ms))?;
        }
        Ok(())
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> Self {
        control.to_string()
    }
}
