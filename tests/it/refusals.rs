//! What is refused before the first game: each with its exit code and a message that names what was
//! found, what was expected and what to do.

use std::fs;
use std::path::Path;

use super::support::{Lab, mock_engine};

/// A lab with a spec that is right: the tests break it in one place.
fn sound() -> Lab {
    let lab = Lab::new();
    lab.write_mock_spec(
        &[],
        &["--elo", "1400:2200", "--all-options"],
        "levels = [1400, 2200]\n[opponent.options]",
    );
    lab
}

/// Runs the broken spec, twice: `plan` says the same as `run`, and no run folder is made.
#[track_caller]
fn refusal(lab: &Lab) -> String {
    let run = lab.run(&["run", "spec.toml", "--out", "run"]);
    let plan = lab.run(&["plan", "spec.toml"]);
    assert_eq!((run.code, &run.stderr), (plan.code, &plan.stderr));
    assert_eq!((run.stdout.as_str(), plan.stdout.as_str()), ("", ""));
    assert!(!lab.path("run").exists(), "refused before anything is written");
    assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
    assert!(run.stderr.lines().last().unwrap().starts_with("hint: "), "{}", run.stderr);
    // Paths from the root are told where they help.
    let folder = fs::canonicalize(lab.path(".")).unwrap();
    let stderr = run.stderr.replace(folder.to_str().unwrap(), "FOLDER");
    format!("exit code {}\n{stderr}", run.code.unwrap())
}

/// Refuses the spec in which `from` is replaced by `to`.
#[track_caller]
fn refused_when(from: &str, to: &str) -> String {
    let lab = sound();
    let spec = lab.read("spec.toml");
    assert!(spec.contains(from), "{from}\n{spec}");
    lab.write("spec.toml", &spec.replacen(from, to, 1));
    refusal(&lab)
}

fn mock() -> String {
    format!("'{}'", mock_engine().display())
}

#[test]
fn the_sound_spec_is_not_refused() {
    sound().run_to(0, &["plan", "spec.toml"]);
}

#[test]
fn a_level_outside_the_engines_range() {
    insta::assert_snapshot!(refused_when("[1400, 2200]", "[1400, 2300]"));
}

#[test]
fn a_level_outside_the_range_of_a_real_stockfish() {
    if !Path::new("/usr/games/stockfish").exists() {
        eprintln!("not tested: no Stockfish");
        return;
    }
    let lab = sound();
    let spec = lab.read("spec.toml");
    let (before, _) = spec.split_once("[opponent]").unwrap();
    let opponent =
        "[opponent]\nengine = \"/usr/games/stockfish\"\nlimits = { nodes = 1000 }\nlevels = [9000]\n";
    lab.write("spec.toml", &format!("{before}{opponent}"));
    let text = refusal(&lab);
    assert!(
        text.starts_with("exit code 3\nerror: opponent.levels: engine Stockfish")
            && text.contains("option `UCI_Elo`"),
        "{text}"
    );
    assert!(text.contains("9000") && text.contains("type spin"), "{text}");
}

#[test]
fn levels_for_an_engine_without_strength() {
    insta::assert_snapshot!(refused_when("\"--elo\", \"1400:2200\", ", ""));
}

#[test]
fn an_unknown_option() {
    insta::assert_snapshot!(refused_when("[opponent.options]", "[opponent.options]\nSkil = 3"));
}

#[test]
fn a_value_that_a_combo_does_not_have() {
    insta::assert_snapshot!(refused_when("[opponent.options]", "[opponent.options]\nStyle = 'Wild'"));
}

#[test]
fn an_option_value_that_is_neither_number_nor_text() {
    insta::assert_snapshot!(refused_when("[opponent.options]", "[opponent.options]\nContempt = 0.5"));
}

#[test]
fn an_option_given_twice() {
    insta::assert_snapshot!(
        "hash_twice",
        refused_when(
            "levels = [1400, 2200]\n[opponent.options]",
            "levels = [1400, 2200]\nhash = 4\n[opponent.options]\nHASH = 8"
        )
    );
    insta::assert_snapshot!(
        "one_option_spelt_twice",
        refused_when("[opponent.options]", "[opponent.options]\nContempt = 1\ncontempt = 2")
    );
}

#[test]
fn options_that_the_run_sets_itself() {
    insta::assert_snapshot!(
        "elo_and_levels",
        refused_when("[opponent.options]", "[opponent.options]\nuci_elo = 1500")
    );
    insta::assert_snapshot!(
        "chess960_by_hand",
        refused_when("[opponent.options]", "[opponent.options]\nUCI_Chess960 = true")
    );
}

