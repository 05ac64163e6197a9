//! What lasts between the searches of the engine, and one answer from book or search to dice.
//!
//! The table is emptied before each search: nothing found earlier can change an answer.

use super::choice::{Choice, Circumstances, choose};
use super::dice::{Randomness, pick, throw};
use super::evaluation::winner;
use super::search::{Findings, MAX_DEPTH, Search, SearchLimits};
use super::settings::{BOOK_FILE, Settings};
use crate::chess::{Book, Move, Position as _};
use crate::engines::host::{Engine, Flow, Host};
use crate::engines::kit::control::Control as _;
use crate::engines::kit::game::GameSoFar;
use crate::engines::kit::running::Running;
use crate::engines::kit::table::TranspositionTable;
use crate::engines::kit::{Mind, Shell};
use crate::uci::protocol::{Go, OptionDeclaration};

/// # Source
/// The description of AL-1600, section 02.
const TABLE_ENTRIES: usize = 65_536;
/// How much deeper a won endgame is searched than `Depth` says. At 4 plies king and rook do not
/// always find the mate within fifty moves; at 6 they do.
const WON_ENDGAME_PLIES: u8 = 2;

/// The engine.
pub struct Fallible(Shell<FallibleMind>);

#[derive(Default)]
struct FallibleMind {
    settings: Settings,
    book: Shelf,
    table: Option<TranspositionTable>,
    games_begun: u64,
}

/// The book, if one was named.
#[derive(Default)]
enum Shelf {
    #[default]
    Empty,
    Book(Book),
    /// A book was named and cannot be read: every answer says so again, lest games without it pass
    /// for games with it.
    Unreadable(String),
}

/// What a throw of the dice is for.
#[derive(Clone, Copy)]
enum Purpose {
    Move,
    BookMove,
}

impl Default for Fallible {
    fn default() -> Self {
        Self::new()
    }
}

impl Fallible {
    /// An engine with the default options, at the usual initial position.
    #[must_use]
    pub fn new() -> Self {
        Self(Shell::new(FallibleMind::default()))
    }
}

impl Engine for Fallible {
    fn handle(&mut self, line: &[u8], host: &mut dyn Host) -> Flow {
        self.0.handle(line, host)
    }
}

impl Shelf {
    fn open(path: &str) -> Self {
        // The protocol's word for an empty text, for those who send it back.
        if path.is_empty() || path == "<empty>" {
            return Self::Empty;
        }
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => return Self::Unreadable(format!("{path}: cannot be read: {error}")),
        };
        match Book::parse(&text, path) {
            Ok(book) => Self::Book(book),
            Err(error) => Self::Unreadable(error.to_string()),
        }
    }
}

impl FallibleMind {
    /// The dice for one purpose in one position.
    fn throw(&self, game: &GameSoFar, purpose: Purpose) -> u64 {
        let here = [purpose as u64, game.position.key()];
        match self.settings.randomness {
            Randomness::Position => throw(self.settings.seed, here),
            Randomness::Game => {
                let so_far = game.history.iter().copied();
                throw(self.settings.seed, here.into_iter().chain([self.games_begun]).chain(so_far))
            }
        }
    }

    /// A move of the book, said aloud; none where the search is to answer.
    fn book_move(&self, game: &GameSoFar, running: &mut Running<'_>) -> Option<Move> {
        let settings = &self.settings;
        if settings.hint || !settings.own_book || settings.multi_pv > 1 {
            return None;
        }
        let book = match &self.book {
            Shelf::Empty => return None,
            Shelf::Unreadable(trouble) => {
                running.note(&format!("no book: {trouble}"));
                return None;
            }
            Shelf::Book(book) => book,
        };
        let moves = book.moves(game.position.chess());
        let weights: Vec<u64> = moves.iter().map(|(_, weight)| u64::from(*weight)).collect();
        let index = pick(&weights, self.throw(game, Purpose::BookMove))?;
        let (m, weight) = *moves.get(index)?;
        let sum: u64 = weights.iter().sum();
        running.note(&format!("played {} by book weight {weight} of {sum}", running.spelled(m)));
        Some(m)
    }

