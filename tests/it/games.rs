//! Whole games through `arena::play_all`, with mock engines at the board.

use std::io;
use std::path::Path;

use elometer::arena::{
    Finished, GameFault, GameRecord, GameSetup, History, Job, Limits, Player, PoolError, SideName, Stop,
    Termination, Waits, play_all,
};
use elometer::chess::{
    Adjudication, AdjudicationRules, DrawRule, Ending, Game, Outcome, Position as _, ResignRule,
    StartPosition, fen, parse_engine_move,
};
use elometer::uci::process::{Deadlines, Launch};

use super::support::{lines_of, mock_launch, processes, wait_for};

pub(super) const MATE: &str = "f2f3 e7e5 g2g4 d8h4";
pub(super) const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";

/// A start and the moves from there, as UCI text; no FEN is the usual start.
pub(super) fn setup(fen: &str, moves: &str) -> GameSetup {
    let start =
        if fen.is_empty() { StartPosition::standard() } else { StartPosition::from_fen(fen).unwrap() };
    let mut game = Game::new(start.clone());
    for text in moves.split_whitespace() {
        game.play(parse_engine_move(game.position(), text).unwrap().0);
    }
    GameSetup { start, opening: game.moves().to_vec(), adjudication: AdjudicationRules::default() }
}

pub(super) fn longest(plies: u32) -> AdjudicationRules {
    AdjudicationRules { max_plies: Some(plies), ..AdjudicationRules::default() }
}

fn nodes() -> Limits {
    Limits { nodes: Some(10), ..Limits::default() }
}

fn clock(control: &str) -> Limits {
    Limits { tc: Some(control.parse().unwrap()), ..Limits::default() }
}

fn player(program: usize) -> Player {
    Player {
        program,
        settings: Vec::new(),
        limits: nodes(),
        history: History::Game,
        trusted: true,
        words: None,
        restart: false,
    }
}

/// Program 0 against program 1.
pub(super) fn job(id: usize, setup: GameSetup) -> Job<usize> {
    Job { id, players: [player(0), player(1)], setup }
}

/// Deadlines short enough for those that a test lets pass.
fn hasty(arguments: &[&str]) -> Launch {
    let deadlines = Deadlines { search_ms: Some(200), stop_ms: 200, quit_ms: 100, ..Deadlines::default() };
    Launch { deadlines, ..mock_launch(arguments) }
}

/// All games, in the order of their numbers.
pub(super) fn play(programs: &[Launch], jobs: Vec<Job<usize>>, workers: usize) -> Vec<GameRecord> {
    let mut games = Vec::new();
    play_all(programs, jobs, workers, &Stop::default(), |Finished { job, record }| {
        games.push((job.id, record));
        Ok(None)
    })
    .unwrap();
    games.sort_by_key(|(id, _)| *id);
    games.into_iter().map(|(_, record)| record).collect()
}

/// One game between two mocks.
pub(super) fn one(white: &[&str], black: &[&str], setup: GameSetup) -> GameRecord {
    play(&[mock_launch(white), mock_launch(black)], vec![job(0, setup)], 1).remove(0)
}

/// A game in which both follow the same moves.
pub(super) fn planned(moves: &str, fen: &str) -> (Termination, Outcome, usize) {
    let plan = ["--play", moves];
    let record = one(&plan, &plan, setup(fen, ""));
    (record.termination, record.outcome, record.plies.len())
}

/// The game of a sound white against this black, which must lose by a fault.
fn fault_of(black: Launch, limits: Limits) -> GameRecord {
    let mut game = job(0, setup("", ""));
    game.players[1].limits = limits;
    let record = play(&[mock_launch(&[]), black], vec![game], 1).remove(0);
    let report = record.fault.as_ref().unwrap();
    assert_eq!((report.side, record.outcome), (SideName::Black, Outcome::White));
    assert_eq!(record.termination, Termination::Fault(report.cause));
    record
}

pub(super) fn cause_and_detail(record: &GameRecord) -> (GameFault, &str) {
    let report = record.fault.as_ref().unwrap();
    (report.cause, &report.detail)
}

