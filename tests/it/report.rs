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
            let svg = lab.read(&format!("run/figures/{file}"));
            assert!(svg.trim_end().ends_with("</svg>"), "{file}");
            let slide = svg.starts_with("<svg width=\"960\" height=\"540\" ");
            assert_eq!(slide, file.ends_with("-slide.svg"), "{file}");
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
    // A run says what its levels are; figures in LaTeX are those without a title.
    assert!(lab.read("run/figures/score.svg").contains("\nlevel (UCI_Elo)\n"));
    let captions = lab.read("run/figures/figures.tex");
    assert!(captions.contains("[width=\\elometerwidth]{score-column.pdf}"), "{captions}");
    assert!(captions.contains("% \\graphicspath{{path/to/figures/}}\n"), "{captions}");
    assert!(lab.read("run/tables/audit-findings.md").contains(" position "));
    assert!(lab.read("run/report.html").contains("Positions are left out on paper"));
    let methods = lab.read("run/methods.md");
    let plan = lab.plan("run");
    for part in ["subject", "opponent"] {
        assert!(methods.contains(plan[part]["program"]["program_sha256"].as_str().unwrap()), "{methods}");
    }
    assert!(methods.contains("1200, 1400, 1600, 1800") && methods.contains("seed 1"), "{methods}");
    let latex = lab.read("run/methods.tex");
    let short = &plan["subject"]["program"]["program_sha256"].as_str().unwrap()[..12];
    assert!(latex.contains(&format!("\\texttt{{{short}}}")) && latex.contains("95~\\%"), "{latex}");
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
    fs::write(lab.path("one/figures/score.png"), "of other games").unwrap();
    fs::write(lab.path("one/figures/mine.svg"), "not elometer's").unwrap();
    fs::remove_file(lab.path("run/audit.json")).unwrap();
    let ran = report("one");
    assert!(ran.stderr.contains("audited by an older elometer"), "{}", ran.stderr);
    let left = files(&lab.path("one"));
    assert!(left.contains_key("figures/score.svg") && left.contains_key("figures/mine.svg"));
    assert!(!left.contains_key("figures/score.png"), "a picture of other games stays beside its figure");
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
    // One at a time: the journal is then in the order of the plan, as the PGN is.
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

const COUNTS: &str = "level,wins,draws,losses\n1500,60,13,27\n1700,52,16,32\n1900,30,23,47\n2100,17,14,69\n";

#[test]
fn a_report_writes_over_nothing_but_its_own_files() {
    let lab = Lab::new();
    lab.write("a.csv", COUNTS);
    let report = |code, arguments: &[&str]| {
        lab.run_to(code, &[&["report", "--images", "none"], arguments].concat()).stderr
    };
    fs::create_dir(lab.path("own")).unwrap();
    lab.write("own/methods.md", "my words\n");
    let refusal = report(2, &["a.csv", "--out", "own"]);
    assert!(
        refusal.contains("own/methods.md: not of an earlier report") && refusal.contains("hint: "),
        "{refusal}"
    );
    assert_eq!(lab.read("own/methods.md"), "my words\n");
    assert_eq!(files(&lab.path("own")).len(), 1, "nothing else is written either");
    fs::create_dir_all(lab.path("pictures/figures")).unwrap();
    lab.write("pictures/figures/score.pdf", "mine");
    let refusal = report(2, &["a.csv", "--out", "pictures"]);
    assert!(refusal.contains("pictures/figures/score.pdf: not of an earlier report"), "{refusal}");

    // Its own files are written again, unless somebody changed them.
    report(0, &["a.csv", "--out", "out"]);
    report(0, &["a.csv", "--out", "out"]);
    let methods = lab.read("out/methods.md");
    lab.write("out/methods.md", &(methods.clone() + "And my own words.\n"));
    let refusal = report(2, &["a.csv", "--out", "out"]);
    assert!(refusal.contains("out/methods.md: changed since a report wrote it"), "{refusal}");
    assert!(lab.read("out/methods.md").ends_with("And my own words.\n"));
    lab.write("out/methods.md", &methods);
    report(0, &["a.csv", "--out", "out"]);

    // An input stays, even where an earlier report wrote it.
    let levels = lab.read("out/tables/levels.csv");
    fs::write(lab.path("out/tables/levels.csv"), COUNTS).unwrap();
    let refusal = report(2, &["out/tables/levels.csv", "--out", "out"]);
    assert!(refusal.contains("would write over the input out/tables/levels.csv"), "{refusal}");
    assert_eq!(lab.read("out/tables/levels.csv"), COUNTS);
    assert_ne!(levels, COUNTS);
}

