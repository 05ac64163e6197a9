//! `elometer match`, `compare`, `simulate` and the pool and paper forms of `fit`, through the program.

use super::support::{Lab, mock_engine};

/// First moves of White and answers of Black: as many different games.
const FIRST: [&str; 10] = ["a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3", "Na3", "Nh3"];
const ANSWERS: [&str; 4] = ["a6", "b6", "c6", "d6"];

/// A PGN of pairs: white, black and the points of the first in half points, game by game.
fn pgn(pairs: &[(&str, &str, [u8; 2])]) -> String {
    let mut text = String::new();
    for (number, (first, second, points)) in pairs.iter().enumerate() {
        for (game, points) in points.iter().enumerate() {
            let (white, black) = if game == 0 { (first, second) } else { (second, first) };
            let result = match (points, game) {
                (1, _) => "1/2-1/2",
                (2, 0) | (0, 1) => "1-0",
                _ => "0-1",
            };
            // Both games of a pair share an opening and differ in the move after it.
            let (opening, answer) = (FIRST[number % 10], ANSWERS[number / 10 % 4]);
            let third = FIRST[(number + 1 + game) % 10];
            text.push_str(&format!(
                "[Event \"?\"]\n[Round \"{}.{}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n\
                 1. {opening} {answer} 2. {third} {result}\n\n",
                number + 1,
                game + 1,
            ));
        }
    }
    text
}

/// Twenty pairs in which the new engine is ahead.
fn a_match() -> String {
    let scores = [[2, 1], [2, 0], [1, 1], [2, 2], [0, 1], [2, 1], [1, 2], [2, 0], [1, 1], [2, 1]];
    let pairs: Vec<_> = scores.iter().cycle().take(20).map(|points| ("New", "Old", *points)).collect();
    pgn(&pairs)
}

#[test]
fn a_match_is_summed_up_from_pairs_with_its_sequential_test() {
    let lab = Lab::new();
    lab.write("match.pgn", &a_match());
    insta::assert_snapshot!(lab.run_to(6, &["match", "match.pgn", "--sprt", "0,10"]).stdout);
    // A test of far hypotheses is decided, by a prefix of the games.
    let decided = lab.run_to(0, &["match", "match.pgn", "--sprt", "0,300"]).stdout;
    assert!(
        decided.contains("elo1 = 300 is accepted") || decided.contains("elo0 = 0 is accepted"),
        "{decided}"
    );
    assert!(decided.contains("not counted by the test"), "{decided}");
    let json: serde_json::Value =
        serde_json::from_str(&lab.run_to(0, &["match", "match.pgn", "--format", "json"]).stdout).unwrap();
    assert_eq!(json["match"]["games"], 40);
    // From the other side everything is turned round.
    let other: serde_json::Value = serde_json::from_str(
        &lab.run_to(0, &["match", "match.pgn", "--subject", "Old", "--format", "json"]).stdout,
    )
    .unwrap();
    let elo = |json: &serde_json::Value| json["match"]["elo"]["elo"].as_f64().unwrap();
    assert!((elo(&json) + elo(&other)).abs() < 1e-9);
}

#[test]
fn a_match_without_a_difference_says_so() {
    let lab = Lab::new();
    lab.write("won.pgn", &pgn(&[("New", "Old", [2, 2]); 4]));
    let won = lab.run_to(6, &["match", "won.pgn"]).stdout;
    assert!(won.contains("New - Old >= ") && won.contains("all won"), "{won}");
    assert!(!won.contains("opening bias"), "{won}");
    lab.write("drawn.pgn", &pgn(&[("New", "Old", [1, 1]); 4]));
    assert!(lab.run_to(6, &["match", "drawn.pgn"]).stdout.contains("no variance"));
    lab.write("one.pgn", &pgn(&[("New", "Old", [2, 1])]));
    assert!(lab.run_to(6, &["match", "one.pgn"]).stdout.contains("one observation has no spread"));
}

