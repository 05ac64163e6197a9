//! What engines use of their limits, and what is said where they do not keep them.

use serde_json::Value;

use super::support::Lab;

const RUNG: &[&str] = &["--elo", "1000:2000"];
const LADDER: &str = "levels = [1000]";

/// A ladder that was run with this limit and subject; what was printed. A rung thinks as long as the
/// subject.
fn ladder(lab: &Lab, subject: &[&str], limits: &str, out: &str) -> String {
    let thinking = subject.iter().skip_while(|argument| **argument != "--think-ms").take(2);
    let rung: Vec<&str> = RUNG.iter().chain(thinking).copied().collect();
    lab.write_mock_spec(subject, &rung, LADDER);
    let spec = lab.read("spec.toml").replace("nodes = 1 }", &format!("{limits} }}"));
    lab.write("spec.toml", &spec);
    lab.run_to(0, &["run", "spec.toml", "--out", out, "--concurrency", "1"]).stdout
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn too_few_nodes_are_noted_wherever_the_result_is_told() {
    let lab = Lab::new();
    let run = ladder(&lab, &["--search-nodes", "7"], "nodes = 20000", "few");
    let note = "note: Subject was asked for 20000 nodes a move and reported 7 nodes (median of 24 moves; 100 % below \
                a tenth)";
    let status = lab.run_to(0, &["status", "few"]).stdout;
    let fit = lab.run_to(0, &["fit", "few"]).stdout;
    for text in [&run, &status, &fit] {
        assert_eq!(text.matches(note).count(), 1, "{text}");
        assert!(text.contains("\nhint: limit it by depth or movetime_ms"), "{text}");
    }
    let named = "Subject (20000 nodes a move asked, 7 searched)";
    assert!(run.contains(named) && fit.contains(named), "{fit}");
    assert!(!fit.contains("Opponent was asked"), "{fit}");
    let compared = lab.run(&["compare", "few", "few"]);
    assert!(compared.stderr.contains("note: B: Subject was asked for 20000 nodes"), "{}", compared.stderr);
    assert!(compared.stdout.contains(named), "{}", compared.stdout);
    lab.run_to(0, &["report", "few", "--out", "page"]);
    for file in ["page/methods.md", "page/methods.tex", "page/report.html"] {
        assert!(
            lab.read(file).contains("Subject was asked for 20000 nodes a move and reported 7 nodes"),
            "{file}"
        );
    }
}

#[test]
fn the_facts_are_numbers_in_the_json_of_a_run_and_of_a_fit() {
    let lab = Lab::new();
    ladder(&lab, &["--search-nodes", "7"], "nodes = 20000", "few");
    let fitted = lab.run_to(0, &["fit", "few", "--format", "json"]).stdout;
    for document in [json(&fitted), json(&lab.read("few/fit.json"))] {
        let [subject, opponent] = [0, 1].map(|side| &document["limits_used"][side]);
        assert_eq!((&subject["side"], &subject["concern"]), (&"subject".into(), &"below".into()));
        assert_eq!((&subject["facts"]["searches"], &subject["facts"]["below"]), (&24.into(), &24.into()));
        assert_eq!(subject["facts"]["nodes"]["median"], 7);
        assert_eq!((&opponent["side"], &opponent["concern"]), (&"opponent".into(), &Value::Null));
        assert_eq!(opponent["facts"]["nodes"]["median"], 20_000);
    }
}

#[test]
fn far_too_many_nodes_and_no_counters_at_all_are_noted() {
    let lab = Lab::new();
    let above = ladder(&lab, &["--fault", "overshoot"], "nodes = 20000", "above");
    assert!(above.contains("100 % above twice): it goes beyond this limit"), "{above}");
    let silent = ladder(&lab, &["--no-counters"], "nodes = 20000", "silent");
    assert!(silent.contains("Subject (20000 nodes a move asked, nothing reported)"), "{silent}");
    assert!(
        silent.contains("reported no nodes in 24 of 24 moves: whether it keeps this limit is not known"),
        "{silent}"
    );
}

#[test]
fn a_depth_that_is_not_reached_is_noted_as_nodes_are() {
    let lab = Lab::new();
    let text = ladder(&lab, &["--search-depth", "1"], "depth = 20", "shallow");
    assert!(text.contains("Subject (depth 20 asked, depth 1 reached)"), "{text}");
    assert!(text.contains("\nhint: limit it by nodes or movetime_ms"), "{text}");
}

#[test]
fn engines_that_keep_their_limit_and_honest_few_nodes_give_no_note() {
    let lab = Lab::new();
    let half = ["--search-nodes", "7", "--fault-every", "2"];
    let thinking = ["--think-ms", "40"];
    for (number, (subject, limits)) in [
        (&half[..], "nodes = 20000"),
        (&[], "nodes = 20000"),
        (&[], "depth = 6"),
        (&thinking, "movetime_ms = 200, margin_ms = 60000"),
    ]
    .into_iter()
    .enumerate()
    {
        let text = ladder(&lab, subject, limits, &format!("kept{number}"));
        assert!(!text.contains(" was asked for ") && !text.contains(" asked, "), "{text}");
    }
}

#[test]
fn of_two_runs_that_are_fitted_together_the_note_names_the_right_one() {
    let lab = Lab::new();
    ladder(&lab, &["--search-nodes", "7"], "nodes = 20000", "few");
    ladder(&lab, &["--seed", "5"], "nodes = 20000", "kept");
    let text = lab.run_to(0, &["fit", "--pool", "kept", "few"]).stdout;
    assert_eq!(text.matches(" was asked for ").count(), 1, "{text}");
    assert!(text.contains("note: few: Subject was asked for 20000 nodes a move"), "{text}");
}

#[test]
fn a_match_says_it_too() {
    let lab = Lab::new();
    lab.write_mock_spec(&[], &["--search-nodes", "7"], "");
    lab.write("spec.toml", &lab.read("spec.toml").replace("nodes = 1 }", "nodes = 20000 }"));
    let text = lab.run_to(0, &["run", "spec.toml", "--out", "match"]).stdout;
    assert!(text.contains("note: Opponent was asked for 20000 nodes a move and reported 7 nodes"), "{text}");
}
