//! The command: count, grade, write.

use std::fs;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;

use super::contract::Contract;
use super::games::{self, PlayersGames};
use crate::chess::{Book, CastlingMode, Chess, Move, position_name, uci};
use crate::cli::check::setting;
use crate::cli::engine_setup::SetupArguments;
use crate::cli::exit::{CommandResult, Exit, Failure};
use crate::cli::print::{self, count};
use crate::uci::process::Budget;

/// The judge's budget where none is given.
const DEFAULT_NODES: u64 = 100_000;
const DEFAULT_DEPTH: u32 = 4;
const FALLIBLE: &str = "builtin:fallible";

/// Make the opening book of one player from games. Every move is searched by an engine; those that
/// break the rule are left out and listed.
#[derive(Debug, Args)]
pub(in crate::cli) struct BookArguments {
    /// PGN files, plain, gzip or zstd.
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// The player's name as the PGN writes it, case aside.
    #[arg(long, value_name = "NAME")]
    player: String,
    /// How often a position must have been reached.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    min_visits: u32,
    /// How often a move must have been played there.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    min_plays: u32,
    /// How far the book goes, in plies from the initial position.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..))]
    plies: u16,
    /// Of the games with White, use only those that began with this move (`d4` or `d2d4`).
    #[arg(long, value_name = "MOVE")]
    white_first: Option<String>,
    /// The engine that grades the moves: a path with a slash, a name on PATH, or builtin:NAME.
    #[arg(long, value_name = "ENGINE", default_value = FALLIBLE)]
    contract: String,
    /// A setting of that engine (may be repeated).
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setting)]
    options: Vec<(String, String)>,
    #[command(flatten)]
    setup: SetupArguments,
    /// Its nodes for each search (100000 where nothing is said, except for builtin:fallible).
    #[arg(long, value_name = "N", conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Its depth for each search (4 for builtin:fallible where nothing is said).
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// The rule: a move that loses more centipawns than this is left out.
    #[arg(long, value_name = "CP", default_value_t = 300)]
    rule: u32,
    /// Where the book is written; stdout when absent.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

struct LeftOut {
    position: Chess,
    m: Move,
    plays: u32,
    breach: String,
}

/// Runs the command.
pub(in crate::cli) fn run(arguments: &BookArguments) -> CommandResult {
    let usage = |reason: String| {
        Failure::new(Exit::Usage, anyhow!("--white-first: {reason}\nhint: White's first move, such as d4"))
    };
    let white_first = arguments.white_first.as_deref().map(games::first_move).transpose().map_err(usage)?;
    let plies = usize::from(arguments.plies);
    let games = games::read(&arguments.games, &arguments.player, plies, white_first)?;
    let frequent = games.repertoire.frequent(arguments.min_visits, arguments.min_plays);
    if frequent.is_empty() {
        let error = anyhow!(
            "no position was reached {} and no move played there {} in {} of `{}`\n\
             hint: lower --min-visits and --min-plays, or give more games",
            times(arguments.min_visits),
            times(arguments.min_plays),
            count(games.as_white + games.as_black, "game"),
            arguments.player
        );
        return Err(Failure::new(Exit::Inconclusive, error));
    }
    let budget = budget(arguments);
    let contract =
        Contract::start(&arguments.contract, &arguments.setup, &arguments.options, budget, arguments.rule)?;
    let (book, left_out) = grade(&frequent, &contract)?;
    let judge = format!("{}, {budget}", contract.judge_name());
    let remarks = remarks(arguments, &games, &book, &left_out, &judge);
    for one in &left_out {
        print::warning(&format!("left out: {}", one.line()));
    }
    let text = book.text(&remarks);
    match &arguments.out {
        None => print::data(text.as_bytes())?,
        Some(path) => fs::write(path, &text).map_err(|error| {
            let error = anyhow!("{}: cannot be written: {error}\nhint: name another --out", path.display());
            Failure::new(Exit::Internal, error)
        })?,
    }
    print::note(&summary(&book, &left_out));
    Ok(Exit::Ok)
}

fn budget(arguments: &BookArguments) -> Budget {
    let is_fallible = arguments.contract == FALLIBLE;
    match (arguments.nodes, arguments.depth) {
        (Some(nodes), _) => Budget::Nodes(nodes),
        (None, Some(depth)) => Budget::Depth(depth),
        (None, None) if is_fallible => Budget::Depth(DEFAULT_DEPTH),
        (None, None) => Budget::Nodes(DEFAULT_NODES),
    }
}

fn grade(
    frequent: &[(Chess, Vec<(Move, u32)>)],
    contract: &Contract,
) -> Result<(Book, Vec<LeftOut>), Failure> {
    let (mut book, mut left_out) = (Book::default(), Vec::new());
    let plays: Vec<(&Chess, Move, u32)> = frequent
        .iter()
        .flat_map(|(position, plays)| plays.iter().map(move |(m, plays)| (position, *m, *plays)))
        .collect();
    let moves: Vec<(&Chess, Move)> = plays.iter().map(|(position, m, _)| (*position, *m)).collect();
    for ((position, m, plays), breach) in plays.into_iter().zip(contract.breaches(&moves)?) {
        match breach {
            None => {
                book.insert(position, m, plays);
            }
            Some(breach) => left_out.push(LeftOut { position: position.clone(), m, plays, breach }),
        }
    }
    Ok((book, left_out))
}

impl LeftOut {
    fn line(&self) -> String {
        let m = uci(self.m, CastlingMode::Standard);
        format!("{} | {m} {} | {}", position_name(&self.position), self.plays, self.breach)
    }
}

/// What the book was made from, and what is not in it.
fn remarks(
    arguments: &BookArguments,
    games: &PlayersGames,
    book: &Book,
    left_out: &[LeftOut],
    judge: &str,
) -> Vec<String> {
    let first = arguments.white_first.as_deref().map(|m| format!(", White begun {m}")).unwrap_or_default();
    let mut remarks = vec![
        format!("player {}", arguments.player.trim()),
        format!("games {} with White, {} with Black{first}", games.as_white, games.as_black),
        format!(
            "visits {} or more, plays {} or more, plies {}",
            arguments.min_visits, arguments.min_plays, arguments.plies
        ),
        format!("contract {judge}, rule {}", arguments.rule),
        summary(book, left_out),
    ];
    remarks.extend(left_out.iter().map(|one| format!("left out {}", one.line())));
    remarks
}

fn summary(book: &Book, left_out: &[LeftOut]) -> String {
    format!(
        "{}, {}, {} left out",
        count(book.position_count() as u64, "position"),
        count(book.move_count() as u64, "move"),
        count(left_out.len() as u64, "move")
    )
}

fn times(number: u32) -> String {
    if number == 1 { "once".to_owned() } else { format!("{number} times") }
}
