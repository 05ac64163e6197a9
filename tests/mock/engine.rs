//! The UCI server: what it answers to each command.

use std::collections::VecDeque;
use std::process::{ExitCode, abort, exit};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use elometer::chess::{Bound, Score};
use elometer::uci::protocol::{
    BestMove, Go, GuiCommand, Id, Info, InfoScore, OptionDeclaration, OptionKind, PositionCommand, Wdl,
    parse_gui_line,
};

use crate::faults::Fault;
use crate::material::{self, Plant};
use crate::moves::Board;
use crate::settings::Settings;
use crate::{FOREVER, output};

/// Serves standard input until it ends or `quit` comes.
pub fn serve(settings: &Settings) -> ExitCode {
    if let Some(file) = settings.start_needs.as_ref().filter(|file| !file.exists()) {
        eprintln!("cannot open {}: no such file or directory", file.display());
        return ExitCode::FAILURE;
    }
    if settings.grandchild || settings.stray_grandchild {
        output::start_grandchild(settings.stray_grandchild, settings.crlf);
    }
    if let Some(banner) = &settings.banner {
        output::say(banner, settings.crlf);
    }
    let mut server = Server {
        settings,
        input: output::input(settings.log.clone()),
        waiting: VecDeque::new(),
        options: options(settings),
        position: PositionCommand::default(),
        is_chess960: false,
        threads: 1,
        shows_wdl: false,
        multipv: 1,
        is_planting: false,
        searches: 0,
    };
    sleep(settings.start_delay);
    while let Some(command) = server.next_command() {
        server.answer(command);
    }
    if settings.ignore_end {
        sleep(FOREVER);
    }
    ExitCode::SUCCESS
}

struct Server<'a> {
    settings: &'a Settings,
    input: Receiver<Vec<u8>>,
    /// Commands that came during a search.
    waiting: VecDeque<GuiCommand>,
    options: Vec<OptionDeclaration>,
    position: PositionCommand,
    is_chess960: bool,
    threads: u32,
    shows_wdl: bool,
    multipv: usize,
    /// A wrong move is due as soon as there is one.
    is_planting: bool,
    searches: u64,
}

/// The nanoseconds of the present second.
fn clock_ns() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.subsec_nanos().into()
}

fn options(settings: &Settings) -> Vec<OptionDeclaration> {
    if settings.option_file.is_some() {
        return Vec::new();
    }
    let option = |name: &str, kind| OptionDeclaration { name: name.to_owned(), kind };
    let spin =
        |default, min, max| OptionKind::Spin { default: Some(default), min: Some(min), max: Some(max) };
    let check = |default| OptionKind::Check { default: Some(default) };
    let mut options = vec![
        option("Threads", spin(1, 1, 64)),
        option("Hash", spin(16, 1, 1024)),
        option("Clear Hash", OptionKind::Button),
        option("UCI_Chess960", check(false)),
    ];
    if let Some((min, max)) = settings.elo {
        options.push(option("UCI_LimitStrength", check(false)));
        options.push(option("UCI_Elo", spin(min, min, max)));
    }
    if settings.wdl.is_some() {
        options.push(option("UCI_ShowWDL", check(false)));
    }
    if settings.material {
        options.push(option("MultiPV", spin(1, 1, 256)));
    }
    if settings.all_options {
        let choices = ["Solid", "Normal", "Very Risky"].map(str::to_owned).to_vec();
        options.push(option("Ponder", check(false)));
        options.push(option("Style", OptionKind::Combo { default: Some("Normal".to_owned()), choices }));
        options.push(option("Log File", OptionKind::String { default: Some(String::new()) }));
        options.push(option("Contempt", spin(0, -100, 100)));
    }
    options
}

