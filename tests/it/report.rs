//! `elometer report`: a page that is safe and works, figures and tables that are the same each time.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::support::{Lab, lines_of, mock_engine};

const JUDGE: [&str; 3] = ["--judge-argument=--material", "--nodes=100", "--judge"];

/// A ladder of mock engines that count material, two of its subject's moves planted, audited.
fn audited_run() -> Lab {
    let lab = Lab::new();
    let mock = mock_engine().to_str().unwrap().to_owned();
    let subject = ["--material", "--plant", "drop", "--fault-every", "30", "--plant-log", "planted"];
    let opponent = ["--material", "--elo", "1000:2000", "--seed", "1"];
    lab.write_mock_spec(&subject, &opponent, "levels = [1200, 1400, 1600, 1800]");
    let openings = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions/openings.epd");
    lab.write("openings.epd", &(lines_of(&openings)[..3].join("\n") + "\n"));
    let spec = lab.read("spec.toml").replace("max_plies = 12", "max_plies = 40");
    lab.write("spec.toml", &spec.replace("pairs = 2", "pairs = 3"));
    lab.run_to(0, &["run", "spec.toml", "--out", "run", "--concurrency", "1"]);
    let audit = [&["audit", "run"][..], &JUDGE, &[&mock]].concat();
    lab.run_to(5, &audit);
    lab
}

/// Runs a script of the repository; exit code 4 says that what it needs is not installed.
#[track_caller]
fn check(script: &str, arguments: &[&str]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(script);
    let output = Command::new(path).args(arguments).output();
    let Ok(output) = output else {
        println!("skipped: scripts/{script} needs Python");
        return;
    };
    let stderr = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(4) {
        println!("skipped: {stderr}");
        return;
    }
    assert!(output.status.success(), "{script} {arguments:?}: {stderr}");
}

/// Every file below a folder with its bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn an_audited_run_is_a_page_that_works_in_a_browser() {
    let lab = audited_run();
    let ran = lab.run_to(0, &["report", "run", "--images", "none"]);
    assert!(ran.stdout.contains("the page is run/report.html"), "{}", ran.stdout);
    for name in ["score", "implied", "pentanomial", "endings", "drops", "accuracy", "optimism"] {
        for file in [format!("{name}.svg"), format!("{name}-column.svg"), format!("{name}-slide.svg")] {
            assert!(lab.read(&format!("run/figures/{file}")).trim_end().ends_with("</svg>"), "{file}");
        }
        let data = lab.read(&format!("run/figures/{name}.csv"));
        assert!(
            data.starts_with("series,place,to,value,low,high\n") && data.lines().count() > 2,
            "{name}: {data}"
        );
    }
    for name in ["levels", "methods", "audit-clauses", "audit-quality", "audit-findings"] {
        assert!(lab.read(&format!("run/tables/{name}.tex")).contains("\\toprule"), "{name}");
        assert!(lab.read(&format!("run/tables/{name}.md")).starts_with("| "), "{name}");
    }
    let methods = lab.read("run/methods.md");
    let plan = lab.plan("run");
    for part in ["subject", "opponent"] {
        assert!(methods.contains(plan[part]["identity"]["program_sha256"].as_str().unwrap()), "{methods}");
    }
    assert!(methods.contains("1200, 1400, 1600, 1800") && methods.contains("seed 1"), "{methods}");
    // The planted moves are the worst: each with a diagram and a way into its game.
    let html = lab.read("run/report.html");
    let planted = lines_of(&lab.path("run/../planted"));
    assert!(html.matches("class=\"show\"").count() >= planted.len().min(12), "{}", planted.len());
    assert!(html.contains("All 24 games."));
    // Each number of the judge with its budget, the bound that takes games together or moves alone.
    for words in
        ["<dt>at 100 nodes: best</dt>", "<dt>at 1600 nodes: loss</dt>", " % of moves with 95 %, moves "]
    {
        assert!(html.contains(words), "{words}");
    }
    // Every audited move is in the figure of losses or counted beside it.
    let moves = lab.read("run/audit.csv").lines().count() - 1;
    let drops = lab.read("run/figures/drops.csv");
    let bars = drops.lines().filter(|line| line.starts_with("within,") || line.starts_with("beyond,"));
    let drawn: usize = bars.map(|line| line.split(',').nth(3).unwrap().parse::<usize>().unwrap()).sum();
    let left_out = html
        .split_once(" moves with a mate for a score")
        .map_or(0, |(before, _)| before.rsplit(' ').next().unwrap().parse::<usize>().unwrap());
    assert_eq!(drawn + left_out, moves);
    let page = lab.path("run/report.html");
    check("check-page", &[page.to_str().unwrap(), "--figures", "7", "--games", "24"]);
    check("check-latex", &[lab.path("run").to_str().unwrap()]);
}