fn count(lines: &[String], command: &str) -> usize {
    lines.iter().filter(|line| *line == command).count()
}

pub(super) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn the_rules_end_games() {
    let rules = |ending| Termination::Rules(ending);
    assert_eq!(planned(MATE, ""), (rules(Ending::Checkmate), Outcome::Black, 4));
    assert_eq!(planned(SHUFFLE, ""), (rules(Ending::ThreefoldRepetition), Outcome::Draw, 8));
    for (fen, moves, ending) in [
        ("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "c1c7", Ending::Stalemate),
        ("k7/8/8/8/8/8/8/K6R w - - 99 80", "h1h2", Ending::FiftyMoves),
        ("k7/8/8/8/8/8/8/Kr6 w - - 0 1", "a1b1", Ending::InsufficientMaterial),
    ] {
        assert_eq!(planned(moves, fen), (rules(ending), Outcome::Draw, 1), "{fen}");
    }
}

#[test]
fn a_mate_on_the_hundredth_ply_is_a_mate() {
    let mate = planned("h1h8", "k7/8/1K6/8/8/8/8/7R w - - 99 80");
    assert_eq!(mate, (Termination::Rules(Ending::Checkmate), Outcome::White, 1));
}

#[test]
fn an_opening_that_is_already_over_is_a_game_without_moves() {
    let record = one(&[], &[], setup("", MATE));
    assert_eq!((record.termination, record.outcome), (Termination::Rules(Ending::Checkmate), Outcome::Black));
    assert_eq!((record.plies.len(), record.fault), (0, None));
    // Fifty moves come before material.
    let record = one(&[], &[], setup("k7/8/8/8/8/8/8/K7 w - - 100 80", ""));
    assert_eq!((record.termination, record.outcome), (Termination::Rules(Ending::FiftyMoves), Outcome::Draw));
}

#[test]
fn scores_end_games_where_the_rules_of_the_match_say_so() {
    let game = |white: &str, black: &str, adjudication: AdjudicationRules, trusted: bool| {
        let mut game = job(0, GameSetup { adjudication, ..setup("", "") });
        game.players[1].trusted = trusted;
        let launch = |score| mock_launch(&["--play", SHUFFLE, "--score", score]);
        let record = play(&[launch(white), launch(black)], vec![game], 1).remove(0);
        (record.termination, record.outcome, record.plies.len())
    };
    let resign = || AdjudicationRules {
        resign: Some(ResignRule { moves: 2, score_cp: 500 }),
        ..AdjudicationRules::default()
    };
    let resignation = Termination::Adjudicated(Adjudication::Resignation);
    assert_eq!(game("cp:900", "mate:-3", resign(), true), (resignation, Outcome::White, 4));
    assert_eq!(game("cp:-900", "cp:900", resign(), true), (resignation, Outcome::Black, 4));
    // A witness whose word does not count cannot give its game away.
    let drawn = (Termination::Rules(Ending::ThreefoldRepetition), Outcome::Draw, 8);
    assert_eq!(game("cp:900", "mate:-3", resign(), false), drawn);
    assert_eq!(game("cp:900", "cp:900", resign(), true), drawn);
    let draw = AdjudicationRules {
        draw: Some(DrawRule { from_move: 1, moves: 3, score_cp: 10 }),
        ..AdjudicationRules::default()
    };
    let agreed = (Termination::Adjudicated(Adjudication::DrawAgreed), Outcome::Draw, 6);
    assert_eq!(game("cp:10", "cp:-10", draw, true), agreed);
    let longest = (Termination::Adjudicated(Adjudication::MaximumLength), Outcome::Draw, 5);
    assert_eq!(game("cp:0", "cp:0", self::longest(5), true), longest);
}

#[test]
fn no_move_while_there_are_moves_is_a_loss_with_the_word_in_its_report() {
    for (token, shown) in [("(none)", "`bestmove (none)`"), ("0000", "`bestmove 0000`"), ("", "`bestmove `")]
    {
        let black = mock_launch(&["--fault", &format!("token:{token}"), "--at-go", "2"]);
        let record = fault_of(black, nodes());
        let (cause, detail) = cause_and_detail(&record);
        assert_eq!((cause, record.plies.len()), (GameFault::NoMove, 3));
        assert!(detail.contains(shown), "{detail}");
    }
}

#[test]
fn an_illegal_move_is_told_with_its_position_and_the_last_lines() {
    let record = fault_of(mock_launch(&["--fault", "illegal"]), nodes());
    let (cause, detail) = cause_and_detail(&record);
    assert_eq!(cause, GameFault::IllegalMove);
    assert!(
        detail.contains("`a1h8` is not legal in this position") && detail.contains(" b KQkq "),
        "{detail}"
    );
    let report = record.fault.as_ref().unwrap();
    assert_eq!(report.transcript.last().unwrap(), "< bestmove a1h8");
    assert_eq!(record.plies.len(), 1);
}

#[test]
fn a_promotion_needs_its_letter_and_may_be_in_upper_case() {
    let fen = "8/P7/8/8/8/8/7k/K7 w - - 0 1";
    let record = one(&["--fault", "no-letter"], &[], setup(fen, ""));
    let (cause, detail) = cause_and_detail(&record);
    assert_eq!(cause, GameFault::IllegalMove);
    assert!(detail.contains("`a7a8` is promotion without its letter (q, r, b or n)"), "{detail}");
    let loud = ["--fault", "upper-case", "--play", "a7a8q"];
    let jobs = (0..2).map(|id| job(id, GameSetup { adjudication: longest(3), ..setup(fen, "") })).collect();
    let records = play(&[mock_launch(&loud), mock_launch(&[])], jobs, 1);
    assert_eq!(records[0].plies[0].m, "a7a8q");
    assert_eq!(records[0].quirks.white, ["moves in upper case"]);
    // Once for each engine, not for each move or game.
    assert_eq!((records[1].fault.as_ref(), &records[1].quirks.white), (None, &Vec::new()));
}

#[test]
fn a_hang_has_its_deadline_whatever_bounds_the_search() {
    let depth = Limits { depth: Some(3), ..Limits::default() };
    for limits in [nodes(), depth, clock("0.1"), Limits { movetime_ms: Some(100), ..Limits::default() }] {
        for fault in ["hang", "chatter"] {
            let record = fault_of(hasty(&["--fault", fault]), limits.clone());
            let (cause, detail) = cause_and_detail(&record);
            assert_eq!(cause, GameFault::Hang, "{limits}: {detail}");
            assert!(detail.ends_with("did not answer `stop` either"), "{limits}: {detail}");
        }
    }
}

#[test]
fn a_late_move_loses_on_time_and_one_that_never_comes_is_a_hang() {
    let limits = || Limits { margin_ms: Some(0), ..clock("0.1") };
    let late = hasty(&["--fault", "late"]);
    let late = Launch { deadlines: Deadlines { stop_ms: 60_000, ..late.deadlines.clone() }, ..late };
    for (black, expected) in
        [(late, GameFault::TimeLoss), (hasty(&["--fault", "ignore-stop"]), GameFault::Hang)]
    {
        let jobs = (0..2).map(|id| {
            let mut game = job(id, setup("", ""));
            game.players[1].limits = limits();
            game
        });
        let records = play(&[mock_launch(&[]), black], jobs.collect(), 1);
        for record in &records {
            let (cause, detail) = cause_and_detail(record);
            assert_eq!((cause, record.plies.len()), (expected, 1));
            assert!(detail.starts_with("no move after "), "{detail}");
        }
        assert_eq!(records.len(), 2);
    }
}

#[test]
fn a_crash_is_a_loss_and_the_next_game_starts() {
    let folder = tempfile::tempdir().unwrap();
    let (sound, crashing) = (folder.path().join("sound"), folder.path().join("crashing"));
    let programs = [
        mock_launch(&["--log", text(&sound)]),
        mock_launch(&["--fault", "crash", "--exit-code", "7", "--at-go", "2", "--log", text(&crashing)]),
    ];
    let records = play(&programs, (0..3).map(|id| job(id, setup("", ""))).collect(), 1);
    for record in &records {
        let (cause, detail) = cause_and_detail(record);
        assert_eq!((cause, record.plies.len()), (GameFault::Crash, 3));
        assert_eq!(detail, "ended during `go` with exit code 7");
        assert!(record.fault.as_ref().unwrap().transcript.iter().any(|line| line == "> go nodes 10"));
    }
    assert_eq!(records.len(), 3);
    // Only the one at fault is started anew.
    assert_eq!((count(&lines_of(&sound), "uci"), count(&lines_of(&crashing), "uci")), (1, 3));
}

#[test]
fn an_engine_that_ends_after_its_last_move_is_replaced_before_the_next_game() {
    let black = mock_launch(&["--play", MATE, "--fault", "exit-after-move", "--at-go", "2"]);
    let programs = [mock_launch(&["--play", MATE]), black];
    let records = play(&programs, (0..3).map(|id| job(id, setup("", ""))).collect(), 1);
    for record in &records {
        assert_eq!(record.termination, Termination::Rules(Ending::Checkmate));
    }
    assert_eq!(records[0].quirks.black, Vec::<String>::new());
    for record in &records[1..] {
        assert!(record.quirks.black[0].contains("exit code 3"), "{:?}", record.quirks);
    }
}

#[test]
fn what_does_not_start_is_told_from_what_does_not_get_ready() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let missing = Launch { program: "no/such/engine".into(), ..mock_launch(&[]) };
    let deadlines = Deadlines { ready_ms: 200, ..Deadlines::default() };
    let deaf = Launch { deadlines, ..mock_launch(&["--hang-on", "isready"]) };
    for (black, fault, reason) in [
        (missing, GameFault::StartFailure, "no/such/engine"),
        (deaf, GameFault::Hang, "no answer to `isready`"),
    ] {
        let _ = std::fs::remove_file(&log);
        let programs = [mock_launch(&["--log", text(&log)]), black];
        let records = play(&programs, (0..2).map(|id| job(id, setup("", ""))).collect(), 1);
        for record in &records {
            let (cause, detail) = cause_and_detail(record);
            assert_eq!((cause, record.plies.len()), (fault, 0));
            assert!(detail.contains(reason), "{detail}");
            assert_eq!(record.fault.as_ref().unwrap().side, SideName::Black);
        }
        // The other side was ready and stays so.
        assert_eq!((records.len(), count(&lines_of(&log), "uci")), (2, 1));
    }
}

