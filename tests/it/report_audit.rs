//! The audit in a report: there when it is of these games and this subject, else left out in words.

use std::fs;

use serde_json::Value;

use super::support::{Lab, Ran, mock_engine};

/// A queen is given away in games 3 and 5, a bishop in one of Ann against herself.
const GAMES: [(&str, &str, &str, &str); 6] = [
    ("Ann", BOB, "1. e4 {+0.30/9} e5 2. Nf3 {+0.20/9} Nc6 3. Bb5 {+0.10/9} a6", "1/2-1/2"),
    ("Carl", "Dora", "1. d4 d5", "1-0"),
    (BOB, "Ann", "1. e4 e5 2. Nf3 Qg5 {+0.50/9} 3. Nxg5 d6 {-9.00/9}", "1-0"),
    ("Ann", "Ann", "1. d4 d5 2. Bh6 Nxh6", "0-1"),
    ("Ann", BOB, "1. e4 e5 2. Qh5 {+1.00/9} Nc6 3. Qxe5+ {+1.20/9} Nxe5", "0-1"),
    ("Ann", BOB, "1. c4 c5", "*"),
];
const BOB: &str = "Bob O'Hara";
const JUDGE: [&str; 4] = ["--judge", "builtin:classic", "--nodes", "1000"];

fn pgn() -> String {
    let game = |(white, black, moves, result)| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
    };
    GAMES.map(game).concat()
}

fn audit(lab: &Lab, arguments: &[&str]) -> Ran {
    lab.run_to(5, &[&["audit"], arguments, &JUDGE[..]].concat())
}

fn report(lab: &Lab, arguments: &[&str]) -> Ran {
    lab.run_to(0, &[&["report"], arguments, &["--images", "none"]].concat())
}

/// `games.pgn`, with Ann's moves audited.
fn audited() -> Lab {
    let lab = Lab::new();
    lab.write("games.pgn", &pgn());
    audit(&lab, &["games.pgn", "--subject", "Ann"]);
    lab
}

/// What the page says of its audit; none in a page without one.
fn audit_in(lab: &Lab, page: &str) -> Option<String> {
    let html = lab.read(page);
    html.find("Audit of the moves</h2>").map(|at| html[at..].to_owned())
}

