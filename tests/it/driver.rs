//! One engine as a child process, driven through `uci::process`: what it may do wrong and what
//! then happens.
//!
//! Deadlines that must pass are short; those that must not are so long that waiting for one would
//! show.

use std::path::{Path, PathBuf};
use std::time::Duration;

use elometer::chess::{Bound, Score};
use elometer::uci::process::{
    Deadlines, Engine, EngineFault, FaultCause, KillSwitch, Launch, SearchOutcome, SearchReport,
    SearchRequest, check_options, first_line_of,
};
use elometer::uci::protocol::Go;

use super::support::{lines_of, mock_launch, processes, wait_for};

pub(super) const START: &str = "position startpos";
const LONG: Duration = Duration::from_secs(600);
const SHORT: Duration = Duration::from_millis(200);

fn engine(arguments: &[&str]) -> Engine {
    Engine::launch(&mock_launch(arguments)).unwrap()
}

/// An engine that plays these lines between `uciok` and its end.
fn scripted(steps: &str) -> Engine {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, format!("expect uci\nsay uciok\n{steps}\nawait quit\n")).unwrap();
    // The script is read before the first answer.
    engine(&["--script", script.to_str().unwrap()])
}

/// An engine that answers one search with these lines.
fn saying(lines: &str) -> Engine {
    scripted(&format!("await isready\nsay readyok\nawait go\n{lines}"))
}

fn go(engine: &mut Engine, position: &str, wait: Duration) -> Result<SearchOutcome, EngineFault> {
    let go = Go { nodes: Some(10), ..Go::default() };
    engine.search(&SearchRequest { position, go: &go, wait, timed: false, words: None })
}

pub(super) fn search(engine: &mut Engine, position: &str) -> SearchReport {
    match go(engine, position, LONG).unwrap() {
        SearchOutcome::Answered(report) => report,
        SearchOutcome::Overdue { .. } => panic!("no answer"),
    }
}

pub(super) fn fault(engine: &mut Engine) -> EngineFault {
    go(engine, START, LONG).unwrap_err()
}

/// Whether it answered `stop`.
pub(super) fn overdue(engine: &mut Engine) -> bool {
    match go(engine, START, SHORT).unwrap() {
        SearchOutcome::Answered(_) => panic!("an answer"),
        SearchOutcome::Overdue { stopped, .. } => stopped,
    }
}

fn settings(settings: &[(&str, &str)]) -> Vec<(String, String)> {
    settings.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn has(lines: &[String], text: &str) -> bool {
    lines.iter().any(|line| line.contains(text))
}

fn with_deadlines(arguments: &[&str], deadlines: Deadlines) -> Launch {
    Launch { deadlines, ..mock_launch(arguments) }
}

/// The process the mock started, by its own word.
pub(super) fn grandchild(transcript: &[String]) -> u32 {
    transcript.iter().find_map(|line| line.split_once("grandchild ")?.1.parse().ok()).unwrap()
}

pub(super) fn wait_for_end_of(process: u32) {
    wait_for("the grandchild's end", || processes().iter().all(|(id, _)| *id != process));
}

#[test]
fn carriage_returns_are_no_part_of_any_line() {
    let mut engine = engine(&["--crlf", "--all-options"]);
    assert_eq!(engine.name(), "Mock");
    assert_eq!(engine.author(), Some("the elometer tests"));
    assert!(engine.declared().iter().any(|option| option.to_string().ends_with("var Very Risky")));
    engine.new_game(&[]).unwrap();
    let report = search(&mut engine, START);
    assert_eq!((report.best.token.len(), report.best.ponder), (4, None));
    assert_eq!(engine.take_quirks(), Vec::<String>::new());
}

#[test]
fn banners_blank_lines_and_unknown_words_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    let text = "say Fine Engine 1.0 by id of many uciok authors\nsay\nexpect uci\nsay id name Fine\n\
                say   joho\nsay \t uciok\nawait isready\nsay what now\nsay  readyok\nawait go\n\
                say currmove of the day\nsay \tbestmove e2e4 \nawait quit\n";
    std::fs::write(&script, text).unwrap();
    let mut engine = engine(&["--script", script.to_str().unwrap()]);
    assert_eq!(engine.name(), "Fine");
    assert_eq!(search(&mut engine, START).best.best_move.as_deref(), Some("e2e4"));
}

