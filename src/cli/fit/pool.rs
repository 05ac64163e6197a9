//! The joint fit of several players, printed.

use std::io;
use std::thread::available_parallelism;

use serde_json::json;

use super::super::exit::{CommandResult, Exit, Failure};
use super::super::format::DataFormat;
use super::super::print::{self, count, decimals};
use super::words::{limit_words, pair_words, probability, unused_words};
use crate::ladder::input::{Inputs, Pool};
use crate::rating::{
    Anchor, ColourModel, PlayerAbsence, PlayerEstimate, PlayerInterval, PoolFit, PoolRemark, PoolReplicates,
    PoolScale, ReplicateMethod, WhiteAdvantage, fit_pool, replicate_pool,
};
use crate::report::{Column, Table, TableFormat};

/// Version of the JSON of a pool.
const FORMAT_VERSION: u32 = 1;
/// Players whose differences still fit on a screen.
const MOST_COMPARED: usize = 12;

/// Fits and prints. `subjects` are rated whatever levels the input gives them.
/// `draws`: how many replicates, and their seed.
pub(super) fn run(
    inputs: &Inputs,
    subjects: &[String],
    format: DataFormat,
    draws: Option<(u32, u64)>,
) -> CommandResult {
    let pool = inputs.pool(subjects).map_err(|error| Failure::new(Exit::BadInput, error))?;
    let anchors: Vec<Anchor> = pool
        .players
        .iter()
        .map(|player| match player.level {
            None => Anchor::Unknown,
            Some(level) => match level.sigma.filter(|sigma| *sigma > 0.0) {
                None => Anchor::Fixed { elo: level.elo },
                Some(sigma) => Anchor::Uncertain { elo: level.elo, sigma },
            },
        })
        .collect();
    if !anchors.is_empty() && anchors.iter().all(|anchor| matches!(anchor, Anchor::Fixed { .. })) {
        let error = anyhow::anyhow!(
            "{}: every player has a level, so there is no rating to fit\nhint: name whose rating to fit with \
             --subject, or give levels a sigma in a --levels table",
            pool.source
        );
        return Err(Failure::new(Exit::BadInput, error));
    }
    let fit = fit_pool(&anchors, &pool.meetings, ColourModel::WhereUnpaired)
        .map_err(|error| Failure::new(Exit::BadInput, error))?;
    let replicates = draws.and_then(|(count, seed)| {
        let threads = available_parallelism().map_or(1, usize::from);
        replicate_pool(&fit, ReplicateMethod::Bootstrap, count, seed, threads)
    });
    let mut bytes = Vec::new();
    write(&mut bytes, &pool, &fit, replicates.as_ref(), format)
        .map_err(|error| Failure::new(Exit::Internal, error))?;
    print::data(&bytes)?;
    let found = |estimate| matches!(estimate, PlayerEstimate::Interval(_));
    Ok(if fit.players.iter().any(|player| found(player.estimate)) { Exit::Ok } else { Exit::Inconclusive })
}

fn write(
    output: &mut Vec<u8>,
    pool: &Pool,
    fit: &PoolFit,
    replicates: Option<&PoolReplicates>,
    format: DataFormat,
) -> io::Result<()> {
    let mut table = player_table(pool, fit);
    table.caption = format!(
        "{} of {}, {}: joint fit on the expected score, 95 % intervals from opening pairs (t).",
        count(fit.players.len() as u64, "player"),
        pool.source,
        count(fit.games, "game"),
    );
    let differences = (order(fit).len() <= MOST_COMPARED).then(|| difference_table(pool, fit));
    let Some(form) = format.table() else { return write_json(output, pool, fit, replicates) };
    if form == TableFormat::Text {
        output.extend_from_slice(format!("from {}\n\n", pool.source).as_bytes());
    }
    table.write(output, form)?;
    if form == TableFormat::Csv {
        return Ok(());
    }
    if let Some(replicates) = replicates {
        output.push(b'\n');
        replicate_table(pool, replicates).write(output, form)?;
    }
    if let Some(table) = differences.filter(|table| !table.rows.is_empty()) {
        output.push(b'\n');
        table.write(output, form)?;
    }
    if form == TableFormat::Text {
        output.push(b'\n');
        for line in words(pool, fit) {
            output.extend_from_slice(print::printable(&line).as_bytes());
            output.push(b'\n');
        }
    }
    Ok(())
}

