//! One identity is one player and two are two: `fit`, `fit --pool`, `match`, `compare` and `report` on
//! run folders.

use serde_json::{Value, json};

use super::support::{Lab, mock_engine};

/// Options that the mock declares for these tests.
const DECLARED: [&str; 6] = [
    "--option",
    "option name Threads type spin default 1 min 1 max 8",
    "--option",
    "option name Hash type spin default 16 min 1 max 1024",
    "--option",
    "option name EvalFile type string default <empty>",
];

/// A ladder of two levels whose subject and opponent each have this line or these lines more; it is
/// played into `out`.
fn play(lab: &Lab, out: &str, subject: &str, opponent: &str) {
    play_with(lab, out, &["--seed", "2"], subject, opponent);
}

fn play_with(lab: &Lab, out: &str, arguments: &[&str], subject: &str, opponent: &str) {
    let subject_arguments: Vec<&str> = arguments.iter().chain(&DECLARED).copied().collect();
    let opponent_arguments = ["--material", "--elo", "1000:2000", "--seed", "1"];
    lab.write_mock_spec(&subject_arguments, &opponent_arguments, "levels = [1200, 1400]");
    let spec = lab.read("spec.toml");
    let (first, second) = spec.split_once("[opponent]\n").unwrap();
    // A line given here takes the place of the one that begins as it does.
    let with = |part: &str, lines: &str| {
        let is_given = |old: &&str| {
            let key = old.split_once('=').map(|(key, _)| key.trim());
            let mut given = lines.lines().filter_map(|line| line.split_once('='));
            key.is_none_or(|key| !given.any(|(given, _)| given.trim() == key))
        };
        part.lines().filter(is_given).map(|line| format!("{line}\n")).collect::<String>() + lines + "\n"
    };
    let spec = format!("{}[opponent]\n{}", with(first, subject), with(second, opponent));
    lab.write("spec.toml", &spec);
    lab.run_to(0, &["run", "spec.toml", "--out", out]);
}

/// The subjects that `fit` finds in two runs, or none where they are one.
fn subjects(lab: &Lab, runs: [&str; 2]) -> Vec<String> {
    let ran = lab.run(&["fit", runs[0], runs[1]]);
    if ran.code == Some(0) {
        return Vec::new();
    }
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("the runs measure 2 subjects"), "{}", ran.stderr);
    assert!(ran.stderr.contains("--subject") && ran.stderr.contains("--pool"), "{}", ran.stderr);
    let listed = ran.stderr.lines().filter_map(|line| line.strip_prefix("  ")?.strip_suffix(": 8 games"));
    let mut names: Vec<String> = listed.map(str::to_owned).collect();
    names.sort();
    names
}

#[test]
fn subjects_that_differ_are_never_merged_and_are_named_by_the_difference() {
    let lab = Lab::new();
    play(&lab, "base", "limits = { depth = 6 }", "");
    play(&lab, "deep", "limits = { depth = 8 }", "");
    assert_eq!(subjects(&lab, ["base", "deep"]), ["Subject, depth 6", "Subject, depth 8"]);
    play(&lab, "hash", "limits = { depth = 6 }\nhash = 64", "");
    assert_eq!(subjects(&lab, ["base", "hash"]), ["Subject, Hash=16", "Subject, Hash=64"]);
    play_with(&lab, "other", &["--seed", "3"], "limits = { depth = 6 }", "");
    assert_eq!(subjects(&lab, ["base", "other"]), ["Subject, --seed 2", "Subject, --seed 3"]);
    let history = "limits = { depth = 6 }\nhistory = \"reversible\"";
    play(&lab, "history", history, "");
    assert_eq!(subjects(&lab, ["base", "history"]), ["Subject, history game", "Subject, history reversible"]);

    // One of them by the name that shows the difference; the bare name is refused.
    let refused = lab.run_to(3, &["fit", "base", "deep", "--subject", "Subject"]);
    assert!(refused.stderr.contains("`Subject` is the name of 2 players"), "{}", refused.stderr);
    assert!(refused.stderr.contains("\n  Subject, depth 8: 8 games\n"), "{}", refused.stderr);
    let fit = lab.run_to(0, &["fit", "base", "deep", "--subject", "Subject, depth 8", "--format", "json"]);
    let fit: Value = serde_json::from_str(&fit.stdout).unwrap();
    let alone: Value =
        serde_json::from_str(&lab.run_to(0, &["fit", "deep", "--format", "json"]).stdout).unwrap();
    assert_eq!((&fit["subject"], &fit["fit"]["games"]), (&json!("Subject, depth 8"), &json!(8)));
    assert_eq!(fit["fit"]["quoted"], alone["fit"]["quoted"]);
    assert_eq!(alone["subject"], "Subject");
}

