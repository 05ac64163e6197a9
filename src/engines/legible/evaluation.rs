//! The evaluation: a personality's graph with its parameters set, applied to a position.
//!
//! Whole numbers only. Each branch gives one whole number of centipawns a side (its meter), and the
//! value is the sum of White's meters less the sum of Black's: nothing is left over.

use super::blocks::measure;
use super::board_map::BoardMap;
use super::personality::{
    Arguments, BLOCKS, Block, Circumstances, Expression, MAX_MODULATORS, ONE, Personality, Thousandths,
    nearest_thousandth,
};
use crate::chess::{Bitboard, Chess, Color, Position as _, Role};
use crate::engines::zobrist::splitmix64;

/// No gain is larger, either way.
const MOST_GAIN: Thousandths = 10 * ONE;
/// The pieces of both sides in this measure, when all are there.
const FULL_PHASE: usize = 24;

/// What every block says of both sides, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meters([[i32; 2]; BLOCKS.len()]);

impl Meters {
    /// The names of the blocks and their meters for White and Black, in the order of display.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, i32, i32)> {
        BLOCKS
            .iter()
            .zip(self.0)
            .map(|((_, name), row)| (*name, row[Color::White as usize], row[Color::Black as usize]))
    }

    /// The sum of one side's meters.
    #[must_use]
    pub fn side(&self, color: Color) -> i32 {
        self.0.iter().map(|row| row[color as usize]).sum()
    }

    /// White's sum less Black's: the evaluation.
    #[must_use]
    pub fn value_white(&self) -> i32 {
        self.side(Color::White) - self.side(Color::Black)
    }

    pub(super) fn meter(&self, block: Block, color: Color) -> i32 {
        self.0[block as usize][color as usize]
    }
}

/// A graph ready to evaluate.
#[derive(Clone, Debug)]
pub struct Evaluator {
    branches: Vec<(Block, Gain)>,
    arguments: Arguments,
    seeds: [u64; MAX_MODULATORS],
    /// How many of the seeds count: none where no gain names a modulator.
    modulators: usize,
    varies: bool,
}

#[derive(Clone, Debug)]
enum Gain {
    Constant(Thousandths),
    Varies { expression: Expression, by_side: bool },
}

impl Evaluator {
    /// The graph of a personality with its own defaults.
    #[must_use]
    pub fn new(personality: &Personality) -> Self {
        let percents: Vec<_> = personality.parameters.iter().map(|one| one.default_percent).collect();
        let seeds: Vec<_> = personality.modulators.iter().map(|one| one.seed).collect();
        Self::with_settings(personality, &percents, &seeds)
    }

    /// The same with other values, in the order of the personality's own.
    pub(super) fn with_settings(personality: &Personality, percents: &[i64], seeds: &[i64]) -> Self {
        let values: Vec<_> = percents.iter().map(|percent| percent * (ONE / 100)).collect();
        let mut modulators = 0;
        let branches: Vec<_> = personality
            .branches
            .iter()
            .map(|branch| {
                let expression = branch.gain.with_parameters(&values);
                let by_side = expression.names_side();
                if expression.names_modulator() {
                    modulators = personality.modulators.len();
                }
                let gain = match expression.constant() {
                    Some(gain) => Gain::Constant(bounded(gain)),
                    None => Gain::Varies { expression, by_side },
                };
                (branch.block, gain)
            })
            .collect();
        let mut all_seeds = [0; MAX_MODULATORS];
        for (place, seed) in all_seeds.iter_mut().zip(seeds) {
            *place = u64::try_from(*seed).unwrap_or_default();
        }
        let varies = branches.iter().any(|(_, gain)| matches!(gain, Gain::Varies { .. }));
        Self { branches, arguments: personality.arguments.clone(), seeds: all_seeds, modulators, varies }
    }

    /// What every block says of a position.
    #[must_use]
    pub fn meters(&self, position: &Chess) -> Meters {
        let board = position.board();
        let map = BoardMap::new(board);
        let mut given = if self.varies { self.circumstances(position) } else { Circumstances::default() };
        let mut meters = Meters::default();
        for (block, gain) in &self.branches {
            let row = &mut meters.0[*block as usize];
            let mut of = |color: Color, gain: Thousandths| {
                let measured = measure(*block, board, &map, color, &self.arguments);
                row[color as usize] = if gain == ONE {
                    measured
                } else {
                    nearest_thousandth(i64::from(measured) * gain) as i32
                };
            };
            match gain {
                Gain::Constant(gain) => {
                    of(Color::White, *gain);
                    of(Color::Black, *gain);
                }
                Gain::Varies { expression, by_side: false } => {
                    let gain = bounded(expression.value(&given));
                    of(Color::White, gain);
                    of(Color::Black, gain);
                }
                Gain::Varies { expression, by_side: true } => {
                    for color in [Color::White, Color::Black] {
                        given.side = if position.turn() == color { ONE } else { 0 };
                        of(color, bounded(expression.value(&given)));
                    }
                }
            }
        }
        meters
    }

    /// The evaluation for the side to move, in centipawns.
    #[must_use]
    pub fn evaluate(&self, position: &Chess) -> i32 {
        let value_white = self.meters(position).value_white();
        if position.turn() == Color::White { value_white } else { -value_white }
    }

    fn circumstances(&self, position: &Chess) -> Circumstances {
        let move_number = i64::from(position.fullmoves().get());
        let black = i64::from(position.turn() == Color::Black);
        let mut modulators = [0; MAX_MODULATORS];
        for (number, seed) in modulators.iter_mut().zip(self.seeds).take(self.modulators) {
            *number = roll(seed, position);
        }
        Circumstances {
            ply: (2 * (move_number - 1) + black).min(1_000_000) * ONE,
            move_number: move_number.min(1_000_000) * ONE,
            phase: phase(position),
            side: 0,
            modulators,
        }
    }
}

fn bounded(gain: Thousandths) -> Thousandths {
    gain.clamp(-MOST_GAIN, MOST_GAIN)
}

/// How many of the pieces are left: 1 with all of them or more, 0 with kings and pawns alone. A
/// knight or bishop counts 1 of 24, a rook 2, a queen 4.
fn phase(position: &Chess) -> Thousandths {
    let board = position.board();
    let count = |squares: Bitboard| squares.count();
    let left = count(board.knights())
        + count(board.bishops())
        + 2 * count(board.rooks())
        + 4 * count(board.queens());
    (left.min(FULL_PHASE) as i64 * ONE) / FULL_PHASE as i64
}

/// A number from -1 to 0.999 that depends on the seed, the pieces and the side to move alone, all
/// seen from the side to move: the mirrored position has the same one.
fn roll(seed: u64, position: &Chess) -> Thousandths {
    let board = position.board();
    let seen = |squares: Bitboard| match position.turn() {
        Color::White => squares.0,
        Color::Black => squares.flip_vertical().0,
    };
    let by_role = Role::ALL.map(|role| seen(board.by_role(role)));
    let own = seen(board.by_color(position.turn()));
    let mixed =
        by_role.into_iter().chain([own]).fold(splitmix64(seed).0, |state, word| splitmix64(state ^ word).0);
    ((((mixed >> 32) * 2000) >> 32) as i64) - ONE
}

#[cfg(test)]
#[path = "evaluation_tests.rs"]
mod tests;