#[test]
fn bytes_that_are_not_utf8_are_shown_as_replacement_characters() {
    let mut named = engine(&["--non-utf8-id", "--option", "option name Plain type check default false"]);
    assert_eq!(named.id_name(), Some("Mock\u{fffd}"));
    assert_eq!(named.take_quirks().len(), 1);
    let mut engine =
        saying("say info string caf\\xe9 depth\nsay info depth 3 score cp 5 pv \\xff\nsay bestmove e2e4");
    let report = search(&mut engine, START);
    assert_eq!((report.score_stm(), report.depth()), (Some((Score::Cp(5), Bound::Exact)), Some(3)));
}

#[test]
fn fields_may_be_missing_empty_or_in_any_order() {
    let mut engine =
        saying("say info pv e2e4 score cp 12 nodes depth 3\nsay info score\nsay info\nsay bestmove e2e4");
    let report = search(&mut engine, START);
    assert_eq!(report.score_stm(), Some((Score::Cp(12), Bound::Exact)));
    assert_eq!((report.depth(), report.nodes(), report.time_ms()), (Some(3), None, None));
    assert_eq!(report.lines[0].pv, ["e2e4"]);
    let mut silent = self::engine(&["--fault", "no-info"]);
    assert_eq!(search(&mut silent, START).score_stm(), None);
}

#[test]
fn mate_in_zero_is_a_score_with_or_without_a_bound() {
    for (line, bound) in [("mate 0", Bound::Exact), ("mate 0 upperbound", Bound::Upper)] {
        let mut engine = saying(&format!("say info depth 1 score {line}\nsay bestmove e2e4"));
        assert_eq!(search(&mut engine, START).score_stm(), Some((Score::Mate(0), bound)), "{line}");
    }
}

#[test]
fn the_last_exact_score_counts_and_a_bound_only_when_nothing_else_came() {
    let mut engine = saying(
        "say info depth 7 score cp 31 nodes 100 pv e2e4\n\
         say info depth 8 score cp 90 lowerbound nodes 200 pv d2d4\nsay bestmove d2d4",
    );
    let report = search(&mut engine, START);
    assert_eq!(report.score_stm(), Some((Score::Cp(31), Bound::Exact)));
    assert_eq!((report.depth(), report.nodes()), (Some(7), Some(200)));
    // What was played is what counts, whatever the PV said.
    assert_eq!((report.lines[0].pv[0].as_str(), report.best.token.as_str()), ("e2e4", "d2d4"));
    let mut engine = saying(
        "say info depth 1 score cp 10 upperbound\nsay info depth 2 score cp 20 lowerbound\nsay bestmove e2e4",
    );
    assert_eq!(search(&mut engine, START).score_stm(), Some((Score::Cp(20), Bound::Lower)));
}

#[test]
fn counters_below_zero_or_past_64_bits_lose_only_themselves() {
    let mut engine = saying(
        "say info depth 4 nodes -5 nps 99999999999999999999 time -1 score cp 7 pv e2e4\nsay bestmove e2e4",
    );
    let report = search(&mut engine, START);
    assert_eq!((report.nodes(), report.time_ms(), report.lines[0].nps), (None, None, None));
    assert_eq!((report.score_stm(), report.depth()), (Some((Score::Cp(7), Bound::Exact)), Some(4)));
    assert!(has(&engine.take_quirks(), "-5"));
}

