//! Interrupted, killed, damaged: what a run folder survives, and what it refuses.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use elometer::ladder::Journal;
use rustix::process::{Pid, Signal, kill_process};

use super::support::{Lab, Ran, spawn_with_heirs, wait_for_all};

// The same bytes.

/// The built-in engine against itself at fixed nodes: sixteen games.
fn classic() -> Lab {
    let lab = Lab::new();
    let openings = concat!(env!("CARGO_MANIFEST_DIR"), "/positions/openings.epd");
    lab.write(
        "spec.toml",
        &format!(
            "seed = 5\ndate = \"2026-11-29\"\n[openings]\nfile = '{openings}'\npairs = 8\n\
             [adjudication]\nmax_plies = 160\n\
             [subject]\nengine = \"builtin:classic\"\nname = \"A\"\nlimits = {{ nodes = 300 }}\nhash = 1\n\
             [opponent]\nengine = \"builtin:classic\"\nname = \"B\"\nlimits = {{ nodes = 400 }}\nhash = 1\n"
        ),
    );
    lab
}

#[track_caller]
fn assert_same_games(lab: &Lab, run: &str, other: &str) {
    for file in ["games.pgn", "games.csv"] {
        assert!(
            lab.read(&format!("{run}/{file}")) == lab.read(&format!("{other}/{file}")),
            "{run}/{file} differs"
        );
    }
}

/// Every game of the plan stands in the journal once.
#[track_caller]
fn assert_complete(lab: &Lab, run: &str) {
    let mut games: Vec<u64> = lab.journal(run).iter().map(|game| game["game"].as_u64().unwrap()).collect();
    games.sort_unstable();
    let planned = lab.plan(run)["games"].as_array().unwrap().len() as u64;
    assert_eq!(games, (0..planned).collect::<Vec<_>>());
}

/// Small numbers from a seed (Knuth's 64-bit linear congruential generator).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// Kills the run some time after its journal has grown by so many bytes, waits until nothing that it
/// started is left, and says whether it was killed before it ended by itself.
fn kill_later(lab: &Lab, run: &str, mut child: Child, bytes: u64, and_then: Duration) -> bool {
    let journal = lab.path(run).join("games.jsonl");
    let length = || fs::metadata(&journal).map_or(0, |data| data.len());
    let start = length();
    let mut reached = None;
    // A file tells nobody that it grew, so it is looked at.
    while child.try_wait().unwrap().is_none() {
        if length() >= start + bytes && reached.get_or_insert_with(Instant::now).elapsed() >= and_then {
            child.kill().unwrap();
            break;
        }
        sleep(Duration::from_millis(1));
    }
    wait_for_all(child).status.signal().is_some()
}

#[test]
fn the_same_games_at_any_concurrency_and_after_twenty_kills() {
    let lab = classic();
    for concurrency in ["1", "2", "4"] {
        lab.run_to(0, &["run", "spec.toml", "--out", concurrency, "--concurrency", concurrency]);
        assert_complete(&lab, concurrency);
    }
    assert_same_games(&lab, "2", "1");
    assert_same_games(&lab, "4", "1");
    let mut numbers = Numbers(2026);
    let mut kills = 0;
    // A run that is complete is followed by another one.
    for run in 0.. {
        let run = format!("killed-{run}");
        let mut killed = true;
        while killed && kills < 20 {
            let child = spawn_with_heirs(&lab, &["run", "spec.toml", "--out", &run, "--concurrency", "2"]);
            let bytes = [0, 0, 1, 4_000][numbers.below(4) as usize];
            killed = kill_later(&lab, &run, child, bytes, Duration::from_millis(numbers.below(250)));
            kills += u32::from(killed);
        }
        lab.run_to(0, &["run", "spec.toml", "--out", &run]);
        assert_complete(&lab, &run);
        assert_same_games(&lab, &run, "1");
        if kills == 20 {
            return;
        }
    }
}

// Signals.

/// A match of engines that take their time, and what it gives when nothing interrupts it.
fn slow_match(think_ms: &str) -> Lab {
    let lab = Lab::new();
    lab.write_mock_spec(&["--think-ms", think_ms], &["--seed", "2"], "");
    lab.change_spec("pairs = 5");
    lab
}

/// The lines of a run's standard error as they come.
struct Watched {
    child: Child,
    lines: BufReader<std::process::ChildStderr>,
    seen: String,
}