#[test]
fn engines_get_the_start_and_all_moves() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let opening = "e2e4 e7e5";
    let record =
        one(&["--log", text(&log)], &[], GameSetup { adjudication: longest(6), ..setup("", opening) });
    let sent = lines_of(&log).into_iter().filter(|line| line.starts_with("position")).collect::<Vec<_>>();
    let moves: Vec<_> = record.plies.iter().map(|ply| ply.m.as_str()).collect();
    let position =
        |own_moves: usize| [&["position startpos moves", opening], &moves[..own_moves]].concat().join(" ");
    assert_eq!(sent, [position(0), position(2), position(4)]);
}

#[test]
fn an_engine_told_only_what_can_be_reversed_is_told_the_same_position_and_all_its_repetitions() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut game = job(0, GameSetup { adjudication: longest(200), ..setup("", "e2e4 e7e5 g1f3 b8c6") });
    game.players[0].history = History::Reversible;
    let record = play(&[mock_launch(&["--log", text(&log)]), mock_launch(&[])], vec![game], 1).pop().unwrap();
    let mut whole = Game::new(StartPosition::standard());
    let mut later = setup("", "e2e4 e7e5 g1f3 b8c6").opening;
    let mut told = Vec::new();
    for ply in 0..=record.plies.len() {
        later.drain(..).for_each(|m| whole.play(m));
        if ply % 2 == 0 && ply < record.plies.len() {
            told.push((fen(whole.position()), whole.position().halfmoves() as usize));
        }
        if let Some(ply) = record.plies.get(ply) {
            later.push(parse_engine_move(whole.position(), &ply.m).unwrap().0);
        }
    }
    let sent: Vec<_> = lines_of(&log).into_iter().filter(|line| line.starts_with("position")).collect();
    assert_eq!((sent.len(), told.len()), (100, 100));
    for (command, (position, reversible)) in sent.iter().zip(told) {
        let (start, moves) = command.split_once(" moves ").unwrap_or((command, ""));
        let start = start.strip_prefix("position fen ").unwrap_or_default();
        let replayed = setup(start, moves);
        let mut game = Game::new(replayed.start);
        replayed.opening.iter().for_each(|&m| game.play(m));
        assert_eq!(fen(game.position()), position, "{command}");
        assert_eq!(game.moves().len(), reversible, "{command}");
    }
}

