//! Holding a book's moves to the rule: each is searched, at the same root and budget as the best
//! move, with the hash table cleared before.

use std::fmt;
use std::path::Path;

use anyhow::anyhow;

use crate::chess::{Bound, CastlingMode, Chess, Move, Score, parse_engine_move, position_name, uci};
use crate::cli::exit::{Exit, Failure};
use crate::ladder::find_engine;
use crate::uci::process::{
    Deadlines, Engine, EngineFault, Launch, SearchOutcome, SearchReport, SearchRequest, check_options,
};
use crate::uci::protocol::Go;

/// What a move does that the rule forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breach {
    /// It loses so many centipawns, more than the rule allows.
    Drop(i64),
    /// It allows a forced mate, and the best move does not.
    AllowsMate,
    /// It lets a forced mate go.
    MissesMate,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drop(drop) => write!(f, "drop {drop}"),
            Self::AllowsMate => f.write_str("allows mate"),
            Self::MissesMate => f.write_str("misses mate"),
        }
    }
}

/// How `chosen` breaks the rule against `best`, if it does: a drop of more than `rule_cp`, a mate
/// allowed, a mate let go. The greater of the two scores is the best one.
pub(super) fn breach(best: Score, chosen: Score, rule_cp: u32) -> Option<Breach> {
    match (best, chosen) {
        (Score::Cp(best), Score::Cp(chosen)) => {
            let drop = i64::from(best) - i64::from(chosen);
            (drop > i64::from(rule_cp)).then_some(Breach::Drop(drop))
        }
        (Score::Mate(best), Score::Cp(_)) if best > 0 => Some(Breach::MissesMate),
        (best, Score::Mate(chosen)) if chosen <= 0 => {
            let best_is_mated = matches!(best, Score::Mate(moves) if moves <= 0);
            (!best_is_mated).then_some(Breach::AllowsMate)
        }
        _ => None,
    }
}

/// The engine that grades.
pub(super) struct Judge {
    engine: Engine,
    deadlines: Deadlines,
    settings: Vec<(String, String)>,
    go: Go,
}

impl Judge {
    /// Starts `engine` with these options; one that gives hints gives its hints.
    pub(super) fn start(engine: &str, options: &[(String, String)], go: Go) -> Result<Self, Failure> {
        let file = find_engine(engine, Path::new(""))?;
        let deadlines = Deadlines::default();
        let launch = Launch {
            label: engine.to_owned(),
            program: file.program,
            arguments: file.arguments,
            directory: None,
            deadlines: deadlines.clone(),
            log: None,
            expected: None,
        };
        let engine = Engine::launch(&launch).map_err(failed)?;
        let mut settings = options.to_vec();
        for (name, value) in [("Hint", "true"), ("Clear Hash", "")] {
            let declared = engine.declared().iter().any(|option| option.is_named(name));
            let given = options.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
            if declared && !given {
                settings.push((name.to_owned(), value.to_owned()));
            }
        }
        let settings = check_options(engine.name(), engine.declared(), &settings)
            .map_err(|error| Failure::new(Exit::BadInput, error))?;
        Ok(Self { engine, deadlines, settings, go })
    }

    /// The name the engine gave.
    pub(super) fn name(&self) -> &str {
        self.engine.name()
    }

    /// How each of `moves`, all legal, breaks the rule; in their order.
    pub(super) fn grade(
        &mut self,
        position: &Chess,
        moves: &[Move],
        rule_cp: u32,
    ) -> Result<Vec<Option<Breach>>, Failure> {
        let (best_move, best) = self.search(position, None)?;
        let grade = |m: &Move| -> Result<Option<Breach>, Failure> {
            if best_move == Some(*m) {
                return Ok(None);
            }
            let (_, chosen) = self.search(position, Some(*m))?;
            Ok(breach(best, chosen, rule_cp))
        };
        moves.iter().map(grade).collect()
    }

    /// Ends the engine.
    pub(super) fn quit(self) {
        self.engine.quit();
    }

    fn search(&mut self, position: &Chess, only: Option<Move>) -> Result<(Option<Move>, Score), Failure> {
        // Counters of our own: those of the position come from whichever game reached it first.
        let text = format!("position fen {} 0 1", position_name(position));
        let searchmoves = only.iter().map(|m| uci(*m, CastlingMode::Standard)).collect();
        let go = Go { searchmoves, ..self.go.clone() };
        let request = SearchRequest {
            position: &text,
            go: &go,
            wait: self.deadlines.search(None, go.nodes),
            timed: false,
            words: None,
        };
        self.engine.new_game(&self.settings).map_err(failed)?;
        match self.engine.search(&request).map_err(failed)? {
            SearchOutcome::Answered(report) => self.read(position, &report, &text),
            SearchOutcome::Overdue { elapsed, .. } => {
                Err(self.unusable(&text, &format!("no answer after {} ms", elapsed.as_millis())))
            }
        }
    }

    fn read(
        &self,
        position: &Chess,
        report: &SearchReport,
        text: &str,
    ) -> Result<(Option<Move>, Score), Failure> {
        let best = report.best.best_move.as_ref().and_then(|best| parse_engine_move(position, best).ok());
        match report.score_stm() {
            Some((score, Bound::Exact)) => Ok((best.map(|(m, _)| m), score)),
            Some(_) => Err(self.unusable(text, "no exact score")),
            None => Err(self.unusable(text, "no score")),
        }
    }

    fn unusable(&self, text: &str, what: &str) -> Failure {
        let error = anyhow!(
            "engine {}: {what} after `{text}` and `{}`\nhint: give it more nodes or depth, or grade by another engine",
            self.engine.name(),
            self.go
        );
        Failure::new(Exit::EngineFault, error)
    }
}

fn failed(fault: EngineFault) -> Failure {
    Failure::new(Exit::EngineFault, fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_of_exactly_the_rule_is_kept_and_one_more_is_not() {
        assert_eq!(breach(Score::Cp(120), Score::Cp(-180), 300), None);
        assert_eq!(breach(Score::Cp(120), Score::Cp(-181), 300), Some(Breach::Drop(301)));
        // The move searched alone came out better than the best one: that is no loss.
        assert_eq!(breach(Score::Cp(-500), Score::Cp(20), 300), None);
        assert_eq!(breach(Score::Cp(i32::MAX), Score::Cp(i32::MIN), 300), Some(Breach::Drop(4_294_967_295)));
    }

    #[test]
    fn mates_are_clauses_of_their_own() {
        let (mate, mated) = (Score::Mate(3), Score::Mate(-2));
        assert_eq!(breach(mate, Score::Cp(2000), 300), Some(Breach::MissesMate));
        assert_eq!(breach(mate, Score::Mate(5), 300), None);
        assert_eq!(breach(Score::Cp(-900), mated, 300), Some(Breach::AllowsMate));
        assert_eq!(breach(mate, mated, 300), Some(Breach::AllowsMate));
        assert_eq!(breach(Score::Mate(-4), mated, 300), None, "every move allows it");
        assert_eq!(breach(Score::Cp(10), mate, 300), None);
        assert_eq!(breach(mated, Score::Cp(10), 300), None);
    }
}
