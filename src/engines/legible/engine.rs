//! What lasts between the searches of the engine: the personality and what its options say.

use super::evaluation::Evaluator;
use super::personality::{MAX_SEED, Personality};
use super::search::{MAX_DEPTH, Search};
use super::words::{Scene, Speaker, Voice};
use crate::chess::Move;
use crate::engines::host::{Engine, Flow, Host};
use crate::engines::kit::control::SearchLimits;
use crate::engines::kit::game::GameSoFar;
use crate::engines::kit::running::Running;
use crate::engines::kit::{Mind, Shell};
use crate::uci::protocol::{Go, OptionDeclaration, OptionKind};

/// The engine.
pub struct Legible(Shell<LegibleMind>);

struct LegibleMind {
    personality: Personality,
    /// The parameters in hundredths, in their order.
    percents: Vec<i64>,
    /// The seeds of the modulators, in their order.
    seeds: Vec<i64>,
    evaluator: Evaluator,
    voice: Voice,
    speaker: Speaker,
}

impl Default for Legible {
    fn default() -> Self {
        Self::new()
    }
}

impl Legible {
    /// An engine of the default personality, at the usual initial position.
    #[must_use]
    pub fn new() -> Self {
        Self::with_personality(Personality::clean())
    }

    /// An engine of another personality.
    #[must_use]
    pub fn with_personality(personality: Personality) -> Self {
        Self(Shell::new(LegibleMind::new(personality)))
    }
}

impl Engine for Legible {
    fn handle(&mut self, line: &[u8], host: &mut dyn Host) -> Flow {
        self.0.handle(line, host)
    }
}

impl LegibleMind {
    fn new(personality: Personality) -> Self {
        let percents = personality.parameters.iter().map(|parameter| parameter.default_percent).collect();
        let seeds = personality.modulators.iter().map(|modulator| modulator.seed).collect();
        let evaluator = Evaluator::new(&personality);
        let (voice, speaker) = (Voice::default(), Speaker::default());
        Self { personality, percents, seeds, evaluator, voice, speaker }
    }
}

/// The option that says how much is said.
const VOICE: &str = "Voice";

/// The option that sets the seed of a modulator.
fn seed_option(modulator: &str) -> String {
    format!("{modulator}_seed")
}

impl Mind for LegibleMind {
    fn name(&self) -> String {
        // A file may call itself clean and be another.
        if self.personality == Personality::clean() {
            "legible".to_owned()
        } else {
            format!("legible ({})", self.personality.name())
        }
    }

    fn options(&self) -> Vec<OptionDeclaration> {
        let spin = |name: String, default: i64, min: i64, max: i64| OptionDeclaration {
            name,
            kind: OptionKind::Spin { default: Some(default), min: Some(min), max: Some(max) },
        };
        let parameters = self
            .personality
            .parameters
            .iter()
            .map(|one| spin(one.name.clone(), one.default_percent, one.min_percent, one.max_percent));
        let seeds =
            self.personality.modulators.iter().map(|one| spin(seed_option(&one.name), one.seed, 0, MAX_SEED));
        let voice = OptionKind::Combo {
            default: Some(Voice::NAMES[0].0.to_owned()),
            choices: Voice::NAMES.map(|(name, _)| name.to_owned()).into(),
        };
        parameters.chain(seeds).chain([OptionDeclaration { name: VOICE.to_owned(), kind: voice }]).collect()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        if name == VOICE {
            let named = Voice::NAMES.iter().find(|(other, _)| other.eq_ignore_ascii_case(value));
            self.voice = named.map_or(self.voice, |(_, voice)| *voice);
            return Ok(());
        }
        let number = value.parse().map_err(|_| format!("{name}: {value} is no whole number"))?;
        let parameters = self.personality.parameters.iter().zip(&mut self.percents);
        for (_, place) in parameters.filter(|(one, _)| one.name == name) {
            *place = number;
        }
        let modulators = self.personality.modulators.iter().zip(&mut self.seeds);
        for (_, place) in modulators.filter(|(one, _)| seed_option(&one.name) == name) {
            *place = number;
        }
        self.evaluator = Evaluator::with_settings(&self.personality, &self.percents, &self.seeds);
        Ok(())
    }

    fn prepare(&mut self) {}

    fn new_game(&mut self) {
        self.speaker = Speaker::default();
    }

    fn search(
        &mut self,
        game: &GameSoFar,
        go: &Go,
        root_moves: Vec<Move>,
        running: &mut Running<'_>,
    ) -> Vec<Move> {
        let limits = SearchLimits::new(go, root_moves, MAX_DEPTH);
        let report = Search::new(&self.evaluator, running, &limits, &game.history).run(&game.position);
        let scene = Scene {
            evaluator: &self.evaluator,
            last: game.before_last.as_ref().zip(game.last_move),
            position: game.position.chess(),
            report: &report,
        };
        for line in self.speaker.speak(self.voice, &scene) {
            running.note(&line);
        }
        report.variation
    }
}
