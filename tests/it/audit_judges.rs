//! `elometer audit`: judges that do not keep their limit, that are the subject, that count wins, whose
//! options and files decide what they say.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::support::{Lab, Ran, mock_engine};

const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n";
/// White has one legal move, and afterwards several.
const ONE_MOVE: &str = "[White \"A\"]\n[Black \"B\"]\n[FEN \"7k/8/8/8/8/8/1r6/K7 w - - 0 1\"]\n[Result \"*\"]\n\n1. Kxb2 Kg7 2. Kc3 *\n";
/// Bishop and knight against a bare king.
const BISHOP_KNIGHT: &str = "[White \"A\"]\n[Black \"B\"]\n[FEN \"7k/8/2B5/8/2N5/8/8/4K3 w - - 0 1\"]\n[Result \"*\"]\n\n1. Kd2 Kg7 2. Ke3 *\n";

fn mock() -> String {
    mock_engine().to_str().unwrap().to_owned()
}

/// `games.pgn` with these games.
fn lab(games: &str) -> Lab {
    let lab = Lab::new();
    lab.write("games.pgn", games);
    lab
}

/// Audits the moves of A by the mock engine with these arguments, and `rest`.
#[track_caller]
fn audit(lab: &Lab, code: i32, judge: &[&str], rest: &[&str]) -> Ran {
    let mock = mock();
    let judge: Vec<String> = judge.iter().map(|argument| format!("--judge-argument={argument}")).collect();
    let mut arguments = vec!["audit", "games.pgn", "--subject", "A", "--judge", &mock];
    arguments.extend(judge.iter().map(String::as_str));
    arguments.extend(rest);
    lab.run_to(code, &arguments)
}

#[track_caller]
fn json(lab: &Lab, code: i32, judge: &[&str], rest: &[&str]) -> Value {
    let ran = audit(lab, code, judge, &[rest, &["--format", "json"]].concat());
    serde_json::from_str(&ran.stdout).unwrap()
}

fn codes(report: &Value) -> Vec<&str> {
    report["notes"].as_array().unwrap().iter().map(|note| note["code"].as_str().unwrap()).collect()
}

fn note<'a>(report: &'a Value, code: &str) -> &'a Value {
    report["notes"].as_array().unwrap().iter().find(|note| note["code"] == code).unwrap()
}

#[test]
fn a_judge_that_ignores_its_nodes_judges_nothing() {
    let lab = lab(GAME);
    let few = ["--score", "cp:5", "--search-nodes", "7"];
    let ran = audit(&lab, 6, &few, &["--nodes", "20000"]);
    let message =
        "the judge does not keep its limit: 20000 nodes asked, 7 searched (median); 3 of 3 moves not judged";
    assert!(ran.stderr.contains(message) && ran.stderr.contains("hint: "), "{}", ran.stderr);
    assert!(ran.stdout.contains("20000 nodes a position asked, 7 searched"), "{}", ran.stdout);
    assert!(ran.stdout.contains(&format!("verdict: not judged: {message}")), "{}", ran.stdout);
    let report = json(&lab, 6, &few, &["--nodes", "20000"]);
    assert_eq!((&report["verdict"], &report["not_judged"]), (&"not_judged".into(), &3.into()));
    let limits = &report["limits"][0]["limits"]["nodes"];
    assert_eq!((&limits["asked"], &limits["median"]), (&20_000.into(), &7.into()));
    assert_eq!(note(&report, "limit")["concern"], "below");
    for clause in report["clauses"].as_array().unwrap().iter().filter(|clause| clause["group"] == "all") {
        assert_eq!((&clause["applied"], &clause["not_judged"]), (&0.into(), &3.into()), "{clause}");
    }
    assert_eq!(report["quality"].as_array().unwrap().len(), 0, "no number of a move that was not judged");
    // The rows keep the scores and make nothing of them; the page says so.
    let mut rows = csv::Reader::from_path(lab.path("games.pgn.audit.csv")).unwrap();
    let rows: Vec<std::collections::BTreeMap<String, String>> =
        rows.deserialize().map(Result::unwrap).collect();
    for row in rows {
        let told = ["best_score", "drop_cp", "drop", "loss_cp", "accuracy", "judged"];
        assert_eq!(told.map(|column| row[column].as_str()), ["5", "", "not_judged", "", "", "false"]);
    }
    lab.run_to(0, &["report", "games.pgn", "--subject", "A", "--images", "none"]);
    let page = lab.read("report/report.html");
    assert!(page.contains("3 not judged") && page.contains("Note: the judge does not keep its limit"));
    assert!(lab.read("report/methods.md").contains("3 moves were not judged"));
}

