//! `elometer run` and the commands around it, with the mock engine and with the built-in one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

use elometer::arena::SideName;
use elometer::ladder::{Plan, PlannedGame, Spec, make_plan};
use serde_json::Value;

use super::support::{Lab, OPENINGS, mock_engine, processes, wait_for};

const RUNG: &[&str] = &["--elo", "1000:2000"];

fn levels(levels: &str) -> String {
    format!("levels = [{levels}]")
}

fn field<'a>(game: &'a Value, name: &str) -> &'a str {
    game[name].as_str().unwrap_or_default()
}

// Plans.

fn plan_of(lab: &Lab) -> Plan {
    make_plan(&Spec::load(&lab.path("spec.toml")).unwrap()).unwrap().plan
}

/// Subject's colour, level and opening of each game.
fn games_of(plan: &Plan) -> impl Iterator<Item = (&PlannedGame, u32, &str)> {
    plan.games.iter().map(|game| {
        let level = plan.rung_of(game).level.unwrap();
        (game, level, plan.opening_of(game).fen.as_str())
    })
}

fn lab_with_many_openings(pairs: usize) -> Lab {
    let lab = Lab::new();
    lab.write_mock_spec(&[], RUNG, &levels("1000, 1500, 2000"));
    let openings =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("positions/openings.epd"));
    let openings = openings.unwrap().lines().take(7).collect::<Vec<_>>().join("\n");
    lab.write("openings.epd", &openings);
    lab.change_spec(&format!("pairs = {pairs}"));
    lab
}

#[test]
fn every_level_plays_the_same_openings_with_both_colours_in_turn() {
    let plan = plan_of(&lab_with_many_openings(17));
    assert_eq!(plan.games.len(), 17 * 3 * 2);
    let mut by_level = BTreeMap::<u32, Vec<(&str, SideName)>>::new();
    for (game, level, opening) in games_of(&plan) {
        by_level.entry(level).or_default().push((opening, game.subject));
    }
    assert_eq!(by_level.keys().copied().collect::<Vec<_>>(), [1000, 1500, 2000]);
    assert!(by_level.values().all(|games| *games == by_level[&1000]));
    for pair in by_level[&1000].chunks(2) {
        let [(first, SideName::White), (second, SideName::Black)] = pair else { panic!("{pair:?}") };
        assert_eq!(first, second);
    }
    // Cut anywhere, the levels have played alike: never two pairs of one level before one of another.
    let order: Vec<u32> = games_of(&plan).map(|(_, level, _)| level).collect();
    assert!(order.chunks(6).all(|round| round == [1000, 1000, 1500, 1500, 2000, 2000]));
    // A pair's number is its own, and its two games share level and opening.
    let pairs: BTreeSet<_> = plan.games.iter().map(|game| (game.pair, game.rung, game.opening)).collect();
    assert_eq!(pairs.len(), 17 * 3);
    assert_eq!(pairs.iter().map(|(pair, ..)| pair).collect::<BTreeSet<_>>().len(), 17 * 3);
}

#[test]
fn no_opening_repeats_before_all_are_used() {
    let plan = plan_of(&lab_with_many_openings(17));
    let of_one_level: Vec<&str> = games_of(&plan)
        .filter(|(game, level, _)| *level == 1500 && game.subject == SideName::White)
        .map(|(.., opening)| opening)
        .collect();
    for round in of_one_level.chunks(7) {
        assert_eq!(round.iter().collect::<BTreeSet<_>>().len(), round.len());
    }
    assert_eq!(plan.openings.len(), 7);
}

#[test]
fn a_seed_gives_the_same_plan_again_and_another_seed_another_order() {
    let lab = lab_with_many_openings(5);
    let first = plan_of(&lab);
    assert_eq!(first.to_json().unwrap(), plan_of(&lab).to_json().unwrap());
    lab.change_spec("seed = 2");
    let second = plan_of(&lab);
    assert_ne!(first.openings, second.openings);
    assert_ne!(Plan::seal(&first.to_json().unwrap()), Plan::seal(&second.to_json().unwrap()));
}

#[test]
fn the_plan_is_shown_as_text_and_as_json_and_nothing_is_written() {
    let lab = Lab::new();
    lab.write_mock_spec(&[], RUNG, &format!("{}\nhash = 4\nthreads = 1", levels("1000, 2000")));
    insta::assert_snapshot!("plan_text", lab.run_to(0, &["plan", "spec.toml"]).stdout);
    let json = lab.run_to(0, &["plan", "spec.toml", "--format", "json"]).stdout;
    insta::assert_snapshot!("plan_json", json);
    assert!(!lab.path("runs").exists());
}

