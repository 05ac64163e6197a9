//! Every move graded by a judge, and what looks broken graded again with larger budgets.

use std::collections::BTreeMap;

use super::engine::{Answer, AuditEngine, Task};
use super::error::AuditError;
use super::position::AuditMove;
use super::rule::{Grade, Rule};
use super::store::Store;
use super::work::{Job, Watch, Work};
use crate::uci::process::Budget;

/// The budgets of the larger searches, as multiples of the first where it is in nodes.
const LARGER: [u64; 2] = [4, 16];
/// The same in plies where it is a depth: about as much work.
const DEEPER: [u32; 2] = [2, 4];

/// One move's grades by the independent judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveGrades {
    /// At the budget asked for.
    pub first: Grade,
    /// At about four and sixteen times that, where the first left a doubt.
    pub larger: Option<[Grade; 2]>,
}

impl MoveGrades {
    /// The grade with the largest budget.
    #[must_use]
    pub fn last(&self) -> &Grade {
        self.larger.as_ref().map_or(&self.first, |[_, last]| last)
    }

    /// Whether every search for it used a tenth of its limit or had a reason to stop.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        !self.first.is_short && !self.larger.iter().flatten().any(|grade| grade.is_short)
    }
}

/// The budgets at which doubtful moves are searched again: 4 and 16 times the nodes, or 2 and 4 plies
/// more.
#[must_use]
pub fn larger_budgets(budget: Budget) -> [Budget; 2] {
    match budget {
        Budget::Nodes(nodes) => LARGER.map(|times| Budget::Nodes(nodes.saturating_mul(times))),
        Budget::Depth(depth) => DEEPER.map(|more| Budget::Depth(depth.saturating_add(more))),
    }
}

/// Grades every move by the judge, doubtful ones three times.
///
/// # Errors
/// The judge fails, or a signal came: what was searched is kept.
pub fn grade_moves(
    judge: &AuditEngine,
    moves: &[AuditMove],
    budget: Budget,
    rule: &Rule,
    work: &mut Work<'_>,
    watch: Watch<'_>,
) -> Result<Vec<MoveGrades>, AuditError> {
    let all: Vec<&AuditMove> = moves.iter().collect();
    let first = grade_at(judge, &all, budget, "judging", work, watch)?;
    let is_doubtful =
        |(_, (m, grade)): &(usize, (&AuditMove, &Grade))| rule.is_doubtful(grade, m.legal_moves);
    let doubtful: Vec<usize> =
        moves.iter().zip(&first).enumerate().filter(is_doubtful).map(|(index, _)| index).collect();
    let again: Vec<&AuditMove> = doubtful.iter().filter_map(|index| moves.get(*index)).collect();
    let [middle, last] = larger_budgets(budget);
    let mut larger = BTreeMap::new();
    if !again.is_empty() {
        let middle = grade_at(judge, &again, middle, &format!("in doubt, {middle}"), work, watch)?;
        let last = grade_at(judge, &again, last, &format!("in doubt, {last}"), work, watch)?;
        let grades = middle.into_iter().zip(last).map(|(middle, last)| [middle, last]);
        larger.extend(doubtful.into_iter().zip(grades));
    }
    let grades = first.into_iter().enumerate();
    Ok(grades.map(|(index, first)| MoveGrades { first, larger: larger.remove(&index) }).collect())
}

/// Grades every move at one budget.
///
/// # Errors
/// As [`grade_moves`].
pub fn grade_at(
    judge: &AuditEngine,
    moves: &[&AuditMove],
    budget: Budget,
    what: &str,
    work: &mut Work<'_>,
    watch: Watch<'_>,
) -> Result<Vec<Grade>, AuditError> {
    let mut jobs: Vec<Job<'_>> = Vec::new();
    let mut places = BTreeMap::new();
    for m in moves {
        let place = *places.entry(m.root.key.as_str()).or_insert_with(|| {
            jobs.push(Job { root: &m.root, budget, tasks: vec![Task::Free] });
            jobs.len() - 1
        });
        let only = Task::Only(m.chosen.clone());
        if let Some(job) = jobs.get_mut(place).filter(|job| !job.tasks.contains(&only)) {
            job.tasks.push(only);
        }
    }
    work.search(judge, &jobs, what, watch)?;
    let grades = moves.iter().map(|m| grade(work.store, judge, m, budget));
    grades.collect::<Option<_>>().ok_or(AuditError::Stopped)
}

/// The grade out of the kept answers; none when one is missing.
fn grade(store: &Store, judge: &AuditEngine, m: &AuditMove, budget: Budget) -> Option<Grade> {
    let is_short = |answer: &Answer| m.legal_moves > 1 && answer.is_short(budget);
    let answer = store.get(judge, &m.root, budget, &Task::Free)?;
    let free = answer.scored.first()?;
    if free.m == m.chosen {
        return Some(Grade::new(free, free, &answer.best_move, is_short(answer)));
    }
    let only = store.get(judge, &m.root, budget, &Task::Only(m.chosen.clone()))?;
    let is_short = is_short(answer) || is_short(only);
    Some(Grade::new(free, only.scored.first()?, &answer.best_move, is_short))
}

/// Grades every move by the subject itself with a wider search: all moves with an open window where
/// the budget is a depth and it has `MultiPV`, else like a judge with the budget given. None for a move
/// that this search left without a score.
///
/// # Errors
/// As [`grade_moves`].
pub fn grade_by_itself(
    subject: &AuditEngine,
    moves: &[AuditMove],
    budget: Budget,
    work: &mut Work<'_>,
    watch: Watch<'_>,
) -> Result<Vec<Option<Grade>>, AuditError> {
    let most = moves.iter().map(|m| m.legal_moves).max().unwrap_or(1);
    if !is_wide(subject, budget, most) {
        let all: Vec<&AuditMove> = moves.iter().collect();
        let grades = grade_at(subject, &all, budget, "the subject itself", work, watch)?;
        return Ok(grades.into_iter().map(Some).collect());
    }
    let width = |m: &AuditMove| u32::try_from(m.legal_moves).unwrap_or(u32::MAX);
    let mut jobs: Vec<Job<'_>> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for m in moves.iter().filter(|m| seen.insert(m.root.key.as_str())) {
        jobs.push(Job { root: &m.root, budget, tasks: vec![Task::All(width(m))] });
    }
    work.search(subject, &jobs, "the subject itself", watch)?;
    let grade = |m: &AuditMove| {
        let answer = work.store.get(subject, &m.root, budget, &Task::All(width(m)))?;
        let chosen = answer.scored.iter().find(|scored| scored.m == m.chosen)?;
        let is_short = m.legal_moves > 1 && answer.is_short(budget);
        Some(Grade::new(answer.scored.first()?, chosen, &answer.best_move, is_short))
    };
    Ok(moves.iter().map(grade).collect())
}

/// Whether the subject scores all moves in one search. With nodes it does not: the search ends
/// between two depths, and moves of two depths cannot be compared.
#[must_use]
pub fn is_wide(subject: &AuditEngine, budget: Budget, most_moves: usize) -> bool {
    matches!(budget, Budget::Depth(_))
        && u32::try_from(most_moves).is_ok_and(|moves| subject.can_score(moves))
}