#[test]
fn a_report_is_the_same_bytes_each_time_and_takes_old_files_away() {
    let lab = audited_run();
    let report = |out: &str| lab.run_to(0, &["report", "run", "--out", out, "--images", "none"]);
    report("one");
    report("two");
    let (one, two) = (files(&lab.path("one")), files(&lab.path("two")));
    assert!(one.len() > 30, "{:?}", one.keys());
    assert!(one == two, "{:?}", one.keys());
    // Without its audit a run has no figure of it, and none stays.
    fs::write(lab.path("one/figures/drops.pdf"), "as if by rsvg-convert").unwrap();
    fs::write(lab.path("one/figures/mine.svg"), "not elometer's").unwrap();
    fs::remove_file(lab.path("run/audit.json")).unwrap();
    let ran = report("one");
    assert!(ran.stderr.contains("audited by an older elometer"), "{}", ran.stderr);
    let left = files(&lab.path("one"));
    assert!(left.contains_key("figures/score.svg") && left.contains_key("figures/mine.svg"));
    assert!(!left.keys().any(|name| name.contains("drops") || name.contains("audit")), "{:?}", left.keys());
}

#[test]
fn what_the_subject_said_stands_with_its_moves_from_the_journal_to_the_page() {
    let lab = Lab::new();
    let opponent = ["--material", "--elo", "1000:2000", "--seed", "1"];
    lab.write_mock_spec(&[], &opponent, "levels = [1200]");
    let start = lab.read("spec.toml").find("[subject]").unwrap();
    let end = lab.read("spec.toml").find("[opponent]").unwrap();
    let subject = "[subject]\nengine = 'builtin:legible'\nname = 'Subject'\nlimits = { nodes = 200 }\nwords = 'says move'\n";
    let spec = lab.read("spec.toml");
    lab.write("spec.toml", &(spec[..start].to_owned() + subject + &spec[end..]));
    // One game at a time: the journal is in the order of the plan.
    lab.run_to(0, &["run", "spec.toml", "--out", "run", "--concurrency", "1"]);
    let said = |lab: &Lab| -> Vec<String> {
        let mut found = Vec::new();
        for game in lab.journal("run") {
            for ply in game["plies"].as_array().unwrap() {
                found.extend(ply["words"].as_array().into_iter().flatten().map(|line| line.to_string()));
            }
        }
        found
    };
    let lines = said(&lab);
    assert_eq!(lines.len(), 4 * 6, "the subject's six moves of each game");
    assert!(lines.iter().all(|line| line.starts_with("\"says move: I ")), "{lines:?}");
    let sentence = lines[0].trim_matches('"').strip_prefix("says move: ").unwrap().to_owned();
    let pgn = lab.read("run/games.pgn").replace('\n', " ");
    assert!(pgn.contains(&format!(" \"{sentence}\"}}")), "{sentence}: {pgn}");

    // An audit has them from the journal and from the PGN alike.
    let judge = ["--judge=builtin:classic", "--nodes=500", "--rule=0", "--subject=Subject"];
    let words = |input: &str| -> Vec<String> {
        let audit = [&["audit", input, "--moves", "rows.csv"][..], &judge].concat();
        let ran = lab.run(&audit);
        assert!([Some(0), Some(5), Some(6)].contains(&ran.code), "{input}: {}", ran.stderr);
        let rows = lab.read("rows.csv");
        let mut rows = csv::Reader::from_reader(rows.as_bytes());
        let column = rows.headers().unwrap().iter().position(|name| name == "words").unwrap();
        rows.records().map(|row| row.unwrap()[column].to_owned()).filter(|words| !words.is_empty()).collect()
    };
    let of_run = words("run");
    assert_eq!(of_run.len(), 24);
    assert_eq!(of_run[0], sentence);
    fs::copy(lab.path("run/games.pgn"), lab.path("games.pgn")).unwrap();
    assert_eq!(words("games.pgn"), of_run);

    lab.run_to(0, &["report", "run", "--images", "none"]);
    let html = lab.read("run/report.html");
    assert!(html.contains("words of the subject"), "no diagram has a sentence");
    assert!(html.contains(&sentence), "{sentence}");
    // Without the key nothing is kept.
    lab.write("spec.toml", &lab.read("spec.toml").replace("words = 'says move'\n", ""));
    fs::remove_dir_all(lab.path("run")).unwrap();
    lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    assert!(said(&lab).is_empty());
    assert!(!lab.read("run/plan.json").contains("words"));
}

