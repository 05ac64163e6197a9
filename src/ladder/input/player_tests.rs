//! Players of runs: one identity is one player, whatever it is called.

use proptest::prelude::*;

use super::read::read_runs;
use super::tests::game;
use super::{InputError, InputOptions, Inputs, LevelRules, LevelTable, Notice};
use crate::arena::{Limits, SideName};
use crate::chess::AdjudicationRules;
use crate::ladder::{GameLine, Plan, PlannedEngine, PlannedGame, PlannedOpening, Program, Rung};
use crate::uci::process::Deadlines;

/// An engine of this name that searches to this depth.
fn engine(name: &str, program: &str, depth: u32) -> PlannedEngine {
    PlannedEngine {
        name: name.to_owned(),
        engine: "engine".to_owned(),
        arguments: Vec::new(),
        directory: ".".to_owned(),
        program: Program { program_sha256: program.repeat(32), ..Program::default() },
        default_options: Vec::new(),
        settings: Vec::new(),
        limits: Limits { depth: Some(depth), ..Limits::default() },
        restart: false,
        history: crate::arena::History::Game,
        words: None,
        deadlines: Deadlines::default(),
    }
}

/// A run and its games.
#[derive(Clone, Debug)]
struct Run {
    name: String,
    plan: Plan,
    lines: Vec<GameLine>,
}

