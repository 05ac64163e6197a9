//! What other luck would have made of the same pool: the games drawn again and again, each time
//! fitted anew.
//!
//! Scores are drawn per meeting and colour, not per game. Replicate number i has the i-th stream of
//! the seed, so results are the same at any number of threads.

use std::thread;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::Serialize;

use super::cells::Cell;
use super::fit::PoolFit;
use super::prepare::Solved;
use super::random::{FEW, binomial, uniform};
use super::solve::{Problem, Side};
use crate::rating::quantile::CONFIDENCE;
use crate::rating::scale::ELO_PER_LOGIT;

/// Where new results come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplicateMethod {
    /// From the fitted ratings and the pool's rate of draws, every game by itself.
    Simulation,
    /// From each meeting's own units, so that what pairs have in common stays. Meetings of a single
    /// unit are simulated.
    Bootstrap,
}

/// What the replicates say of one player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlayerReplicates {
    /// Place in the caller's list.
    pub player: usize,
    /// Mean rating, in Elo.
    pub mean: f64,
    /// Of the ratings, in Elo.
    pub standard_deviation: f64,
    /// The 2.5 % point.
    pub low: f64,
    /// The 97.5 % point.
    pub high: f64,
}

/// The replicates of a pool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PoolReplicates {
    /// How they were drawn.
    pub method: ReplicateMethod,
    /// Of the generator (ChaCha8).
    pub seed: u64,
    /// Replicates drawn.
    pub drawn: u32,
    /// Replicates without a fit, because somebody won or lost everything; left out of the figures.
    pub separated: u32,
    /// The rated players, fixed anchors left out, ascending.
    pub players: Vec<PlayerReplicates>,
}

/// Draws `count` replicates on `threads` threads (at least one) and sums up each player's ratings.
/// The result does not depend on `threads`. `None` without a fit, or where fewer
/// than two replicates could be fitted.
///
/// # Source
/// Parametric bootstrap; for units, the rescaled bootstrap of Rao and Wu 1988 (m - 1 of m units are
/// drawn and weighed by m / (m - 1)), so that small meetings do not lose variance.
///
/// ```
/// use elometer::rating::{
///     Anchor, ColourModel, Meeting, ReplicateMethod, Tally, Unit, fit_pool, replicate_pool,
/// };
/// let pair = |half_points| Unit { games: 2, half_points };
/// let half = Tally { wins: 12, draws: 6, losses: 12 };
/// let meeting = Meeting {
///     first: 0,
///     second: 1,
///     as_white: half,
///     as_black: half,
///     units: [(pair(4), 6), (pair(3), 6), (pair(2), 6), (pair(1), 6), (pair(0), 6)].into(),
/// };
/// let fit = fit_pool(&[Anchor::Unknown; 2], &[meeting], ColourModel::None).unwrap();
/// let drawn = replicate_pool(&fit, ReplicateMethod::Bootstrap, 200, 1, 2).unwrap();
/// assert!(drawn.players[0].low < 0.0 && 0.0 < drawn.players[0].high);
/// assert!((fit.difference(0, 1).unwrap().los - 0.5).abs() < 1e-9);
/// ```
#[must_use]
pub fn replicate_pool(
    fit: &PoolFit,
    method: ReplicateMethod,
    count: u32,
    seed: u64,
    threads: usize,
) -> Option<PoolReplicates> {
    let solved = fit.solved.as_ref()?;
    let source = Source::new(solved);
    let fitted = refit_all(&source, method, count, seed, threads);
    let done: Vec<&Vec<f64>> = fitted.iter().flatten().collect();
    if done.len() < 2 {
        return None;
    }
    let players = solved
        .slots
        .iter()
        .enumerate()
        .filter_map(|(player, slot)| Some((player, slot.as_ref()?.place()?)))
        .map(|(player, place)| {
            summed_up(player, done.iter().map(|ratings| ratings[place] * ELO_PER_LOGIT).collect())
        })
        .collect();
    let separated = count - u32::try_from(done.len()).unwrap_or(count);
    Some(PoolReplicates { method, seed, drawn: count, separated, players })
}

