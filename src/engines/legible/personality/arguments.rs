//! The typed arguments of the blocks: what each one weighs with, in centipawns.

use super::document::{PersonalityError, Place};
use super::graph::Block;

/// The arguments of all blocks. Those of a block that the graph lacks are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::engines::legible) struct Arguments {
    /// What a pawn, knight, bishop, rook and queen are worth.
    pub(in crate::engines::legible) material: [i32; 5],
    /// What a loose knight, bishop, rook and queen cost.
    pub(in crate::engines::legible) loose: [i32; 4],
    pub(in crate::engines::legible) king: KingArguments,
    /// What a square is worth that a knight, bishop, rook, queen and king reach.
    pub(in crate::engines::legible) mobility: [i32; 5],
    pub(in crate::engines::legible) pawns: PawnArguments,
}

/// What endangers a king.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::engines::legible) struct KingArguments {
    /// A square of the king's zone that an enemy attacks.
    pub(in crate::engines::legible) attacked_square: i32,
    /// The same once more, if no own piece but the king guards it.
    pub(in crate::engines::legible) unguarded_square: i32,
    /// A file beside or under the king without an own pawn.
    pub(in crate::engines::legible) open_file: i32,
}

/// What pawns cost and are worth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::engines::legible) struct PawnArguments {
    pub(in crate::engines::legible) doubled: i32,
    pub(in crate::engines::legible) isolated: i32,
    /// A passed pawn on the second to the seventh rank.
    pub(in crate::engines::legible) passed: [i32; 6],
}

/// The most that a piece may be worth.
const MOST_VALUE: i64 = 2000;
/// The most that anything else may count.
const MOST_WEIGHT: i64 = 500;

impl Arguments {
    /// Reads those of one block.
    pub(super) fn read(&mut self, block: Block, place: &Place<'_>) -> Result<(), PersonalityError> {
        match block {
            Block::Material => {
                self.material = numbers(place, ["pawn", "knight", "bishop", "rook", "queen"], MOST_VALUE)?;
            }
            Block::LoosePieces => {
                self.loose = numbers(place, ["knight", "bishop", "rook", "queen"], MOST_WEIGHT)?;
            }
            Block::KingExposure => {
                let [attacked_square, unguarded_square, open_file] =
                    numbers(place, ["attacked_square", "unguarded_square", "open_file"], MOST_WEIGHT)?;
                self.king = KingArguments { attacked_square, unguarded_square, open_file };
            }
            Block::Mobility => {
                self.mobility = numbers(place, ["knight", "bishop", "rook", "queen", "king"], MOST_WEIGHT)?;
            }
            Block::PawnStructure => {
                let ([doubled, isolated, passed], []) =
                    place.fields(["doubled", "isolated", "passed"], [])?;
                let by_rank = passed.list()?;
                let Ok(by_rank) = <[Place<'_>; 6]>::try_from(by_rank) else {
                    let hint = "a passed pawn on the second rank comes first, one on the seventh last";
                    return Err(passed.error("expected a list of 6 whole numbers", hint));
                };
                self.pawns = PawnArguments {
                    doubled: weight(&doubled, MOST_WEIGHT)?,
                    isolated: weight(&isolated, MOST_WEIGHT)?,
                    passed: weights(by_rank, MOST_WEIGHT)?,
                };
            }
        }
        Ok(())
    }
}

fn numbers<const N: usize>(
    place: &Place<'_>,
    names: [&str; N],
    most: i64,
) -> Result<[i32; N], PersonalityError> {
    weights(place.fields(names, [])?.0, most)
}

fn weights<const N: usize>(places: [Place<'_>; N], most: i64) -> Result<[i32; N], PersonalityError> {
    let mut found = [0; N];
    for (number, place) in found.iter_mut().zip(&places) {
        *number = weight(place, most)?;
    }
    Ok(found)
}

fn weight(place: &Place<'_>, most: i64) -> Result<i32, PersonalityError> {
    Ok(i32::try_from(place.whole_number(0, most)?).unwrap_or_default())
}