#[test]
fn what_may_not_be_meant_is_a_warning() {
    let lab = Lab::new();
    lab.write_mock_spec(&[], RUNG, &levels("1000"));
    lab.change_spec("pairs = 3");
    lab.change_spec("max_plies = 12\ndraw = { from_move = 1, moves = 2, score_cp = 5 }");
    let spec = lab.read("spec.toml").replacen("{ nodes = 1 }", "{ movetime_ms = 10 }", 1);
    lab.write("spec.toml", &spec);
    let ran = lab.run_to(0, &["run", "spec.toml", "--concurrency", "999"]);
    let warnings: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("warning: ")).collect();
    for part in [
        "3 pairs per level from 2 openings",
        "only the subject is limited by time",
        "no draw is",
        "999 games at once",
    ] {
        assert!(warnings.iter().any(|warning| warning.contains(part)), "{part}: {}", ran.stderr);
    }
}

// Games.

#[test]
fn each_game_has_the_level_of_its_rung_in_one_process_that_is_used_again() {
    let lab = Lab::new();
    let log = lab.path("log").display().to_string();
    lab.write_mock_spec(
        &[],
        &["--elo", "1000:2000", "--log", &log],
        &format!("{}\nmutable = ['log']", levels("1000, 1700, 2000")),
    );
    lab.run_to(0, &["run", "spec.toml", "--concurrency", "1", "--no-probe"]);
    let (mut level, mut limited, mut starts) = (None, false, 0);
    let mut played = Vec::new();
    for line in lab.read("log").lines() {
        match line.strip_prefix("setoption name ").and_then(|rest| rest.split_once(" value ")) {
            Some(("UCI_Elo", value)) => level = value.parse().ok(),
            Some(("UCI_LimitStrength", value)) => limited = value == "true",
            _ => {}
        }
        starts += usize::from(line == "uci");
        if line == "ucinewgame" {
            played.push((level, limited));
        }
    }
    let planned = plan_of(&lab);
    let planned: Vec<_> = games_of(&planned).map(|(_, level, _)| (Some(level), true)).collect();
    assert_eq!(played, planned);
    // Once to make the plan and once to play.
    assert_eq!(starts, 2);
}

#[test]
fn a_rungs_fault_is_replayed_and_never_a_point() {
    let lab = Lab::new();
    // Six moves a game: the process crashes in its second game, a new one then plays that again.
    lab.write_mock_spec(
        &[],
        &["--elo", "1000:2000", "--fault", "crash", "--fault-every", "9"],
        &levels("1000, 2000"),
    );
    let ran = lab.run_to(0, &["run", "spec.toml", "--concurrency", "1", "--out", "run"]);
    assert!(
        ran.stdout.contains("games      8 of 8 played\nsubject    0 won, 8 drawn, 0 lost"),
        "{}",
        ran.stdout
    );
    let journal = lab.journal("run");
    let void: Vec<_> = journal.iter().filter(|game| game["void"] == true).collect();
    assert_eq!((journal.len(), void.len()), (15, 7));
    assert!(void.iter().all(|game| game["attempt"] == 0 && game["termination"] == "crash"));
    assert_eq!(lab.read("run/games.csv").lines().count(), 9);
}

/// White can promote at once in the second opening, and `no-letter` makes that an illegal move.
fn lab_with_a_pair_that_fails() -> Lab {
    let lab = Lab::new();
    lab.write_mock_spec(&[], &["--elo", "1000:2000", "--fault", "no-letter"], &levels("1000, 2000"));
    let first = OPENINGS.lines().next().unwrap();
    lab.write("openings.epd", &format!("{first}\n8/P6k/8/8/8/8/8/K7 w - - id \"Promotion\";\n"));
    lab
}