impl Watched {
    fn start(lab: &Lab, arguments: &[&str]) -> Self {
        let mut child = spawn_with_heirs(lab, arguments);
        let lines = BufReader::new(child.stderr.take().unwrap());
        Self { child, lines, seen: String::new() }
    }

    /// Reads up to a line with this text.
    #[track_caller]
    fn wait_for(&mut self, text: &str) {
        loop {
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "`{text}` never came:\n{}", self.seen);
            self.seen.push_str(&line);
            if line.contains(text) {
                return;
            }
        }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for the end of the run and of its engines.
    fn end(mut self, lab: &Lab) -> Ran {
        while self.lines.read_line(&mut self.seen).unwrap() > 0 {}
        let ran = lab.ran(&wait_for_all(self.child));
        Ran { stderr: lab.redacted(&self.seen), ..ran }
    }
}

/// Runs the command that an interrupted run printed.
fn resume(lab: &Lab, ran: &Ran) -> Ran {
    let command = ran.stderr.lines().find_map(|line| line.strip_prefix("to go on: elometer ")).unwrap();
    lab.run_to(0, &command.split(' ').collect::<Vec<_>>())
}

#[test]
fn a_pause_of_the_whole_program_is_no_engines_fault() {
    let deadlines = "deadlines = { search_ms = 1500 }\nlimits = { nodes = 1 }";
    for limits in [deadlines, "limits = { tc = '2+0.2' }"] {
        let lab = slow_match("20");
        lab.write("spec.toml", &lab.read("spec.toml").replace("limits = { nodes = 1 }", limits));
        let mut run = Watched::start(&lab, &["run", "spec.toml", "--out", "run", "--concurrency", "2"]);
        run.wait_for("1/10 games");
        run.signal(Signal::STOP);
        // A pause takes time; nothing is asserted about how much.
        sleep(Duration::from_millis(3_000));
        run.signal(Signal::CONT);
        let ran = run.end(&lab);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains("games      10 of 10 played"), "{}", ran.stdout);
        assert!(ran.stdout.contains("faults     none\n"), "{limits}\n{}\n{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_first_signal_lets_the_games_in_progress_finish() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let lab = slow_match("10");
        let mut run = Watched::start(&lab, &["run", "spec.toml", "--out", "run", "--concurrency", "2"]);
        run.wait_for("1/10 games");
        run.signal(signal);
        let ran = run.end(&lab);
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        assert!(
            ran.stderr.ends_with("to go on: elometer run spec.toml --out run --concurrency 2\n"),
            "{}",
            ran.stderr
        );
        let games = lab.journal("run").len();
        assert!((1..10).contains(&games), "{games}");
        assert!(ran.stdout.contains(&format!("games      {games} of 10 played")), "{}", ran.stdout);
        assert_eq!(lab.read("run/games.csv").lines().count(), 1 + games);
        let resumed = resume(&lab, &ran);
        assert!(
            resumed.stderr.contains(&format!("resuming: {games} of 10 games are played")),
            "{}",
            resumed.stderr
        );
        assert_complete(&lab, "run");
        lab.run_to(0, &["run", "spec.toml", "--out", "whole"]);
        assert_same_games(&lab, "run", "whole");
    }
}

