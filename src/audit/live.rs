//! Positions instead of games: an engine answers each, and its answers are audited.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::engine::{AuditEngine, Task};
use super::error::AuditError;
use super::game::AuditGame;
use super::position::Root;
use super::work::{Job, Watch, Work};
use crate::chess::openings::parse_positions;
use crate::chess::{StartPosition, parse_engine_move};
use crate::uci::process::Budget;

/// The positions of an EPD or FEN file, each once, and how many lines repeat one: an answer that is
/// counted twice is one observation.
///
/// # Errors
/// The file cannot be read, or a line of it is no position with a legal move.
pub fn read_positions(path: &Path) -> Result<(Vec<StartPosition>, usize), AuditError> {
    let bytes = fs::read(path).map_err(|error| AuditError::io(path, "read", error))?;
    let read = parse_positions(&bytes, &path.display().to_string())?;
    let count = read.len();
    let mut seen = BTreeSet::new();
    let positions = read
        .into_iter()
        .map(|opening| StartPosition::from_position(opening.position(), opening.start.castling_mode()))
        .filter(|start| seen.insert(Root::of(start).key));
    let positions: Vec<_> = positions.collect();
    let repeats = count - positions.len();
    Ok((positions, repeats))
}

/// Asks the engine about every position and makes a game of one move out of each answer. Answers are
/// kept: an engine that rolls dice is not asked twice. No position may stand twice.
///
/// # Errors
/// The engine fails, or a signal came: what was answered is kept.
pub fn answer_positions(
    subject: &AuditEngine,
    positions: &[StartPosition],
    budget: Budget,
    work: &mut Work<'_>,
    watch: Watch<'_>,
) -> Result<Vec<AuditGame>, AuditError> {
    let roots: Vec<Root> = positions.iter().map(Root::of).collect();
    let jobs: Vec<Job<'_>> = roots.iter().map(|root| Job { root, budget, tasks: vec![Task::Free] }).collect();
    work.search(subject, &jobs, "asking the subject", watch)?;
    let games = positions.iter().zip(&roots).enumerate().map(|(index, (start, root))| {
        let answer = work.store.get(subject, root, budget, &Task::Free)?;
        let (m, _) = parse_engine_move(start.position(), &answer.best_move).ok()?;
        let reported = answer.scored.first().map(|scored| (scored.score, scored.bound));
        let book = reported.is_none() && answer.nodes.is_none();
        Some(AuditGame::of_position(index, start.clone(), m, reported, book))
    });
    games.collect::<Option<_>>().ok_or(AuditError::Stopped)
}
