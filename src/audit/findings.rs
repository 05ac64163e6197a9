//! The clauses counted over all moves, each with its own denominator and bound.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::conversion::{Conversion, ConversionEnd, WonMaterial, conversions, won_material};
use super::game::AuditGame;
use super::grade::MoveGrades;
use super::hint::HintVerdict;
use super::position::{AuditMove, Phase};
use super::quality::MoveQuality;
use super::rule::{Clause, Grade, Rule, Verdict};
use crate::rating::{ClusterCount, ClusteredMean, clustered_mean, clustered_upper_limit, upper_limit};

/// Everything that was found out about every move, in the order of the moves.
#[derive(Clone, Copy, Debug)]
pub struct Audited<'a> {
    /// The contract.
    pub rule: &'a Rule,
    /// The games.
    pub games: &'a [AuditGame],
    /// The moves.
    pub moves: &'a [AuditMove],
    /// Their grades by the judge.
    pub grades: &'a [MoveGrades],
    /// Their grades by the subject itself, where asked for.
    pub own_grades: Option<&'a [Option<Grade>]>,
    /// What the hint mode does.
    pub hint: &'a HintVerdict,
}

/// Which moves a count is of. Book moves and endgame moves are in `All` too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Every audited move.
    All,
    /// Moves from the subject's book.
    Book,
    /// Moves in endgames.
    Endgame,
}

/// One clause over one group of moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClauseCount {
    /// The clause.
    pub clause: Clause,
    /// The group.
    pub group: Group,
    /// Moves to which it applied.
    pub applied: u64,
    /// Of these, kept.
    pub kept: u64,
    /// Broken at the first budget.
    pub broken_first: u64,
    /// Broken in the end.
    pub broken: u64,
    /// Unresolved in the end.
    pub unresolved: u64,
    /// Moves that the judge's short searches leave without a verdict.
    pub not_judged: u64,
    /// Moves to which it did not apply, by reason.
    pub not_applicable: BTreeMap<&'static str, u64>,
    /// With 95 % confidence at most this share of moves is broken, moves being independent. An
    /// unresolved move counts as broken here.
    pub upper_limit: Option<f64>,
    /// The same where moves of one game may be broken together.
    pub clustered_upper_limit: Option<f64>,
    /// Games with a break or an unresolved move.
    pub games_broken: u64,
    /// Games in which it applied.
    pub games: u64,
}

/// Won endgames.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConversionCount {
    /// Games with one that ended by the rules.
    pub applied: u64,
    /// Of these, won by mate.
    pub kept: u64,
    /// Not won by mate.
    pub broken: u64,
    /// Games with one that ended before the rules ended them, by how.
    pub not_applicable: BTreeMap<String, u64>,
    /// With 95 % confidence at most this share of such games is not won.
    pub upper_limit: Option<f64>,
}

/// A clause by two rulers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Rulers {
    /// Broken by the judge and by the subject itself.
    pub both: u64,
    /// Broken by the judge alone.
    pub judge_only: u64,
    /// Broken by the subject's own search alone.
    pub itself_only: u64,
    /// Broken by neither, and applicable by either.
    pub neither: u64,
    /// The judge has no final verdict, or the subject's search no score.
    pub open: u64,
}

/// A move that breaks a promise or leaves it open.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding<'a> {
    /// The clause.
    pub clause: Clause,
    /// What the judge says in the end.
    pub verdict: Verdict,
    /// What it said at first.
    pub first: Verdict,
    /// What the subject's own search says, where asked.
    pub itself: Option<Verdict>,
    /// The move's index.
    #[serde(skip)]
    pub index: usize,
    /// Its game.
    pub game: &'a str,
    /// Its number.
    pub number: &'a str,
    /// The move.
    pub san: &'a str,
    /// The position.
    pub fen: &'a str,
    /// Whether it came from a book.
    pub book: bool,
    /// The grade with the largest budget.
    pub grade: &'a Grade,
}

/// The audit as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Overall {
    /// Nothing promised was broken or left open.
    Kept,
    /// Something was broken.
    Broken,
    /// Nothing was broken, something was left open.
    Unresolved,
    /// Over half of the moves were not judged, as the judge does not keep its limit: whatever the others
    /// say.
    NotJudged,
}

