//! What engines really do, further cases: one more of each kind that `docs/runner-cases.md` lists,
//! and the test that every test it names exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread::{available_parallelism, scope};

use elometer::arena::{GameFault, GameRecord, GameSetup, Termination};
use elometer::chess::{
    AdjudicationRules, Bound, DrawRule, Ending, Outcome, ResignRule, Score, StartPosition,
};
use elometer::uci::process::{Deadlines, Engine, FaultCause, Launch};

use super::driver::{START, fault, grandchild, overdue, search, wait_for_end_of};
use super::games::{MATE, SHUFFLE, cause_and_detail, job, longest, one, planned, play, setup, text};
use super::layering::rust_files;
use super::support::{Lab, lines_of, mock_launch, processes, wait_for};

const PROMOTION: &str = "8/P7/8/8/8/8/7k/K7 w - - 0 1";

/// A game of one ply in which white answers its only search with these lines of a script.
fn one_move(lines: &str) -> GameRecord {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    let ready = "await isready\nsay readyok\n";
    let dialogue = format!("expect uci\nsay uciok\n{ready}{ready}await go\n{lines}\nawait quit\n");
    fs::write(&script, dialogue).unwrap();
    let draw = Some(DrawRule { from_move: 1, moves: 1, score_cp: 1_000 });
    let adjudication = AdjudicationRules { draw, ..longest(1) };
    one(&["--script", text(&script)], &[], GameSetup { adjudication, ..setup("", "") })
}

/// A program of the shell as an engine.
fn shell(script: &str, deadlines: Deadlines) -> Launch {
    let arguments = vec!["-c".to_owned(), script.to_owned()];
    Launch { program: "sh".into(), arguments, deadlines, ..mock_launch(&[]) }
}

#[test]
fn a_mate_by_an_engine_with_carriage_returns_is_a_mate() {
    let plan = ["--crlf", "--play", MATE];
    let record = one(&plan, &plan, setup("", ""));
    let mate = (Termination::Rules(Ending::Checkmate), Outcome::Black);
    assert_eq!((record.termination, record.outcome), mate);
    assert_eq!((record.quirks.white.len(), record.quirks.black.len()), (0, 0));
}

#[test]
fn words_that_are_no_move_are_an_illegal_move_that_names_them() {
    for word in ["resign", "e2", "--", "O-O", "e2e4e5", "e2-e4", "draw"] {
        let record = one(&["--fault", &format!("token:{word}")], &[], setup("", ""));
        let (cause, detail) = cause_and_detail(&record);
        assert_eq!((cause, record.outcome), (GameFault::IllegalMove, Outcome::Black), "{word}");
        assert!(detail.contains(&format!("`{word}`")), "{detail}");
    }
}

#[test]
fn squares_in_upper_case_are_accepted_and_noted_once_for_each_engine() {
    let odd = ["--fault", "upper-case"];
    let jobs = (0..2).map(|id| job(id, GameSetup { adjudication: longest(6), ..setup("", "") }));
    let records = play(&[mock_launch(&odd), mock_launch(&odd)], jobs.collect(), 1);
    let noted = vec!["moves in upper case".to_owned()];
    assert_eq!((&records[0].quirks.white, &records[0].quirks.black), (&noted, &noted));
    assert!(records[1].quirks.white.is_empty() && records[1].quirks.black.is_empty());
    assert!(records[0].plies.iter().all(|ply| ply.m == ply.m.to_ascii_lowercase()));
}

#[test]
fn a_letter_too_many_or_of_no_piece_to_promote_to_is_an_illegal_move() {
    for (fen, word) in [(PROMOTION, "a7a8k"), (PROMOTION, "a7a8p"), (PROMOTION, "a7a8qq"), ("", "e2e4q")] {
        let record = one(&["--fault", &format!("token:{word}")], &[], setup(fen, ""));
        let (cause, detail) = cause_and_detail(&record);
        assert_eq!(cause, GameFault::IllegalMove, "{word}");
        assert!(detail.contains(&format!("`{word}`")), "{detail}");
    }
}

