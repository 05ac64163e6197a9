//! Games to audit out of run folders and PGN.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::comment::{quoted_words, read_comment};
use super::error::AuditError;
use super::game::{AuditGame, Finish, OwnMove};
use super::origin::Origin;
use crate::arena::{GameRecord, SideName, Termination};
use crate::chess::pgn::{PgnOptions, PgnReader, ReadGame};
use crate::chess::{Color, Game, Outcome, Position as _, StartPosition, parse_engine_move};
use crate::ladder::{GameLine, LadderError, Plan, PlannedEngine, PlannedGame, RunFolder};

/// What was read.
#[derive(Debug, Default)]
pub struct GameSet {
    /// Whose moves are audited.
    pub subject: String,
    /// The games, in the order of the inputs.
    pub games: Vec<AuditGame>,
    /// The subject as a run planned it, from the first run folder.
    pub engine: Option<PlannedEngine>,
    /// What the user should know of games not or only partly used.
    pub notices: Vec<String>,
    /// What tells these games from others, where one file or folder holds them all.
    pub origin: Option<Origin>,
}

impl GameSet {
    fn next_cluster(&self) -> usize {
        self.games.last().map_or(0, |last| last.cluster + 1)
    }
}

/// Reads run folders and PGN files.
///
/// Of a run folder the counted games; the moves of the opening were nobody's choice and are not
/// audited. Of a PGN every move of the subject, `subject` or, without one, the only player of all
/// games; of a game against itself both sides, as one cluster.
///
/// # Errors
/// [`AuditError`] for files that cannot be read, and where nobody says whose moves to audit.
pub fn read_games(paths: &[PathBuf], subject: Option<&str>) -> Result<GameSet, AuditError> {
    let mut set = GameSet { subject: subject.unwrap_or_default().to_owned(), ..GameSet::default() };
    let mut read = Vec::new();
    for path in paths {
        if path.is_dir() {
            read_folder(path, paths.len() > 1, &mut set)?;
        } else {
            // Before the games: to a file that grows meanwhile the audit does not belong any more.
            set.origin = Origin::of_pgn(path)?;
            read.push((path, read_pgn(path)?));
        }
    }
    if paths.len() > 1 {
        set.origin = None;
    }
    if set.subject.is_empty() {
        set.subject = only_player(&read)?;
    }
    for (path, games) in read {
        let several = paths.len() > 1;
        let before = set.games.len();
        for game in &games {
            take_pgn_game(path, several, game, &mut set);
        }
        if set.games.len() == before {
            let source_name = path.display().to_string();
            let reason = format!("no game of {}", set.subject);
            let hint = format!("the players are: {}", players(games.iter()));
            return Err(AuditError::Subject { source_name, reason, hint });
        }
    }
    Ok(set)
}

fn read_folder(path: &Path, several: bool, set: &mut GameSet) -> Result<(), AuditError> {
    let folder = RunFolder::open(path)?;
    let plan = folder.plan();
    let name = &plan.subject.name;
    if set.subject.is_empty() {
        set.subject.clone_from(name);
    } else if set.subject != *name {
        return Err(AuditError::Subject {
            source_name: path.display().to_string(),
            reason: format!("the subject of the run is {name}, not {}", set.subject),
            hint: "audit one subject at a time".to_owned(),
        });
    }
    set.engine.get_or_insert_with(|| plan.subject.clone());
    let (results, _) = folder.read_journal()?;
    set.origin = Some(Origin::of_run(&folder, &results));
    let mut reader = folder.game_reader()?;
    let journal = folder.journal_path();
    for (number, game, result) in results.counted() {
        let line =
            reader.read(number, result.place).map_err(|error| AuditError::io(&journal, "read", error))?;
        let title =
            if several { format!("{} game {number}", path.display()) } else { format!("game {number}") };
        let cluster = set.next_cluster();
        let game = journal_game(plan, game, &line, title, cluster).map_err(|reason| {
            let error = std::io::Error::other(format!("game {number}: {reason}"));
            AuditError::Ladder(LadderError::game_data(&journal, &error))
        })?;
        set.games.push(game);
    }
    let unused = results.finished() - results.counted().count();
    if unused > 0 || results.missing() > 0 {
        set.notices.push(format!(
            "{}: {} games not played yet, {unused} in pairs left out are not audited",
            path.display(),
            results.missing()
        ));
    }
    Ok(())
}

