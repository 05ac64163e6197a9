//! What an audit says in sentences, and numbers as text.

use super::document::Document;
use crate::audit::{
    AuditEngine, AuditNote, Audited, BudgetUse, Clause, Conversion, ConversionEnd, HintVerdict, Overall,
    Searcher, larger_budgets,
};
use crate::cli::print::count;
use crate::rating::ClusteredMean;
use crate::uci::process::{Budget, LimitConcern};

/// `Stockfish 15.1, 100000 nodes a position, Threads=1 UCI_ShowWDL=true Hash=16; in doubt ...`.
pub(super) fn judge_words(judge: &AuditEngine, budget: Budget, used: Option<&BudgetUse>) -> String {
    let [middle, last] = larger_budgets(budget);
    format!("{}; in doubt {middle}, then {last}", engine_words(judge, budget, used))
}

/// The subject as its own judge.
pub(super) fn itself_words(
    subject: &AuditEngine,
    budget: Budget,
    wide: bool,
    used: Option<&BudgetUse>,
) -> String {
    let how = if wide { "all moves with an open window (MultiPV)" } else { "best and chosen move apart" };
    format!("{}, {how}", engine_words(subject, budget, used))
}

fn engine_words(engine: &AuditEngine, budget: Budget, used: Option<&BudgetUse>) -> String {
    let identity = engine.identity();
    let options: Vec<String> =
        identity.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let program: String = identity.program.program_sha256.chars().take(12).collect();
    let concern = used.filter(|used| used.limits.concern().is_some());
    let limit = concern.map_or_else(|| budget.to_string(), used_words);
    format!("{} (program {program}), {limit}, {}", engine.name(), options.join(" "))
}

/// `20000 nodes a position asked, 7 searched`.
pub(in crate::cli) fn used_words(used: &BudgetUse) -> String {
    match median(used) {
        Some(median) => format!("{} asked, {median} searched", used.budget),
        None => format!("{} asked, not told how much was searched", used.budget),
    }
}

/// The median of what the budget bounds.
fn median(used: &BudgetUse) -> Option<u64> {
    let quantity = match used.budget {
        Budget::Nodes(_) => used.limits.nodes,
        Budget::Depth(_) => used.limits.depth,
    };
    quantity.and_then(|quantity| quantity.median)
}

/// Why over half of the moves have no verdict.
pub(super) fn not_judged_words(audited: &Audited<'_>, used: Option<&BudgetUse>) -> String {
    let asked = used.map_or_else(String::new, |used| {
        let asked = match used.budget {
            Budget::Nodes(nodes) => format!("{nodes} nodes"),
            Budget::Depth(depth) => format!("depth {depth}"),
        };
        let searched = median(used).map_or("nothing told".to_owned(), |median| format!("{median} searched"));
        format!(": {asked} asked, {searched} (median)")
    });
    format!(
        "the judge does not keep its limit{asked}; {} of {} not judged\nhint: bound it by what it keeps (--depth or \
         --nodes), or choose another judge",
        audited.not_judged(),
        count(audited.moves.len(), "move")
    )
}

/// The same where two gradings are compared.
pub(super) fn most_not_judged_words(not_judged: u64, moves: usize) -> String {
    format!(
        "a judge does not keep its limit: {not_judged} of {} not judged\nhint: bound it by what it keeps (--depth or \
         --nodes), or choose another judge",
        count(moves, "move")
    )
}

/// A note in words.
pub(in crate::cli) fn note_words(note: &AuditNote) -> String {
    match note {
        AuditNote::Limit { used, concern } => {
            let who = match used.searcher {
                Searcher::Judge => "the judge",
                Searcher::Itself => "the subject as its own judge",
                Searcher::Subject => "the subject",
                Searcher::Hint => "the hint mode",
            };
            let searches = used.limits.searches;
            let outside = match concern {
                LimitConcern::Below => format!("{} of {searches} below a tenth of it", used.limits.below),
                LimitConcern::Above => format!("{} of {searches} above twice of it", used.limits.above),
                LimitConcern::Unreported => {
                    format!("{} of {searches} without a word on it", used.limits.unreported)
                }
            };
            let finding = match concern {
                LimitConcern::Unreported => "does not tell whether it keeps its limit",
                LimitConcern::Below | LimitConcern::Above => "does not keep its limit",
            };
            format!("{who} {finding}: {}; searches: {outside}", used_words(used))
        }
        AuditNote::NotJudged { moves, of } => format!(
            "{} of {of} not judged, as a search for them used less than a tenth of its limit: no verdict, no \
             accuracy and no agreement counts them",
            count(*moves, "move")
        ),
        AuditNote::JudgeIsSubject { differences } => {
            let differences: Vec<String> = differences.iter().map(ToString::to_string).collect();
            let apart = if differences.is_empty() {
                "options and limits too, as far as they are known".to_owned()
            } else {
                format!("what differs (judge, subject): {}", differences.join("; "))
            };
            format!(
                "the judge is the subject's own program ({apart}): the verdict is self-consistency, not strength; \
                 --judge names an independent one"
            )
        }
        AuditNote::JudgeIsSubjectsProgram { differences } => {
            let differences: Vec<String> = differences.iter().map(ToString::to_string).collect();
            format!(
                "the judge is the program that played, started otherwise (judge, subject: {}): what both \
                 misjudge goes unnoticed; --judge names another program",
                differences.join("; ")
            )
        }
        AuditNote::JudgeHasName { name } => format!(
            "the judge has the subject's name ({name}): whether it is the same engine is not known; \
             without a run folder --engine names the subject's program"
        ),
        AuditNote::JudgeLimited { option, value } => {
            format!(
                "the judge's strength is limited ({option}={value}): its scores are those of a weaker player"
            )
        }
        AuditNote::WonMaterial { material, wins, centipawns } => {
            let below = |count: u64, scale: String| (count > 0).then(|| format!("{count} below {scale}"));
            let parts = [
                below(material.below_wins, wins_words(*wins)),
                below(material.below_centipawns, format!("{centipawns} centipawns")),
                (material.mated > 0).then(|| format!("{} mated", material.mated)),
            ];
            let parts: Vec<String> = parts.into_iter().flatten().collect();
            format!(
                "{} with won material not won by the judge ({}); in {} no such position is",
                count(material.below(), "position"),
                parts.join(", "),
                count(material.games_below, "game")
            )
        }
    }
}