#[test]
fn a_report_tells_no_folder_of_the_machine_and_is_the_same_from_anywhere() {
    let lab = Lab::new();
    lab.write("a.csv", COUNTS);
    let whole = lab.path("a.csv");
    lab.run_to(0, &["report", "a.csv", "--out", "one"]);
    lab.run_to(0, &["report", whole.to_str().unwrap(), "--out", "two"]);
    // With PDFs and PNGs, where rsvg-convert is installed.
    let (one, two) = (files(&lab.path("one")), files(&lab.path("two")));
    for (name, bytes) in &one {
        assert!(two.get(name) == Some(bytes), "{name}");
    }
    let page = lab.read("two/report.html");
    assert!(page.contains("from a.csv") && !page.contains(whole.parent().unwrap().to_str().unwrap()));
}

#[test]
fn names_in_any_script_make_figures_and_tables_that_can_be_set() {
    let lab = Lab::new();
    let mut pgn = String::new();
    for (index, level) in (0..40).zip([1500, 1700, 1900, 2100].into_iter().cycle()) {
        let result = ["1-0", "0-1", "1/2-1/2", "0-1", "1-0"][index % 5];
        pgn.push_str(&format!(
            "[White \"Жук\u{ffff}\u{fffe}\u{2028}\u{61c}王 → ≥\"]\n[Black \"SF{level}\"]\n[BlackElo \"{level}\"]\n\
             [Result \"{result}\"]\n\n1. e4 {result}\n\n"
        ));
    }
    lab.write("games.pgn", &pgn);
    // With rsvg-convert, which reads no SVG that XML forbids.
    let ran = lab.run_to(0, &["report", "games.pgn"]);
    assert!(
        ran.stderr.contains("warning: pdfLaTeX has no letters for some names in figures/figures.tex"),
        "{}",
        ran.stderr
    );
    for (name, bytes) in files(&lab.path("report")) {
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let bad = ['\u{fffe}', '\u{ffff}', '\u{2028}', '\u{61c}'].into_iter().find(|c| text.contains(*c));
        assert!(name.ends_with(".csv") || bad.is_none(), "{name}: {bad:?}");
    }
    let table = lab.read("report/tables/levels.tex");
    assert!(
        table.contains("$\\rightarrow$ $\\geq$") && table.contains("% pdfLaTeX has no letters for "),
        "{table}"
    );
    check("check-latex", &[lab.path("report").to_str().unwrap()]);
}

#[test]
fn a_figure_is_not_written_over_what_it_is_drawn_from() {
    let lab = Lab::new();
    lab.write("cnt-data.csv", COUNTS);
    let refusal = |arguments: &[&str]| lab.run_to(2, arguments).stderr;
    let stderr = refusal(&["fit", "cnt-data.csv", "--figure", "./cnt.svg"]);
    assert!(stderr.contains("--figure ./cnt.svg would write over the input cnt-data.csv"), "{stderr}");
    let whole = lab.path("cnt.svg");
    refusal(&["fit", "cnt-data.csv", "--figure", whole.to_str().unwrap()]);
    refusal(&["simulate", "cnt-data.csv", "--ladders", "20", "--figure", "./cnt.svg"]);
    lab.write("g.svg", COUNTS);
    refusal(&["fit", "g.svg", "--figure", "./g.svg"]);
    lab.write("a.csv", COUNTS);
    lab.write("lvx-data.csv", "name,level\nSF,1500\n");
    let stderr = refusal(&["fit", "a.csv", "--levels", "lvx-data.csv", "--figure", "lvx.svg"]);
    assert!(stderr.contains("over the input lvx-data.csv"), "{stderr}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("a.csv", lab.path("link.svg")).unwrap();
        refusal(&["fit", "a.csv", "--figure", "link.svg"]);
    }
    // Nor over a file that only has the name of a figure's data.
    lab.write("other-data.csv", "mine\n");
    let stderr = refusal(&["fit", "a.csv", "--figure", "other.svg"]);
    assert!(stderr.contains("other-data.csv, which is there and is not a figure's data"), "{stderr}");
    for (name, text) in
        [("cnt-data.csv", COUNTS), ("g.svg", COUNTS), ("a.csv", COUNTS), ("other-data.csv", "mine\n")]
    {
        assert_eq!(lab.read(name), text, "{name}");
    }
    for _ in 0..2 {
        lab.run_to(0, &["fit", "a.csv", "--figure", "fresh.svg"]);
    }
    assert!(lab.read("fresh-data.csv").starts_with("series,place"));
}