#[test]
fn castling_is_written_as_the_start_wants_it() {
    for (fen, said, written) in [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "e1c1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1a1", "e1c1"),
        ("4k3/8/8/8/8/8/8/1R2K2R w HB - 0 1", "e1b1", "e1b1"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let record = one(
            &["--fault", &format!("line:bestmove {said}"), "--at-go", "1"],
            &["--log", text(&log)],
            GameSetup { adjudication: longest(2), ..setup(fen, "") },
        );
        assert_eq!((record.plies[0].m.as_str(), record.plies.len()), (written, 2), "{said}");
        let start = StartPosition::from_fen(fen).unwrap().fen();
        let sent = lines_of(&log);
        assert_eq!(count(&sent, &format!("position fen {start} moves {written}")), 1, "{sent:?}");
    }
}

/// What a player with this clock is sent: the `go` lines of white in a game of six plies.
fn go_lines(white: Limits, black: Limits) -> (Vec<String>, GameRecord) {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut game = job(0, GameSetup { adjudication: longest(6), ..setup("", "") });
    game.players[0].limits = white;
    game.players[1].limits = black;
    let programs = [mock_launch(&["--log", text(&log), "--think-ms", "5"]), mock_launch(&[])];
    let record = play(&programs, vec![game], 1).remove(0);
    assert_eq!(record.fault, None);
    (lines_of(&log).into_iter().filter(|line| line.starts_with("go")).collect(), record)
}

