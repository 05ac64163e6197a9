//! What lasts between the searches of the engine: its table and the size of it.

use super::search::{MAX_DEPTH, Search};
use crate::chess::Move;
use crate::engines::host::{Engine, Flow, Host};
use crate::engines::kit::control::SearchLimits;
use crate::engines::kit::game::GameSoFar;
use crate::engines::kit::running::Running;
use crate::engines::kit::table::TranspositionTable;
use crate::engines::kit::{Mind, Shell};
use crate::uci::protocol::{Go, OptionDeclaration, OptionKind};

const HASH_DEFAULT_MB: i64 = 16;
const HASH_MAX_MB: i64 = 1024;

/// The engine.
pub struct Classic(Shell<ClassicMind>);

struct ClassicMind {
    /// Made at `isready`, or at the first search without one: `uci` and a set `Hash` cost no memory.
    table: Option<TranspositionTable>,
    hash_megabytes: i64,
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
        Self(Shell::new(ClassicMind { table: None, hash_megabytes: HASH_DEFAULT_MB }))
    }
}

impl Engine for Classic {
    fn handle(&mut self, line: &[u8], host: &mut dyn Host) -> Flow {
        self.0.handle(line, host)
    }
}

impl ClassicMind {
    fn take_table(&mut self) -> Option<TranspositionTable> {
        let megabytes = usize::try_from(self.hash_megabytes).ok()?;
        self.table.take().or_else(|| TranspositionTable::with_megabytes(megabytes))
    }
}

impl Mind for ClassicMind {
    fn name(&self) -> String {
        "classic".to_owned()
    }

    fn options(&self) -> Vec<OptionDeclaration> {
        let hash = OptionKind::Spin { default: Some(HASH_DEFAULT_MB), min: Some(1), max: Some(HASH_MAX_MB) };
        [("Hash", hash), ("Clear Hash", OptionKind::Button)]
            .map(|(name, kind)| OptionDeclaration { name: name.to_owned(), kind })
            .into()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "Hash" => {
                self.hash_megabytes = value.parse().unwrap_or(HASH_DEFAULT_MB);
                self.table = None;
            }
            _ => self.new_game(),
        }
        Ok(())
    }

    fn prepare(&mut self) {
        self.table = self.take_table();
    }

    fn new_game(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    fn search(
        &mut self,
        game: &GameSoFar,
        go: &Go,
        root_moves: Vec<Move>,
        running: &mut Running<'_>,
    ) -> Vec<Move> {
        let Some(mut table) = self.take_table() else {
            running.note(&format!("no memory for a hash table of {} MB", self.hash_megabytes));
            return game.any_move().into_iter().collect();
        };
        let limits = SearchLimits::new(go, root_moves, MAX_DEPTH);
        let report = Search::new(&mut table, running, &limits, &game.history).run(&game.position);
        self.table = Some(table);
        report.variation
    }
}
