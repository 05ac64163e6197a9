//! Tests of the clauses.

use super::engine::ScoredMove;
use super::rule::{Clause, Grade, Reason, Rule, Verdict};
use crate::chess::{Bound, Score};

fn scored(m: &str, score: Score) -> ScoredMove {
    ScoredMove { m: m.to_owned(), score, bound: Bound::Exact, wdl: None, depth: None, then: Vec::new() }
}

/// The free search's score and the chosen move's.
fn grade(free: Score, chosen: Score) -> Grade {
    Grade::new(&scored("e2e4", free), &scored("d2d4", chosen), "e2e4", false)
}

fn verdicts(free: Score, chosen: Score) -> [Verdict; 4] {
    Clause::ALL.map(|clause| Rule::default().verdict(clause, &grade(free, chosen), 20))
}

const NO_MATE: Verdict = Verdict::NotApplicable(Reason::NoMate);
const MATE_SCORE: Verdict = Verdict::NotApplicable(Reason::MateScore);

#[test]
fn a_drop_of_exactly_the_limit_is_kept() {
    use Verdict::{Broken, Kept};
    assert_eq!(verdicts(Score::Cp(100), Score::Cp(-200)), [Kept, Kept, NO_MATE, NO_MATE]);
    assert_eq!(verdicts(Score::Cp(100), Score::Cp(-201)), [Broken, Kept, NO_MATE, NO_MATE]);
    // The whole range of the protocol, without overflow.
    assert_eq!(grade(Score::Cp(i32::MAX), Score::Cp(i32::MIN)).drop_cp(), Some(u32::MAX));
}

#[test]
fn the_larger_of_the_two_searches_is_best() {
    let grade = grade(Score::Cp(10), Score::Cp(60));
    assert_eq!((grade.best.m.as_str(), grade.drop_cp()), ("d2d4", Some(0)));
}

#[test]
fn mates_are_judged_by_their_own_clauses() {
    use Verdict::{Broken, Kept, NotApplicable};
    // Walks into a mate, from any score.
    for best in [Score::Cp(500), Score::Cp(-2000)] {
        assert_eq!(verdicts(best, Score::Mate(-3)), [MATE_SCORE, Broken, NO_MATE, NO_MATE]);
    }
    // Lets a mate go; plays it slower; plays it.
    let not_kept = NotApplicable(Reason::MateNotKept);
    assert_eq!(verdicts(Score::Mate(2), Score::Cp(900)), [MATE_SCORE, Kept, Broken, not_kept]);
    assert_eq!(verdicts(Score::Mate(2), Score::Mate(5)), [MATE_SCORE, Kept, Kept, Broken]);
    assert_eq!(verdicts(Score::Mate(2), Score::Mate(2)), [MATE_SCORE, Kept, Kept, Kept]);
    // Mates and is mated instead.
    assert_eq!(verdicts(Score::Mate(2), Score::Mate(-1)), [MATE_SCORE, Broken, Broken, not_kept]);
    // Mated whatever it does.
    let mated = NotApplicable(Reason::MatedAnyway);
    assert_eq!(verdicts(Score::Mate(-9), Score::Mate(-1)), [MATE_SCORE, mated, NO_MATE, NO_MATE]);
}

#[test]
fn an_only_move_breaks_nothing_and_a_bound_settles_nothing() {
    let rule = Rule::default();
    let bad = grade(Score::Cp(0), Score::Cp(-900));
    assert_eq!(rule.verdict(Clause::Drop, &bad, 1), Verdict::NotApplicable(Reason::OnlyMove));
    assert!(!rule.is_doubtful(&bad, 1));
    let mut bounded = bad.clone();
    bounded.chosen.bound = Bound::Upper;
    assert_eq!(rule.verdict(Clause::Drop, &bounded, 20), Verdict::Unresolved);
    assert!(rule.is_doubtful(&bounded, 20));
}

#[test]
fn what_is_near_the_limit_or_looks_broken_is_doubtful() {
    let rule = Rule::default();
    let doubtful = |drop: i32| rule.is_doubtful(&grade(Score::Cp(0), Score::Cp(-drop)), 20);
    assert_eq!(
        [0, 199, 200, 300, 301, 400, 401, 5000].map(doubtful),
        [false, false, true, true, true, true, true, true]
    );
    assert!(rule.is_doubtful(&grade(Score::Mate(3), Score::Cp(500)), 20));
    assert!(!rule.is_doubtful(&grade(Score::Mate(3), Score::Mate(5)), 20));
}

#[test]
fn the_last_word_is_what_both_larger_searches_say() {
    use Verdict::{Broken, Kept, Unresolved};
    let rule = Rule::default();
    let at = |drop: i32| grade(Score::Cp(0), Score::Cp(-drop));
    let last =
        |first, middle, last| rule.final_verdict(Clause::Drop, &at(first), Some(&[at(middle), at(last)]), 20);
    assert_eq!(last(310, 100, 120), Kept);
    assert_eq!(last(250, 320, 330), Broken);
    assert_eq!(last(310, 320, 290), Unresolved);
    assert_eq!(rule.final_verdict(Clause::Drop, &at(310), None, 20), Broken);
    // A drop that turns out to be a mate belongs to the other clause.
    let mate = grade(Score::Cp(0), Score::Mate(-9));
    let larger = [mate.clone(), mate];
    assert_eq!(rule.final_verdict(Clause::Drop, &at(310), Some(&larger), 20), MATE_SCORE);
    assert_eq!(rule.final_verdict(Clause::AllowsMate, &at(310), Some(&larger), 20), Broken);
    // A mate that only the larger searches see was not there to be played.
    let seen = [grade(Score::Mate(9), Score::Cp(0)), grade(Score::Mate(9), Score::Cp(0))];
    assert_eq!(rule.final_verdict(Clause::MissedMate, &at(310), Some(&seen), 20), NO_MATE);
}
