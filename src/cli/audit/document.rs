//! The whole audit in one of the forms.

use std::io;

use serde_json::{Value, json};

use super::tables::{clause_table, finding_table, quality_table, ruler_table};
use super::words::{
    conversion_words, hint_words, mean_words, not_judged_words, note_words, verdict, won_words,
};
use crate::audit::{
    AuditNote, Audited, BudgetUse, Clause, Grade, Group, HintVerdict, Independence, Origin, Searcher,
    file_quality, games_quality, optimism, qualities,
};
use crate::cli::format::DataFormat;
use crate::cli::print::count;
use crate::ladder::Identity;
use crate::report::{Table, TableFormat};
use crate::uci::process::Budget;

/// Version of the JSON that `audit` prints.
const FORMAT_VERSION: u32 = 1;

/// What is printed.
pub(super) struct Document<'a> {
    /// Every move with its grades.
    pub(super) audited: Audited<'a>,
    /// Whose moves.
    pub(super) subject: &'a str,
    /// Who judged, in words.
    pub(super) judge: String,
    /// The subject as its own judge, in words.
    pub(super) itself: Option<String>,
    /// The judge's first budget.
    pub(super) budget: Budget,
    /// Who judged.
    pub(super) judge_identity: Identity,
    /// The option that limits the judge's strength, with its value.
    pub(super) judge_limited: Option<(String, String)>,
    /// Whether the judge is the subject.
    pub(super) independence: Independence,
    /// What searches used of their budgets.
    pub(super) used: Vec<BudgetUse>,
}

impl Document<'_> {
    /// What to know beside the numbers.
    pub(super) fn notes(&self) -> Vec<AuditNote> {
        let audited = &self.audited;
        let mut notes: Vec<AuditNote> = self.independence.note(self.subject).into_iter().collect();
        notes.extend(
            self.judge_limited.clone().map(|(option, value)| AuditNote::JudgeLimited { option, value }),
        );
        notes.extend(self.used.iter().chain(&self.hint_used()).filter_map(BudgetUse::note));
        let (moves, of) = (audited.not_judged(), audited.moves.len() as u64);
        notes.extend((moves > 0).then_some(AuditNote::NotJudged { moves, of }));
        notes.extend(audited.won_material().note(audited.rule));
        notes
    }

    /// What the hint mode's searches used, in the budget of the live answers.
    fn hint_used(&self) -> Option<BudgetUse> {
        let HintVerdict::Asked { limits: Some(limits), .. } = self.audited.hint else { return None };
        let budget = self.used.iter().find(|used| used.searcher == Searcher::Subject)?.budget;
        Some(BudgetUse { searcher: Searcher::Hint, budget, limits: *limits })
    }

    /// Why the audit says nothing: the judge does not keep its limit.
    pub(super) fn not_judged_words(&self) -> String {
        let first = self.used.iter().find(|used| used.budget == self.budget);
        not_judged_words(&self.audited, first)
    }
}

/// Writes everything but CSV.
///
/// # Errors
/// What writing to memory can fail with: nothing but a value that JSON cannot hold.
pub(super) fn write(document: &Document<'_>, format: DataFormat) -> io::Result<Vec<u8>> {
    let Some(form) = format.table() else { return write_json(document) };
    let audited = &document.audited;
    let Tables { clauses, rulers, quality, findings } = tables(document);
    let mut output = Vec::new();
    if form == TableFormat::Text {
        line(&mut output, &format!("subject    {}", document.subject));
        line(
            &mut output,
            &format!(
                "audited    {} of {}",
                count(audited.moves.len(), "move"),
                count(audited.game_count(), "game")
            ),
        );
        let own = if document.independence.is_same() { "; the subject's own program" } else { "" };
        line(&mut output, &format!("judge      {}{own}", document.judge));
        if let Some(itself) = &document.itself {
            line(&mut output, &format!("itself     {itself}"));
        }
        line(
            &mut output,
            &format!(
                "rule       a move that loses more than {} is broken; exactly {} is kept",
                audited.rule.limit_cp, audited.rule.limit_cp
            ),
        );
    }
    for table in [&clauses, &rulers, &quality, &findings] {
        write_table(&mut output, table, form)?;
    }
    line(&mut output, "");
    for words in sentences(document) {
        line(&mut output, &words);
        if form != TableFormat::Text {
            line(&mut output, "");
        }
    }
    Ok(output)
}

/// The tables of an audit, with their captions.
struct Tables {
    clauses: Table,
    rulers: Table,
    quality: Table,
    findings: Table,
}

fn tables(document: &Document<'_>) -> Tables {
    let audited = &document.audited;
    let numbers = audited.numbers();
    let mut groups = qualities(audited.games, audited.moves, &numbers);
    let of_file = file_quality(audited.games);
    groups.extend(of_file.map(|(quality, _)| quality));
    let mut clauses = clause_table(audited);
    clauses.caption = format!(
        "{}: {} of {}. Judge: {}. A move that loses exactly {} is kept. \"At most\": upper bounds with 95 % \
         confidence, moves independent, then moves of one game together; unresolved moves count as broken in \
         them.",
        document.subject,
        count(audited.moves.len(), "move"),
        count(audited.game_count(), "game"),
        document.judge,
        audited.rule.limit_cp
    );
    let mut rulers = ruler_table(audited);
    rulers.caption = format!(
        "Two rulers: the judge's last word against the subject's own search, which is self-consistency: {}.",
        document.itself.as_deref().unwrap_or_default()
    );
    let mut quality = quality_table(&groups);
    quality.caption = format!(
        "Quality of the moves at {}, with 95 % intervals that take games for independent. Lichess's scale: \
         centipawns and mates clamped to 1000.",
        document.budget
    );
    let mut findings = finding_table(audited);
    findings.caption =
        "Moves that break a promise, or on which the judge does not agree with itself; scores \
                        from the mover at the largest budget."
            .to_owned();
    Tables { clauses, rulers, quality, findings }
}