    fn limits(&self, go: &Go, root_moves: Vec<Move>, is_won_endgame: bool) -> SearchLimits {
        let settings = &self.settings;
        let more = if settings.won_endgame && is_won_endgame { WON_ENDGAME_PLIES } else { 0 };
        let plies = |plies: u32| u8::try_from(plies).unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        // A mate in n moves is found at 2n - 1 plies.
        let for_mate = go.mate.map(|moves| plies(moves.saturating_mul(2).saturating_sub(1)));
        SearchLimits {
            depth: go.depth.map(plies).or(for_mate).unwrap_or(settings.depth + more),
            nodes: go.nodes,
            root_moves,
            window: if settings.hint { 0 } else { settings.ceiling },
            open: settings.multi_pv > 1,
            ends_with_mate: settings.multi_pv == 1 && (settings.hint || settings.mate_clauses),
            won_endgame: settings.won_endgame,
        }
    }

    /// Reports what was chosen from, what was chosen, and why.
    fn show(&self, findings: &Findings, choice: &Choice, running: &mut Running<'_>) {
        let Some(played) = findings.moves.get(choice.rank) else { return };
        let candidates = choice.candidates();
        let shown = if self.settings.multi_pv > 1 { self.settings.multi_pv } else { candidates };
        if shown > 1 {
            let chosen_from = |rank: &usize| choice.weights.get(*rank).is_some_and(|weight| *weight > 0);
            let wanted = |rank: &usize| self.settings.multi_pv > 1 || chosen_from(rank);
            let ranks = (0..findings.moves.len()).filter(wanted).take(shown);
            for (number, rank) in (1..).zip(ranks) {
                if let Some(root_move) = findings.moves.get(rank) {
                    running.show(&findings.report(root_move), Some(number));
                }
            }
        }
        if self.settings.multi_pv == 1 {
            // The last line of a search is taken for what was played.
            running.report(&findings.report(played));
        }
        let best = findings.moves.first().map_or(played.score, |best| best.score);
        let share = choice.share_millionths();
        running.note(&format!(
            "played {} by {} rank {} of {candidates} drop {} share {}.{:06}",
            running.spelled(played.m),
            choice.reason.word(),
            choice.rank + 1,
            best - played.score,
            share / 1_000_000,
            share % 1_000_000
        ));
    }
}

impl Mind for FallibleMind {
    fn name(&self) -> String {
        "fallible".to_owned()
    }

    fn options(&self) -> Vec<OptionDeclaration> {
        Settings::declarations()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        if name != BOOK_FILE {
            self.settings.set(name, value);
            return Ok(());
        }
        self.book = Shelf::open(value);
        match &self.book {
            Shelf::Unreadable(trouble) => Err(format!("no book: {trouble}")),
            _ => Ok(()),
        }
    }

    fn prepare(&mut self) {
        if self.table.is_none() {
            self.table = TranspositionTable::with_entries(TABLE_ENTRIES);
        }
    }

    fn new_game(&mut self) {
        self.games_begun += 1;
    }

    fn search(
        &mut self,
        game: &GameSoFar,
        go: &Go,
        root_moves: Vec<Move>,
        running: &mut Running<'_>,
    ) -> Vec<Move> {
        if root_moves.is_empty()
            && let Some(m) = self.book_move(game, running)
        {
            return vec![m];
        }
        self.prepare();
        let Some(mut table) = self.table.take() else {
            running.note("no memory for a hash table");
            return game.any_move().into_iter().collect();
        };
        table.clear();
        let circumstances = Circumstances {
            captured_on: game.last_move.filter(|m| m.is_capture()).map(|m| m.to()),
            is_won_endgame: winner(game.position.chess()) == Some(game.position.chess().turn()),
        };
        let limits = self.limits(go, root_moves, circumstances.is_won_endgame);
        // A hint is a function of the position alone, so that it is the same by whatever moves the
        // position came about.
        let history = if self.settings.hint { &[] } else { game.history.as_slice() };
        let findings = Search::new(&mut table, running, &limits, history).run(&game.position);
        self.table = Some(table);

        if findings.depth == 0 {
            let first = findings.moves.first().map(|first| first.m);
            if let Some(m) = first {
                running.note(&format!("played {} unsearched", running.spelled(m)));
            }
            return first.into_iter().collect();
        }
        let throw = self.throw(game, Purpose::Move);
        let Some(choice) = choose(&findings.moves, circumstances, &self.settings, throw) else {
            return Vec::new();
        };
        self.show(&findings, &choice, running);
        findings.moves.into_iter().nth(choice.rank).map(|played| played.line).unwrap_or_default()
    }
}