#[test]
fn megabytes_on_one_line_or_on_stderr_do_no_harm() {
    let mut engine =
        engine(&["--banner-bytes", "2000000", "--stderr-bytes", "2000000", "--fault", "long-line:2000000"]);
    engine.new_game(&[]).unwrap();
    assert!(search(&mut engine, START).score_stm().is_some());
    search(&mut engine, START);
    let quirks = engine.take_quirks();
    assert_eq!(quirks.iter().filter(|quirk| quirk.contains("was cut")).count(), 1, "{quirks:?}");
    let kept: usize = engine.transcript().iter().chain(&engine.stderr_tail()).map(String::len).sum();
    assert!(kept < 20_000, "{kept} bytes kept");
}

#[test]
fn an_exit_after_the_move_shows_at_the_next_command() {
    let mut engine = engine(&["--fault", "exit-after-move", "--exit-code", "4"]);
    assert!(search(&mut engine, START).best.best_move.is_some());
    let fault = fault(&mut engine);
    assert_eq!(fault.cause, FaultCause::Crash);
    assert!(fault.detail.ends_with("with exit code 4"), "{fault}");
    assert!(!engine.is_alive());
}

#[test]
fn a_crash_is_told_with_its_status_the_last_lines_and_stderr() {
    let mut crashed = saying("warn assertion failed: king\nsay info depth 1\nexit 9");
    let fault = fault(&mut crashed);
    assert_eq!(fault.cause, FaultCause::Crash);
    assert_eq!(fault.detail, "ended during `go` with exit code 9");
    assert_eq!(fault.stderr, ["assertion failed: king"]);
    assert!(has(&fault.transcript, "> go nodes 10") && has(&fault.transcript, "< info depth 1"));
    let text = fault.to_string();
    assert!(text.contains("engine mock: ended") && text.contains("assertion failed: king"), "{text}");
    let aborted = self::fault(&mut engine(&["--fault", "abort"]));
    assert_eq!(
        (aborted.cause, aborted.detail.as_str()),
        (FaultCause::Crash, "ended during `go` with signal 6")
    );
}

#[test]
fn a_missed_deadline_says_whether_the_engine_then_stopped() {
    let stops = |fault: &str| {
        let deadlines =
            Deadlines { stop_ms: if fault == "late" { 60_000 } else { 200 }, ..Deadlines::default() };
        let mut engine =
            Engine::launch(&with_deadlines(&["--fault", fault, "--at-go", "1"], deadlines)).unwrap();
        let stopped = overdue(&mut engine);
        assert_eq!(engine.is_alive(), stopped, "{fault}");
        stopped
    };
    assert!(stops("late"));
    assert!(!stops("ignore-stop"));
    assert!(!stops("hang"));
    assert!(!stops("chatter"));
}

#[test]
fn an_engine_that_stopped_late_answers_the_next_search_afresh() {
    let position = "position startpos moves e2e4";
    let expected = search(&mut engine(&[]), position).best;
    let mut late = engine(&["--fault", "late", "--at-go", "1"]);
    assert!(overdue(&mut late));
    assert!(has(&late.transcript(), "> stop"));
    assert_eq!(search(&mut late, position).best, expected);
}

#[test]
fn hangs_at_start_and_at_isready_have_deadlines_of_their_own() {
    let start = Deadlines { start_ms: 200, ..Deadlines::default() };
    let fault = Engine::launch(&with_deadlines(&["--hang-on", "uci"], start)).unwrap_err();
    assert_eq!(fault.cause, FaultCause::StartFailure);
    assert_eq!(fault.detail, "no answer to `uci` before its deadline");
    assert_eq!(fault.transcript, ["> uci"]);
    let ready = Deadlines { ready_ms: 200, ..Deadlines::default() };
    let mut engine = Engine::launch(&with_deadlines(&["--hang-on", "isready"], ready)).unwrap();
    let fault = engine.new_game(&[]).unwrap_err();
    assert_eq!(
        (fault.cause, fault.detail.as_str()),
        (FaultCause::Hang, "no answer to `isready` before its deadline")
    );
    assert!(!engine.is_alive());
}