/// A ladder whose players and comments are hostile.
fn hostile_pgn() -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let subject = quoted("\"'></title><script>alert(document.domain)</script>\u{1}\u{1b}[31m");
    let comment = ("<script>alert(2)</script><!-- ]]> ".repeat(30) + "\n").repeat(10_000);
    let in_one_line = comment.replace('\n', " ");
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
        let words = match index {
            7 => &comment,
            8 => &in_one_line,
            _ => "+0.30/9 </script>\u{2028}",
        };
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
    // Counts name no opponents, and the same file twice is no second run.
    let not_known = "Whether all runs were played against the same opponents is not known.";
    assert!(lab.read("out/tables/runs.md").contains(not_known));
    assert!(lab.read("out/report.html").contains(not_known));
    let twice = lab.run_to(0, &["report", "a.csv", "./a.csv", "--out", "twice", "--images", "none"]);
    assert!(twice.stderr.contains("./a.csv is given twice"), "{}", twice.stderr);
    // Without pairs no text speaks of them.
    let methods = lab.read("out/methods.md");
    assert!(
        methods.contains("Games are the observations") && !methods.contains("pairs are the"),
        "{methods}"
    );
    assert!(
        lab.read("out/figures/a-score.svg").contains("\nlevel (Elo)\n"),
        "nobody says that it is UCI_Elo"
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
    let long = "a-long-name-of-more-than-forty-letters-and-no-end";
    lab.write(&format!("{long}.csv"), COUNTS);
    lab.run_to(0, &["report", "a.csv", &format!("{long}.csv"), "--out", "long", "--images", "none"]);
    assert!(lab.read("long/figures/forest.csv").contains(&format!("{}… (400 games)", &long[..40])));
    assert!(lab.read("long/figures/forest-column.svg").contains("… (400 games)\n"));
    let page = lab.path("out/report.html");
    check("check-page", &[page.to_str().unwrap(), "--figures", "13"]);
    check("check-latex", &[lab.path("out").to_str().unwrap()]);
}

