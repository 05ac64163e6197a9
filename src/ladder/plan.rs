//! The plan: the spec resolved to the last detail and sealed by its hash.

use serde::{Deserialize, Serialize};

use super::identity::{Identity, Program, RecordedIdentity, bytes_sha256};
use crate::arena::{History, Limits, PlyRecord, SideName};
use crate::chess::AdjudicationRules;
use crate::uci::process::Deadlines;

/// The version of `plan.json`.
pub(super) const FORMAT_VERSION: u32 = 2;
/// The version of 0.1, which sealed declared ranges: still read, not continued.
pub(super) const FIRST_FORMAT_VERSION: u32 = 1;

/// Everything that decides a run, and nothing that does not: no host, path, load or start time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The version of this format.
    pub format_version: u32,
    /// The version of elometer that planned, and that plays.
    pub elometer_version: String,
    /// The run's name.
    pub name: String,
    /// Seed of the order of openings.
    pub seed: u64,
    /// The date in PGN of games that time does not bound.
    pub date: Option<String>,
    /// The engine under measurement.
    pub subject: PlannedEngine,
    /// The engine it is measured against.
    pub opponent: PlannedEngine,
    /// The opponents: one per level, or one without a level in a match.
    pub rungs: Vec<Rung>,
    /// Early endings.
    pub adjudication: AdjudicationRules,
    /// SHA-256 of the openings file.
    pub openings_sha256: String,
    /// How many openings that file holds.
    pub openings_in_file: usize,
    /// The openings used, in the order of pairs.
    pub openings: Vec<PlannedOpening>,
    /// Every game, in the order in which games are started.
    pub games: Vec<PlannedGame>,
}

/// One of the two engines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedEngine {
    /// What reports call it.
    pub name: String,
    /// As the spec names it.
    pub engine: String,
    /// Its arguments; an absolute path by its last name alone, its file in the program's files.
    pub arguments: Vec<String>,
    /// The folder it starts in, from the spec's folder; empty in plans of 0.1, which did not say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub directory: String,
    /// What it is.
    #[serde(alias = "identity")]
    pub program: Program,
    /// The options that matter and that the spec leaves alone: they were sealed with the default that
    /// the engine declared when the plan was made, and are sent like the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub default_options: Vec<String>,
    /// What is set, in the order it is sent; a rung's settings replace the opponent's.
    pub settings: Vec<(String, String)>,
    /// What bounds its searches.
    pub limits: Limits,
    /// A new process for every game.
    pub restart: bool,
    /// How much of the game it is told.
    #[serde(default, skip_serializing_if = "History::is_whole")]
    pub history: History,
    /// Which of its `info string` lines are kept with its moves: those that contain this text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// Deadlines of its commands.
    pub deadlines: Deadlines,
}

/// One opponent of the ladder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rung {
    /// What reports call it.
    pub name: String,
    /// Its `UCI_Elo`; none in a match.
    pub level: Option<u32>,
    /// Everything set for it, in the order it is sent.
    pub settings: Vec<(String, String)>,
}

/// One opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedOpening {
    /// Where the opening starts.
    pub fen: String,
    /// The moves from there, in UCI notation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// ECO code, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eco: Option<String>,
    /// Name, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// One game. Its number is its place in [`Plan::games`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedGame {
    /// The opening pair, from 0: two games each.
    pub pair: usize,
    /// Index into [`Plan::rungs`].
    pub rung: usize,
    /// Index into [`Plan::openings`].
    pub opening: usize,
    /// The subject's colour.
    pub subject: SideName,
}

