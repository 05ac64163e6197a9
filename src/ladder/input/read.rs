//! From what the user named to records: run folders, files, standard input; their kind is told by
//! what is in them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::super::export::write_pgn;
use super::super::folder::RunFolder;
use super::super::pick_depth::early_end_words;
use super::super::plan::Rung;
use super::super::results::RunResults;
use super::counts::read_counts;
use super::error::InputError;
use super::inputs::Inputs;
use super::levels::LevelRules;
use super::pairs::{PairRule, find_pairs, parse_round};
use super::played::{Conditions, Notice, Results, RunLimits, UCI_ELO_WORDS, Unused, UnusedReason};
use super::players::Seat;
use super::seats::Seats;
use super::store::{MOST_GAMES, Record, Sides};
use crate::arena::SideName;
use crate::chess::Outcome;
use crate::chess::pgn::{MovesDigest, PgnScanner, ScannedGame, unpack};

/// How much of a text is looked at to tell its kind.
const START_BYTES: u64 = 1 << 14;

/// What the user says about the inputs.
#[derive(Clone, Debug, Default)]
pub struct InputOptions {
    /// Whose rating is to be fitted. Needed only where a PGN does not tell; CSV names nobody.
    pub subject: Option<String>,
    /// How levels are found.
    pub levels: LevelRules,
    /// How pairs are told.
    pub pairs: PairRule,
}

/// Reads one input and takes the subject's results; see [`read_inputs`].
///
/// # Errors
/// [`InputError`]; see there.
pub fn read_input(path: &Path, options: &InputOptions) -> Result<Results, InputError> {
    read_inputs(&[path.to_owned()], options)?.results(options.subject.as_deref())
}

/// Reads run folders, PGN and CSV files (plain, gzip or zstd) and standard input (`-`), all together.
///
/// An input that is given twice is counted once, with a notice.
///
/// # Errors
/// [`InputError`]; see there.
pub fn read_inputs(paths: &[PathBuf], options: &InputOptions) -> Result<Inputs, InputError> {
    let mut reading = Reading::new(paths);
    for path in paths {
        reading.path(path)?;
    }
    reading.finish(options)
}

/// Reads PGN, plain or packed, from any reader.
///
/// # Errors
/// [`InputError`] when the text cannot be read on.
pub fn read_pgn(reader: impl Read, source_name: &str, options: &InputOptions) -> Result<Inputs, InputError> {
    let mut reading = Reading::new(&[]);
    reading.inputs.sources.push(source_name.to_owned());
    reading.pgn(reader, source_name)?;
    reading.finish(options)
}

/// The counted games of a run. Those of pairs left out are counted as unused.
///
/// # Errors
/// [`InputError`] when the counts go beyond what a level can hold.
pub fn run_input(source: &str, run: &RunResults<'_>) -> Result<Results, InputError> {
    run_inputs(source, run, &InputOptions::default())?.results(None)
}

/// The same, for more than one view of them.
///
/// # Errors
/// As [`run_input`].
pub fn run_inputs(source: &str, run: &RunResults<'_>, options: &InputOptions) -> Result<Inputs, InputError> {
    let mut reading = Reading::new(&[]);
    reading.run(source, "", run, &[])?;
    reading.finish(options)
}

/// Who played a game of a plan, and what it was: equal in two folders of one run.
type PlayedGame = (Option<u64>, Outcome);

/// Reads runs, each with a name and a seal of its own, and a PGN, in this order.
#[cfg(test)]
pub(super) fn read_runs(
    runs: &[(&str, &super::super::Plan, &[super::super::GameLine])],
    pgn: Option<&str>,
    options: &InputOptions,
) -> Result<Inputs, InputError> {
    let mut reading = Reading::new(&[]);
    for (name, plan, lines) in runs {
        let mut results = RunResults::new(plan);
        for line in *lines {
            results.add(line, super::super::Place::default()).unwrap();
        }
        reading.run(name, name, &results, &[])?;
    }
    if let Some(text) = pgn {
        reading.text(text.as_bytes(), "games.pgn".to_owned())?;
    }
    reading.finish(options)
}

