//! One process under examination: what is sent as it stands, what is heard with its time.

use std::fmt;
use std::time::{Duration, Instant};

use crate::chess::{Bound, Score};
use crate::uci::process::{Deadlines, EngineFault, Launch, Wire, WireEnd};
use crate::uci::protocol::{BestMove, EngineMessage, Info, Quirk, parse_engine_line, visible};

use super::places::Place;

/// Lines kept of one wait; an engine that says more is read on, but not kept.
const MOST_LINES: usize = 20_000;
/// Characters of a line that a finding quotes.
const QUOTED: usize = 60;

/// A line from the engine.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    pub(super) at: Instant,
    pub(super) message: EngineMessage,
    pub(super) quirks: Vec<Quirk>,
    /// The beginning of the line.
    pub(super) text: String,
    /// The line was too long to be kept whole.
    pub(super) is_cut: bool,
}

impl Heard {
    pub(super) fn is_best_move(&self) -> bool {
        matches!(self.message, EngineMessage::BestMove(_))
    }

    pub(super) fn is_ready(&self) -> bool {
        matches!(self.message, EngineMessage::ReadyOk)
    }

    pub(super) fn info(&self) -> Option<&Info> {
        match &self.message {
            EngineMessage::Info(info) => Some(info),
            _ => None,
        }
    }
}

/// How many answers to `go` are among these lines.
pub(super) fn count_best_moves(lines: &[Heard]) -> usize {
    lines.iter().filter(|line| line.is_best_move()).count()
}

/// Why a check could not go on.
#[derive(Clone, Debug)]
pub(super) enum Trouble {
    /// It could not be started again.
    Start(Box<EngineFault>),
    /// Nothing came before the deadline.
    Silent { command: String, waited: Duration },
    /// The search went on past its deadline and ended by `stop`.
    Overdue { command: String, waited: Duration },
    /// The process is gone.
    Ended { command: String, status: String },
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(fault) => f.write_str(&fault.detail),
            Self::Silent { command, waited } => {
                write!(f, "no answer to `{command}` within {} ms", waited.as_millis())
            }
            Self::Overdue { command, waited } => {
                write!(f, "`{command}` had no answer within {} ms, only after `stop`", waited.as_millis())
            }
            Self::Ended { command, status } => write!(f, "ended with {status} during `{command}`"),
        }
    }
}

impl From<Box<EngineFault>> for Trouble {
    fn from(fault: Box<EngineFault>) -> Self {
        Self::Start(fault)
    }
}

/// A search that was answered.
#[derive(Clone, Debug)]
pub(super) struct Search {
    pub(super) best: BestMove,
    /// From before the write of `go` to the arrival of the answer.
    pub(super) elapsed: Duration,
    /// Every line between `go` and the answer, which is the last.
    pub(super) lines: Vec<Heard>,
}

impl Search {
    pub(super) fn infos(&self) -> impl DoubleEndedIterator<Item = &Info> {
        self.lines.iter().filter_map(Heard::info)
    }

    /// The last exact score of the first line, else the last score at all.
    pub(super) fn score_stm(&self) -> Option<Score> {
        let first_line = |info: &&Info| info.multipv.is_none_or(|rank| rank == 1);
        let scores = || self.infos().filter(first_line).filter_map(|info| info.score);
        let exact = scores().rfind(|found| found.bound == Bound::Exact);
        exact.or_else(|| scores().next_back()).map(|found| found.score)
    }

    pub(super) fn nodes(&self) -> Option<u64> {
        self.infos().filter_map(|info| info.nodes).max()
    }

    /// The greatest depth that has a score.
    pub(super) fn depth(&self) -> Option<u32> {
        self.infos().filter(|info| info.score.is_some()).filter_map(|info| info.depth).max()
    }
}

/// A running process.
#[derive(Debug)]
pub(super) struct Session {
    wire: Wire,
    pub(super) deadlines: Deadlines,
}

/// What was said up to `uciok`.
#[derive(Clone, Debug)]
pub(super) struct Greeting {
    /// From the start of the program to `uciok`.
    pub(super) start: Duration,
    /// From the write of `uci` to `uciok`.
    pub(super) answer: Duration,
    /// Every line, `uciok` the last.
    pub(super) lines: Vec<Heard>,
}

impl Session {
    /// Starts the program, listens to what it says unasked, says `uci` and waits for `uciok`.
    pub(super) fn start(launch: &Launch, listen: Duration) -> Result<(Self, Greeting), Box<EngineFault>> {
        let started = Instant::now();
        let mut this =
            Self { wire: Wire::start(launch).map_err(Box::new)?, deadlines: launch.deadlines.clone() };
        match this.greet(started, listen) {
            Ok(greeting) => Ok((this, greeting)),
            Err(trouble) => Err(Box::new(this.wire.start_failure(trouble.to_string()))),
        }
    }

    fn greet(&mut self, started: Instant, listen: Duration) -> Result<Greeting, Trouble> {
        let mut lines = self.gather(listen)?;
        let asked = Instant::now();
        self.send("uci\n")?;
        let is_end = |line: &Heard| line.message == EngineMessage::UciOk;
        lines.extend(self.until("uci", self.deadlines.start(), is_end)?);
        let end = lines.last().map_or(asked, |line| line.at);
        Ok(Greeting {
            start: end.saturating_duration_since(started).saturating_sub(listen),
            answer: end.saturating_duration_since(asked),
            lines,
        })
    }

    /// Sends the text as it stands, line ends included.
    pub(super) fn send(&mut self, text: &str) -> Result<(), Trouble> {
        let waited = self.deadlines.ready();
        self.wire.send(text.as_bytes(), Instant::now() + waited).map_err(|end| {
            let command = text.lines().next().unwrap_or_default().to_owned();
            self.trouble(end, command, waited)
        })
    }

