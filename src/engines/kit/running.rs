//! A search while it runs: hears what arrives meanwhile, watches the time, reports.

use std::collections::VecDeque;
use std::time::Duration;

use super::budget::Budget;
use super::control::{Control, Report};
use crate::chess::{CastlingMode, Move, uci};
use crate::engines::host::{Heard, Host};
use crate::uci::protocol::{GuiCommand, Info, InfoScore, parse_gui_line};

/// The engine's side of a running search.
pub(in crate::engines) struct Running<'a> {
    host: &'a mut dyn Host,
    /// Lines that have to wait until the search is over.
    postponed: &'a mut VecDeque<Vec<u8>>,
    castling: CastlingMode,
    budget: Budget,
    started: Duration,
    /// When the budget starts to count: at the start, or when the expected reply was played.
    counted_from: Duration,
    pondering: bool,
    stopped: bool,
    quit: bool,
}

impl<'a> Running<'a> {
    /// A search that starts now.
    pub(in crate::engines) fn new(
        host: &'a mut dyn Host,
        postponed: &'a mut VecDeque<Vec<u8>>,
        castling: CastlingMode,
        budget: Budget,
        pondering: bool,
    ) -> Self {
        let started = host.elapsed();
        let (stopped, quit) = (false, false);
        Self { host, postponed, castling, budget, started, counted_from: started, pondering, stopped, quit }
    }

    /// Whether the answer was asked for: by `stop` or `quit`.
    pub(in crate::engines) fn was_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether the search was told to quit, or nobody is there any more.
    pub(in crate::engines) fn was_quit(&self) -> bool {
        self.quit
    }

    /// Whether the expected reply has not been played yet.
    pub(in crate::engines) fn is_pondering(&self) -> bool {
        self.pondering
    }

    /// A move as it is written in this game.
    pub(in crate::engines) fn spelled(&self, m: Move) -> String {
        uci(m, self.castling)
    }

    /// Says something in words.
    pub(in crate::engines) fn note(&mut self, text: &str) {
        let info = Info { string: Some(text.to_owned()), ..Info::default() };
        self.host.say(&info);
    }

    /// Reports one line of several: `rank` is its MultiPV number, from 1.
    pub(in crate::engines) fn show(&mut self, report: &Report, rank: Option<u32>) {
        let time = self.host.elapsed().saturating_sub(self.started);
        let nodes_per_second = u128::from(report.nodes) * 1_000_000 / time.as_micros().max(1);
        let info = Info {
            depth: Some(u32::from(report.depth)),
            multipv: rank,
            seldepth: Some(report.selective_depth),
            score: Some(InfoScore { score: report.score, bound: report.bound }),
            nodes: Some(report.nodes),
            nps: u64::try_from(nodes_per_second).ok(),
            time_ms: u64::try_from(time.as_millis()).ok(),
            hashfull: Some(u32::from(report.hash_permille)),
            pv: report.variation.iter().map(|m| uci(*m, self.castling)).collect(),
            ..Info::default()
        };
        self.host.say(&info);
    }

    fn listen(&mut self) {
        loop {
            match self.host.poll() {
                Heard::Nothing => return,
                Heard::End => {
                    (self.stopped, self.quit) = (true, true);
                    return;
                }
                Heard::Line(line) => match parse_gui_line(&line, &mut Vec::new()) {
                    GuiCommand::IsReady => self.host.say(&"readyok"),
                    GuiCommand::Stop => self.stopped = true,
                    GuiCommand::PonderHit => {
                        self.pondering = false;
                        self.counted_from = self.host.elapsed();
                    }
                    GuiCommand::Quit => {
                        (self.stopped, self.quit) = (true, true);
                        return;
                    }
                    _ => self.postponed.push_back(line),
                },
            }
        }
    }

    fn is_past(&self, limit: Option<Duration>) -> bool {
        !self.pondering
            && limit.is_some_and(|limit| self.host.elapsed().saturating_sub(self.counted_from) >= limit)
    }
}

impl Control for Running<'_> {
    fn must_stop(&mut self) -> bool {
        self.listen();
        self.stopped || self.is_past(self.budget.hard)
    }

    fn may_deepen(&mut self) -> bool {
        !self.must_stop() && !self.is_past(self.budget.soft)
    }

    fn report(&mut self, report: &Report) {
        self.show(report, None);
    }
}