#[test]
fn bytes_that_are_no_text_in_a_move_or_on_stderr_are_shown_and_end_nothing() {
    let record = one_move("say bestmove e\\xff2e4");
    let (cause, detail) = cause_and_detail(&record);
    assert_eq!(cause, GameFault::IllegalMove);
    assert!(detail.contains("`e\u{fffd}2e4`"), "{detail}");
    let loud = shell("printf 'caf\\351\\n' >&2; exit 4", Deadlines::default());
    assert_eq!(Engine::launch(&loud).unwrap_err().stderr, ["caf\u{fffd}"]);
}

#[test]
fn an_engine_that_reports_nothing_plays_on_and_gets_no_score() {
    let silent = ["--fault", "no-info", "--play", SHUFFLE];
    let adjudication = AdjudicationRules {
        resign: Some(ResignRule { moves: 1, score_cp: 1 }),
        draw: Some(DrawRule { from_move: 1, moves: 1, score_cp: 1_000 }),
        ..AdjudicationRules::default()
    };
    let record = one(&silent, &silent, GameSetup { adjudication, ..setup("", "") });
    assert_eq!(record.termination, Termination::Rules(Ending::ThreefoldRepetition));
    assert!(record.plies.iter().all(|ply| ply.score_stm.is_none() && ply.nodes.is_none()));
}

#[test]
fn a_score_that_is_only_a_bound_is_kept_as_one() {
    let record = one_move("say info depth 3 score cp 20 upperbound\nsay bestmove e2e4");
    let ply = &record.plies[0];
    assert_eq!((ply.score_stm, ply.bound, ply.depth), (Some(Score::Cp(20)), Bound::Upper, Some(3)));
    // A bound on another line of several says nothing about the first.
    let record = one_move(
        "say info depth 3 multipv 1 score cp 20\nsay info depth 4 multipv 2 score cp 500 lowerbound\n\
         say bestmove e2e4",
    );
    let ply = &record.plies[0];
    assert_eq!((ply.score_stm, ply.bound, ply.depth), (Some(Score::Cp(20)), Bound::Exact, Some(3)));
}

#[test]
fn a_mate_that_is_already_there_is_recorded_as_reported() {
    let record = one_move("say info depth 0 score mate 0 nodes 0\nsay bestmove e2e4");
    assert_eq!((record.plies[0].score_stm, record.plies[0].nodes), (Some(Score::Mate(0)), Some(0)));
}

#[test]
fn a_move_that_is_not_the_first_of_the_pv_is_the_one_played() {
    let record = one_move("say info depth 3 score cp 20 pv d2d4 d7d5\nsay bestmove e2e4 ponder d7d5");
    assert_eq!((record.plies[0].m.as_str(), record.fault), ("e2e4", None));
    assert_eq!(record.quirks.white, Vec::<String>::new());
}

#[test]
fn a_line_with_broken_counters_keeps_the_rest_and_is_a_quirk_of_the_game() {
    let record = one_move(
        "say info depth 4 nodes -5 time 99999999999999999999 score cp 7 wdl 5 990 5\nsay bestmove e2e4",
    );
    let ply = &record.plies[0];
    assert_eq!((ply.depth, ply.nodes, ply.engine_time_ms), (Some(4), None, None));
    assert_eq!((ply.score_stm, ply.wdl_stm), (Some(Score::Cp(7)), Some([5, 990, 5])));
    assert!(record.quirks.white.iter().any(|quirk| quirk.contains("-5")), "{:?}", record.quirks);
}

#[test]
fn the_engines_own_time_is_kept_beside_ours() {
    let record = one_move("say info depth 4 score cp 7 time 777000\nsay bestmove e2e4");
    let ply = &record.plies[0];
    assert_eq!(ply.engine_time_ms, Some(777_000));
    assert!(ply.time_us < 777_000_000, "{}", ply.time_us);
}