#[test]
fn both_clocks_are_told_to_an_engine_that_has_one() {
    let lenient = |control| Limits { margin_ms: Some(60_000), ..clock(control) };
    let (lines, record) = go_lines(lenient("0+5"), lenient("10"));
    // An increment alone is given once at the start, or nobody could move.
    assert_eq!(lines[0], "go wtime 5000 btime 10000 winc 5000 binc 0");
    let told: Vec<u64> =
        lines[1..].iter().map(|line| line.split(' ').nth(2).unwrap().parse().unwrap()).collect();
    assert_eq!(told, [record.plies[0].clock_ms.unwrap(), record.plies[2].clock_ms.unwrap()]);
    let (lines, _) = go_lines(lenient("10"), nodes());
    assert_eq!(lines[0], "go wtime 10000 winc 0");
    let (lines, _) = go_lines(nodes(), lenient("10"));
    assert_eq!(lines, ["go nodes 10"; 3]);
}

#[test]
fn the_moves_to_the_next_period_are_told() {
    let (lines, _) = go_lines(clock("2/10+1"), clock("10"));
    assert_eq!(lines[0], "go wtime 10000 btime 10000 winc 1000 binc 0 movestogo 2");
    let ends: Vec<_> = lines.iter().map(|line| line.rsplit_once(' ').unwrap().1).collect();
    assert_eq!(ends, ["2", "1", "2"]);
}

#[test]
fn a_clock_used_up_within_the_margin_is_told_as_one_millisecond() {
    let (lines, record) = go_lines(Limits { margin_ms: Some(60_000), ..clock("0.001") }, nodes());
    assert_eq!(lines, ["go wtime 1 winc 0"; 3]);
    assert_eq!(record.plies[0].clock_ms, Some(0));
}

