//! From the spec to the plan: engines are started once, settings checked, openings chosen.

use std::path::Path;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use super::error::LadderError;
use super::identity::file_sha256;
use super::plan::{FORMAT_VERSION, Plan, PlannedEngine, PlannedGame, PlannedOpening, Rung};
use super::prepared::{PreparedEngine, PreparedRun};
use super::sealed_options::{seal_defaults, strength_fault};
use super::setup::{EngineSetup, Greeting, Origin};
use super::spec::{EngineSpec, Spec};
use crate::arena::SideName;
use crate::chess::openings::{Opening, OpeningsError, read_openings};
use crate::chess::{CastlingMode, uci};
use crate::uci::process::{Launch, check_options};
use crate::uci::protocol::OptionDeclaration;

const CHESS960_HINT: &str = "use openings of standard chess, or an engine that plays Chess960";
const LEVELS_HINT: &str =
    "an opponent with levels must limit its strength, as Stockfish does; without levels it is a match";

/// An engine that has answered once.
struct Probed {
    planned: PlannedEngine,
    prepared: PreparedEngine,
    greeting: Greeting,
}

impl Probed {
    /// Whether `launch` starts the very same program: it would only say the same again.
    fn is_same_program(&self, launch: &Launch) -> bool {
        let own = &self.prepared.launch;
        own.program == launch.program
            && own.arguments == launch.arguments
            && own.directory == launch.directory
    }
}

/// How an engine of a spec is set up.
pub(super) fn setup_of(spec: &EngineSpec, folder: &Path) -> EngineSetup {
    EngineSetup {
        engine: spec.engine.clone(),
        label: spec.name.clone().unwrap_or_else(|| spec.engine.clone()),
        arguments: spec.arguments.clone(),
        directory: spec.directory.clone(),
        files: spec.files.clone(),
        mutable: spec.mutable.clone(),
        runtime: spec.runtime.clone(),
        origin: Origin::Spec(folder.to_owned()),
        deadlines: spec.deadlines.clone(),
    }
}

/// Makes the plan. The same spec, engines and openings give the same bytes on any machine.
///
/// # Errors
/// Whatever would make a game of it wrong: an engine missing or not starting, an option it does not
/// have, a level outside its range, an opening that is not legal.
pub fn make_plan(spec: &Spec) -> Result<PreparedRun, LadderError> {
    let path = spec.folder.join(&spec.openings.file);
    let openings = read_openings(&path, spec.openings.max_plies).map_err(|error| match error {
        OpeningsError::Io { error: source, .. } => LadderError::NoOpenings {
            path: std::path::absolute(&path).unwrap_or_else(|_| path.clone()),
            file: spec.openings.file.clone(),
            source,
        },
        other => other.into(),
    })?;
    let pairs = spec.openings.pairs as usize;
    let order = shuffled(openings.len(), spec.seed);
    let used: Vec<&Opening> = order.iter().take(pairs).map(|&index| &openings[index]).collect();
    let chess960 = used.iter().any(|opening| opening.start.castling_mode() == CastlingMode::Chess960);

    let subject = probe("subject", &spec.subject, &spec.folder, chess960, None)?;
    let mut opponent = probe("opponent", &spec.opponent, &spec.folder, chess960, Some(&subject))?;
    if opponent.planned.name == subject.planned.name {
        // Two players of one name cannot be told apart in a PGN.
        opponent.planned.name.push_str(" (opponent)");
    }
    let rungs = rungs(spec, &opponent, &subject.planned.name)?;
    let planned_openings = used.iter().map(|opening| planned_opening(opening)).collect();
    let plan = Plan {
        format_version: FORMAT_VERSION,
        elometer_version: env!("CARGO_PKG_VERSION").to_owned(),
        name: spec.name.clone(),
        seed: spec.seed,
        date: spec.date.clone(),
        games: games(pairs, rungs.len(), used.len()),
        subject: subject.planned,
        opponent: opponent.planned,
        rungs,
        adjudication: spec.adjudication.clone(),
        openings_sha256: file_sha256(&path)?,
        openings_in_file: openings.len(),
        openings: planned_openings,
    };
    Ok(PreparedRun { plan, engines: [subject.prepared, opponent.prepared] })
}

/// Every level plays the same openings, each with both colours; levels take turns, so that a run
/// that is cut short has played all of them alike.
fn games(pairs: usize, rungs: usize, openings: usize) -> Vec<PlannedGame> {
    let mut games = Vec::with_capacity(pairs * rungs * 2);
    for number in 0..pairs {
        for rung in 0..rungs {
            for subject in [SideName::White, SideName::Black] {
                games.push(PlannedGame {
                    pair: number * rungs + rung,
                    rung,
                    opening: number % openings,
                    subject,
                });
            }
        }
    }
    games
}

