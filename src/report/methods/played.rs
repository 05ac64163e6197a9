//! What a paper says of how its games were played: paragraphs made from the plan and the journal.

use super::super::limits::limit_sentences;
use crate::arena::History;
use crate::ladder::{Plan, PlannedEngine, RunResults, SessionLine, early_end_words, fault_list};

/// SHA-256 of `positions/openings.epd`, the set that comes with elometer.
const OWN_OPENINGS: &str = "4ce0c67add17545bc8c95ca27377cc3f1145bb4352fd069519ecda9b100e2c08";

/// The paragraphs of methods.md, plain text: engines, games, machine.
#[must_use]
pub fn methods(results: &RunResults<'_>, sessions: &[SessionLine], seal: &str) -> Vec<String> {
    let plan = results.plan();
    let mut paragraphs =
        vec![engine_words("subject", &plan.subject), engine_words("opponent", &plan.opponent)];
    paragraphs.extend(limit_sentences(&results.limits_used()));
    paragraphs.push(game_words(results));
    paragraphs.extend(ending_words(plan));
    paragraphs.extend(machine_words(sessions));
    let versions: std::collections::BTreeSet<&str> = std::iter::once(plan.elometer_version.as_str())
        .chain(sessions.iter().map(|session| session.elometer_version.as_str()))
        .collect();
    paragraphs.push(format!(
        "The games were planned and played by elometer {}; SHA-256 of the plan: {seal}.",
        versions.into_iter().collect::<Vec<_>>().join(", ")
    ));
    paragraphs
}

fn engine_words(role: &str, engine: &PlannedEngine) -> String {
    let identity = &engine.program;
    let mut text = format!("The {role} was {}", engine.name);
    if let Some(name) = identity.id_name.as_ref().filter(|name| **name != engine.name) {
        text.push_str(&format!(", which calls itself {name}"));
    }
    text.push_str(&format!(" (SHA-256 of the program: {}", identity.program_sha256));
    for (file, hash) in &identity.files_sha256 {
        text.push_str(&format!("; of {file}: {hash}"));
    }
    if let Some(runtime) = &identity.runtime {
        text.push_str(&format!("; run by {runtime}"));
    }
    text.push_str(&format!("), limited to {}", engine.limits));
    let settings: Vec<String> =
        engine.settings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if settings.is_empty() {
        text.push_str(", with no option set");
    } else {
        text.push_str(&format!(", with the options {}", settings.join(", ")));
    }
    if !engine.arguments.is_empty() {
        text.push_str(&format!(", started with the arguments {}", engine.arguments.join(" ")));
    }
    if engine.restart {
        text.push_str(", started anew for every game");
    }
    if engine.history != History::Game {
        text.push_str("; it was told the position after the last irreversible move and the moves since");
    }
    text.push('.');
    text
}

fn game_words(results: &RunResults<'_>) -> String {
    let plan = results.plan();
    let levels: Vec<String> =
        plan.rungs.iter().filter_map(|rung| rung.level).map(|level| level.to_string()).collect();
    let counted = results.counted().count();
    let mut text = if levels.is_empty() {
        "The two played a match".to_owned()
    } else {
        format!(
            "The opponent was limited in strength to UCI_Elo {}, each a level of the ladder, so ratings are \
             on the scale of {}'s UCI_Elo at {}: at another limit or in another version a level is another \
             opponent",
            levels.join(", "),
            plan.opponent.name,
            plan.opponent.limits
        )
    };
    text.push_str(&format!(
        ". {} games were planned and {} played, of which {counted} count. Each opening {} played twice against \
         the same opponent, once with each colour. The openings ({} of the {} in {} with SHA-256 \
         {}) were drawn by the seed {}.",
        plan.games.len(),
        results.finished(),
        if results.missing() == 0 && results.left_out_pairs().is_empty() { "was" } else { "was to be" },
        plan.openings.len(),
        plan.openings_in_file,
        if plan.openings_sha256 == OWN_OPENINGS { "elometer's positions/openings.epd" } else { "a file" },
        plan.openings_sha256,
        plan.seed
    ));
    if let Some(words) = early_end_words(plan) {
        text.push_str(&format!(" Not all levels are what their labels say: {words}."));
    }
    text.push_str(&fault_words(results));
    let copies = results.copies();
    if copies > 0 {
        text.push_str(&format!(
            " {copies} games repeat an earlier one move for move and count as no further evidence."
        ));
    }
    text
}