/// Rated players, the best first; then those without a rating.
fn order(fit: &PoolFit) -> Vec<usize> {
    let rating = |place: usize| match fit.players[place].estimate {
        PlayerEstimate::Interval(interval) => Some(interval.rating),
        PlayerEstimate::Fixed { elo } => Some(elo),
        PlayerEstimate::Absent(_) => None,
    };
    let mut places: Vec<usize> = (0..fit.players.len()).collect();
    places.sort_by(|a, b| {
        let key = |place| rating(place).unwrap_or(f64::NEG_INFINITY);
        key(*b).total_cmp(&key(*a)).then(a.cmp(b))
    });
    places
}

fn player_table(pool: &Pool, fit: &PoolFit) -> Table {
    let mut table = Table::new(vec![
        Column::words("player"),
        Column::numbers("R"),
        Column::numbers("95 %"),
        Column::numbers("SE"),
        Column::numbers("games"),
        Column::numbers("W"),
        Column::numbers("D"),
        Column::numbers("L"),
        Column::numbers("score %"),
        Column::numbers("opponents"),
    ]);
    for place in order(fit) {
        let player = &fit.players[place];
        let [rating, interval, error] = match player.estimate {
            PlayerEstimate::Interval(PlayerInterval { rating, low, high, standard_error, .. }) => {
                let places = decimals(low, high, 0);
                [
                    format!("{rating:.places$}"),
                    format!("[{low:.places$}, {high:.places$}]"),
                    format!("{standard_error:.*}", places + 1),
                ]
            }
            PlayerEstimate::Fixed { elo } => [elo.to_string(), "given".to_owned(), String::new()],
            PlayerEstimate::Absent(absence) => [String::new(), absence_cell(absence), String::new()],
        };
        table.rows.push(vec![
            pool.players[player.player].name.clone(),
            rating,
            interval,
            error,
            player.games.to_string(),
            player.wins.to_string(),
            player.draws.to_string(),
            player.losses.to_string(),
            player.score.map(|score| format!("{:.1}", 100.0 * score)).unwrap_or_default(),
            player.opponents.to_string(),
        ]);
    }
    table
}

fn absence_cell(absence: PlayerAbsence) -> String {
    match absence {
        PlayerAbsence::NoGames => "no games".to_owned(),
        PlayerAbsence::AllWon { bound } => format!(">= {:.0}, all won", bound.elo),
        PlayerAbsence::AllLost { bound } => format!("<= {:.0}, all lost", bound.elo),
        PlayerAbsence::OtherGroup { group } => format!("not comparable: group {}", group + 1),
        PlayerAbsence::NotEnoughData => "not enough data".to_owned(),
        PlayerAbsence::TooWide { half_width } => format!("not enough data (+/- {half_width:.0})"),
    }
}

/// Who is ahead of whom: difference, error, likelihood of superiority; neighbours in rating first.
fn difference_table(pool: &Pool, fit: &PoolFit) -> Table {
    let mut table = Table::new(vec![
        Column::words("player"),
        Column::words("ahead of"),
        Column::numbers("by Elo"),
        Column::numbers("SE"),
        Column::numbers("LOS %"),
    ]);
    table.caption =
        "Differences of the same fit with their standard errors; LOS is the probability that the first is \
                     the stronger one."
            .to_owned();
    let order = order(fit);
    for (rank, first) in order.iter().enumerate() {
        for second in order.iter().skip(rank + 1) {
            let Some(found) = fit.difference(*first, *second) else { continue };
            table.rows.push(vec![
                pool.players[*first].name.clone(),
                pool.players[*second].name.clone(),
                format!("{:.0}", found.elo),
                format!("{:.1}", found.standard_error),
                format!("{:.1}", 100.0 * found.los),
            ]);
        }
    }
    table
}

/// The same players with the error that replicates give.
fn replicate_table(pool: &Pool, replicates: &PoolReplicates) -> Table {
    let mut table = Table::new(vec![
        Column::words(format!("{} bootstrap replicates", replicates.drawn)),
        Column::numbers("mean"),
        Column::numbers("95 %"),
        Column::numbers("SE"),
    ]);
    table.caption = format!(
        "Seed {}; {} without a fit, because somebody won or lost everything, left out.",
        replicates.seed, replicates.separated
    );
    for player in &replicates.players {
        let places = decimals(player.low, player.high, 0);
        table.rows.push(vec![
            pool.players[player.player].name.clone(),
            format!("{:.places$}", player.mean),
            format!("[{:.places$}, {:.places$}]", player.low, player.high),
            format!("{:.*}", places + 1, player.standard_deviation),
        ]);
    }
    table
}