#[test]
fn a_match_has_its_own_table_and_no_rating() {
    let lab = Lab::new();
    lab.write_mock_spec(&["--material"], &["--material", "--seed", "3"], "");
    let openings = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions/openings.epd");
    lab.write("openings.epd", &(lines_of(&openings)[..8].join("\n") + "\n"));
    let spec = lab.read("spec.toml").replace("max_plies = 12", "max_plies = 120");
    lab.write("spec.toml", &spec.replace("pairs = 2", "pairs = 8"));
    lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    let ran = lab.run_to(0, &["report", "run", "--images", "none"]);
    assert!(ran.stdout.contains("Subject - Opponent"), "{}", ran.stdout);
    assert!(lab.read("run/tables/match.md").contains("pairs (pentanomial)"));
    assert!(!lab.path("run/figures/score.svg").exists());
    let html = lab.read("run/report.html");
    assert!(!html.contains("Rating to quote") && html.contains("All 16 games."));
    let quoted = lab.read("run/tables/match.csv").lines().nth(1).unwrap().to_owned();
    assert!(quoted.starts_with("\"quoted, Student's t\",8,"), "{quoted}");

    // Methods say what an observation was, and whose words ended games.
    let methods = lab.read("run/methods.md");
    assert!(methods.contains("with opening pairs as observations: Wilson's"), "{methods}");
    assert!(methods.contains("drawn after 120 plies, those of the opening not counted"), "{methods}");
    // From the other side every number is the other one.
    let elo = |text: &str| -> f64 {
        let number = text.split(" = ").nth(1).unwrap().split(' ').next().unwrap();
        number.parse().unwrap()
    };
    let of_first = ["report", "run/games.pgn", "--subject", "Subject", "--out", "one", "--images", "none"];
    let of_second = ["report", "run/games.pgn", "--subject", "Opponent", "--out", "two", "--images", "none"];
    let [one, two] = [of_first, of_second].map(|arguments| lab.run_to(0, &arguments).stdout);
    assert!(two.contains("Opponent - Subject = "), "{two}");
    assert_eq!(elo(&one), -elo(&two));
    assert_eq!(elo(&one), elo(&ran.stdout));
    let folder = ["report", "run", "--subject", "Opponent", "--out", "three", "--images", "none"];
    assert_eq!(elo(&lab.run_to(0, &folder).stdout), elo(&two));
    assert!(lab.read("three/report.html").contains("whose subject is Subject:"));
    assert!(lab.read("three/methods.md").contains("these paragraphs call Subject the subject"));

    // Beside a ladder a match has its games and no rating.
    lab.write("ladder.csv", "level,wins,draws,losses\n1500,60,13,27\n1900,30,23,47\n");
    lab.run_to(0, &["report", "run", "ladder.csv", "--out", "both", "--images", "none"]);
    let runs = lab.read("both/tables/runs.csv");
    assert!(runs.lines().any(|line| line.starts_with("run,Subject,") && line.contains(",16,8,")), "{runs}");
    assert!(!lab.read("both/figures/forest.csv").contains("run ("));
}

#[test]
fn captions_count_the_games_that_the_rating_uses() {
    let lab = Lab::new();
    let game = |black: &str, elo: &str, result: &str| {
        format!("[White \"Me\"]\n[Black \"{black}\"]\n{elo}[Result \"{result}\"]\n\n1. e4 e5 {result}\n\n")
    };
    let mut pgn = String::new();
    for index in 0..30 {
        let level = [1500, 1600, 1700][index % 3];
        let result = ["1-0", "0-1", "1/2-1/2", "1-0", "0-1"][index % 5];
        let moves = format!("1. {} {result}", ["e4", "d4", "c4", "Nf3", "g3", "b3"][index % 6]);
        let one = game("SF", &format!("[BlackElo \"{level}\"]\n"), result);
        pgn.push_str(&one.replace(&format!("1. e4 e5 {result}"), &moves));
        pgn.push_str(&game("Mystery", "", "1-0"));
    }
    lab.write("games.pgn", &pgn);
    let ran = lab.run_to(0, &["report", "games.pgn", "--subject", "Me", "--images", "none"]);
    assert!(ran.stdout.contains("30 games"), "{}", ran.stdout);
    let captions = lab.read("report/figures/figures.tex");
    assert_eq!(captions.matches("60 games, of which 30 are rated.").count(), 1, "{captions}");
    assert!(captions.contains("Me; 30 games (12 pairs)."), "{captions}");
}

#[test]
fn a_watched_folder_that_goes_away_ends_the_watching() {
    let lab = Lab::new();
    lab.write_mock_spec(&[], &["--elo", "1000:2000"], "levels = [1200]");
    lab.run_to(0, &["run", "spec.toml", "--out", "run"]);
    let journal = lab.read("run/games.jsonl");
    let unfinished: Vec<&str> = journal.lines().take(2).collect();
    lab.write("run/games.jsonl", &(unfinished.join("\n") + "\n"));
    let watching = lab.command(&["status", "run", "--watch", "--every", "1"]).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    fs::remove_dir_all(lab.path("run")).unwrap();
    assert_eq!(watching.wait_with_output().unwrap().status.code(), Some(3));
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
    // The last line is of all games: the rating in it is the one that the run ends with.
    let rating =
        lines[15].split("rating ").nth(1).map(|rest| rest.split(']').next().unwrap().replace('[', ""));
    let quoted = ran.stdout.lines().find_map(|line| line.strip_prefix("R = "));
    let quoted = quoted.map(|line| line.split(']').next().unwrap().replace(", 95 % [", " "));
    assert_eq!(rating, quoted, "{}{}", ran.stdout, ran.stderr);
}