#[test]
fn a_pair_is_left_out_and_counted_when_its_replays_are_used_up() {
    let lab = lab_with_a_pair_that_fails();
    let ran = lab.run_to(4, &["run", "spec.toml", "--concurrency", "2", "--out", "run"]);
    assert!(ran.stderr.contains("warning: 2 opening pairs left out"), "{}", ran.stderr);
    insta::assert_snapshot!("left_out", ran.stdout);
    let failed: Vec<_> = lab.journal("run").into_iter().filter(|game| game["void"] == true).collect();
    assert_eq!(failed.len(), 2 * 4);
    for attempt in 0..4 {
        assert_eq!(failed.iter().filter(|game| game["attempt"] == attempt).count(), 2);
    }
    // The pair's other game was played to its end, and counts nowhere.
    let csv = lab.read("run/games.csv");
    assert_eq!(csv.lines().count(), 1 + 4);
    assert!(!csv.contains("Promotion") && !lab.read("run/games.pgn").contains("Promotion"));
    let fit: Value = serde_json::from_str(&lab.read("run/fit.json")).unwrap();
    assert_eq!((&fit["fit"]["games"], &fit["unused"][0]["games"]), (&4.into(), &2.into()));
    // Nothing is left to play, and that stays exit code 4.
    let again = lab.run_to(4, &["run", "spec.toml", "--out", "run"]);
    assert_eq!(again.stdout, ran.stdout);
    assert_eq!(lab.journal("run").len(), 2 * 4 + 6);
}

#[test]
fn every_fault_of_the_subject_is_a_loss_and_the_run_is_complete() {
    for (fault, termination, pgn) in [
        ("illegal", "illegal_move", "rules infraction"),
        ("token:(none)", "no_move", "rules infraction"),
        ("crash", "crash", "abandoned"),
        ("hang", "hang", "abandoned"),
        ("late", "time_loss", "time forfeit"),
    ] {
        let lab = Lab::new();
        lab.write_mock_spec(&["--fault", fault], RUNG, &levels("1000"));
        let timed = if fault == "late" {
            "{ movetime_ms = 30 }"
        } else {
            "{ nodes = 1 }\ndeadlines = { search_ms = 100 }"
        };
        let spec = lab.read("spec.toml").replacen("{ nodes = 1 }", timed, 1);
        lab.write("spec.toml", &spec);
        let ran = lab.run_to(0, &["run", "spec.toml", "--out", "run", "--no-probe"]);
        assert!(ran.stdout.contains("0 won, 0 drawn, 4 lost"), "{fault}: {}", ran.stdout);
        assert!(ran.stdout.contains("of the subject"), "{fault}: {}", ran.stdout);
        for game in lab.journal("run") {
            assert_eq!((field(&game, "termination"), &game["void"]), (termination, &false.into()), "{fault}");
            assert_eq!(game["fault"]["engine"], "Mock");
        }
        assert_eq!(lab.read("run/games.csv").matches(",subject,").count(), 4);
        assert_eq!(lab.read("run/games.pgn").matches(&format!("[Termination \"{pgn}\"]")).count(), 4);
    }
}

#[test]
fn in_a_match_a_fault_is_a_loss_for_whoever_did_it() {
    for (subject, opponent, score) in [
        (&["--fault", "crash"][..], &[][..], "0 won, 0 drawn, 4 lost"),
        (&[], &["--fault", "crash"], "4 won, 0 drawn, 0 lost"),
    ] {
        let lab = Lab::new();
        lab.write_mock_spec(subject, opponent, "");
        let ran = lab.run_to(0, &["run", "spec.toml", "--out", "run", "--no-probe"]);
        assert!(ran.stdout.contains(score), "{}", ran.stdout);
        assert!(lab.journal("run").iter().all(|game| game["void"] == false));
    }
}

#[test]
fn an_engine_that_no_longer_starts_makes_games_void_and_never_lost() {
    for rest in ["", "levels = [1000]"] {
        let lab = Lab::new();
        lab.write_mock_spec(&[], RUNG, rest);
        // Starts for the plan, and never again.
        let script = format!(
            "#!/bin/sh\n[ -e started ] && exit 1\ntouch started\nexec '{}'\n",
            mock_engine().display()
        );
        lab.write("engine", &script);
        assert!(
            Command::new("chmod")
                .args(["+x", "engine"])
                .current_dir(lab.path(""))
                .status()
                .unwrap()
                .success()
        );
        let spec = lab.read("spec.toml").replacen(
            &format!("'{}'", mock_engine().display()),
            "'./engine'\ndirectory = '.'",
            1,
        );
        lab.write("spec.toml", &spec);
        let ran = lab.run_to(4, &["run", "spec.toml", "--out", "run", "--no-probe"]);
        assert!(ran.stdout.contains("subject    0 won, 0 drawn, 0 lost"), "{}", ran.stdout);
        let journal = lab.journal("run");
        assert_eq!(journal.len(), 4 * 4);
        assert!(journal.iter().all(|game| game["void"] == true && game["termination"] == "start_failure"));
    }
}