#[derive(Default)]
struct Reading {
    inputs: Inputs,
    /// Whether there are several inputs, so that one may be another again.
    several: bool,
    /// Whether files stand beside folders, so that moves must be compared across notations.
    mixed: bool,
    folders: Vec<PathBuf>,
    /// Paths read, with their names.
    paths: BTreeMap<PathBuf, String>,
    /// SHA-256 of texts read, unpacked.
    digests: BTreeMap<[u8; 32], String>,
    /// Runs by seal: their number as a source, and their games.
    runs: BTreeMap<String, (u32, BTreeMap<usize, PlayedGame>)>,
    /// How many sources were numbered.
    numbered: u32,
}

impl Reading {
    fn new(paths: &[PathBuf]) -> Self {
        let folders: Vec<PathBuf> =
            paths.iter().filter(|path| path.is_dir()).filter_map(|path| path.canonicalize().ok()).collect();
        Self {
            several: paths.len() > 1,
            mixed: !folders.is_empty() && paths.iter().any(|path| !path.is_dir()),
            folders,
            ..Self::default()
        }
    }

    fn finish(mut self, options: &InputOptions) -> Result<Inputs, InputError> {
        self.inputs.settle_players();
        find_pairs(&mut self.inputs.store, options.pairs);
        self.inputs.finish(&options.levels)?;
        Ok(self.inputs)
    }

    fn path(&mut self, path: &Path) -> Result<(), InputError> {
        let standard_input = path.as_os_str() == "-";
        let source = if standard_input { "standard input".to_owned() } else { path.display().to_string() };
        let full =
            if standard_input { path.to_owned() } else { path.canonicalize().unwrap_or(path.to_owned()) };
        if let Some(earlier) = self.paths.insert(full.clone(), source.clone()) {
            self.inputs.notices.push(Notice::SameInput { source, earlier });
            return Ok(());
        }
        if path.is_dir() {
            let folder = RunFolder::open(path)?;
            let (results, _) = folder.read_journal()?;
            let digests = if self.mixed { digests(&folder, &results, &source)? } else { Vec::new() };
            return self.run(&source, folder.seal(), &results, &digests);
        }
        if let Some(folder) = self.folders.iter().find(|folder| full.parent() == Some(folder)) {
            let folder = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            self.inputs.notices.push(Notice::InsideRun { source, folder });
            return Ok(());
        }
        if standard_input {
            return self.text(io::stdin().lock(), source);
        }
        match File::open(path) {
            Ok(file) => self.text(file, source),
            Err(error) => Err(InputError::Io { source_name: source, error }),
        }
    }

    fn text(&mut self, reader: impl Read, source: String) -> Result<(), InputError> {
        let io_error = |error| InputError::Io { source_name: source.clone(), error };
        let digest = RefCell::new(Sha256::new());
        let inner = unpack(reader).map_err(io_error)?;
        let mut plain = Digesting { inner, digest: &digest, wanted: self.several };
        let mut start = Vec::new();
        plain.by_ref().take(START_BYTES).read_to_end(&mut start).map_err(io_error)?;
        if let Some((found, hint)) = other_kind(&start) {
            return Err(InputError::Kind { source_name: source, found, hint });
        }
        let is_csv = looks_like_csv(&start);
        let text = Cursor::new(start).chain(plain);
        let (games, unused) = (self.inputs.store.records.len(), self.inputs.unused.clone());
        let counts = if is_csv {
            Some(read_counts(text, &source)?)
        } else {
            self.pgn(text, &source)?;
            None
        };
        if self.several {
            let digest = digest.into_inner().finalize().into();
            if let Some(earlier) = self.digests.get(&digest).cloned() {
                self.inputs.store.records.truncate(games);
                self.inputs.unused = unused;
                self.inputs.notices.push(Notice::SameInput { source, earlier });
                return Ok(());
            }
            self.digests.insert(digest, source.clone());
        }
        self.inputs.counts.extend(counts);
        self.inputs.files.push(source.clone());
        self.inputs.sources.push(source);
        Ok(())
    }

    fn next_source(&mut self) -> u32 {
        let number = self.numbered;
        self.numbered += 1;
        number
    }