impl Server<'_> {
    fn say(&self, line: impl std::fmt::Display) {
        output::say(line, self.settings.crlf);
    }

    fn next_command(&mut self) -> Option<GuiCommand> {
        if let Some(command) = self.waiting.pop_front() {
            return Some(command);
        }
        let line = if self.settings.busy { self.spin() } else { self.input.recv().ok() };
        line.map(|line| parse_gui_line(&line, &mut Vec::new()))
    }

    /// The next line, without ever sleeping.
    fn spin(&self) -> Option<Vec<u8>> {
        let end = Instant::now() + FOREVER;
        while Instant::now() < end {
            match self.input.try_recv() {
                Ok(line) => return Some(line),
                Err(TryRecvError::Empty) => std::hint::spin_loop(),
                Err(TryRecvError::Disconnected) => return None,
            }
        }
        None
    }

    fn answer(&mut self, command: GuiCommand) {
        match command {
            GuiCommand::Uci => self.introduce(),
            GuiCommand::IsReady => self.answer_ping(),
            GuiCommand::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            GuiCommand::Position(position) => self.position = position,
            GuiCommand::Go(go) => self.search(&go),
            GuiCommand::Quit => self.quit(),
            GuiCommand::Stop if self.settings.answer_idle_stop => {
                self.say(BestMove::new(Some("e2e4".to_owned()), None));
            }
            _ => {}
        }
    }

    fn introduce(&self) {
        let settings = self.settings;
        self.hang_on("uci");
        if settings.banner_bytes > 0 {
            output::say_bytes(&vec![b'b'; settings.banner_bytes], settings.crlf);
        }
        output::flood_stderr(settings.stderr_bytes);
        let mut name = Id::Name(settings.name.clone()).to_string().into_bytes();
        if settings.non_utf8_id {
            name.push(0xe9);
        }
        output::say_bytes(&name, settings.crlf);
        self.say(Id::Author("the elometer tests".to_owned()));
        self.options.iter().for_each(|option| self.say(option));
        if let Some(file) = &settings.option_file {
            std::fs::read_to_string(file).unwrap_or_default().lines().for_each(|line| self.say(line));
        }
        settings.option_lines.iter().for_each(|line| self.say(line));
        self.say("uciok");
        if settings.uciok_twice {
            self.say("uciok");
        }
    }

    fn answer_ping(&self) {
        self.hang_on("isready");
        self.say("readyok");
    }

    fn quit(&self) -> ! {
        self.hang_on("quit");
        exit(0);
    }

    fn hang_on(&self, command: &str) {
        if self.settings.hangs_on(command) {
            sleep(FOREVER);
        }
    }

    /// Says what is wrong, as Stockfish does; a test may look for it.
    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let Some(option) = self.options.iter().find(|option| option.is_named(name)) else {
            self.say(format_args!("info string No such option: {name}"));
            return;
        };
        if let Err(error) = option.check(value.unwrap_or_default()) {
            self.say(format_args!("info string {}", error.to_string().replace('\n', ", ")));
        } else if option.name == "UCI_Chess960" {
            self.is_chess960 = value == Some("true");
        } else if option.name == "UCI_ShowWDL" {
            self.shows_wdl = value == Some("true");
        } else if option.name == "MultiPV" {
            self.multipv = value.and_then(|value| value.parse().ok()).unwrap_or(1);
        } else if option.name == "Threads" {
            self.threads = value.and_then(|value| value.parse().ok()).unwrap_or(1);
        }
    }

    /// What beside the position chooses the moves.
    fn seed(&self) -> u64 {
        let settings = self.settings;
        let mut seed = settings.seed;
        if settings.carry_state {
            seed = seed.wrapping_add(self.searches - 1);
        }
        if settings.clock_seed || (settings.racy && self.threads > 1) {
            seed = seed.wrapping_add(clock_ns() << 20);
        }
        seed
    }

    fn search(&mut self, go: &Go) {
        self.hang_on("go");
        self.searches += 1;
        if let Some(file) = self.settings.go_needs.as_ref().filter(|file| !file.exists()) {
            self.say(format_args!("info string ERROR: the network {} was not loaded", file.display()));
            exit(1);
        }
        if let Some(file) =
            self.settings.write_at_go.as_ref().filter(|_| self.settings.when.includes(self.searches))
        {
            output::append(file, "learned");
        }
        if let Some(text) = &self.settings.say_at_go {
            self.say(format_args!("info string {text}"));
        }
        let fault = self.settings.fault.clone().filter(|_| self.settings.when.includes(self.searches));
        match fault {
            Some(Fault::Hang) => sleep(FOREVER),
            Some(Fault::Chatter) => self.chatter(),
            Some(Fault::Crash) => exit(self.settings.exit_code.into()),
            Some(Fault::Abort) => abort(),
            _ => {}
        }
        let board = match Board::set_up(&self.position, self.seed(), self.is_chess960) {
            Ok(board) => board,
            Err(error) => {
                self.say(format_args!("info string cannot set up the position: {error}"));
                self.say(BestMove::new(None, None));
                return;
            }
        };
        if self.settings.material {
            self.search_material(&board, go);
            return;
        }
        let allowed: &[String] = if fault == Some(Fault::IgnoreSearchMoves) { &[] } else { &go.searchmoves };
        let chosen = board.choose(&self.settings.play, self.settings.first_move, allowed);
        self.report(&board, chosen.as_deref(), go, fault.as_ref());
        self.think(go, fault.as_ref());
        self.conclude(&board, chosen, fault.as_ref());
    }

    fn search_material(&mut self, board: &Board, go: &Go) {
        let legal = board.legal_moves();
        let moves = if go.searchmoves.is_empty() { &legal } else { &go.searchmoves };
        let scored = material::score_moves(board, moves);
        self.is_planting |= self.settings.plant.is_some() && self.settings.when.includes(self.searches);
        let plant = self.settings.plant.filter(|_| self.is_planting);
        let planted = plant.and_then(|plant| plant.find(&scored)).cloned();
        if let (Some((m, _)), Some(log)) = (&planted, &self.settings.plant_log) {
            material::note(log, m);
        }
        self.is_planting &= planted.is_none();
        let from_book = planted.is_some() && plant == Some(Plant::Book);
        for (index, (m, score)) in scored.iter().take(self.multipv).enumerate().filter(|_| !from_book) {
            self.say(Info {
                depth: Some(self.settings.search_depth.or(go.depth).unwrap_or(2)),
                multipv: u32::try_from(index + 1).ok(),
                score: Some(InfoScore { score: *score, bound: Bound::Exact }),
                wdl: self.wdl(),
                nodes: Some(self.settings.search_nodes.or(go.nodes).unwrap_or(1)),
                tbhits: self.settings.tbhits,
                pv: vec![m.clone()],
                ..Info::default()
            });
        }
        self.think(go, None);
        let chosen = planted.or_else(|| scored.into_iter().next()).map(|(m, _)| m);
        self.say(BestMove::new(chosen, None));
    }

    fn chatter(&self) -> ! {
        let start = Instant::now();
        while start.elapsed() < FOREVER {
            self.say("info depth 1 score cp 0 nodes 1");
            sleep(Duration::from_millis(1));
        }
        exit(0);
    }

    /// What it reports of wins, draws and losses.
    fn wdl(&self) -> Option<Wdl> {
        let [win, draw, loss] = self.settings.wdl.filter(|_| self.shows_wdl)?;
        Some(Wdl { win, draw, loss })
    }

    fn report(&self, board: &Board, chosen: Option<&str>, go: &Go, fault: Option<&Fault>) {
        if self.settings.noise {
            output::make_noise(self.settings.crlf);
        }
        match fault {
            Some(Fault::NoInfo) => return,
            Some(Fault::NegativeCounters) => {
                self.say("info depth 1 nodes -5 nps -1 time -3 tbhits 99999999999999999999 hashfull -1");
            }
            Some(Fault::LongLine(bytes)) => {
                self.say(format_args!("info string {}", "l".repeat(*bytes)));
            }
            Some(Fault::FallingNodes) => self.say("info depth 1 nodes 99"),
            _ => {}
        }
        let by_hash = || Score::Cp(i32::try_from(board.hash() % 61).unwrap_or_default() - 30);
        let score = self.settings.score.unwrap_or_else(by_hash);
        let depth = go.depth.unwrap_or(1) + if fault == Some(&Fault::Deep) { 3 } else { 0 };
        let nodes = go.nodes.unwrap_or(1) + if fault == Some(&Fault::Overshoot) { 1_000_000 } else { 0 };
        let told = |depth| (!self.settings.no_counters).then_some(depth);
        let illegal = (fault == Some(&Fault::IllegalPv)).then_some("a1a1");
        self.say(Info {
            depth: told(self.settings.search_depth.unwrap_or(depth)),
            wdl: self.wdl(),
            tbhits: self.settings.tbhits,
            score: Some(InfoScore { score, bound: Bound::Exact }),
            nodes: (!self.settings.no_counters).then(|| {
                self.settings
                    .search_nodes
                    .filter(|_| self.settings.when.includes(self.searches))
                    .unwrap_or(nodes)
            }),
            pv: chosen.into_iter().chain(illegal).map(str::to_owned).collect(),
            ..Info::default()
        });
        if self.settings.clock_nodes {
            self.say(Info { nodes: Some(clock_ns()), ..Info::default() });
        }
    }

    /// Waits as long as the search takes; commands that arrive meanwhile are kept for later, but
    /// for those that a search answers.
    fn think(&mut self, go: &Go, fault: Option<&Fault>) {
        let is_endless = self.settings.endless_nodes && go.nodes.is_some();
        let waits_for_stop = go.infinite || go.ponder || is_endless;
        let duration = match fault {
            Some(Fault::Late | Fault::IgnoreStop) => self.settings.late,
            Some(Fault::EarlyInfinite) => Duration::ZERO,
            _ if waits_for_stop => FOREVER,
            _ => self.time_for(go),
        };
        let end = Instant::now() + duration;
        while Instant::now() < end {
            let line = match self.input.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => exit(0),
            };
            match parse_gui_line(&line, &mut Vec::new()) {
                GuiCommand::Stop if fault == Some(&Fault::IgnoreStop) => {}
                GuiCommand::Stop | GuiCommand::PonderHit => return,
                GuiCommand::Quit => self.quit(),
                GuiCommand::IsReady if !self.settings.deaf_search => self.answer_ping(),
                other => self.waiting.push_back(other),
            }
        }
    }

    fn time_for(&self, go: &Go) -> Duration {
        let settings = self.settings;
        let clock = go.wtime_ms.into_iter().chain(go.btime_ms).min();
        let clock = clock.map(|clock| u64::try_from(clock).unwrap_or(0) / 20);
        // Depth and nodes bound a search themselves.
        let Some(allowed) = go.movetime_ms.or(clock) else { return settings.think };
        match (settings.fixed_time, settings.late_by) {
            (Some(time), _) => time,
            (None, Some(late)) => Duration::from_millis(allowed) + late,
            (None, None) => settings.think,
        }
    }

    fn conclude(&self, board: &Board, chosen: Option<String>, fault: Option<&Fault>) {
        let word = match fault {
            Some(Fault::Token(token)) => {
                self.say(format_args!("bestmove {token}"));
                return;
            }
            Some(Fault::Line(line)) => {
                self.say(line);
                return;
            }
            Some(Fault::Illegal) => Some(board.illegal_move()),
            Some(Fault::NoLetter) => board.promotion_without_letter().or(chosen),
            Some(Fault::UpperCase) => chosen.map(|m| m.to_ascii_uppercase()),
            _ => chosen,
        };
        let ponder = (fault == Some(&Fault::IllegalPonder)).then(|| "a1a1".to_owned());
        self.say(BestMove::new(word.clone(), ponder));
        match fault {
            Some(Fault::InfoAfterwards) => self.say("info depth 9 score cp 0 nodes 9"),
            Some(Fault::Twice) => self.say(BestMove::new(word, None)),
            Some(Fault::ExitAfterMove) => exit(self.settings.exit_code.into()),
            _ => {}
        }
    }
}