fn words(pool: &Pool, fit: &PoolFit) -> Vec<String> {
    let mut lines = Vec::new();
    lines.push(match fit.scale {
        PoolScale::Anchored => "scale: held by the players whose level is given".to_owned(),
        PoolScale::MeanZero => "scale: no level given, the mean of the rated players is 0".to_owned(),
        PoolScale::Nobody => "no estimate: nobody can be rated from these games".to_owned(),
    });
    match fit.white_advantage {
        WhiteAdvantage::Estimated { elo, low, high, .. } => {
            let places = decimals(low, high, 0);
            lines.push(format!("White's side: {elo:.places$} Elo, 95 % [{low:.places$}, {high:.places$}]"));
        }
        WhiteAdvantage::Given { elo } => lines.push(format!("White's side: {elo:.0} Elo, given")),
        WhiteAdvantage::NotFitted => {}
        WhiteAdvantage::NotDetermined => {
            lines.push("White's side: cannot be told from the players' strengths".to_owned());
        }
    }
    if let Some(misfit) = fit.misfit {
        lines.push(format!(
            "misfit: X2 {:.1} on {} degrees of freedom, p {}",
            misfit.statistic,
            misfit.degrees_of_freedom,
            probability(misfit.p_value)
        ));
    }
    let name = |place: usize| pool.players[place].name.as_str();
    if fit.groups.len() > 1 {
        for (number, group) in fit.groups.iter().enumerate() {
            let names: Vec<&str> = group.players.iter().map(|place| name(*place)).collect();
            lines.push(format!("group {}: {}", number + 1, names.join(", ")));
        }
        for found in &fit.separations {
            lines.push(format!(
                "group {} won all {} against group {}",
                found.ahead + 1,
                count(found.games, "game"),
                found.behind + 1
            ));
        }
    }
    lines.extend(fit.remarks.iter().map(remark_text));
    if pool.copied_games > 0 {
        lines.push(format!(
            "warning: {} repeat an earlier game move for move; copies count as one observation",
            count(pool.copied_games, "game")
        ));
    }
    lines.push(
        "note: no player is in every game, or a pool was asked for; --subject NAME fits one player's ladder"
            .to_owned(),
    );
    lines.extend(pair_words(&pool.pairs));
    lines.extend(limit_words(&pool.limits_used));
    lines.extend(pool.notices.iter().map(|notice| format!("{}: {notice}", notice.severity())));
    lines.extend(unused_words(&pool.unused));
    lines
}

fn remark_text(remark: &PoolRemark) -> String {
    match remark {
        PoolRemark::GamesAsUnits => "note: games as units: pairs unknown".to_owned(),
        PoolRemark::SingleGames { games } => {
            format!("note: {} without a pair, each taken as independent", count(*games, "game"))
        }
        PoolRemark::Copies { units } => {
            format!("note: {} of copies, each counted once", count(*units, "observation"))
        }
        PoolRemark::NotConnected { groups } => {
            format!("warning: the games do not compare {groups} groups of players with each other")
        }
        PoolRemark::NoVariance => {
            "note: no variance: all observations scored alike; the curve's own variance is used".to_owned()
        }
        PoolRemark::MeetingsDisagree { p_value } => format!(
            "warning: the meetings contradict one another (p {}); the intervals do not hold that",
            probability(*p_value)
        ),
        PoolRemark::WhiteNotDetermined => {
            "note: White's advantage cannot be told from the players' strengths and is left out".to_owned()
        }
    }
}

fn write_json(
    output: &mut Vec<u8>,
    pool: &Pool,
    fit: &PoolFit,
    replicates: Option<&PoolReplicates>,
) -> io::Result<()> {
    let document = json!({
        "format_version": FORMAT_VERSION,
        "source": pool.source,
        "players": pool.players,
        "pairs": pool.pairs,
        "copied_games": pool.copied_games,
        "limits_used": pool.limits_used,
        "notices": pool.notices,
        "unused": pool.unused,
        "pool": fit,
        "replicates": replicates,
        "differences": fit.differences(),
    });
    serde_json::to_writer_pretty(&mut *output, &document)?;
    output.push(b'\n');
    Ok(())
}