impl PlannedEngine {
    /// Those settings that the spec or a level chose: not those sealed with their default.
    pub fn chosen_settings<'a>(
        &'a self,
        settings: &'a [(String, String)],
    ) -> impl Iterator<Item = &'a (String, String)> {
        let sealed = |name: &String| self.default_options.contains(name);
        settings.iter().filter(move |(name, _)| !sealed(name))
    }

    /// Its identity when it plays with `settings`: its own, or those of a rung.
    #[must_use]
    pub fn identity(&self, settings: &[(String, String)]) -> Identity {
        Identity {
            program: self.program.clone(),
            arguments: self.arguments.clone(),
            directory: self.directory.clone(),
            options: settings.to_vec(),
            limits: self.limits.clone(),
            history: self.history,
        }
    }

    /// Name, limits and settings: `Stockfish 15.1 (25000 nodes a move, Threads=1 Hash=16)`.
    #[must_use]
    pub fn summary(&self) -> String {
        self.summary_with(&self.limits.to_string())
    }

    /// The same with other words for the limits.
    pub(super) fn summary_with(&self, limits: &str) -> String {
        let mut text = format!("{} ({limits}", self.name);
        for (index, (name, value)) in self.chosen_settings(&self.settings).enumerate() {
            let separator = if index == 0 { ", " } else { " " };
            text.push_str(&format!("{separator}{name}={value}"));
        }
        text.push(')');
        text
    }

    /// What it said with a move, as a reader wants it: the lines kept, one after the other, without the
    /// text that they were chosen by where they begin with it. Quotes, braces and blanks are as a PGN's
    /// comment can hold them.
    #[must_use]
    pub fn said(&self, ply: &PlyRecord) -> Option<String> {
        let wanted = self.words.as_deref().unwrap_or_default();
        let plain = ply.words.iter().map(|line| {
            let line = line.trim();
            line.strip_prefix(wanted).unwrap_or(line).trim_start_matches([':', ' ']).trim()
        });
        let text = plain.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        // As a PGN can hold it between quotes, so that both say the same.
        let folded =
            text.replace(char::is_control, " ").replace('"', "'").replace('{', "(").replace('}', ")");
        let text = folded.split_whitespace().collect::<Vec<_>>().join(" ");
        (!text.is_empty()).then_some(text)
    }
}

impl Plan {
    /// Takes the values that an older plan of the same spec sealed for options that the spec leaves
    /// alone: this machine's engine may declare other defaults.
    pub(super) fn adopt_defaults(&mut self, old: &Self) {
        let adopt = |settings: &mut [(String, String)], defaults: &[String], old: &[(String, String)]| {
            for (name, value) in settings.iter_mut().filter(|(name, _)| defaults.contains(name)) {
                if let Some((_, sealed)) = old.iter().find(|(known, _)| known == name) {
                    value.clone_from(sealed);
                }
            }
        };
        let Self { subject, opponent, rungs, .. } = self;
        for (engine, old) in [(&mut *subject, &old.subject), (&mut *opponent, &old.opponent)] {
            if engine.default_options == old.default_options {
                adopt(&mut engine.settings, &engine.default_options, &old.settings);
            }
        }
        // An option that the spec now sets to the value that was sealed is sent as before.
        let same = |a: &[(String, String)], b: &[(String, String)]| {
            let [mut a, mut b] = [a.to_vec(), b.to_vec()];
            a.sort();
            b.sort();
            a == b
        };
        let same_rungs = rungs.len() == old.rungs.len()
            && rungs.iter().zip(&old.rungs).all(|(rung, old)| same(&rung.settings, &old.settings));
        if same(&subject.settings, &old.subject.settings) {
            subject.settings.clone_from(&old.subject.settings);
            subject.default_options.clone_from(&old.subject.default_options);
        }
        if same_rungs && same(&opponent.settings, &old.opponent.settings) {
            opponent.settings.clone_from(&old.opponent.settings);
            opponent.default_options.clone_from(&old.opponent.default_options);
            for (rung, old) in rungs.iter_mut().zip(&old.rungs) {
                rung.settings.clone_from(&old.settings);
            }
        }
        if opponent.default_options == old.opponent.default_options {
            for (rung, old) in rungs.iter_mut().zip(&old.rungs) {
                adopt(&mut rung.settings, &opponent.default_options, &old.settings);
            }
        }
    }

    /// Whether the opponents are the levels of a ladder: then a rung's fault makes a game void. In a
    /// match it loses.
    #[must_use]
    pub fn is_ladder(&self) -> bool {
        self.rungs.iter().all(|rung| rung.level.is_some())
    }