#[test]
fn an_engine_that_closes_its_output_and_stays_has_crashed() {
    let name = "closed its output";
    let script = format!("read line; echo uciok; exec 1>&-; read line; read line; sleep 600 # {name}");
    let mut engine = Engine::launch(&shell(&script, Deadlines::default())).unwrap();
    let fault = engine.new_game(&[]).unwrap_err();
    assert_eq!(
        (fault.cause, fault.detail.as_str()),
        (FaultCause::Crash, "closed its end of a pipe during `isready`")
    );
    assert!(processes().iter().all(|(_, arguments)| !arguments.contains(name)));
}

#[test]
fn an_engine_that_closes_its_input_and_stays_has_crashed() {
    let script = "read line; exec 0<&-; echo uciok; sleep 600";
    let deadlines = || Deadlines { ready_ms: 2_000, ..Deadlines::default() };
    let closed = || {
        let mut engine = Engine::launch(&shell(script, deadlines())).unwrap();
        let fault = engine.new_game(&[]).unwrap_err();
        assert!(!engine.is_alive());
        (fault.cause, fault.detail)
    };
    // A process that another test is just starting holds every pipe of this one for a moment, and a
    // write then still succeeds: such an engine hangs instead.
    let held = (FaultCause::Hang, "no answer to `isready` before its deadline".to_owned());
    let seen = (0..5).map(|_| closed()).find(|seen| *seen != held);
    let expected = (FaultCause::Crash, "closed its end of a pipe during `isready`".to_owned());
    assert_eq!(seen, Some(expected));
}

#[test]
fn an_engine_that_is_stopped_by_a_signal_hangs_and_is_killed() {
    let name = "stopped itself";
    let deadlines = Deadlines { ready_ms: 200, ..Deadlines::default() };
    let mut engine =
        Engine::launch(&shell(&format!("read line; echo uciok; kill -STOP $$ # {name}"), deadlines)).unwrap();
    let fault = fault(&mut engine);
    assert_eq!((fault.cause, engine.is_alive()), (FaultCause::Hang, false));
    assert!(processes().iter().all(|(_, arguments)| !arguments.contains(name)));
}

#[test]
fn an_engine_that_ignores_quit_and_sigterm_is_killed() {
    let name = "ignores all but the last";
    let deadlines = Deadlines { quit_ms: 100, ..Deadlines::default() };
    let script = format!("trap '' TERM; read line; echo uciok; while :; do sleep 1; done # {name}");
    Engine::launch(&shell(&script, deadlines)).unwrap().quit();
    assert!(processes().iter().all(|(_, arguments)| !arguments.contains(name)));
}

#[test]
fn no_more_engines_start_at_once_than_there_are_cores() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    // `+` when it has been started, `-` before it says that it has: what lies between is the start.
    let script = format!("echo + >> '{0}'; read line; echo - >> '{0}'; echo uciok; read line", text(&log));
    let most = available_parallelism().unwrap().get();
    scope(|scope| {
        for _ in 0..most * 4 {
            scope.spawn(|| drop(Engine::launch(&shell(&script, mock_launch(&[]).deadlines)).unwrap()));
        }
    });
    let (mut starting, mut highest) = (0_usize, 0);
    for line in lines_of(&log) {
        starting = if line == "+" { starting + 1 } else { starting - 1 };
        highest = highest.max(starting);
    }
    assert_eq!((starting, lines_of(&log).len()), (0, most * 8));
    assert!(highest <= most, "{highest} at once on {most} cores");
}

#[test]
fn an_answer_without_a_question_is_no_answer_to_the_next() {
    // What comes before `readyok` belongs to something older than the search.
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    let stale = "expect uci\nsay uciok\nsay bestmove a2a3\nawait isready\nsay bestmove a2a4\nsay readyok\n\
                 await go\nsay bestmove h2h4\nawait quit\n";
    fs::write(&script, stale).unwrap();
    let mut stale = Engine::launch(&mock_launch(&["--script", text(&script)])).unwrap();
    assert_eq!(search(&mut stale, START).best.token, "h2h4");
}