#[test]
fn a_judge_that_ignores_its_depth_judges_nothing() {
    let lab = lab(GAME);
    let ran = audit(&lab, 6, &["--score", "cp:5", "--search-depth", "1"], &["--depth", "20"]);
    assert!(ran.stderr.contains("limit: depth 20 asked, 1 searched (median)"), "{}", ran.stderr);
    // By a depth that it keeps, the same engine judges though its nodes are few.
    audit(&lab, 0, &["--score", "cp:5", "--search-nodes", "7"], &["--depth", "6"]);
}

#[test]
fn mates_tablebases_and_only_moves_may_stop_a_search_early() {
    for stops in [["--score", "mate:3"], ["--score", "cp:20000"], ["--tbhits", "1"]] {
        let report =
            json(&lab(GAME), 0, &[&stops[..], &["--search-nodes", "7"]].concat(), &["--nodes", "20000"]);
        assert_eq!(report["not_judged"], 0, "{stops:?}");
        assert!(!codes(&report).contains(&"limit"), "{stops:?}");
    }
    // One of two moves is the only one: half is not over half.
    let report = json(&lab(ONE_MOVE), 0, &["--score", "cp:5", "--search-nodes", "7"], &["--nodes", "20000"]);
    assert_eq!((&report["not_judged"], &report["verdict"]), (&1.into(), &"kept".into()));
    assert_eq!(
        note(&report, "not_judged"),
        &serde_json::json!({ "code": "not_judged", "moves": 1, "of": 2 })
    );
    assert_eq!(report["quality"][0]["moves"], 1);
}

#[test]
fn a_judge_that_searches_far_more_than_asked_judges_with_a_note() {
    let report = json(&lab(GAME), 0, &["--score", "cp:5", "--search-nodes", "100000"], &["--nodes", "100"]);
    assert_eq!((&report["not_judged"], &note(&report, "limit")["concern"]), (&0.into(), &"above".into()));
    let judge = report["judge"].as_str().unwrap();
    assert!(judge.contains("100 nodes a position asked, 100000 searched"), "{judge}");
}

#[test]
fn gradings_and_optimism_leave_out_what_was_not_judged() {
    let lab = lab(&GAME.replace("1. e4", "1. e4 {+0.30/9}"));
    let judge =
        ["--subject", "A", "--judge", &mock(), "--judge-argument=--search-nodes", "--judge-argument=7"];
    let stability = ["audit", "stability", "games.pgn", "--nodes", "20000", "--against-depth", "3"];
    let ran = lab.run_to(6, &[&stability[..], &judge].concat());
    assert!(
        ran.stderr.contains("a judge does not keep its limit: 3 of 3 moves not judged"),
        "{}",
        ran.stderr
    );
    let optimism = ["audit", "optimism", "games.pgn", "--nodes", "20000"];
    assert!(lab.run_to(6, &[&optimism[..], &judge].concat()).stdout.contains("3 moves not judged"));
}

