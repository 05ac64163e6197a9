//! The joint fit: from meetings to a rating per player.

use std::collections::BTreeSet;

use serde::Serialize;

use super::connectivity::{Group, Separation, grouped};
use super::estimate::{
    PlayerAbsence, PlayerEstimate, PlayerInterval, PoolMisfit, PoolRemark, PoolScale, RatedPlayer,
    WhiteAdvantage,
};
use super::model::{Anchor, ColourModel, PoolError};
use super::prepare::{Solved, solve};
use super::solve::Slot;
use crate::rating::meeting::{Meeting, Tally};
use crate::rating::observations::{Ladder, Level, MAX_ABS_LEVEL, Unit};
use crate::rating::quantile::{CONFIDENCE, chi_squared_tail, t_quantile_real};
use crate::rating::scale::ELO_PER_LOGIT;
use crate::rating::separation::{lower_bound, upper_bound};

/// Half an interval wider than this, in Elo, is no estimate.
const WIDEST_HALF_WIDTH: f64 = 1000.0;

/// Below this p value the meetings are said to disagree.
const MISFIT_ALARM: f64 = 0.05;

/// Fewest meetings for which a misfit is claimed or denied.
const MIN_TESTED_MEETINGS: usize = 4;

/// Everything said about a pool.
#[derive(Clone, Debug, Serialize)]
pub struct PoolFit {
    /// Of the intervals and bounds.
    pub confidence: f64,
    /// Games.
    pub games: u64,
    /// Units of two games.
    pub pairs: u64,
    /// Observations.
    pub units: u64,
    /// What the ratings are relative to.
    pub scale: PoolScale,
    /// One per player, in the caller's order.
    pub players: Vec<RatedPlayer>,
    /// What White's side is worth.
    pub white_advantage: WhiteAdvantage,
    /// How much units vary compared with independent games that are won or lost.
    pub variance_ratio: Option<f64>,
    /// Absent with fewer than four meetings or none to spare.
    pub misfit: Option<PoolMisfit>,
    /// Who is tied to whom; one group when all is well.
    pub groups: Vec<Group>,
    /// Which groups won every game against which.
    pub separations: Vec<Separation>,
    /// In a fixed order.
    pub remarks: Vec<PoolRemark>,
    #[serde(skip)]
    pub(super) solved: Option<Solved>,
}

/// Fits all players at once: Bradley-Terry on the expected score (a draw is half a point), by
/// maximum likelihood, uncertain anchors with their error as a normal prior; errors from units
/// (opening pairs), intervals with t.
///
/// `anchors` has one entry per player.
///
/// # Errors
/// A meeting of players who are not there, units that disagree with the games, an anchor that is no
/// rating.
///
/// # Source
/// Bradley and Terry 1952; sandwich covariance with units as clusters; Satterthwaite's degrees of
/// freedom.
///
/// ```
/// use elometer::rating::{Anchor, ColourModel, Meeting, PlayerEstimate, Tally, Unit, fit_pool};
/// let pair = |half_points| Unit { games: 2, half_points };
/// let meeting = |first, second| Meeting {
///     first,
///     second,
///     as_white: Tally { wins: 12, draws: 4, losses: 4 },
///     as_black: Tally { wins: 8, draws: 4, losses: 8 },
///     units: [(pair(4), 5), (pair(3), 4), (pair(2), 6), (pair(1), 4), (pair(0), 1)].into(),
/// };
/// let anchors = [Anchor::Fixed { elo: 2000.0 }, Anchor::Unknown, Anchor::Unknown];
/// let fit = fit_pool(&anchors, &[meeting(1, 0), meeting(2, 1)], ColourModel::WhereUnpaired).unwrap();
/// let PlayerEstimate::Interval(second) = fit.players[2].estimate else { panic!() };
/// assert!(second.rating > 2100.0 && second.low < second.rating);
/// ```
pub fn fit_pool(
    anchors: &[Anchor],
    meetings: &[Meeting],
    colours: ColourModel,
) -> Result<PoolFit, PoolError> {
    check(anchors, meetings, colours)?;
    let played: Vec<&Meeting> = meetings.iter().filter(|meeting| meeting.tally().games() > 0).collect();
    let (group, groups, separations) = grouped(anchors, &played);
    let (solved, undetermined) = solve(anchors, &played, colours, &group, &groups);
    let held = anchors.iter().any(|anchor| *anchor != Anchor::Unknown);
    let scale = match &solved {
        None => PoolScale::Nobody,
        Some(_) if held => PoolScale::Anchored,
        Some(_) => PoolScale::MeanZero,
    };
    let all_units = || played.iter().flat_map(|meeting| &meeting.units);
    let count = |wanted: fn(u32) -> bool| -> u64 {
        all_units().filter(|(unit, _)| wanted(unit.games)).map(|(_, count)| count).sum()
    };
    let mut fit = PoolFit {
        confidence: CONFIDENCE,
        games: played.iter().map(|meeting| meeting.tally().games()).sum(),
        pairs: count(|games| games == 2),
        units: count(|_| true),
        scale,
        players: Vec::new(),
        white_advantage: white_advantage(colours, solved.as_ref(), undetermined),
        variance_ratio: solved.as_ref().map(|solved| solved.spreads.ratio),
        misfit: solved.as_ref().and_then(misfit),
        groups,
        separations,
        remarks: Vec::new(),
        solved,
    };
    fit.players = (0..anchors.len()).map(|player| rated(player, anchors, &played, &group, &fit)).collect();
    fit.remarks = remarks(&fit, count(|games| games == 1), count(|games| games > 2));
    Ok(fit)
}