#[test]
fn every_fault_of_a_rung_makes_its_game_void() {
    for (fault, termination) in [
        ("illegal", "illegal_move"),
        ("token:(none)", "no_move"),
        ("abort", "crash"),
        ("hang", "hang"),
        ("token:a1a1", "illegal_move"),
    ] {
        let lab = Lab::new();
        let rest = "levels = [1000]\n[opponent.deadlines]\nsearch_ms = 100\nstop_ms = 100";
        lab.write_mock_spec(&[], &["--elo", "1000:2000", "--fault", fault], rest);
        lab.change_spec("pairs = 1");
        let ran = lab.run_to(4, &["run", "spec.toml", "--out", "run", "--no-probe", "--keep-going"]);
        assert!(ran.stdout.contains("subject    0 won, 0 drawn, 0 lost"), "{fault}: {}", ran.stdout);
        let journal = lab.journal("run");
        assert_eq!(journal.len(), 2 * 4, "{fault}");
        assert!(journal.iter().all(|game| game["void"] == true && game["termination"] == termination));
    }
}

#[test]
fn a_start_from_a_fen_keeps_its_counters_and_every_move_whatever_was_captured() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 7 30";
    let plan = ["--play", "e4d5 e8e7 e1e2 e7d6 e2e3"];
    let logged = [&plan[..], &["--log", text(&log)]].concat();
    one(&logged, &plan, GameSetup { adjudication: longest(5), ..setup(fen, "") });
    let sent: Vec<_> = lines_of(&log).into_iter().filter(|line| line.starts_with("position")).collect();
    let position = format!("position fen {}", StartPosition::from_fen(fen).unwrap().fen());
    let moves = ["", " moves e4d5 e8e7", " moves e4d5 e8e7 e1e2 e7d6"];
    assert_eq!(sent, moves.map(|moves| format!("{position}{moves}")));
    assert!(position.ends_with(" 7 30"), "{position}");
}

#[test]
fn fifty_moves_are_counted_from_the_counter_of_the_start() {
    let fifty = planned("h1h2 a8b8 h2h3", "k7/8/8/8/8/8/8/K6R w - - 97 80");
    assert_eq!(fifty, (Termination::Rules(Ending::FiftyMoves), Outcome::Draw, 3));
    let saved = planned("a2a3 a8b8 h1h2 b8a8 h2h1 a8b8", "k7/8/8/8/8/8/P7/K6R w - - 97 80");
    assert!(saved.2 > 3, "a move of a pawn begins the count anew: {saved:?}");
}

#[test]
fn an_illegal_move_is_named_in_a_comment_of_the_pgn_and_is_not_written_as_a_move() {
    let lab = Lab::new();
    lab.write_mock_spec(&["--fault", "illegal", "--at-go", "2"], &[], "");
    lab.change_spec("pairs = 1");
    lab.run_to(0, &["run", "spec.toml", "--out", "run", "--concurrency", "1"]);
    let pgn = lab.read("run/games.pgn").replace('\n', " ");
    for (game, plies) in pgn.split("[Event ").skip(1).zip(["2", "3"]) {
        assert!(game.contains(&format!("[PlyCount \"{plies}\"]")), "{game}");
        let (before, after) = game.split_once("{illegal move by ").unwrap();
        assert!(!before.contains("a1h8") && after.contains("a1h8"), "{game}");
    }
    assert_eq!(pgn.matches("rules infraction").count(), 2);
}

#[test]
fn figures_come_from_the_journal_whatever_the_other_files_say() {
    let lab = Lab::new();
    lab.write_mock_spec(&[], &["--elo", "1000:2000"], "levels = [1000, 1500]");
    let ran = lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    let (status, fit) = (lab.run_to(0, &["status", "run"]).stdout, lab.run(&["fit", "run"]).stdout);
    let pgn = lab.read("run/games.pgn");
    lab.write("run/games.pgn", "[Event \"nonsense\"]\n\n1. e4 *\n");
    lab.write("run/games.csv", "game\n");
    lab.write("run/fit.json", "{}");
    assert_eq!(lab.run_to(0, &["status", "run"]).stdout, status);
    assert_eq!(lab.run(&["fit", "run"]).stdout, fit);
    assert_eq!(lab.run_to(0, &["run", "spec.toml", "--out", "run"]).stdout, ran.stdout);
    assert_eq!(lab.read("run/games.pgn"), pgn);
}