/// One pair at 1500, the subject's results with White and Black.
fn run(name: &str, subject: PlannedEngine, opponent: PlannedEngine, results: [&str; 2]) -> Run {
    let rung = Rung {
        name: format!("{} UCI_Elo 1500", opponent.name),
        level: Some(1500),
        settings: vec![("UCI_Elo".to_owned(), "1500".to_owned())],
    };
    let game = |subject| PlannedGame { pair: 0, rung: 0, opening: 0, subject };
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
    let plan = Plan {
        format_version: 2,
        elometer_version: "0.2.0".to_owned(),
        name: name.to_owned(),
        seed: 1,
        date: None,
        subject,
        opponent,
        rungs: vec![rung],
        adjudication: AdjudicationRules::default(),
        openings_sha256: String::new(),
        openings_in_file: 1,
        openings: vec![PlannedOpening { fen, moves: Vec::new(), eco: None, name: None }],
        games: vec![game(SideName::White), game(SideName::Black)],
    };
    // As many different games as there are names.
    let first = ["a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "f2f3", "g2g3", "h2h3"];
    let place = name.bytes().map(usize::from).sum::<usize>() % first.len();
    let line = |(number, outcome): (usize, &str)| {
        let termination = if outcome == "draw" { "maximum_length" } else { "checkmate" };
        let text = format!(
            "{{\"game\":{number},\"attempt\":0,\"void\":false,\"outcome\":\"{outcome}\",\"termination\":\
             \"{termination}\",\"started_at\":0,\"duration_ms\":0,\"plies\":[{{\"move\":\"{}\",\"time_us\":0}}]}}",
            first[place]
        );
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
        GameLine::read(text.as_bytes()).unwrap()
    };
    let lines = results.into_iter().enumerate().map(line).collect();
    Run { name: name.to_owned(), plan, lines }
}

fn read(runs: &[&Run], pgn: Option<&str>) -> Result<Inputs, InputError> {
    read_with(runs, pgn, &InputOptions::default())
}

fn read_with(runs: &[&Run], pgn: Option<&str>, options: &InputOptions) -> Result<Inputs, InputError> {
    let runs: Vec<_> = runs.iter().map(|run| (run.name.as_str(), &run.plan, run.lines.as_slice())).collect();
    read_runs(&runs, pgn, options)
}

fn players(inputs: &Inputs) -> Vec<(String, u64)> {
    let pool = inputs.pool(&[]).unwrap();
    pool.players.into_iter().map(|player| (player.name, player.games)).collect()
}

fn x(depth: u32) -> PlannedEngine {
    engine("X", "aa", depth)
}

fn o(depth: u32) -> PlannedEngine {
    engine("O", "bb", depth)
}

#[test]
fn different_identities_of_one_name_are_never_one_player() {
    let (one, other) = (run("a", x(6), o(1), ["white", "draw"]), run("b", x(8), o(1), ["draw", "draw"]));
    let inputs = read(&[&one, &other], None).unwrap();
    let named = |name: &str, games| (name.to_owned(), games);
    assert_eq!(
        players(&inputs),
        [named("O UCI_Elo 1500", 4), named("X, depth 6", 2), named("X, depth 8", 2)]
    );
    let error = inputs.results(None).unwrap_err();
    assert!(matches!(&error, InputError::SeveralSubjects { players, .. } if players.len() == 2));
    let error = inputs.results(Some("X")).unwrap_err();
    assert!(matches!(&error, InputError::AmbiguousName { .. }), "{error}");
    assert!(error.to_string().contains("\n  X, depth 8: 2 games\nhint: "), "{error}");
    let error = inputs.pool(&["X".to_owned()]).unwrap_err();
    assert!(matches!(error, InputError::AmbiguousName { .. }));
    let results = inputs.results(Some("X, depth 6")).unwrap();
    assert_eq!((results.subject.as_deref(), results.ladder.games()), (Some("X, depth 6"), 2));
    assert_eq!(inputs.shown_name("X, depth 8").unwrap(), "X, depth 8");
}

#[test]
fn equal_identities_are_one_player_whatever_they_are_called() {
    let mut renamed = x(6);
    renamed.name = "Y".to_owned();
    // What decides nothing makes no other player.
    renamed.engine = "elsewhere".to_owned();
    renamed.limits.margin_ms = Some(500);
    let (one, other) = (run("a", x(6), o(1), ["white", "draw"]), run("b", renamed, o(1), ["draw", "draw"]));
    for (runs, name, also) in [([&one, &other], "X", "Y"), ([&other, &one], "Y", "X")] {
        let inputs = read(&runs, None).unwrap();
        let results = inputs.results(None).unwrap();
        assert_eq!((results.subject.as_deref(), results.ladder.games()), (Some(name), 4));
        let Some(Notice::EqualIdentities { players }) = results.notices.first() else {
            panic!("{results:?}")
        };
        assert_eq!((players[0].name.as_str(), players[0].also.as_slice()), (name, &[also.to_owned()][..]));
        for called in ["X", "Y"] {
            assert_eq!(inputs.shown_name(called).unwrap(), name);
        }
        assert!(results.conditions.is_some(), "one subject, one opponent");
    }
}

#[test]
fn an_engine_that_plays_itself_is_two_players() {
    let mut itself = run("a", x(6), x(6), ["white", "white"]);
    itself.plan.rungs[0] = Rung {
        name: "X (opponent)".to_owned(),
        level: None,
        settings: itself.plan.opponent.settings.clone(),
    };
    let inputs = read(&[&itself], None).unwrap();
    assert_eq!(players(&inputs), [("X".to_owned(), 2), ("X (opponent)".to_owned(), 2)]);
}

#[test]
fn opponents_that_differ_are_named_and_copies_against_them_are_copies() {
    let (one, mut other) = (run("a", x(6), o(1), ["draw", "draw"]), run("b", x(6), o(2), ["draw", "draw"]));
    other.lines.clone_from(&one.lines);
    let results = read(&[&one, &other], None).unwrap().results(None).unwrap();
    assert_eq!((results.ladder.games(), results.ladder.units()), (4, 1), "the same games twice");
    assert!(results.conditions.is_none());
    let text = results.notices[0].to_string();
    assert!(text.contains("\n  the opponents differ in limits: depth 1, depth 2"), "{text}");
}

#[test]
fn players_of_files_are_known_by_name_and_kept_apart_where_that_is_not_enough() {
    let (one, other) = (run("a", x(6), o(1), ["white", "draw"]), run("b", x(8), o(1), ["draw", "draw"]));
    let text = game(&[("White", "X"), ("Black", "O UCI_Elo 1500")], "1. e4 1-0");
    let inputs = read(&[&one], Some(&text)).unwrap();
    let results = inputs.results(None).unwrap();
    assert_eq!(results.ladder.games(), 3);
    assert_eq!(results.notices, [Notice::NamesAlone { files: vec!["games.pgn".to_owned()] }]);
    assert!(inputs.known_sides(None).is_none());

    let inputs = read(&[&one, &other], Some(&text)).unwrap();
    let names: Vec<String> = players(&inputs).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["O UCI_Elo 1500", "X, depth 6", "X, depth 8", "X, settings not known"]);
    let notices = inputs.pool(&[]).unwrap().notices;
    assert!(notices.iter().any(|notice| matches!(notice, Notice::NameOfSeveral { name, .. } if name == "X")));

    // The name that shows the difference is a name too.
    let text = text.replace("\"X\"", "\"X, depth 8\"");
    let inputs = read(&[&one, &other], Some(&text)).unwrap();
    assert_eq!(inputs.results(Some("X, depth 8")).unwrap().ladder.games(), 3);
}

#[test]
fn a_table_of_levels_names_players_by_any_of_their_names() {
    let (one, other) = (run("a", x(6), o(1), ["white", "draw"]), run("b", x(6), o(2), ["draw", "draw"]));
    let with = |table: &str| {
        let table = LevelTable::read(format!("name,level\n{table}\n").as_bytes(), "t").unwrap();
        let levels = LevelRules { table: Some(table), pattern: None };
        read_with(&[&one, &other], None, &InputOptions { levels, ..InputOptions::default() })
    };
    let error = with("O UCI_Elo 1500,1480").unwrap_err();
    assert!(matches!(error, InputError::AmbiguousName { .. }), "{error}");
    let results = with("\"O UCI_Elo 1500, depth 2\",1530").unwrap().results(None).unwrap();
    let levels: Vec<f64> = results.ladder.levels().iter().map(|level| level.elo()).collect();
    assert_eq!(levels, [1500.0, 1530.0]);
}