impl Group {
    /// All, in the order of reports.
    pub const ALL: [Self; 3] = [Self::All, Self::Book, Self::Endgame];

    fn has(self, m: &AuditMove) -> bool {
        match self {
            Self::All => true,
            Self::Book => m.book,
            Self::Endgame => m.phase == Phase::Endgame,
        }
    }
}

impl<'a> Audited<'a> {
    /// The final and the first verdict of a clause on each move.
    pub fn verdicts(&self, clause: Clause) -> impl Iterator<Item = (Verdict, Verdict)> {
        let rule = self.rule;
        self.moves.iter().zip(self.grades).map(move |(m, grades)| {
            let last = rule.final_verdict(clause, &grades.first, grades.larger.as_ref(), m.legal_moves);
            (last, rule.verdict(clause, &grades.first, m.legal_moves))
        })
    }

    /// What the subject's own search says of a clause on each move; none where it was not asked or gave
    /// no score.
    pub fn own_verdicts(&self, clause: Clause) -> impl Iterator<Item = Option<Verdict>> {
        let rule = self.rule;
        let own = self.own_grades;
        self.moves.iter().enumerate().map(move |(index, m)| {
            let grade = own?.get(index)?.as_ref()?;
            Some(rule.verdict(clause, grade, m.legal_moves))
        })
    }

    /// A clause over a group.
    #[must_use]
    pub fn count(&self, clause: Clause, group: Group) -> ClauseCount {
        let mut games: BTreeMap<usize, ClusterCount> = BTreeMap::new();
        let mut not_applicable = BTreeMap::new();
        let [mut kept, mut broken_first, mut broken, mut unresolved, mut not_judged] = [0_u64; 5];
        for (m, (last, first)) in self.moves.iter().zip(self.verdicts(clause)).filter(|(m, _)| group.has(m)) {
            if first == Verdict::Broken && last != Verdict::NotJudged {
                broken_first += 1;
            }
            let mut count = |successes| {
                let game = games.entry(m.cluster).or_default();
                game.trials += 1;
                game.successes += successes;
            };
            match last {
                Verdict::Kept => {
                    kept += 1;
                    count(0);
                }
                Verdict::Broken => {
                    broken += 1;
                    count(1);
                }
                Verdict::Unresolved => {
                    unresolved += 1;
                    count(1);
                }
                Verdict::NotJudged => not_judged += 1,
                Verdict::NotApplicable(reason) => *not_applicable.entry(reason.words()).or_insert(0) += 1,
            }
        }
        let games: Vec<ClusterCount> = games.into_values().collect();
        let applied = kept + broken + unresolved;
        ClauseCount {
            clause,
            group,
            applied,
            kept,
            broken_first,
            broken,
            unresolved,
            not_judged,
            not_applicable,
            upper_limit: upper_limit(broken + unresolved, applied),
            clustered_upper_limit: clustered_upper_limit(&games),
            games_broken: games.iter().filter(|game| game.successes > 0).count() as u64,
            games: games.len() as u64,
        }
    }

    /// The won endgames.
    #[must_use]
    pub fn conversions(&self) -> Vec<Conversion> {
        conversions(self.rule, self.games, self.moves, self.grades)
    }

    /// The won endgames, counted.
    #[must_use]
    pub fn conversion_count(&self) -> ConversionCount {
        let (mut kept, mut broken, mut not_applicable) = (0, 0, BTreeMap::new());
        for conversion in self.conversions() {
            match conversion.end {
                ConversionEnd::Mated => kept += 1,
                ConversionEnd::NotWon(_) => broken += 1,
                ConversionEnd::Early(how) => *not_applicable.entry(how).or_insert(0) += 1,
            }
        }
        let applied = kept + broken;
        ConversionCount { applied, kept, broken, not_applicable, upper_limit: upper_limit(broken, applied) }
    }

    /// The positions with won material, by what the judge says of them.
    #[must_use]
    pub fn won_material(&self) -> WonMaterial {
        won_material(self.rule, self.moves, self.grades)
    }

    /// The numbers of each move at the first budget; none for a move that was not judged.
    #[must_use]
    pub fn numbers(&self) -> Vec<Option<MoveQuality>> {
        self.grades.iter().map(|grades| grades.is_judged().then(|| MoveQuality::of(&grades.first))).collect()
    }

