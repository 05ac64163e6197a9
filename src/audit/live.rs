//! Positions instead of games: an engine answers each, and its answers are audited.

use std::fs;
use std::path::Path;

use super::engine::{AuditEngine, Task};
use super::error::AuditError;
use super::game::{AuditGame, Finish, OwnMove};
use super::position::Root;
use super::work::{Job, Watch, Work};
use crate::chess::openings::parse_positions;
use crate::chess::{Position as _, StartPosition, parse_engine_move};
use crate::uci::process::Budget;

/// The positions of an EPD or FEN file.
///
/// # Errors
/// The file cannot be read, or a line of it is no position with a legal move.
pub fn read_positions(path: &Path) -> Result<Vec<StartPosition>, AuditError> {
    let bytes = fs::read(path).map_err(|error| AuditError::io(path, "read", error))?;
    let positions = parse_positions(&bytes, &path.display().to_string())?;
    Ok(positions
        .into_iter()
        .map(|opening| StartPosition::from_position(opening.position(), opening.start.castling_mode()))
        .collect())
}

/// Asks the engine about every position and makes a game of one move out of each answer. Answers are
/// kept: an engine that rolls dice is not asked twice.
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
    let mut seen = std::collections::BTreeSet::new();
    let jobs: Vec<Job<'_>> = roots
        .iter()
        .filter(|root| seen.insert(root.key.as_str()))
        .map(|root| Job { root, budget, tasks: vec![Task::Free] })
        .collect();
    work.search(subject, &jobs, "asking the subject", watch)?;
    let games = positions.iter().zip(&roots).enumerate().map(|(index, (start, root))| {
        let answer = work.store.get(subject, root, budget, &Task::Free)?;
        let (m, _) = parse_engine_move(start.position(), &answer.best_move).ok()?;
        let reported = answer.scored.first().map(|scored| (scored.score, scored.bound));
        let book = reported.is_none() && answer.nodes.is_none();
        Some(AuditGame {
            name: format!("position {}", index + 1),
            start: start.clone(),
            moves: vec![m],
            subject: start.position().turn(),
            opponent: String::new(),
            opponent_level: None,
            finish: Finish::Early("a position, not a game".to_owned()),
            own: vec![OwnMove { ply: 0, reported, clock_ms: None, book }],
            evals_white: None,
        })
    });
    games.collect::<Option<_>>().ok_or(AuditError::Stopped)
}