fn check(anchors: &[Anchor], meetings: &[Meeting], colours: ColourModel) -> Result<(), PoolError> {
    for (player, anchor) in anchors.iter().enumerate() {
        let (elo, sigma, sound) = match *anchor {
            Anchor::Unknown => continue,
            Anchor::Fixed { elo } => (elo, 0.0, true),
            Anchor::Uncertain { elo, sigma } => (elo, sigma, (0.001..=10_000.0).contains(&sigma)),
        };
        if !(sound && elo.abs() <= MAX_ABS_LEVEL) {
            return Err(PoolError::Anchor { player, elo, sigma });
        }
    }
    for (place, meeting) in meetings.iter().enumerate() {
        let (first, second, players) = (meeting.first, meeting.second, anchors.len());
        if first == second || first >= players || second >= players {
            return Err(PoolError::Players { meeting: place, first, second, players });
        }
        let impossible = |unit: &Unit| unit.games == 0 || unit.half_points > 2 * unit.games;
        if let Some(unit) = meeting.units.keys().find(|unit| impossible(unit)) {
            return Err(PoolError::Unit { meeting: place, unit: *unit });
        }
        let tally = meeting.tally();
        let units = meeting.units.iter().map(|(unit, count)| (*unit, *count));
        if Level::new(0.0, tally.wins, tally.draws, tally.losses, units).is_err() {
            return Err(PoolError::Units { meeting: place });
        }
    }
    match colours {
        ColourModel::Fixed { elo } if !(-1000.0..=1000.0).contains(&elo) => {
            Err(PoolError::WhiteAdvantage(elo))
        }
        _ => Ok(()),
    }
}

fn white_advantage(colours: ColourModel, solved: Option<&Solved>, undetermined: bool) -> WhiteAdvantage {
    if undetermined {
        return WhiteAdvantage::NotDetermined;
    }
    if let ColourModel::Fixed { elo } = colours {
        return WhiteAdvantage::Given { elo };
    }
    let Some(solved) = solved else { return WhiteAdvantage::NotFitted };
    let Slot::Free(place) = solved.problem.white else { return WhiteAdvantage::NotFitted };
    let elo = solved.solution.parameters[place] * ELO_PER_LOGIT;
    let (standard_error, degrees) = solved.error_of(&[(place, 1.0)]);
    match t_quantile_real(f64::midpoint(1.0, CONFIDENCE), degrees) {
        Some(t) if standard_error * t < WIDEST_HALF_WIDTH => WhiteAdvantage::Estimated {
            elo,
            low: elo - t * standard_error,
            high: elo + t * standard_error,
            standard_error,
        },
        _ => WhiteAdvantage::NotDetermined,
    }
}

fn misfit(solved: &Solved) -> Option<PoolMisfit> {
    let spreads = &solved.spreads;
    let free = solved.problem.size() - solved.problem.priors.len() - usize::from(solved.problem.centred);
    let degrees_of_freedom = spreads.cells.len().checked_sub(free).filter(|degrees| *degrees > 0)? as u64;
    if spreads.cells.len() < MIN_TESTED_MEETINGS || spreads.no_variance {
        return None;
    }
    let statistic =
        spreads.cells.iter().map(|cell| cell.residual.powi(2) / (spreads.ratio * cell.model)).sum::<f64>();
    let p_value = chi_squared_tail(statistic, degrees_of_freedom)?;
    statistic.is_finite().then_some(PoolMisfit { statistic, degrees_of_freedom, p_value })
}