#[test]
fn an_audit_that_was_changed_is_refused() {
    let lab = audited_run();
    let rows = lab.read("run/audit.csv");
    let shorter: Vec<&str> = rows.lines().skip(1).collect();
    lab.write(
        "run/audit.csv",
        &(rows.lines().next().unwrap().to_owned() + "\n" + &shorter[1..].join("\n") + "\n"),
    );
    let ran = lab.run_to(3, &["report", "run", "--images", "none"]);
    assert!(ran.stderr.contains("run/audit.csv: ") && ran.stderr.contains("hint: "), "{}", ran.stderr);
    lab.write("run/audit.csv", "game,ply\n1,2\n");
    let ran = lab.run_to(3, &["report", "run", "--images", "none"]);
    assert!(ran.stderr.contains("run/audit.csv, line 2: not a row of an audit"), "{}", ran.stderr);
}

/// A ladder whose players and comments are hostile.
fn hostile_pgn() -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let subject = quoted("\"'></title><script>alert(document.domain)</script>\u{1}\u{1b}[31m");
    let comment = ("<script>alert(2)</script><!-- ]]> ".repeat(30) + "\n").repeat(10_000);
    let mut pgn = String::new();
    for (index, level) in (0..48).zip([1500, 1700, 1900, 2100].into_iter().cycle()) {
        let opponent =
            if index == 5 { "<img src=x onerror=alert(1)>".repeat(37_000) } else { format!("SF&<b>{level}") };
        let (white, black, side) = if index % 2 == 0 {
            (subject.clone(), quoted(&opponent), "Black")
        } else {
            (quoted(&opponent), subject.clone(), "White")
        };
        let result = ["1-0", "0-1", "1/2-1/2", "0-1", "1-0"][index % 5];
        let first = ["e4", "d4", "c4", "Nf3"][index % 4];
        let words = if index == 7 { &comment } else { "+0.30/9 </script>\u{2028}" };
        pgn.push_str(&format!(
            "[Event \"</script>\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{}\"]\n[{side}Elo \"{level}\"]\n\
             [Termination \"<svg/onload=alert(3)>\"]\n[Result \"{result}\"]\n\n1. {first} {{{words}}} {result}\n\n",
            index + 1
        ));
    }
    pgn
}

#[test]
fn a_hostile_pgn_gives_a_safe_page() {
    let lab = Lab::new();
    lab.write("games.pgn", &hostile_pgn());
    assert!(fs::metadata(lab.path("games.pgn")).unwrap().len() > 10_000_000);
    lab.run_to(0, &["report", "games.pgn", "--images", "none"]);
    let html = lab.read("report/report.html");
    assert!(html.len() < 1_000_000, "{}", html.len());
    assert_eq!((html.matches("<script").count(), html.matches("</script").count()), (2, 2));
    for word in ["<script>alert", "<img", "<svg/", "<b>", "\u{1}", "\u{1b}", "\u{2028}"] {
        assert!(!html.contains(word), "{word:?}");
    }
    for (name, bytes) in files(&lab.path("report")) {
        assert!(bytes.len() < 1_000_000, "{name}: {}", bytes.len());
        let text = String::from_utf8(bytes).unwrap();
        let markup = !name.ends_with(".csv") && text.contains("<script>alert");
        assert!(!markup && !text.contains('\u{1b}'), "{name}");
    }
    let page = lab.path("report/report.html");
    check("check-page", &[page.to_str().unwrap(), "--figures", "4", "--games", "40"]);
    check("check-latex", &[lab.path("report").to_str().unwrap()]);
}

#[test]
fn several_runs_stand_side_by_side() {
    let lab = Lab::new();
    lab.write(
        "a.csv",
        "level,wins,draws,losses\n1500,60,13,27\n1700,52,16,32\n1900,30,23,47\n2100,17,14,69\n",
    );
    lab.write(
        "b.csv",
        "level,wins,draws,losses\n1500,70,13,17\n1700,62,16,22\n1900,40,23,37\n2100,27,14,59\n",
    );
    fs::create_dir(lab.path("other")).unwrap();
    fs::copy(lab.path("a.csv"), lab.path("other/a.csv")).unwrap();
    let ran = lab.run_to(0, &["report", "a.csv", "b.csv", "other/a.csv", "--out", "out", "--images", "none"]);
    assert!(
        ran.stdout.starts_with("a: R = ")
            && ran.stdout.contains("\nb: R = ")
            && ran.stdout.contains("\na-2: ")
    );
    let forest = lab.read("out/figures/forest.csv");
    assert_eq!(forest.matches("quoted,").count(), 3, "{forest}");
    assert!(forest.contains("b (400 games)"), "{forest}");
    let runs = lab.read("out/tables/runs.csv");
    assert_eq!(runs.lines().count(), 4, "{runs}");
    for file in ["figures/a-score.svg", "figures/b-score.svg", "figures/a-2-score.svg", "tables/b-levels.tex"]
    {
        assert!(lab.path("out").join(file).exists(), "{file}");
    }
    let page = lab.path("out/report.html");
    check("check-page", &[page.to_str().unwrap(), "--figures", "13"]);
}