#[test]
fn a_program_that_is_replaced_during_the_run_is_noticed() {
    let lab = Lab::new();
    lab.write_mock_spec(&[], RUNG, &levels("1000"));
    // Adds a line to its own file when it starts a second time, to play.
    let script = format!(
        "#!/bin/sh\n[ -e started ] && echo '# new' >> engine\ntouch started\nexec '{}'\n",
        mock_engine().display()
    );
    lab.write("engine", &script);
    assert!(
        Command::new("chmod").args(["+x", "engine"]).current_dir(lab.path("")).status().unwrap().success()
    );
    let spec = lab.read("spec.toml").replacen(
        &format!("'{}'", mock_engine().display()),
        "'./engine'\ndirectory = '.'",
        1,
    );
    lab.write("spec.toml", &spec);
    let ran = lab.run_to(4, &["run", "spec.toml", "--concurrency", "1", "--no-probe"]);
    assert!(ran.stderr.contains("engine changed while games were played\nhint: "), "{}", ran.stderr);
}

#[test]
fn each_game_has_the_castling_notation_of_its_opening() {
    let lab = Lab::new();
    let log = lab.path("log").display().to_string();
    lab.write_mock_spec(
        &[],
        &["--elo", "1000:2000", "--log", &log],
        &format!("{}\nmutable = ['log']", levels("1000")),
    );
    let first = OPENINGS.lines().next().unwrap();
    lab.write(
        "openings.epd",
        &format!("{first}\nbbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\n"),
    );
    let classic = lab.read("spec.toml").replacen(&mock_engine().display().to_string(), "builtin:classic", 1);
    let classic = classic.lines().filter(|line| *line != "arguments = []").collect::<Vec<_>>().join("\n");
    lab.write("spec.toml", &classic);
    let ran = lab.run_to(0, &["run", "spec.toml", "--concurrency", "1", "--out", "run"]);
    assert!(ran.stdout.contains("games      4 of 4 played"), "{}", ran.stdout);
    let mut is_chess960 = false;
    let mut games = Vec::new();
    for line in lab.read("log").lines() {
        if let Some(value) = line.strip_prefix("setoption name UCI_Chess960 value ") {
            is_chess960 = value == "true";
        }
        if line.starts_with("position ") {
            let opening_is_chess960 = line.contains("bbqnnrkr");
            assert_eq!(is_chess960, opening_is_chess960, "{line}");
            games.push(is_chess960);
        }
    }
    games.dedup();
    assert_eq!(games.len(), 2, "one opening, then the other");
    assert_eq!(lab.read("run/games.pgn").matches("[Variant \"Chess960\"]").count(), 2);
}

// Results.

/// Games with every result: the subject resigns, is mated, or holds out for thirty plies.
fn played_ladder() -> Lab {
    let lab = lab_with_many_openings(6);
    lab.change_spec("max_plies = 30\nresign = { moves = 2, score_cp = 12 }");
    lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    lab
}

#[test]
fn the_pgn_gives_the_figures_of_the_run() {
    let lab = played_ladder();
    let fit = |input: &str| -> Value {
        let text = lab.run_to(0, &["fit", input, "--format", "json"]).stdout;
        serde_json::from_str(&text).unwrap()
    };
    let (run, pgn) = (fit("run"), fit("run/games.pgn"));
    assert_eq!(run["fit"], pgn["fit"]);
    assert_eq!(
        (&run["subject"], &run["fit"]["games"], &run["fit"]["pairs"]),
        (&pgn["subject"], &36.into(), &18.into())
    );
    assert_eq!(run["fit"]["elo_curve"]["kind"], "interval");
    // `fit.json` is the same document.
    assert_eq!(serde_json::from_str::<Value>(&lab.read("run/fit.json")).unwrap(), run);
}

#[test]
fn another_reader_of_pgn_accepts_the_games() {
    let Some(pgn_extract) =
        ["/usr/games/pgn-extract", "/usr/bin/pgn-extract"].into_iter().find(|path| Path::new(path).exists())
    else {
        eprintln!("not tested: no pgn-extract");
        return;
    };
    let lab = played_ladder();
    let output =
        Command::new(pgn_extract).args(["-s", "run/games.pgn"]).current_dir(lab.path("")).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(String::from_utf8(output.stdout).unwrap().matches("[Event ").count(), 36);
}

