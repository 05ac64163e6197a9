//! From meetings to a likelihood and its maximum: which player is a parameter, which games count,
//! what an error is made of.

use super::cells::{Cell, Spreads, spreads};
use super::connectivity::Group;
use super::model::{Anchor, ColourModel};
use super::solve::{Prior, Problem, Side, Slot, Solution};
use crate::rating::meeting::{Meeting, Tally};
use crate::rating::observations::Unit;
use crate::rating::scale::{ELO_PER_LOGIT, LOGIT_PER_ELO};

/// What differences and replicates are computed from.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    pub problem: Problem,
    pub solution: Solution,
    pub cells: Vec<Cell>,
    pub spreads: Spreads,
    pub inverse: Vec<f64>,
    /// Of every player; `None` outside the rated group.
    pub slots: Vec<Option<Slot>>,
    /// Draws by games among the rated, for simulation.
    pub draws: f64,
}

/// The fit of the rated group, and whether White's advantage was wanted but not determined.
pub(super) fn solve(
    anchors: &[Anchor],
    played: &[&Meeting],
    colours: ColourModel,
    group: &[usize],
    groups: &[Group],
) -> (Option<Solved>, bool) {
    let Some(holder) = groups.iter().position(|group| group.rated) else { return (None, false) };
    let inside: Vec<&Meeting> = played
        .iter()
        .copied()
        .filter(|meeting| group[meeting.first] == holder && group[meeting.second] == holder)
        .collect();
    let unpaired = inside.iter().any(|meeting| meeting.units.keys().any(|unit| unit.games == 1));
    if colours == ColourModel::WhereUnpaired && unpaired {
        let fitted = solve_inside(anchors, &inside, None, group, holder);
        if fitted.is_some() {
            return (fitted, false);
        }
        return (solve_inside(anchors, &inside, Some(0.0), group, holder), true);
    }
    let white = if let ColourModel::Fixed { elo } = colours { elo * LOGIT_PER_ELO } else { 0.0 };
    (solve_inside(anchors, &inside, Some(white), group, holder), false)
}

/// `white` in logits, or `None` to fit it.
fn solve_inside(
    anchors: &[Anchor],
    inside: &[&Meeting],
    white: Option<f64>,
    group: &[usize],
    holder: usize,
) -> Option<Solved> {
    let mut ratings = 0;
    let (mut priors, mut start) = (Vec::new(), Vec::new());
    let known: Vec<f64> = anchors
        .iter()
        .filter_map(|anchor| match *anchor {
            Anchor::Unknown => None,
            Anchor::Fixed { elo } | Anchor::Uncertain { elo, .. } => Some(elo * LOGIT_PER_ELO),
        })
        .collect();
    #[expect(clippy::cast_precision_loss, reason = "a number of players")]
    let middle = if known.is_empty() { 0.0 } else { known.iter().sum::<f64>() / known.len() as f64 };
    let slots: Vec<Option<Slot>> = anchors
        .iter()
        .zip(group)
        .map(|(anchor, own)| {
            let place = ratings;
            let first = match *anchor {
                _ if *own != holder => return None,
                Anchor::Fixed { elo } => return Some(Slot::Known(elo * LOGIT_PER_ELO)),
                Anchor::Unknown => middle,
                Anchor::Uncertain { elo, sigma } => {
                    let precision = (sigma * LOGIT_PER_ELO).powi(-2);
                    priors.push(Prior { place, mean: elo * LOGIT_PER_ELO, precision });
                    elo * LOGIT_PER_ELO
                }
            };
            start.push(first);
            ratings += 1;
            Some(Slot::Free(place))
        })
        .collect();
    let white = match white {
        Some(logits) => Slot::Known(logits),
        None => {
            start.push(0.0);
            Slot::Free(ratings)
        }
    };
    let coloured = white != Slot::Known(0.0);
    let (mut sides, mut cells) = (Vec::new(), Vec::new());
    for meeting in inside {
        let (Some(first), Some(second)) = (slots[meeting.first], slots[meeting.second]) else { continue };
        add_meeting(meeting, first, second, coloured, &mut sides, &mut cells);
    }
    let centred = known.is_empty();
    if ratings == usize::from(centred) || sides.is_empty() {
        return None;
    }
    let problem = Problem { sides, priors, ratings, white, centred };
    let solution = problem.solve(start)?;
    let inverse = solution.curvature.inverse();
    let spreads = spreads(&cells, &problem, &solution, &inverse);
    #[expect(clippy::cast_precision_loss, reason = "counts of games")]
    let draws = inside.iter().map(|meeting| meeting.tally().draws).sum::<u64>() as f64;
    Some(Solved { problem, solution, cells, spreads, inverse, slots, draws })
}