fn write_table(output: &mut Vec<u8>, table: &Table, form: TableFormat) -> io::Result<()> {
    if table.rows.is_empty() {
        return Ok(());
    }
    if !output.is_empty() {
        output.push(b'\n');
    }
    table.write(output, form)
}

fn line(output: &mut Vec<u8>, text: &str) {
    output.extend_from_slice(crate::cli::print::printable(text).as_bytes());
    output.push(b'\n');
}

fn sentences(document: &Document<'_>) -> Vec<String> {
    let audited = &document.audited;
    let numbers = audited.numbers();
    let of_games = games_quality(audited.games, audited.moves, &numbers);
    let of_file = file_quality(audited.games).map(|(_, games)| games);
    let mut words = Vec::new();
    for (source, games) in [("judge", Some(of_games)), ("the file's evaluations", of_file)] {
        if let Some(games) = games.filter(|games| games.plain.is_some()) {
            words.push(format!(
                "accuracy of games, by {source}: {} (published formula {}, plain mean {})",
                mean_words(games.deployed, 1.0),
                mean_words(games.published, 1.0),
                mean_words(games.plain, 1.0)
            ));
        }
    }
    if let Some(taken) = audited.recaptures() {
        words.push(format!(
            "recaptures: {} % of {} where it could take back",
            mean_words(Some(taken), 100.0),
            count(taken.observations, "move")
        ));
    }
    words.push(format!("hint mode: {}", hint_words(audited.hint)));
    words.extend(audited.conversions().iter().filter_map(|one| conversion_words(audited, one)));
    words.extend(won_words(audited));
    words.extend(document.notes().iter().map(|note| format!("note: {}", note_words(note))));
    words.push(format!("verdict: {}", verdict(document)));
    words
}

fn write_json(document: &Document<'_>) -> io::Result<Vec<u8>> {
    pretty(&json_document(document))
}

/// The same with what a report needs beside it, for `audit.json`: of which games, and the SHA-256 of
/// the `audit.csv` that belongs to it.
pub(super) fn saved(document: &Document<'_>, origin: &Origin, rows_sha256: &str) -> io::Result<Vec<u8>> {
    let audited = &document.audited;
    let first =
        audited.grades.iter().map(|grades| Grade { is_short: !grades.is_judged(), ..grades.first.clone() });
    let first: Vec<Grade> = first.collect();
    let Tables { clauses, rulers, quality, findings } = tables(document);
    let mut value = json_document(document);
    value["origin"] = json!(origin);
    value["rows_sha256"] = json!(rows_sha256);
    value["limit_cp"] = json!(audited.rule.limit_cp);
    value["optimism"] = json!(optimism(audited.moves, &first));
    value["tables"] =
        json!({ "clauses": clauses, "rulers": rulers, "quality": quality, "findings": findings });
    value["sentences"] = json!(sentences(document));
    pretty(&value)
}

fn pretty(value: &Value) -> io::Result<Vec<u8>> {
    let mut output = serde_json::to_vec_pretty(value)?;
    output.push(b'\n');
    Ok(output)
}

fn json_document(document: &Document<'_>) -> Value {
    let audited = &document.audited;
    let numbers = audited.numbers();
    let clauses: Vec<_> = Clause::ALL
        .into_iter()
        .flat_map(|clause| Group::ALL.map(|group| audited.count(clause, group)))
        .collect();
    let rulers: Vec<_> = Clause::ALL
        .into_iter()
        .filter(|_| audited.own_grades.is_some())
        .map(|clause| json!({ "clause": clause, "moves": audited.rulers(clause) }))
        .collect();
    let of_file = file_quality(audited.games);
    json!({
        "format_version": FORMAT_VERSION,
        "subject": document.subject,
        "judge": document.judge,
        "judge_identity": document.judge_identity,
        "judge_is_subject": document.independence.is_same(),
        "independence": document.independence,
        "limits": document.used,
        "notes": document.notes(),
        "itself": document.itself,
        "budget": document.budget,
        "rule": audited.rule,
        "games": audited.game_count(),
        "moves": audited.moves.len(),
        "not_judged": audited.not_judged(),
        "verdict": audited.overall(),
        "clauses": clauses,
        "won_endgames": audited.conversion_count(),
        "won_material": audited.won_material(),
        "conversions": audited.conversions(),
        "hint": audited.hint,
        "recaptures": audited.recaptures(),
        "rulers": rulers,
        "quality": qualities(audited.games, audited.moves, &numbers),
        "games_quality": games_quality(audited.games, audited.moves, &numbers),
        "file_quality": of_file.as_ref().map(|(quality, _)| quality),
        "file_games_quality": of_file.as_ref().map(|(_, games)| games),
        "findings": audited.findings(),
    })
}
