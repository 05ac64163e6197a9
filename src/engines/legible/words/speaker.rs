//! When something is said, and what was said before in this game.

use super::facts::Facts;
use super::sentences::{Mover, describe};
use super::standing::Standing;
use crate::chess::{Chess, Color, Move, Position as _, Score};
use crate::engines::kit::control::Report;
use crate::engines::legible::evaluation::Evaluator;
use crate::engines::legible::personality::{BLOCKS, Block};

/// How much the engine says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::engines::legible) enum Voice {
    /// Every move of either side.
    #[default]
    Narrate,
    /// Only what happened, with its reason, and not too often.
    Quiet,
    Off,
}

impl Voice {
    /// The voices by the names that the option has for them.
    pub(in crate::engines::legible) const NAMES: [(&'static str, Self); 3] =
        [("narrate", Self::Narrate), ("quiet", Self::Quiet), ("off", Self::Off)];
}

/// So many own moves after a line the next ordinary one may come.
///
/// # Source
/// The paper on Mate, section 4.2.
const COOLDOWN_MOVES: i64 = 3;

/// What there is to speak of.
pub(in crate::engines::legible) struct Scene<'a> {
    pub(in crate::engines::legible) evaluator: &'a Evaluator,
    /// The opponent's move and the position before it.
    pub(in crate::engines::legible) last: Option<(&'a Chess, Move)>,
    /// The engine is to move.
    pub(in crate::engines::legible) position: &'a Chess,
    /// What it found; the first move of the line is the one it plays.
    pub(in crate::engines::legible) report: &'a Report,
}

/// The memory of one game's words.
#[derive(Clone, Debug, Default)]
pub(in crate::engines::legible) struct Speaker {
    standing: Option<Standing>,
    /// Whether a forced mate was there at the last move, and whether for the engine.
    mate: Option<bool>,
    /// The half-move of the last line said.
    last_line: Option<i64>,
    /// The half-move of the last scene.
    last_scene: Option<i64>,
}

impl Speaker {
    /// What is said of a scene, each line with the word before its colon.
    pub(in crate::engines::legible) fn speak(&mut self, voice: Voice, scene: &Scene<'_>) -> Vec<String> {
        let ply = half_move(scene.position);
        if self.last_scene.is_some_and(|last| last >= ply) {
            // Moves were taken back, or it is another game.
            *self = Self::default();
        }
        self.last_scene = Some(ply);
        let rested = self.last_line.is_none_or(|last| ply - last >= 2 * COOLDOWN_MOVES);
        let mut lines = Vec::new();
        let mut consider = |topic: &str, weight: Weight, text: String| {
            let said = match voice {
                Voice::Narrate => weight >= Weight::Narration,
                Voice::Quiet => weight == Weight::Always || (weight == Weight::Ordinary && rested),
                Voice::Off => false,
            };
            if said {
                lines.push(format!("says {topic}: {text}"));
            }
        };
        if let Some((before, m)) = scene.last {
            let facts = Facts::new(before, m, scene.evaluator);
            consider("opponent", weight(&facts), describe(Mover::Opponent, &facts));
        }
        if let Some(m) = scene.report.variation.first() {
            let facts = Facts::new(scene.position, *m, scene.evaluator);
            consider("move", weight(&facts), describe(Mover::Engine, &facts));
            if !facts.ends {
                let (weight, text) = self.stand(scene);
                consider("standing", weight, text);
            }
        } else {
            let text = if scene.position.is_check() {
                "You have checkmated me."
            } else {
                "It is stalemate: I have no move."
            };
            consider("standing", Weight::Always, text.to_owned());
        }
        if !lines.is_empty() {
            self.last_line = Some(ply);
        }
        lines
    }

    /// Who stands better and what changed in that.
    fn stand(&mut self, scene: &Scene<'_>) -> (Weight, String) {
        let (mate, standing, score) = match scene.report.score {
            Score::Mate(moves) => {
                let engine = moves > 0;
                let text = if engine {
                    format!("I have a forced mate in {moves}.")
                } else {
                    format!("You have a forced mate in {}.", moves.unsigned_abs())
                };
                (Some((engine, text)), Standing::won(engine), 0)
            }
            Score::Cp(score) => {
                let standing = self.standing.map_or(Standing::of(score), |before| before.after(score));
                (None, standing, score)
            }
        };
        let before = self.standing.replace(standing);
        let mate_before = std::mem::replace(&mut self.mate, mate.as_ref().map(|(engine, _)| *engine));
        if let Some((engine, text)) = mate {
            let weight = if mate_before == Some(engine) { Weight::Narration } else { Weight::Always };
            return (weight, text);
        }
        let reason = standing.engine_is_better().and_then(|engine| main_reason(scene, score, engine));
        let weight = match (before == Some(standing), reason) {
            (true, _) => Weight::Nothing,
            (false, None) => Weight::Narration,
            (false, Some(_)) => Weight::Ordinary,
        };
        (weight, standing.sentence(reason))
    }
}

/// How much a line matters, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    /// Nothing new.
    Nothing,
    /// Only for the voice that narrates.
    Narration,
    /// Something happened, for a reason.
    Ordinary,
    Always,
}

/// The rules of the quiet voice for a move.
///
/// # Source
/// The paper on Mate, section 4.2.
fn weight(facts: &Facts) -> Weight {
    let takes_loose = facts.taken.is_some_and(|taken| taken.was_loose);
    // These carry their reason: the piece is or was loose, the file is open.
    let reasoned = !facts.attacks.is_empty() || facts.rescued.is_some() || facts.open_file.is_some();
    let needs_reason = facts.castles.is_some() || facts.to_centre;
    if facts.ends || takes_loose || facts.promotion.is_some() {
        Weight::Always
    } else if reasoned || (needs_reason && facts.reason.is_some()) {
        Weight::Ordinary
    } else {
        Weight::Narration
    }
}

/// The block that counts most for the better side at the end of the expected line, where the meters
/// add up to the score: its share and the whole. None where a rule made the score.
fn main_reason(scene: &Scene<'_>, score: i32, engine_is_better: bool) -> Option<(Block, i32, i32)> {
    let mut end = scene.position.clone();
    for m in &scene.report.variation {
        end.play_unchecked(*m);
    }
    let meters = scene.evaluator.meters(&end);
    let engine = scene.position.turn();
    let for_engine = |white: i32| if engine == Color::White { white } else { -white };
    if for_engine(meters.value_white()) != score {
        return None;
    }
    let better = if engine_is_better { engine } else { engine.other() };
    let lead = |block: Block| meters.meter(block, better) - meters.meter(block, better.other());
    let (block, share) = BLOCKS
        .iter()
        .map(|(block, _)| (*block, lead(*block)))
        .reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    Some((block, share, score.abs()))
}

fn half_move(position: &Chess) -> i64 {
    2 * i64::from(position.fullmoves().get()) + i64::from(position.turn() == Color::Black)
}
