//! Before game 1 every engine makes one move from the first opening: who cannot is refused.

use super::support::{Lab, Ran, lines_of};

/// `plan` and `run` refuse the spec with exit code 4 and the same words, and no run folder is made.
#[track_caller]
fn refused(lab: &Lab) -> Ran {
    let run = lab.run_to(4, &["run", "spec.toml", "--out", "run"]);
    let plan = lab.run_to(4, &["plan", "spec.toml"]);
    // On a clock `run` also warns of the load.
    let error = &run.stderr[run.stderr.find("error: ").unwrap()..];
    assert_eq!(error, plan.stderr);
    assert!(!lab.path("run").exists(), "a mended spec must not find the plan of the broken one");
    assert!(run.stderr.contains("\nhint: "), "{}", run.stderr);
    run
}

fn with_subject(arguments: &[&str]) -> Lab {
    let lab = Lab::new();
    lab.write_mock_spec(arguments, &[], "");
    lab
}

/// The subject is this shell script.
fn with_script(script: &str) -> Lab {
    use std::os::unix::fs::PermissionsExt as _;
    let lab = with_subject(&[]);
    lab.write("engine", script);
    std::fs::set_permissions(lab.path("engine"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let spec = lab.read("spec.toml");
    let engine = format!("engine = '{}'", super::support::mock_engine().display());
    lab.write("spec.toml", &spec.replacen(&engine, "engine = './engine'", 1));
    lab
}

#[test]
fn a_typo_in_the_path_of_a_network_is_refused_with_the_engines_own_words() {
    let stderr = refused(&with_subject(&["--go-needs", "nets/typo.nnue"])).stderr;
    assert!(stderr.contains("the subject Subject does not play from the first opening: crash"), "{stderr}");
    assert!(stderr.contains("< info string ERROR: the network nets/typo.nnue was not loaded"), "{stderr}");
    assert!(stderr.contains("hint: its own lines name a file that it cannot read"), "{stderr}");
}

#[test]
fn a_missing_shared_library_is_refused_with_the_loaders_words() {
    let lab = with_script(
        "#!/bin/sh\necho 'engine: error while loading shared libraries: libnet.so.2: cannot open shared object \
         file: No such file or directory' >&2\nexit 127\n",
    );
    let stderr = refused(&lab).stderr;
    assert!(stderr.contains("with exit code 127") && stderr.contains("libnet.so.2"), "{stderr}");
    assert!(stderr.contains("hint: a shared library is missing: `ldd PROGRAM`"), "{stderr}");
}

#[test]
fn an_engine_of_another_protocol_is_refused() {
    let lab = with_subject(&["--script", "dialogue"]);
    lab.write("dialogue", "await uci\nsay Error (unknown command): uci\nawait quit\n");
    lab.write(
        "spec.toml",
        &lab.read("spec.toml").replacen("arguments", "deadlines = { start_ms = 300 }\narguments", 1),
    );
    let stderr = refused(&lab).stderr;
    assert!(stderr.contains("    > uci\n    < Error (unknown command): uci\n"), "{stderr}");
    assert!(
        stderr.contains("hint: it does not answer `uci` and speaks as an xboard engine does"),
        "{stderr}"
    );
    lab.write("dialogue", "await uci\nawait quit\n");
    let stderr = refused(&lab).stderr;
    assert!(stderr.contains("hint: it does not answer `uci` with `uciok` in time"), "{stderr}");
}

#[test]
fn an_engine_that_plays_only_from_its_own_folder_is_refused_and_plays_from_there() {
    let lab = with_subject(&["--start-needs", "data.bin"]);
    let stderr = refused(&lab).stderr;
    assert!(stderr.contains("stderr:\n    cannot open data.bin: no such file or directory"), "{stderr}");
    assert!(stderr.contains("`directory` in the spec"), "{stderr}");
    std::fs::create_dir(lab.path("home")).unwrap();
    lab.write("home/data.bin", "data");
    lab.write("spec.toml", &lab.read("spec.toml").replacen("arguments", "directory = 'home'\narguments", 1));
    lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
}

#[test]
fn an_engine_that_dies_at_go_is_refused_and_so_is_an_opponent_at_its_highest_level() {
    let stderr = refused(&with_subject(&["--fault", "crash", "--exit-code", "7"])).stderr;
    assert!(stderr.contains("ended during `go` with exit code 7"), "{stderr}");
    assert!(stderr.contains("    > go nodes 1\n"), "{stderr}");
    let lab = Lab::new();
    lab.write_mock_spec(&[], &["--elo", "1000:2000", "--fault", "abort"], "levels = [1000, 1500, 2000]");
    let stderr = refused(&lab).stderr;
    assert!(stderr.contains("the opponent Opponent UCI_Elo 1000 does not play"), "{stderr}");
}

#[test]
fn illegal_moves_no_moves_and_hangs_are_refused() {
    let illegal = refused(&with_subject(&["--fault", "token:e2e5"])).stderr;
    assert!(illegal.contains("illegal move") && illegal.contains("`e2e5`"), "{illegal}");
    let none = refused(&with_subject(&["--fault", "token:(none)"])).stderr;
    assert!(none.contains("answered `bestmove (none)` though there are legal moves"), "{none}");
    let hang = with_subject(&["--fault", "hang"]);
    hang.change_spec("limits = { movetime_ms = 1 }");
    hang.write(
        "spec.toml",
        &hang.read("spec.toml").replacen("arguments", "deadlines = { stop_ms = 100 }\narguments", 1),
    );
    let hang = refused(&hang).stderr;
    assert!(hang.contains("hang: ") && hang.contains("no answer to `stop` before its deadline"), "{hang}");
}

#[test]
fn without_a_probe_such_an_engine_loses_its_games() {
    let lab = with_subject(&["--fault", "token:e2e5"]);
    lab.run_to(0, &["plan", "spec.toml", "--no-probe"]);
    lab.run_to(0, &["run", "spec.toml", "--out", "run", "--no-probe"]);
    assert_eq!(lab.journal("run").len(), 4);
}

#[test]
fn a_long_search_is_stopped_and_is_a_note() {
    let lab = with_subject(&["--fault", "late"]);
    lab.change_spec("limits = { movetime_ms = 1 }");
    let stderr = lab.run_to(0, &["plan", "spec.toml"]).stderr;
    assert!(stderr.contains("probe: Subject had no move after "), "{stderr}");
}

#[test]
fn what_is_reported_is_compared_with_what_is_asked() {
    let lab = with_subject(&["--fault", "overshoot"]);
    let expected = "probe: Subject was asked for 1 nodes and reported 1000001 (more than twice its limit)\n";
    assert_eq!(lab.run_to(0, &["plan", "spec.toml"]).stderr, expected);
    let ran = lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    assert_eq!(lab.run_to(0, &["plan", "spec.toml", "--no-probe"]).stderr, "");
    let lab = with_subject(&["--fault", "no-info"]);
    let stderr = lab.run_to(0, &["plan", "spec.toml"]).stderr;
    assert!(stderr.contains("probe: Subject was asked for 1 nodes and reported none"), "{stderr}");
}

#[test]
fn a_probe_is_a_process_of_its_own_and_leaves_nothing_in_the_games() {
    let lab = Lab::new();
    let opponent = ["--elo", "1000:2000", "--carry-state"];
    lab.write_mock_spec(&["--carry-state"], &opponent, "levels = [1000, 1500, 2000]");
    for (out, more) in [("probed", &[][..]), ("plain", &["--no-probe"][..])] {
        let arguments = [&["run", "spec.toml", "--concurrency", "1", "--out", out], more].concat();
        lab.run_to(0, &arguments);
    }
    for file in ["plan.json", "games.pgn", "games.csv"] {
        assert_eq!(lab.read(&format!("probed/{file}")), lab.read(&format!("plain/{file}")), "{file}");
    }
}

#[test]
fn the_probe_asks_what_a_game_asks_first() {
    let lab = Lab::new();
    let opponent = ["--elo", "1000:2000", "--log", "opponent.log"];
    lab.write_mock_spec(&[], &opponent, "levels = [1000, 1500, 2000]\nmutable = ['opponent.log']");
    lab.run_to(0, &["plan", "spec.toml"]);
    let heard = lines_of(&lab.path("opponent.log"));
    let told: Vec<_> = heard.iter().filter(|line| line.contains("UCI_Elo")).collect();
    assert_eq!(told, ["setoption name UCI_Elo value 1000", "setoption name UCI_Elo value 2000"]);
    let opening = &lab.plan_json()["openings"][0]["fen"];
    let position = format!("position fen {}", opening.as_str().unwrap());
    assert_eq!(heard.iter().filter(|line| **line == position).count(), 2, "{heard:?}");
    assert_eq!(heard.iter().filter(|line| *line == "go nodes 1").count(), 2, "{heard:?}");
}

#[test]
fn resuming_probes_again_when_games_are_missing() {
    let lab = Lab::new();
    lab.write_mock_spec(&["--go-needs", "net"], &[], "");
    lab.write("spec.toml", &lab.read("spec.toml").replacen("arguments", "mutable = ['net']\narguments", 1));
    lab.write("net", "weights");
    lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    std::fs::remove_file(lab.path("net")).unwrap();
    lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    let journal = lab.read("run/games.jsonl");
    let cut: Vec<_> = journal.lines().take(3).map(|line| format!("{line}\n")).collect();
    lab.write("run/games.jsonl", &cut.concat());
    let ran = lab.run_to(4, &["run", "spec.toml", "--out", "run"]);
    assert!(ran.stderr.contains("the network net was not loaded"), "{}", ran.stderr);
    assert_eq!(lab.journal("run").len(), 2, "what was played is kept");
}

#[test]
fn a_launcher_without_files_is_warned_of_once() {
    let mock = super::support::mock_engine();
    let lab = with_script(&format!("#!/bin/sh\nexec '{}' \"$@\"\n", mock.display()));
    let expected = "warning: engine ./engine is a script and no files are listed";
    for arguments in [&["plan", "spec.toml"][..], &["run", "spec.toml", "--out", "run"]] {
        let stderr = lab.run_to(0, arguments).stderr;
        assert_eq!(stderr.matches(expected).count(), 1, "{stderr}");
    }
    lab.write(
        "spec.toml",
        &lab.read("spec.toml").replacen("arguments", "files = ['openings.epd']\narguments", 1),
    );
    assert_eq!(lab.run_to(0, &["plan", "spec.toml"]).stderr, "");
}

#[test]
fn an_engine_that_does_not_start_shows_its_last_lines_to_every_command() {
    let lab = Lab::new();
    lab.write("dialogue", "await uci\nsay Hello from far away\nwarn the well is dry\nexit 3\n");
    let mock = super::support::mock_engine();
    let mock = mock.to_str().unwrap();
    let dialogue = lab.path("dialogue");
    let dialogue = dialogue.to_str().unwrap();
    let commands: [&[&str]; 2] = [
        &["check", mock, "--arguments", "--script", dialogue],
        &[
            "fingerprint",
            "take",
            mock,
            "--nodes",
            "1",
            "--out",
            "f.json",
            "--arguments",
            "--script",
            dialogue,
        ],
    ];
    for command in commands {
        let stderr = lab.run_to(4, command).stderr;
        assert!(stderr.contains("< Hello from far away") && stderr.contains("the well is dry"), "{stderr}");
    }
}