#[test]
fn printing_without_end_during_a_search_gains_no_time_and_no_memory() {
    let script = "read line; echo uciok; while read line; do case $line in isready) echo readyok;; \
                  go*) exec yes info depth 1 score cp 1;; esac; done";
    let deadlines = Deadlines { stop_ms: 100, ..Deadlines::default() };
    let mut engine = Engine::launch(&shell(script, deadlines)).unwrap();
    assert!(!overdue(&mut engine));
    assert!(!engine.is_alive());
    let kept: usize = engine.transcript().iter().map(String::len).sum();
    assert!(kept < 10_000, "{kept} bytes kept");
}

#[test]
fn the_command_given_last_is_kept_however_much_is_printed_after_it() {
    let deadlines = Deadlines { stop_ms: 100, ..Deadlines::default() };
    let launch = Launch { deadlines, ..mock_launch(&["--fault", "chatter"]) };
    let mut engine = Engine::launch(&launch).unwrap();
    assert!(!overdue(&mut engine));
    let transcript = engine.transcript();
    let place = |line: &str| transcript.iter().position(|found| found == line);
    assert!(place("> go nodes 10") < place("> stop") && place("> go nodes 10").is_some(), "{transcript:?}");
    assert!(transcript.len() <= 24, "{transcript:?}");
}

#[test]
fn a_grandchild_that_left_the_process_group_is_killed_too() {
    if !Path::new("/proc/self/environ").exists() {
        eprintln!("not tested: no /proc");
        return;
    }
    let quits = Engine::launch(&mock_launch(&["--stray-grandchild"])).unwrap();
    let other = Engine::launch(&mock_launch(&["--stray-grandchild"])).unwrap();
    let (process, others) = (grandchild(&quits.transcript()), grandchild(&other.transcript()));
    quits.quit();
    wait_for_end_of(process);
    assert!(processes().iter().any(|(id, _)| *id == others), "another engine's stays");
    drop(other);
    wait_for_end_of(others);
    let mut crashes = Engine::launch(&mock_launch(&["--stray-grandchild", "--fault", "abort"])).unwrap();
    let process = grandchild(&crashes.transcript());
    fault(&mut crashes);
    wait_for_end_of(process);
}

#[test]
fn descriptors_that_run_out_end_the_run_and_are_no_engines_fault() {
    let lab = Lab::new();
    lab.write_mock_spec(&["--think-ms", "5"], &[], "");
    lab.change_spec("pairs = 20");
    let program = env!("CARGO_BIN_EXE_elometer");
    let script = format!("ulimit -n 40 && exec '{program}' run spec.toml --out run --concurrency 16");
    let output =
        std::process::Command::new("sh").args(["-c", &script]).current_dir(lab.path("")).output().unwrap();
    let ran = lab.ran(&output);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot start `[MOCK]`: Too many open files"), "{}", ran.stderr);
    assert!(ran.stderr.contains("\nhint: raise the limits"), "{}", ran.stderr);
    assert!(lab.journal("run").iter().all(|game| game.get("fault").is_none()));
    let ran = lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    assert!(ran.stdout.contains("games      40 of 40 played") && !ran.stdout.contains("void"));
}

#[test]
fn an_engine_that_uses_processor_time_while_it_waits_is_named() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let lab = Lab::new();
    lab.write_mock_spec(&["--busy"], &["--think-ms", "60"], "");
    let ran = lab.run_to(0, &["run", "spec.toml", "--out", "run", "--concurrency", "1"]);
    let named = "waiting    the subject used ";
    assert!(ran.stdout.contains(named) && !ran.stdout.contains("the opponent used"), "{}", ran.stdout);
    assert!(lab.run_to(0, &["status", "run"]).stdout.contains(named));
    // Five waits of at least 60 ms each.
    let waited = |game: &serde_json::Value, side: &str| game["waits"][side]["waited_us"].as_u64().unwrap();
    for (game, subject) in lab.journal("run").iter().zip(["white", "black"].iter().cycle()) {
        assert!(waited(game, subject) >= 5 * 60_000, "{}", game["waits"]);
    }
}

