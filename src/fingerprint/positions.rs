//! The positions an engine is asked about, and how each is set up.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::built_in::{BuiltIn, SETS};
use super::digest::sha256;
use super::error::FingerprintError;
use super::manifest::SetIdentity;
use crate::chess::openings::parse_positions;
use crate::chess::pgn::{PgnOptions, PgnReader, ReadGame};
use crate::chess::{Chess, Game, StartPosition, fen, uci};

/// The largest file of positions read.
const LARGEST_FILE: u64 = 64 << 20;
/// The most games read to learn how positions were reached.
const MOST_GAMES: usize = 10_000;

/// A position to ask about.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its canonical FEN.
    pub fen: String,
    /// The whole `position …` command, without its line end.
    pub command: String,
    /// The position itself, to judge the answer by.
    pub position: Chess,
}

/// Where a set's bytes are.
#[derive(Clone, Debug)]
enum Source {
    File(PathBuf),
    Program(&'static BuiltIn),
}

/// Positions in the order of their file.
#[derive(Clone, Debug)]
pub struct PositionSet {
    source: Source,
    sha256: String,
    places: Vec<Place>,
}

impl PositionSet {
    /// A set of the program by its name, `reference` or `edges`; else reads an EPD or FEN file.
    ///
    /// # Errors
    /// The file cannot be read, or a line of it is no position with a legal move.
    pub fn read(name: &Path) -> Result<Self, FingerprintError> {
        match SETS.iter().find(|set| name.as_os_str() == set.name) {
            Some(set) => Self::of(Source::Program(set), set.epd),
            None => Self::of(Source::File(name.to_owned()), &read_bounded(name, LARGEST_FILE)?),
        }
    }

    fn of(source: Source, bytes: &[u8]) -> Result<Self, FingerprintError> {
        let positions = parse_positions(bytes, &source.name())?;
        let places = positions.into_iter().map(|position| Place::of(&position.start)).collect();
        Ok(Self { source, sha256: sha256(bytes), places })
    }

    /// Finds the set that a manifest was taken on: the program's own where it has these bytes, else a
    /// file by its name, from the present folder, from the manifest's folder, and from the folders
    /// above that.
    ///
    /// # Errors
    /// No such file, or only files with other bytes.
    pub fn find(identity: &SetIdentity, manifest: &Path) -> Result<Self, FingerprintError> {
        if let Some(set) = SETS.iter().find(|set| sha256(set.epd) == identity.sha256) {
            return Self::of(Source::Program(set), set.epd);
        }
        let absolute = std::path::absolute(manifest).unwrap_or_else(|_| manifest.to_owned());
        let folders = absolute.ancestors().skip(1).map(|folder| folder.join(&identity.file));
        let candidates = [PathBuf::from(&identity.file)].into_iter().chain(folders);
        let mut changed = None;
        for path in candidates.filter(|path| path.is_file()) {
            match Self::read(&path)?.verified(identity, manifest) {
                Ok(set) => return Ok(set),
                Err(error) => {
                    changed.get_or_insert(error);
                }
            }
        }
        Err(changed.unwrap_or_else(|| FingerprintError::SetMissing {
            file: identity.file.clone(),
            manifest: manifest.to_owned(),
        }))
    }

    /// The set itself when it is the one that a manifest was taken on.
    ///
    /// # Errors
    /// Its bytes are others.
    pub fn verified(self, identity: &SetIdentity, manifest: &Path) -> Result<Self, FingerprintError> {
        if self.sha256 == identity.sha256 {
            Ok(self)
        } else {
            let (set, manifest) = (self.source.name(), manifest.to_owned());
            Err(FingerprintError::SetChanged { set, manifest })
        }
    }

    /// The positions.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// About `count` positions, spread evenly over the set; all when it has no more.
    #[must_use]
    pub fn sample(&self, count: usize) -> Vec<Place> {
        let count = count.clamp(1, self.places.len().max(1));
        (0..count).filter_map(|number| self.places.get(number * self.places.len() / count)).cloned().collect()
    }