    fn pgn(&mut self, reader: impl Read, source_name: &str) -> Result<(), InputError> {
        let source = self.next_source();
        let mut scanner = PgnScanner::new(reader, source_name)?;
        let mut games = PgnGames { inputs: &mut self.inputs, seats: Seats::new(source) };
        let mut read = false;
        while let Some(game) = scanner.next_game()? {
            read = true;
            games.take(game);
            if games.inputs.store.records.len() >= MOST_GAMES {
                return Err(InputError::TooMany { source_name: source_name.to_owned() });
            }
        }
        self.inputs.has_files = true;
        if read { Ok(()) } else { Err(InputError::Empty { source_name: source_name.to_owned() }) }
    }

    fn run(
        &mut self,
        source: &str,
        seal: &str,
        run: &RunResults<'_>,
        digests: &[MovesDigest],
    ) -> Result<(), InputError> {
        let plan = run.plan();
        let next = self.next_source();
        let (number, known) = self.runs.entry(seal.to_owned()).or_insert((next, BTreeMap::new()));
        let inputs = &mut self.inputs;
        let named = if run.missing() > 0 {
            format!("{source} ({} of {} games played)", run.finished(), plan.games.len())
        } else {
            source.to_owned()
        };
        inputs.sources.push(named.clone());
        let Inputs { store, run_players, run_subjects, .. } = inputs;
        let own = plan.recorded_subject();
        let subject = run_players.number(store, &plan.subject.name, &own, Seat::Any);
        run_subjects.insert(subject);
        let rung_player = |rung: &Rung| {
            let identity = plan.recorded_rung(rung);
            let itself = identity.identity == own.identity;
            let seat = if itself { Seat::ItsOwnOpponent } else { Seat::Any };
            run_players.number(store, &rung.name, &identity, seat)
        };
        let rungs: Vec<u32> = plan.rungs.iter().map(rung_player).collect();
        let openings: Vec<MovesDigest> = plan
            .openings
            .iter()
            .map(|opening| MovesDigest::of_opening(&opening.fen, opening.moves.iter().map(String::as_str)))
            .collect();
        for (place, (game_number, game, result)) in run.counted().enumerate() {
            let played = (result.moves_hash, result.outcome);
            match known.insert(game_number, played) {
                None => {}
                Some(earlier) if earlier == played => {
                    inputs.count_unused(UnusedReason::Duplicate, || source.to_owned());
                    continue;
                }
                Some(_) => {
                    return Err(InputError::Contradiction {
                        source_name: source.to_owned(),
                        game: game_number,
                    });
                }
            }
            let (subject_white, rung) = (game.subject == SideName::White, plan.rung_of(game));
            let opponent = rungs.get(game.rung).copied().unwrap_or_default();
            let order = |white, black| if subject_white { [white, black] } else { [black, white] };
            let players = order(subject, opponent);
            let stated = if subject_white { [None, rung.level] } else { [rung.level, None] };
            let opening = openings.get(game.opening).copied().unwrap_or_default();
            let moves =
                digests.get(place).map_or(result.moves_hash.and_then(NonZeroU64::new), |one| one.game);
            let sides = inputs.store.sides_number(Sides { players, stated, source: *number });
            inputs.store.records.push(Record {
                moves,
                near: opening.near,
                deep: opening.deep,
                sides,
                round: u32::try_from(game.pair).ok().and_then(|pair| NonZeroU32::MIN.checked_add(pair)),
                part: if subject_white { 1 } else { 2 },
                outcome: Some(result.outcome),
                own_start: opening.own_start,
                planned: true,
                pair: None,
            });
            if let Some((_, cause)) = result.fault.filter(|(side, _)| *side == game.subject) {
                *inputs.lost_by_faults.entry((subject, cause.to_string())).or_default() += 1;
            }
        }
        let scale = if plan.is_ladder() { UCI_ELO_WORDS } else { "" };
        let conditions =
            Conditions { subject: plan.subject.summary(), opponent: plan.opponent.summary() + scale };
        let played = (subject, conditions, plan.recorded_opponent());
        if !inputs.conditions.contains(&played) {
            inputs.conditions.push(played);
        }
        let used = run.limits_used().into_iter().map(|used| RunLimits { source: named.clone(), used });
        inputs.limits_used.extend(used.map(|used| (subject, used)));
        if let Some(words) = early_end_words(plan) {
            inputs.notices.push(Notice::LimitTooLow { words: format!("{source}: {words}") });
        }
        let left_out = (run.finished() - run.counted().count()) as u64;
        if left_out > 0 {
            let void = Unused { reason: UnusedReason::VoidPair, games: 0, first: None };
            inputs.unused.entry(UnusedReason::VoidPair).or_insert(void).games += left_out;
        }
        Ok(())
    }
}

