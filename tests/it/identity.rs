//! What an engine is: the same from every folder and on every machine, and another when anything that
//! decides its moves is.

use std::fs;

use super::support::{Lab, lines_of};

const NETWORK: &str = "option name EvalFile type string default <empty>";
const TABLES: &str = "option name SyzygyPath type string default <empty>";

/// A subject with these arguments and these lines in its part of the spec.
fn lab(arguments: &[&str], lines: &str) -> Lab {
    let lab = Lab::new();
    lab.write_mock_spec(arguments, &[], "");
    if !lines.is_empty() {
        lab.write(
            "spec.toml",
            &lab.read("spec.toml").replacen("[opponent]", &format!("{lines}\n[opponent]"), 1),
        );
    }
    lab
}

const RUN: &[&str] = &["run", "spec.toml", "--out", "run"];

/// Takes games away, so that the next session has something to play.
fn cut(lab: &Lab) {
    let journal = lab.read("run/games.jsonl");
    let lines: Vec<_> = journal.lines().take(2).map(|line| format!("{line}\n")).collect();
    lab.write("run/games.jsonl", &lines.concat());
}

#[test]
fn a_strength_without_its_switch_is_refused() {
    let lab = lab(&["--elo", "1000:2000"], "[subject.options]\nUCI_Elo = 1350");
    let stderr = lab.run_to(3, RUN).stderr;
    assert!(stderr.contains("option `UCI_Elo`: has no effect while UCI_LimitStrength is false"), "{stderr}");
    assert!(stderr.contains("\nhint: set UCI_LimitStrength = true beside it"), "{stderr}");
}

#[test]
fn a_skill_beside_levels_is_refused() {
    let lab = Lab::new();
    let skill = "option name Skill Level type spin default 20 min 0 max 20";
    let opponent = ["--elo", "1000:2000", "--option", skill];
    lab.write_mock_spec(&[], &opponent, "levels = [1000]\n[opponent.options]\n\"Skill Level\" = 3");
    let stderr = lab.run_to(3, RUN).stderr;
    assert!(stderr.contains("option `Skill Level`: has no effect beside UCI_Elo"), "{stderr}");
}

#[test]
fn an_option_given_twice_is_refused() {
    let lab = lab(&["--all-options"], "[subject.options]\nContempt = 1\ncontempt = 2");
    let stderr = lab.run_to(3, RUN).stderr;
    assert!(stderr.contains("`Contempt` and `contempt` are one option"), "{stderr}");
}

#[test]
fn an_engine_that_would_use_several_threads_is_refused_unless_the_spec_sets_them() {
    let lab = lab(&["--option-file", "options"], "");
    lab.write("options", "option name Threads type spin default 2 min 1 max 64\n");
    let stderr = lab.run_to(3, RUN).stderr;
    assert!(stderr.contains("would use 2 threads unless it is told otherwise"), "{stderr}");
    assert!(stderr.contains("hint: set `threads` for this engine in the spec"), "{stderr}");
    lab.write("spec.toml", &lab.read("spec.toml").replacen("[opponent]", "threads = 1\n[opponent]", 1));
    lab.run_to(0, RUN);
}

const OPTIONS: &str = "\
option name Threads type spin default 1 min 1 max 64
option name Hash type spin default 16 min 1 max 1024
option name OwnBook type check default true
option name Ponder type check default true
option name MultiPV type spin default 3 min 1 max 10
option name Style type combo default Solid var Solid var Wild
";

#[test]
fn options_that_matter_and_are_unset_are_sealed_and_sent() {
    let lab = lab(&["--option-file", "options", "--log", "heard"], "mutable = ['options', 'heard']");
    lab.write("options", OPTIONS);
    lab.run_to(0, RUN);
    let heard = lines_of(&lab.path("heard"));
    for option in
        ["Threads value 1", "Hash value 16", "OwnBook value true", "Ponder value true", "MultiPV value 3"]
    {
        assert!(heard.contains(&format!("setoption name {option}")), "{option}: {heard:?}");
    }
    assert!(!heard.iter().any(|line| line.contains("Style")), "what does not matter is left alone");
    let names = &lab.plan("run")["subject"]["default_options"];
    assert_eq!(names.as_array().unwrap().len(), 5, "{names}");
}

