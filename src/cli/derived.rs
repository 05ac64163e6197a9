//! What is made from a run's journal when it ends: files, the standing, the rating.

use super::exit::{Exit, Failure};
use super::fit::{Judged, write_json, write_text};
use super::print::{self, count};
use crate::ladder::input::run_input;
use crate::ladder::{LadderError, Latency, RunFolder, RunResults, early_end_words, fault_list, pgn_and_csv};
use crate::rating::fit;
use crate::report::limit_notes;

/// A waiting engine that uses more of a core than this is named.
const MUCH_IDLE_PERCENT: f64 = 10.0;

/// Writes `games.pgn` and `games.csv`, prints the standing and the rating.
pub(super) fn write_and_print(folder: &RunFolder, results: &RunResults<'_>) -> Result<(), Failure> {
    let bad = |error| Failure::new(Exit::Internal, error);
    // Nothing can fail here but a move of the journal that is not legal.
    let (pgn, csv) = pgn_and_csv(results, &mut folder.game_reader()?)
        .map_err(|error| LadderError::game_data(&folder.journal_path(), &error))?;
    folder.write_derived("games.pgn", &pgn)?;
    folder.write_derived("games.csv", &csv)?;
    let mut text = standing_text(results).into_bytes();
    let fitted = folder.plan().is_ladder() && results.finished() > 0;
    if fitted {
        let input = run_input(&folder.path().display().to_string(), results)
            .map_err(|error| Failure::new(Exit::BadInput, error))?;
        let fit = fit(&input.ladder);
        let mut json = Vec::new();
        write_json(&mut json, &input, &fit, Judged::default()).map_err(bad)?;
        folder.write_derived("fit.json", &json)?;
        text.push(b'\n');
        write_text(&mut text, &input, &fit, false).map_err(bad)?;
        text.push(b'\n');
    }
    if !fitted {
        text.extend_from_slice(limit_text(results).as_bytes());
    }
    text.extend_from_slice(format!("folder     {}\n", folder.path().display()).as_bytes());
    print::data(&text)
}

/// Whose limits were not kept.
pub(super) fn limit_text(results: &RunResults<'_>) -> String {
    limit_notes(&results.limits_used()).iter().map(|note| format!("note: {note}\n")).collect()
}

/// Games, results and faults of a run, a line each.
pub(super) fn standing_text(results: &RunResults<'_>) -> String {
    let plan = results.plan();
    let [wins, draws, losses] = results.wins_draws_losses();
    let mut text = format!(
        "run        {}: {} against {}\ngames      {} of {} played\nsubject    {wins} won, {draws} drawn, \
         {losses} lost\n",
        plan.name,
        plan.subject.name,
        plan.opponent.name,
        results.finished(),
        plan.games.len(),
    );
    let mut line = |title: &str, rest: String| text.push_str(&format!("{title:<11}{rest}\n"));
    let faults = fault_list(&results.faults());
    let none = if results.void_games() > 0 { "none in games that count" } else { "none" };
    line("faults", if faults.is_empty() { none.to_owned() } else { faults });
    if results.void_games() > 0 {
        let faults = fault_list(results.void_faults());
        line("void", format!("{}, not counted: {faults}", count(results.void_games(), "game")));
    }
    let left_out = results.left_out_pairs().len();
    if left_out > 0 {
        line("left out", count(left_out, "opening pair"));
    }
    if let Some(words) = early_end_words(plan) {
        line("limits", words);
    }
    if plan.is_timed() {
        let [subject, opponent] = results.latency();
        line("latency", format!("subject {}", latency_text(subject)));
        line("", format!("opponent {}", latency_text(opponent)));
    }
    let copies = results.copies();
    if copies > 0 {
        line("copies", format!("{}, each an earlier game move for move: no evidence", count(copies, "game")));
    }
    for (side, waiting) in ["subject", "opponent"].into_iter().zip(results.waits()) {
        if let Some(percent) = waiting.percent().filter(|percent| *percent > MUCH_IDLE_PERCENT) {
            line(
                "waiting",
                format!(
                    "the {side} used {percent:.0} % of a core while the other side was thinking, time that \
                     the other side may lack"
                ),
            );
        }
    }
    text
}

/// What came between an engine's own time for a move and ours.
fn latency_text(latency: &Latency) -> String {
    let quantile = |permille| latency.quantile_ms(permille);
    match (quantile(500), quantile(990), quantile(1000)) {
        (Some(median), Some(high), Some(largest)) => format!(
            "median {median:.1} ms, 99 % {high:.1}, largest {largest:.1}: measured less its own `time`, {}",
            count(latency.moves(), "move")
        ),
        _ => "unknown: it reports no `time`".to_owned(),
    }
}