#[test]
fn the_processor_time_of_an_engine_grows_only_while_it_works() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let sound = Engine::launch(&mock_launch(&[])).unwrap();
    let mut busy = Engine::launch(&mock_launch(&["--busy", "--fault", "crash"])).unwrap();
    let used = |engine: &Engine| engine.processor_time().unwrap().as_micros();
    let (before, busy_before) = (used(&sound), used(&busy));
    wait_for("work", || used(&busy) - busy_before > 50_000);
    assert!(used(&sound) - before < 25_000);
    fault(&mut busy);
    assert_eq!(busy.processor_time(), None, "its number may be another's by now");
}

#[test]
fn a_limit_below_the_depth_at_which_stockfish_picks_its_move_is_a_warning() {
    let lab = Lab::new();
    let warned = |name: &str, limits: &str| {
        let rung = ["--name", name, "--elo", "1350:2850"];
        lab.write_mock_spec(&[], &rung, "levels = [1400, 1900, 2200]");
        let spec = lab.read("spec.toml");
        let (subject, opponent) = spec.split_once("[opponent]").unwrap();
        let opponent = opponent.replacen("{ nodes = 1 }", limits, 1);
        lab.write("spec.toml", &format!("{subject}[opponent]{opponent}"));
        lab.run_to(0, &["plan", "spec.toml"]).stderr
    };
    let text = warned("Stockfish 15.1", "{ depth = 5 }");
    assert!(text.contains("a limit of depth 5 is too low for levels 1900, 2200 of the opponent"), "{text}");
    assert!(text.contains("at level 2200 picks its move at depth 10, and"), "{text}");
    let text = warned("Stockfish 15.1", "{ nodes = 25000 }");
    assert!(
        text.contains("too low for level 2200 of the opponent") && text.contains("about 56000 nodes"),
        "{text}"
    );
    for (name, limits) in
        [("Stockfish 15.1", "{ depth = 10 }"), ("Stockfish 19", "{ depth = 6 }"), ("Mock", "{ depth = 1 }")]
    {
        assert_eq!(warned(name, limits), "", "{name}, {limits}");
    }
}

/// The names of all tests in these folders.
fn tests_in(folders: &[&str]) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    folders.iter().for_each(|folder| rust_files(&root.join(folder), &mut files));
    let mut tests = BTreeSet::new();
    for file in files {
        let source = fs::read_to_string(&file).unwrap();
        let mut lines = source.lines().map(str::trim_start);
        while lines.by_ref().any(|line| line == "#[test]") {
            let function = lines.find_map(|line| line.strip_prefix("fn ")).unwrap();
            tests.extend(function.split('(').next().map(str::to_owned));
        }
    }
    tests
}

#[test]
fn every_test_that_the_table_of_cases_names_exists() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/runner-cases.md");
    let tests = tests_in(&["src", "tests/it"]);
    let mut rows = 0;
    for line in fs::read_to_string(page).unwrap().lines().filter(|line| line.starts_with("| ")) {
        let Some(names) = line.trim_end_matches([' ', '|']).rsplit_once(" | ").map(|(_, cell)| cell) else {
            panic!("no row of a table: {line}");
        };
        if names == "tests" {
            continue;
        }
        rows += 1;
        let names: BTreeSet<_> = names.split(", ").map(|name| name.trim_matches('`')).collect();
        assert!(names.len() >= 2, "fewer than two tests: {line}");
        for name in names {
            assert!(tests.contains(name), "`{name}` is no test: {line}");
        }
    }
    assert!(rows >= 40, "{rows} rows were read");
}
