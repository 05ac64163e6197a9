//! The tables of an audit.

use super::words::{clause_words, mean_words, percent, won_scale};
use crate::audit::{Audited, Clause, ClauseCount, Group, Quality, Verdict, score_text};
use crate::report::{Column, Table};

/// Every clause with its denominators and bounds.
pub(super) fn clause_table(audited: &Audited<'_>) -> Table {
    let columns = [
        "applies",
        "kept",
        "broken at first",
        "broken",
        "unresolved",
        "not judged",
        "at most % (95 %)",
        "clustered",
        "games broken",
    ];
    let mut table = Table::new([Column::words("clause"), Column::words("moves")].to_vec());
    table.columns.extend(columns.map(Column::numbers));
    table.columns.push(Column::words("does not apply"));
    for clause in Clause::ALL {
        for group in Group::ALL {
            let count = audited.count(clause, group);
            let shown = group == Group::All || count.applied > 0;
            if shown {
                table.rows.push(clause_row(&count, audited.rule.limit_cp));
            }
        }
    }
    let conversion = audited.conversion_count();
    let mut reasons: Vec<String> =
        conversion.not_applicable.iter().map(|(how, games)| format!("{games} {how}")).collect();
    let below = audited.won_material().games_below;
    if below > 0 {
        reasons.push(format!("{below} won by material alone"));
    }
    table.rows.push(vec![
        format!("won endgame not won by mate{}", won_scale(audited)),
        "games".to_owned(),
        conversion.applied.to_string(),
        conversion.kept.to_string(),
        conversion.broken.to_string(),
        conversion.broken.to_string(),
        "0".to_owned(),
        audited.won_material().games_not_judged.to_string(),
        percent(conversion.upper_limit),
        percent(conversion.upper_limit),
        format!("{} of {}", conversion.broken, conversion.applied),
        reasons.join(", "),
    ]);
    table
}

fn clause_row(count: &ClauseCount, limit_cp: u32) -> Vec<String> {
    let group = match count.group {
        Group::All => "all",
        Group::Book => "book",
        Group::Endgame => "endgame",
    };
    let reasons = count.not_applicable.iter().map(|(reason, moves)| format!("{moves} {reason}"));
    vec![
        clause_words(count.clause, limit_cp),
        group.to_owned(),
        count.applied.to_string(),
        count.kept.to_string(),
        count.broken_first.to_string(),
        count.broken.to_string(),
        count.unresolved.to_string(),
        count.not_judged.to_string(),
        percent(count.upper_limit),
        percent(count.clustered_upper_limit),
        format!("{} of {}", count.games_broken, count.games),
        reasons.collect::<Vec<_>>().join(", "),
    ]
}

/// The two rulers; empty without the subject's own search.
pub(super) fn ruler_table(audited: &Audited<'_>) -> Table {
    let columns = ["broken by both", "by the judge alone", "by itself alone", "by neither", "open"];
    let mut table = Table::new(vec![Column::words("clause")]);
    table.columns.extend(columns.map(Column::numbers));
    if audited.own_grades.is_none() {
        return table;
    }
    for clause in Clause::ALL {
        let rulers = audited.rulers(clause);
        let numbers = [rulers.both, rulers.judge_only, rulers.itself_only, rulers.neither, rulers.open];
        let mut row = vec![clause_words(clause, audited.rule.limit_cp)];
        row.extend(numbers.map(|number| number.to_string()));
        table.rows.push(row);
    }
    table
}

/// The quality of groups of moves.
pub(super) fn quality_table(qualities: &[Quality]) -> Table {
    let columns = [
        "moves",
        "centipawn loss",
        "accuracy %",
        "published formula",
        "agrees with judge %",
        "inaccuracies",
        "mistakes",
        "blunders",
    ];
    let mut table = Table::new(vec![Column::words("group")]);
    table.columns.extend(columns.map(Column::numbers));
    for quality in qualities {
        let [inaccuracies, mistakes, blunders] = quality.judgements;
        table.rows.push(vec![
            quality.group.clone(),
            quality.moves.to_string(),
            mean_words(quality.centipawn_loss, 1.0),
            mean_words(quality.accuracy, 1.0),
            mean_words(quality.published_accuracy, 1.0),
            mean_words(quality.agreement, 100.0),
            inaccuracies.to_string(),
            mistakes.to_string(),
            blunders.to_string(),
        ]);
    }
    table
}

/// The moves that break a promise or leave it open.
pub(super) fn finding_table(audited: &Audited<'_>) -> Table {
    let columns = ["game", "move", "verdict", "at first", "itself", "best", "score", "chosen", "position"];
    let mut table = Table::new(vec![Column::words("clause")]);
    table.columns.extend(columns.map(Column::words));
    for finding in audited.findings() {
        let grade = finding.grade;
        let book = if finding.book { " (book)" } else { "" };
        table.rows.push(vec![
            clause_words(finding.clause, audited.rule.limit_cp),
            finding.game.to_owned(),
            format!("{} {}{book}", finding.number, finding.san),
            finding.verdict.name().to_owned(),
            finding.first.name().to_owned(),
            finding.itself.map(Verdict::name).unwrap_or_default().to_owned(),
            grade.best.m.clone(),
            score_text(grade.best.score, grade.best.bound),
            score_text(grade.chosen.score, grade.chosen.bound),
            finding.fen.to_owned(),
        ]);
    }
    table
}