/// The parameters of every replicate, in order; `None` where there is no fit.
fn refit_all(
    source: &Source<'_>,
    method: ReplicateMethod,
    count: u32,
    seed: u64,
    threads: usize,
) -> Vec<Option<Vec<f64>>> {
    let threads = u32::try_from(threads).unwrap_or(u32::MAX).clamp(1, count.max(1));
    let share = count.div_ceil(threads);
    let play = &|worker: u32| -> Vec<Option<Vec<f64>>> {
        let first = worker.saturating_mul(share).min(count);
        (first..first.saturating_add(share).min(count))
            .map(|number| {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                rng.set_stream(u64::from(number));
                refit(source.solved, source.draw(method, &mut rng))
            })
            .collect()
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|worker| scope.spawn(move || play(worker))).collect();
        // Joined in order, so that the replicates stay in order.
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// From the known curvature where that is enough, else from the start.
fn refit(solved: &Solved, points: Vec<f64>) -> Option<Vec<f64>> {
    if let Some(parameters) = solved.problem.resolve(&solved.solution, &points) {
        return Some(parameters);
    }
    let sides =
        solved.problem.sides.iter().zip(points).map(|(side, points)| Side { points, ..*side }).collect();
    let problem = Problem { sides, ..solved.problem.clone() };
    problem.solve(solved.solution.parameters.clone()).map(|solution| solution.parameters)
}

#[expect(clippy::cast_precision_loss, reason = "a number of replicates")]
fn summed_up(player: usize, mut ratings: Vec<f64>) -> PlayerReplicates {
    ratings.sort_by(f64::total_cmp);
    let count = ratings.len() as f64;
    let mean = ratings.iter().sum::<f64>() / count;
    let squares = ratings.iter().map(|rating| (rating - mean).powi(2)).sum::<f64>();
    let outside = (1.0 - CONFIDENCE) / 2.0;
    let point = |share: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below the count")]
        let place = (share * (count - 1.0)).round() as usize;
        ratings.get(place).copied().unwrap_or(mean)
    };
    PlayerReplicates {
        player,
        mean,
        standard_deviation: (squares / (count - 1.0)).sqrt(),
        low: point(outside),
        high: point(1.0 - outside),
    }
}

/// What results are drawn from.
struct Source<'a> {
    solved: &'a Solved,
    /// Per side: games, the expected score, the probability of a draw.
    games: Vec<(u64, f64, f64)>,
}

impl<'a> Source<'a> {
    fn new(solved: &'a Solved) -> Self {
        let expected: Vec<(f64, f64)> = solved
            .problem
            .sides
            .iter()
            .map(|side| (side.games, solved.problem.expected(side, &solved.solution.parameters)))
            .collect();
        let factor = draw_factor(&expected, solved.draws);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of games")]
        let games = expected
            .iter()
            .map(|(games, score)| (games.round() as u64, *score, draw_probability(*score, factor)))
            .collect();
        Self { solved, games }
    }

    /// New points, one per side.
    fn draw(&self, method: ReplicateMethod, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let mut points = vec![0.0; self.games.len()];
        for cell in &self.solved.cells {
            let count: u64 = cell.units.values().sum();
            if method == ReplicateMethod::Simulation || count < 2 {
                for side in &cell.sides {
                    points[*side] = self.simulate(*side, rng);
                }
            } else {
                self.resample(cell, count, rng, &mut points);
            }
        }
        points
    }

    fn simulate(&self, side: usize, rng: &mut ChaCha8Rng) -> f64 {
        let (games, score, draw) = self.games[side];
        let win = (score - draw / 2.0).max(0.0);
        let half_points = if games < FEW {
            (0..games)
                .map(|_| {
                    let chance = uniform(rng);
                    u64::from(chance < win) + u64::from(chance < win + draw)
                })
                .sum()
        } else {
            let won = binomial(rng, games, win);
            let not_lost = won + binomial(rng, games - won, draw / (1.0 - win));
            won + not_lost
        };
        #[expect(clippy::cast_precision_loss, reason = "a number of games")]
        let points = half_points as f64 / 2.0;
        points
    }

    /// Draws m - 1 units of m and moves the cell's points by what they deviate.
    #[expect(clippy::cast_precision_loss, reason = "numbers of games and units")]
    fn resample(&self, cell: &Cell, count: u64, rng: &mut ChaCha8Rng, points: &mut [f64]) {
        let sides = || cell.sides.iter().map(|side| &self.solved.problem.sides[*side]);
        let games: f64 = sides().map(|side| side.games).sum();
        let mean = sides().map(|side| side.points).sum::<f64>() / games;
        let deviation_of =
            |half_points: u32, games: u32| f64::from(half_points) / 2.0 - f64::from(games) * mean;
        let mut deviation = 0.0;
        let draws = count - 1;
        if draws < FEW {
            for _ in 0..draws {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below count")]
                let mut place = (uniform(rng) * count as f64) as u64;
                for (unit, own) in &cell.units {
                    if place < *own {
                        deviation += deviation_of(unit.half_points, unit.games);
                        break;
                    }
                    place -= own;
                }
            }
        } else {
            let (mut left, mut kinds) = (draws, count);
            for (unit, own) in &cell.units {
                let drawn = binomial(rng, left, *own as f64 / kinds as f64);
                deviation += drawn as f64 * deviation_of(unit.half_points, unit.games);
                left -= drawn;
                kinds -= own;
            }
        }
        deviation *= count as f64 / (count - 1) as f64;
        for side in &cell.sides {
            let own = &self.solved.problem.sides[*side];
            points[*side] = own.points + deviation * own.games / games;
        }
    }
}

/// min(c e (1 - e), 2 min(e, 1 - e)): the second is what the score leaves room for.
fn draw_probability(score: f64, factor: f64) -> f64 {
    (factor * score * (1.0 - score)).min(2.0 * score.min(1.0 - score))
}

/// The c that gives as many draws as there were.
fn draw_factor(expected: &[(f64, f64)], draws: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1e3);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        let sum: f64 = expected.iter().map(|(games, score)| games * draw_probability(*score, middle)).sum();
        if sum < draws {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}