/// Whose faults ended games, and what became of those.
fn fault_words(results: &RunResults<'_>) -> String {
    let faults = results.faults();
    let (lost, void) = (faults.values().sum::<usize>(), results.void_games());
    let mut text = match (lost, void) {
        (0, 0) => return " No game ended by a fault of an engine.".to_owned(),
        (0, _) => " No game that counts ended by a fault of an engine.".to_owned(),
        (lost, _) => {
            format!(" Of the games that count {lost} ended by a fault, which loses: {}.", fault_list(&faults))
        }
    };
    if void > 0 {
        text.push_str(&format!(
            " Void and not counted: {void}, by {}; a void game was played again, at most three times.",
            fault_list(results.void_faults())
        ));
    }
    let left_out = results.left_out_pairs().len();
    if left_out > 0 {
        text.push_str(&format!(" Opening pairs left out because a game stayed void: {left_out}."));
    }
    text
}

fn ending_words(plan: &Plan) -> Vec<String> {
    let rules = &plan.adjudication;
    let [subject, opponent] = plan.scores_count();
    let both = subject && opponent;
    let mut parts = Vec::new();
    if let Some(resign) = &rules.resign {
        let rule = format!("{} centipawns behind for {} of its moves", resign.score_cp, resign.moves);
        let whose = match (subject, opponent) {
            (true, true) => format!("a side lost a game when it saw itself {rule} and the other side agreed"),
            (true, false) => format!("the subject lost a game when it saw itself {rule}"),
            (false, true) => format!("the opponent lost a game when it saw itself {rule}"),
            (false, false) => "no side could resign".to_owned(),
        };
        parts.push(whose);
    }
    if let Some(draw) = rules.draw.as_ref().filter(|_| both) {
        parts.push(format!(
            "a game was drawn when both sides saw at most {} centipawns for {} moves without a pawn move or a \
             capture, from move {} on",
            draw.score_cp, draw.moves, draw.from_move
        ));
    }
    if !both && (rules.resign.is_some() || rules.draw.is_some()) {
        let draws = if rules.draw.is_some() { ", so no draw was adjudicated" } else { "" };
        parts.push(format!("scores of a side limited in strength did not count{draws}"));
    }
    if let Some(plies) = rules.max_plies {
        parts.push(format!("a game was drawn after {plies} plies, those of the opening not counted"));
    }
    if plan.is_timed() {
        let margins = [&plan.subject, &plan.opponent].map(|engine| engine.limits.margin().as_millis());
        let [subject, opponent] = margins;
        parts.push(if subject == opponent {
            format!("a clock or a move time could be overstepped by {subject} ms")
        } else {
            format!("a clock or a move time could be overstepped by {subject} ms by the subject, {opponent} ms by the \
                     opponent")
        });
    }
    let rules =
        if parts.is_empty() { "nothing else ended a game but faults".to_owned() } else { parts.join("; ") };
    vec![format!(
        "Games ended by the rules of chess, fifty moves and threefold repetition at once and without a claim; \
         {rules}."
    )]
}

fn machine_words(sessions: &[SessionLine]) -> Option<String> {
    let first = sessions.first()?;
    let mut machines: Vec<String> = Vec::new();
    for session in sessions {
        let bound = session
            .cpus
            .as_ref()
            .map(|cpus| format!(", each bound to processors ({cpus})"))
            .unwrap_or_default();
        // Which build of the kernel it was stands in the journal.
        let mut system = session.system.split_whitespace();
        let (name, architecture) =
            (system.next().unwrap_or_default(), system.next_back().unwrap_or_default());
        let model = session.processor.as_ref().map(|model| format!(" ({model})")).unwrap_or_default();
        let words = format!(
            "{name} {architecture} with {} processors{model}, {} at once{bound}",
            session.cores, session.concurrency
        );
        if !machines.contains(&words) {
            machines.push(words);
        }
    }
    let last = sessions.last().map_or("", |session| session.started.as_str());
    let date = |time: &str| time.chars().take(10).collect::<String>();
    let when = if sessions.len() == 1 {
        format!("in one session on {}", date(&first.started))
    } else {
        format!("in {} sessions from {} to {}", sessions.len(), date(&first.started), date(last))
    };
    Some(format!("The games were played {when} on {}.", machines.join("; and on ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_openings_that_come_with_elometer_are_known_by_their_hash() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("positions/openings.epd");
        assert_eq!(crate::ladder::file_sha256(&path).unwrap(), OWN_OPENINGS);
    }
}
