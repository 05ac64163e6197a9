//! An engine behind the protocol: one line in, its answers out.
//!
//! Does for every engine what does not depend on its search: position, root moves, answers held
//! back, lines that arrive meanwhile. No line makes it fail: what it cannot use, it says so in an
//! `info string` and stays as it was.

use std::collections::VecDeque;
use std::fmt;

use super::budget::Budget;
use super::game::GameSoFar;
use super::running::Running;
use crate::chess::{CastlingMode, Move, Position as _, StartPosition, parse_engine_move, uci};
use crate::engines::host::{Engine, Flow, Host};
use crate::uci::protocol::{
    BestMove, Go, GuiCommand, Id, Info, OptionDeclaration, OptionKind, parse_gui_line,
};

/// What makes one engine another than the next.
pub(in crate::engines) trait Mind {
    /// Its name, without the program's.
    fn name(&self) -> String;
    /// Its own options. Those every engine has are the shell's.
    fn options(&self) -> Vec<OptionDeclaration>;
    /// Takes a value that its declaration allows; empty for a button.
    ///
    /// # Errors
    /// Why the value is of no use all the same, for an `info string`.
    fn set(&mut self, name: &str, value: &str) -> Result<(), String>;
    /// Takes the memory of a search now, not on its clock.
    fn prepare(&mut self);
    /// Another game begins.
    fn new_game(&mut self);
    /// Searches and returns the line to play, its first move being the answer; empty where there
    /// is no legal move. `root_moves` holds the moves to consider, all when empty.
    fn search(
        &mut self,
        game: &GameSoFar,
        go: &Go,
        root_moves: Vec<Move>,
        running: &mut Running<'_>,
    ) -> Vec<Move>;
}

/// A mind that speaks UCI.
pub(in crate::engines) struct Shell<M> {
    mind: M,
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

impl<M: Mind> Shell<M> {
    /// At the usual initial position.
    pub(in crate::engines) fn new(mind: M) -> Self {
        Self {
            mind,
            chess960: false,
            game: GameSoFar::new(&StartPosition::standard()),
            held: None,
            postponed: VecDeque::new(),
        }
    }

    fn obey(&mut self, line: &[u8], host: &mut dyn Host) -> Flow {
        match parse_gui_line(line, &mut Vec::new()).with_declared(&self.options()) {
            GuiCommand::Uci => self.introduce(host),
            GuiCommand::IsReady => {
                self.mind.prepare();
                host.say(&"readyok");
            }
            GuiCommand::SetOption { name, value } => self.set_option(&name, value.as_deref(), host),
            GuiCommand::UciNewGame => self.mind.new_game(),
            GuiCommand::Position(command) => match GameSoFar::read(&command) {
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

    fn introduce(&self, host: &mut dyn Host) {
        let name = format!("elometer {} {}", self.mind.name(), env!("CARGO_PKG_VERSION"));
        host.say(&Id::Name(name));
        host.say(&Id::Author("the elometer authors".to_owned()));
        for option in self.options() {
            host.say(&option);
        }
        host.say(&"uciok");
    }

    fn options(&self) -> Vec<OptionDeclaration> {
        let own = ["Ponder", "UCI_Chess960"].map(|name| OptionDeclaration {
            name: name.to_owned(),
            kind: OptionKind::Check { default: Some(false) },
        });
        self.mind.options().into_iter().chain(own).collect()
    }

    fn set_option(&mut self, name: &str, value: Option<&str>, host: &mut dyn Host) {
        let value = value.unwrap_or_default();
        let Some(option) = self.options().into_iter().find(|option| option.is_named(name)) else {
            return note(host, format!("no option is named {name}"));
        };
        if let Err(error) = option.check(value) {
            return note(host, error);
        }
        match option.name.as_str() {
            "UCI_Chess960" => self.chess960 = value.trim().eq_ignore_ascii_case("true"),
            // It only tells the other side that `go ponder` is understood.
            "Ponder" => {}
            name => {
                if let Err(message) = self.mind.set(name, value.trim()) {
                    note(host, message);
                }
            }
        }
    }

    fn go(&mut self, go: &Go, host: &mut dyn Host) -> Flow {
        // A search nobody has asked the answer of is given up by the next one.
        self.held = None;
        if go.perft.is_some() {
            note(host, "go perft is not understood: use `elometer perft`");
            return Flow::Continue;
        }
        let castling = if self.chess960 { CastlingMode::Chess960 } else { self.game.castling };
        let root_moves = self.root_moves(go, host);
        let budget = Budget::new(go, self.game.position.chess().turn());
        let mut running = Running::new(host, &mut self.postponed, castling, budget, go.ponder);
        let line = self.mind.search(&self.game, go, root_moves, &mut running);
        let (stopped, quit, pondering) = (running.was_stopped(), running.was_quit(), running.is_pondering());

        let mut line = line.iter().map(|m| uci(*m, castling));
        let answer = BestMove::new(line.next(), line.next());
        let endless = is_endless(go);
        if !stopped && (endless || pondering) {
            self.held = Some(Held { answer, until_ponder_hit: pondering && !endless });
        } else {
            host.say(&answer);
        }
        if quit { Flow::Quit } else { Flow::Continue }
    }

    fn root_moves(&self, go: &Go, host: &mut dyn Host) -> Vec<Move> {
        let chess = self.game.position.chess();
        let mut root_moves = Vec::new();
        for text in &go.searchmoves {
            match parse_engine_move(chess, text) {
                Ok((m, _)) => root_moves.push(m),
                Err(error) => note(host, format!("searchmoves: {text} is {error}")),
            }
        }
        root_moves
    }

    fn release(&mut self, host: &mut dyn Host) {
        if let Some(held) = self.held.take() {
            host.say(&held.answer);
        }
    }
}

impl<M: Mind> Engine for Shell<M> {
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

fn note(host: &mut dyn Host, message: impl fmt::Display) {
    let info = Info { string: Some(message.to_string()), ..Info::default() };
    host.say(&info);
}