#[test]
fn a_file_or_a_program_that_differs_makes_another_subject() {
    let lab = Lab::new();
    let folder = |name: &str| std::fs::create_dir(lab.path(name)).unwrap();
    folder("a");
    folder("b");
    lab.write("a/net", "a network");
    lab.write("b/net", "another");
    let setting = |net: &str| {
        let path = lab.path(net).canonicalize().unwrap();
        format!("limits = {{ depth = 6 }}\noptions = {{ EvalFile = \"{}\" }}", path.display())
    };
    play(&lab, "first", &setting("a/net"), "");
    lab.write("a/net", "trained again");
    play(&lab, "trained", &setting("a/net"), "");
    let names = subjects(&lab, ["first", "trained"]);
    assert_eq!(names.len(), 2, "{names:?}");
    let is_named = |name: &String| {
        let digits = name.strip_prefix("Subject, EvalFile ");
        digits.is_some_and(|digits| digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    assert!(names.iter().all(is_named), "{names:?}");

    let copy = lab.path("copy");
    std::fs::copy(mock_engine(), &copy).unwrap();
    let mut program = std::fs::read(&copy).unwrap();
    program.push(0);
    std::fs::write(&copy, program).unwrap();
    play(&lab, "base", "", "");
    play(&lab, "copied", &format!("engine = '{}'", copy.display()), "");
    let names = subjects(&lab, ["base", "copied"]);
    assert!(names.iter().all(|name| name.starts_with("Subject, program ")), "{names:?}");
    let text = lab.run(&["compare", "base", "copied"]).stdout;
    assert!(text.contains("note: the subjects differ in program (SHA-256): "), "{text}");
}

#[test]
fn what_is_sent_decides_and_not_who_chose_it() {
    let lab = Lab::new();
    play(&lab, "unset", "", "");
    play(&lab, "chosen", "threads = 1", "");
    assert_eq!(subjects(&lab, ["unset", "chosen"]), [""; 0]);
    let fit: Value =
        serde_json::from_str(&lab.run_to(0, &["fit", "unset", "chosen", "--format", "json"]).stdout).unwrap();
    assert_eq!((&fit["fit"]["games"], &fit["notices"]), (&json!(16), &json!([])));
    assert!(fit["conditions"].is_object(), "{}", fit["conditions"]);
    let found = compared(&lab, "unset", "chosen");
    assert_eq!((&found["subjects"]["same"], &found["opponents"]["same"]), (&json!(true), &json!(true)));

    // The opponent's too, and then levels are compared.
    play(
        &lab,
        "threads",
        "",
        "arguments = [\"--material\", \"--elo\", \"1000:2000\", \"--seed\", \"1\", \"--option\", \"option name Threads type spin default 1 min 1 max 8\"]\nthreads = 1",
    );
    play(
        &lab,
        "default",
        "",
        "arguments = [\"--material\", \"--elo\", \"1000:2000\", \"--seed\", \"1\", \"--option\", \"option name Threads type spin default 1 min 1 max 8\"]",
    );
    let found = compared(&lab, "threads", "default");
    assert_eq!(found["opponents"]["same"], true, "{}", found["opponents"]);
    assert_eq!(found["direct"]["levels"].as_array().unwrap().len(), 2);
}

/// What `compare` prints as JSON.
fn compared(lab: &Lab, first: &str, second: &str) -> Value {
    serde_json::from_str(&lab.run(&["compare", first, second, "--format", "json"]).stdout).unwrap()
}

#[test]
fn equal_subjects_under_two_names_are_one() {
    let lab = Lab::new();
    play(&lab, "one", "", "");
    play(&lab, "two", "name = \"Another\"", "name = \"Rung\"");
    let fit: Value =
        serde_json::from_str(&lab.run_to(0, &["fit", "one", "two", "--format", "json"]).stdout).unwrap();
    assert_eq!((&fit["subject"], &fit["fit"]["games"]), (&json!("Subject"), &json!(16)));
    assert_eq!(fit["notices"][0]["kind"], "equal_identities");
    let text = lab.run_to(0, &["fit", "two", "one"]).stdout;
    assert!(text.contains("one player each: `Another` (also `Subject`), `Rung UCI_Elo 1200`"), "{text}");
}

#[test]
fn a_pool_and_a_match_key_players_by_identity() {
    let lab = Lab::new();
    play(&lab, "base", "limits = { depth = 6 }", "");
    play(&lab, "deep", "limits = { depth = 8 }", "limits = { nodes = 2 }");
    let pool = |runs: [&str; 2]| -> Value {
        let arguments = ["fit", runs[0], runs[1], "--pool", "--format", "json"];
        serde_json::from_str(&lab.run_to(0, &arguments).stdout).unwrap()
    };
    let (one, other) = (pool(["base", "deep"]), pool(["deep", "base"]));
    let names: Vec<&str> =
        one["players"].as_array().unwrap().iter().map(|player| player["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "Opponent UCI_Elo 1200, 1 nodes a move",
            "Opponent UCI_Elo 1200, 2 nodes a move",
            "Opponent UCI_Elo 1400, 1 nodes a move",
            "Opponent UCI_Elo 1400, 2 nodes a move",
            "Subject, depth 6",
            "Subject, depth 8"
        ]
    );
    assert_eq!((&one["players"], &one["pool"]), (&other["players"], &other["pool"]));

    // Anchors by name: an ambiguous one is refused with the list.
    lab.write("levels.csv", "name,level\nOpponent UCI_Elo 1200,1210\n");
    let refused = lab.run_to(3, &["fit", "base", "deep", "--pool", "--levels", "levels.csv"]);
    assert!(refused.stderr.contains("Opponent UCI_Elo 1200, 2 nodes a move: 4 games"), "{}", refused.stderr);
    lab.write("levels.csv", "name,level\n\"Opponent UCI_Elo 1200, 2 nodes a move\",1210\n");
    let text = lab.run_to(0, &["fit", "base", "deep", "--pool", "--levels", "levels.csv"]).stdout;
    let row = text.lines().find(|line| line.starts_with("Opponent UCI_Elo 1200, 2 nodes a move")).unwrap();
    assert!(row.contains(" 1210 "), "{row}");

    let refused = lab.run_to(3, &["match", "base", "deep", "--subject", "Subject"]);
    assert!(refused.stderr.contains("\n  Subject, depth 6: 8 games"), "{}", refused.stderr);
    let opponent = "Opponent UCI_Elo 1400, 2 nodes a move";
    let arguments = ["match", "base", "deep", "--subject", "Subject, depth 8", "--opponent", opponent];
    let met: Value =
        serde_json::from_str(&lab.run(&[&arguments[..], &["--format", "json"]].concat()).stdout).unwrap();
    assert_eq!((&met["first"], &met["match"]["games"]), (&json!("Subject, depth 8"), &json!(4)));
}

#[test]
fn one_subject_against_opponents_that_differ_is_told_in_what() {
    let lab = Lab::new();
    play(&lab, "base", "", "");
    play(&lab, "nodes", "", "limits = { nodes = 2 }");
    let text = lab.run_to(0, &["fit", "base", "nodes"]).stdout;
    assert!(text.contains("warning: games against different opponents are put together"), "{text}");
    assert!(text.contains(" against opponents that differ under one level"), "{text}");
    assert!(text.contains("the opponents differ in limits: 1 nodes a move, 2 nodes a move"), "{text}");
    let found = compared(&lab, "base", "nodes");
    assert_eq!(found["opponents"]["differences"][0]["part"], "limits");
    let found = compared(&lab, "base", "base");
    assert_eq!((&found["same_games"], &found["subjects"]["differences"]), (&json!(true), &json!([])));
    let text = lab.run(&["compare", "base", "base"]).stdout;
    assert!(text.contains("note: A and B hold the same games, move for move"), "{text}");
}

#[test]
fn files_beside_runs_are_matched_by_name_with_a_note() {
    let lab = Lab::new();
    play(&lab, "base", "limits = { depth = 6 }", "");
    play(&lab, "deep", "limits = { depth = 8 }", "");
    let games = "[White \"Subject\"]\n[Black \"Opponent UCI_Elo 1200\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    lab.write("games.pgn", games);
    let text = lab.run_to(0, &["fit", "base", "games.pgn"]).stdout;
    let note =
        "note: games from games.pgn tell no program, options or limits: their players are matched by name";
    assert!(text.contains(note), "{text}");
    assert!(text.contains("9 games"), "{text}");
    let text = lab.run_to(0, &["fit", "base", "deep", "games.pgn", "--pool"]).stdout;
    let apart = "`Subject` in a file may be any of Subject, depth 6 / Subject, depth 8: kept apart as \
                 `Subject, settings not known`";
    assert!(text.contains(apart), "{text}");
    // Counts name nobody.
    lab.write("counts.csv", "level,wins,draws,losses\n1200,1,0,0\n");
    let text = lab.run_to(0, &["fit", "base", "counts.csv"]).stdout;
    assert!(text.contains("note: games from counts.csv tell no program"), "{text}");
}

/// The run as 0.1 wrote it: its plan of format 1, sealed again.
fn make_old(lab: &Lab, run: &str) {
    let mut plan = lab.plan(run);
    plan["format_version"] = json!(1);
    for side in ["subject", "opponent"] {
        let defaults = plan[side]["default_options"].clone();
        let kept = |settings: &Value| {
            let all = settings.as_array().unwrap().iter();
            let kept = all.filter(|set| !defaults.as_array().is_some_and(|names| names.contains(&set[0])));
            Value::from(kept.cloned().collect::<Vec<_>>())
        };
        plan[side]["settings"] = kept(&plan[side]["settings"]);
        if side == "opponent" {
            for rung in plan["rungs"].as_array_mut().unwrap() {
                rung["settings"] = kept(&rung["settings"]);
            }
        }
        let engine = plan[side].as_object_mut().unwrap();
        engine.remove("default_options");
        engine.remove("directory");
        let program = engine.remove("program").unwrap();
        engine.insert("identity".to_owned(), program);
        engine.insert("declared_options".to_owned(), json!([]));
    }
    let before = elometer::ladder::text_sha256(&lab.read(&format!("{run}/plan.json")));
    let text = format!("{}\n", serde_json::to_string_pretty(&plan).unwrap());
    lab.write(&format!("{run}/plan.json"), &text);
    let journal = lab.read(&format!("{run}/games.jsonl"));
    let seal = elometer::ladder::text_sha256(&text);
    assert!(journal.contains(&before));
    lab.write(&format!("{run}/games.jsonl"), &journal.replace(&before, &seal));
}

#[test]
fn a_run_of_0_1_and_one_of_today_are_one_subject_with_a_note() {
    let lab = Lab::new();
    for run in ["new", "old", "older"] {
        play(&lab, run, "", "");
    }
    make_old(&lab, "old");
    make_old(&lab, "older");
    for runs in [["old", "new"], ["new", "old"]] {
        let fit = lab.run_to(0, &["fit", runs[0], runs[1], "--format", "json"]).stdout;
        let fit: Value = serde_json::from_str(&fit).unwrap();
        assert_eq!(
            (&fit["subject"], &fit["notices"][0]["kind"]),
            (&json!("Subject"), &json!("parts_not_told"))
        );
        assert!(fit["conditions"].is_object(), "{}", fit["notices"]);
    }
    let found = compared(&lab, "old", "new");
    assert_eq!((&found["subjects"]["same"], &found["opponents"]["same"]), (&json!(true), &json!(true)));
    let open: Vec<&str> = found["subjects"]["not_told"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["part"].as_str().unwrap())
        .collect();
    assert_eq!(open, ["directory", "option", "option"]);
    let text = lab.run(&["compare", "old", "new"]).stdout;
    assert!(text.contains("taken as equal: option Threads: not set, 1"), "{text}");
    // Two of 0.1 leave the same open.
    let found = compared(&lab, "old", "older");
    assert_eq!((&found["subjects"]["same"], &found["subjects"]["not_told"]), (&json!(true), &json!([])));
}

#[test]
fn a_report_of_several_runs_names_subjects_and_opponents_by_what_differs() {
    let lab = Lab::new();
    play(&lab, "base", "limits = { depth = 6 }", "");
    play(&lab, "deep", "limits = { depth = 8 }", "");
    play(&lab, "chosen", "limits = { depth = 6 }\nthreads = 1", "");
    let table = |runs: &[&str]| {
        let arguments = [&["report"][..], runs, &["--out", "report", "--images", "none"]].concat();
        lab.run_to(0, &arguments);
        [lab.read("report/tables/runs.csv"), lab.read("report/tables/runs.md")]
    };
    let [rows, _] = table(&["base", "deep"]);
    assert!(rows.contains("\"Subject, depth 6\"") && rows.contains("\"Subject, depth 8\""), "{rows}");
    let [rows, words] = table(&["base", "chosen"]);
    assert!(rows.contains(",Subject,") && !rows.contains("Subject, "), "{rows}");
    assert!(!words.contains("different opponents"), "{words}");
    play(&lab, "nodes", "limits = { depth = 6 }", "limits = { nodes = 2 }");
    let [_, words] = table(&["base", "nodes"]);
    assert!(words.contains("different opponents"), "{words}");
}
