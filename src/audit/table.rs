//! `audit.csv`: one row per audited move. Nothing in it depends on a clock, a machine or the order of
//! searching.

use std::io::{self, Write};

use super::findings::Audited;
use super::quality::MoveQuality;
use super::rule::{Clause, Grade, Verdict};
use crate::chess::{Bound, Color, Score};

const COLUMNS: [&str; 37] = [
    "game",
    "ply",
    "number",
    "fen",
    "move",
    "san",
    "opponent",
    "opponent_level",
    "subject_color",
    "phase",
    "book",
    "legal_moves",
    "clock_ms",
    "reported_score",
    "best_move",
    "best_score",
    "best_wdl",
    "chosen_score",
    "chosen_wdl",
    "judge_move",
    "drop_cp",
    "searched_again",
    "final_best_move",
    "final_best_score",
    "final_chosen_score",
    "final_drop_cp",
    "drop",
    "allows_mate",
    "missed_mate",
    "delayed_mate",
    "own_drop_cp",
    "loss_cp",
    "accuracy",
    "published_accuracy",
    "judgement",
    "words",
    "judged",
];

/// Writes the moves. A score is centipawns (`34`) or a mate (`#-3`), from the mover; a bound has `>` or
/// `<` before it. A verdict is that of the largest search; where the first differs it stands before
/// an arrow. A move that was not judged has the judge's scores as they are and no number made of them.
///
/// # Errors
/// What the output reports.
pub fn write_moves(output: &mut impl Write, audited: &Audited<'_>) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(output);
    csv.write_record(COLUMNS)?;
    let verdicts = Clause::ALL.map(|clause| audited.verdicts(clause).collect::<Vec<_>>());
    for (index, (m, grades)) in audited.moves.iter().zip(audited.grades).enumerate() {
        let Some(game) = audited.games.get(m.game) else { continue };
        let (first, last) = (&grades.first, grades.last());
        let is_judged = grades.is_judged();
        let numbers = is_judged.then(|| MoveQuality::of(first));
        let drop = |grade: &Grade| if is_judged { drop_text(Some(grade)) } else { String::new() };
        let own = audited.own_grades.and_then(|own| own.get(index)?.as_ref()).filter(|own| !own.is_short);
        let mut row = vec![
            game.name.clone(),
            m.ply.to_string(),
            m.number.clone(),
            m.root.fen.clone(),
            m.chosen.clone(),
            m.san.clone(),
            game.opponent.clone(),
            game.opponent_level.map(|level| level.to_string()).unwrap_or_default(),
            if game.subject == Color::White { "white" } else { "black" }.to_owned(),
            m.phase.name().to_owned(),
            m.book.to_string(),
            m.legal_moves.to_string(),
            m.clock_ms.map(|ms| ms.to_string()).unwrap_or_default(),
            m.reported.map(|(score, bound)| score_text(score, bound)).unwrap_or_default(),
            first.best.m.clone(),
            score_text(first.best.score, first.best.bound),
            wdl_text(first.best.wdl),
            score_text(first.chosen.score, first.chosen.bound),
            wdl_text(first.chosen.wdl),
            first.judge_move.clone(),
            drop(first),
            grades.larger.is_some().to_string(),
            last.best.m.clone(),
            score_text(last.best.score, last.best.bound),
            score_text(last.chosen.score, last.chosen.bound),
            drop(last),
        ];
        let of_move = |found: &Vec<(Verdict, Verdict)>| found.get(index).map(|found| verdict_text(*found));
        row.extend(verdicts.iter().map(|found| of_move(found).unwrap_or_default()));
        row.extend([
            drop_text(own),
            numbers.map(|numbers| numbers.loss.to_string()).unwrap_or_default(),
            numbers.map(|numbers| format!("{:.6}", numbers.accuracy)).unwrap_or_default(),
            numbers.map(|numbers| format!("{:.6}", numbers.published)).unwrap_or_default(),
            numbers
                .and_then(|numbers| numbers.judgement)
                .map(|judgement| judgement.name().to_owned())
                .unwrap_or_default(),
            m.words.clone().unwrap_or_default(),
            is_judged.to_string(),
        ]);
        csv.write_record(row)?;
    }
    csv.flush()
}

/// `34`, `#-3`, `>120`.
#[must_use]
pub fn score_text(score: Score, bound: Bound) -> String {
    let mark = match bound {
        Bound::Exact => "",
        Bound::Lower => ">",
        Bound::Upper => "<",
    };
    match score {
        Score::Cp(value) => format!("{mark}{value}"),
        Score::Mate(moves) => format!("{mark}#{moves}"),
    }
}

fn wdl_text(wdl: Option<[u32; 3]>) -> String {
    wdl.map(|[win, draw, loss]| format!("{win}/{draw}/{loss}")).unwrap_or_default()
}

fn drop_text(grade: Option<&Grade>) -> String {
    grade.and_then(Grade::drop_cp).map(|drop| drop.to_string()).unwrap_or_default()
}

fn verdict_text((last, first): (Verdict, Verdict)) -> String {
    if last.name() == first.name() {
        last.name().to_owned()
    } else {
        format!("{} -> {}", first.name(), last.name())
    }
}