#[test]
fn the_games_are_exported_to_standard_output() {
    let lab = played_ladder();
    for format in ["pgn", "csv"] {
        let text = lab.run_to(0, &["export", "run", "--format", format]).stdout;
        assert_eq!(text, lab.read(&format!("run/games.{format}")));
    }
    let csv = lab.read("run/games.csv");
    assert_eq!(
        csv.lines().next().unwrap(),
        "game,pair,level,opponent,opening,eco,subject_color,outcome,subject_score,termination,fault_side,plies,duration_ms"
    );
    assert_eq!(csv.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect::<Vec<_>>().len(), 36);
    assert!(
        csv.lines().skip(1).all(|row| row.ends_with(',')),
        "no wall-clock time where nodes are the limit"
    );
    lab.run_to(2, &["export", "run"]);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let lab = played_ladder();
    for arguments in [
        &["export", "run", "--format", "pgn"][..],
        &["status", "run"],
        &["fit", "run"],
        &["plan", "spec.toml"],
    ] {
        let mut child = lab.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?} {}", String::from_utf8_lossy(&output.stderr));
        assert!(!String::from_utf8_lossy(&output.stderr).contains("error"));
    }
}

#[test]
fn the_standing_of_a_run_is_told() {
    let lab = played_ladder();
    let status = lab.run_to(0, &["status", "run"]).stdout;
    let lines: Vec<&str> = status.lines().collect();
    assert_eq!(lines[0], "run        spec: Subject against Opponent");
    assert_eq!(lines[1], "games      36 of 36 played");
    assert_eq!(lines[3], "faults     none");
    assert!(lines[4].starts_with("sessions   1, the last started 20"), "{status}");
    assert!(lines[5].starts_with("rating     ") && !lines[5].contains("so far"), "{status}");
    assert_eq!(lines.len(), 6);
    // Watching a run that is complete ends at once.
    let watched = lab.run_to(0, &["status", "run", "--watch", "--every", "1"]).stdout;
    assert_eq!(watched.trim_end(), status.trim_end());
}

#[test]
fn a_match_has_no_rating_and_says_why() {
    let lab = Lab::new();
    lab.write_mock_spec(&[], &[], "");
    lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    assert!(!lab.path("run/fit.json").exists());
    for input in ["run", "run/games.pgn"] {
        let subject: &[&str] = if input == "run" { &[] } else { &["--subject", "Subject"] };
        let text = lab.run_to(6, &[&["fit", input], subject].concat()).stdout;
        assert!(text.contains("no estimate: no opponent has a level"), "{text}");
        assert!(text.contains("not used: 4 games, level of the opponent unknown"), "{text}");
    }
}

#[test]
fn games_that_repeat_are_counted_and_are_no_evidence() {
    let lab = Lab::new();
    // One opening and an engine that plays the same answer again.
    lab.write_mock_spec(&[], RUNG, &levels("1000"));
    lab.write("openings.epd", OPENINGS.lines().next().unwrap());
    lab.change_spec("pairs = 3");
    let ran = lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    assert!(ran.stdout.contains("copies     4 games, each an earlier game"), "{}", ran.stdout);
    let fit: Value = serde_json::from_str(&lab.read("run/fit.json")).unwrap();
    assert_eq!(fit["fit"]["elo_curve"]["kind"], "absent");
}

#[test]
fn two_engines_of_one_name_are_told_apart() {
    let lab = Lab::new();
    lab.write_mock_spec(&[], RUNG, &levels("1000"));
    let spec = lab.read("spec.toml").replace("\"Subject\"", "\"Opponent UCI_Elo 1000\"");
    lab.write("spec.toml", &spec);
    let plan = plan_of(&lab);
    assert_eq!(plan.names(&plan.games[0]), ["Opponent UCI_Elo 1000", "Opponent UCI_Elo 1000 (opponent)"]);
    lab.write("spec.toml", &lab.read("spec.toml").replace("\"Opponent UCI_Elo 1000\"", "\"Opponent\""));
    let plan = plan_of(&lab);
    assert_eq!(plan.names(&plan.games[0]), ["Opponent", "Opponent (opponent) UCI_Elo 1000"]);
}

