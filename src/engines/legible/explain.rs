//! A position explained: its meters, what the search expects, and what that score is made of.

use super::evaluation::{Evaluator, Meters};
use super::personality::Personality;
use super::search::{MAX_DEPTH, Search};
use super::words::{Scene, Speaker, Voice};
use crate::chess::{Chess, Color, Move, Position as _, Score};
use crate::engines::board::KeyedPosition;
use crate::engines::kit::control::{Control, Report, SearchLimits};

/// What the engine sees in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The meters of the position itself.
    pub now: Meters,
    /// The depth searched; 0 where there is no move.
    pub depth: u8,
    /// How many moves were made in the search.
    pub nodes: u64,
    /// For White.
    pub score_white: Score,
    /// The line expected; its first move is the one explained.
    pub line: Vec<Move>,
    /// The meters at the end of the line.
    pub end: Meters,
    /// Where the score comes from.
    pub source: ScoreSource,
    /// What the engine says of it, one sentence or more each.
    pub sentences: Vec<String>,
}

/// Where the score of a search comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreSource {
    /// The meters at the end of the line add up to it.
    Meters,
    /// A mate.
    Mate,
    /// The line ends in a draw by rule.
    Draw,
    /// The meters are beyond what a search takes for a score.
    Bounded,
}

/// Explains a position, or one move in it, searched to a depth in plies.
#[must_use]
pub fn explain(position: &Chess, m: Option<Move>, depth: u8, personality: &Personality) -> Explanation {
    let evaluator = Evaluator::new(personality);
    let limits = SearchLimits {
        depth: Some(depth.clamp(1, MAX_DEPTH)),
        root_moves: m.into_iter().collect(),
        ..SearchLimits::default()
    };
    let report =
        Search::new(&evaluator, &mut Undisturbed, &limits, &[]).run(&KeyedPosition::new(position.clone()));
    let scene = Scene { evaluator: &evaluator, last: None, position, report: &report };
    let sentences = Speaker::default().speak(Voice::Narrate, &scene);
    let mut last = position.clone();
    for m in &report.variation {
        last.play_unchecked(*m);
    }
    let end = evaluator.meters(&last);
    let score_white = match (position.turn(), report.score) {
        (Color::White, score) => score,
        (Color::Black, Score::Cp(value)) => Score::Cp(-value),
        (Color::Black, Score::Mate(moves)) => Score::Mate(-moves),
    };
    let source = match score_white {
        Score::Mate(_) => ScoreSource::Mate,
        Score::Cp(value) if value == end.value_white() => ScoreSource::Meters,
        Score::Cp(0) => ScoreSource::Draw,
        Score::Cp(_) => ScoreSource::Bounded,
    };
    Explanation {
        now: evaluator.meters(position),
        depth: report.depth,
        nodes: report.nodes,
        score_white,
        line: report.variation,
        end,
        source,
        sentences: sentences
            .iter()
            .filter_map(|line| line.split_once(": "))
            .map(|(_, text)| text.to_owned())
            .collect(),
    }
}

/// Lets a search run to its end.
struct Undisturbed;

impl Control for Undisturbed {
    fn must_stop(&mut self) -> bool {
        false
    }

    fn may_deepen(&mut self) -> bool {
        true
    }

    fn report(&mut self, _: &Report) {}
}
