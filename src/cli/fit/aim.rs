//! How far the games are from a wanted half-width, and what to play next to get there.

use serde::Serialize;

use crate::rating::{Fit, LevelHistory, MIN_PAIRS_TO_STOP, Precision, is_precise, next_level};

/// A half-width in Elo on the command line.
pub(in crate::cli) fn positive_elo(text: &str) -> Result<f64, String> {
    let elo = text.parse::<f64>().ok().filter(|elo| elo.is_finite() && *elo > 0.0);
    elo.ok_or_else(|| "expected more than 0 Elo, such as 40".to_owned())
}

/// A wanted half-width, and where the games stand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(in crate::cli) struct Aim {
    /// In Elo.
    half_width: f64,
    /// Whether pairs alone reach it.
    precision: Precision,
    /// Games so far, copies left out.
    games: u64,
    /// The label of the level that the next pairs should be played at; absent once it is reached.
    next_level: Option<f64>,
}

impl Aim {
    /// Where `fit` stands on the way to `half_width` Elo.
    pub(super) fn new(half_width: f64, fit: &Fit) -> Self {
        // Misfit never stops a run, so this is the error from pairs alone.
        let interval = fit.elo_curve.estimate.interval();
        let error = interval.and_then(|interval| interval.standard_error);
        let observations: u64 = fit.levels.iter().map(|level| level.units).sum();
        let played = fit.levels.iter().filter(|level| level.games > 0).count();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of units, or none"
        )]
        let degrees_of_freedom =
            interval.and_then(|interval| interval.degrees_of_freedom).unwrap_or(f64::INFINITY) as u64;
        // Games without a pair count as half of one.
        let games = fit.pairs + observations;
        let precision = is_precise(half_width, games / 2, error, degrees_of_freedom);
        let history: Vec<LevelHistory> = fit
            .levels
            .iter()
            .map(|level| LevelHistory {
                level: level.level,
                games: level.games,
                half_points: 2 * level.wins + level.draws,
            })
            .collect();
        let next = match precision {
            Precision::Reached { .. } => None,
            // A level that was met is a batch that was played.
            Precision::NotYet { .. } => next_level(&history, played),
        };
        let next_level = next.and_then(|place| history.get(place)).map(|level| level.level);
        Self { half_width, precision, games, next_level }
    }

    /// The same in sentences.
    pub(super) fn words(&self) -> Vec<String> {
        let target = format!("target +/- {} Elo", self.half_width);
        let mut lines = Vec::new();
        lines.push(match self.precision {
            Precision::Reached { half_width } => format!(
                "{target}: reached, +/- {half_width:.1} from pairs alone; stopping on this needs no correction, \
                 and the quoted interval may be wider"
            ),
            Precision::NotYet { half_width: Some(half_width), pairs_needed } => {
                let needed = match pairs_needed {
                    _ if half_width <= self.half_width => {
                        format!("; nothing stops before {MIN_PAIRS_TO_STOP} pairs")
                    }
                    Some(pairs) => format!("; about {} games in all, {} so far", 2 * pairs, self.games),
                    None => String::new(),
                };
                format!("{target}: not yet, +/- {half_width:.1} from pairs alone{needed}")
            }
            Precision::NotYet { half_width: None, .. } => format!("{target}: not yet, there is no estimate"),
        });
        if let Some(level) = self.next_level {
            lines.push(format!(
                "next pairs: at level {level}, by the rule for choosing levels in docs/statistics.md"
            ));
        }
        lines
    }
}