#[test]
fn a_second_signal_stops_the_engines_at_once() {
    let lab = slow_match("60000");
    let mut run = Watched::start(&lab, &["run", "spec.toml", "--out", "my run", "--concurrency", "2"]);
    run.wait_for("playing 10 games");
    run.signal(Signal::TERM);
    run.wait_for("stopping: games in progress are finished");
    run.signal(Signal::INT);
    let ran = run.end(&lab);
    assert_eq!(ran.code, Some(143), "{}", ran.stderr);
    assert!(ran.stderr.contains("stopping the engines now"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("to go on: elometer run spec.toml --out 'my run' --concurrency 2"),
        "{}",
        ran.stderr
    );
    assert_eq!(lab.journal("my run").len(), 0);
}

// The journal.

/// A finished match of four games in `run`.
fn finished() -> Lab {
    let lab = Lab::new();
    lab.write_mock_spec(&[], &["--seed", "2"], "");
    lab.run_to(0, &["run", "spec.toml", "--out", "run", "--concurrency", "1"]);
    lab
}

/// Copies plan and journal of `run`, the journal changed.
fn copy(lab: &Lab, to: &str, change: impl FnOnce(Vec<String>) -> String) {
    fs::create_dir(lab.path(to)).unwrap();
    lab.write(&format!("{to}/plan.json"), &lab.read("run/plan.json"));
    let lines = lab.read("run/games.jsonl").lines().map(|line| format!("{line}\n")).collect();
    lab.write(&format!("{to}/games.jsonl"), &change(lines));
}

/// All that reads a journal refuses it with this message, and `run` leaves it as it is.
#[track_caller]
fn assert_refused(lab: &Lab, run: &str, message: &str) {
    let before = lab.read(&format!("{run}/games.jsonl"));
    for arguments in [
        &["run", "spec.toml", "--out", run][..],
        &["status", run],
        &["fit", run],
        &["export", run, "--format", "csv"],
    ] {
        let ran = lab.run_to(3, arguments);
        let error = ran.stderr.split_once("error: ").map(|(_, error)| error).unwrap_or_default();
        assert!(error.starts_with(message), "{arguments:?}: {}\nexpected: {message}", ran.stderr);
        assert!(ran.stderr.lines().last().unwrap().starts_with("hint: "), "{}", ran.stderr);
    }
    assert_eq!(lab.read(&format!("{run}/games.jsonl")), before);
}

#[test]
fn a_torn_last_line_is_put_aside_and_its_game_played_again() {
    let lab = finished();
    let mut torn = String::new();
    copy(&lab, "torn", |lines| {
        let mut text = lines.concat();
        torn = lines[4][..lines[4].len() / 2].to_owned();
        text.truncate(text.len() - lines[4].len() + torn.len());
        text
    });
    let status = lab.run_to(0, &["status", "torn"]).stdout;
    assert!(status.contains(&format!("torn line  {} bytes", torn.len())), "{status}");
    assert!(status.contains("3 of 4 played"), "{status}");
    let ran = lab.run_to(0, &["run", "spec.toml", "--out", "torn"]);
    assert!(ran.stderr.contains("resuming: 3 of 4 games are played, 1 to go"), "{}", ran.stderr);
    assert_eq!(lab.read("torn/games.jsonl.torn"), torn + "\n");
    assert_complete(&lab, "torn");
    assert_same_games(&lab, "torn", "run");
    assert!(lab.run_to(0, &["status", "torn"]).stdout.contains("sessions   2"));
}

#[test]
fn a_last_line_that_lacks_only_its_end_and_a_torn_first_line_are_torn_too() {
    let lab = finished();
    copy(&lab, "almost", |lines| lines.concat().trim_end().to_owned());
    copy(&lab, "first", |lines| lines[0][..20].to_owned());
    copy(&lab, "empty", |_| String::new());
    for (run, games) in [("almost", "3 of 4"), ("first", "0 of 4"), ("empty", "0 of 4")] {
        let status = lab.run_to(0, &["status", run]).stdout;
        assert!(status.contains(games), "{run}: {status}");
        lab.run_to(0, &["run", "spec.toml", "--out", run]);
        assert_complete(&lab, run);
        assert_same_games(&lab, run, "run");
    }
}

#[test]
fn a_damaged_journal_is_refused_by_file_and_line() {
    let lab = finished();
    let with = |lines: &[String], at: usize, line: String| {
        let mut lines = lines.to_vec();
        lines[at] = line;
        lines.concat()
    };
    copy(&lab, "middle", |lines| with(&lines, 2, lines[2][..40].to_owned() + "\n"));
    assert_refused(
        &lab,
        "middle",
        "middle/games.jsonl, line 3: neither a session nor a game: control character",
    );
    copy(&lab, "nonsense", |lines| with(&lines, 3, "\0\0\0\n".to_owned()));
    assert_refused(
        &lab,
        "nonsense",
        "nonsense/games.jsonl, line 4: neither a session nor a game: expected value",
    );
    copy(&lab, "twice", |lines| lines.concat() + &lines[2]);
    assert_refused(&lab, "twice", "twice/games.jsonl, line 6: game 1 stands there twice");
    copy(&lab, "outside", |lines| lines.concat() + &lines[4].replacen("\"game\":3", "\"game\":4", 1));
    assert_refused(
        &lab,
        "outside",
        "outside/games.jsonl, line 6: game 4 is not in the plan, which has 4 games",
    );
    copy(&lab, "headless", |lines| lines[1..].concat());
    assert_refused(
        &lab,
        "headless",
        "headless/games.jsonl, line 1: a game before the line that names the plan",
    );
    copy(&lab, "newer", |lines| {
        with(&lines, 0, lines[0].replacen("\"format_version\":1", "\"format_version\":2", 1))
    });
    assert_refused(&lab, "newer", "newer/games.jsonl, line 1: format version 2, this elometer reads 1");
}

#[test]
fn a_result_changed_by_hand_is_noticed_where_it_contradicts_its_game() {
    let lab = finished();
    let changed = |to: &str, from: &str, with: &str| {
        copy(&lab, to, |lines| {
            assert!(lines[1].contains(from), "{}", lines[1]);
            lines.concat().replacen(from, with, 1)
        });
    };
    changed("won", "\"outcome\":\"draw\"", "\"outcome\":\"white\"");
    assert_refused(&lab, "won", "won/games.jsonl, line 2: game 0: maximum length and 1-0 exclude each other");
    changed("void", "\"void\":false", "\"void\":true");
    assert_refused(&lab, "void", "void/games.jsonl, line 2: game 0: `void` is true, but");
    changed("fault", "\"termination\":\"maximum_length\"", "\"termination\":\"crash\"");
    assert_refused(&lab, "fault", "fault/games.jsonl, line 2: game 0: crash and 1/2-1/2 exclude each other");
    // A move that is not legal shows where the moves are read.
    copy(&lab, "move", |lines| {
        let at = lines[1].find("\"move\":\"").unwrap() + 8;
        let mut text = lines.concat();
        let at = at + lines[0].len();
        text.replace_range(at..at + 4, "a1h8");
        text
    });
    for arguments in [&["run", "spec.toml", "--out", "move"][..], &["export", "move", "--format", "pgn"]] {
        let ran = lab.run_to(3, arguments);
        assert!(ran.stderr.contains("move/games.jsonl: game 0: move `a1h8` is not legal"), "{}", ran.stderr);
    }
}

#[test]
fn journal_and_plan_belong_together() {
    let lab = finished();
    copy(&lab, "edited", |lines| lines.concat());
    lab.write("edited/plan.json", &lab.read("run/plan.json").replacen("\"seed\": 1", "\"seed\": 2", 1));
    for arguments in [&["status", "edited"][..], &["fit", "edited"]] {
        let ran = lab.run_to(3, arguments);
        assert!(ran.stderr.contains("edited/games.jsonl, line 1: belongs to the plan"), "{}", ran.stderr);
    }
    let ran = lab.run_to(3, &["run", "spec.toml", "--out", "edited"]);
    assert!(
        ran.stderr.contains("edited holds a run of another plan (different: seed: 2, 1)"),
        "{}",
        ran.stderr
    );

    copy(&lab, "broken", |lines| lines.concat());
    lab.write("broken/plan.json", "{\"format_version\": 1,\n");
    let ran = lab.run_to(3, &["run", "spec.toml", "--out", "broken"]);
    assert!(ran.stderr.contains("broken/plan.json, line 2: not a plan: EOF"), "{}", ran.stderr);

    // Without its plan, a journal takes back the plan it was played by and no other.
    copy(&lab, "without", |lines| lines.concat());
    fs::remove_file(lab.path("without/plan.json")).unwrap();
    lab.run_to(3, &["status", "without"]);
    lab.change_spec("seed = 3");
    let ran = lab.run_to(3, &["run", "spec.toml", "--out", "without"]);
    assert!(ran.stderr.contains("without/games.jsonl, line 1: belongs to the plan"), "{}", ran.stderr);
    assert!(!lab.path("without/plan.json").exists());
    lab.change_spec("seed = 1");
    lab.run_to(0, &["run", "spec.toml", "--out", "without"]);
    assert_eq!(lab.read("without/plan.json"), lab.read("run/plan.json"));
}

#[test]
fn a_changed_spec_does_not_continue_an_old_run() {
    let lab = finished();
    let journal = lab.read("run/games.jsonl");
    for (line, difference) in [
        ("seed = 2", "seed: 1, 2"),
        ("pairs = 3", "number of games: 4, 6"),
        ("max_plies = 14", "adjudication"),
        ("date = \"2026-11-30\"", "date: 2026-11-29, 2026-11-30"),
        (
            "limits = { nodes = 2 }",
            "subject limits: 1 nodes a move, 2 nodes a move; opponent limits: 1 nodes a move, 2 nodes a move",
        ),
        (
            "arguments = [\"--seed\", \"9\"]",
            "subject arguments: none, --seed 9; opponent arguments: --seed 2, --seed 9",
        ),
    ] {
        let spec = lab.read("spec.toml");
        lab.change_spec(line);
        let ran = lab.run_to(3, &["run", "spec.toml", "--out", "run"]);
        let expected = format!("error: run holds a run of another plan (different: {difference})\nhint: ");
        assert!(ran.stderr.contains(&expected), "{line}: {}", ran.stderr);
        lab.write("spec.toml", &spec);
    }
    assert_eq!(lab.read("run/games.jsonl"), journal);
}

#[test]
fn a_complete_run_tells_its_results_again_and_makes_its_derived_files_again() {
    let lab = finished();
    let journal = lab.read("run/games.jsonl");
    let first = lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    assert!(first.stderr.contains("all 4 games are played already"), "{}", first.stderr);
    let pgn = lab.read("run/games.pgn");
    for file in ["games.pgn", "games.csv"] {
        fs::remove_file(lab.path(&format!("run/{file}"))).unwrap();
    }
    assert_eq!(lab.run_to(0, &["run", "spec.toml", "--out", "run"]).stdout, first.stdout);
    assert_eq!(lab.read("run/games.pgn"), pgn);
    assert_eq!(lab.read("run/games.jsonl"), journal);
    let mut files: Vec<_> = fs::read_dir(lab.path("run"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort_unstable();
    assert_eq!(files, ["games.csv", "games.jsonl", "games.pgn", "plan.json"]);
}

#[test]
fn one_folder_is_played_by_one_process_and_others_may_look() {
    let lab = finished();
    let lock = Journal::lock(&lab.path("run/games.jsonl")).unwrap();
    let ran = lab.run_to(1, &["run", "spec.toml", "--out", "run"]);
    assert!(
        ran.stderr.ends_with("error: run is in use by another elometer\nhint: wait for it, or stop it\n"),
        "{}",
        ran.stderr
    );
    lab.run_to(0, &["status", "run"]);
    drop(lock);
    lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
}

#[test]
fn a_running_run_tells_how_far_it_is() {
    let lab = slow_match("10");
    let mut run = Watched::start(&lab, &["run", "spec.toml", "--out", "run", "--concurrency", "1"]);
    run.wait_for("2/10 games");
    // Held, so that it cannot be done before the others have looked.
    run.signal(Signal::STOP);
    let status = lab.run_to(0, &["status", "run"]).stdout;
    assert!(status.contains(" of 10 played") && status.contains("sessions   1"), "{status}");
    let second = lab.run_to(1, &["run", "spec.toml", "--out", "run"]);
    assert!(second.stderr.contains("run is in use by another elometer"), "{}", second.stderr);
    run.signal(Signal::CONT);
    run.signal(Signal::INT);
    run.end(&lab);
}

// The disk.

/// Runs with files limited to so many blocks of 512 bytes: what a full disk does, without one.
fn run_on_a_small_disk(lab: &Lab, blocks: u64, arguments: &[&str]) -> Ran {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_elometer")]).args(arguments);
    lab.ran(&command.current_dir(lab.path("")).stdin(Stdio::null()).output().unwrap())
}

#[test]
fn a_disk_that_is_full_ends_the_run_and_loses_nothing() {
    let lab = finished();
    let ran = run_on_a_small_disk(&lab, 1, &["run", "spec.toml", "--out", "new"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("error: cannot write new/plan.json: File too large"), "{}", ran.stderr);
    assert!(!lab.path("new/plan.json").exists());

    copy(&lab, "full", |lines| lines[..3].concat());
    let blocks = fs::metadata(lab.path("full/games.jsonl")).unwrap().len() / 512 + 2;
    let ran = run_on_a_small_disk(&lab, blocks, &["run", "spec.toml", "--out", "full"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("error: cannot write full/games.jsonl: File too large"), "{}", ran.stderr);
    assert!(ran.stderr.lines().last().unwrap().starts_with("hint: check that the folder can be written"));
    lab.run_to(0, &["run", "spec.toml", "--out", "full"]);
    assert_complete(&lab, "full");
    assert_same_games(&lab, "full", "run");
}

#[test]
fn a_folder_that_cannot_be_made_is_exit_code_1() {
    let lab = finished();
    let ran = lab.run_to(1, &["run", "spec.toml", "--out", "spec.toml/run"]);
    assert!(ran.stderr.contains("error: cannot create spec.toml/run: "), "{}", ran.stderr);
    assert!(ran.stderr.lines().last().unwrap().starts_with("hint: "), "{}", ran.stderr);
}
