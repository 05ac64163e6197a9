//! Games of a run as PGN and CSV, in plan order, whatever finished first.
//!
//! Where nodes or depth bound every search, nothing here depends on a clock: the same games are the
//! same bytes. Pairs that were left out stay in the journal and are not written.

use std::io::{self, Write};

use super::journal::{GameLine, GameReader};
use super::plan::{Plan, PlannedGame};
use super::results::RunResults;
use crate::arena::{GameFault, Limits, PlyRecord, SideName, Termination};
use crate::chess::pgn::{PgnGame, PgnMove, write_pgn as write_game};
use crate::chess::{Bound, Game, StartPosition, parse_engine_move};

/// Writes the counted games as PGN.
///
/// # Errors
/// The system's word, or a move in the journal that is not legal.
pub fn write_pgn(
    output: &mut impl Write,
    results: &RunResults<'_>,
    games: &mut GameReader,
) -> io::Result<()> {
    each_game(results, games, |number, game, line| add_pgn(output, results.plan(), number, game, line))
}

/// The counted games as [`write_pgn`] and as [`write_csv`] write them, each game read once.
///
/// # Errors
/// The system's word, or a move in the journal that is not legal.
pub fn pgn_and_csv(results: &RunResults<'_>, games: &mut GameReader) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let (mut pgn, mut csv) = (Vec::new(), CsvGames::new(Vec::new(), results.plan())?);
    each_game(results, games, |number, game, line| {
        add_pgn(&mut pgn, results.plan(), number, game, line)?;
        csv.add(number, game, line)
    })?;
    Ok((pgn, csv.rows.into_inner().map_err(|error| error.into_error())?))
}

/// Reads the counted games one by one.
fn each_game(
    results: &RunResults<'_>,
    games: &mut GameReader,
    mut take: impl FnMut(usize, &PlannedGame, &GameLine) -> io::Result<()>,
) -> io::Result<()> {
    results
        .counted()
        .try_for_each(|(number, game, result)| take(number, game, &games.read(number, result.place)?))
}

fn add_pgn(
    output: &mut impl Write,
    plan: &Plan,
    number: usize,
    game: &PlannedGame,
    line: &GameLine,
) -> io::Result<()> {
    let pgn = pgn_game(plan, number, game, line)
        .map_err(|reason| io::Error::new(io::ErrorKind::InvalidData, reason))?;
    write_game(output, &pgn)
}

fn pgn_game(plan: &Plan, number: usize, game: &PlannedGame, line: &GameLine) -> Result<PgnGame, String> {
    let opening = plan.opening_of(game);
    let start = StartPosition::from_fen(&opening.fen).map_err(|error| error.to_string())?;
    let mut board = Game::new(start.clone());
    let mut moves = Vec::with_capacity(opening.moves.len() + line.record.plies.len());
    let book = opening.moves.iter().map(|text| (text, None));
    for (text, ply) in book.chain(line.record.plies.iter().map(|ply| (&ply.m, Some(ply)))) {
        let (m, _) = parse_engine_move(board.position(), text)
            .map_err(|error| format!("game {number}: move `{text}` is {error}"))?;
        let comment = ply.map(|ply| {
            let said = plan.engine_of(game, board.turn().into()).said(ply);
            comment(ply, said.as_deref(), plan.is_timed())
        });
        board.play(m);
        moves.push(PgnMove { m, comment });
    }
    let result = Some(line.record.outcome);
    let end_comment = Some(end_comment(line));
    Ok(PgnGame { tags: tags(plan, game, line, moves.len()), start, moves, result, end_comment })
}

fn tags(plan: &Plan, game: &PlannedGame, line: &GameLine, plies: usize) -> Vec<(String, String)> {
    let [white, black] = plan.names(game);
    let opening = plan.opening_of(game);
    let same_pair_first = game.subject == SideName::White;
    let mut tags = vec![
        ("Event", plan.name.clone()),
        ("Site", "?".to_owned()),
        ("Date", date(plan, line)),
        ("Round", format!("{}.{}", game.pair + 1, if same_pair_first { 1 } else { 2 })),
        ("White", white.to_owned()),
        ("Black", black.to_owned()),
        ("Result", line.record.outcome.as_pgn().to_owned()),
    ];
    if let Some(level) = plan.rung_of(game).level {
        let side = if game.subject == SideName::White { "BlackElo" } else { "WhiteElo" };
        tags.push((side, level.to_string()));
    }
    if let Some(eco) = &opening.eco {
        tags.push(("ECO", eco.clone()));
    }
    if let Some(name) = &opening.name {
        tags.push(("Opening", name.clone()));
    }
    tags.push(("PlyCount", plies.to_string()));
    tags.push(("Termination", pgn_termination(line.record.termination).to_owned()));
    let (subject, opponent) = (&plan.subject.limits, &plan.opponent.limits);
    let [white, black] = match game.subject {
        SideName::White => [subject, opponent],
        SideName::Black => [opponent, subject],
    };
    let (white_control, black_control) = (time_control(white), time_control(black));
    if white_control == black_control {
        tags.push(("TimeControl", white_control));
    } else {
        tags.push(("WhiteTimeControl", white_control));
        tags.push(("BlackTimeControl", black_control));
    }
    for (side, limits) in [("WhiteLimits", white), ("BlackLimits", black)] {
        tags.push((side, limits.to_string()));
    }
    tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn date(plan: &Plan, line: &GameLine) -> String {
    if plan.is_timed() {
        let began = jiff::Timestamp::from_second(line.record.started_at).unwrap_or_default();
        began.strftime("%Y.%m.%d").to_string()
    } else {
        plan.date.as_ref().map_or_else(|| "????.??.??".to_owned(), |date| date.replace('-', "."))
    }
}

/// The standard's own words for how a game ended.
fn pgn_termination(termination: Termination) -> &'static str {
    match termination {
        Termination::Rules(_) => "normal",
        Termination::Adjudicated(_) => "adjudication",
        Termination::Fault(GameFault::TimeLoss) => "time forfeit",
        Termination::Fault(GameFault::IllegalMove | GameFault::NoMove) => "rules infraction",
        Termination::Fault(GameFault::Hang | GameFault::Crash | GameFault::StartFailure) => "abandoned",
    }
}