/// `plan` as 0.1 wrote it.
fn old(run: &Run) -> Run {
    let mut old = run.clone();
    old.name.push_str("-old");
    old.plan.format_version = 1;
    for engine in [&mut old.plan.subject, &mut old.plan.opponent] {
        engine.directory.clear();
        let defaults = std::mem::take(&mut engine.default_options);
        engine.settings.retain(|(name, _)| !defaults.contains(name));
        for rung in &mut old.plan.rungs {
            rung.settings.retain(|(name, _)| !defaults.contains(name));
        }
    }
    old
}

#[test]
fn a_plan_of_0_1_is_the_same_player_where_nothing_that_it_tells_differs() {
    let mut subject = x(6);
    subject.settings.push(("Threads".to_owned(), "1".to_owned()));
    subject.default_options.push("Threads".to_owned());
    let new = run("a", subject.clone(), o(1), ["white", "draw"]);
    let mut before = old(&new);
    for runs in [[&new, &before], [&before, &new]] {
        let results = read(&runs, None).unwrap().results(None).unwrap();
        assert_eq!(results.ladder.games(), 4);
        assert_eq!(results.notices.len(), 1, "{:?}", results.notices);
        let text = results.notices[0].to_string();
        assert!(text.contains("working folder: none, .; option Threads: not set, 1"), "{text}");
        assert!(results.conditions.is_some());
    }
    // Two of 0.1 say the same.
    let again = Run { name: "again".to_owned(), ..before.clone() };
    let results = read(&[&before, &again], None).unwrap().results(None).unwrap();
    assert_eq!((results.ladder.games(), results.notices.len()), (4, 0));
    // Which of two it was is not told.
    subject.settings[0].1 = "2".to_owned();
    let other = run("c", subject, o(1), ["draw", "draw"]);
    let names: Vec<String> =
        players(&read(&[&new, &other, &before], None).unwrap()).into_iter().map(|(name, _)| name).collect();
    assert!(names.contains(&"X, Threads=1, folder .".to_owned()), "{names:?}");
    assert!(names.contains(&"X, Threads not set, folder not known".to_owned()), "{names:?}");
    before.plan.subject.limits.depth = Some(8);
    let error = read(&[&new, &before], None).unwrap().results(None).unwrap_err();
    assert!(matches!(error, InputError::SeveralSubjects { .. }), "{error}");
}

/// A run of one of a few subjects and opponents under one of two names each.
fn any_run() -> impl Strategy<Value = Run> {
    let name = prop::sample::select(vec!["X", "Y"]);
    let depth = prop::sample::select(vec![6_u32, 8]);
    let result = prop::sample::select(vec!["white", "black", "draw"]);
    (name.clone(), depth.clone(), name, depth, result.clone(), result, "[a-h]{6}").prop_map(
        |(subject, depth, opponent, opponent_depth, first, second, name)| {
            let opponent = format!("O{opponent}");
            run(&name, engine(subject, "aa", depth), engine(&opponent, "bb", opponent_depth), [first, second])
        },
    )
}

proptest! {
    #[test]
    fn the_order_of_runs_changes_nothing(
        runs in prop::collection::vec(any_run(), 1..7),
        seed in any::<u64>(),
        with_pgn in any::<bool>(),
    ) {
        let text = game(&[("White", "X"), ("Black", "OX UCI_Elo 1500")], "1. e4 1-0");
        let pgn = with_pgn.then_some(text.as_str());
        let mut runs: Vec<&Run> = runs.iter().collect();
        // Two runs of one name would be two shards.
        runs.sort_by(|a, b| a.name.cmp(&b.name));
        runs.dedup_by(|a, b| a.name == b.name);
        let mut shuffled = runs.clone();
        shuffled.sort_by_key(|run| crate::chess::pgn::mix(seed, run.name.bytes().map(u64::from).sum()));
        shuffled.reverse();
        let [one, other] = [runs, shuffled].map(|runs| read(&runs, pgn).unwrap());
        let [one_pool, other_pool] = [one.pool(&[]).unwrap(), other.pool(&[]).unwrap()];
        let renamed = one_pool.notices.iter().any(|notice| matches!(notice, Notice::EqualIdentities { .. }));
        if !renamed {
            prop_assert_eq!(&one_pool.players, &other_pool.players);
            prop_assert_eq!(&one_pool.meetings, &other_pool.meetings);
        }
        // Whatever the players are called.
        let games = |pool: &super::Pool| {
            let mut games: Vec<_> = pool.players.iter().map(|player| player.games).collect();
            games.sort_unstable();
            games
        };
        prop_assert_eq!(games(&one_pool), games(&other_pool));
        prop_assert_eq!(one_pool.copied_games, other_pool.copied_games);
        match (one.results(None), other.results(None)) {
            (Ok(one), Ok(other)) => prop_assert_eq!(&one.ladder, &other.ladder),
            (one, other) => prop_assert_eq!(one.is_ok(), other.is_ok()),
        }
    }
}
