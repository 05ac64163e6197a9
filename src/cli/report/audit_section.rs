//! The audit in the page: its numbers, figures, tables and worst moves.

use std::collections::BTreeSet;

use serde::Deserialize as _;

use super::collect::Collected;
use super::files::NamedTable;
use crate::audit::{SavedAudit, SavedMove};
use crate::chess::{Color, Position as _, StartPosition, parse_engine_move, san};
use crate::cli::print::count;
use crate::rating::ClusteredMean;
use crate::report::{
    Arrow, Chart, Diagram, Fact, Gallery, Item, Table, Tone, accuracy_chart, board_svg, drop_chart,
    optimism_chart, shortened,
};

/// Diagrams of worst moves.
const DIAGRAMS: usize = 12;
/// Letters of the subject's words beside a diagram.
const LONGEST_SENTENCE: usize = 400;
/// Games that are shown for their worst moves.
const WORST_GAMES: usize = 60;

/// The moves, the worst first: those that break a promise, then those left open, then by loss.
fn worst_first(audit: &SavedAudit) -> Vec<&SavedMove> {
    let mut moves: Vec<&SavedMove> =
        audit.rows.iter().filter(|row| row.loss_cp > 0 || row.gravity() > 0).collect();
    let loss = |row: &SavedMove| row.final_drop_cp.unwrap_or(row.loss_cp).max(row.loss_cp);
    moves.sort_by(|a, b| {
        b.gravity()
            .cmp(&a.gravity())
            .then(loss(b).cmp(&loss(a)))
            .then((a.game_number(), a.ply).cmp(&(b.game_number(), b.ply)))
    });
    moves
}

/// The numbers of the games with the worst moves, in that order.
pub(super) fn worst_games(audit: &SavedAudit) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let games = worst_first(audit).into_iter().filter_map(SavedMove::game_number);
    games.filter(|game| seen.insert(*game)).take(WORST_GAMES).collect()
}

fn about(audit: &SavedAudit) -> String {
    format!(
        "{}: {} of {}; judge: {}.",
        shortened(&audit.subject, 200),
        count(audit.moves, "move"),
        count(audit.games, "game"),
        audit.judge
    )
}

/// The figures of an audit.
pub(super) fn audit_charts(audit: &SavedAudit) -> Vec<Chart> {
    let about = about(audit);
    let drops: Vec<u32> = audit.rows.iter().filter_map(|row| row.drop_cp).collect();
    let mates = (audit.rows.len() - drops.len()) as u64;
    let charts = [
        drop_chart(&about, &drops, mates, audit.limit_cp),
        accuracy_chart(&about, &audit.quality),
        optimism_chart(&about, &audit.optimism),
    ];
    charts.into_iter().flatten().collect()
}

/// The tables that the audit printed.
pub(super) fn audit_tables(audit: &SavedAudit) -> Vec<NamedTable> {
    let named = [
        ("clauses", "audit-clauses", "What was kept and broken"),
        ("rulers", "audit-rulers", "Two rulers"),
        ("quality", "audit-quality", "Quality of the moves"),
        ("findings", "audit-findings", "Moves that break a promise or leave it open"),
    ];
    let table = |(key, name, title): (&str, &'static str, &'static str)| {
        let table = audit.tables.get(key).and_then(|value| Table::deserialize(value).ok())?;
        (!table.rows.is_empty()).then_some(NamedTable { name, title, table, data: None })
    };
    named.into_iter().filter_map(table).collect()
}

/// The items of the section, the gallery of the worst moves last.
pub(super) fn audit_items(audit: &SavedAudit, run: &Collected, first_game: usize, prefix: &str) -> Vec<Item> {
    let verdict = audit.sentences.iter().find(|line| line.starts_with("verdict"));
    let mut items = vec![
        Item::Facts { facts: facts(audit) },
        Item::Text { text: format!("Audited: {}", about(audit)), warning: false },
    ];
    items.extend(verdict.map(|text| Item::Text { text: text.clone(), warning: false }));
    let diagrams =
        worst_first(audit).into_iter().take(DIAGRAMS).enumerate().filter_map(|(index, row)| {
            diagram(audit, row, run, first_game, &format!("{prefix}worst-{index}"))
        });
    items.push(Item::Gallery(Gallery { diagrams: diagrams.collect() }));
    items
}

