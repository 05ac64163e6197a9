//! What a fit says in sentences.

use super::super::print::{count, decimals};
use crate::ladder::input::{
    Conditions, Notice, PairCounts, PairSource, Results, RunLimits, Unused, UnusedReason,
};
use crate::rating::{
    Absence, Estimate, Fit, Interval, LadderPosterior, Line, Method, Misfit, PRIORS, Remark, SlopeTest,
};
use crate::report::limit_note;

/// For a match, where more games would not help.
const NO_LEVELS: &str = "no estimate: no opponent has a level, and a rating is read off the opponents' levels; \
                         `elometer fit --pool` rates all players against each other";

/// What tables call a method.
pub(super) fn method_name(method: Method) -> &'static str {
    match method {
        Method::Hierarchical => "quoted",
        Method::UnitOrLevel => "Elo curve, pairs or levels (no priors)",
        Method::EloCurveUnitT => "Elo curve, pairs",
        Method::EloCurveWidened => "Elo curve, widened by misfit",
        Method::FreeSlopeUnitZ => "free slope, pairs",
        Method::FreeSlopeWidenedT => "free slope, widened by misfit",
        Method::FreeSlopeDeltaT => "free slope, widened, symmetric",
        Method::Binomial => "Elo curve, won-or-lost games",
        Method::GameRobust => "Elo curve, games around the curve",
        Method::GameWithinLevel => "Elo curve, games (other tools at best)",
        Method::UnitRobust => "Elo curve, pairs around the curve",
        Method::ProfileBinomial => "Elo curve, profile likelihood, games",
        Method::ProfileUnits => "Elo curve, profile likelihood, pairs",
        Method::RandomEffects => "random effects (Paule-Mandel, HK)",
        Method::Firth => "Firth, profile",
        Method::Davidson => "Davidson draws",
        Method::DavidsonFreeSlope => "Davidson draws, free slope",
        Method::RaoKupper => "Rao-Kupper draws",
        Method::RaoKupperFreeSlope => "Rao-Kupper draws, free slope",
    }
}

/// What levels are, with their unit, for an axis: only a run tells that they are `UCI_Elo`.
pub(in crate::cli) fn level_words(results: &Results) -> &'static str {
    if results.conditions.as_ref().is_some_and(Conditions::levels_are_uci_elo) {
        "level (UCI_Elo)"
    } else {
        "level (Elo)"
    }
}

/// `R = 1874, 95 % [1822, 1926], 840 games (420 pairs) against Stockfish 19 (...)` and what the ladder
/// is like; where there is no estimate, why, and the bound that there is.
pub(in crate::cli) fn headline(fit: &Fit, results: &Results) -> String {
    if nothing_has_a_level(fit, results) {
        return NO_LEVELS.to_owned();
    }
    let games = games_words(fit.games, fit.pairs);
    match fit.quoted.line.estimate {
        Estimate::Interval(Interval { rating, low, high, .. }) => {
            let against = results
                .shown_conditions()
                .map(|Conditions { opponent, .. }| format!(" against {opponent}"))
                .or_else(|| {
                    let differ = results.notices.iter().any(Notice::is_of_different_opponents);
                    differ.then(|| " against opponents that differ under one level".to_owned())
                })
                .unwrap_or_default();
            let places = decimals(low, high, 0);
            let mut text =
                format!("R = {rating:.places$}, 95 % [{low:.places$}, {high:.places$}], {games}{against}");
            if let Some(ladder) = found_ladder(fit) {
                text.push_str(&format!("; {}", ladder_words(ladder)));
            }
            text.push_str(&elo_curve_words(fit));
            text
        }
        Estimate::Absent(absence) => absence_sentence(absence, &games),
    }
}

/// `840 games (420 pairs)`; without pairs the games alone.
pub(in crate::cli) fn games_words(games: u64, pairs: u64) -> String {
    let pairs = if pairs > 0 { format!(" ({})", count(pairs, "pair")) } else { String::new() };
    format!("{}{pairs}", count(games, "game"))
}

/// What the quoted line found about the ladder. With one to three levels slope and disagreement are
/// assumptions, not findings, and there is none.
pub(in crate::cli) fn found_ladder(fit: &Fit) -> Option<LadderPosterior> {
    let assumed = |remark: &Remark| matches!(remark, Remark::PriorsCarryMost { .. });
    fit.quoted.ladder.filter(|_| !fit.quoted.line.remarks.iter().any(assumed))
}

