//! What a paper says of how its games were played: paragraphs made from the plan and the journal.

use crate::arena::History;
use crate::ladder::{Plan, PlannedEngine, RunResults, SessionLine};

/// The paragraphs of methods.md, plain text: engines, games, machine.
#[must_use]
pub fn methods(results: &RunResults<'_>, sessions: &[SessionLine], seal: &str) -> Vec<String> {
    let plan = results.plan();
    let mut paragraphs =
        vec![engine_words("subject", &plan.subject), engine_words("opponent", &plan.opponent)];
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
    let identity = &engine.identity;
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
        format!("It was limited in strength to UCI_Elo {}, each a level of the ladder", levels.join(", "))
    };
    text.push_str(&format!(
        "; {} games were planned and {} played, of which {counted} count. Each opening was played twice against \
         the same opponent, once with each colour. The openings ({} of the {} in a file with SHA-256 {}) were \
         drawn by the seed {}.",
        plan.games.len(),
        results.finished(),
        plan.openings.len(),
        plan.openings_in_file,
        plan.openings_sha256,
        plan.seed
    ));
    let faults: usize = results.faults().values().sum();
    text.push_str(&match (faults, results.void_games(), results.left_out_pairs().len()) {
        (0, 0, 0) => " No game ended by a fault of an engine.".to_owned(),
        (faults, void, left_out) => format!(
            " {faults} of the games that count ended by a fault, which loses; {void} games were void by a fault of \
             the opponent and played again, and {left_out} opening pairs were left out after that failed."
        ),
    });
    let copies = results.copies();
    if copies > 0 {
        text.push_str(&format!(
            " {copies} games repeat an earlier one move for move and count as no further evidence."
        ));
    }
    text
}

fn ending_words(plan: &Plan) -> Vec<String> {
    let rules = &plan.adjudication;
    let mut parts = Vec::new();
    if let Some(resign) = &rules.resign {
        parts.push(format!(
            "a game was lost for a side that both engines saw {} centipawns behind for {} moves",
            resign.score_cp, resign.moves
        ));
    }
    if let Some(draw) = &rules.draw {
        parts.push(format!(
            "drawn when both saw at most {} centipawns for {} moves from move {} on",
            draw.score_cp, draw.moves, draw.from_move
        ));
    }
    if let Some(plies) = rules.max_plies {
        parts.push(format!("drawn after {plies} plies"));
    }
    let rules = if parts.is_empty() { "no game was adjudicated".to_owned() } else { parts.join(", ") };
    vec![format!(
        "Games ended by the rules of chess, fifty moves and threefold repetition at once and without a claim; {rules}."
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
        let (name, processor) = (system.next().unwrap_or_default(), system.next_back().unwrap_or_default());
        let words = format!(
            "{name} {processor} with {} processors, {} at once{bound}",
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
    let load =
        first.load.as_ref().map(|load| format!("; load averages at the start {load}")).unwrap_or_default();
    Some(format!("They were played {when} on {}{load}.", machines.join("; and on ")))
}
