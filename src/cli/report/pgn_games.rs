//! Games of a PGN file for the page: read twice, so that comments of a hundred thousand games are not
//! kept.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::replays::GameSource;
use crate::audit::{AuditError, read_comment};
use crate::chess::pgn::{PgnOptions, PgnReader, ReadGame};
use crate::chess::{Color, Position as _, Score};
use crate::cli::exit::Failure;
use crate::report::{GameSketch, Replay, ReplayHead, ReplayPly, shortened};

/// The words of a Termination tag that tell a fault.
const FAULTS: [&str; 4] = ["forfeit", "infraction", "abandoned", "stall"];

/// A game of the subject.
struct Sketch {
    /// Its place in the file, by which audits call it too. Rising.
    number: u64,
    opponent: usize,
    plies: u32,
    ending: String,
    fault: bool,
}

/// The subject's games in a file; none where it cannot be read twice.
pub(super) struct PgnGames {
    path: PathBuf,
    subject: String,
    games: Vec<Sketch>,
}

impl PgnGames {
    /// Looks through the file.
    pub(super) fn read(path: &Path, subject: Option<&str>) -> Result<Self, Failure> {
        let mut this = Self {
            path: path.to_owned(),
            subject: subject.unwrap_or_default().to_owned(),
            games: Vec::new(),
        };
        if subject.is_none() || path.as_os_str() == "-" || !is_pgn(path)? {
            return Ok(this);
        }
        let tags = ["White", "Black", "Termination"].map(str::to_owned).to_vec();
        let options = PgnOptions { max_plies: None, comments: false, tags: Some(tags) };
        let mut opponents = BTreeMap::new();
        let mut games = Vec::new();
        this.each(options, |game| {
            let Some(subject_is_black) = this.seat(game) else { return };
            let opponent = game.tag(if subject_is_black { "White" } else { "Black" }).unwrap_or_default();
            let next = opponents.len();
            let opponent = *opponents.entry(opponent.to_owned()).or_insert(next);
            let tag = game.tag("Termination").map(|tag| shortened(tag, 40));
            let fault = tag
                .as_ref()
                .is_some_and(|tag| FAULTS.iter().any(|word| tag.to_ascii_lowercase().contains(word)));
            games.push(Sketch {
                number: game.number,
                opponent,
                plies: u32::try_from(game.moves.len()).unwrap_or(u32::MAX),
                ending: tag.unwrap_or_else(|| "not told".to_owned()),
                fault,
            });
        })?;
        this.games = games;
        Ok(this)
    }

    /// Every readable game of the file.
    fn each(&self, options: PgnOptions, mut take: impl FnMut(&ReadGame)) -> Result<(), Failure> {
        let file = File::open(&self.path).map_err(|source| AuditError::Io {
            path: self.path.clone(),
            action: "read",
            source,
        })?;
        let error = |source| AuditError::Games { path: self.path.clone(), source };
        let reader = PgnReader::new(file, self.path.display().to_string(), options).map_err(error)?;
        for game in reader {
            let game = game.map_err(error)?;
            // What cannot be played to its end cannot be shown.
            if game.fault.is_none() && game.outcome.is_some() {
                take(&game);
            }
        }
        Ok(())
    }

    /// Whether the subject has Black; none when it does not play.
    fn seat(&self, game: &ReadGame) -> Option<bool> {
        match (game.tag("White") == Some(&self.subject), game.tag("Black") == Some(&self.subject)) {
            (true, false) => Some(false),
            (false, true) => Some(true),
            _ => None,
        }
    }
}

/// Whether the file begins as PGN does: counts have no games.
fn is_pgn(path: &Path) -> Result<bool, Failure> {
    let error = |source| AuditError::Io { path: path.to_owned(), action: "read", source };
    let mut start = Vec::new();
    let file = File::open(path).map_err(error)?;
    crate::chess::pgn::unpack(file).map_err(error)?.take(4096).read_to_end(&mut start).map_err(error)?;
    let text = String::from_utf8_lossy(&start);
    let first = text.trim_start_matches('\u{feff}').lines().map(str::trim).find(|line| !line.is_empty());
    Ok(first.is_some_and(|line| line.starts_with(['[', '%', ';', '{']) || line.starts_with("1.")))
}

impl GameSource for PgnGames {
    fn sketches(&self) -> Vec<GameSketch> {
        self.games.iter().map(|game| GameSketch { opponent: game.opponent, fault: game.fault }).collect()
    }

    fn endings(&self) -> Vec<(u32, String)> {
        self.games.iter().map(|game| (game.plies, game.ending.clone())).collect()
    }

    fn place_of(&self, number: usize) -> Option<usize> {
        let number = u64::try_from(number).ok()?;
        self.games.binary_search_by_key(&number, |game| game.number).ok()
    }

    fn replays(&mut self, wanted: &[(usize, &'static str)]) -> Result<Vec<Replay>, Failure> {
        let numbers: BTreeMap<u64, (&Sketch, &'static str)> = wanted
            .iter()
            .filter_map(|(place, why)| self.games.get(*place).map(|game| (game.number, (game, *why))))
            .collect();
        let mut replays = Vec::with_capacity(numbers.len());
        if numbers.is_empty() {
            return Ok(replays);
        }
        self.each(PgnOptions::default(), |game| {
            let Some((sketch, why)) = numbers.get(&game.number) else { return };
            let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
            let head = ReplayHead {
                title: format!("game {}", game.number),
                players: [tag("White"), tag("Black")],
                result: game.outcome.map_or("*", |outcome| outcome.as_pgn()).to_owned(),
                ending: sketch.ending.clone(),
                why,
                subject_is_black: self.seat(game).unwrap_or(false),
            };
            replays.push(Replay::new(&head, &game.start, &plies(game)));
        })?;
        Ok(replays)
    }
}

/// The moves with what their comments say.
fn plies(game: &ReadGame) -> Vec<ReplayPly> {
    let mut white = game.start.position().turn() == Color::White;
    let mut plies = Vec::with_capacity(game.moves.len());
    for read in &game.moves {
        let found = read.comment.as_deref().map(read_comment).unwrap_or_default();
        let of_file = found.eval_white.map(|score| if white { score } else { crate::audit::reversed(score) });
        let score_stm: Option<Score> = found.reported.map(|(score, _)| score).or(of_file);
        plies.push(ReplayPly { m: read.m, score_stm, words: read.comment.clone() });
        white = !white;
    }
    plies
}
