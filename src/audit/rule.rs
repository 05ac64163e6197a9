//! The contract of a fallible player, clause by clause: what each is about, and whether one move
//! keeps it.
//!
//! A drop is taken between two scores in centipawns; where either is a mate the clauses on mates
//! speak and the drop does not apply. So no mate is ever folded into a number here.

use serde::{Deserialize, Serialize};

use super::engine::ScoredMove;
use super::scores::score_order;
use crate::chess::{Bound, Score};

/// What a subject promised, in centipawns of the judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// A move that loses more than this is a break; exactly this is kept.
    pub limit_cp: u32,
    /// A drop this near to the limit, on either side, is searched again with a larger budget.
    pub near_cp: u32,
    /// A won endgame is won by material, and the judge gives it at least so many wins in a thousand, or
    /// a mate.
    pub won_wins: u32,
    /// Where the judge gives no win, draw and loss, at least this score in place of wins.
    pub won_cp: i32,
}

impl Default for Rule {
    /// The rule of AL-1600: 300.
    fn default() -> Self {
        Self { limit_cp: 300, near_cp: 100, won_wins: 950, won_cp: 400 }
    }
}

/// What is asked of every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Clause {
    /// No move loses more than the limit.
    Drop,
    /// No move allows a forced mate that the best move avoids.
    AllowsMate,
    /// A forced mate that is there is played: the move keeps one.
    MissedMate,
    /// The mate is played as fast as can be. A measure: nobody promised it.
    DelayedMate,
}

/// Why a clause does not apply to a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// No other move was legal.
    OnlyMove,
    /// A score is a mate, which is no number of centipawns: the clauses on mates speak.
    MateScore,
    /// Every move is mated.
    MatedAnyway,
    /// There is no forced mate to play.
    NoMate,
    /// The mate was not kept, which is another clause.
    MateNotKept,
}

/// What a clause says of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "verdict", content = "reason", rename_all = "snake_case")]
pub enum Verdict {
    /// As promised.
    Kept,
    /// Not.
    Broken,
    /// The judge does not agree with itself at the larger budgets, or gives only bounds.
    Unresolved,
    /// Nothing was promised here.
    NotApplicable(Reason),
    /// A search for it used less than a tenth of its limit.
    NotJudged,
}

/// A move against the best one, by one judge at one root and budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Grade {
    /// The move that scores best: the larger of the free search and the search of the chosen move.
    pub best: ScoredMove,
    /// The chosen move.
    pub chosen: ScoredMove,
    /// The move the judge itself would play.
    pub judge_move: String,
    /// Whether a search for it used less than a tenth of its limit without a reason to stop (a mate, a
    /// tablebase, one legal move): then it says nothing.
    #[serde(skip)]
    pub is_short: bool,
}

/// How a position compares with what counts as won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WonBy {
    /// A mate.
    Mate,
    /// The judge's wins in a thousand.
    Wins,
    /// The judge's centipawns, as it gives no win, draw and loss.
    Centipawns,
}

impl Clause {
    /// All, in the order of reports.
    pub const ALL: [Self; 4] = [Self::Drop, Self::AllowsMate, Self::MissedMate, Self::DelayedMate];

    /// Whether a break of it breaks the contract.
    #[must_use]
    pub fn is_promised(self) -> bool {
        self != Self::DelayedMate
    }

    /// The word in tables and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Drop => "drop",
            Self::AllowsMate => "allows_mate",
            Self::MissedMate => "missed_mate",
            Self::DelayedMate => "delayed_mate",
        }
    }
}

impl Reason {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::OnlyMove => "only move",
            Self::MateScore => "a score is a mate",
            Self::MatedAnyway => "mated anyway",
            Self::NoMate => "no mate to play",
            Self::MateNotKept => "mate not kept",
        }
    }
}

impl Verdict {
    /// The word in tables and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Broken => "broken",
            Self::Unresolved => "unresolved",
            Self::NotApplicable(_) => "not_applicable",
            Self::NotJudged => "not_judged",
        }
    }

    /// Whether the clause applied.
    #[must_use]
    pub fn applies(self) -> bool {
        !matches!(self, Self::NotApplicable(_) | Self::NotJudged)
    }
}

impl Grade {
    /// From the scores of a free search and of the chosen move, at the same root and budget.
    pub(super) fn new(free: &ScoredMove, chosen: &ScoredMove, judge_move: &str, is_short: bool) -> Self {
        let best = if score_order(chosen.score) > score_order(free.score) { chosen } else { free };
        Self { best: best.clone(), chosen: chosen.clone(), judge_move: judge_move.to_owned(), is_short }
    }