#[test]
fn an_engine_that_ignores_quit_is_ended_all_the_same() {
    let deadlines = Deadlines { quit_ms: 100, ..Deadlines::default() };
    let name = "hangs on quit";
    let engine = Engine::launch(&with_deadlines(&["--hang-on", "quit", "--name", name], deadlines)).unwrap();
    engine.quit();
    assert!(processes().iter().all(|(_, arguments)| !arguments.contains(name)));
}

#[test]
fn what_cannot_be_started_says_so() {
    let launch = Launch { program: "no/such/engine".into(), ..mock_launch(&[]) };
    let fault = Engine::launch(&launch).unwrap_err();
    assert_eq!(fault.cause, FaultCause::StartFailure);
    assert!(fault.detail.contains("no/such/engine"), "{fault}");
    let fault = Engine::launch(&mock_launch(&["--no-such-argument"])).unwrap_err();
    assert_eq!(fault.cause, FaultCause::StartFailure);
    assert!(
        fault.detail.ends_with("with exit code 2") && has(&fault.stderr, "--no-such-argument"),
        "{fault}"
    );
}

#[test]
fn printing_without_end_gains_no_time() {
    let deadlines = Deadlines { start_ms: 200, ..Deadlines::default() };
    // Lines without end, and one line without end.
    for (program, argument) in [("yes", "info depth 1"), ("cat", "/dev/zero")] {
        let arguments = vec![argument.to_owned()];
        let launch =
            Launch { program: program.into(), arguments, deadlines: deadlines.clone(), ..mock_launch(&[]) };
        let fault = Engine::launch(&launch).unwrap_err();
        assert_eq!(fault.detail, "no answer to `uci` before its deadline", "{program}");
    }
}

#[test]
fn an_engine_that_prints_without_end_and_does_not_read_hangs() {
    let arguments = ["-c", "read line; echo uciok; exec yes info"].map(str::to_owned).to_vec();
    let deadlines = Deadlines { ready_ms: 500, ..Deadlines::default() };
    let launch = Launch { program: "sh".into(), arguments, deadlines, ..mock_launch(&[]) };
    let mut engine = Engine::launch(&launch).unwrap();
    // More than any pipe holds.
    let position = format!("position startpos moves{}", " e2e4".repeat(400_000));
    let fault = go(&mut engine, &position, LONG).unwrap_err();
    assert_eq!(fault.cause, FaultCause::Hang, "{fault}");
}

#[test]
fn a_grandchild_that_holds_the_pipes_hides_no_end_and_is_killed() {
    let mut engine = engine(&["--grandchild", "--fault", "crash", "--at-go", "2"]);
    search(&mut engine, START);
    let process = grandchild(&engine.transcript());
    let fault = fault(&mut engine);
    assert_eq!(fault.detail, "ended during `go` with exit code 3");
    wait_for_end_of(process);
}

#[test]
fn a_grandchild_does_not_outlive_quit_or_a_hang() {
    let quits = engine(&["--grandchild"]);
    let process = grandchild(&quits.transcript());
    quits.quit();
    wait_for_end_of(process);
    let deadlines = Deadlines { stop_ms: 100, ..Deadlines::default() };
    let mut hangs = Engine::launch(&with_deadlines(&["--grandchild", "--fault", "hang"], deadlines)).unwrap();
    let process = grandchild(&hangs.transcript());
    assert!(!overdue(&mut hangs));
    wait_for_end_of(process);
}

#[test]
fn a_slow_first_answer_is_waited_for() {
    let mut engine = engine(&["--start-delay-ms", "400"]);
    engine.new_game(&[]).unwrap();
    assert!(search(&mut engine, START).best.best_move.is_some());
}

