//! Ending a game early by the scores the engines report.
//!
//! Off unless a spec asks for it: every rule here trades some truth for time. A rule is pure
//! bookkeeping over moves and scores; it is fed once per ply and knows no clock.

use serde::{Deserialize, Serialize};

use super::game::Outcome;
use super::position::{ByColor, Color};
use super::score::Score;

/// What may end a game before the rules do. All off by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdjudicationRules {
    /// A side gives up when both engines agree that it is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// The game is drawn when both engines agree that nothing happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// The game is drawn after this many plies, those of the opening not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
}

/// Resignation: for `moves` moves in a row of each side, both sides' reported scores say that the
/// same side stands at least `score_cp` behind.
///
/// Where only one side's score counts, that side can still give its own game up, but never claim a
/// win on its own word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// How many moves in a row, of each side whose score counts.
    pub moves: u32,
    /// Centipawns, above zero.
    pub score_cp: i32,
}

/// Draw: from full move `from_move` on, `moves` full moves in a row with both sides' scores within
/// `score_cp` of zero and no pawn move or capture.
///
/// Never given where only one side's score counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// The first full move, as the position numbers it, at which the rule may end a game.
    pub from_move: u32,
    /// How many full moves in a row.
    pub moves: u32,
    /// Centipawns.
    pub score_cp: i32,
}

/// Why a game was ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Adjudication {
    /// One side is lost by both engines' word.
    Resignation,
    /// Level for long enough.
    DrawAgreed,
    /// The longest allowed game.
    MaximumLength,
}

/// One ply as adjudication sees it.
#[derive(Clone, Copy, Debug)]
pub struct PlyReport {
    /// Who moved.
    pub mover: Color,
    /// The mover's own score for its move, from its own side; `None` when it reported none or only
    /// a bound.
    pub score_mover: Option<Score>,
    /// Whether the move was a pawn move or a capture.
    pub irreversible: bool,
    /// The full-move number of the position before the move.
    pub full_move: u32,
}

/// The state of the rules during one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: AdjudicationRules,
    /// Whose scores count: a strength-limited engine's score is no witness.
    trusted: ByColor<bool>,
    plies: u32,
    /// Consecutive own moves at which this side saw itself lost, and won, by the resign limit.
    lost: ByColor<u32>,
    won: ByColor<u32>,
    quiet_plies: u32,
}

impl Adjudicator {
    /// For one game. `trusted_white` and `trusted_black` say whose reported scores count.
    #[must_use]
    pub fn new(rules: AdjudicationRules, trusted_white: bool, trusted_black: bool) -> Self {
        Self {
            rules,
            trusted: ByColor { white: trusted_white, black: trusted_black },
            plies: 0,
            lost: ByColor::default(),
            won: ByColor::default(),
            quiet_plies: 0,
        }
    }

    /// Takes note of a ply and says whether the game ends by it. Ask the rules of chess first: a
    /// game that is over by them is not adjudicated.
    pub fn after_ply(&mut self, ply: PlyReport) -> Option<(Adjudication, Outcome)> {
        self.plies += 1;
        self.count_resignation(ply);
        self.count_quiet(ply);
        self.resignation()
            .map(|winner| (Adjudication::Resignation, Outcome::win_for(winner)))
            .or_else(|| self.draw(ply).then_some((Adjudication::DrawAgreed, Outcome::Draw)))
            .or_else(|| {
                let longest = self.rules.max_plies.is_some_and(|most| self.plies >= most);
                longest.then_some((Adjudication::MaximumLength, Outcome::Draw))
            })
    }

    fn count_resignation(&mut self, ply: PlyReport) {
        let Some(rule) = &self.rules.resign else { return };
        let lost = ply.score_mover.is_some_and(|score| score.at_most_minus(rule.score_cp));
        let won = ply.score_mover.is_some_and(|score| score.at_least(rule.score_cp));
        count(self.lost.get_mut(ply.mover), lost);
        count(self.won.get_mut(ply.mover), won);
    }

    fn count_quiet(&mut self, ply: PlyReport) {
        let Some(rule) = &self.rules.draw else { return };
        let level = ply.score_mover.is_some_and(|score| score.within(rule.score_cp));
        self.quiet_plies = if level && !ply.irreversible { self.quiet_plies + 1 } else { 0 };
    }

    /// The winner, when the loser and, if its score counts, the winner have said so long enough.
    fn resignation(&self) -> Option<Color> {
        let moves = self.rules.resign.as_ref()?.moves;
        [Color::White, Color::Black].into_iter().find(|&winner| {
            let loser = winner.other();
            *self.trusted.get(loser)
                && *self.lost.get(loser) >= moves
                && (!*self.trusted.get(winner) || *self.won.get(winner) >= moves)
        })
    }

    fn draw(&self, ply: PlyReport) -> bool {
        self.trusted.white
            && self.trusted.black
            && self.rules.draw.as_ref().is_some_and(|rule| {
                ply.full_move >= rule.from_move && self.quiet_plies >= rule.moves.saturating_mul(2)
            })
    }
}

/// One more in a row, or none.
fn count(run: &mut u32, goes_on: bool) {
    *run = if goes_on { *run + 1 } else { 0 };
}