fn wins_words(wins: u32) -> String {
    format!("{} % wins", percent(Some(f64::from(wins) / 1000.0)))
}

/// What counts as won, by what the judge tells: ` (won: 95.0 % wins or a mate)`; nothing where no
/// position was asked about.
pub(super) fn won_scale(audited: &Audited<'_>) -> String {
    let material = audited.won_material();
    let wins = material.by_wins + material.below_wins > 0;
    let centipawns = material.by_centipawns + material.below_centipawns > 0;
    let (wins_text, cp_text) =
        (wins_words(audited.rule.won_wins), format!("{} centipawns", audited.rule.won_cp));
    match (wins, centipawns) {
        (true, true) => format!(" (won: {wins_text} or a mate; {cp_text} where the judge gives no wins)"),
        (true, false) => format!(" (won: {wins_text} or a mate)"),
        (false, true) => format!(" (won: {cp_text} or a mate)"),
        (false, false) if material.by_mate > 0 => " (won: a mate)".to_owned(),
        (false, false) => String::new(),
    }
}

/// How many positions with won material the judge calls won; empty when no position has won material.
pub(super) fn won_words(audited: &Audited<'_>) -> Option<String> {
    let material = audited.won_material();
    let won = material.by_mate + material.by_wins + material.by_centipawns;
    let not_judged = match material.not_judged {
        0 => String::new(),
        moves => format!(", {moves} not judged"),
    };
    (material.positions > 0).then(|| {
        format!(
            "won endgames{}: {} with won material, {won} won by the judge, {} not{not_judged}",
            won_scale(audited),
            count(material.positions, "position"),
            material.below()
        )
    })
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
pub(super) fn verdict(document: &Document<'_>) -> String {
    let audited = &document.audited;
    let is_own = document.independence.is_same();
    match audited.overall() {
        Overall::NotJudged => {
            let words = document.not_judged_words();
            format!("not judged: {}", words.lines().next().unwrap_or_default())
        }
        Overall::Broken if audited.is_broken_by_moves() && is_own => {
            "self-consistency: the engine breaks its promises by its own numbers, at the largest budget"
                .to_owned()
        }
        Overall::Broken if audited.is_broken_by_moves() => {
            "broken: by the independent judge, at the largest budget".to_owned()
        }
        Overall::Broken => "broken: the hint mode gives different advice in the same position".to_owned(),
        Overall::Unresolved if is_own => {
            "self-consistency: unresolved, the engine does not agree with itself on some moves".to_owned()
        }
        Overall::Unresolved => "unresolved: the judge does not agree with itself on some moves".to_owned(),
        Overall::Kept => {
            let judged = audited.moves.len() as u64 - audited.not_judged();
            let moves = match audited.not_judged() {
                0 => format!("{} that were audited", count(judged, "move")),
                _ => format!("{} that were judged", count(judged, "move")),
            };
            if is_own {
                format!(
                    "self-consistency: the engine keeps its own numbers in all {moves}; no independent judge was asked"
                )
            } else {
                format!("kept in all {moves}; the bounds say how much that is")
            }
        }
    }
}

/// What the hint clause says.
pub(super) fn hint_words(hint: &HintVerdict) -> String {
    match hint {
        HintVerdict::NotApplicable { reason } => format!("not applicable: {reason}"),
        HintVerdict::Asked { positions, differences, .. } if differences.is_empty() => {
            format!("kept: {}, each asked by FEN, by moves and by FEN again", count(*positions, "position"))
        }
        HintVerdict::Asked { positions, differences, .. } => {
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
