//! Who stands better, in words that do not flicker.

use crate::engines::legible::personality::Block;

/// Where the words change, in centipawns: slightly better, better, clearly better, winning.
///
/// # Source
/// The paper on Mate, section 4.2.
const EDGES: [i32; 4] = [30, 80, 180, 350];
/// By how much a score must pass an edge before the word changes.
const MARGIN: i32 = 10;
const MOST: i32 = EDGES.len() as i32;

/// Who stands better: above 0 the engine, below it the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standing(i32);

impl Standing {
    /// By the engine's score alone.
    pub(super) fn of(score: i32) -> Self {
        let level = EDGES.iter().filter(|edge| score.abs() >= **edge).count() as i32;
        Self(if score < 0 { -level } else { level })
    }

    /// A mate.
    pub(super) fn won(by_engine: bool) -> Self {
        Self(if by_engine { MOST } else { -MOST })
    }

    /// After another score: every edge on the way must be passed by the margin.
    #[must_use]
    pub(super) fn after(self, score: i32) -> Self {
        let mut level = self.0;
        while level < MOST && score >= edge_above(level) + MARGIN {
            level += 1;
        }
        while level > -MOST && score <= -edge_above(-level) - MARGIN {
            level -= 1;
        }
        Self(level)
    }

    /// Whether the engine (or else the opponent) stands better; `None` when about equal.
    pub(super) fn engine_is_better(self) -> Option<bool> {
        (self.0 != 0).then_some(self.0 > 0)
    }

    /// In words; `reason` is the block that counts most for the better side, its share, and the
    /// whole.
    pub(super) fn sentence(self, reason: Option<(Block, i32, i32)>) -> String {
        let who = if self.0 > 0 { "I am" } else { "You are" };
        let how = match self.0.abs() {
            0 => return "We are about equal.".to_owned(),
            1 => "slightly better",
            2 => "better",
            3 => "clearly better",
            _ => "winning",
        };
        match reason {
            None => format!("{who} {how}."),
            Some((block, share, whole)) => {
                let by = match block {
                    Block::Material => "material",
                    Block::LoosePieces => "loose pieces",
                    Block::KingExposure => "king safety",
                    Block::Mobility => "room to move",
                    Block::PawnStructure => "pawn structure",
                };
                format!("{who} {how} ({whole} centipawns), most of all by {by} ({share}).")
            }
        }
    }
}

/// The edge between a level and the next one up, for the engine.
fn edge_above(level: i32) -> i32 {
    let edge = |index: i32| usize::try_from(index).ok().and_then(|index| EDGES.get(index)).copied();
    if level >= 0 {
        edge(level).unwrap_or(i32::MAX - MARGIN)
    } else {
        -edge(-level - 1).unwrap_or(i32::MAX - MARGIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fresh_word_goes_by_the_edges() {
        for (score, level) in [
            (0, 0),
            (29, 0),
            (30, 1),
            (79, 1),
            (80, 2),
            (180, 3),
            (349, 3),
            (350, 4),
            (9000, 4),
            (-30, -1),
            (-350, -4),
        ] {
            assert_eq!(Standing::of(score).0, level, "{score}");
        }
    }

    #[test]
    fn a_word_changes_only_when_its_edge_is_passed_by_the_margin() {
        let steps = [
            (0, 39, 0),
            (0, 40, 1),
            (0, -39, 0),
            (0, -40, -1),
            (1, 21, 1),
            (1, 20, 0),
            (-1, -21, -1),
            (-1, -20, 0),
            (1, 89, 1),
            (1, 90, 2),
            (2, 71, 2),
            (2, 70, 1),
            (4, 341, 4),
            (4, 340, 3),
            (0, 400, 4),
            // On the way to 355 the edge at 350 is not passed by the margin.
            (0, 355, 3),
            (4, -360, -4),
            (4, 0, 0),
            (-4, 30_000, 4),
        ];
        for (from, score, to) in steps {
            assert_eq!(Standing(from).after(score).0, to, "from {from} at {score}");
        }
    }
}