fn journal_game(
    plan: &Plan,
    game: &PlannedGame,
    line: &GameLine,
    name: String,
    cluster: usize,
) -> Result<AuditGame, String> {
    let opening = plan.opening_of(game);
    let start = StartPosition::from_fen(&opening.fen).map_err(|error| error.to_string())?;
    let mut board = Game::new(start.clone());
    let played = line.record.plies.iter().map(|ply| &ply.m);
    for text in opening.moves.iter().chain(played) {
        let (m, _) = parse_engine_move(board.position(), text)
            .map_err(|error| format!("the move `{text}` is {error}"))?;
        board.play(m);
    }
    let subject = Color::from(game.subject);
    let first = opening.moves.len();
    let opens = side_at(&start, first);
    let own = line.record.plies.iter().enumerate().filter(|(index, _)| {
        let mover = if index.is_multiple_of(2) { opens } else { opens.other() };
        mover == subject
    });
    let own = own.map(|(index, ply)| OwnMove {
        ply: first + index,
        reported: ply.score_stm.map(|score| (score, ply.bound)),
        clock_ms: ply.clock_ms,
        book: ply.score_stm.is_none() && ply.depth.is_none() && ply.nodes.is_none(),
        words: plan.subject.said(ply),
    });
    let own = own.collect();
    let rung = plan.rung_of(game);
    Ok(AuditGame {
        name,
        cluster,
        start,
        moves: board.moves().to_vec(),
        subject,
        opponent: rung.name.clone(),
        opponent_level: rung.level,
        finish: journal_finish(&line.record, game.subject),
        own,
        evals_white: None,
    })
}

fn journal_finish(record: &GameRecord, subject: SideName) -> Finish {
    match record.termination {
        Termination::Rules(ending) => Finish::Rules(ending, record.outcome),
        Termination::Adjudicated(_) => Finish::Early(record.termination.to_string()),
        Termination::Fault(fault) => {
            let by_subject = record.fault.as_ref().is_some_and(|fault| fault.side == subject);
            Finish::Early(format!("{fault} of the {}", if by_subject { "subject" } else { "opponent" }))
        }
    }
}

fn side_at(start: &StartPosition, plies: usize) -> Color {
    let first = start.position().turn();
    if plies.is_multiple_of(2) { first } else { first.other() }
}

fn read_pgn(path: &Path) -> Result<Vec<ReadGame>, AuditError> {
    let error = |source| AuditError::Games { path: path.to_owned(), source };
    let name = path.display().to_string();
    let reader = if path.as_os_str() == "-" {
        PgnReader::new(std::io::stdin().lock(), name, PgnOptions::default()).map_err(error)?
    } else {
        let file = File::open(path).map_err(|error| AuditError::io(path, "read", error))?;
        PgnReader::new(file, name, PgnOptions::default()).map_err(error)?
    };
    reader.map(|game| game.map_err(error)).collect()
}

fn names(game: &ReadGame) -> [&str; 2] {
    ["White", "Black"].map(|tag| game.tag(tag).unwrap_or("?"))
}

