//! The audit in the page: its numbers, figures, tables and worst moves.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize as _;

use super::collect::Collected;
use super::files::NamedTable;
use crate::audit::{SavedAudit, SavedMove, larger_budgets};
use crate::chess::{Chess, Color, Move, Position as _, Square, StartPosition, parse_engine_move, san};
use crate::cli::audit::note_words;
use crate::cli::print::count;
use crate::rating::{ClusterCount, ClusteredMean, clustered_upper_limit, upper_limit};
use crate::report::{
    Arrow, Chart, Diagram, Fact, Gallery, Item, Table, Tone, accuracy_chart, board_svg, drop_chart,
    optimism_chart, shortened,
};
use crate::uci::process::Budget;

/// Diagrams of worst moves.
const DIAGRAMS: usize = 12;
/// Letters of the subject's words beside a diagram.
const LONGEST_SENTENCE: usize = 400;
/// Games that are shown for their worst moves.
const WORST_GAMES: usize = 60;

/// The moves, the worst first: those that break a promise, then those left open, then by loss.
fn worst_first(audit: &SavedAudit) -> Vec<&SavedMove> {
    let mut moves: Vec<&SavedMove> =
        audit.rows.iter().filter(|row| row.loss_cp > Some(0) || row.gravity() > 0).collect();
    let loss = |row: &SavedMove| row.final_drop_cp.max(row.loss_cp);
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
    let mates = audit.rows.iter().filter(|row| row.judged && row.drop_cp.is_none()).count() as u64;
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
    let is_weak = audit.judge_is_subject || audit.not_judged > 0;
    items.extend(verdict.map(|text| Item::Text { text: text.clone(), warning: is_weak }));
    items.extend(
        audit
            .notes
            .iter()
            .map(|note| Item::Text { text: format!("Note: {}.", note_words(note)), warning: true }),
    );
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
    let mut facts = vec![Fact {
        label: "Moves that break a promise".to_owned(),
        value: broken.to_string(),
        interval: widest_bound(audit),
        count: match audit.not_judged {
            0 => format!("{moves}; {open} unresolved"),
            not_judged => format!("{moves}; {open} unresolved, {not_judged} not judged"),
        },
        method: format!(
            "A loss of more than {} centipawns, a forced mate allowed or let go, by the judge at the largest \
             budget. Unresolved moves count as broken in the bound. It is the larger of two: Clopper and Pearson's \
             with moves independent, and Korn and Graubard's, which lets moves of one game stand or fall together. \
             The table has both for each clause with its own denominator.",
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

/// The larger of the two bounds on the share of moves that break a promise, and which it is.
fn widest_bound(audit: &SavedAudit) -> String {
    let mut games = BTreeMap::<&str, ClusterCount>::new();
    let judged = audit.rows.iter().filter(|row| row.judged);
    for row in judged.clone() {
        let game = games.entry(&row.game).or_default();
        game.trials += 1;
        game.successes += u64::from(row.gravity() > 0);
    }
    let games: Vec<ClusterCount> = games.into_values().collect();
    let broken = games.iter().map(|game| game.successes).sum();
    let alone = upper_limit(broken, judged.count() as u64);
    let (bound, how) = match (alone, clustered_upper_limit(&games)) {
        (Some(alone), Some(together)) if together >= alone => (together, "moves of a game together"),
        (Some(alone), _) => (alone, "moves independent"),
        (None, _) => return String::new(),
    };
    format!("at most {:.2} % of moves with 95 %, {how}", 100.0 * bound)
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

/// Where a piece comes to stand: castling is written by its rook and shown by its king.
fn destination(m: Move, turn: Color) -> Square {
    m.castling_side().map_or(m.to(), |side| side.king_to(turn))
}

/// The judge's first budget, and the largest at which it is asked in doubt.
fn budget_words(budget: Option<Budget>) -> [String; 2] {
    let Some(first) = budget else { return ["at first".to_owned(), "at the largest budget".to_owned()] };
    let [_, last] = larger_budgets(first);
    [first, last].map(|budget| format!("at {}", budget.to_string().trim_end_matches(" a position")))
}

/// What the judge said at its first budget and, where it was asked again, at its largest: each with the
/// move that was best there.
fn judge_facts(budget: Option<Budget>, row: &SavedMove, position: &Chess) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let mut add = |at: &str, best: &str, [best_score, played]: [&str; 2], drop: Option<u32>| {
        let best = parse_engine_move(position, best).map(|(m, _)| san(position, m)).unwrap_or_default();
        facts.push((format!("{at}: best"), format!("{best} {}", score(best_score)).trim_start().to_owned()));
        facts.push((format!("{at}: played"), score(played)));
        facts.push((format!("{at}: loss"), drop.map_or("a mate".to_owned(), |drop| format!("{drop} cp"))));
    };
    let [first, last] = budget_words(budget);
    add(&first, &row.best_move, [&row.best_score, &row.chosen_score], row.drop_cp);
    if row.searched_again {
        let scores = [row.final_best_score.as_str(), &row.final_chosen_score];
        add(&last, &row.final_best_move, scores, row.final_drop_cp);
    }
    facts
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
    let (played, _) = parse_engine_move(position, &row.m).ok()?;
    let read = |text: &str| parse_engine_move(position, text).ok().map(|(m, _)| m);
    let best = read(if row.searched_again { &row.final_best_move } else { &row.best_move });
    let turn = position.turn();
    let mut arrows = Vec::new();
    if let Some((best, from)) =
        best.filter(|best| *best != played).and_then(|best| Some((best, best.from()?)))
    {
        arrows.push(Arrow { from, to: destination(best, turn), tone: Tone::Blue, broken: true });
    }
    if let Some(from) = played.from() {
        arrows.push(Arrow { from, to: destination(played, turn), tone: Tone::Orange, broken: false });
    }
    let who = if turn == Color::White { "White" } else { "Black" };
    let better = best.filter(|best| *best != played).map(|best| san(position, best));
    let mut facts = vec![
        ("played (orange)".to_owned(), row.san.clone()),
        ("better (blue, broken)".to_owned(), better.clone().unwrap_or_else(|| "none".to_owned())),
    ];
    facts.extend(judge_facts(audit.budget, row, position));
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
    let label = match better {
        Some(better) => format!("{who} to move: {} was played, {better} is better", row.san),
        None => format!("{who} to move: {} was played", row.san),
    };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_score_of_the_judge_stands_with_its_own_budget_and_best_move() {
        let row = serde_json::json!({
            "game": "game 3", "ply": 4, "number": "3.", "fen": "", "move": "e1g1", "san": "O-O", "opponent": "",
            "reported_score": "", "best_move": "a1d1", "best_score": "250", "chosen_score": "-100", "drop_cp": 350,
            "searched_again": true, "final_best_move": "e1c1", "final_best_score": "#3", "final_chosen_score": "-90",
            "final_drop_cp": null, "drop": "", "allows_mate": "", "missed_mate": "", "own_drop_cp": null,
            "loss_cp": 350
        });
        let mut row = SavedMove::deserialize(row).unwrap();
        let start = StartPosition::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let facts = |budget, row: &SavedMove| -> Vec<String> {
            let facts = judge_facts(budget, row, start.position());
            facts.into_iter().map(|(name, value)| format!("{name} {value}")).collect()
        };
        let deep = facts(Some(Budget::Depth(4)), &row);
        let first =
            ["at depth 4: best Rd1 +2.50", "at depth 4: played \u{2212}1.00", "at depth 4: loss 350 cp"];
        let last = [
            "at depth 8: best O-O-O mate in 3",
            "at depth 8: played \u{2212}0.90",
            "at depth 8: loss a mate",
        ];
        assert_eq!(deep, [first, last].concat());
        assert_eq!(facts(Some(Budget::Nodes(5000)), &row)[3], "at 80000 nodes: best O-O-O mate in 3");
        assert_eq!(facts(None, &row)[3], "at the largest budget: best O-O-O mate in 3");
        row.searched_again = false;
        assert_eq!(facts(Some(Budget::Depth(4)), &row), first);
    }

    #[test]
    fn castling_points_at_the_square_of_the_king() {
        let start = StartPosition::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        for (text, to) in [("e1g1", Square::G1), ("e1c1", Square::C1), ("a1d1", Square::D1)] {
            let (m, _) = parse_engine_move(start.position(), text).unwrap();
            assert_eq!(destination(m, Color::White), to);
        }
    }
}