/// A permutation of `0..count` by Fisher and Yates, drawn from ChaCha8: the same on every machine
/// and for every version of the generator.
fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        let choices = last as u64 + 1;
        // Draws past the largest multiple of `choices` would favour low numbers.
        let limit = u64::MAX - u64::MAX % choices;
        let drawn = loop {
            let draw = random.next_u64();
            if draw < limit {
                break draw % choices;
            }
        };
        order.swap(last, usize::try_from(drawn).unwrap_or(0));
    }
    order
}

fn planned_opening(opening: &Opening) -> PlannedOpening {
    let mode = opening.start.castling_mode();
    PlannedOpening {
        fen: opening.start.fen(),
        moves: opening.moves.iter().map(|&m| uci(m, mode)).collect(),
        eco: opening.eco.clone(),
        name: opening.name.clone(),
    }
}

fn probe(
    side: &'static str,
    spec: &EngineSpec,
    folder: &Path,
    chess960: bool,
    other: Option<&Probed>,
) -> Result<Probed, LadderError> {
    let setup = setup_of(spec, folder);
    let launch = setup.launch()?;
    let greeting = match other.filter(|other| other.is_same_program(&launch)) {
        Some(other) => other.greeting.clone(),
        None => Greeting::hear(&launch)?,
    };
    let declared = greeting.declared.clone();
    let name = spec
        .name
        .clone()
        .or_else(|| greeting.id_name().map(str::to_owned))
        .unwrap_or_else(|| spec.engine.clone());
    // As PGN will hold it, so that two names that differ here differ there.
    let name = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>();
    let name = name.trim().to_owned();
    let mut settings = spec.settings();
    if chess960 {
        require("UCI_Chess960", &name, &declared, "the Chess960 openings", CHESS960_HINT)?;
        settings.push(("UCI_Chess960".to_owned(), "true".to_owned()));
    }
    let wrong_option = |error| LadderError::Option { key: side, error };
    let chosen = check_options(&name, &declared, &settings).map_err(wrong_option)?;
    if let Some(error) = strength_fault(&name, &declared, &chosen, spec.levels.is_some()) {
        return Err(wrong_option(error));
    }
    let default_options =
        seal_defaults(&name, &declared, &mut settings, spec.levels.is_some()).map_err(wrong_option)?;
    let settings = check_options(&name, &declared, &settings).map_err(wrong_option)?;
    let greeted = greeting.with(&settings);
    let files = setup.files(&launch, greeted)?;
    let planned = PlannedEngine {
        name,
        engine: spec.engine.clone(),
        arguments: setup.portable_arguments(),
        directory: setup.portable_directory(),
        program: setup.program(&launch, greeted, &files)?,
        default_options,
        settings: setup.portable_settings(&launch, &settings),
        limits: spec.limits.clone(),
        restart: spec.restart,
        history: spec.history,
        words: spec.words.clone(),
        deadlines: spec.deadlines.clone(),
    };
    let own_values = settings
        .iter()
        .zip(&planned.settings)
        .filter(|(own, planned)| own != planned)
        .map(|(own, _)| own.clone())
        .collect();
    let prepared = PreparedEngine { setup, launch, files, own_values };
    Ok(Probed { planned, prepared, greeting })
}

fn require(
    option: &'static str,
    engine: &str,
    declared: &[OptionDeclaration],
    needed_by: &'static str,
    hint: &'static str,
) -> Result<(), LadderError> {
    if declared.iter().any(|declaration| declaration.is_named(option)) {
        return Ok(());
    }
    Err(LadderError::OptionLacking { engine: engine.to_owned(), option, needed_by, hint })
}

fn rungs(spec: &Spec, opponent: &Probed, subject: &str) -> Result<Vec<Rung>, LadderError> {
    let planned = &opponent.planned;
    let Some(levels) = &spec.opponent.levels else {
        return Ok(vec![Rung {
            name: planned.name.clone(),
            level: None,
            settings: planned.settings.clone(),
        }]);
    };
    for option in ["UCI_LimitStrength", "UCI_Elo"] {
        require(option, &planned.name, &opponent.greeting.declared, "its levels", LEVELS_HINT)?;
    }
    levels
        .iter()
        .map(|&level| {
            let mut settings = planned.settings.clone();
            settings.push(("UCI_LimitStrength".to_owned(), "true".to_owned()));
            settings.push(("UCI_Elo".to_owned(), level.to_string()));
            let mut name = format!("{} UCI_Elo {level}", planned.name);
            if name == subject {
                name.push_str(" (opponent)");
            }
            Ok(Rung {
                name,
                level: Some(level),
                settings: check_options(&planned.name, &opponent.greeting.declared, &settings)
                    .map_err(|error| LadderError::Option { key: "opponent.levels", error })?,
            })
        })
        .collect()
}