#[test]
fn options_the_engine_does_not_take_are_refused_with_its_own_list() {
    let engine = engine(&["--all-options", "--elo", "1320:3190"]);
    let check = |name: &str, value: &str| {
        check_options("mock", engine.declared(), &settings(&[(name, value)])).unwrap_err().to_string()
    };
    let unknown = check("Hush", "16");
    assert!(unknown.contains("`Hush`") && unknown.contains("Threads, Hash, Clear Hash"), "{unknown}");
    let range = check("UCI_Elo", "1000");
    assert!(
        range.contains("1000") && range.contains("min 1320 max 3190") && range.contains("\nhint: "),
        "{range}"
    );
    let choice = check("Style", "Wild");
    assert!(choice.contains("Wild") && choice.contains("Very Risky"), "{choice}");
    assert!(check("Ponder", "perhaps").contains("perhaps"));
    assert!(check("Hash", "much").contains("much"));
    assert!(check("Clear Hash", "now").contains("Clear Hash"));
    let twice = settings(&[("Hash", "16"), ("hash", "32")]);
    let twice = check_options("mock", engine.declared(), &twice).unwrap_err().to_string();
    assert!(twice.contains("set twice, to `16` and to `32`"), "{twice}");
}

/// Plays games with these settings in one process and returns what it was told after `uci`.
fn told(games: &[&[(&str, &str)]]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut engine = engine(&["--all-options", "--log", log.to_str().unwrap()]);
    for game in games {
        let checked = check_options("mock", engine.declared(), &settings(game)).unwrap();
        engine.new_game(&checked).unwrap();
    }
    engine.quit();
    let mut lines = lines_of(&log);
    assert_eq!((lines.remove(0).as_str(), lines.pop().as_deref()), ("uci", Some("quit")));
    lines
}

#[test]
fn options_come_first_threads_before_all_and_hash_after_all() {
    let game: &[_] =
        &[("hash", "64"), ("STYLE", "very risky"), ("Clear Hash", ""), ("Log File", ""), ("threads", "2")];
    assert_eq!(
        told(&[game]),
        [
            "setoption name Threads value 2",
            "setoption name Style value Very Risky",
            "setoption name Clear Hash",
            "setoption name Log File value <empty>",
            "setoption name Hash value 64",
            "ucinewgame",
            "isready",
        ]
    );
}

#[test]
fn a_process_used_again_is_told_only_what_changed_and_goes_back_to_its_defaults() {
    let first: &[_] = &[("Hash", "64"), ("Contempt", "9"), ("Clear Hash", ""), ("Log File", "x")];
    let second: &[_] = &[("Hash", "64"), ("Contempt", "-9"), ("Threads", "4")];
    let lines = told(&[first, second, &[]]);
    let games: Vec<_> = lines.split(|line| line == "isready").map(<[String]>::to_vec).collect();
    assert_eq!(
        games[1],
        [
            "setoption name Threads value 4",
            "setoption name Log File value <empty>",
            "setoption name Contempt value -9",
            "ucinewgame",
        ]
    );
    assert_eq!(
        games[2],
        [
            "setoption name Threads value 1",
            "setoption name Contempt value 0",
            "setoption name Hash value 16",
            "ucinewgame",
        ]
    );
}

#[test]
fn an_option_without_a_default_cannot_be_taken_back() {
    let mut engine = engine(&["--option", "option name Book type string"]);
    let with_book = settings(&[("Book", "a.bin")]);
    engine.new_game(&with_book).unwrap();
    assert!(engine.can_take(&with_book));
    assert!(!engine.can_take(&[]));
}

#[test]
fn a_second_bestmove_never_answers_the_next_search() {
    let positions =
        ["", " moves e2e4", " moves d2d4", " moves g1f3 g8f6"].map(|moves| format!("{START}{moves}"));
    let (mut sound, mut doubled) = (engine(&[]), engine(&["--fault", "twice"]));
    for position in positions {
        assert_eq!(search(&mut doubled, &position).best, search(&mut sound, &position).best, "{position}");
    }
}