#[test]
fn a_sequential_test_that_cannot_be_is_refused() {
    let lab = Lab::new();
    lab.write("match.pgn", &a_match());
    for (sprt, expected) in [
        ("5", "expected elo0,elo1"),
        ("5,0", "hypotheses 5 and 0"),
        ("0,5,0.9,0.05", "error rates"),
        ("0,x", "expected elo0,elo1"),
    ] {
        let ran = lab.run_to(2, &["match", "match.pgn", "--sprt", sprt]);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    lab.write("three.pgn", &pgn(&[("A", "B", [2, 0]), ("B", "C", [2, 0])]));
    let ran = lab.run_to(3, &["match", "three.pgn"]);
    assert!(ran.stderr.contains("a match has two players, found 3: A, B, C"), "{}", ran.stderr);
    let ran = lab.run_to(3, &["match", "three.pgn", "--subject", "A", "--opponent", "C"]);
    assert!(ran.stderr.contains("did not meet"), "{}", ran.stderr);
}

/// A subject against levels in its opponents' names.
fn a_ladder(plus: u8) -> String {
    let mut pairs = Vec::new();
    for (level, base) in [("SF-1500", [2, 2]), ("SF-1700", [2, 1]), ("SF-1900", [1, 1]), ("SF-2100", [0, 1])]
    {
        for number in 0..6_u8 {
            let points = base.map(|points: u8| match (number + plus) % 3 {
                0 => points.saturating_sub(1),
                1 => points,
                _ => (points + 1).min(2),
            });
            pairs.push(("Subject", level, points));
        }
    }
    pgn(&pairs)
}

#[test]
fn two_runs_are_compared_by_ratings_and_level_by_level() {
    let lab = Lab::new();
    lab.write("one.pgn", &a_ladder(0));
    lab.write("two.pgn", &a_ladder(1));
    let arguments = ["compare", "one.pgn", "two.pgn", "--level-pattern", "SF-{level}"];
    let text = lab.run_to(0, &arguments).stdout;
    insta::assert_snapshot!(text);
    let same = lab.run_to(0, &["compare", "one.pgn", "one.pgn", "--level-pattern", "SF-{level}"]);
    assert!(same.stdout.contains("+0") || same.stdout.contains("not enough data"), "{}", same.stdout);
}

#[test]
fn levels_of_opponents_that_differ_are_not_compared() {
    let lab = Lab::new();
    let opponent = ["--material", "--elo", "1000:2000", "--seed", "1"];
    lab.write_mock_spec(&["--seed", "2"], &opponent, "levels = [1200, 1400]");
    lab.run_to(0, &["run", "spec.toml", "--out", "one"]);
    lab.run_to(0, &["run", "spec.toml", "--out", "same"]);
    let spec = lab.read("spec.toml");
    let (subject, opponent) = spec.split_once("[opponent]").unwrap();
    let opponent = opponent.replacen("{ nodes = 1 }", "{ nodes = 2 }", 1);
    lab.write("spec.toml", &format!("{subject}[opponent]{opponent}"));
    lab.run_to(0, &["run", "spec.toml", "--out", "other"]);

    let ran = lab.run(&["compare", "one", "other"]);
    assert!(
        ran.stdout.contains("A: Subject (1 nodes a move) against Opponent (1 nodes a move"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("against Opponent (2 nodes a move"), "{}", ran.stdout);
    assert!(ran.stdout.contains("the opponents differ") && !ran.stdout.contains("pairs A"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("luck"), "{}", ran.stdout);
    assert!(ran.stderr.starts_with("warning: the opponents differ"), "{}", ran.stderr);
    let json = |other| -> serde_json::Value {
        serde_json::from_str(&lab.run(&["compare", "one", other, "--format", "json"]).stdout).unwrap()
    };
    let found = json("other");
    assert_eq!(
        (&found["opponents"]["same"], &found["direct"]["levels"]),
        (&false.into(), &serde_json::json!([]))
    );
    let found = json("same");
    assert_eq!(found["opponents"]["same"], true);
    assert_eq!(found["direct"]["levels"].as_array().unwrap().len(), 2);
    // Another program under the same name, limits and options.
    let mock = &mock_engine();
    let mut program = std::fs::read(mock).unwrap();
    program.push(0);
    let copy = lab.path("copy");
    std::fs::copy(mock, &copy).unwrap();
    std::fs::write(&copy, program).unwrap();
    let (subject, opponent) = spec.split_once("[opponent]").unwrap();
    let opponent = opponent.replacen(mock.to_str().unwrap(), copy.to_str().unwrap(), 1);
    lab.write("spec.toml", &format!("{subject}[opponent]{opponent}"));
    lab.run_to(0, &["run", "spec.toml", "--out", "copied"]);
    let found = json("copied");
    assert_eq!(found["opponents"]["same"], false);
    let ran = lab.run(&["compare", "one", "copied"]);
    assert!(ran.stderr.contains("program (SHA-256): "), "{}", ran.stderr);
    assert!(!ran.stdout.contains("luck"), "{}", ran.stdout);
    let ran = lab.run(&["compare", "one", "one/games.pgn"]);
    assert!(ran.stdout.contains("whether the opponents were the same is not known"), "{}", ran.stdout);
}

#[test]
fn games_among_several_players_are_a_pool_and_groups_without_a_tie_are_named() {
    let lab = Lab::new();
    let mut pairs = Vec::new();
    for points in [[2, 1], [1, 1], [2, 0], [0, 1], [2, 2]] {
        pairs.extend([("A", "B", points), ("B", "C", points), ("A", "SF-1900", points)]);
    }
    lab.write("pool.pgn", &pgn(&pairs));
    let arguments = ["fit", "pool.pgn", "--level-pattern", "SF-{level}"];
    insta::assert_snapshot!(lab.run_to(0, &arguments).stdout);
    pairs.extend([("X", "Y", [2, 0]), ("Y", "X", [2, 1])]);
    let refused = lab.run_to(2, &["fit", "pool.pgn", "--pool", "--method", "all"]);
    assert!(refused.stderr.contains("--method all is for one subject"), "{}", refused.stderr);
    lab.write("apart.pgn", &pgn(&pairs));
    let apart = lab.run_to(0, &["fit", "apart.pgn", "--level-pattern", "SF-{level}"]).stdout;
    assert!(apart.contains("the games do not compare 2 groups"), "{apart}");
    assert!(apart.contains(": X, Y"), "{apart}");
}

#[test]
fn a_fit_is_a_table_for_a_paper_and_unrounded_for_a_program() {
    let lab = Lab::new();
    lab.write("ladder.pgn", &a_ladder(0));
    let fit = |format| {
        let arguments = ["fit", "ladder.pgn", "--level-pattern", "SF-{level}", "--format", format];
        lab.run_to(0, &arguments).stdout
    };
    insta::assert_snapshot!(fit("latex"));
    insta::assert_snapshot!(fit("markdown"));
    insta::assert_snapshot!(fit("csv"));
    let all =
        ["fit", "ladder.pgn", "--level-pattern", "SF-{level}", "--method", "all", "--claim", "above:1700"];
    insta::assert_snapshot!(lab.run_to(0, &all).stdout);
}

#[test]
fn the_figure_is_the_same_bytes_each_time_with_its_data_beside_it() {
    let lab = Lab::new();
    lab.write("ladder.pgn", &a_ladder(0));
    let draw = |name| {
        lab.run_to(0, &["fit", "ladder.pgn", "--level-pattern", "SF-{level}", "--figure", name]);
        lab.read(name)
    };
    let svg = draw("one.svg");
    assert_eq!(svg, draw("two.svg"));
    assert_eq!(lab.read("one-data.csv"), lab.read("two-data.csv"));
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    // Every level has its dot in both panels, and each legend has one.
    assert_eq!(svg.matches("<circle").count(), 10, "{svg}");
    let data = lab.read("one-data.csv");
    for (wrong, input) in [("ladder.png", "ladder.pgn"), ("-", "ladder.pgn")] {
        let ran = lab.run_to(2, &["fit", input, "--level-pattern", "SF-{level}", "--figure", wrong]);
        assert!(ran.stderr.contains("expected a name that ends in .svg"), "{}", ran.stderr);
    }
    lab.write("own-data.csv", "level,wins,draws,losses\n1600,10,4,6\n2000,6,4,10\n");
    let ran = lab.run_to(2, &["fit", "own-data.csv", "--figure", "own.svg"]);
    assert!(ran.stderr.contains("would write over the input own-data.csv"), "{}", ran.stderr);
    for series in ["score,1500", "implied_rating,1700", "elo_curve,", "free_slope,", "quoted,"] {
        assert!(data.contains(series), "{series}\n{data}");
    }
}

#[test]
fn a_simulation_is_fixed_by_its_seed_and_says_how_many_games_are_needed() {
    let lab = Lab::new();
    lab.write("counts.csv", "level,wins,draws,losses\n1600,10,4,6\n1800,8,4,8\n2000,6,4,10\n2200,3,2,15\n");
    let simulate = |threads| {
        let arguments =
            ["simulate", "counts.csv", "--ladders", "40", "--half-width", "80", "--threads", threads];
        lab.run_to(0, &arguments).stdout
    };
    let one = simulate("1");
    assert_eq!(one, simulate("3"));
    insta::assert_snapshot!(one);
    // Games without a pair stay observations of their own.
    let arguments = ["simulate", "counts.csv", "--ladders", "2", "--format", "json"];
    let json: serde_json::Value = serde_json::from_str(&lab.run_to(0, &arguments).stdout).unwrap();
    let level = &json["worlds"][0]["simulation"]["truth"]["levels"][0];
    assert_eq!((&level["pairs"], &level["single_games"]), (&0.into(), &20.into()), "{level}");
    for (option, value) in [("--half-width", "-5"), ("--half-width", "0"), ("--half-width", "x")] {
        let refused = lab.run_to(2, &["simulate", "counts.csv", option, value]);
        assert!(refused.stderr.contains("expected more than 0 Elo, such as 40"), "{}", refused.stderr);
    }
    let refused = lab.run_to(3, &["simulate", "counts.csv", "--level-sd", "-5"]);
    assert!(refused.stderr.contains("deviation is -5, expected 0 or more"), "{}", refused.stderr);
    let refused = lab.run_to(3, &["simulate", "counts.csv", "--slope", "0"]);
    assert!(refused.stderr.contains("the slope is 0, expected more than 0"), "{}", refused.stderr);
}

#[test]
fn a_narrow_interval_is_printed_with_the_decimals_that_show_it() {
    let lab = Lab::new();
    let level = |elo: u32, wins: u32| format!("{elo},{wins},1000000000,{}\n", 2_000_000_000 - wins);
    let text = format!("level,wins,draws,losses\n{}{}", level(1800, 1_287_000_000), level(2000, 712_000_000));
    lab.write("many.csv", &text);
    let text = lab.run_to(0, &["fit", "many.csv", "--method", "all"]).stdout;
    for line in text.lines() {
        for found in line.split('[').skip(1) {
            let Some((ends, _)) = found.split_once(']') else { continue };
            let (low, high) = ends.split_once(", ").unwrap();
            assert_ne!(low, high, "{line}");
        }
    }
    // By hand: the scores miss 1 by 1/3000, k times the weights is 0.0057565 x 0.46076, so R is 1899.874;
    // 1.96 sqrt(0.3148 / 3e9) / 0.0026524 is 0.0076.
    assert!(text.contains("[1899.867, 1899.882]"), "{text}");
}

#[test]
fn a_target_says_how_many_pairs_and_which_level_are_next() {
    let lab = Lab::new();
    lab.write("ladder.pgn", &a_ladder(0));
    let fit = |target| {
        lab.run_to(0, &["fit", "ladder.pgn", "--level-pattern", "SF-{level}", "--target-half-width", target])
            .stdout
    };
    let far = fit("30");
    assert!(far.contains("target +/- 30 Elo: not yet") && far.contains("games in all, 48 so far"), "{far}");
    assert!(far.contains("next pairs: at level "), "{far}");
    // However precise, fewer than 40 pairs stop nothing.
    assert!(fit("900").contains("nothing stops before 40 pairs"), "{}", fit("900"));
    lab.write("pairs.csv", "level,ll,ld,dd_wl,wd,ww\n1700,5,10,30,30,25\n1900,20,30,40,20,10\n");
    let reached = lab.run_to(0, &["fit", "pairs.csv", "--target-half-width", "60"]).stdout;
    assert!(reached.contains("target +/- 60 Elo: reached"), "{reached}");
    assert!(!reached.contains("next pairs"), "{reached}");
    let refused = lab.run_to(2, &["fit", "pairs.csv", "--target-half-width", "-3"]);
    assert!(refused.stderr.contains("expected more than 0 Elo"), "{}", refused.stderr);
}

#[test]
fn output_that_cannot_be_written_is_an_error_that_says_so() {
    let lab = Lab::new();
    lab.write("match.pgn", &a_match());
    for arguments in
        [&["fit", "match.pgn", "--pool"][..], &["match", "match.pgn"], &["simulate", "--ladders", "1"]]
    {
        let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
        let output = lab.command(arguments).stdout(full).output().unwrap();
        let ran = lab.ran(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("standard output cannot be written"), "{}", ran.stderr);
    }
}
