//! A claim such as "above 2000", judged from the same games.

use std::str::FromStr;

use super::super::exit::{Exit, Failure};
use super::super::print::count;
use super::words::probability;
use crate::ladder::input::Inputs;
use crate::rating::{Claim, ClaimReport, LevelResult, Unit, judge_claim};

/// A claim as it is written on the command line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClaimArgument(Claim);

impl FromStr for ClaimArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no claim: expected above:ELO, below:ELO or not:ELO");
        let (kind, elo) = text.split_once(':').ok_or_else(wrong)?;
        let elo: f64 = elo.trim().parse().map_err(|_| wrong())?;
        Ok(Self(match kind.trim() {
            "above" => Claim::Above { elo },
            "below" => Claim::Below { elo },
            "not" => Claim::Not { elo },
            _ => return Err(wrong()),
        }))
    }
}

/// Judges it from the subject's games in plan order.
pub(super) fn judge(
    claim: ClaimArgument,
    inputs: &Inputs,
    subject: Option<&str>,
) -> Result<ClaimReport, Failure> {
    let sequence = inputs.unit_sequence(subject).map_err(|error| Failure::new(Exit::BadInput, error))?;
    let results: Vec<LevelResult> = sequence
        .units
        .iter()
        .filter_map(|unit| {
            let unit_of = Unit { games: unit.games, half_points: unit.half_points };
            Some(LevelResult { level: unit.level?.elo, unit: unit_of })
        })
        .collect();
    judge_claim(claim.0, &results).map_err(|error| Failure::new(Exit::Usage, error))
}

/// The verdict in a sentence, and what its 5 % assume.
pub(super) fn words(report: &ClaimReport) -> Vec<String> {
    let claim = match report.claim {
        Claim::Above { elo } => format!("above {elo}"),
        Claim::Below { elo } => format!("below {elo}"),
        Claim::Not { elo } => format!("not {elo}"),
    };
    let verdict = match report.accepted_after {
        Some(units) => format!("accepted after {}", count(units, "pair or single game")),
        None => "not shown by these games".to_owned(),
    };
    vec![
        format!(
            "claim: R is {claim}: {verdict} (anytime p {}, {} in plan order)",
            probability(report.anytime_p),
            count(report.games, "game")
        ),
        "note: the claim's 5 % assume that the levels' labels are right; with labels off by 30 Elo it errs in \
         about 24 % of runs"
            .to_owned(),
    ]
}
