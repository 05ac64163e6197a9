//! How good the moves are: centipawn loss, accuracy, judgements, agreement with the judge; all moves
//! and by opponent, phase and clock.
//!
//! Every number comes from the first grades, so that all moves were searched alike. A move is compared
//! with the best one at the same root, never with the position after it searched apart. A move that was
//! not judged has no number and is in no count.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::game::AuditGame;
use super::lichess::{
    AccuracyFormula, INITIAL_CP, Judgement, centipawn_loss, game_accuracy, judgement, move_accuracy,
    volatility_weights, win_percent,
};
use super::position::{AuditMove, Phase};
use super::rule::Grade;
use super::scores::{CEILING_CP, reversed};
use crate::chess::{Color, Score};
use crate::rating::{ClusteredMean, clustered_mean};

/// The width of a band of opponents' levels.
const BAND: u32 = 200;
/// The upper ends of the bands of clocks, in seconds, with their names.
const CLOCKS: [(u64, &str); 4] =
    [(10, "below 10 s"), (30, "10 to 30 s"), (60, "30 to 60 s"), (180, "1 to 3 min")];

/// The quality of one group of moves. Means are over moves, those of games over games; every interval
/// takes games for independent and ends where its number does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// What the group is: `all`, `endgame`, `opponents 1600 to 1799`.
    pub group: String,
    /// Moves.
    pub moves: u64,
    /// Average centipawn loss.
    pub centipawn_loss: Option<ClusteredMean>,
    /// Accuracy of the moves by the formula lichess runs.
    pub accuracy: Option<ClusteredMean>,
    /// The same by the formula lichess publishes.
    pub published_accuracy: Option<ClusteredMean>,
    /// Share of moves that the judge would play.
    pub agreement: Option<ClusteredMean>,
    /// Inaccuracies, mistakes, blunders.
    pub judgements: [u64; 3],
}

/// The accuracy of whole games, averaged over games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GamesQuality {
    /// Lichess's number by the formula it runs.
    pub deployed: Option<ClusteredMean>,
    /// The same by the published formula.
    pub published: Option<ClusteredMean>,
    /// The plain mean of the moves' accuracies, by the formula it runs.
    pub plain: Option<ClusteredMean>,
}

/// One move's numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveQuality {
    /// Centipawns lost.
    pub loss: i32,
    /// The mover's win percentage with the best move.
    pub win_before: f64,
    /// With the chosen one.
    pub win_after: f64,
    /// By the formula lichess runs.
    pub accuracy: f64,
    /// By the published one.
    pub published: f64,
    /// What lichess calls it.
    pub judgement: Option<Judgement>,
    /// Whether the judge would play it.
    pub agrees: bool,
}

impl MoveQuality {
    /// The numbers of a grade.
    #[must_use]
    pub fn of(grade: &Grade) -> Self {
        let (best, chosen) = (grade.best.score, grade.chosen.score);
        Self { agrees: grade.judge_move == grade.chosen.m, ..Self::between(best, chosen) }
    }

    /// The numbers of a move between two scores of the mover.
    fn between(before: Score, after: Score) -> Self {
        let (win_before, win_after) = (win_percent(before), win_percent(after));
        Self {
            loss: centipawn_loss(before, after),
            win_before,
            win_after,
            accuracy: move_accuracy(win_before, win_after, AccuracyFormula::Deployed),
            published: move_accuracy(win_before, win_after, AccuracyFormula::Published),
            judgement: judgement(before, after),
            agrees: false,
        }
    }
}

/// The groups: all moves, book moves, phases, bands of opponents, of clocks; those that have moves.
#[must_use]
pub fn qualities(games: &[AuditGame], moves: &[AuditMove], numbers: &[Option<MoveQuality>]) -> Vec<Quality> {
    let mut groups = vec![quality("all", moves, numbers, |_| true)];
    groups.push(quality("book", moves, numbers, |m| m.book));
    for phase in [Phase::Opening, Phase::Middlegame, Phase::Endgame] {
        groups.push(quality(phase.name(), moves, numbers, |m| m.phase == phase));
    }
    let opponent = |m: &AuditMove| games.get(m.game).map(opponent_band);
    let bands: std::collections::BTreeSet<_> = moves.iter().filter_map(opponent).collect();
    for band in bands.iter().filter(|(level, _)| level.is_some()) {
        groups.push(quality(&band.1, moves, numbers, |m| opponent(m).as_ref() == Some(band)));
    }
    for clock in CLOCKS.iter().map(|(_, name)| *name).chain([LONG_CLOCK]) {
        let name = format!("clock {clock}");
        groups.push(quality(&name, moves, numbers, |m| m.clock_ms.is_some_and(|ms| clock_band(ms) == clock)));
    }
    groups.retain(|group| group.moves > 0);
    groups
}

