//! What the rows of a fingerprint used of the limit they were asked with.
//!
//! Thresholds are those of every search, see [`LimitFacts`]. Too few nodes can be honest: where there
//! is one legal move, or where a mate or a tablebase score was found.

use serde::{Deserialize, Serialize};

use super::positions::Place;
use super::row::Row;
use super::subject::Limit;
use crate::chess::Position as _;
use crate::uci::process::{Asked, LimitConcern, LimitFacts, LimitTally, LimitUse, QuantityUse, is_decisive};

/// How the rows used their limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowLimits {
    /// Rows whose search used less than a tenth of the limit, without those that have one legal move
    /// and those with a mate or tablebase score.
    pub short: u64,
    /// Rows whose search used more than twice the limit.
    pub over: u64,
    /// What all rows report.
    pub reported: LimitFacts,
}

impl RowLimits {
    /// Of these rows, which are on these positions; none without rows.
    #[must_use]
    pub fn of(limit: Limit, rows: &[Row], places: &[Place]) -> Option<Self> {
        let asked = Asked::from(limit);
        let mut tally = LimitTally::new(asked);
        let mut short = 0;
        for (row, place) in rows.iter().zip(places) {
            let searched = row.searched();
            tally.add(&searched);
            let is_honest =
                || place.position.legal_moves().len() == 1 || row.score().is_some_and(is_decisive);
            short += u64::from(asked.use_by(&searched) == Some(LimitUse::Below) && !is_honest());
        }
        tally.facts().map(|reported| Self { short, over: reported.above, reported })
    }

    /// What is to be said about the limit, if anything: most rows short, more than a tenth of them
    /// over, or most without the number that the limit bounds.
    #[must_use]
    pub fn concern(&self) -> Option<LimitConcern> {
        LimitFacts { below: self.short, above: self.over, ..self.reported }.concern()
    }

    /// Whether the engine does not keep the limit. One that reports nothing may keep it.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        matches!(self.concern(), Some(LimitConcern::Below | LimitConcern::Above))
    }

    /// The quantity that was asked, with its unit.
    #[must_use]
    pub fn quantity(&self) -> Option<(&'static str, QuantityUse)> {
        let nodes = self.reported.nodes.map(|nodes| ("nodes", nodes));
        nodes.or_else(|| self.reported.depth.map(|depth| ("plies", depth)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::StartPosition;

    const OPEN: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    /// White's king can only take the rook.
    const FORCED: &str = "7k/8/8/8/8/8/1r6/K7 w - - 0 1";

    fn of(rows: &[(&str, &str, u64)]) -> RowLimits {
        let rows: Vec<_> = rows
            .iter()
            .map(|(fen, score, nodes)| {
                Row::parse(&format!("{fen}\te2e4\t1\t{score}\t{nodes}\t-\t-")).unwrap()
            })
            .collect();
        let place = |row: &Row| Place::of(&StartPosition::from_fen(row.fen()).unwrap());
        let places: Vec<_> = rows.iter().map(place).collect();
        RowLimits::of(Limit::Nodes(10_000), &rows, &places).unwrap()
    }

    #[test]
    fn a_row_with_one_move_a_mate_or_a_tablebase_score_is_not_short() {
        let honest = of(&[
            (FORCED, "cp 0", 1),
            (OPEN, "mate -3", 40),
            (OPEN, "cp 19990 lowerbound", 40),
            (OPEN, "cp 13", 1_000),
        ]);
        assert_eq!((honest.short, honest.over, honest.reported.below), (0, 0, 3));
        assert_eq!(honest.concern(), None);
    }

    #[test]
    fn most_rows_short_or_a_tenth_over_break_the_limit() {
        let short = of(&[(OPEN, "cp 0", 7), (OPEN, "cp 1", 24), (OPEN, "cp 2", 10_000)]);
        assert_eq!(short.concern(), Some(LimitConcern::Below));
        assert_eq!(short.quantity().map(|(unit, use_)| (unit, use_.median)), Some(("nodes", Some(24))));
        let mut half = vec![(OPEN, "cp 0", 7), (OPEN, "cp 0", 10_000)];
        assert!(!of(&half).is_broken(), "half is not most");
        half.extend([(OPEN, "cp 0", 20_001)]);
        assert!(of(&half).is_broken());
        assert_eq!(of(&[(OPEN, "cp 0", 20_000)]).concern(), None);
    }
}
