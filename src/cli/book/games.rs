//! The player's games among those of some PGN files.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;

use anyhow::anyhow;

use crate::chess::pgn::{PgnOptions, PgnReader, ReadGame};
use crate::chess::{CastlingMode, Color, Move, Repertoire, StartPosition, parse_engine_move, san, uci};
use crate::cli::exit::{Exit, Failure};
use crate::cli::print::{self, count};

/// How many names a wrong one is answered with.
const NAMES_SHOWN: usize = 5;

/// What was read.
#[derive(Debug, Default)]
pub(super) struct PlayersGames {
    pub(super) repertoire: Repertoire,
    pub(super) as_white: u32,
    pub(super) as_black: u32,
    /// Games of the player with White that began with another move than asked.
    other_first_move: u32,
    other_start: u32,
    /// How often each name stands in the files.
    names: BTreeMap<String, u32>,
}

/// Counts what `player` (case aside) played in the first `plies` plies of the games in `files`.
/// With `white_first`, of the games with White only those that began with this move count.
pub(super) fn read(
    files: &[PathBuf],
    player: &str,
    plies: usize,
    white_first: Option<Move>,
) -> Result<PlayersGames, Failure> {
    let mut games = PlayersGames::default();
    for path in files {
        let source_name = path.display().to_string();
        let bad = |error: anyhow::Error| Failure::new(Exit::BadInput, error);
        let file = File::open(path).map_err(|error| {
            bad(anyhow!(
                "{source_name}: cannot be opened: {error}\nhint: give a PGN file, plain, gzip or zstd"
            ))
        })?;
        let options = PgnOptions::tags_only(&["White", "Black"], plies.max(1));
        let reader = PgnReader::new(file, source_name.clone(), options).map_err(|error| bad(error.into()))?;
        for game in reader {
            games.take(&game.map_err(|error| bad(error.into()))?, &source_name, player, plies, white_first);
        }
    }
    games.remark(white_first);
    if games.as_white + games.as_black == 0 {
        return Err(Failure::new(Exit::BadInput, games.no_game_of(player)));
    }
    Ok(games)
}

/// The move a first move's text means, `d4` or `d2d4`.
pub(super) fn first_move(text: &str) -> Result<Move, String> {
    let start = StartPosition::standard();
    let position = start.position();
    let by_san = || {
        use crate::chess::Position as _;
        position.legal_moves().into_iter().find(|m| san(position, *m) == text)
    };
    parse_engine_move(position, text)
        .ok()
        .map(|(m, _)| m)
        .or_else(by_san)
        .ok_or_else(|| format!("`{text}` is no first move of White: write d4 or d2d4"))
}

impl PlayersGames {
    fn take(
        &mut self,
        game: &ReadGame,
        source_name: &str,
        player: &str,
        plies: usize,
        white_first: Option<Move>,
    ) {
        for color in [Color::White, Color::Black] {
            let Some(name) = game.tag(if color == Color::White { "White" } else { "Black" }) else {
                continue;
            };
            *self.names.entry(name.trim().to_owned()).or_default() += 1;
            if !name.trim().eq_ignore_ascii_case(player.trim()) {
                continue;
            }
            if let Some(fault) = &game.fault {
                let place = format!("{source_name}:{}: game {}", game.line, game.number);
                print::warning(&format!("{place} is left out: {fault}"));
                continue;
            }
            if !game.start.is_standard() {
                self.other_start += 1;
                continue;
            }
            let moves: Vec<Move> = game.moves.iter().map(|read| read.m).collect();
            if color == Color::White && white_first.is_some() && moves.first().copied() != white_first {
                self.other_first_move += 1;
                continue;
            }
            *(if color == Color::White { &mut self.as_white } else { &mut self.as_black }) += 1;
            self.repertoire.add(&moves, color, plies);
        }
    }

    fn remark(&self, white_first: Option<Move>) {
        if self.other_start > 0 {
            let games = count(self.other_start, "game");
            print::warning(&format!("{games} from another initial position left out"));
        }
        if let Some(m) = white_first.filter(|_| self.other_first_move > 0) {
            let games = count(self.other_first_move, "game");
            print::note(&format!("{games} with White not begun {} left out", uci(m, CastlingMode::Standard)));
        }
    }

    fn no_game_of(&self, player: &str) -> anyhow::Error {
        let mut names: Vec<_> = self.names.iter().collect();
        names.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), *name));
        let names: Vec<_> = names.iter().take(NAMES_SHOWN).map(|(name, _)| format!("`{name}`")).collect();
        let hint = match names.is_empty() {
            true => "the files hold no game with names".to_owned(),
            false => format!("the names met most often are {}", names.join(", ")),
        };
        anyhow!("no usable game of `{player}` in these files\nhint: {hint}; write the name as the PGN does")
    }
}