fn nothing_has_a_level(fit: &Fit, results: &Results) -> bool {
    fit.games == 0 && results.unused.iter().any(|unused| unused.reason == UnusedReason::UnknownLevel)
}

fn ladder_words(ladder: LadderPosterior) -> String {
    format!(
        "slope {:.2} of Elo's [{:.2}, {:.2}], levels disagree by about {:.0}",
        ladder.slope_median, ladder.slope_low, ladder.slope_high, ladder.tau_median
    )
}

/// What the curve that everybody else prints says of the same games.
fn elo_curve_words(fit: &Fit) -> String {
    let Some(interval) = fit.elo_curve.estimate.interval() else { return String::new() };
    let verdict = match fit.misfit {
        Some(Misfit::Tested { statistic, degrees_of_freedom, p_value, .. }) => format!(
            "{} (X2 {statistic:.1} on {degrees_of_freedom}, p {})",
            if p_value < 0.05 { " and misfits" } else { ", no misfit seen" },
            probability(p_value)
        ),
        Some(Misfit::NotTested { .. }) | None => ", ladder not tested".to_owned(),
    };
    let places = decimals(interval.low, interval.high, 0);
    format!("; the Elo curve alone says {:.places$}{verdict}", interval.rating)
}

/// What the quoted line assumes.
pub(in crate::cli) fn priors_words() -> String {
    format!(
        "assumed before the first game: slope {} +/- {}, level errors half-normal with scale {} Elo, any R; see \
         docs/statistics.md",
        PRIORS.slope_mean, PRIORS.slope_sd, PRIORS.tau_scale
    )
}

/// The tests of the two curves.
pub(in crate::cli) fn test_words(fit: &Fit) -> Vec<String> {
    let mut lines = Vec::new();
    let mut misfit = |curve: &str, misfit: Option<Misfit>| {
        if let Some(Misfit::Tested { statistic, degrees_of_freedom, p_value, phi }) = misfit {
            lines.push(format!(
                "misfit of the {curve}: X2 {statistic:.1} on {degrees_of_freedom} degrees of freedom, p {}, \
                 phi {phi:.2}",
                probability(p_value)
            ));
        }
    };
    misfit("Elo curve", fit.misfit);
    misfit("free slope", fit.free_slope.as_ref().and_then(|free| free.misfit));
    if let Some(slope) = fit.free_slope.as_ref().and_then(|free| free.slope) {
        let test = match fit.slope_test {
            Some(SlopeTest::Tested { f_statistic, degrees_of_freedom, p_value, .. }) => format!(
                "; slope of 1: F {f_statistic:.1} on 1 and {degrees_of_freedom}, p {}",
                probability(p_value)
            ),
            _ => String::new(),
        };
        let places = decimals(slope.low, slope.high, 2);
        lines.push(format!(
            "slope of the expected score: {:.places$} of Elo's, 95 % [{:.places$}, {:.places$}]{test}",
            slope.slope, slope.low, slope.high
        ));
    }
    lines
}

/// What the levels look like when some are left out, and what their labels are worth.
pub(in crate::cli) fn ladder_lines(fit: &Fit) -> Vec<String> {
    let mut lines = Vec::new();
    let rating = |line: &Line| line.estimate.interval().map(|interval| interval.rating);
    if let Some(others) = &fit.others {
        if let Some(found) = others.leave_one_out {
            lines.push(format!(
                "one level left out: {:.0} (without {}) to {:.0} (without {})",
                found.low, found.low_without, found.high, found.high_without
            ));
        }
        let ends = [&others.three_lowest, &others.three_highest].map(|line| line.as_ref().and_then(rating));
        if let [Some(lowest), Some(highest)] = ends {
            lines.push(format!("three lowest levels {lowest:.0}, three highest {highest:.0}"));
        }
        if let Some(tau) = others.random_effects.tau {
            lines.push(format!("levels disagree by {tau:.0} Elo (Paule-Mandel, a diagnostic)"));
        }
    }
    if let Some(scale) = fit.scale {
        lines.push(format!(
            "the scale itself, in no line above: labels off by {} each and {:.0} together make SE {:.0} with these \
             games, {:.0} with any number",
            scale.level_label_sd, scale.scale_sd, scale.total, scale.floor
        ));
    }
    lines
}

