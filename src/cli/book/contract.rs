//! Holding a book's moves to the contract, as `elometer audit` does with moves that were played.

use crate::arena::Stop;
use crate::audit::{
    AuditEngine, AuditGame, AuditMove, BudgetUse, Clause, MoveGrades, Role, Rule, SearchTime, Searcher,
    Store, Task, Verdict, Work, audit_moves, grade_moves, is_most,
};
use crate::chess::{Chess, Move, StartPosition, position_name};
use crate::cli::audit::{at_once, deadlines, start, used_words};
use crate::cli::engine_setup::SetupArguments;
use crate::cli::exit::{Exit, Failure};
use crate::cli::print::count;
use crate::cli::progress::WorkProgress;
use crate::uci::process::Budget;

/// Who grades, by what.
pub(super) struct Contract {
    judge: AuditEngine,
    budget: Budget,
    rule: Rule,
}

impl Contract {
    /// Starts the engine that grades; one that gives hints gives its hints.
    pub(super) fn start(
        engine: &str,
        setup: &SetupArguments,
        options: &[(String, String)],
        budget: Budget,
        limit_cp: u32,
    ) -> Result<Self, Failure> {
        let setup = setup.setup(engine, &[], deadlines(None));
        let judge = start(setup, "--option", options, Role::Judge, &[], "--file")?;
        Ok(Self { judge, budget, rule: Rule { limit_cp, ..Rule::default() } })
    }

    /// The name the engine gave.
    pub(super) fn judge_name(&self) -> &str {
        self.judge.name()
    }

    /// What each of the moves does that keeps it out of a book, in their order.
    pub(super) fn breaches(&self, moves: &[(&Chess, Move)]) -> Result<Vec<Option<String>>, Failure> {
        let games = moves.iter().enumerate().map(|(number, (position, m))| {
            // Counters of our own: those of the position come from whichever game reached it first.
            let start = StartPosition::from_fen(&format!("{} 0 1", position_name(position)));
            let start = start.map_err(|error| Failure::new(Exit::Internal, error))?;
            Ok(AuditGame::of_position(number, start, *m, None, true))
        });
        let moves = audit_moves(&games.collect::<Result<Vec<_>, Failure>>()?);
        let workers = at_once(self.judge.threads());
        let mut progress = WorkProgress::new(workers);
        let (mut store, stop) = (Store::default(), Stop::default());
        let mut work = Work { store: &mut store, workers, stop: &stop, time: SearchTime::default() };
        let watch = &mut |event| progress.show(&event);
        let grades = grade_moves(&self.judge, &moves, self.budget, &self.rule, &mut work, watch)?;
        progress.finish();
        self.judge.check_files()?;
        let not_judged = grades.iter().filter(|grades| !grades.is_judged()).count() as u64;
        if is_most(not_judged, moves.len()) {
            let searched =
                BudgetUse::of(&store, &self.judge, Searcher::Judge, &moves, self.budget, |_| Task::Free);
            let searched = searched.map(|used| format!(" ({})", used_words(&used))).unwrap_or_default();
            let error = anyhow::anyhow!(
                "{} does not keep its limit{searched}: {not_judged} of {} not judged\nhint: bound it by what it keeps \
                 (--depth or --nodes), or name another engine with --contract",
                self.judge.name(),
                count(moves.len(), "move")
            );
            return Err(Failure::new(Exit::Inconclusive, error));
        }
        Ok(moves.iter().zip(&grades).map(|(m, grades)| breach(&self.rule, m, grades)).collect())
    }
}

/// What keeps a move out of a book: a promise broken in the end, or left open.
fn breach(rule: &Rule, m: &AuditMove, grades: &MoveGrades) -> Option<String> {
    if !grades.is_judged() {
        return Some("not judged".to_owned());
    }
    let last = |clause: Clause| {
        let verdict = rule.final_verdict(clause, &grades.first, grades.larger.as_ref(), m.legal_moves);
        (clause.is_promised(), verdict)
    };
    match Clause::ALL.into_iter().find(|clause| last(*clause) == (true, Verdict::Broken)) {
        Some(Clause::AllowsMate) => Some("allows mate".to_owned()),
        Some(Clause::MissedMate) => Some("misses mate".to_owned()),
        Some(Clause::Drop | Clause::DelayedMate) => {
            Some(format!("drop {}", grades.last().drop_cp().unwrap_or_default()))
        }
        None => Clause::ALL
            .into_iter()
            .any(|clause| last(clause) == (true, Verdict::Unresolved))
            .then(|| "unresolved".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{Grade, ScoredMove};
    use crate::chess::{Bound, Position as _, Score};

    fn grade(best: Score, chosen: Score, bound: Bound) -> Grade {
        let scored = |m: &str, score, bound| ScoredMove {
            m: m.to_owned(),
            score,
            bound,
            wdl: None,
            depth: None,
            then: Vec::new(),
        };
        Grade {
            best: scored("e2e4", best, Bound::Exact),
            chosen: scored("f2f3", chosen, bound),
            judge_move: "e2e4".to_owned(),
            is_short: false,
        }
    }

    fn breach_of(first: Grade, larger: Option<[Grade; 2]>) -> Option<String> {
        let start = StartPosition::standard();
        let m = *start.position().legal_moves().first().unwrap();
        let moves = audit_moves(&[AuditGame::of_position(0, start, m, None, true)]);
        breach(&Rule::default(), &moves[0], &MoveGrades { first, larger })
    }

    #[test]
    fn the_last_word_counts_as_in_an_audit() {
        let drop = |drop: i32| grade(Score::Cp(0), Score::Cp(-drop), Bound::Exact);
        let after = |first, middle, last| breach_of(drop(first), Some([drop(middle), drop(last)]));
        assert_eq!(breach_of(drop(100), None), None);
        assert_eq!(after(310, 100, 120), None);
        assert_eq!(after(300, 300, 300), None, "exactly the limit is kept");
        assert_eq!(after(250, 320, 330), Some("drop 330".to_owned()));
        assert_eq!(after(310, 320, 290), Some("unresolved".to_owned()));
        let bound = grade(Score::Cp(0), Score::Cp(-20), Bound::Upper);
        let bounds = [bound.clone(), bound.clone()];
        assert_eq!(breach_of(bound, Some(bounds)), Some("unresolved".to_owned()));
    }

    #[test]
    fn mates_are_clauses_of_their_own_and_a_delay_is_none() {
        let of = |best, chosen| {
            let grade = grade(best, chosen, Bound::Exact);
            breach_of(grade.clone(), Some([grade.clone(), grade]))
        };
        assert_eq!(of(Score::Cp(-900), Score::Mate(-2)), Some("allows mate".to_owned()));
        assert_eq!(of(Score::Mate(3), Score::Cp(2000)), Some("misses mate".to_owned()));
        assert_eq!(of(Score::Mate(3), Score::Mate(5)), None);
        assert_eq!(of(Score::Mate(-4), Score::Mate(-2)), None, "every move allows it");
    }
}