#[test]
fn a_match_has_its_own_table_and_no_rating() {
    let lab = Lab::new();
    lab.write_mock_spec(&["--material"], &["--material", "--seed", "3"], "");
    lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    let ran = lab.run_to(0, &["report", "run", "--images", "none"]);
    assert!(ran.stdout.contains("Subject - Opponent"), "{}", ran.stdout);
    assert!(lab.read("run/tables/match.md").contains("pairs (pentanomial)"));
    assert!(!lab.path("run/figures/score.svg").exists());
    let html = lab.read("run/report.html");
    assert!(!html.contains("Rating to quote") && html.contains("All 4 games."));
}

#[test]
fn coverage_and_fingerprints_have_their_figures() {
    let lab = Lab::new();
    lab.write("games.csv", "level,wins,draws,losses\n1600,30,4,6\n1800,20,6,14\n2000,10,6,24\n2200,4,6,30\n");
    let simulate = ["simulate", "games.csv", "--ladders", "20", "--figure", "coverage.svg"];
    lab.run_to(0, &simulate);
    let data = lab.read("coverage-data.csv");
    assert!(
        data.contains("hierarchical,model right,,") && data.contains("game_within_level,slope 1.3,,"),
        "{data}"
    );
    assert!(lab.read("coverage.svg").contains("promised: 95 %"));

    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fingerprints");
    let (first, second) = (format!("{folder}/classic-5m.json"), format!("{folder}/fallible-5m.json"));
    lab.run_to(5, &["fingerprint", "compare", &first, &second, "--figure", "strip.svg"]);
    let data = lab.read("strip-data.csv");
    // What the comparison itself counts: every cell of a run of neighbours.
    let report = lab.run_to(5, &["fingerprint", "compare", &first, &second, "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&report.stdout).unwrap();
    for (column, rows) in report["comparisons"][0]["rows"]["columns"].as_object().unwrap() {
        let strip = format!("differs,{column} (");
        let cells: u64 = data
            .lines()
            .filter(|line| line.starts_with(&strip))
            .map(|line| line.split(',').nth(3).unwrap().parse::<u64>().unwrap())
            .sum();
        assert_eq!(Some(cells), rows.as_u64(), "{column}");
    }
    lab.run_to(0, &["fingerprint", "compare", &first, &first, "--figure", "same.svg"]);
    assert!(!lab.read("same-data.csv").contains("differs,"));
}

#[test]
fn manual_pages_and_completions_come_from_the_definitions() {
    let lab = Lab::new();
    lab.run_to(0, &["manual", "man"]);
    let page = lab.read("man/elometer-report.1");
    assert!(page.contains("elometer\\-report") && page.contains("\\-\\-images"), "{page}");
    assert!(lab.path("man/elometer.1").exists() && lab.path("man/elometer-audit-stability.1").exists());
    for shell in ["bash", "zsh", "fish"] {
        let text = lab.run_to(0, &["completions", shell]).stdout;
        assert!(text.contains("report") && text.contains("status"), "{shell}");
    }
    let help = lab.run_to(0, &["--help"]).stdout;
    assert!(help.contains("elometer run ladders/quick.toml") && help.contains("Exit codes:"), "{help}");
}

#[test]
fn long_work_shows_games_rating_faults_and_time() {
    let lab = Lab::new();
    let opponent = ["--material", "--elo", "1000:2000", "--seed", "1"];
    lab.write_mock_spec(&["--material"], &opponent, "levels = [1200, 1400, 1600, 1800]");
    let ran = lab.run_to(0, &["run", "spec.toml", "--out", "run", "--concurrency", "1"]);
    let lines: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("/16 games, subject +")).collect();
    assert_eq!(lines.len(), 16, "{}", ran.stderr);
    assert!(lines[..15].iter().all(|line| line.contains(" left")), "{}", ran.stderr);
    assert!(!lines[15].contains(" left"), "{}", ran.stderr);
}