/// An absence as a sentence about the whole ladder.
fn absence_sentence(absence: Absence, games: &str) -> String {
    match absence {
        Absence::AllWon { bound } => format!(
            "R >= {:.0} with 95 % confidence, {games}: all won, so no estimate, only a bound \
             ({:.0} if every game counted as independent)",
            bound.elo, bound.elo_games_as_units
        ),
        Absence::AllLost { bound } => format!(
            "R <= {:.0} with 95 % confidence, {games}: all lost, so no estimate, only a bound \
             ({:.0} if every game counted as independent)",
            bound.elo, bound.elo_games_as_units
        ),
        Absence::OnlyCopies { copies, .. } => {
            format!(
                "no estimate, {games}: no variance, these games are copies ({copies} repeat an earlier game)"
            )
        }
        Absence::Gap { won_up_to, lost_from } => format!(
            "no estimate, {games}: all won up to {won_up_to} and all lost from {lost_from}; play levels between"
        ),
        Absence::TooWide { half_width } => format!(
            "no estimate, {games}: not enough data, the 95 % interval would reach {half_width:.0} Elo either way; \
             play more pairs"
        ),
        Absence::NotEnoughData { needed, .. } => {
            format!("no estimate, {games}: not enough data, at least {needed} pairs are needed")
        }
        other => format!("no estimate, {games}: {}", absence_cell(other)),
    }
}

/// An absence as it fits into a table.
pub(super) fn absence_cell(absence: Absence) -> String {
    match absence {
        Absence::AllWon { bound } => format!(">= {:.0}, all won", bound.elo),
        Absence::AllLost { bound } => format!("<= {:.0}, all lost", bound.elo),
        Absence::OnlyAtLeast { low, .. } => format!(">= {low:.0}, no upper end"),
        Absence::OnlyAtMost { high, .. } => format!("<= {high:.0}, no lower end"),
        Absence::NotEnoughData { .. } => "not enough data".to_owned(),
        Absence::TooFewLevels { needed, .. } => format!("needs {needed} levels"),
        Absence::TooWide { half_width } => format!("not enough data (+/- {half_width:.0})"),
        Absence::NotDetermined => "not determined".to_owned(),
        Absence::NotFalling => "the score does not fall with the level".to_owned(),
        Absence::NoVariance => "no variance".to_owned(),
        Absence::NoDraws => "needs draws and decided games".to_owned(),
        Absence::OnlyCopies { .. } => "no variance: copies".to_owned(),
        Absence::Gap { won_up_to, lost_from } => format!("between {won_up_to} and {lost_from}"),
    }
}