    /// How many moves were not judged, since a search for them used less than a tenth of its limit.
    #[must_use]
    pub fn not_judged(&self) -> u64 {
        self.grades.iter().filter(|grades| !grades.is_judged()).count() as u64
    }

    /// How often the subject takes back where it can: a measure, no promise.
    #[must_use]
    pub fn recaptures(&self) -> Option<ClusteredMean> {
        let mut games: BTreeMap<usize, (f64, u64)> = BTreeMap::new();
        for (m, taken) in self.moves.iter().filter_map(|m| Some((m, m.recaptured?))) {
            let game = games.entry(m.cluster).or_default();
            game.0 += if taken { 1.0 } else { 0.0 };
            game.1 += 1;
        }
        clustered_mean(&games.into_values().collect::<Vec<_>>()).map(|mean| mean.within(0.0, 1.0))
    }

    /// How many games have a move in this audit.
    #[must_use]
    pub fn game_count(&self) -> usize {
        self.moves.iter().map(|m| m.cluster).collect::<BTreeSet<_>>().len()
    }

    /// A clause by the judge and by the subject itself.
    #[must_use]
    pub fn rulers(&self, clause: Clause) -> Rulers {
        let mut rulers = Rulers::default();
        for ((last, _), own) in self.verdicts(clause).zip(self.own_verdicts(clause)) {
            let place = match (last, own) {
                (Verdict::Unresolved | Verdict::NotJudged, _)
                | (_, None | Some(Verdict::Unresolved | Verdict::NotJudged)) => &mut rulers.open,
                (Verdict::Broken, Some(Verdict::Broken)) => &mut rulers.both,
                (Verdict::Broken, _) => &mut rulers.judge_only,
                (_, Some(Verdict::Broken)) => &mut rulers.itself_only,
                (Verdict::NotApplicable(_), Some(Verdict::NotApplicable(_))) => continue,
                _ => &mut rulers.neither,
            };
            *place += 1;
        }
        rulers
    }

    /// The moves that break a promise or leave it open, in the order of the moves.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding<'a>> {
        let mut found = Vec::new();
        for clause in Clause::ALL.into_iter().filter(|clause| clause.is_promised()) {
            let verdicts = self.verdicts(clause).zip(self.own_verdicts(clause)).enumerate();
            for (index, ((verdict, first), itself)) in verdicts {
                if !matches!(verdict, Verdict::Broken | Verdict::Unresolved) {
                    continue;
                }
                let (Some(m), Some(grades)) = (self.moves.get(index), self.grades.get(index)) else {
                    continue;
                };
                found.push(Finding {
                    clause,
                    verdict,
                    first,
                    itself,
                    index,
                    game: self.games.get(m.game).map_or("", |game| game.name.as_str()),
                    number: &m.number,
                    san: &m.san,
                    fen: &m.root.fen,
                    book: m.book,
                    grade: grades.last(),
                });
            }
        }
        found.sort_by_key(|finding| (finding.index, finding.clause));
        found
    }

    /// Whether a move broke a clause, or a won endgame was not won.
    #[must_use]
    pub fn is_broken_by_moves(&self) -> bool {
        self.promised().any(|count| count.broken > 0) || self.conversion_count().broken > 0
    }

    fn promised(&self) -> impl Iterator<Item = ClauseCount> {
        let promised = Clause::ALL.into_iter().filter(|clause| clause.is_promised());
        promised.map(|clause| self.count(clause, Group::All))
    }

    /// The audit as a whole: every promised clause on every move, won endgames, the hint.
    #[must_use]
    pub fn overall(&self) -> Overall {
        if is_most(self.not_judged(), self.moves.len()) {
            Overall::NotJudged
        } else if self.is_broken_by_moves() || self.hint.is_broken() {
            Overall::Broken
        } else if self.promised().any(|count| count.unresolved > 0) {
            Overall::Unresolved
        } else {
            Overall::Kept
        }
    }
}

/// Whether these are over half of so many moves.
#[must_use]
pub fn is_most(count: u64, moves: usize) -> bool {
    count.saturating_mul(2) > moves as u64
}