    /// What the chosen move loses in centipawns, never negative; none where a score is a mate.
    #[must_use]
    pub fn drop_cp(&self) -> Option<u32> {
        match (self.best.score, self.chosen.score) {
            (Score::Cp(best), Score::Cp(chosen)) => Some(best.abs_diff(chosen)),
            _ => None,
        }
    }

    /// Whether both scores are values and not bounds.
    fn is_exact(&self) -> bool {
        self.best.bound == Bound::Exact && self.chosen.bound == Bound::Exact
    }
}

impl Rule {
    /// Whether the mover of a position has won by the judge's best score, and by which measure.
    #[must_use]
    pub fn is_won(&self, grade: &Grade) -> (bool, WonBy) {
        let best = &grade.best;
        match (best.score, best.wdl) {
            (Score::Mate(moves), _) => (moves > 0, WonBy::Mate),
            (Score::Cp(_), Some([wins, ..])) => (wins >= self.won_wins, WonBy::Wins),
            (Score::Cp(value), None) => (value >= self.won_cp, WonBy::Centipawns),
        }
    }

    /// What one clause says of a move with so many legal ones, by one search.
    #[must_use]
    pub fn verdict(&self, clause: Clause, grade: &Grade, legal_moves: usize) -> Verdict {
        if legal_moves <= 1 {
            return Verdict::NotApplicable(Reason::OnlyMove);
        }
        if grade.is_short {
            return Verdict::NotJudged;
        }
        let mates = |score| matches!(score, Score::Mate(moves) if moves > 0);
        let mated = |score| matches!(score, Score::Mate(moves) if moves <= 0);
        let (best, chosen) = (grade.best.score, grade.chosen.score);
        let broken = match clause {
            Clause::Drop => match grade.drop_cp() {
                None => return Verdict::NotApplicable(Reason::MateScore),
                Some(drop) => drop > self.limit_cp,
            },
            Clause::AllowsMate if mated(best) => return Verdict::NotApplicable(Reason::MatedAnyway),
            Clause::AllowsMate => mated(chosen),
            Clause::MissedMate | Clause::DelayedMate if !mates(best) => {
                return Verdict::NotApplicable(Reason::NoMate);
            }
            Clause::MissedMate => !mates(chosen),
            Clause::DelayedMate if !mates(chosen) => return Verdict::NotApplicable(Reason::MateNotKept),
            Clause::DelayedMate => score_order(chosen) < score_order(best),
        };
        match (grade.is_exact(), broken) {
            (false, _) => Verdict::Unresolved,
            (true, true) => Verdict::Broken,
            (true, false) => Verdict::Kept,
        }
    }

    /// Whether a move is to be searched again with larger budgets: a promise looks broken, a drop lies
    /// near the limit, or a score is only a bound.
    #[must_use]
    pub fn is_doubtful(&self, grade: &Grade, legal_moves: usize) -> bool {
        let promised = Clause::ALL.into_iter().filter(|clause| clause.is_promised());
        let mut verdicts = promised.map(|clause| self.verdict(clause, grade, legal_moves));
        let near = grade.drop_cp().is_some_and(|drop| drop.abs_diff(self.limit_cp) <= self.near_cp);
        (near && legal_moves > 1)
            || verdicts.any(|verdict| matches!(verdict, Verdict::Broken | Verdict::Unresolved))
    }

    /// What a clause says in the end: without larger searches as at first; with them what both of them
    /// say. Where they differ the verdict is unresolved. A mate that was not there at first was not
    /// there to be played.
    #[must_use]
    pub fn final_verdict(
        &self,
        clause: Clause,
        first: &Grade,
        larger: Option<&[Grade; 2]>,
        legal_moves: usize,
    ) -> Verdict {
        let at_first = self.verdict(clause, first, legal_moves);
        let Some([middle, last]) = larger else { return at_first };
        if legal_moves > 1 && (first.is_short || middle.is_short || last.is_short) {
            return Verdict::NotJudged;
        }
        if matches!(at_first, Verdict::NotApplicable(Reason::NoMate | Reason::MateNotKept | Reason::OnlyMove))
        {
            return at_first;
        }
        let [middle, last] = [middle, last].map(|grade| self.verdict(clause, grade, legal_moves));
        match (middle, last) {
            (_, Verdict::NotApplicable(reason)) => Verdict::NotApplicable(reason),
            (Verdict::NotApplicable(_), last) => last,
            (middle, last) if middle == last => last,
            _ => Verdict::Unresolved,
        }
    }
}