#[test]
fn each_search_is_one_position_one_isready_and_one_go() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    // It would miss an `isready` sent while it searches.
    let mut engine = engine(&["--deaf-search", "--log", log.to_str().unwrap()]);
    let limits = Go { movetime_ms: Some(5), ..Go::default() };
    for timed in [false, true] {
        let request = SearchRequest { position: START, go: &limits, wait: LONG, timed, words: None };
        assert!(matches!(engine.search(&request).unwrap(), SearchOutcome::Answered(_)));
    }
    engine.quit();
    let ply = [START, "isready", "go movetime 5"];
    assert_eq!(lines_of(&log), [&["uci"][..], &ply, &ply, &["quit"]].concat());
}

#[test]
fn the_full_log_holds_everything_both_ways() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine.log");
    let launch = Launch { log: Some(path.clone()), ..mock_launch(&["--stderr-bytes", "100"]) };
    let mut engine = Engine::launch(&launch).unwrap();
    search(&mut engine, START);
    engine.quit();
    let holds = |end: &str| lines_of(&path).iter().any(|line| line.ends_with(end));
    for line in ["> uci", "< uciok", "> position startpos", "> go nodes 10", "> quit"] {
        assert!(holds(line), "{line}");
    }
    // Stderr has a thread of its own.
    wait_for("the line of stderr", || holds(&format!("! {}", "e".repeat(99))));
    let launch = Launch { log: Some(Path::new("no/such/folder/log").into()), ..mock_launch(&[]) };
    assert!(Engine::launch(&launch).unwrap_err().detail.contains("no/such/folder/log"));
}

#[test]
fn a_pulled_switch_ends_every_engine_under_it_and_lets_none_start() {
    let switch = KillSwitch::default();
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut waiting =
        Engine::launch_under(&mock_launch(&["--fault", "hang", "--log", log.to_str().unwrap()]), &switch)
            .unwrap();
    let mut other = engine(&[]);
    let ended = std::thread::scope(|scope| {
        let search = scope.spawn(|| go(&mut waiting, START, LONG).unwrap_err());
        wait_for("the search", || has(&lines_of(&log), "go"));
        switch.pull();
        search.join().unwrap()
    });
    assert!(ended.detail.ends_with("with signal 9"), "{ended}");
    let refused = Engine::launch_under(&mock_launch(&[]), &switch).unwrap_err();
    assert_eq!(refused.cause, FaultCause::StartFailure);
    assert!(refused.detail.contains("stopped"), "{refused}");
    search(&mut other, START);
}

#[test]
fn an_engine_that_is_dropped_is_gone() {
    let name = "dropped without a word";
    drop(engine(&["--name", name]));
    assert!(processes().iter().all(|(_, arguments)| !arguments.contains(name)));
}

#[test]
fn engines_inherit_nothing_of_each_other() {
    let names = ["looked at from outside, one", "looked at from outside, two"];
    let _engines = names.map(|name| engine(&["--name", name]));
    // What a process has open, where the system shows it.
    let open = |name: &str, files: &[&str]| -> Vec<PathBuf> {
        let found = processes().into_iter().find(|(_, arguments)| arguments.contains(name));
        let Some((id, _)) = found else { return Vec::new() };
        let links = std::fs::read_dir(format!("/proc/{id}/fd")).unwrap().flatten();
        let chosen =
            links.filter(|link| files.is_empty() || files.iter().any(|file| link.file_name() == *file));
        chosen.flat_map(|link| std::fs::read_link(link.path())).collect()
    };
    let streams = ["0", "1", "2"];
    for (own, other) in [(names[0], names[1]), (names[1], names[0])] {
        let own = open(own, &[]);
        assert!(open(other, &streams).iter().all(|pipe| !own.contains(pipe)), "{own:?}");
    }
}

#[test]
fn the_first_line_of_a_program_is_its_version() {
    let arguments = |script: &str| vec!["-c".to_owned(), script.to_owned()];
    assert_eq!(first_line_of(Path::new("sh"), &arguments("echo ' v1.2 '; echo more")).unwrap(), "v1.2");
    let fault = first_line_of(Path::new("sh"), &arguments("exit 0")).unwrap_err();
    assert_eq!(fault.cause, FaultCause::StartFailure);
}