    /// The next line; `None` when there is none before the deadline.
    pub(super) fn hear(&mut self, deadline: Instant, command: &str) -> Result<Option<Heard>, Trouble> {
        let cut_before = self.wire.cut_lines();
        match self.wire.read_line(deadline) {
            Ok((line, at)) => {
                let mut quirks = Vec::new();
                let message = parse_engine_line(&line, &mut quirks);
                let text = String::from_utf8_lossy(line.get(..QUOTED * 4).unwrap_or(&line));
                let text = visible(&text.chars().take(QUOTED).collect::<String>()).into_owned();
                let is_cut = self.wire.cut_lines() > cut_before;
                Ok(Some(Heard { at, message, quirks, text, is_cut }))
            }
            Err(WireEnd::Deadline) => Ok(None),
            Err(WireEnd::Ended) => Err(self.trouble(WireEnd::Ended, command.to_owned(), Duration::ZERO)),
        }
    }

    /// The lines up to the one looked for.
    pub(super) fn until(
        &mut self,
        command: &str,
        wait: Duration,
        is_last: impl Fn(&Heard) -> bool,
    ) -> Result<Vec<Heard>, Trouble> {
        let deadline = Instant::now() + wait;
        let mut lines = Vec::new();
        loop {
            match self.hear(deadline, command)? {
                Some(line) if is_last(&line) => {
                    lines.push(line);
                    return Ok(lines);
                }
                Some(line) if lines.len() < MOST_LINES => lines.push(line),
                Some(_) => {}
                None => return Err(Trouble::Silent { command: command.to_owned(), waited: wait }),
            }
        }
    }

    /// Everything said within this time.
    pub(super) fn gather(&mut self, time: Duration) -> Result<Vec<Heard>, Trouble> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        while let Some(line) = self.hear(deadline, "waiting")? {
            if lines.len() < MOST_LINES {
                lines.push(line);
            }
        }
        Ok(lines)
    }

    /// Sends the text, then `isready`; returns what came before `readyok`, which is the last, and
    /// how long it took.
    pub(super) fn ping_after(&mut self, text: &str) -> Result<(Vec<Heard>, Duration), Trouble> {
        let sent = Instant::now();
        self.send(&format!("{text}isready\n"))?;
        let lines = self.until("isready", self.deadlines.ready(), Heard::is_ready)?;
        let took = lines.last().map_or(Duration::ZERO, |line| line.at.saturating_duration_since(sent));
        Ok((lines, took))
    }

    /// Begins a search: `readyok` separates it from whatever was said before.
    pub(super) fn begin(&mut self, place: &Place, go: &str) -> Result<Instant, Trouble> {
        self.ping_after(&format!("{}\n", place.command))?;
        let started = Instant::now();
        self.send(&format!("{go}\n"))?;
        Ok(started)
    }

    /// Waits for the answer of a search that began before.
    pub(super) fn finish(&mut self, started: Instant, go: &str, wait: Duration) -> Result<Search, Trouble> {
        let lines = match self.until(go, wait, Heard::is_best_move) {
            Err(Trouble::Silent { command, waited }) => {
                // Whoever stops can go on being examined.
                self.send("stop\n")?;
                self.until("stop", self.deadlines.stop(), Heard::is_best_move)?;
                return Err(Trouble::Overdue { command, waited });
            }
            lines => lines?,
        };
        let (best, at) = match lines.last() {
            Some(Heard { message: EngineMessage::BestMove(best), at, .. }) => (best.clone(), *at),
            _ => (BestMove::default(), started),
        };
        Ok(Search { best, elapsed: at.saturating_duration_since(started), lines })
    }

    /// Searches a position; the deadline is the engine's for searches.
    pub(super) fn search(&mut self, place: &Place, go: &str) -> Result<Search, Trouble> {
        let started = self.begin(place, go)?;
        let wait = Duration::from_millis(self.deadlines.search_ms.unwrap_or(10_000));
        self.finish(started, go, wait)
    }

    /// Says `stop` and waits for the answer. Returns the lines, the answer last, and how long it
    /// took.
    pub(super) fn stop(&mut self) -> Result<(Vec<Heard>, Duration), Trouble> {
        let sent = Instant::now();
        self.send("stop\n")?;
        let lines = self.until("stop", self.deadlines.stop(), Heard::is_best_move)?;
        let took = lines.last().map_or(Duration::ZERO, |line| line.at.saturating_duration_since(sent));
        Ok((lines, took))
    }

    /// Closes its standard input.
    pub(super) fn close_input(&mut self) {
        self.wire.close_input();
    }

    /// How long the process took to end on its own, `None` when it did not before the deadline.
    pub(super) fn wait_for_end(&mut self) -> Option<Duration> {
        let started = Instant::now();
        self.wire.wait_for_end(started + self.deadlines.quit()).then(|| started.elapsed())
    }

    /// The number of its process group.
    pub(super) fn group(&self) -> i32 {
        self.wire.group()
    }

    /// Kills what is left and says how the engine ended.
    pub(super) fn kill(&mut self) -> String {
        self.wire.kill()
    }

    fn trouble(&mut self, end: WireEnd, command: String, waited: Duration) -> Trouble {
        match end {
            WireEnd::Deadline => Trouble::Silent { command, waited },
            WireEnd::Ended => {
                // A process closes its pipes a moment before it can be waited for.
                self.wire.wait_for_end(Instant::now() + Duration::from_millis(200));
                Trouble::Ended { command, status: self.wire.kill() }
            }
        }
    }
}