/// The remarks of the whole fit and of the lines shown, each once.
pub(in crate::cli) fn remarks<'a>(fit: &'a Fit, lines: &[&'a Line]) -> Vec<String> {
    let mut texts = Vec::new();
    let quotable = fit.quoted.line.estimate.interval().is_some();
    for remark in fit.remarks.iter().chain(lines.iter().flat_map(|line| &line.remarks)) {
        let text = remark_text(remark, quotable);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

fn remark_text(remark: &Remark, quotable: bool) -> String {
    match remark {
        Remark::GamesAsUnits => {
            "note: games as units: pairs unknown; if openings were played in pairs, this interval ignores it"
                .to_owned()
        }
        Remark::SingleGames { games } => {
            format!("note: {} without a pair, each taken as independent", count(*games, "game"))
        }
        Remark::Copies { games } => format!(
            "warning: {} repeat an earlier game move for move; copies count as one observation",
            count(*games, "game")
        ),
        Remark::NoVariance { levels } => format!(
            "note: no variance at {}: all observations scored alike; the curve's own variance is used there",
            level_list(levels)
        ),
        Remark::NoGames { levels } => format!("note: no games at {}", level_list(levels)),
        Remark::AboveLadder => {
            "warning: the rating lies above every level played; it is extrapolated on the Elo curve"
                .to_owned()
        }
        Remark::BelowLadder => {
            "warning: the rating lies below every level played; it is extrapolated on the Elo curve"
                .to_owned()
        }
        Remark::LevelsDisagree { statistic, degrees_of_freedom, p_value } => format!(
            "warning: levels disagree (X2 {statistic:.1} on {degrees_of_freedom}, p {}): {}the Elo curve's own \
             intervals are too narrow here",
            probability(*p_value),
            if quotable { "quote the line named quoted; " } else { "" }
        ),
        Remark::LadderNotTested { levels } => format!(
            "note: ladder not tested: {} with at least 2 pairs, 4 are needed to see whether levels agree",
            count(*levels as u64, "level")
        ),
        Remark::LevelsJoined { levels, groups } => format!(
            "note: {levels} levels, some met too seldom to tell an error of their own, are {} of neighbours in the \
             quoted line",
            count(*groups as u64, "group")
        ),
        Remark::PriorsCarryMost { levels } => format!(
            "note: with {} of enough games to tell an error of its own, the assumptions about the ladder carry most \
             of the quoted interval",
            count(*levels as u64, "level")
        ),
        Remark::BeyondTheMethod { tau_upper90 } => format!(
            "warning: the levels may disagree by {tau_upper90:.0} Elo (90 % bound), more than the quoted line was \
             built for"
        ),
    }
}

/// What was read but not used, and what was read from names.
pub(in crate::cli) fn input_words(results: &Results) -> Vec<String> {
    let mut lines = Vec::new();
    let lost_by_faults: u64 = results.lost_by_faults.values().sum();
    if lost_by_faults > 0 {
        let causes: Vec<String> =
            results.lost_by_faults.iter().map(|(cause, games)| format!("{games} {cause}")).collect();
        lines.push(format!(
            "warning: {} lost by faults of the subject, not on the board: {}",
            count(lost_by_faults, "game"),
            causes.join(", ")
        ));
    }
    if results.levels_from_names > 0 {
        lines.push(format!(
            "note: the level of {} was read from the opponent's name, there being no Elo tag",
            count(results.levels_from_names, "game")
        ));
    }
    lines.extend(pair_words(&results.pairs));
    lines.extend(results.notices.iter().map(|notice| format!("{}: {notice}", notice.severity())));
    lines.extend(limit_words(&results.limits_used));
    lines.extend(unused_words(&results.unused));
    if results.unused.iter().any(|unused| unused.reason == UnusedReason::NotTheSubjects) {
        lines.push("hint: `elometer fit --pool` fits the games of all players together".to_owned());
    }
    lines
}

/// Whose limits were not kept. Where there are several runs, each note names its own.
pub(in crate::cli) fn limit_words(limits: &[RunLimits]) -> Vec<String> {
    let several = limits.iter().zip(limits.iter().skip(1)).any(|(one, next)| one.source != next.source);
    let one = |run: &RunLimits| {
        let note = limit_note(&run.used.engine, &run.used.limits, &run.used.facts)?;
        let whose = if several { format!("{}: ", run.source) } else { String::new() };
        Some(format!("note: {whose}{note}"))
    };
    limits.iter().filter_map(one).collect()
}

/// How pairs were told, where that was not the plan's word.
pub(in crate::cli) fn pair_words(pairs: &PairCounts) -> Option<String> {
    let told: Vec<String> = pairs
        .pairs
        .iter()
        .filter_map(|(source, pairs)| match source {
            PairSource::Plan => None,
            PairSource::Round => Some(format!("{} by Round", count(*pairs, "pair"))),
            PairSource::Opening => Some(format!("{} by opening and colours", count(*pairs, "pair"))),
        })
        .collect();
    let single = (pairs.single_games > 0).then(|| format!("{} single", count(pairs.single_games, "game")));
    (!told.is_empty())
        .then(|| format!("note: told {}", told.into_iter().chain(single).collect::<Vec<_>>().join(", ")))
}

/// What was read but not used.
pub(in crate::cli) fn unused_words(unused: &[Unused]) -> Vec<String> {
    let line = |unused: &Unused| {
        let first = unused.first.as_ref().map(|first| format!(" (first: {first})")).unwrap_or_default();
        format!("not used: {}, {}{first}", count(unused.games, "game"), reason_text(unused.reason))
    };
    unused.iter().map(line).collect()
}

fn reason_text(reason: UnusedReason) -> &'static str {
    match reason {
        UnusedReason::Unfinished => "unfinished",
        UnusedReason::UnknownLevel => "level of the opponent unknown",
        UnusedReason::NotTheSubjects => "not the subject's",
        UnusedReason::AgainstItself => "the subject against itself",
        UnusedReason::Unreadable => "unreadable",
        UnusedReason::NoPlayers => "without names of players",
        UnusedReason::Duplicate => "in two folders of one run, counted in the first",
        UnusedReason::VoidPair => "in a pair left out, its other game being void each time",
    }
}

fn level_list(levels: &[f64]) -> String {
    let levels: Vec<String> = levels.iter().map(f64::to_string).collect();
    levels.join(", ")
}

/// `0.038`, `4e-7`.
pub(in crate::cli) fn probability(p_value: f64) -> String {
    if p_value < 1e-300 {
        "below 1e-300".to_owned()
    } else if p_value < 0.001 {
        format!("{p_value:.0e}")
    } else {
        format!("{p_value:.3}")
    }
}