/// The player of all games, if only one is.
fn only_player(read: &[(&PathBuf, Vec<ReadGame>)]) -> Result<String, AuditError> {
    let games = || read.iter().flat_map(|(_, games)| games);
    let count = games().count();
    let mut by_name = BTreeMap::new();
    for game in games() {
        let [white, black] = names(game);
        *by_name.entry(white).or_insert(0) += 1;
        if black != white {
            *by_name.entry(black).or_insert(0) += 1;
        }
    }
    let everywhere: Vec<&str> = by_name
        .iter()
        .filter(|(name, games)| **games == count && **name != "?")
        .map(|(name, _)| *name)
        .collect();
    if let [name] = everywhere.as_slice() {
        return Ok((*name).to_owned());
    }
    let source_name = read.first().map(|(path, _)| path.display().to_string()).unwrap_or_default();
    let reason = if count == 0 { "no games" } else { "whose moves are to be audited is not told" }.to_owned();
    let hint = format!("say --subject NAME; the players are: {}", players(games()));
    Err(AuditError::Subject { source_name, reason, hint })
}

/// The names of the players, the first twenty.
fn players<'a>(games: impl Iterator<Item = &'a ReadGame>) -> String {
    let names: std::collections::BTreeSet<&str> = games.flat_map(names).collect();
    let shown: Vec<&str> = names.iter().take(20).copied().collect();
    let more = if names.len() > shown.len() { ", ..." } else { "" };
    format!("{}{more}", shown.join(", "))
}

fn take_pgn_game(path: &Path, several: bool, game: &ReadGame, set: &mut GameSet) {
    let [white, black] = names(game);
    let sides = [(Color::White, white), (Color::Black, black)];
    let sides = sides.iter().filter(|(_, name)| *name == set.subject).map(|(side, _)| *side);
    let sides: Vec<Color> = sides.collect();
    if sides.is_empty() {
        return;
    }
    if let Some(fault) = &game.fault {
        let used = if game.moves.is_empty() { "left out" } else { "audited up to there" };
        set.notices.push(format!("{}, game {}: {fault}; {used}", path.display(), game.number));
    }
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let name = if several { format!("{file} game {}", game.number) } else { format!("game {}", game.number) };
    let mut board = Game::new(game.start.clone());
    let mut own = [Vec::new(), Vec::new()];
    let mut evals = Vec::with_capacity(game.moves.len());
    for (ply, read) in game.moves.iter().enumerate() {
        let [white, black] = &mut own;
        let mover = if board.turn() == Color::White { white } else { black };
        board.play(read.m);
        let comment = read.comment.as_deref().map(read_comment).unwrap_or_default();
        evals.push(comment.eval_white);
        let (reported, clock_ms, book) = (comment.reported, comment.clock_ms, comment.book);
        let words = read.comment.as_deref().and_then(quoted_words);
        mover.push(OwnMove { ply, reported, clock_ms, book, words });
    }
    // Lichess leaves the last move without one when the game ends with it.
    if board.ending().is_some() && evals.last() == Some(&None) {
        evals.pop();
    }
    let evals = evals.into_iter().collect::<Option<Vec<_>>>().filter(|evals| !evals.is_empty());
    let finish = match (board.ending(), game.outcome) {
        (Some(ending), _) => Finish::Rules(ending, board.outcome(ending)),
        (None, Some(Outcome::Draw)) => Finish::Early("a draw that the moves do not show".to_owned()),
        (None, Some(_)) => Finish::Early("a result that the moves do not show".to_owned()),
        (None, None) => Finish::Early("no result".to_owned()),
    };
    let cluster = set.next_cluster();
    for (subject, own) in [Color::White, Color::Black].into_iter().zip(own) {
        if !sides.contains(&subject) {
            continue;
        }
        let level = if subject == Color::White { game.tag("BlackElo") } else { game.tag("WhiteElo") };
        set.games.push(AuditGame {
            name: name.clone(),
            cluster,
            start: game.start.clone(),
            moves: board.moves().to_vec(),
            subject,
            opponent: if subject == Color::White { black } else { white }.to_owned(),
            opponent_level: level.and_then(|level| level.trim().parse().ok()).filter(|level| *level > 0),
            finish: finish.clone(),
            own,
            evals_white: evals.clone(),
        });
    }
}