#[test]
fn another_declared_default_or_range_changes_no_plan_and_the_sealed_value_is_sent() {
    let lab = lab(&["--option-file", "options", "--log", "heard"], "mutable = ['options', 'heard']");
    lab.write("options", OPTIONS);
    lab.run_to(0, RUN);
    cut(&lab);
    fs::remove_file(lab.path("heard")).unwrap();
    let other = OPTIONS.replace("default 16 min 1 max 1024", "default 256 min 1 max 65536");
    lab.write("options", &other.replace("max 64\n", "max 512\n"));
    lab.run_to(0, RUN);
    let heard = lines_of(&lab.path("heard"));
    let hashes: Vec<_> = heard.iter().filter(|line| line.contains("name Hash")).collect();
    assert!(!hashes.is_empty() && hashes.iter().all(|line| line.ends_with("value 16")), "{hashes:?}");
}

#[test]
fn a_run_is_the_same_from_every_folder() {
    let lab = lab(&["--start-needs", "data"], "");
    lab.write("data", "data");
    fs::create_dir(lab.path("elsewhere")).unwrap();
    let mut command = lab.command(&["run", "../spec.toml", "--out", "../run"]);
    let ran = lab.ran(&command.current_dir(lab.path("elsewhere")).output().unwrap());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    cut(&lab);
    let ran = lab.run_to(0, RUN);
    assert!(ran.stderr.contains("resuming: 1 of 4 games are played"), "{}", ran.stderr);
    assert_eq!(lab.plan("run")["subject"]["directory"], ".");
    let plan = lab.read("run/plan.json");
    assert!(!plan.contains(lab.path("").to_str().unwrap()), "no absolute path: {plan}");
}

#[test]
fn a_network_that_was_replaced_between_two_sessions_is_refused_by_its_option() {
    let lab = lab(&["--option", NETWORK], "[subject.options]\nEvalFile = 'small.nnue'");
    lab.write("small.nnue", "weights");
    lab.run_to(0, RUN);
    cut(&lab);
    lab.write("small.nnue", "other weights");
    let stderr = lab.run(RUN).stderr;
    let old = &elometer::ladder::text_sha256("weights")[..12];
    let new = &elometer::ladder::text_sha256("other weights")[..12];
    assert!(stderr.contains(&format!("subject file option EvalFile (SHA-256): {old}, {new}")), "{stderr}");
    lab.write("small.nnue", "weights");
    lab.run_to(0, RUN);
}

#[test]
fn a_refused_resumption_names_the_option_and_both_values() {
    let lab = lab(&["--all-options"], "hash = 4");
    lab.run_to(0, RUN);
    lab.change_spec("hash = 8");
    let stderr = lab.run_to(3, RUN).stderr;
    assert!(stderr.contains("(different: subject option Hash: 4, 8)"), "{stderr}");
    lab.write(
        "spec.toml",
        &lab.read("spec.toml").replacen("hash = 8", "hash = 4\n[subject.options]\nContempt = 7", 1),
    );
    let stderr = lab.run_to(3, RUN).stderr;
    assert!(stderr.contains("(different: subject option Contempt: not set, 7)"), "{stderr}");
}

#[test]
fn a_folder_of_tables_that_changes_is_noticed() {
    let lab = lab(&["--option", TABLES], "[subject.options]\nSyzygyPath = 'tables'");
    fs::create_dir(lab.path("tables")).unwrap();
    lab.write("tables/KRvK.rtbw", "table");
    lab.run_to(0, RUN);
    lab.write("tables/KQvK.rtbw", "table");
    let stderr = lab.run_to(3, RUN).stderr;
    assert!(stderr.contains("subject file option SyzygyPath (SHA-256): "), "{stderr}");
}

/// The subject writes into a file that an argument names at its eighth search, in its second game.
const LEARNS: &[&str] = &["--write-at-go", "learned", "--at-go", "8"];

#[test]
fn a_file_that_changes_during_the_run_ends_it_and_the_games_are_kept() {
    let lab = lab(LEARNS, "");
    lab.write("learned", "nothing\n");
    let ran = lab.run_to(4, &["run", "spec.toml", "--out", "run", "--concurrency", "1"]);
    assert!(ran.stderr.contains("learned changed while games were played"), "{}", ran.stderr);
    assert_eq!(lab.journal("run").len(), 1);
}

#[test]
fn a_file_that_the_engine_may_write_is_not_checked() {
    let lab = lab(LEARNS, "mutable = ['learned']");
    lab.write("learned", "nothing\n");
    lab.run_to(0, &["run", "spec.toml", "--out", "run", "--concurrency", "1"]);
    assert_eq!(lines_of(&lab.path("learned")), ["nothing", "learned"]);
    cut(&lab);
    lab.run_to(0, RUN);
}
