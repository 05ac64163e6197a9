//! The engine behind the protocol: one line in, its answers out.
//!
//! Holds what lasts between searches: options, table, position with its history. No line makes it
//! fail: what it cannot use, it says so in an `info string` and stays as it was.

use std::collections::VecDeque;
use std::fmt;
#[cfg(not(target_family = "wasm"))]
use std::io::{BufRead, Write};

use super::budget::Budget;
use super::running::Running;
use super::search::{MAX_DEPTH, Search, SearchLimits};
use super::table::TranspositionTable;
use crate::chess::{CastlingMode, Move, Position as _, StartPosition, parse_engine_move, uci};
use crate::engines::board::KeyedPosition;
use crate::engines::host::{Engine, Flow, Host};
use crate::uci::protocol::{
    BestMove, Go, GuiCommand, Id, Info, OptionDeclaration, OptionKind, PositionCommand, parse_gui_line,
};

const HASH_DEFAULT_MB: i64 = 16;
const HASH_MAX_MB: i64 = 1024;

/// Serves the engine until `quit` or the end of `input`.
#[cfg(not(target_family = "wasm"))]
pub fn serve(input: impl BufRead + Send, output: impl Write) {
    crate::engines::serve_engine(&mut Classic::new(), input, output);
}

/// The engine.
pub struct Classic {
    /// Made at `isready`, or at the first search without one: `uci` and a set `Hash` cost no memory.
    table: Option<TranspositionTable>,
    hash_megabytes: i64,
    /// Whether castling is written as king takes rook whatever the position.
    chess960: bool,
    game: GameSoFar,
    /// The answer of a search that ended before it was asked for (`go infinite`, `go ponder`).
    held: Option<Held>,
    postponed: VecDeque<Vec<u8>>,
}

struct Held {
    answer: BestMove,
    /// Whether `ponderhit` asks for it, not just `stop`.
    until_ponder_hit: bool,
}

/// The position to search and the keys of those before it.
struct GameSoFar {
    position: KeyedPosition,
    history: Vec<u64>,
    castling: CastlingMode,
}

impl GameSoFar {
    fn new(start: &StartPosition) -> Self {
        Self {
            position: KeyedPosition::new(start.position().clone()),
            history: Vec::new(),
            castling: start.castling_mode(),
        }
    }

    fn play(&mut self, m: Move) {
        self.history.push(self.position.key());
        self.position = self.position.after(m);
    }
}

impl Default for Classic {
    fn default() -> Self {
        Self::new()
    }
}

impl Classic {
    /// An engine with the default options, at the usual initial position.
    #[must_use]
    pub fn new() -> Self {
        Self {
            table: None,
            hash_megabytes: HASH_DEFAULT_MB,
            chess960: false,
            game: GameSoFar::new(&StartPosition::standard()),
            held: None,
            postponed: VecDeque::new(),
        }
    }

    fn obey(&mut self, line: &[u8], host: &mut dyn Host) -> Flow {
        match parse_gui_line(line, &mut Vec::new()).with_declared(&options()) {
            GuiCommand::Uci => introduce(host),
            GuiCommand::IsReady => {
                // Memory is taken now, not on the clock of the first search.
                self.table = self.take_table();
                host.say(&"readyok");
            }
            GuiCommand::SetOption { name, value } => self.set_option(&name, value.as_deref(), host),
            GuiCommand::UciNewGame => self.forget(),
            GuiCommand::Position(command) => match read_position(&command) {
                Ok(game) => self.game = game,
                Err(message) => note(host, message),
            },
            GuiCommand::Go(go) => return self.go(&go, host),
            GuiCommand::Stop => self.release(host),
            GuiCommand::PonderHit if self.held.as_ref().is_some_and(|held| held.until_ponder_hit) => {
                self.release(host);
            }
            GuiCommand::Quit => return Flow::Quit,
            GuiCommand::Other(line) if !line.is_empty() => note(host, format!("unknown command: {line}")),
            _ => {}
        }
        Flow::Continue
    }

    fn set_option(&mut self, name: &str, value: Option<&str>, host: &mut dyn Host) {
        let value = value.unwrap_or_default();
        let Some(option) = options().into_iter().find(|option| option.is_named(name)) else {
            return note(host, format!("no option is named {name}"));
        };
        if let Err(error) = option.check(value) {
            return note(host, error);
        }
        match option.name.as_str() {
            "Hash" => {
                self.hash_megabytes = value.trim().parse().unwrap_or(HASH_DEFAULT_MB);
                self.table = None;
            }
            "Clear Hash" => self.forget(),
            "UCI_Chess960" => self.chess960 = value.trim().eq_ignore_ascii_case("true"),
            // `Ponder` only tells the other side that `go ponder` is understood.
            _ => {}
        }
    }