/// Without what a clock on the wall decides, and what depends on which process played before.
fn timeless(records: Vec<GameRecord>) -> Vec<GameRecord> {
    let strip = |mut record: GameRecord| {
        (record.started_at, record.duration_ms, record.waits) = (0, 0, Waits::default());
        record.plies.iter_mut().for_each(|ply| ply.time_us = 0);
        record
    };
    records.into_iter().map(strip).collect()
}

#[test]
fn the_number_of_workers_changes_no_game() {
    let openings = ["", "e2e4", "d2d4", "c2c4", "g1f3", "e2e4 c7c5", "d2d4 d7d5", "b2b3"];
    let programs = [mock_launch(&["--seed", "1"]), mock_launch(&["--seed", "2"])];
    let games = |workers| {
        let setups = openings.iter().map(|moves| GameSetup { adjudication: longest(12), ..setup("", moves) });
        let jobs = setups.enumerate().map(|(id, setup)| {
            let mut game = job(id, setup);
            // Colours change, and some games have a process of their own.
            game.players[0].restart = id % 3 == 0;
            if id % 2 == 1 {
                game.players.swap(0, 1);
            }
            game
        });
        timeless(play(&programs, jobs.collect(), workers))
    };
    let alone = games(1);
    assert_eq!(alone.len(), openings.len());
    assert!(alone.iter().all(|record| record.plies.len() == 12));
    assert_eq!(games(2), alone);
    assert_eq!(games(4), alone);
}

#[test]
fn players_of_one_program_share_its_process() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let programs = [mock_launch(&[]), mock_launch(&["--elo", "1320:3190", "--log", text(&log)])];
    let jobs = ["1500", "2000", ""].iter().enumerate().map(|(id, level)| {
        let mut game = job(id, GameSetup { adjudication: longest(2), ..setup("", "") });
        if !level.is_empty() {
            game.players[1].settings = vec![("UCI_Elo".to_owned(), (*level).to_owned())];
        }
        game
    });
    play(&programs, jobs.collect(), 1);
    let lines = lines_of(&log);
    assert_eq!(count(&lines, "uci"), 1);
    let levels: Vec<_> =
        lines.iter().filter_map(|line| line.strip_prefix("setoption name UCI_Elo value ")).collect();
    assert_eq!(levels, ["1500", "2000", "1320"]);
}

#[test]
fn a_game_is_handed_over_before_its_engines_are_told_to_quit() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    for fault in ["illegal", "no-info"] {
        let _ = std::fs::remove_file(&log);
        let mut game = job(0, GameSetup { adjudication: longest(2), ..setup("", "") });
        game.players[1].restart = fault == "no-info";
        let programs = [mock_launch(&[]), mock_launch(&["--fault", fault, "--log", text(&log)])];
        let mut told_before = None;
        play_all(&programs, [game], 1, &Stop::default(), |_| {
            told_before = Some(count(&lines_of(&log), "quit"));
            Ok(None)
        })
        .unwrap();
        assert_eq!((told_before, count(&lines_of(&log), "quit")), (Some(0), 1), "{fault}");
    }
}

#[test]
fn a_job_handed_back_is_played_next() {
    let mut order = Vec::new();
    let jobs = (0..3).map(|id| job(id, setup("", MATE)));
    play_all(
        &[mock_launch(&[]), mock_launch(&[])],
        jobs,
        1,
        &Stop::default(),
        |Finished { mut job, .. }| {
            order.push(job.id);
            let again = job.id == 1;
            job.id = 9;
            Ok(again.then_some(job))
        },
    )
    .unwrap();
    assert_eq!(order, [0, 1, 9, 2]);
}