/// One side where colour means nothing, else one per colour; one cell, or one per colour where every
/// game is a unit and its colour is known.
fn add_meeting(
    meeting: &Meeting,
    first: Slot,
    second: Slot,
    coloured: bool,
    sides: &mut Vec<Side>,
    cells: &mut Vec<Cell>,
) {
    #[expect(clippy::cast_precision_loss, reason = "counts of games")]
    let side = |colour: f64, tally: Tally| Side {
        first,
        second,
        colour,
        games: tally.games() as f64,
        points: (2 * tally.wins + tally.draws) as f64 / 2.0,
    };
    if !coloured {
        cells.push(Cell { sides: vec![sides.len()], units: meeting.units.clone() });
        sides.push(side(0.0, meeting.tally()));
        return;
    }
    let all_single = meeting.units.keys().all(|unit| unit.games == 1);
    let mut both = Vec::new();
    for (colour, tally) in [(1.0, meeting.as_white), (-1.0, meeting.as_black)] {
        if tally.games() == 0 {
            continue;
        }
        both.push(sides.len());
        if all_single {
            let single = |half_points| Unit { games: 1, half_points };
            let units = [(single(2), tally.wins), (single(1), tally.draws), (single(0), tally.losses)];
            let units = units.into_iter().filter(|(_, count)| *count > 0).collect();
            cells.push(Cell { sides: vec![sides.len()], units });
        }
        sides.push(side(colour, tally));
    }
    if !all_single {
        cells.push(Cell { sides: both, units: meeting.units.clone() });
    }
}

impl Solved {
    /// Standard error in Elo and degrees of freedom of a weighed sum of parameters: units as
    /// clusters, the anchors' own errors beside them.
    pub fn error_of(&self, weights: &[(usize, f64)]) -> (f64, Option<f64>) {
        let size = self.problem.size();
        let mut influence = vec![0.0; size];
        for (place, weight) in weights {
            let row = &self.inverse[place * size..(place + 1) * size];
            for (sum, entry) in influence.iter_mut().zip(row) {
                *sum += weight * entry;
            }
        }
        let spreads = &self.spreads;
        let (mut total, mut borrowed, mut own) = (0.0, 0.0, 0.0);
        for (cell, sides) in spreads.cells.iter().zip(&self.cells) {
            let pull: f64 =
                cell.direction.iter().flatten().map(|(place, sign)| sign * influence[*place]).sum();
            let share = pull * pull * cell.variance;
            total += share;
            match cell.own_degrees {
                Some(degrees) => own += share * share / degrees,
                None => borrowed += share,
            }
            // Units of both colours do not show how the colours differ: the model's variance does.
            if let (Slot::Free(white), 2) = (self.problem.white, sides.sides.len()) {
                let share = influence[white].powi(2) * spreads.ratio * cell.model;
                total += share;
                borrowed += share;
            }
        }
        if borrowed > 0.0 {
            own += borrowed * borrowed / spreads.ratio_degrees;
        }
        for prior in &self.problem.priors {
            total += influence[prior.place].powi(2) * prior.precision;
        }
        let degrees = (own > 0.0).then(|| total * total / own);
        (total.sqrt() * ELO_PER_LOGIT, degrees)
    }
}
