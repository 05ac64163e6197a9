//! One search: what is asked and what came back.

use std::time::Duration;

use crate::chess::{Bound, Score};
use crate::uci::protocol::{BestMove, Go, Info, InfoScore, Wdl};

/// What an engine is asked.
#[derive(Debug)]
pub struct SearchRequest<'a> {
    /// The whole `position ...` command, without its line end.
    pub position: &'a str,
    /// The limits.
    pub go: &'a Go,
    /// How long after `go` the answer is waited for.
    pub wait: Duration,
    /// Whether the time counts: then the engine confirms with `readyok` that it has the position
    /// before `go` is sent. Otherwise everything is sent in one write, and `readyok` only separates
    /// this search's lines from older ones.
    pub timed: bool,
    /// Which `info string` lines are kept: those that contain this text. None keeps no line.
    pub words: Option<&'a str>,
}

/// What a search reported.
#[derive(Clone, Debug, Default)]
pub struct SearchReport {
    /// The answer.
    pub best: BestMove,
    /// From the write of `go` to the arrival of `bestmove`.
    pub elapsed: Duration,
    /// The last line of each MultiPV index, the first at index 0.
    pub lines: Vec<Info>,
    /// The `info string` lines asked for, in the engine's order; the first 64 at most.
    pub words: Vec<String>,
}

impl SearchReport {
    /// Most MultiPV lines kept: more than any position has moves.
    const MOST_LINES: usize = 256;
    /// Most `info string` lines kept.
    const MOST_WORDS: usize = 64;

    /// Takes an `info` line in: what it says replaces what was known, what it leaves out stays. A
    /// bound never replaces an exact score. Free text is kept where it contains `words`.
    pub(super) fn add(&mut self, mut info: Info, words: Option<&str>) {
        if let (Some(wanted), Some(text)) = (words, info.string.take())
            && text.contains(wanted)
            && self.words.len() < Self::MOST_WORDS
        {
            self.words.push(text);
        }
        let index = info.multipv.map_or(0, |line| (line as usize).saturating_sub(1));
        if index >= Self::MOST_LINES {
            return;
        }
        if self.lines.len() <= index {
            self.lines.resize_with(index + 1, Info::default);
        }
        let Some(line) = self.lines.get_mut(index) else { return };
        let known_exact = line.score.is_some_and(|known| known.bound == Bound::Exact);
        match info.score {
            Some(InfoScore { bound: Bound::Lower | Bound::Upper, .. }) if known_exact => {}
            Some(score) => {
                line.score = Some(score);
                line.wdl = info.wdl;
                line.depth = info.depth.or(line.depth);
                line.seldepth = info.seldepth.or(line.seldepth);
                if !info.pv.is_empty() {
                    line.pv = info.pv;
                }
            }
            None => {}
        }
        line.nodes = info.nodes.or(line.nodes);
        line.time_ms = info.time_ms.or(line.time_ms);
        line.hashfull = info.hashfull.or(line.hashfull);
        line.tbhits = info.tbhits.or(line.tbhits);
        line.nps = info.nps.or(line.nps);
    }

    /// The last score of the first line, from the side to move.
    #[must_use]
    pub fn score_stm(&self) -> Option<(Score, Bound)> {
        self.lines.first()?.score.map(|found| (found.score, found.bound))
    }

    /// Win, draw and loss of the first line in thousandths, from the side to move.
    #[must_use]
    pub fn wdl_stm(&self) -> Option<Wdl> {
        self.lines.first()?.wdl
    }

    /// The largest node count reported.
    #[must_use]
    pub fn nodes(&self) -> Option<u64> {
        self.lines.iter().filter_map(|line| line.nodes).max()
    }

    /// The depth of the first line's score.
    #[must_use]
    pub fn depth(&self) -> Option<u32> {
        self.lines.first()?.depth
    }

    /// The engine's own time for the search.
    #[must_use]
    pub fn time_ms(&self) -> Option<u64> {
        self.lines.iter().filter_map(|line| line.time_ms).max()
    }
}

/// How waiting for a search ended.
#[derive(Clone, Debug)]
pub enum SearchOutcome {
    /// The engine answered in time.
    Answered(SearchReport),
    /// The deadline passed. The engine was told to stop: `stopped` says whether it then answered;
    /// if not it has been killed.
    Overdue {
        /// Whether it answered `stop`.
        stopped: bool,
        /// From `go` to giving up.
        elapsed: Duration,
    },
}