    /// Whether the scores of subject and opponent count when a game is adjudicated: those of an engine
    /// that is set to choose worse moves than its scores are for do not.
    #[must_use]
    pub fn scores_count(&self) -> [bool; 2] {
        let opponent = self.rungs.iter().all(|rung| !plays_below_its_strength(&rung.settings));
        [!plays_below_its_strength(&self.subject.settings), opponent]
    }

    /// Whether time bounds any search: then files carry times and the real date.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.subject.limits.is_timed() || self.opponent.limits.is_timed()
    }

    /// Why the plan cannot be one this program made, if so: an index that points nowhere.
    pub(super) fn fault(&self) -> Option<String> {
        let stray = self
            .games
            .iter()
            .position(|game| game.rung >= self.rungs.len() || game.opening >= self.openings.len());
        stray.map(|game| format!("game {game} names a rung or an opening that is not in the plan"))
    }

    /// The rung of a game.
    #[must_use]
    pub fn rung_of(&self, game: &PlannedGame) -> &Rung {
        &self.rungs[game.rung]
    }

    /// The opening of a game.
    #[must_use]
    pub fn opening_of(&self, game: &PlannedGame) -> &PlannedOpening {
        &self.openings[game.opening]
    }

    /// Who makes the first move after the opening.
    #[must_use]
    pub(super) fn first_mover(&self, game: &PlannedGame) -> SideName {
        let opening = self.opening_of(game);
        let white_starts = opening.fen.split_ascii_whitespace().nth(1) != Some("b");
        let whole_moves = opening.moves.len().is_multiple_of(2);
        if white_starts == whole_moves { SideName::White } else { SideName::Black }
    }

    /// The engine that plays a colour.
    #[must_use]
    pub fn engine_of(&self, game: &PlannedGame, color: SideName) -> &PlannedEngine {
        if game.subject == color { &self.subject } else { &self.opponent }
    }

    /// The identity of the subject and of a rung.
    #[must_use]
    pub fn identities(&self, rung: &Rung) -> [Identity; 2] {
        [self.subject.identity(&self.subject.settings), self.opponent.identity(&rung.settings)]
    }

    /// The subject's identity, with what this plan leaves open.
    #[must_use]
    pub fn recorded_subject(&self) -> RecordedIdentity {
        self.recorded(&self.subject, &self.subject.settings)
    }

    /// A rung's identity, with what this plan leaves open.
    #[must_use]
    pub fn recorded_rung(&self, rung: &Rung) -> RecordedIdentity {
        self.recorded(&self.opponent, &rung.settings)
    }

    /// The opponent's identity but for its levels.
    #[must_use]
    pub fn recorded_opponent(&self) -> RecordedIdentity {
        self.recorded(&self.opponent, &self.opponent.settings)
    }

    fn recorded(&self, engine: &PlannedEngine, settings: &[(String, String)]) -> RecordedIdentity {
        RecordedIdentity {
            identity: engine.identity(settings),
            sealed: engine.default_options.iter().cloned().collect(),
            is_partial: self.format_version <= FIRST_FORMAT_VERSION,
        }
    }

    /// The names of white and black.
    #[must_use]
    pub fn names(&self, game: &PlannedGame) -> [&str; 2] {
        let (subject, rung) = (self.subject.name.as_str(), self.rung_of(game).name.as_str());
        match game.subject {
            SideName::White => [subject, rung],
            SideName::Black => [rung, subject],
        }
    }

    /// The bytes of `plan.json`.
    ///
    /// # Errors
    /// Only what serde refuses, which a plan never holds.
    pub fn to_json(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// The seal: SHA-256 of the bytes of `plan.json`, in hex.
    #[must_use]
    pub fn seal(bytes: &[u8]) -> String {
        bytes_sha256(bytes)
    }
}

/// Whether an engine is set to choose worse moves than its scores are for: such scores are no
/// witness when a game is adjudicated.
pub(super) fn plays_below_its_strength(settings: &[(String, String)]) -> bool {
    settings.iter().any(|(name, value)| {
        (name.eq_ignore_ascii_case("UCI_LimitStrength") && value == "true")
            || (name.eq_ignore_ascii_case("Skill Level") && value != "20")
    })
}