    fn forget(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    fn go(&mut self, go: &Go, host: &mut dyn Host) -> Flow {
        // A search nobody has asked the answer of is given up by the next one.
        self.held = None;
        if go.perft.is_some() {
            note(host, "go perft is not understood: use `elometer perft`");
            return Flow::Continue;
        }
        let Some(mut table) = self.take_table() else {
            note(host, format!("no memory for a hash table of {} MB", self.hash_megabytes));
            host.say(&BestMove::new(self.any_move(), None));
            return Flow::Continue;
        };
        let limits = self.limits(go, host);
        let budget = Budget::new(go, self.game.position.chess().turn());
        let castling = self.castling();
        let mut running = Running::new(host, &mut self.postponed, castling, budget, go.ponder);
        let report =
            Search::new(&mut table, &mut running, &limits, &self.game.history).run(&self.game.position);
        let (stopped, quit, pondering) = (running.was_stopped(), running.was_quit(), running.is_pondering());
        self.table = Some(table);

        let mut line = report.variation.iter().map(|m| uci(*m, castling));
        let answer = BestMove::new(line.next(), line.next());
        let endless = is_endless(go);
        if !stopped && (endless || pondering) {
            self.held = Some(Held { answer, until_ponder_hit: pondering && !endless });
        } else {
            host.say(&answer);
        }
        if quit { Flow::Quit } else { Flow::Continue }
    }

    fn take_table(&mut self) -> Option<TranspositionTable> {
        let megabytes = usize::try_from(self.hash_megabytes).ok()?;
        self.table.take().or_else(|| TranspositionTable::with_megabytes(megabytes))
    }

    fn any_move(&self) -> Option<String> {
        self.game.position.chess().legal_moves().first().map(|m| uci(*m, self.castling()))
    }

    fn limits(&self, go: &Go, host: &mut dyn Host) -> SearchLimits {
        let chess = self.game.position.chess();
        let mut root_moves = Vec::new();
        for text in &go.searchmoves {
            match parse_engine_move(chess, text) {
                Ok((m, _)) => root_moves.push(m),
                Err(error) => note(host, format!("searchmoves: {text} is {error}")),
            }
        }
        let depth = |plies: u32| u8::try_from(plies).unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        // A mate in n moves is found at 2n - 1 plies.
        let for_mate = go.mate.map(|moves| depth(moves.saturating_mul(2).saturating_sub(1)));
        SearchLimits { depth: go.depth.map(depth).or(for_mate), nodes: go.nodes, mate: go.mate, root_moves }
    }

    fn castling(&self) -> CastlingMode {
        if self.chess960 { CastlingMode::Chess960 } else { self.game.castling }
    }

    fn release(&mut self, host: &mut dyn Host) {
        if let Some(held) = self.held.take() {
            host.say(&held.answer);
        }
    }
}

impl Engine for Classic {
    fn handle(&mut self, line: &[u8], host: &mut dyn Host) -> Flow {
        let mut flow = self.obey(line, host);
        while flow == Flow::Continue
            && let Some(line) = self.postponed.pop_front()
        {
            flow = self.obey(&line, host);
        }
        flow
    }
}

/// Whether only `stop` may end the search.
fn is_endless(go: &Go) -> bool {
    let limited = go.depth.is_some()
        || go.nodes.is_some()
        || go.mate.is_some()
        || go.movetime_ms.is_some()
        || go.wtime_ms.is_some()
        || go.btime_ms.is_some();
    go.infinite || !(limited || go.ponder)
}

fn options() -> [OptionDeclaration; 4] {
    let hash = OptionKind::Spin { default: Some(HASH_DEFAULT_MB), min: Some(1), max: Some(HASH_MAX_MB) };
    [
        ("Hash", hash),
        ("Clear Hash", OptionKind::Button),
        ("Ponder", OptionKind::Check { default: Some(false) }),
        ("UCI_Chess960", OptionKind::Check { default: Some(false) }),
    ]
    .map(|(name, kind)| OptionDeclaration { name: name.to_owned(), kind })
}

fn introduce(host: &mut dyn Host) {
    let name = format!("elometer classic {}", env!("CARGO_PKG_VERSION"));
    host.say(&Id::Name(name));
    host.say(&Id::Author("the elometer authors".to_owned()));
    for option in options() {
        host.say(&option);
    }
    host.say(&"uciok");
}

fn read_position(command: &PositionCommand) -> Result<GameSoFar, String> {
    let start = match &command.fen {
        None => StartPosition::standard(),
        Some(fen) => StartPosition::from_fen(fen).map_err(|error| error.to_string())?,
    };
    let mut game = GameSoFar::new(&start);
    for (index, text) in command.moves.iter().enumerate() {
        let (m, _) = parse_engine_move(game.position.chess(), text)
            .map_err(|error| format!("position: move {} ({text}) is {error}", index + 1))?;
        game.play(m);
    }
    Ok(game)
}

fn note(host: &mut dyn Host, message: impl fmt::Display) {
    let info = Info { string: Some(message.to_string()), ..Info::default() };
    host.say(&info);
}
