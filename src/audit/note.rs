//! What a reader should know beside the numbers: who the judge is, whether it kept its limit, which
//! positions a threshold leaves out. Facts; the words are the command's.

use serde::{Deserialize, Serialize};

use super::conversion::WonMaterial;
use super::engine::{AuditEngine, Task};
use super::position::AuditMove;
use super::rule::Rule;
use super::store::Store;
use crate::arena::Limits;
use crate::ladder::{Identity, IdentityPart};
use crate::uci::process::{Asked, Budget, LimitConcern, LimitFacts, LimitTally, LimitUse};

/// Who searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Searcher {
    /// The independent judge.
    Judge,
    /// The subject as its own judge.
    Itself,
    /// The subject, answering positions.
    Subject,
    /// The subject's hint mode.
    Hint,
}

/// What the free searches of one engine at one budget used of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetUse {
    /// Who searched.
    pub searcher: Searcher,
    /// The budget of each search.
    pub budget: Budget,
    /// What was used. Searches that had a reason to stop early are left out.
    pub limits: LimitFacts,
}

/// Whether the judge is the subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "relation", rename_all = "snake_case")]
pub enum Independence {
    /// Another program of another name.
    Other,
    /// The same program, files and arguments: what it says is self-consistency.
    Same {
        /// Options and limits that differ; the judge's values first.
        differences: Vec<IdentityPart>,
    },
    /// The same program, started otherwise: with other arguments, files or runtime.
    SameProgram {
        /// All that differs; the judge's values first.
        differences: Vec<IdentityPart>,
    },
    /// Another program or an unknown one, which has the judge's name.
    SameName,
    /// The subject's program is not known.
    Unknown,
}

/// Something to know. Each has a stable code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum AuditNote {
    /// Searches used much less or much more than their limit, or did not tell.
    Limit {
        /// What was used.
        #[serde(flatten)]
        used: BudgetUse,
        /// What is to be said of it.
        concern: LimitConcern,
    },
    /// Moves were not judged.
    NotJudged {
        /// Moves without a verdict.
        moves: u64,
        /// All audited moves.
        of: u64,
    },
    /// The judge is the subject's program.
    JudgeIsSubject {
        /// Options and limits that differ; the judge's values first.
        differences: Vec<IdentityPart>,
    },
    /// The judge is the subject's program, started otherwise.
    JudgeIsSubjectsProgram {
        /// All that differs; the judge's values first.
        differences: Vec<IdentityPart>,
    },
    /// The judge has the subject's name, and nothing tells whether it is the same program.
    JudgeHasName {
        /// The subject's name in the input.
        name: String,
    },
    /// The judge's strength is limited.
    JudgeLimited {
        /// `UCI_LimitStrength` or `Skill Level`, as the judge spells it.
        option: String,
        /// With this value.
        value: String,
    },
    /// Material calls positions won that the judge's threshold leaves out.
    WonMaterial {
        /// Positions and games, by what the judge calls them.
        #[serde(flatten)]
        material: WonMaterial,
        /// The threshold in wins of a thousand.
        wins: u32,
        /// The threshold in centipawns.
        centipawns: i32,
    },
}

impl BudgetUse {
    /// What the searches of `task` at the moves' positions used, out of the kept answers; none where
    /// nothing was searched.
    #[must_use]
    pub fn of<'a>(
        store: &Store,
        engine: &AuditEngine,
        searcher: Searcher,
        moves: impl IntoIterator<Item = &'a AuditMove>,
        budget: Budget,
        task: impl Fn(&AuditMove) -> Task,
    ) -> Option<Self> {
        let asked = Asked::from(budget);
        let mut tally = LimitTally::new(asked);
        let mut seen = std::collections::BTreeSet::new();
        for m in moves.into_iter().filter(|m| seen.insert(m.root.key.as_str())) {
            let Some(answer) = store.get(engine, &m.root, budget, &task(m)) else { continue };
            let is_below = asked.use_by(&answer.searched()) == Some(LimitUse::Below);
            let may_stop = m.legal_moves <= 1 || !answer.is_short(budget);
            if !(is_below && may_stop) {
                tally.add(&answer.searched());
            }
        }
        Some(Self { searcher, budget, limits: tally.facts()? })
    }

    /// The note, where there is a concern.
    #[must_use]
    pub fn note(&self) -> Option<AuditNote> {
        Some(AuditNote::Limit { used: *self, concern: self.limits.concern()? })
    }
}

impl Independence {
    /// Compares the judge with the subject's program, or with its name where no program is known.
    #[must_use]
    pub fn of(judge: &Identity, subject: Option<&Identity>, name: &str) -> Self {
        let has_name =
            |name: &str| judge.program.id_name.as_deref().is_some_and(|id| id.eq_ignore_ascii_case(name));
        let Some(subject) = subject else {
            return if has_name(name) { Self::SameName } else { Self::Unknown };
        };
        let digests = |identity: &Identity| {
            let mut digests: Vec<String> = identity.program.files_sha256.values().cloned().collect();
            digests.sort();
            digests
        };
        let (ours, theirs) = (&judge.program, &subject.program);
        let runs_alike = match (&ours.runtime, &theirs.runtime) {
            (Some(ours), Some(theirs)) => ours == theirs,
            _ => true,
        };
        let is_same = ours.program_sha256 == theirs.program_sha256
            && ours.id_name == theirs.id_name
            && runs_alike
            && digests(judge) == digests(subject)
            && judge.arguments == subject.arguments;
        let mut differences = judge.differences(subject);
        if !is_same {
            return match theirs.id_name.as_deref().filter(|name| has_name(name)) {
                Some(_) if ours.program_sha256 == theirs.program_sha256 => Self::SameProgram { differences },
                Some(_) => Self::SameName,
                None => Self::Other,
            };
        }
        differences.retain(|part| match part {
            IdentityPart::Option { .. } => true,
            // Of a program that did not play before our eyes nobody knows the limits.
            IdentityPart::Limits { values } => values.iter().all(|limits| *limits != Limits::default()),
            _ => false,
        });
        Self::Same { differences }
    }

    /// Whether the judge is the subject's program.
    #[must_use]
    pub fn is_same(&self) -> bool {
        matches!(self, Self::Same { .. })
    }

    /// The note, where there is something to say; `name` is the subject's.
    #[must_use]
    pub fn note(&self, name: &str) -> Option<AuditNote> {
        match self {
            Self::Same { differences } => {
                Some(AuditNote::JudgeIsSubject { differences: differences.clone() })
            }
            Self::SameProgram { differences } => {
                Some(AuditNote::JudgeIsSubjectsProgram { differences: differences.clone() })
            }
            Self::SameName => Some(AuditNote::JudgeHasName { name: name.to_owned() }),
            Self::Other | Self::Unknown => None,
        }
    }
}

impl WonMaterial {
    /// The note, where material calls positions won that the judge does not.
    #[must_use]
    pub fn note(&self, rule: &Rule) -> Option<AuditNote> {
        (self.below() > 0).then_some(AuditNote::WonMaterial {
            material: *self,
            wins: rule.won_wins,
            centipawns: rule.won_cp,
        })
    }
}