#[test]
fn the_audit_of_a_pgn_is_in_its_page() {
    let lab = audited();
    let names = ["games.pgn", "games.pgn.audit.csv", "games.pgn.audit.json", "games.pgn.evaluations.jsonl"];
    let mut found: Vec<_> = fs::read_dir(lab.path(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert_eq!(found, names, "nothing else, and no part of a file");
    let ran = report(&lab, &["games.pgn", "--subject", "Ann"]);
    assert_eq!(ran.stderr, "");
    // The figure has the drops of the rows.
    let mut rows = csv::Reader::from_path(lab.path("games.pgn.audit.csv")).unwrap();
    let rows: Vec<Vec<String>> =
        rows.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    let lost: f64 = rows.iter().filter(|row| row[20] != "0" && !row[20].is_empty()).count() as f64;
    let drops = lab.read("report/figures/drops.csv");
    assert!(drops.starts_with("series,place,to,value,low,high\n"), "{drops}");
    let bars: f64 = drops
        .lines()
        .filter_map(|line| {
            let [_, from, _, value, ..] = line.split(',').collect::<Vec<_>>()[..] else { return None };
            from.parse::<f64>().ok().filter(|from| *from >= 1.0)?;
            value.parse::<f64>().ok()
        })
        .sum();
    assert!(lost > 5.0 && bars == lost, "{lost} moves lose something:\n{drops}");
    for name in ["drops", "accuracy", "optimism"] {
        assert!(lab.read(&format!("report/figures/{name}.svg")).trim_end().ends_with("</svg>"), "{name}");
    }
    let findings = lab.read("report/tables/audit-findings.md");
    for found in ["game 3 | 2... Qg5", "game 4 | 2. Bh6", "game 5 | 3. Qxe5+"] {
        assert!(findings.contains(found), "{findings}");
    }
    assert!(lab.read("report/methods.md").contains("14 moves of 5 games were audited"));
    // The worst moves come first, and each leads to its move in its own game.
    let audit = audit_in(&lab, "report/report.html").unwrap();
    let at = |title: &str| audit.find(title).unwrap_or_else(|| panic!("no {title}"));
    let queens = [at("game 3, 2... Qg5 (Black), against Bob"), at("game 5, 3. Qxe5+ (White), against Bob")];
    let bishop = at("game 4, 2. Bh6 (White), against Ann");
    assert!(queens[0] < queens[1] && queens[1] < bishop);
    let ways = audit.match_indices("data-game=\"").map(|(at, word)| &audit[at + word.len()..]);
    let ways: Vec<&str> = ways.map(|rest| &rest[..rest.find('>').unwrap()]).take(2).collect();
    assert_eq!(ways, ["1\" data-ply=\"4\"", "2\" data-ply=\"5\""]);
    let shown: Value = serde_json::from_str(json_of(&lab.read("report/report.html"))).unwrap();
    let titles: Vec<String> = (0..3).map(|game| shown[game].to_string()).collect();
    for (title, number) in titles.iter().zip([1, 3, 5]) {
        assert!(title.contains(&format!("game {number}")), "{title}");
    }
    assert!(audit.contains("All 3 games. 3 have the worst audited moves."));
}

/// The games that a page plays.
fn json_of(html: &str) -> &str {
    let from = html.find("id=\"games\">").unwrap() + "id=\"games\">".len();
    &html[from..from + html[from..].find("</script>").unwrap()]
}

#[test]
fn an_audit_of_other_bytes_or_of_another_subject_is_left_out_in_words() {
    let lab = audited();
    let changed = pgn().replace("2. Nf3 Qg5 {+0.50/9}", "2. Nf3 Qh4 {+0.50/9}").replace("Nxg5", "Nxh4");
    lab.write("games.pgn", &changed);
    let other_bytes = report(&lab, &["games.pgn", "--subject", "Ann"]).stderr;
    assert_eq!(audit_in(&lab, "report/report.html"), None);
    assert!(!lab.path("report/figures/drops.csv").exists());
    // What the hint says mends it, and only the new moves are searched.
    let again = audit(&lab, &["games.pgn", "--subject", "Ann"]).stderr;
    assert!(again.contains("kept from before"), "{again}");
    assert_eq!(report(&lab, &["games.pgn", "--subject", "Ann"]).stderr, "");
    assert!(audit_in(&lab, "report/report.html").unwrap().contains("game 3, 2... Qh4"));

    let other_subject = report(&lab, &["games.pgn", "--subject", BOB]).stderr;
    assert_eq!(audit_in(&lab, "report/report.html"), None);
    lab.run(&[&["audit", "games.pgn", "--subject", BOB], &JUDGE[..]].concat());
    assert_eq!(report(&lab, &["games.pgn", "--subject", BOB]).stderr, "");
    assert!(audit_in(&lab, "report/report.html").unwrap().contains("Bob O&#x27;Hara: "));

    let mut saved = json(&lab, "games.pgn.audit.json");
    saved.as_object_mut().unwrap().remove("origin");
    lab.write("games.pgn.audit.json", &saved.to_string());
    let not_told = report(&lab, &["games.pgn", "--subject", BOB]).stderr;
    assert_eq!(audit_in(&lab, "report/report.html"), None);
    fs::remove_file(lab.path("games.pgn.audit.json")).unwrap();
    let half = report(&lab, &["games.pgn", "--subject", BOB]).stderr;
    insta::assert_snapshot!([other_bytes, other_subject, not_told, half].join("\n"));
}

fn json(lab: &Lab, name: &str) -> Value {
    serde_json::from_str(&lab.read(name)).unwrap()
}

#[test]
fn rows_of_another_audit_are_refused() {
    let lab = audited();
    let rows = lab.read("games.pgn.audit.csv");
    lab.run_to(5, &["audit", "games.pgn", "--subject", "Ann", "--judge", "builtin:classic", "--nodes", "9"]);
    assert_ne!(lab.read("games.pgn.audit.csv"), rows);
    lab.write("games.pgn.audit.csv", &rows);
    let ran = lab.run_to(3, &["report", "games.pgn", "--subject", "Ann", "--images", "none"]);
    assert!(ran.stderr.contains("games.pgn.audit.csv: SHA-256 "), "{}", ran.stderr);
    assert!(ran.stderr.contains("hint: `elometer audit` writes it again"), "{}", ran.stderr);
}

#[test]
fn the_files_stand_beside_the_pgn_wherever_the_store_is_and_beside_nothing_else() {
    let lab = Lab::new();
    lab.write("games.pgn", &pgn());
    lab.write("more.pgn", &pgn());
    let subject = ["--subject", "Ann", "--store", "kept/all.jsonl"];
    audit(&lab, &[&["games.pgn", "more.pgn"], &subject[..]].concat());
    let one =
        ["games.pgn.audit.csv", "games.pgn.audit.json", "more.pgn.audit.json"].map(|name| lab.path(name));
    assert!(one.iter().all(|path| !path.exists()), "two files have no audit of one");
    audit(&lab, &[&["games.pgn"], &subject[..]].concat());
    assert_eq!(one.each_ref().map(|path| path.exists()), [true, true, false]);
    let mut command = lab.command(&[&["audit", "-"], &subject[..], &JUDGE[..]].concat());
    command.stdin(fs::File::open(lab.path("games.pgn")).unwrap());
    assert_eq!(lab.ran(&command.output().unwrap()).code, Some(5));
    assert!(!lab.path("-.audit.json").exists());
    // What is not of an audit stays, and the audit itself is not lost.
    fs::create_dir(lab.path("more.pgn.audit.csv")).unwrap();
    let ran = audit(&lab, &[&["more.pgn"], &subject[..]].concat());
    assert!(ran.stdout.contains("verdict: broken"), "{}", ran.stdout);
    let warning = |file: &str| {
        format!(
            "warning: this audit is not kept for `elometer report`: {file} is not of an earlier audit\nhint: "
        )
    };
    assert!(ran.stderr.contains(&warning("more.pgn.audit.csv")), "{}", ran.stderr);
    assert_eq!(audit_of(&lab, "more.pgn"), None);
    // The rows alone, as an audit that was cut short leaves them, are written again; a user's are not.
    let whole = ["games.pgn.audit.csv", "games.pgn.audit.json"].map(|name| lab.read(name));
    fs::remove_file(lab.path("games.pgn.audit.json")).unwrap();
    let ran = audit(&lab, &[&["games.pgn"], &subject[..]].concat());
    assert!(!ran.stderr.contains("not kept"), "{}", ran.stderr);
    assert_eq!(["games.pgn.audit.csv", "games.pgn.audit.json"].map(|name| lab.read(name)), whole);
    for (name, text) in
        [("games.pgn.audit.csv", "date,auditor\n"), ("games.pgn.audit.json", "{\"format_version\":1}")]
    {
        let own = lab.read(name);
        lab.write(name, text);
        let ran = audit(&lab, &[&["games.pgn"], &subject[..]].concat());
        assert!(ran.stderr.contains(&warning(name)), "{}", ran.stderr);
        assert_eq!(lab.read(name), text);
        lab.write(name, &own);
    }
    // A store that cannot be opened: the hint knows the option.
    fs::create_dir(lab.path("more.pgn.evaluations.jsonl")).unwrap();
    let ran = lab.run_to(1, &[&["audit", "more.pgn", "--subject", "Ann"], &JUDGE[..]].concat());
    assert!(ran.stderr.contains("more.pgn.evaluations.jsonl: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("--store FILE"), "{}", ran.stderr);
}

#[test]
fn damaged_tables_are_refused() {
    let lab = audited();
    let made = json(&lab, "games.pgn.audit.json");
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut saved = made.clone();
        change(&mut saved["tables"]);
        lab.write("games.pgn.audit.json", &saved.to_string());
        lab.run_to(3, &["report", "games.pgn", "--subject", "Ann", "--images", "none"]).stderr
    };
    let longer = refused(&|tables| tables["clauses"]["rows"][0].as_array_mut().unwrap().push("more".into()));
    assert!(longer.contains("games.pgn.audit.json: table `clauses`, row 1: "), "{longer}");
    assert!(longer.contains("hint: "), "{longer}");
    let number = refused(&|tables| tables["clauses"]["rows"][0][0] = 7.into());
    assert!(number.contains("table `clauses`, row 1: no list of texts"), "{number}");
    let none = refused(&|tables| tables["clauses"] = Value::Null);
    assert!(none.contains("table `clauses`: expected `columns` and `rows`"), "{none}");
}

#[cfg(unix)]
#[test]
fn nothing_waits_for_a_fifo() {
    let lab = audited();
    let fifo = |name: &str| {
        let _ = fs::remove_file(lab.path(name));
        assert!(std::process::Command::new("mkfifo").arg(lab.path(name)).status().unwrap().success());
    };
    let arguments = ["report", "games.pgn", "--subject", "Ann", "--images", "none", "--out", "out"];
    fs::create_dir(lab.path("out")).unwrap();
    for name in ["out/.elometer", "out/report.html"] {
        fifo(name);
        let ran = lab.run_to(2, &arguments);
        assert!(ran.stderr.contains(&format!("{name}: not of an earlier report")), "{}", ran.stderr);
        fs::remove_file(lab.path(name)).unwrap();
    }
    lab.run_to(0, &arguments);
    fifo("out/report.html");
    let ran = lab.run_to(2, &arguments);
    assert!(ran.stderr.contains("out/report.html: not of an earlier report"), "{}", ran.stderr);
    for name in ["games.pgn.audit.csv", "games.pgn.audit.json"] {
        let own = lab.read(name);
        fifo(name);
        let ran = lab.run_to(3, &arguments);
        assert!(ran.stderr.contains(&format!("{name}: not a file")), "{}", ran.stderr);
        let ran = audit(&lab, &["games.pgn", "--subject", "Ann"]);
        assert!(ran.stderr.contains(&format!("{name} is not of an earlier audit")), "{}", ran.stderr);
        fs::remove_file(lab.path(name)).unwrap();
        lab.write(name, &own);
    }
}

/// What the report of one input says of its audit.
fn audit_of(lab: &Lab, input: &str) -> Option<String> {
    report(lab, &[input, "--subject", "Ann"]);
    audit_in(lab, "report/report.html")
}

#[test]
fn of_several_inputs_each_has_its_own_audit() {
    let lab = audited();
    lab.write("plain.pgn", &pgn());
    lab.write("counts.csv", "level,wins,draws,losses\n1500,60,13,27\n1700,52,16,32\n");
    let ran = report(&lab, &["counts.csv", "games.pgn", "plain.pgn", "--subject", "Ann", "--out", "out"]);
    assert_eq!(ran.stderr, "");
    assert!(lab.read("out/figures/games-drops.svg").trim_end().ends_with("</svg>"));
    assert!(lab.read("out/tables/games-audit-findings.tex").contains("Qxe5"));
    for other in ["counts", "plain"] {
        assert!(!lab.path(&format!("out/figures/{other}-drops.svg")).exists(), "{other}");
    }
    let html = lab.read("out/report.html");
    assert_eq!(html.matches("Audit of the moves</h3>").count(), 1);
}

#[test]
fn the_audit_of_a_run_is_of_its_plan_games_and_subject() {
    let lab = Lab::new();
    let mock = mock_engine().to_str().unwrap().to_owned();
    lab.write_mock_spec(&["--material"], &["--material", "--seed", "3"], "");
    lab.run_to(0, &["run", "spec.toml", "--out", "run", "--concurrency", "1"]);
    let judge = ["--judge", &mock, "--judge-argument=--material", "--nodes", "100"];
    lab.run(&[&["audit", "run"], &judge[..]].concat());
    assert_eq!(report(&lab, &["run"]).stderr, "");
    let page = audit_in(&lab, "run/report.html").unwrap();
    let made = json(&lab, "run/audit.json");
    let with = |change: &dyn Fn(&mut Value)| {
        let mut saved = made.clone();
        change(&mut saved);
        lab.write("run/audit.json", &saved.to_string());
        (report(&lab, &["run"]).stderr, audit_in(&lab, "run/report.html"))
    };
    // As an elometer of before wrote it, it is shown as ever.
    let old = with(&|saved| {
        saved.as_object_mut().unwrap().remove("origin");
        saved.as_object_mut().unwrap().remove("rows_sha256");
    });
    assert_eq!(old, (String::new(), Some(page)));
    let other = "0".repeat(64);
    let plan = with(&|saved| saved["origin"]["run"]["plan_sha256"] = other.clone().into());
    let games = with(&|saved| saved["origin"]["run"]["games_sha256"] = other.clone().into());
    let pgn = with(&|saved| saved["origin"] = serde_json::json!({ "pgn": { "sha256": other } }));
    assert!([&plan, &games, &pgn].iter().all(|(_, page)| page.is_none()));
    // An audit of other games and another subject: no hint is the command just given.
    let foreign = with(&|saved| {
        saved["subject"] = "Stranger".into();
        saved["origin"]["run"]["plan_sha256"] = other.clone().into();
    });
    let renamed = with(&|saved| saved["subject"] = "Stranger".into());
    for (stderr, page) in [&foreign, &renamed] {
        assert!(stderr.contains("hint: run `elometer audit run` again") && page.is_none(), "{stderr}");
    }
    assert!(foreign.0.contains("found an audit of the run with plan"), "{}", foreign.0);
    assert!(renamed.0.contains("found an audit of the moves of `Stranger`"), "{}", renamed.0);
    lab.write("run/audit.json", &made.to_string());
    // The run goes on after an audit of its first games: they are shown, with a warning.
    let journal = lab.read("run/games.jsonl");
    let lines: Vec<&str> = journal.lines().collect();
    lab.write("run/games.jsonl", &(lines[..4].join("\n") + "\n"));
    lab.run(&[&["audit", "run"], &judge[..]].concat());
    lab.write("run/games.jsonl", &journal);
    let fewer = (report(&lab, &["run"]).stderr, audit_in(&lab, "run/report.html"));
    assert!(fewer.1.is_some());
    // One of them is another game now: its numbers would look right.
    let shorter = format!("{}]}}", lines[1].rsplit_once(",{\"move\":").unwrap().0);
    lab.write("run/games.jsonl", &journal.replace(lines[1], &shorter));
    let again = (report(&lab, &["run"]).stderr, audit_in(&lab, "run/report.html"));
    assert_eq!(again.1, None);
    lab.write("run/games.jsonl", &journal);
    let subject = report(&lab, &["run", "--subject", "Opponent"]).stderr;
    assert_eq!(audit_in(&lab, "run/report.html"), None);
    insta::assert_snapshot!([plan.0, games.0, pgn.0, fewer.0, again.0, subject].join("\n"));
}