/// The standard's field: seconds, or `-` without a clock. It has no form for a time per move.
fn time_control(limits: &Limits) -> String {
    limits.tc.map_or_else(|| "-".to_owned(), |tc| tc.to_string())
}

/// `+0.34/12 0.123s n=25013`: score from the mover, depth, time where it counts, nodes. A bound is
/// marked `>` or `<`. What the engine said follows in quotes.
fn comment(ply: &PlyRecord, said: Option<&str>, timed: bool) -> String {
    let mut parts = Vec::new();
    if let Some(score) = ply.score_stm {
        let bound = match ply.bound {
            Bound::Exact => "",
            Bound::Lower => ">",
            Bound::Upper => "<",
        };
        let depth = ply.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
        parts.push(format!("{bound}{score}{depth}"));
    }
    if timed {
        let ms = ply.time_us.div_ceil(1_000);
        parts.push(format!("{}.{:03}s", ms / 1_000, ms % 1_000));
    }
    if let Some(nodes) = ply.nodes {
        parts.push(format!("n={nodes}"));
    }
    if let Some(said) = said {
        parts.push(format!("\"{said}\""));
    }
    parts.join(" ")
}

/// How the game ended, in words; an illegal move is named here, since it cannot be written as one.
fn end_comment(line: &GameLine) -> String {
    match (&line.record.fault, line.record.termination) {
        (Some(fault), Termination::Fault(GameFault::IllegalMove | GameFault::NoMove)) => {
            format!("{} by {}: {}", fault.cause, fault.side, fault.detail)
        }
        (Some(fault), _) => format!("{} by {}", fault.cause, fault.side),
        (None, termination) => termination.to_string(),
    }
}

/// Writes the counted games as CSV, one row each.
///
/// # Errors
/// The system's word.
pub fn write_csv(
    output: &mut impl Write,
    results: &RunResults<'_>,
    games: &mut GameReader,
) -> io::Result<()> {
    let mut csv = CsvGames::new(output, results.plan())?;
    each_game(results, games, |number, game, line| csv.add(number, game, line))?;
    csv.rows.flush()
}

/// A table of games that grows.
struct CsvGames<'p, W: Write> {
    plan: &'p Plan,
    rows: csv::Writer<W>,
}

impl<'p, W: Write> CsvGames<'p, W> {
    fn new(output: W, plan: &'p Plan) -> io::Result<Self> {
        let mut rows = csv::Writer::from_writer(output);
        rows.write_record([
            "game",
            "pair",
            "level",
            "opponent",
            "opening",
            "eco",
            "subject_color",
            "outcome",
            "subject_score",
            "termination",
            "fault_side",
            "plies",
            "duration_ms",
        ])?;
        Ok(Self { plan, rows })
    }

    fn add(&mut self, number: usize, game: &PlannedGame, line: &GameLine) -> io::Result<()> {
        let (rung, opening) = (self.plan.rung_of(game), self.plan.opening_of(game));
        let record = &line.record;
        let duration = if self.plan.is_timed() { record.duration_ms.to_string() } else { String::new() };
        let fault_side = match &record.fault {
            Some(fault) if fault.side == game.subject => "subject",
            Some(_) => "opponent",
            None => "",
        };
        let half_points = record.outcome.half_points(game.subject.into());
        self.rows.write_record([
            number.to_string(),
            game.pair.to_string(),
            rung.level.map(|level| level.to_string()).unwrap_or_default(),
            rung.name.clone(),
            opening.name.clone().unwrap_or_default(),
            opening.eco.clone().unwrap_or_default(),
            game.subject.to_string(),
            record.outcome.as_pgn().to_owned(),
            ["0", "0.5", "1"].get(usize::from(half_points)).copied().unwrap_or_default().to_owned(),
            record.termination.key(),
            fault_side.to_owned(),
            record.plies.len().to_string(),
            duration,
        ])?;
        Ok(())
    }
}