fn facts(audit: &SavedAudit) -> Vec<Fact> {
    let moves = format!("{} of {}", count(audit.moves, "move"), count(audit.games, "game"));
    let broken = audit.rows.iter().filter(|row| row.gravity() == 2).count();
    let open = audit.rows.iter().filter(|row| row.gravity() == 1).count();
    let limit = crate::rating::upper_limit((broken + open) as u64, audit.moves);
    let mut facts = vec![Fact {
        label: "Moves that break a promise".to_owned(),
        value: broken.to_string(),
        interval: limit
            .map(|share| format!("at most {:.2} % of moves with 95 %", 100.0 * share))
            .unwrap_or_default(),
        count: format!("{moves}; {open} unresolved"),
        method: format!(
            "A loss of more than {} centipawns, a forced mate allowed or let go, by the judge at the largest \
             budget. The bound is Clopper and Pearson's with moves independent; unresolved moves count as broken \
             in it. The table has each clause with its own denominator and the bound for games.",
            audit.limit_cp
        ),
    }];
    let all = audit.quality.first();
    let mut mean = |label: &str, unit: &str, scale: f64, mean: Option<ClusteredMean>, method: &str| {
        let Some(ClusteredMean { mean, interval, clusters, observations }) = mean else { return };
        facts.push(Fact {
            label: label.to_owned(),
            value: format!("{:.1} {unit}", scale * mean),
            interval: interval
                .map(|[low, high]| format!("95 % [{:.1}, {:.1}]", scale * low, scale * high))
                .unwrap_or_default(),
            count: format!("{} of {}", count(observations, "move"), count(clusters, "game")),
            method: method.to_owned(),
        });
    };
    let quality = |number: fn(&crate::audit::Quality) -> Option<ClusteredMean>| all.and_then(number);
    mean(
        "Accuracy",
        "%",
        1.0,
        quality(|all| all.accuracy),
        "Mean over moves of lichess's accuracy, by the judge's first search; games are taken for independent.",
    );
    mean(
        "Centipawn loss",
        "cp",
        1.0,
        quality(|all| all.centipawn_loss),
        "Mean centipawns per move: best less chosen, both clamped to 1000, a mate being an end; games are taken for independent.",
    );
    mean(
        "Agreement",
        "%",
        100.0,
        quality(|all| all.agreement),
        "Share of moves that the judge itself would play; games are taken for independent.",
    );
    facts
}

/// A score of `audit.csv` for people.
fn score(text: &str) -> String {
    let (bound, number) = match text.strip_prefix(['>', '<']) {
        Some(rest) => (text.get(..1).unwrap_or_default(), rest),
        None => ("", text),
    };
    match number.parse::<i32>() {
        Ok(value) => {
            let sign = if value < 0 { "\u{2212}" } else { "+" };
            format!("{bound}{sign}{}.{:02}", value.unsigned_abs() / 100, value.unsigned_abs() % 100)
        }
        Err(_) => match number.strip_prefix("#-") {
            Some(moves) => format!("{bound}mated in {moves}"),
            None => number
                .strip_prefix('#')
                .map_or_else(|| "-".to_owned(), |moves| format!("{bound}mate in {moves}")),
        },
    }
}

fn diagram(
    audit: &SavedAudit,
    row: &SavedMove,
    run: &Collected,
    first_game: usize,
    id: &str,
) -> Option<Diagram> {
    let start = StartPosition::from_fen(&row.fen).ok()?;
    let position = start.position();
    let best_move = if row.searched_again { &row.final_best_move } else { &row.best_move };
    let (played, _) = parse_engine_move(position, &row.m).ok()?;
    let best = parse_engine_move(position, best_move).ok().map(|(m, _)| m);
    let mut arrows = Vec::new();
    if let Some((best, from)) =
        best.filter(|best| *best != played).and_then(|best| Some((best, best.from()?)))
    {
        arrows.push(Arrow { from, to: best.to(), tone: Tone::Blue, broken: true });
    }
    if let Some(from) = played.from() {
        arrows.push(Arrow { from, to: played.to(), tone: Tone::Orange, broken: false });
    }
    let turn = position.turn();
    let who = if turn == Color::White { "White" } else { "Black" };
    let best_san = best.map(|best| san(position, best)).unwrap_or_default();
    let mut facts = vec![
        ("played (orange)".to_owned(), row.san.clone()),
        ("better (blue, broken)".to_owned(), best_san.clone()),
        ("judge: better".to_owned(), score(&row.best_score)),
        ("judge: played".to_owned(), score(&row.chosen_score)),
        ("judge: loss".to_owned(), row.drop_cp.map_or("a mate".to_owned(), |drop| format!("{drop} cp"))),
    ];
    if row.searched_again {
        let words = format!("{} against {}", score(&row.final_chosen_score), score(&row.final_best_score));
        facts.push(("at 16 times the budget".to_owned(), words));
        let loss = row.final_drop_cp.map_or("a mate".to_owned(), |drop| format!("{drop} cp"));
        facts.push(("loss there".to_owned(), loss));
    }
    facts.push(("subject said".to_owned(), score(&row.reported_score)));
    if !row.words.is_empty() {
        facts.push(("words of the subject".to_owned(), shortened(&row.words, LONGEST_SENTENCE)));
    }
    if audit.itself.is_some() {
        let own = row.own_drop_cp.map_or("no number".to_owned(), |drop| format!("{drop} cp"));
        facts.push(("loss by its own search".to_owned(), own));
    }
    let verdict = [("drop", &row.drop), ("allows mate", &row.allows_mate), ("missed mate", &row.missed_mate)]
        .into_iter()
        .filter(|(_, verdict)| verdict.ends_with("broken") || verdict.ends_with("unresolved"))
        .map(|(clause, verdict)| format!("{clause}: {verdict}"));
    let verdict = verdict.collect::<Vec<_>>().join("; ");
    facts.push(("verdict".to_owned(), if verdict.is_empty() { "kept".to_owned() } else { verdict }));
    let title = format!("{}, {} {}", shortened(&row.game, 60), row.number, row.san);
    let label = format!("{who} to move: {} was played, {best_san} is better", row.san);
    let replay =
        row.game_number().and_then(|number| run.games.by_number.get(&number)).map(|index| first_game + index);
    Some(Diagram {
        svg: board_svg(position.board(), turn, &arrows, id, &label),
        title: format!("{title} ({who}), against {}", shortened(&row.opponent, 60)),
        facts,
        replay,
        ply: row.ply + 1,
    })
}
