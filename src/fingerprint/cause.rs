//! What the pattern of differing rows suggests of their cause.

use serde::{Deserialize, Serialize};

use super::compare::RowComparison;
use super::row::{Column, Row};

/// A difference of scores up to this many centipawns is small.
const SMALL_CP: i64 = 10;
/// From this share of rows on, in percent, all count as different.
const NEARLY_ALL_PERCENT: usize = 90;
/// Where more than this share of the later rows differs, one equal row at the start is no chance.
const ALL_BUT_FEW_PERCENT: usize = 95;

/// The class of a difference. It is what the pattern suggests, no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Cause {
    /// Only sentences differ.
    Words,
    /// Only node counts differ.
    Nodes,
    /// Only scores differ, each by at most ten centipawns.
    SmallScores,
    /// Nearly all rows differ, from the first on.
    Everything,
    /// The first rows are equal, nearly all differ from some row on.
    FromSomeRowOn,
    /// Rows here and there.
    HereAndThere,
    /// Answers differ, and of one engine only the launcher is identified.
    BehindLauncher,
}

impl Cause {
    /// The class of these rows, which `comparison` compared; `None` when they are equal.
    pub(super) fn of(a: &[Row], b: &[Row], comparison: &RowComparison) -> Option<Self> {
        let first = *comparison.differing.first()?;
        let only = |wanted: &[Column]| comparison.columns.keys().all(|column| wanted.contains(column));
        if only(&[Column::Sentence]) {
            return Some(Self::Words);
        }
        if only(&[Column::Nodes]) {
            return Some(Self::Nodes);
        }
        if only(&[Column::Score]) && a.iter().zip(b).all(|(a, b)| scores_are_close(a, b)) {
            return Some(Self::SmallScores);
        }
        let later = comparison.rows.saturating_sub(first);
        let at_least = |percent: usize| comparison.differing.len() * 100 >= later * percent;
        Some(if !at_least(NEARLY_ALL_PERCENT) || later == 1 {
            Self::HereAndThere
        } else if first > 1 || (first == 1 && at_least(ALL_BUT_FEW_PERCENT)) {
            Self::FromSomeRowOn
        } else {
            Self::Everything
        })
    }

    /// The class where only the launcher of an engine is identified: a pattern of answers then says
    /// nothing of chance, state or rounding, since the engines may be two.
    pub(super) fn behind_launcher(self) -> Self {
        match self {
            Self::Words | Self::Nodes => self,
            Self::SmallScores
            | Self::Everything
            | Self::FromSomeRowOn
            | Self::HereAndThere
            | Self::BehindLauncher => Self::BehindLauncher,
        }
    }

    /// What the class suggests, in a sentence.
    #[must_use]
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Words => "only the words differ: the search is the same, what is said of it is not",
            Self::Nodes => {
                "only node counts differ: nodes are counted otherwise, or work was done that changed no answer"
            }
            Self::SmallScores => {
                "only scores differ, by ten centipawns at most: suggests floating point, or another rounding"
            }
            Self::Everything => {
                "nearly all rows differ, from the start on: suggests another build, option, network or limit"
            }
            Self::FromSomeRowOn => {
                "the first rows are equal, nearly all others differ: suggests state carried over from one \
                 position to the next"
            }
            Self::HereAndThere => {
                "rows here and there differ: suggests chance, several threads, or a rare difference such as a \
                 tie broken otherwise; `fingerprint diagnose` tells"
            }
            Self::BehindLauncher => {
                "only the launcher is identified (a script, taken without --file): the engines behind it may be \
                 different ones"
            }
        }
    }
}

fn scores_are_close(a: &Row, b: &Row) -> bool {
    a.cell(Column::Score) == b.cell(Column::Score)
        || matches!((a.centipawns(), b.centipawns()), (Some(a), Some(b)) if a.abs_diff(b) <= SMALL_CP.unsigned_abs())
}