#[test]
fn an_engine_that_is_nowhere() {
    insta::assert_snapshot!("missing_path", refused_when(&mock(), "'engines/none'"));
    insta::assert_snapshot!("missing_name", refused_when(&mock(), "'no-such-engine'"));
    insta::assert_snapshot!("missing_builtin", refused_when(&mock(), "'builtin:none'"));
    insta::assert_snapshot!("not_executable", refused_when(&mock(), "'./openings.epd'"));
}

#[test]
fn an_engine_that_does_not_speak_uci() {
    let lab = sound();
    lab.write("engine", "await uci\nsay Hello\nwarn no chess here\nexit 3\n");
    let script = format!("arguments = ['--script', '{}']", lab.path("engine").display());
    lab.write("spec.toml", &lab.read("spec.toml").replacen("arguments = []", &script, 1));
    insta::assert_snapshot!("not_uci_and_ends", refusal(&lab));
    insta::assert_snapshot!(
        "not_uci_and_waits",
        refused_when(&format!("engine = {}", mock()), "deadlines = { start_ms = 200 }\nengine = '/bin/cat'")
    );
}

#[test]
fn chess960_openings_for_an_engine_that_does_not_play_it() {
    let lab = sound();
    lab.write("openings.epd", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\n");
    lab.write("engine", "await uci\nsay id name Plain\nsay uciok\nawait quit\n");
    let script = format!("arguments = ['--script', '{}']", lab.path("engine").display());
    lab.write("spec.toml", &lab.read("spec.toml").replacen("arguments = []", &script, 1));
    insta::assert_snapshot!(refusal(&lab));
}

#[test]
fn openings_that_cannot_be_played() {
    let with_openings = |text: &str| {
        let lab = sound();
        lab.write("openings.epd", text);
        refusal(&lab)
    };
    insta::assert_snapshot!("illegal_opening", with_openings("# two lines\n8/8/8/8/8/8/8/K7 w - - 0 1\n"));
    insta::assert_snapshot!("empty_openings", with_openings("\n"));
    insta::assert_snapshot!("no_openings_file", refused_when("openings.epd", "none.epd"));
    insta::assert_snapshot!("no_pairs", refused_when("pairs = 2", "pairs = 0"));
    insta::assert_snapshot!("too_many_pairs", refused_when("pairs = 2", "pairs = 2000000"));
}

#[test]
fn a_spec_that_is_not_of_this_shape() {
    insta::assert_snapshot!("unknown_key", refused_when("pairs = 2", "pairs = 2\npiars = 2"));
    insta::assert_snapshot!("missing_key", refused_when("pairs = 2", ""));
    insta::assert_snapshot!("wrong_type", refused_when("pairs = 2", "pairs = 'two'"));
    insta::assert_snapshot!("negative_number", refused_when("pairs = 2", "pairs = -2"));
    insta::assert_snapshot!("not_toml", refused_when("pairs = 2", "pairs: 2"));
}

#[test]
fn limits_that_make_no_sense() {
    insta::assert_snapshot!("no_limits", refused_when("{ nodes = 1 }", "{}"));
    insta::assert_snapshot!("zero_nodes", refused_when("{ nodes = 1 }", "{ nodes = 0 }"));
    insta::assert_snapshot!("two_times", refused_when("{ nodes = 1 }", "{ tc = '1+1', movetime_ms = 5 }"));
    insta::assert_snapshot!("bad_time_control", refused_when("{ nodes = 1 }", "{ tc = '10 + x' }"));
}

#[test]
fn values_that_make_no_sense() {
    insta::assert_snapshot!("level_twice", refused_when("[1400, 2200]", "[1400, 1500, 1400]"));
    insta::assert_snapshot!("levels_of_the_subject", refused_when("[subject]", "[subject]\nlevels = [1400]"));
    insta::assert_snapshot!("name_with_a_slash", refused_when("seed = 1", "seed = 1\nname = '../up'"));
    insta::assert_snapshot!("bad_date", refused_when("2026-11-29", "2026-11-31"));
    insta::assert_snapshot!("date_in_another_form", refused_when("2026-11-29", "20261129"));
    insta::assert_snapshot!("words_without_a_letter", refused_when("[opponent]", "words = ' '\n[opponent]"));
    insta::assert_snapshot!(
        "adjudication",
        refused_when("max_plies = 12", "resign = { moves = 0, score_cp = 5 }")
    );
}

#[test]
fn a_spec_that_is_no_file() {
    let lab = Lab::new();
    insta::assert_snapshot!("spec_missing", refusal(&lab));
    fs::create_dir(lab.path("spec.toml")).unwrap();
    insta::assert_snapshot!("spec_is_a_directory", refusal(&lab));
}

#[test]
fn a_folder_that_is_no_run() {
    let lab = sound();
    for command in [&["status", "."][..], &["export", ".", "--format", "pgn"], &["fit", "."]] {
        let ran = lab.run_to(3, command);
        assert!(ran.stderr.contains("plan.json") && ran.stderr.contains("\nhint: "), "{}", ran.stderr);
    }
}