#[test]
fn the_hint_mode_and_the_subject_itself_have_their_limits_looked_at() {
    let lab = Lab::new();
    lab.write("positions.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    let mock = mock();
    let engine = ["--engine", &mock, "--engine-argument=--search-nodes", "--engine-argument=7"];
    let hint = ["--engine-argument=--all-options", "--hint-option", "Style=Solid", "--engine-nodes", "5000"];
    let judge = ["--judge", &mock, "--nodes", "10", "--rule", "100000", "--format", "json"];
    let positions = ["audit", "--positions", "positions.epd", "--store", "kept.jsonl"];
    let ran = lab.run(&[&positions[..], &engine, &hint, &judge].concat());
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let who: Vec<&Value> =
        report["limits"].as_array().unwrap().iter().map(|used| &used["searcher"]).collect();
    assert!(who.contains(&&"subject".into()), "{who:?}");
    assert_eq!(report["hint"]["limits"]["below"], 3, "{}", report["hint"]);
    let searchers: Vec<&Value> = report["notes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|note| note["code"] == "limit")
        .map(|note| &note["searcher"])
        .collect();
    assert_eq!(searchers, ["subject", "hint"]);
}

#[test]
fn a_judge_that_is_the_subject_says_how_consistent_the_engine_is() {
    let lab = Lab::new();
    lab.write_mock_spec(&["--material"], &["--material", "--seed", "3"], "");
    lab.run_to(0, &["run", "spec.toml", "--out", "run", "--concurrency", "1"]);
    let mock = mock();
    let audit = ["audit", "run", "--judge", &mock, "--nodes", "100"];
    let same = lab.run(&[&audit[..], &["--judge-argument=--material"]].concat()).stdout;
    assert!(same.contains("verdict: self-consistency: "), "{same}");
    assert!(same.contains("the judge is the subject's own program (what differs"), "{same}");
    assert!(same.contains("limits: 100 nodes a move, 1 nodes a move"), "{same}");
    assert!(!same.contains("independent judge, at"), "{same}");
    let saved: Value = serde_json::from_str(&lab.read("run/audit.json")).unwrap();
    assert_eq!(saved["judge_is_subject"], true);
    lab.run_to(0, &["report", "run", "--images", "none"]);
    let page = lab.read("run/report.html");
    assert!(page.contains("verdict: self-consistency") && page.contains("own program"));
    // The same program with other arguments is another engine of the same program, and that is said.
    let other = ["--judge-argument=--material", "--judge-argument=--seed", "--judge-argument=9"];
    let other = lab.run(&[&audit[..], &other, &["--format", "json"]].concat()).stdout;
    let report: Value = serde_json::from_str(&other).unwrap();
    let differences = &note(&report, "judge_is_subjects_program")["differences"];
    assert!(differences.as_array().unwrap().iter().any(|part| part["part"] == "arguments"), "{differences}");
    assert_eq!(
        (&report["judge_is_subject"], &report["independence"]["relation"]),
        (&false.into(), &"same_program".into())
    );
}

#[test]
fn an_engine_named_for_a_pgn_is_compared_with_the_judge_and_a_name_alone_is_a_note() {
    let games = lab(GAME);
    let report = json(
        &games,
        0,
        &["--score", "cp:5"],
        &["--nodes", "10", "--engine", &mock(), "--engine-argument=--score", "--engine-argument=cp:5"],
    );
    assert_eq!(report["judge_is_subject"], true);
    assert_eq!(note(&report, "judge_is_subject")["differences"], serde_json::json!([]));
    let report = json(&games, 0, &["--score", "cp:5", "--name", "a"], &["--nodes", "10"]);
    assert_eq!((&report["judge_is_subject"], codes(&report)), (&false.into(), vec!["judge_has_name"]));
}

#[test]
fn won_is_what_the_judge_gives_wins_for() {
    let games = lab(BISHOP_KNIGHT);
    let wins = ["--score", "cp:200", "--wdl", "999:1:0"];
    let report = json(&games, 0, &wins, &["--nodes", "10"]);
    let won = &report["won_material"];
    assert_eq!((&won["positions"], &won["by_wins"], &won["games_below"]), (&2.into(), &2.into(), &0.into()));
    assert_eq!(report["conversions"].as_array().unwrap().len(), 1);
    assert!(audit(&games, 0, &wins, &["--nodes", "10"]).stdout.contains("(won: 95.0 % wins or a mate)"));
    // 94.9 % is not enough, and what material calls won is shown.
    let ran = audit(&games, 0, &["--score", "cp:900", "--wdl", "949:51:0"], &["--nodes", "10"]).stdout;
    let note = "note: 2 positions with won material not won by the judge (2 below 95.0 % wins); in 1 game no such \
                position is";
    assert!(ran.contains(note) && ran.contains("1 won by material alone"), "{ran}");
}

#[test]
fn a_judge_without_wins_is_held_to_centipawns_that_are_named() {
    let games = lab(BISHOP_KNIGHT);
    let report = json(&games, 0, &["--score", "cp:200"], &["--nodes", "10"]);
    let won = note(&report, "won_material");
    assert_eq!(
        (&won["below_centipawns"], &won["games_below"], &won["centipawns"]),
        (&2.into(), &1.into(), &400.into())
    );
    assert_eq!(report["conversions"].as_array().unwrap().len(), 0);
    let ran = audit(&games, 0, &["--score", "cp:450"], &["--nodes", "10"]).stdout;
    assert!(ran.contains("(won: 400 centipawns or a mate): 2 positions with won material, 2 won"), "{ran}");
}

#[test]
fn two_knights_or_bishops_of_one_colour_are_no_won_material() {
    for (pieces, positions) in [("2N5", 0), ("2B5", 2)] {
        // With a knight on c4 and, of bishops, one on c6: knights both, or bishop and knight.
        let games = lab(&BISHOP_KNIGHT.replace("2B5", pieces));
        let report = json(&games, 0, &["--score", "cp:900"], &["--nodes", "10"]);
        assert_eq!(report["won_material"]["positions"], positions, "{pieces}");
    }
    // c6 and e4 are light both.
    let games = lab(&BISHOP_KNIGHT.replace("2B5/8/2N5", "2B5/8/4B3"));
    assert_eq!(json(&games, 0, &["--score", "cp:900"], &["--nodes", "10"])["won_material"]["positions"], 0);
}

#[test]
fn a_hint_mode_is_switched_on_by_an_option_of_any_type() {
    let lab = Lab::new();
    lab.write("positions.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    let mock = mock();
    let log = lab.path("log");
    let log = ["--engine-argument=--log", &format!("--engine-argument={}", log.display())];
    let ask = |hint: &[&str]| {
        let engine = ["--engine", &mock, "--engine-argument=--all-options", "--engine-nodes", "5"];
        let judge = ["--judge", &mock, "--nodes", "1", "--rule", "100000"];
        let _ = fs::remove_file(lab.path("log"));
        let positions = ["audit", "--positions", "positions.epd", "--store", "kept.jsonl"];
        lab.run(&[&positions[..], &engine, &log, &judge, hint].concat())
    };
    let kinds = [
        ("Style=Very Risky", "setoption name Style value Very Risky"),
        ("Contempt=7", "setoption name Contempt value 7"),
        ("Log File=x", "setoption name Log File value x"),
        ("Clear Hash=", "setoption name Clear Hash\n"),
        ("ponder=true", "setoption name Ponder value true"),
    ];
    for (option, sent) in kinds {
        let ran = ask(&["--hint-option", option]);
        assert!(!ran.stdout.contains("hint mode: not applicable"), "{option}: {}{}", ran.stdout, ran.stderr);
        assert!(lab.read("log").contains(sent), "{option}: {}", lab.read("log"));
    }
    assert!(ask(&[]).stdout.contains("--hint-option names none"));
    let undeclared = ask(&["--hint-option", "Advice=true"]);
    assert_eq!(undeclared.code, Some(3));
    assert!(undeclared.stderr.contains("it declares: Threads, Hash, Clear Hash"), "{}", undeclared.stderr);
    let twice = ask(&["--hint-option", "Style=Solid", "--hint-option", "style=Solid"]);
    assert_eq!(twice.code, Some(2));
    assert!(twice.stderr.contains("--hint-option: `style` is given twice"), "{}", twice.stderr);
    for flag in ["--judge-option", "--engine-option"] {
        let twice = ask(&[flag, "Hash=1", flag, "Hash=2"]);
        assert!(twice.code == Some(2) && twice.stderr.contains(flag), "{}", twice.stderr);
    }
}

#[test]
fn a_hint_option_that_nothing_asks_for_is_refused() {
    let ran = audit(&lab(GAME), 2, &[], &["--nodes", "1", "--hint-option", "Style=Solid"]);
    assert!(ran.stderr.contains("--hint-option: no engine is asked for hints"), "{}", ran.stderr);
}

#[test]
fn strength_options_of_a_judge_are_refused_without_effect_and_noted_with_it() {
    let games = lab(GAME);
    let elo = ["--score", "cp:5", "--elo", "1000:2000"];
    let refused = audit(&games, 3, &elo, &["--nodes", "10", "--judge-option", "UCI_Elo=1500"]);
    assert!(refused.stderr.contains("has no effect while UCI_LimitStrength is false"), "{}", refused.stderr);
    let limited =
        ["--nodes", "10", "--judge-option", "UCI_LimitStrength=true", "--judge-option", "UCI_Elo=1500"];
    let report = json(&games, 0, &elo, &limited);
    assert_eq!(note(&report, "judge_limited")["option"], "UCI_LimitStrength");
    // A judge that limits itself unless it is told otherwise is told.
    let option = "option name UCI_LimitStrength type check default true";
    let report = json(&games, 0, &["--score", "cp:5", "--option", option], &["--nodes", "10"]);
    assert!(report["judge"].as_str().unwrap().contains("UCI_LimitStrength=false"), "{}", report["judge"]);
    let skill = "option name Skill Level type spin default 20 min 0 max 20";
    let weak = ["--nodes", "10", "--judge-option", "Skill Level=3"];
    let report = json(&games, 0, &["--score", "cp:5", "--option", skill], &weak);
    assert_eq!(note(&report, "judge_limited")["value"], "3");
}

#[test]
fn a_file_of_the_judge_that_changes_ends_the_audit_and_its_answers_are_kept() {
    let games = lab(GAME);
    games.write("net", "weights\n");
    let net = games.path("net").display().to_string();
    let judge = ["--score", "cp:5", "--log", &net];
    let ran = audit(&games, 4, &judge, &["--nodes", "10"]);
    assert!(ran.stderr.contains("Mock: [LAB]/net changed during the audit"), "{}", ran.stderr);
    assert!(!games.path("games.pgn.audit.json").exists());
    assert!(games.read("games.pgn.evaluations.jsonl").lines().count() > 3);
    // What it may write is none of it.
    audit(&games, 0, &judge, &["--nodes", "10", "--judge-mutable", "net"]);
}

#[cfg(unix)]
#[test]
fn the_files_of_a_script_that_judges_are_part_of_who_it_is() {
    use std::os::unix::fs::PermissionsExt as _;
    let games = lab(GAME);
    let script = |text: &str| {
        games.write("judge.sh", text);
        fs::set_permissions(games.path("judge.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    };
    script(&format!(
        "#!/bin/sh\nexec '{}' --score \"cp:$(cat '{}')\"\n",
        mock(),
        games.path("data").display()
    ));
    games.write("data", "5");
    let base = ["audit", "games.pgn", "--subject", "A", "--judge", "./judge.sh", "--nodes", "10"];
    let answers = || games.read("games.pgn.evaluations.jsonl").lines().count();
    let unlisted = games.run_to(0, &base);
    assert!(unlisted.stderr.contains("./judge.sh is a script") && unlisted.stderr.contains("--judge-file"));
    let listed = [&base[..], &["--judge-file", "data"]].concat();
    let first = games.run_to(0, &listed);
    assert!(!first.stderr.contains("is a script"), "{}", first.stderr);
    let before = answers();
    games.run_to(0, &listed);
    assert_eq!(answers(), before, "the same engine is not asked again");
    games.write("data", "6");
    games.run_to(0, &listed);
    assert!(answers() > before, "another engine is");
    // As the engine that grades a book.
    games.write("data", "5\" --search-nodes \"7");
    script(&format!("#!/bin/sh\nexec '{}' --score cp:5 --search-nodes 7\n", mock()));
    games.write("book.pgn", &GAME.repeat(3));
    let book = ["book", "book.pgn", "--player", "A", "--contract", "./judge.sh", "--nodes", "20000"];
    let ran = games.run_to(6, &[&book[..], &["--file", "judge.sh"]].concat());
    let message =
        "Mock does not keep its limit (20000 nodes a position asked, 7 searched): 3 of 3 moves not judged";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
}

#[test]
fn an_argument_that_names_a_file_of_the_callers_folder_is_refused() {
    let games = lab(GAME);
    games.write("own.bin", "x");
    let ran = audit(&games, 2, &["--log", "own.bin"], &["--nodes", "10"]);
    assert!(ran.stderr.contains("own.bin") && ran.stderr.contains("hint: "), "{}", ran.stderr);
}

#[test]
fn answers_of_the_first_version_stay_readable_and_are_searched_again() {
    let games = lab(GAME);
    audit(&games, 0, &["--score", "cp:5"], &["--nodes", "10"]);
    let store = games.read("games.pgn.evaluations.jsonl");
    let key = "0123456789abcdef";
    let old: Vec<String> = store
        .lines()
        .map(|line| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            if let Some(engine) = line.get_mut("engine") {
                *engine = serde_json::json!({ "key": key, "identity": {
                    "name": "Mock", "program_sha256": "0".repeat(64), "arguments": [], "options": [["Hash", "16"]]
                }});
            } else if let Some(search) = line.get_mut("search") {
                search["engine"] = key.into();
            }
            line.to_string()
        })
        .collect();
    games.write("games.pgn.evaluations.jsonl", &(old.join("\n") + "\n"));
    let ran = audit(&games, 0, &["--score", "cp:5"], &["--nodes", "10"]);
    let kept = old.len() - 2;
    assert!(ran.stderr.contains(&format!("{kept} answers kept from elometer 0.1")), "{}", ran.stderr);
    assert_eq!(games.read("games.pgn.evaluations.jsonl").lines().count(), 2 * old.len() - 1);
}

#[test]
fn ethereal_judges_by_depth_and_not_by_nodes() {
    let ethereal = "/usr/games/ethereal-chess";
    if !Path::new(ethereal).exists() {
        return;
    }
    let lab = Lab::new();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions/openings.epd");
    lab.write("positions.epd", &(super::support::lines_of(&file)[..8].join("\n") + "\n"));
    // Its own moves: it does not know `searchmoves`.
    let base = ["audit", "--positions", "positions.epd", "--engine", ethereal, "--judge", ethereal];
    let ran = lab.run_to(6, &[&base[..], &["--engine-nodes", "20000", "--nodes", "20000"]].concat());
    assert!(ran.stderr.contains("the judge does not keep its limit: 20000 nodes asked"), "{}", ran.stderr);
    let by_depth = lab.run_to(0, &[&base[..], &["--engine-depth", "6", "--depth", "6"]].concat());
    let kept = "verdict: self-consistency: the engine keeps its own numbers in all 8 moves that were audited";
    assert!(by_depth.stdout.contains(kept), "{}", by_depth.stdout);
    assert!(!by_depth.stdout.contains("does not keep its limit"), "{}", by_depth.stdout);
}
