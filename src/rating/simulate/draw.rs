//! One ladder from a truth.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use super::truth::{Truth, TruthLevel};
use crate::rating::{Ladder, Level, LevelError, Unit, expected_score};

/// Ladder `number` of the sequence that `seed` names.
///
/// # Errors
/// A level that [`Level::new`] refuses.
pub fn draw_ladder(truth: &Truth, seed: u64, number: u64) -> Result<Ladder, LevelError> {
    let mut random = Random(ChaCha8Rng::seed_from_u64(seed));
    random.0.set_stream(number);
    let off = (truth.one_level_off != 0.0).then(|| random.below(truth.levels.len()));
    let errors: Vec<f64> = (0..truth.levels.len())
        .map(|index| {
            let own = if off == Some(index) { truth.one_level_off } else { 0.0 };
            own + if truth.level_sd > 0.0 { truth.level_sd * random.normal() } else { 0.0 }
        })
        .collect();
    let levels: Result<Vec<Level>, LevelError> = truth
        .levels
        .iter()
        .zip(errors)
        .map(|(level, error)| {
            let difference = truth.slope * (truth.rating - level.elo) + error;
            draw_level(&mut random, *level, difference, truth.opening_sd)
        })
        .collect();
    Ok(Ladder::new(levels?))
}

fn draw_level(
    random: &mut Random,
    level: TruthLevel,
    difference: f64,
    opening_sd: f64,
) -> Result<Level, LevelError> {
    let mut results = [0_u64; 3];
    let mut units = [0_u64; 5];
    let fair = Game::at(difference);
    let mut singles = [0_u64; 3];
    let games = |random: &mut Random| {
        if opening_sd > 0.0 {
            let opening = opening_sd * random.normal();
            (Game::at(difference + opening), Game::at(difference - opening))
        } else {
            (fair, fair)
        }
    };
    for _ in 0..level.pairs {
        let (white, black) = games(random);
        let scores = [white.half_points(random.uniform()), black.half_points(random.uniform())];
        for score in scores {
            results[score] += 1;
        }
        units[scores[0] + scores[1]] += 1;
    }
    for number in 0..level.single_games {
        let (white, black) = games(random);
        let score = if number % 2 == 0 { white } else { black }.half_points(random.uniform());
        results[score] += 1;
        singles[score] += 1;
    }
    let [losses, draws, wins] = results;
    let units = (0..5).map(|half_points| Unit { games: 2, half_points }).zip(units);
    let singles = (0..3).map(|half_points| Unit { games: 1, half_points }).zip(singles);
    Level::new(level.elo, wins, draws, losses, units.chain(singles))
}

/// Where the results of one game lie between 0 and 1.
#[derive(Clone, Copy)]
struct Game {
    win_below: f64,
    draw_below: f64,
}

impl Game {
    fn at(difference: f64) -> Self {
        let score = expected_score(difference);
        let draw = (1.4 * score * (1.0 - score)).min(2.0 * score.min(1.0 - score));
        Self { win_below: score - draw / 2.0, draw_below: score + draw / 2.0 }
    }

    fn half_points(self, at: f64) -> usize {
        if at < self.win_below {
            2
        } else if at < self.draw_below {
            1
        } else {
            0
        }
    }
}

struct Random(ChaCha8Rng);

impl Random {
    /// In 0..1, on a grid of 2^-53.
    #[expect(clippy::cast_precision_loss, reason = "53 bits")]
    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number in 0..`end`; the bias of a remainder is far below what a simulation can see.
    #[expect(clippy::cast_possible_truncation, reason = "below end")]
    fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }

    /// Box and Muller 1958.
    fn normal(&mut self) -> f64 {
        let (u, v) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }
}
