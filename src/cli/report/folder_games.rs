//! Games of a run folder for the page.

use std::collections::BTreeMap;

use super::replays::GameSource;
use crate::chess::{Game, StartPosition, parse_engine_move};
use crate::cli::exit::Failure;
use crate::ladder::{GameLine, GameReader, LadderError, Place, PlannedGame, RunFolder, RunResults};
use crate::report::{GameSketch, Replay, ReplayHead, ReplayPly};

/// A game that counts.
struct Counted<'a> {
    number: usize,
    game: &'a PlannedGame,
    place: Place,
    fault: bool,
    plies: usize,
    ending: String,
}

/// The counted games of a run.
pub(super) struct FolderGames<'a> {
    folder: &'a RunFolder,
    reader: Option<GameReader>,
    games: Vec<Counted<'a>>,
    places: BTreeMap<usize, usize>,
    /// The report is about the run's opponent.
    turned: bool,
}

impl<'a> FolderGames<'a> {
    /// The games, unread. `turned`: seen from the run's opponent.
    pub(super) fn new(
        folder: &'a RunFolder,
        results: &RunResults<'a>,
        turned: bool,
    ) -> Result<Self, Failure> {
        let games: Vec<Counted<'a>> = results
            .counted()
            .map(|(number, game, result)| Counted {
                number,
                game,
                place: result.place,
                fault: result.fault.is_some(),
                plies: result.plies,
                ending: match result.fault {
                    Some((side, fault)) => {
                        format!(
                            "{fault} of the {}",
                            if (side == game.subject) != turned { "subject" } else { "opponent" }
                        )
                    }
                    None => result.termination.to_string(),
                },
            })
            .collect();
        let reader = if games.is_empty() { None } else { Some(folder.game_reader()?) };
        let places = games.iter().enumerate().map(|(place, game)| (game.number, place)).collect();
        Ok(Self { folder, reader, games, places, turned })
    }

    fn replay(&self, game: &Counted<'_>, line: &GameLine, why: &'static str) -> Result<Replay, String> {
        let plan = self.folder.plan();
        let opening = plan.opening_of(game.game);
        let start = StartPosition::from_fen(&opening.fen).map_err(|error| error.to_string())?;
        let mut board = Game::new(start.clone());
        let mut plies = Vec::new();
        let book = opening.moves.iter().map(|text| (text, None));
        for (text, ply) in book.chain(line.record.plies.iter().map(|ply| (&ply.m, Some(ply)))) {
            let (m, _) = parse_engine_move(board.position(), text)
                .map_err(|error| format!("game {}: the move `{text}` is {error}", game.number))?;
            let words = ply.and_then(|ply| plan.engine_of(game.game, board.turn().into()).said(ply));
            board.play(m);
            plies.push(ReplayPly { m, score_stm: ply.and_then(|ply| ply.score_stm), words });
        }
        let detail =
            line.record.fault.as_ref().map(|fault| format!(": {}", fault.detail)).unwrap_or_default();
        let head = ReplayHead {
            title: format!("game {}", game.number),
            players: plan.names(game.game).map(str::to_owned),
            result: line.record.outcome.as_pgn().to_owned(),
            ending: format!("{}{detail}", game.ending),
            why,
            subject_is_black: (game.game.subject == crate::arena::SideName::Black) != self.turned,
        };
        Ok(Replay::new(&head, &start, &plies))
    }
}

impl GameSource for FolderGames<'_> {
    fn sketches(&self) -> Vec<GameSketch> {
        self.games.iter().map(|game| GameSketch { opponent: game.game.rung, fault: game.fault }).collect()
    }

    fn endings(&self) -> Vec<(u32, String)> {
        let plies = |game: &Counted<'_>| u32::try_from(game.plies).unwrap_or(u32::MAX);
        self.games.iter().map(|game| (plies(game), game.ending.clone())).collect()
    }

    fn place_of(&self, number: usize) -> Option<usize> {
        self.places.get(&number).copied()
    }

    fn replays(&mut self, wanted: &[(usize, &'static str)]) -> Result<Vec<Replay>, Failure> {
        let path = self.folder.journal_path();
        let Some(mut reader) = self.reader.take() else { return Ok(Vec::new()) };
        let mut replays = Vec::with_capacity(wanted.len());
        for (place, why) in wanted {
            let Some(game) = self.games.get(*place) else { continue };
            let line = reader
                .read(game.number, game.place)
                .map_err(|error| LadderError::game_data(&path, &error))?;
            let replay = self.replay(game, &line, why).map_err(|reason| {
                LadderError::game_data(&path, &std::io::Error::new(std::io::ErrorKind::InvalidData, reason))
            })?;
            replays.push(replay);
        }
        self.reader = Some(reader);
        Ok(replays)
    }
}