#[test]
fn a_request_to_stop_finishes_the_games_in_progress_and_starts_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let programs =
        [mock_launch(&["--log", text(&log), "--think-ms", "5"]), mock_launch(&["--think-ms", "5"])];
    let jobs = (0..500).map(|id| job(id, GameSetup { adjudication: longest(12), ..setup("", "") }));
    let stop = Stop::default();
    let mut games = Vec::new();
    std::thread::scope(|scope| {
        let run = scope.spawn(|| {
            play_all(&programs, jobs, 2, &stop, |finished| {
                games.push(finished.record);
                Ok(None)
            })
        });
        wait_for("two games", || count(&lines_of(&log), "ucinewgame") >= 2);
        stop.request();
        run.join().unwrap().unwrap();
    });
    assert_eq!(games.len(), count(&lines_of(&log), "ucinewgame"));
    assert!(games.len() < 500 && games.iter().all(|record| record.plies.len() == 12));
}

#[test]
fn a_request_made_before_starts_nothing() {
    let stop = Stop::default();
    stop.request();
    let launch = Launch { program: "no/such/engine".into(), ..mock_launch(&[]) };
    let jobs = [job(0, setup("", ""))];
    play_all(&[launch.clone(), launch], jobs, 1, &stop, |_| panic!("a game was played")).unwrap();
}

#[test]
fn a_request_to_stop_now_drops_the_games_in_progress() {
    // During a search, and while an engine starts.
    for (arguments, command) in [(["--fault", "hang"], "go nodes 10"), (["--hang-on", "uci"], "uci")] {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let name = format!("stopped now, {command}");
        let arguments = [&arguments[..], &["--name", &name, "--log", text(&log)]].concat();
        let programs = [mock_launch(&arguments), mock_launch(&["--name", &name])];
        let stop = Stop::default();
        std::thread::scope(|scope| {
            let jobs = (0..3).map(|id| job(id, setup("", "")));
            let run = scope.spawn(|| play_all(&programs, jobs, 1, &stop, |_| panic!("a game was recorded")));
            wait_for(command, || count(&lines_of(&log), command) > 0);
            stop.request();
            assert!(!stop.is_now());
            stop.request();
            run.join().unwrap().unwrap();
        });
        assert!(stop.is_now());
        assert!(processes().iter().all(|(_, arguments)| !arguments.contains(&name)));
    }
}

#[test]
fn a_game_that_cannot_be_kept_ends_the_run() {
    let mut calls = 0;
    let jobs = (0..20).map(|id| job(id, setup("", MATE)));
    let result = play_all(&[mock_launch(&[]), mock_launch(&[])], jobs, 2, &Stop::default(), |_| {
        calls += 1;
        if calls < 3 { Ok(None) } else { Err(io::Error::other("the disk is full")) }
    });
    let PoolError::Sink(error) = result.unwrap_err() else { panic!("another error") };
    assert_eq!((calls, error.to_string().as_str()), (3, "the disk is full"));
}

#[test]
fn a_panic_where_games_are_kept_ends_the_run_instead_of_hanging_it() {
    let name = "its keeper panicked";
    // One game is in progress and one worker waits for it when the other ends.
    let programs = [mock_launch(&["--name", name]), mock_launch(&["--name", name, "--think-ms", "50"])];
    let jobs = (0..3).map(|id| job(id, setup("", if id == 1 { "" } else { MATE })));
    let stop = Stop::default();
    let run = || play_all(&programs, jobs, 3, &stop, |_| panic!("as this test wants"));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
    assert!(stop.is_now());
    assert!(processes().iter().all(|(_, arguments)| !arguments.contains(name)));
}

#[test]
fn no_process_is_left_behind() {
    let name = "left behind by no game";
    let black = |arguments: &[&str]| hasty(&[&["--name", name], arguments].concat());
    for arguments in [
        &["--grandchild"][..],
        &["--grandchild", "--fault", "crash"],
        &["--hang-on", "quit"],
        &["--fault", "hang"],
        &["--fault", "abort"],
    ] {
        let jobs = (0..2).map(|id| job(id, GameSetup { adjudication: longest(4), ..setup("", "") }));
        play(&[mock_launch(&["--name", name]), black(arguments)], jobs.collect(), 2);
        let left: Vec<_> =
            processes().into_iter().filter(|(_, arguments)| arguments.contains(name)).collect();
        assert!(left.is_empty(), "{arguments:?}: {left:?}");
    }
}