const LONG_CLOCK: &str = "3 min and more";

fn clock_band(ms: u64) -> &'static str {
    CLOCKS.iter().find(|(seconds, _)| ms < 1000 * seconds).map_or(LONG_CLOCK, |(_, name)| name)
}

fn opponent_band(game: &AuditGame) -> (Option<u32>, String) {
    match game.opponent_level.map(|level| level / BAND * BAND) {
        Some(low) => (Some(low), format!("opponents {low} to {}", low + BAND - 1)),
        None => (None, "opponents without a level".to_owned()),
    }
}

fn quality(
    group: &str,
    moves: &[AuditMove],
    numbers: &[Option<MoveQuality>],
    wanted: impl Fn(&AuditMove) -> bool,
) -> Quality {
    let mut games: BTreeMap<usize, Sums> = BTreeMap::new();
    let mut judgements = [0; 3];
    let judged = moves.iter().zip(numbers).filter_map(|(m, numbers)| Some((m, numbers.as_ref()?)));
    for (m, numbers) in judged.filter(|(m, _)| wanted(m)) {
        games.entry(m.cluster).or_default().add(numbers);
        count_judgement(&mut judgements, numbers);
    }
    let agreement = mean(&games, |sums| sums.agreed, 1.0);
    Quality { agreement, ..quality_of(group, &games, judgements) }
}

/// The quality of moves, summed by cluster, without the agreement.
fn quality_of(group: &str, sums: &BTreeMap<usize, Sums>, judgements: [u64; 3]) -> Quality {
    Quality {
        group: group.to_owned(),
        moves: sums.values().map(|sums| sums.count).sum(),
        centipawn_loss: mean(sums, |sums| sums.loss, f64::from(2 * CEILING_CP)),
        accuracy: mean(sums, |sums| sums.accuracy, 100.0),
        published_accuracy: mean(sums, |sums| sums.published, 100.0),
        agreement: None,
        judgements,
    }
}

/// The mean over moves of something between 0 and `most`.
fn mean(games: &BTreeMap<usize, Sums>, sum: fn(&Sums) -> f64, most: f64) -> Option<ClusteredMean> {
    let sums: Vec<_> = games.values().map(|sums| (sum(sums), sums.count)).collect();
    clustered_mean(&sums).map(|mean| mean.within(0.0, most))
}