/// What a run's games are in the notation of PGN, in the order of [`RunResults::counted`]: so a copy
/// in a PGN file beside the folder is seen.
fn digests(
    folder: &RunFolder,
    results: &RunResults<'_>,
    source: &str,
) -> Result<Vec<MovesDigest>, InputError> {
    let mut text = Vec::new();
    write_pgn(&mut text, results, &mut folder.game_reader()?)
        .map_err(|error| InputError::Io { source_name: source.to_owned(), error })?;
    let mut scanner = PgnScanner::new(text.as_slice(), source)?;
    let mut digests = Vec::new();
    while let Some(game) = scanner.next_game()? {
        digests.push(game.moves);
    }
    Ok(digests)
}

/// Takes the games of one PGN text.
struct PgnGames<'a> {
    inputs: &'a mut Inputs,
    seats: Seats,
}

impl PgnGames<'_> {
    fn take(&mut self, game: &ScannedGame) {
        if let Some(fault) = &game.fault {
            let example = || format!("game {}, line {}: {fault}", game.number, game.line);
            return self.inputs.count_unused(UnusedReason::Unreadable, example);
        }
        let nameless = |name: &[u8]| matches!(name, b"" | b"?");
        if nameless(&game.white) || nameless(&game.black) {
            let example = || format!("game {}, line {}", game.number, game.line);
            return self.inputs.count_unused(UnusedReason::NoPlayers, example);
        }
        let (names, elos) = ([&*game.white, &*game.black], [&*game.white_elo, &*game.black_elo]);
        let sides = self.seats.sides(&mut self.inputs.store, names, elos);
        let (round, part) = parse_round(&game.round).map_or((None, 0), |(round, part)| (Some(round), part));
        let MovesDigest { game: moves, near, deep, own_start } = game.moves;
        let outcome = game.outcome;
        let record =
            Record { moves, near, deep, sides, round, part, outcome, own_start, planned: false, pair: None };
        self.inputs.store.records.push(record);
    }
}

/// Passes text on and hashes it.
struct Digesting<'a, R> {
    inner: R,
    digest: &'a RefCell<Sha256>,
    wanted: bool,
}

impl<R: Read> Read for Digesting<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        if self.wanted {
            self.digest.borrow_mut().update(buffer.get(..read).unwrap_or_default());
        }
        Ok(read)
    }
}

/// What a file is that is neither PGN nor CSV, and what to do with it.
fn other_kind(start: &[u8]) -> Option<(&'static str, &'static str)> {
    let packed = "unpack it, or pack it with gzip or zstd";
    let kinds: [(&[u8], _, _); 7] = [
        (b"BZh", "a bzip2 file", packed),
        (b"\xfd7zXZ", "an xz file", packed),
        (b"PK\x03\x04", "a zip file", packed),
        (b"7z\xbc\xaf", "a 7z file", packed),
        (b"\x1f\x8b", "gzip within a packed file", "unpack it once"),
        (b"{\"", "JSON lines", "a journal is read with its run folder: give the folder"),
        (b"SQLite format", "a database", "export its games as PGN"),
    ];
    kinds.iter().find(|(magic, ..)| start.starts_with(magic)).map(|(_, found, hint)| (*found, *hint))
}

/// Whether the first line with text has a comma and is neither a tag, a comment nor a move.
fn looks_like_csv(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let first = start
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty() && !line.starts_with(b"#"));
    first.is_some_and(|line| {
        line.contains(&b',') && !line.first().is_some_and(|byte| matches!(byte, b'[' | b'{' | b';' | b'%'))
    })
}