    /// Which set this is. The file's name holds no folder of this machine: it is relative to the
    /// present folder, or else just a name.
    #[must_use]
    pub fn identity(&self) -> SetIdentity {
        let file = match &self.source {
            Source::Program(set) => set.name.to_owned(),
            Source::File(path) => portable_name(path),
        };
        SetIdentity { file, sha256: self.sha256.clone(), count: self.places.len() }
    }

    /// The same positions, set up by the moves that led there, where the program or the PGN files
    /// beside the set hold a game that passes through them (counters included); none elsewhere.
    ///
    /// # Errors
    /// A PGN file there cannot be read.
    pub fn histories(&self, places: &[Place]) -> Result<Vec<Option<Place>>, FingerprintError> {
        let wanted: BTreeSet<&str> = places.iter().map(|place| place.fen.as_str()).collect();
        let mut found = BTreeMap::new();
        match &self.source {
            Source::Program(set) => follow_games(set.games, Path::new(set.name), &wanted, &mut found)?,
            Source::File(path) => {
                for path in games_beside(path)? {
                    let file = File::open(&path);
                    let file = file.map_err(|error| FingerprintError::io(&path, "read", error))?;
                    follow_games(file, &path, &wanted, &mut found)?;
                }
            }
        }
        Ok(places
            .iter()
            .map(|place| {
                let command = found.get(&place.fen)?;
                Some(Place { command: command.clone(), ..place.clone() })
            })
            .collect())
    }
}

impl Source {
    /// For messages.
    fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Program(set) => set.name.to_owned(),
        }
    }
}

/// The path from the present folder, or else just the file's name.
fn portable_name(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let relative = path.strip_prefix(&here).unwrap_or(path);
    if relative.is_relative() && !relative.starts_with("..") {
        relative.display().to_string()
    } else {
        path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The PGN files in a file's folder, by name.
fn games_beside(path: &Path) -> Result<Vec<PathBuf>, FingerprintError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    let io = |error| FingerprintError::io(folder, "read", error);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if path.extension().is_some_and(|extension| extension == "pgn") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

impl Place {
    /// A position by its FEN.
    #[must_use]
    pub fn of(start: &StartPosition) -> Self {
        let fen = start.fen();
        Self { command: format!("position fen {fen}"), fen, position: start.position().clone() }
    }
}

/// Notes how the games of a PGN reach the wanted positions.
fn follow_games(
    pgn: impl Read,
    name: &Path,
    wanted: &BTreeSet<&str>,
    found: &mut BTreeMap<String, String>,
) -> Result<(), FingerprintError> {
    let damaged = |error| FingerprintError::pgn(name, error);
    let options = PgnOptions { comments: false, ..PgnOptions::default() };
    let reader = PgnReader::new(pgn, name.display().to_string(), options).map_err(damaged)?;
    for game in reader.take(MOST_GAMES) {
        follow(&game.map_err(damaged)?, wanted, found);
    }
    Ok(())
}

/// Notes how a game reaches each wanted position after its first.
fn follow(game: &ReadGame, wanted: &BTreeSet<&str>, found: &mut BTreeMap<String, String>) {
    let mut command = if game.start.is_standard() {
        "position startpos moves".to_owned()
    } else {
        format!("position fen {} moves", game.start.fen())
    };
    let mode = game.start.castling_mode();
    let mut board = Game::new(game.start.clone());
    for read in &game.moves {
        command.push(' ');
        command.push_str(&uci(read.m, mode));
        board.play(read.m);
        let fen = fen(board.position());
        if wanted.contains(fen.as_str()) {
            found.entry(fen).or_insert_with(|| command.clone());
        }
    }
}

/// The bytes of a file that has no more than this many.
pub(super) fn read_bounded(path: &Path, most: u64) -> Result<Vec<u8>, FingerprintError> {
    let size = fs::metadata(path).map_err(|error| FingerprintError::io(path, "read", error))?.len();
    if size > most {
        return Err(FingerprintError::damaged(
            path,
            None,
            format!("{size} bytes, expected at most {most}\nhint: check that the path names the right file"),
        ));
    }
    fs::read(path).map_err(|error| FingerprintError::io(path, "read", error))
}