fn count_judgement(judgements: &mut [u64; 3], numbers: &MoveQuality) {
    let [inaccuracies, mistakes, blunders] = judgements;
    match numbers.judgement {
        Some(Judgement::Inaccuracy) => *inaccuracies += 1,
        Some(Judgement::Mistake) => *mistakes += 1,
        Some(Judgement::Blunder) => *blunders += 1,
        None => {}
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: u64,
    loss: f64,
    accuracy: f64,
    published: f64,
    agreed: f64,
}

impl Sums {
    fn add(&mut self, numbers: &MoveQuality) {
        self.count += 1;
        self.loss += f64::from(numbers.loss);
        self.accuracy += numbers.accuracy;
        self.published += numbers.published;
        self.agreed += if numbers.agrees { 1.0 } else { 0.0 };
    }
}

/// The accuracies of games, averaged. The win percentages around a move are those of the positions
/// before and after each audited move; before the first of them stands lichess's 15 centipawns where
/// the game starts from the usual position.
#[must_use]
pub fn games_quality(
    games: &[AuditGame],
    moves: &[AuditMove],
    numbers: &[Option<MoveQuality>],
) -> GamesQuality {
    let mut by_game: BTreeMap<usize, Vec<(&AuditMove, &MoveQuality)>> = BTreeMap::new();
    for (m, numbers) in moves.iter().zip(numbers) {
        let Some(numbers) = numbers else { continue };
        by_game.entry(m.game).or_default().push((m, numbers));
    }
    let of_games = by_game.iter().filter_map(|(game, own)| {
        let game = games.get(*game)?;
        let weights = volatility_weights(&white_series(game, own));
        let own = own.iter().map(|(m, numbers)| (weights.get(m.ply).copied().unwrap_or(0.5), **numbers));
        Some((game.cluster, own.collect::<Vec<_>>()))
    });
    average(&of_games.collect::<Vec<_>>())
}

/// The means over games of their accuracies; a game is its cluster and its moves with their weights.
fn average(games: &[(usize, Vec<(f64, MoveQuality)>)]) -> GamesQuality {
    let mean = |number: fn(&MoveQuality) -> f64, plain: bool| {
        let mut clusters: BTreeMap<usize, (f64, u64)> = BTreeMap::new();
        for (cluster, own) in games {
            let own: Vec<(f64, f64)> =
                own.iter().map(|(weight, numbers)| (number(numbers), *weight)).collect();
            if let Some(found) = game_accuracy(&own) {
                let sums = clusters.entry(*cluster).or_default();
                sums.0 += if plain { found.plain } else { found.accuracy };
                sums.1 += 1;
            }
        }
        clustered_mean(&clusters.into_values().collect::<Vec<_>>()).map(|mean| mean.within(0.0, 100.0))
    };
    GamesQuality {
        deployed: mean(|numbers| numbers.accuracy, false),
        published: mean(|numbers| numbers.published, false),
        plain: mean(|numbers| numbers.accuracy, true),
    }
}

/// White's win percentage before the first ply and after each, as far as the audited moves tell; what
/// they do not tell is taken from the nearest position after it, at the end from the one before.
fn white_series(game: &AuditGame, own: &[(&AuditMove, &MoveQuality)]) -> Vec<f64> {
    let white = |percent: f64| if game.subject == Color::White { percent } else { 100.0 - percent };
    let mut known: Vec<Option<f64>> = vec![None; game.moves.len() + 1];
    for (m, numbers) in own {
        for (place, percent) in [(m.ply, numbers.win_before), (m.ply + 1, numbers.win_after)] {
            if let Some(place) = known.get_mut(place) {
                *place = Some(white(percent));
            }
        }
    }
    if game.start.is_standard()
        && let Some(first) = known.first_mut()
    {
        *first = Some(win_percent(Score::Cp(INITIAL_CP)));
    }
    let mut series = Vec::with_capacity(known.len());
    let mut next = None;
    for value in known.iter().rev() {
        next = value.or(next);
        series.push(next);
    }
    series.reverse();
    let last = series.iter().rev().find_map(|value| *value).unwrap_or(50.0);
    series.into_iter().map(|value| value.unwrap_or(last)).collect()
}

/// The subject's moves by the file's own evaluations (`[%eval]`), as lichess computes them: each
/// evaluation is of the position after a move, searched apart. None where no game has them all.
#[must_use]
pub fn file_quality(games: &[AuditGame]) -> Option<(Quality, GamesQuality)> {
    let mut sums: BTreeMap<usize, Sums> = BTreeMap::new();
    let (mut judgements, mut of_games) = ([0; 3], Vec::new());
    for game in games {
        let Some(evals) = &game.evals_white else { continue };
        let from = |score: Score| if game.subject == Color::White { score } else { reversed(score) };
        let all: Vec<Score> = std::iter::once(Score::Cp(INITIAL_CP)).chain(evals.iter().copied()).collect();
        let weights = volatility_weights(&all.iter().map(|score| win_percent(*score)).collect::<Vec<_>>());
        let mut own = Vec::new();
        for place in &game.own {
            let (Some(before), Some(after)) = (all.get(place.ply), all.get(place.ply + 1)) else { continue };
            let numbers = MoveQuality::between(from(*before), from(*after));
            count_judgement(&mut judgements, &numbers);
            sums.entry(game.cluster).or_default().add(&numbers);
            own.push((weights.get(place.ply).copied().unwrap_or(0.5), numbers));
        }
        of_games.push((game.cluster, own));
    }
    let quality = quality_of("by the file's own evaluations", &sums, judgements);
    (quality.moves > 0).then(|| (quality, average(&of_games)))
}
