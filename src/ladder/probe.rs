//! One short real search with every engine of a plan, before its first game: an engine that dies,
//! hangs or plays illegally there would lose every game by it.
//!
//! Invariant: a process of its own that is let go again; nothing measured here enters the plan, the
//! journal or a game.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::error::LadderError;
use super::plan::Plan;
use super::prepared::PreparedRun;
use super::run::{first_setup, settings_for};
use crate::arena::{GameFault, Stop, probe_move};
use crate::uci::process::{Asked, Engine, EngineFault, FaultCause, LimitUse, Searched};

/// Which of the two engines of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The engine under measurement.
    Subject,
    /// The engine it is measured against.
    Opponent,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Subject => "subject",
            Self::Opponent => "opponent",
        })
    }
}

/// What is to be said of a probe that went well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeNote {
    /// Its search was longer than a probe waits and was stopped: its games may take long.
    Stopped,
    /// What it reported is not what it was asked.
    Limit(LimitUse),
}

/// One engine that played its move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Which engine.
    pub role: Role,
    /// What reports call it, with its level.
    pub player: String,
    /// What it was asked.
    pub asked: Asked,
    /// What it reported.
    pub searched: Searched,
    /// What is to be said of it.
    pub note: Option<ProbeNote>,
}

/// One engine that cannot play the first move of its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeFault {
    /// Which engine.
    pub role: Role,
    /// What reports call it, with its level.
    pub player: String,
    /// What kind of fault.
    pub cause: GameFault,
    /// With its last lines.
    pub fault: EngineFault,
}

impl fmt::Display for ProbeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { role, player, cause, fault } = self;
        write!(f, "the {role} {player} does not play from the first opening: {cause}: {fault}")
    }
}

/// Asks every engine for one move from the first opening: the subject, and the opponent at its lowest
/// and its highest level, which differ in nothing but the level. Each with a process of its own, under
/// the limits and the options of its games.
///
/// # Errors
/// [`LadderError::Probe`] for an engine that does not start, dies, hangs or does not answer with a
/// legal move; [`LadderError::NoResources`] when the system refuses us a process.
pub fn probe_engines(plan: &Plan, prepared: &PreparedRun, stop: &Stop) -> Result<Vec<Probe>, LadderError> {
    let mut probes = Vec::new();
    let Some(setup) = first_setup(plan)? else { return Ok(probes) };
    let by_level = |index: &usize| plan.rungs.get(*index).and_then(|rung| rung.level);
    let lowest = (0..plan.rungs.len()).min_by_key(by_level);
    let highest = (0..plan.rungs.len()).max_by_key(by_level).filter(|rung| Some(*rung) != lowest);
    let rungs = lowest.into_iter().chain(highest).filter_map(|index| plan.rungs.get(index));
    let subject = (Role::Subject, plan.subject.name.as_str(), &plan.subject, &plan.subject.settings);
    let opponents = rungs.map(|rung| (Role::Opponent, rung.name.as_str(), &plan.opponent, &rung.settings));
    for (role, player, planned, settings) in [subject].into_iter().chain(opponents) {
        let own = &prepared.engines[usize::from(role == Role::Opponent)];
        let launch = own.launch_for(planned, settings, None);
        let sent = settings_for(setup.start.castling_mode(), &own.sent(settings));
        let limits = &planned.limits;
        let asked = || {
            let mut engine = Engine::launch_under(&launch, stop.engines()).map_err(by_process)?;
            engine.new_game(&sent).map_err(by_process)?;
            let probed = probe_move(&mut engine, limits, planned.history, &setup).map_err(|report| {
                let fault = EngineFault {
                    engine: report.engine,
                    cause: if report.cause == GameFault::Hang { FaultCause::Hang } else { FaultCause::Crash },
                    detail: report.detail,
                    transcript: report.transcript,
                    stderr: report.stderr,
                };
                (report.cause, fault)
            });
            engine.quit();
            probed
        };
        let probed = match asked() {
            // Killed engines look like faults.
            _ if stop.is_now() => return Ok(probes),
            Ok(Some(probed)) => probed,
            Ok(None) => continue,
            Err((_, fault)) if fault.cause == FaultCause::NoResources => {
                return Err(LadderError::NoResources(fault));
            }
            Err((cause, fault)) => {
                let player = player.to_owned();
                return Err(LadderError::Probe(Box::new(ProbeFault { role, player, cause, fault })));
            }
        };
        let (asked, searched) = (limits.asked(), Searched::of(&probed.report));
        let note = if probed.stopped {
            Some(ProbeNote::Stopped)
        } else {
            asked.use_by(&searched).filter(|limit| *limit != LimitUse::Within).map(ProbeNote::Limit)
        };
        probes.push(Probe { role, player: player.to_owned(), asked, searched, note });
    }
    Ok(probes)
}

/// The kind of a fault at the level of processes.
fn by_process(fault: EngineFault) -> (GameFault, EngineFault) {
    let cause = match fault.cause {
        FaultCause::StartFailure | FaultCause::NoResources => GameFault::StartFailure,
        FaultCause::Hang => GameFault::Hang,
        FaultCause::Crash => GameFault::Crash,
    };
    (cause, fault)
}