fn rated(
    player: usize,
    anchors: &[Anchor],
    played: &[&Meeting],
    group: &[usize],
    fit: &PoolFit,
) -> RatedPlayer {
    let own = || played.iter().filter(|meeting| meeting.first == player || meeting.second == player);
    let mut tally = Tally::default();
    let mut opponents = BTreeSet::new();
    for meeting in own() {
        let seen = meeting.tally();
        let (wins, losses) =
            if meeting.first == player { (seen.wins, seen.losses) } else { (seen.losses, seen.wins) };
        tally.wins += wins;
        tally.draws += seen.draws;
        tally.losses += losses;
        opponents.insert(if meeting.first == player { meeting.second } else { meeting.first });
    }
    let estimate = match (anchors[player], fit.rating_of(player)) {
        (Anchor::Fixed { elo }, _) => PlayerEstimate::Fixed { elo },
        (_, Some(estimate)) => estimate,
        (_, None) if tally.games() == 0 => PlayerEstimate::Absent(PlayerAbsence::NoGames),
        (_, None) => PlayerEstimate::Absent(
            bound(player, own(), fit).unwrap_or(PlayerAbsence::OtherGroup { group: group[player] }),
        ),
    };
    #[expect(clippy::cast_precision_loss, reason = "counts of games")]
    let score =
        (tally.games() > 0).then(|| (2 * tally.wins + tally.draws) as f64 / (2 * tally.games()) as f64);
    RatedPlayer {
        player,
        estimate,
        games: tally.games(),
        units: own().flat_map(|meeting| meeting.units.values()).sum(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        score,
        opponents: opponents.len(),
    }
}

/// The one-sided bound of a player who won, or lost, every game against rated players.
fn bound<'a>(
    player: usize,
    own: impl Iterator<Item = &'a &'a Meeting>,
    fit: &PoolFit,
) -> Option<PlayerAbsence> {
    let solved = fit.solved.as_ref()?;
    let mut levels = Vec::new();
    for meeting in own {
        let mine = meeting.first == player;
        let opponent = if mine { meeting.second } else { meeting.first };
        let elo = solved.slots[opponent]?.value(&solved.solution.parameters) * ELO_PER_LOGIT;
        let seen = meeting.tally();
        let (wins, losses) = if mine { (seen.wins, seen.losses) } else { (seen.losses, seen.wins) };
        let units = meeting.units.iter().map(|(unit, count)| {
            let turned = Unit { half_points: 2 * unit.games - unit.half_points, ..*unit };
            (if mine { *unit } else { turned }, *count)
        });
        levels.push(Level::new(elo, wins, seen.draws, losses, units).ok()?);
    }
    let won = levels.iter().all(|level| level.half_points() == 2 * level.games());
    let lost = levels.iter().all(|level| level.half_points() == 0);
    let ladder = Ladder::new(levels);
    if won {
        lower_bound(&ladder).map(|bound| PlayerAbsence::AllWon { bound })
    } else if lost {
        upper_bound(&ladder).map(|bound| PlayerAbsence::AllLost { bound })
    } else {
        None
    }
}

fn remarks(fit: &PoolFit, single: u64, copies: u64) -> Vec<PoolRemark> {
    let mut remarks = Vec::new();
    if single > 0 && single == fit.units {
        remarks.push(PoolRemark::GamesAsUnits);
    } else if single > 0 {
        remarks.push(PoolRemark::SingleGames { games: single });
    }
    if copies > 0 {
        remarks.push(PoolRemark::Copies { units: copies });
    }
    if fit.groups.len() > 1 {
        remarks.push(PoolRemark::NotConnected { groups: fit.groups.len() });
    }
    if fit.solved.as_ref().is_some_and(|solved| solved.spreads.no_variance) {
        remarks.push(PoolRemark::NoVariance);
    }
    if let Some(misfit) = fit.misfit.filter(|misfit| misfit.p_value < MISFIT_ALARM) {
        remarks.push(PoolRemark::MeetingsDisagree { p_value: misfit.p_value });
    }
    if fit.white_advantage == WhiteAdvantage::NotDetermined {
        remarks.push(PoolRemark::WhiteNotDetermined);
    }
    remarks
}

impl PoolFit {
    /// `None` outside the rated group.
    fn rating_of(&self, player: usize) -> Option<PlayerEstimate> {
        let solved = self.solved.as_ref()?;
        let place = solved.slots.get(player).copied().flatten()?.place()?;
        let rating = solved.solution.parameters[place] * ELO_PER_LOGIT;
        let (standard_error, degrees_of_freedom) = solved.error_of(&[(place, 1.0)]);
        let quantile = t_quantile_real(f64::midpoint(1.0, CONFIDENCE), degrees_of_freedom);
        let Some(quantile) = quantile.filter(|_| standard_error.is_finite() && standard_error > 1e-6) else {
            return Some(PlayerEstimate::Absent(PlayerAbsence::NotEnoughData));
        };
        let half_width = quantile * standard_error;
        if half_width > WIDEST_HALF_WIDTH {
            return Some(PlayerEstimate::Absent(PlayerAbsence::TooWide { half_width }));
        }
        Some(PlayerEstimate::Interval(PlayerInterval {
            rating,
            low: rating - half_width,
            high: rating + half_width,
            standard_error,
            degrees_of_freedom,
        }))
    }
}
