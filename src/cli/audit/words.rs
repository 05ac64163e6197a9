//! What an audit says in sentences, and numbers as text.

use crate::audit::{
    AuditEngine, Audited, Clause, Conversion, ConversionEnd, HintVerdict, Overall, larger_budgets,
};
use crate::cli::print::count;
use crate::rating::ClusteredMean;
use crate::uci::process::Budget;

/// `Stockfish 15.1, 100000 nodes a position, Threads=1 UCI_ShowWDL=true Hash=16; in doubt ...`.
pub(super) fn judge_words(judge: &AuditEngine, budget: Budget) -> String {
    let [middle, last] = larger_budgets(budget);
    format!("{}; in doubt {middle}, then {last}", engine_words(judge, budget))
}

/// The subject as its own judge.
pub(super) fn itself_words(subject: &AuditEngine, budget: Budget, wide: bool) -> String {
    let how = if wide { "all moves with an open window (MultiPV)" } else { "best and chosen move apart" };
    format!("{}, {how}", engine_words(subject, budget))
}

fn engine_words(engine: &AuditEngine, budget: Budget) -> String {
    let options: Vec<String> =
        engine.identity().options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let identity = engine.identity();
    let program: String = identity.program_sha256.chars().take(12).collect();
    format!("{} (program {program}), {budget}, {}", identity.name, options.join(" "))
}

/// What a clause is about, in a few words.
pub(super) fn clause_words(clause: Clause, limit_cp: u32) -> String {
    match clause {
        Clause::Drop => format!("loses more than {limit_cp}"),
        Clause::AllowsMate => "allows a forced mate".to_owned(),
        Clause::MissedMate => "lets a mate go".to_owned(),
        Clause::DelayedMate => "delays a mate (measure)".to_owned(),
    }
}

/// The sentence to take away.
pub(super) fn verdict(audited: &Audited<'_>) -> String {
    match audited.overall() {
        Overall::Broken if audited.is_broken_by_moves() => {
            "broken: by the independent judge, at the largest budget".to_owned()
        }
        Overall::Broken => "broken: the hint mode gives different advice in the same position".to_owned(),
        Overall::Unresolved => "unresolved: the judge does not agree with itself on some moves".to_owned(),
        Overall::Kept => {
            format!(
                "kept in all {} that were audited; the bounds say how much that is",
                count(audited.moves.len(), "move")
            )
        }
    }
}

/// What the hint clause says.
pub(super) fn hint_words(hint: &HintVerdict) -> String {
    match hint {
        HintVerdict::NotApplicable { reason } => format!("not applicable: {reason}"),
        HintVerdict::Asked { positions, differences } if differences.is_empty() => {
            format!("kept: {}, each asked by FEN, by moves and by FEN again", count(*positions, "position"))
        }
        HintVerdict::Asked { positions, differences } => {
            format!("broken: different advice in {} of {}", differences.len(), count(*positions, "position"))
        }
    }
}

/// A won endgame that was not won, in words.
pub(super) fn conversion_words(audited: &Audited<'_>, conversion: &Conversion) -> Option<String> {
    let ConversionEnd::NotWon(how) = &conversion.end else { return None };
    let game = audited.games.get(conversion.game)?;
    Some(format!("{}: a won endgame from move {} on ended by {how}", game.name, conversion.from))
}

/// A share as percent with a useful number of digits.
pub(super) fn percent(share: Option<f64>) -> String {
    match share.map(|share| 100.0 * share) {
        None => String::new(),
        Some(percent) if percent >= 10.0 => format!("{percent:.1}"),
        Some(percent) if percent >= 0.1 => format!("{percent:.2}"),
        Some(percent) => format!("{percent:.4}"),
    }
}

/// `12.3 [10.1, 14.5]`, scaled.
pub(super) fn mean_words(mean: Option<ClusteredMean>, scale: f64) -> String {
    let Some(mean) = mean else { return String::new() };
    let centre = scale * mean.mean;
    match mean.interval {
        None => format!("{centre:.1}"),
        Some([low, high]) => format!("{centre:.1} [{:.1}, {:.1}]", scale * low, scale * high),
    }
}