#[test]
fn help_explains_every_command_and_every_argument() {
    let lab = Lab::new();
    let top = lab.run_to(0, &["--help"]).stdout;
    for command in ["run", "plan", "status", "export", "engine", "perft", "fit"] {
        assert!(
            top.lines().any(|line| line.trim_start().starts_with(&format!("{command} "))),
            "{command}: {top}"
        );
        let help = lab.run_to(0, &[command, "--help"]).stdout;
        assert!(help.contains(&format!("Usage: elometer {command}")), "{help}");
        for (at, line) in
            help.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with(['<', '-']))
        {
            let own = line.trim_start().split_once("  ").is_some_and(|(_, text)| !text.trim().is_empty());
            let next = help.lines().nth(at + 1).is_some_and(|next| next.starts_with("          "));
            assert!(own || next, "{command}: `{line}` is not explained");
        }
    }
    assert_eq!(lab.run_to(0, &["--version"]).stdout, format!("elometer {}\n", env!("CARGO_PKG_VERSION")));
    lab.run_to(2, &[]);
    lab.run_to(2, &["run"]);
    lab.run_to(2, &["run", "spec.toml", "--concurrency", "0"]);
}

#[test]
fn no_colour_reaches_a_pipe() {
    let lab = Lab::new();
    lab.write_mock_spec(&[], RUNG, &levels("1000"));
    for arguments in
        [&["run", "spec.toml"][..], &["status", "runs/spec"], &["--help"], &["run"], &["run", "missing.toml"]]
    {
        let output = lab.command(arguments).env("NO_COLOR", "1").output().unwrap();
        let ran = lab.ran(&output);
        assert!(!ran.stdout.contains('\x1b') && !ran.stderr.contains('\x1b'), "{arguments:?}");
    }
}

// Processors.

#[cfg(target_os = "linux")]
#[test]
fn the_engines_of_a_pinned_game_run_where_the_game_does() {
    let lab = Lab::new();
    // The subject never answers, so that there is time to look at it.
    lab.write_mock_spec(&["--hang-on", "go"], &[], "");
    lab.change_spec("pairs = 1");
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim();
    let last = allowed.rsplit([',', '-']).next().unwrap();
    let mut run = lab
        .command(&["run", "spec.toml", "--out", "run", "--concurrency", "1", "--cpus", last, "--no-probe"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let parent = format!("PPid:\t{}\n", run.id());
    let engines = || -> Vec<String> {
        let status = |(process, _): (u32, _)| std::fs::read_to_string(format!("/proc/{process}/status")).ok();
        processes().into_iter().filter_map(status).filter(|status| status.contains(&parent)).collect()
    };
    wait_for("both engines to play", || lab.path("run/games.jsonl").exists() && engines().len() == 2);
    let pinned = format!("Cpus_allowed_list:\t{last}\n");
    assert!(engines().iter().all(|status| status.contains(&pinned)), "{:#?}", engines());
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(lab.read("run/games.jsonl").contains(&format!("\"cpus\":\"{last}\"")));
}

#[cfg(target_os = "linux")]
#[test]
fn processors_that_do_not_exist_or_do_not_suffice_are_refused_before_the_first_game() {
    let lab = Lab::new();
    lab.write_mock_spec(&[], &[], "");
    let refused = |cpus: &str, games: &str| {
        let arguments = ["run", "spec.toml", "--out", "run", "--concurrency", games, "--cpus", cpus];
        let ran = lab.run_to(2, &arguments);
        assert!(!lab.path("run").exists());
        ran.stderr
    };
    let unknown = refused("1023", "1");
    assert!(unknown.starts_with("error: --cpus: processor 1023 cannot be used: this program may run on"));
    let few = refused("auto", "1000");
    assert!(few.starts_with("error: --cpus: 1000 games at once with 1 threads an engine need 1000 cores,"));
    assert!(refused("0,0", "1").contains("processor 0 stands in the list twice"));
}

#[test]
fn a_timed_run_says_how_much_later_moves_arrive_than_their_engines_claim() {
    let lab = Lab::new();
    lab.write_mock_spec(&[], &[], "");
    // The built-in engine says how long it took, the mock does not; no busy machine misses the margin.
    let spec = lab.read("spec.toml").replace("{ nodes = 1 }", "{ movetime_ms = 1, margin_ms = 60000 }");
    let engine = format!("engine = '{}'\nname = \"Subject\"", mock_engine().display());
    assert!(spec.contains(&engine));
    lab.write("spec.toml", &spec.replace(&engine, "engine = 'builtin:classic'\nname = \"Subject\""));
    let ran = lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    let line = |start| ran.stdout.lines().find(|line| line.starts_with(start)).unwrap_or(&ran.stdout);
    let subject = line("latency    subject median ");
    // Four games of twelve plies, half of them the subject's.
    assert!(subject.ends_with("measured less its own `time`, 24 moves"), "{subject}");
    assert_eq!(line("           opponent "), "           opponent unknown: it reports no `time`");
    assert!(lab.run_to(0, &["status", "run"]).stdout.contains(subject));
}
