use std::io::Write as _;
use std::path::PathBuf;

use super::levels::level_in_name;
use super::pairs::parse_round;
use super::{
    InputError, InputOptions, Inputs, LevelPattern, LevelRules, LevelSource, LevelTable, Notice, PairRule,
    PairSource, Results, UnusedReason, read_inputs, read_pgn,
};
use crate::rating::{Tally, Unit};

pub(super) fn inputs(text: &str, options: &InputOptions) -> Inputs {
    read_pgn(text.as_bytes(), "games.pgn", options).unwrap()
}

fn pgn(text: &str) -> Results {
    inputs(text, &InputOptions::default()).results(None).unwrap()
}

fn subject_of(text: &str, subject: Option<&str>) -> Result<Results, InputError> {
    inputs(text, &InputOptions::default()).results(subject)
}

pub(super) fn game(tags: &[(&str, &str)], moves: &str) -> String {
    let tags: String = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    format!("{tags}\n{moves}\n\n")
}

/// A game of A and `B`, whose level is 1500.
fn met(a_white: bool, round: &str, moves: &str) -> String {
    let (white, black, elo) = if a_white { ("A", "B", "BlackElo") } else { ("B", "A", "WhiteElo") };
    game(&[("White", white), ("Black", black), (elo, "1500"), ("Round", round)], moves)
}

fn units(results: &Results) -> Vec<(Unit, u64)> {
    results.ladder.levels().iter().flat_map(|level| level.units().collect::<Vec<_>>()).collect()
}

pub(super) fn unused(results: &Results) -> Vec<(UnusedReason, u64)> {
    results.unused.iter().map(|unused| (unused.reason, unused.games)).collect()
}

fn pairs_by(results: &Results, source: PairSource) -> u64 {
    results.pairs.pairs.get(&source).copied().unwrap_or_default()
}

pub(super) fn file(folder: &tempfile::TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn csv(text: &str) -> Result<Results, InputError> {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "counts.txt", text.as_bytes());
    read_inputs(&[path], &InputOptions::default())?.results(None)
}

fn csv_error(text: &str) -> String {
    let message = csv(text).unwrap_err().to_string();
    message.split_once("counts.txt").unwrap().1.to_owned()
}

#[test]
fn a_name_tells_a_level_by_itself_only_beside_the_word_elo() {
    for (name, level) in [
        ("Stockfish 15.1 UCI_Elo 1900", Some(1900.0)),
        ("SF (Elo=1900)", Some(1900.0)),
        ("SF 1900 Elo", Some(1900.0)),
        ("SF-1900", None),
        ("Stockfish 2023", None),
        ("elometer 2023", None),
        ("Velo 1900", None),
        ("Elo 15.1", None),
        ("Elo 20260929", None),
        ("x Elo 0000", None),
        ("", None),
    ] {
        assert_eq!(level_in_name(name), level, "{name}");
    }
}

#[test]
fn a_pattern_says_where_in_a_name_the_level_stands() {
    let level = |pattern: &str, name: &str| {
        let pattern = Some(LevelPattern::parse(pattern).unwrap());
        LevelRules { table: None, pattern }.level_of(&[name], None).map(|level| level.elo)
    };
    assert_eq!(level("SF-{level}", "SF-1900"), Some(1900.0));
    assert_eq!(level("SF-{level}", "SF-1900a"), None);
    assert_eq!(level("SF-{level}", "my SF-1900"), None);
    assert_eq!(level("Stockfish * ({level})", "Stockfish 15.1 (1900)"), Some(1900.0));
    assert_eq!(level("*{level}*", "Stockfish 15 at 1900"), None, "two numbers could be it");
    assert_eq!(level("*{level}", "Stockfish 15 at 1900"), Some(1900.0));
    assert_eq!(level("maia{level}*net*", "maia900 net v2"), Some(900.0));
    assert_eq!(level("*{level}", "build 20260929"), None, "too long");
    for wrong in ["SF-", "{level}{level}", ""] {
        assert!(LevelPattern::parse(wrong).unwrap_err().to_string().contains("hint: "));
    }
}

#[test]
fn levels_come_from_the_table_then_the_pattern_then_the_tag() {
    let text = game(&[("White", "A"), ("Black", "SF-1500"), ("BlackElo", "1501")], "1-0")
        + &game(&[("White", "A"), ("Black", "SF-1600"), ("BlackElo", "1601")], "1-0")
        + &game(&[("White", "A"), ("Black", "other"), ("BlackElo", "1701")], "1-0");
    let table = LevelTable::read("name,level,sigma\nSF-1500,1400,19\nnobody,1,\n".as_bytes(), "t").unwrap();
    let pattern = LevelPattern::parse("SF-{level}").unwrap();
    let rules = LevelRules { table: Some(table), pattern: Some(pattern) };
    let results =
        inputs(&text, &InputOptions { levels: rules, ..InputOptions::default() }).results(None).unwrap();
    let levels: Vec<f64> = results.ladder.levels().iter().map(|level| level.elo()).collect();
    assert_eq!(levels, [1400.0, 1600.0, 1701.0]);
    assert_eq!(results.level_sigmas, [(1400.0, 19.0)]);
    let sources: Vec<_> = results.level_sources.into_iter().collect();
    assert_eq!(sources, [(LevelSource::Table, 1), (LevelSource::Pattern, 1), (LevelSource::Stated, 1)]);
    assert_eq!(
        results.notices,
        [
            Notice::LevelsOverruled { games: 2 },
            Notice::NamesWithoutGames { names: vec!["nobody".to_owned()] }
        ]
    );
}

#[test]
fn a_wrong_table_of_levels_is_refused_with_its_line() {
    for (text, part) in [
        ("", "nothing to read"),
        ("player,elo\n", "levels.csv:1: found `player,elo`"),
        ("name,level\nSF\n", "levels.csv:2: found `SF`"),
        ("name,level\nSF,inf\n", "levels.csv:2: found `inf`"),
        ("name,level,sigma\nSF,1500,-1\n", "found `-1`"),
        ("name,level\nSF,1500\nSF,1600\n", "levels.csv:3: found `SF`"),
        ("name,level\nSF,1500,19\n", "more fields"),
    ] {
        let message = LevelTable::read(text.as_bytes(), "levels.csv").unwrap_err().to_string();
        assert!(message.contains(part) && message.contains("\nhint: "), "{message}");
    }
}

#[test]
fn rounds_are_read_with_and_without_a_second_part() {
    let read = |tag: &str| parse_round(tag.as_bytes()).map(|(round, part)| (round.get(), part));
    assert_eq!(read("17.2"), Some((17, 2)));
    assert_eq!(read(" 17 "), Some((17, 0)));
    for tag in ["?", "-", "", "0", "1.2.3", "a.1", "1.0", "99999999999"] {
        assert_eq!(read(tag), None, "{tag}");
    }
}

#[test]
fn two_games_of_a_round_with_colours_swapped_are_a_pair() {
    let by_round = |games: &[(bool, &str)]| {
        let text: String = games.iter().map(|(white, round)| met(*white, round, "1-0")).collect();
        let results = pgn(&text);
        (pairs_by(&results, PairSource::Round), results.pairs.single_games)
    };
    assert_eq!(by_round(&[(true, "17.1"), (false, "17.2")]), (1, 0));
    assert_eq!(by_round(&[(true, "17"), (false, "17")]), (1, 0));
    assert_eq!(by_round(&[(true, "17.1"), (true, "17.2")]), (0, 2));
    assert_eq!(by_round(&[(true, "17.1"), (false, "17.3")]), (0, 2));
    assert_eq!(by_round(&[(true, "17.1"), (false, "18.1")]), (0, 2));
    assert_eq!(by_round(&[(true, "17.1"), (false, "17.2"), (false, "17.2")]), (0, 3));
    assert_eq!(by_round(&[(false, "2.2"), (true, "1.1"), (true, "2.1"), (false, "1.2")]), (2, 0));
}

#[test]
fn a_round_is_no_pair_when_the_start_positions_differ() {
    let start = |fen: &str, white: bool, round: &str| {
        format!("[FEN \"{fen} w - - 0 1\"]\n{}", met(white, round, "1-0"))
    };
    let text = start("4k3/8/8/8/8/8/P7/4K3", true, "1.1") + &start("4k3/8/8/8/8/8/1P6/4K3", false, "1.2");
    assert_eq!(pgn(&text).pairs.single_games, 2);
}

#[test]
fn games_numbered_one_by_one_are_paired_odd_and_next_when_the_opening_agrees() {
    let same = "1. e4 e5 2. Nf3 Nc6 ";
    let other = "1. d4 d5 2. c4 e6 ";
    let text = |rounds: [&str; 4]| {
        [
            met(true, rounds[0], &format!("{same} 3. a3 1-0")),
            met(false, rounds[1], &format!("{same} 3. h3 1-0")),
            met(true, rounds[2], &format!("{same} 3. a4 1-0")),
            met(false, rounds[3], &format!("{other} 1-0")),
        ]
        .concat()
    };
    for rounds in [["1", "2", "3", "4"], ["1.1", "1.2", "1.3", "1.4"]] {
        let results = pgn(&text(rounds));
        assert_eq!((pairs_by(&results, PairSource::Round), results.pairs.single_games), (1, 2), "{rounds:?}");
    }
    let results = pgn(&text(["2", "3", "5", "6"]));
    assert_eq!((results.pairs.pairs.len(), results.pairs.single_games), (0, 4));
}

#[test]
fn an_opening_is_a_pair_only_where_it_was_played_once_with_each_colour() {
    let open = |white, rest: &str| met(white, "-", &format!("1. e4 e5 2. Nf3 Nc6 {rest} 1-0"));
    let count = |text: &str, rule| {
        let options = InputOptions { pairs: rule, ..InputOptions::default() };
        let results = inputs(text, &options).results(None).unwrap();
        (pairs_by(&results, PairSource::Opening), results.pairs.single_games)
    };
    let once = open(true, "3. a3") + &open(false, "3. h3") + &met(true, "-", "1. d4 d5 2. c4 e6 1-0");
    assert_eq!(count(&once, PairRule::Auto), (1, 1));
    assert_eq!(count(&once, PairRule::Round), (0, 3));
    assert_eq!(count(&once, PairRule::None), (0, 3));
    let twice = open(true, "3. a3") + &open(false, "3. h3") + &open(true, "3. a4") + &open(false, "3. h4");
    assert_eq!(count(&twice, PairRule::Auto), (0, 4));
    assert_eq!(count(&twice, PairRule::Opening), (2, 0));
    let short = met(true, "-", "1. e4 1-0") + &met(false, "-", "1. e4 1-0");
    assert_eq!(count(&short, PairRule::Auto), (0, 2));
}

#[test]
fn book_comments_tell_the_opening_better_than_first_moves() {
    let book = |white, third: &str| {
        let text =
            format!("1. e4 {{book}} e5 {{book}} 2. Nf3 {{book}} Nc6 {{book}} 3. {third} {{book}} a6 1-0");
        met(white, "?", &text)
    };
    let text = book(true, "a3") + &book(true, "h3") + &book(false, "h3") + &book(false, "a3");
    assert_eq!(pairs_by(&pgn(&text), PairSource::Opening), 2);
}

#[test]
fn a_pgn_of_a_ladder_becomes_levels_of_pairs() {
    let subject_white = |round, black, black_elo, result| {
        game(&[("White", "Mate"), ("Black", black), ("BlackElo", black_elo), ("Round", round)], result)
    };
    let subject_black = |round, white, white_elo, result| {
        game(&[("White", white), ("Black", "Mate"), ("WhiteElo", white_elo), ("Round", round)], result)
    };
    let text = [
        subject_white("1.1", "rung", "1500", "1. e4 e5 1-0"),
        subject_black("1.2", "rung", "1500", "1. e4 e5 1/2-1/2"),
        subject_white("2.1", "UCI_Elo 1700", "-", "1. e4 e5 0-1"),
        subject_black("2.2", "UCI_Elo 1700", "?", "1. e4 e5 *"),
        subject_white("3.1", "SF-1900", "0", "1. e4 e5 1-0"),
        subject_white("4.1", "rung", "1500", "1. e4 Kz4 1-0"),
    ]
    .concat();
    let results = pgn(&text);
    assert_eq!(results.subject.as_deref(), Some("Mate"));
    assert_eq!(
        units(&results),
        [(Unit { games: 2, half_points: 3 }, 1), (Unit { games: 1, half_points: 0 }, 1)]
    );
    assert_eq!(
        unused(&results),
        [(UnusedReason::Unfinished, 1), (UnusedReason::UnknownLevel, 1), (UnusedReason::Unreadable, 1)]
    );
    assert_eq!(results.levels_from_names, 1);
    assert_eq!(
        results.notices,
        [Notice::PatternPossible { pattern: "SF-{level}".to_owned(), name: "SF-1900".to_owned() }]
    );
    let first = results
        .unused
        .iter()
        .find_map(|unused| unused.first.clone().filter(|_| unused.reason == UnusedReason::Unreadable));
    assert!(first.unwrap().starts_with("game 6, line "));
}

#[test]
fn the_subject_is_the_only_player_of_every_game_or_named() {
    let text = game(&[("White", "A"), ("Black", "Elo 1500")], "1-0")
        + &game(&[("White", "Elo 1500"), ("Black", "A")], "1-0")
        + &game(&[("White", "A"), ("Black", "A")], "1-0");
    assert_eq!(pgn(&text).subject.as_deref(), Some("A"));
    assert_eq!(unused(&pgn(&text)), [(UnusedReason::AgainstItself, 1)]);

    let two = game(&[("White", "A"), ("Black", "Elo 1500")], "1-0");
    assert_eq!(
        subject_of(&two, None).unwrap_err().to_string(),
        "games.pgn: cannot tell whose rating to fit: 2 players are in every game\n  A: 1 game\n  Elo 1500: 1 \
         game\nhint: name the subject with --subject NAME"
    );
    assert_eq!(subject_of(&two, Some("A")).unwrap().ladder.games(), 1);
    let error = subject_of(&two, Some("C")).unwrap_err();
    assert!(matches!(error, InputError::UnknownSubject { .. }), "{error}");

    let other = two + &game(&[("White", "C"), ("Black", "D")], "1-0") + &game(&[("White", "C")], "1-0");
    let results = subject_of(&other, Some("A")).unwrap();
    assert_eq!(unused(&results), [(UnusedReason::NotTheSubjects, 1), (UnusedReason::NoPlayers, 1)]);
}

#[test]
fn a_few_games_of_others_leave_a_ladder_its_subject_and_are_counted() {
    let own: String = (0..19).map(|round| met(round % 2 == 0, &round.to_string(), "1-0")).collect();
    let stray = game(&[("White", "C"), ("Black", "D")], "1-0");
    let results = pgn(&(own.clone() + &stray));
    assert_eq!(results.subject, pgn(&own).subject);
    assert_eq!(results.ladder, pgn(&own).ladder);
    assert_eq!(unused(&results), [(UnusedReason::NotTheSubjects, 1)]);
    // Two in 21 are more than one in 20.
    let error = subject_of(&(own + &stray + &stray), None).unwrap_err();
    assert!(matches!(error, InputError::AmbiguousSubject { .. }), "{error}");
}

#[test]
fn players_are_told_apart_by_name_and_elo_however_many_they_are() {
    // More seats than the table of sides holds, and names that run into their Elo.
    let one = |white: usize, elo: &str| {
        let name = format!("P{white}");
        game(&[("White", &name), ("WhiteElo", elo), ("Black", "S"), ("Round", &white.to_string())], "1-0")
    };
    let mut text: String = (100..500).map(|white| one(white, "1500")).collect();
    text.push_str(&(one(1, "1500") + &one(11, "500") + &one(1, "1500") + &one(1, "1600")));
    let results = subject_of(&text, Some("S")).unwrap();
    let games: Vec<(f64, u64)> =
        results.ladder.levels().iter().map(|level| (level.elo(), level.games())).collect();
    assert_eq!(games, [(500.0, 1), (1500.0, 402), (1600.0, 1)]);
}

#[test]
fn of_two_players_the_one_without_an_elo_is_the_subject() {
    let text = "[White \"New\"]\n[Black \"Rung\"]\n[BlackElo \"1900\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n\
                [White \"Rung\"]\n[Black \"New\"]\n[WhiteElo \"1900\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    let results = pgn(text);
    assert_eq!(results.subject.as_deref(), Some("New"));
    assert_eq!(results.ladder.levels()[0].elo(), 1900.0);
    assert!(subject_of(&text.replace("Elo", "Note"), None).is_err());
}

#[test]
fn a_pgn_without_a_game_is_an_error() {
    let error = read_pgn(&b"\n"[..], "x.pgn", &InputOptions::default()).unwrap_err();
    assert!(matches!(error, InputError::Empty { .. }));
}

#[test]
fn pairs_that_repeat_each_other_move_for_move_are_one_unit() {
    let mut games: Vec<String> = Vec::new();
    for pair in 1..=10 {
        games.push(met(true, &format!("{pair}.1"), "1. e4 e5 1-0"));
        games.push(met(false, &format!("{pair}.2"), "1. e4 d5 1/2-1/2"));
    }
    games.push(met(true, "11.1", "1. e4 e5 1-0"));
    games.push(met(false, "11.2", "1. e4 c5 1-0"));
    // One of a pair's games alone adds nothing either.
    games.push(met(true, "12.1", "1. e4! {a comment} 1... e5 1-0"));
    let results = pgn(&games.concat());
    assert_eq!(
        units(&results),
        [(Unit { games: 2, half_points: 2 }, 1), (Unit { games: 21, half_points: 32 }, 1)]
    );
    assert_eq!(results.ladder.copied_games(), 20);
    games.reverse();
    assert_eq!(pgn(&games.concat()).ladder, results.ladder);
    let bare: String = (1..=3).map(|round| met(true, &format!("{round}"), "1-0")).collect();
    assert_eq!(pgn(&bare).ladder.copied_games(), 0, "nothing is known of games without moves");
}

#[test]
fn csv_counts_are_read_in_any_column_order_and_equal_levels_added_up() {
    let text = "\u{feff}Level, losses, draws, wins\n# a remark\n\n1500,1,2,3\n1500.0,1,0,0\n-20,0,0,7\n";
    let counts: Vec<_> = csv(text)
        .unwrap()
        .ladder
        .levels()
        .iter()
        .map(|level| (level.elo(), level.wins(), level.draws(), level.losses()))
        .collect();
    assert_eq!(counts, [(-20.0, 7, 0, 0), (1500.0, 3, 2, 2)]);
}

#[test]
fn csv_counts_of_pairs_are_units_of_two_games() {
    let results = csv("level,ll,ld,dd_wl,wd,ww\n1500,1,2,3,4,5\n").unwrap();
    let counts: Vec<_> =
        units(&results).into_iter().map(|(unit, n)| (unit.games, unit.half_points, n)).collect();
    assert_eq!(counts, [(2, 0, 1), (2, 1, 2), (2, 2, 3), (2, 3, 4), (2, 4, 5)]);
    let level = &results.ladder.levels()[0];
    assert_eq!((level.wins(), level.draws(), level.losses()), (14, 12, 4));
    assert_eq!(results.notices, [Notice::EvenPairs { pairs: 3 }]);
}

#[test]
fn wrong_csv_is_refused_with_line_and_column() {
    assert_eq!(
        csv_error("level,wins,draws\n"),
        ":1: found the header `level,wins,draws`, expected `level,wins,draws,losses` or \
         `level,ll,ld,dd_wl,wd,ww`\nhint: name each column once; other columns are not read"
    );
    assert!(csv_error("1500,1,2,3\n").contains("found the header `1500,1,2,3`"));
    assert!(csv_error("level,wins,wins,losses\n1500,1,2,3\n").contains("header"));
    assert_eq!(
        csv_error("level,wins,draws,losses\n1500,1,2,3\n1700,4,0.5,3\n"),
        ":3: column `draws`: found `0.5`, expected a whole number, 0 or more\n\
         hint: count games, not points: two draws are 2 draws, not 1 point"
    );
    assert!(csv_error("level,wins,draws,losses\n1500,-1,2,3\n").contains("column `wins`: found `-1`"));
    assert_eq!(
        csv_error("level,wins,draws,losses\n1500,1,2,4294967296\n"),
        ":2: column `losses`: found `4294967296`, expected at most 4294967295\n\
         hint: give the level several lines: they are added up, to at most 2^50 games"
    );
    assert!(csv_error("level,wins,draws,losses\nnan,1,2,3\n").contains("column `level`: found `nan`"));
    assert!(csv_error("level,wins,draws,losses\n1500,1,2\n").contains(":2: found 3 fields, expected 4"));
    assert!(csv_error("level,ll,ld,dd_wl,wd,ww\n1500,1\n").contains(":2: found 2 fields, expected 6"));
    assert!(csv_error("\n").contains("nothing to read"));
}

#[test]
fn inputs_add_up_and_one_given_twice_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let first = met(true, "1.1", "1. e4 e5 1-0") + &met(false, "1.2", "1. e4 e5 1-0");
    let second = met(true, "1.1", "1. d4 e5 1-0") + &met(false, "1.2", "1. d4 e5 0-1");
    let a = file(&folder, "a.pgn", first.as_bytes());
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(second.as_bytes()).unwrap();
    let b = file(&folder, "b", &packed.finish().unwrap());
    let again = file(&folder, "again.pgn", first.as_bytes());
    let counts = file(&folder, "counts", b"level,wins,draws,losses\n1500,1,0,0\n1600,2,0,0\n");
    let read = |paths: &[&PathBuf]| {
        let paths: Vec<PathBuf> = paths.iter().map(|path| (*path).clone()).collect();
        read_inputs(&paths, &InputOptions::default()).unwrap().results(None).unwrap()
    };
    let results = read(&[&a, &b, &counts]);
    let games: Vec<_> = results.ladder.levels().iter().map(|level| (level.elo(), level.games())).collect();
    assert_eq!(games, [(1500.0, 5), (1600.0, 2)]);
    assert_eq!(pairs_by(&results, PairSource::Round), 2, "rounds of two files are not mixed");
    assert_eq!(results.notices, []);

    let twice = read(&[&a, &b, &a, &again, &counts]);
    assert_eq!(twice.ladder, results.ladder);
    assert_eq!(twice.notices.len(), 2, "{:?}", twice.notices);
    assert!(twice.notices.iter().all(|notice| matches!(notice, Notice::SameInput { .. })));
}

#[test]
fn a_game_that_stands_in_two_different_files_is_no_second_observation() {
    let folder = tempfile::tempdir().unwrap();
    let pair = met(true, "1.1", "1. e4 e5 1-0") + &met(false, "1.2", "1. e4 e5 1-0");
    let more = met(true, "2.1", "1. d4 e5 1-0") + &met(false, "2.2", "1. d4 e5 0-1");
    let paths = [file(&folder, "a", pair.as_bytes()), file(&folder, "b", (pair.clone() + &more).as_bytes())];
    let results = read_inputs(&paths, &InputOptions::default()).unwrap().results(None).unwrap();
    assert_eq!(results.ladder.units(), 2);
    assert_eq!(results.ladder.copied_games(), 2);
}

#[test]
fn files_of_other_kinds_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for (bytes, found) in
        [(&b"BZh91AY"[..], "a bzip2 file"), (b"\xfd7zXZ\0", "an xz file"), (b"{\"game\":1}\n", "JSON lines")]
    {
        let path = file(&folder, "x", bytes);
        let message = read_inputs(&[path], &InputOptions::default()).unwrap_err().to_string();
        assert!(message.contains(found) && message.contains("\nhint: "), "{message}");
    }
}

#[test]
fn several_players_are_a_pool_of_meetings_with_counts_by_colour() {
    let text = game(&[("White", "b"), ("Black", "a"), ("Round", "1.1")], "1. e4 1-0")
        + &game(&[("White", "a"), ("Black", "b"), ("Round", "1.2")], "1. e4 1/2-1/2")
        + &game(&[("White", "a"), ("Black", "SF"), ("BlackElo", "1500")], "1. d4 1-0")
        + &game(&[("White", "SF"), ("Black", "a"), ("WhiteElo", "1700")], "1. c4 1-0")
        + &game(&[("White", "SF"), ("Black", "SF")], "1. c4 1-0")
        + &game(&[("White", "a"), ("Black", "b")], "1. c4 *");
    let pool = inputs(&text, &InputOptions::default()).pool(&[]).unwrap();
    let players: Vec<_> =
        pool.players.iter().map(|one| (one.name.as_str(), one.level.map(|l| l.elo), one.games)).collect();
    assert_eq!(
        players,
        [("SF (1500)", Some(1500.0), 1), ("SF (1700)", Some(1700.0), 1), ("a", None, 4), ("b", None, 2)]
    );
    let meetings: Vec<_> =
        pool.meetings.iter().map(|m| (m.first, m.second, m.as_white, m.as_black)).collect();
    let none = Tally::default();
    let (loss, win) = (Tally { losses: 1, ..none }, Tally { wins: 1, ..none });
    let draw = Tally { draws: 1, ..none };
    assert_eq!(meetings, [(0, 2, none, loss), (1, 2, win, none), (2, 3, draw, loss)]);
    assert_eq!(pool.meetings[2].units.iter().next(), Some((&Unit { games: 2, half_points: 1 }, &1)));
    assert_eq!(pool.pairs.single_games, 2);
    assert_eq!(pool.unused.len(), 2);
}

#[test]
fn a_subject_of_a_pool_is_one_player_whatever_its_tags_say() {
    let text = game(&[("White", "a"), ("Black", "b"), ("WhiteElo", "1500"), ("BlackElo", "1400")], "1-0")
        + &game(&[("White", "a"), ("Black", "b"), ("WhiteElo", "1510"), ("BlackElo", "1400")], "1-0");
    let pool = inputs(&text, &InputOptions::default()).pool(&["a".to_owned()]).unwrap();
    assert_eq!(pool.players.len(), 2);
    assert_eq!((pool.players[0].level, pool.meetings[0].tally().games()), (None, 2));
    assert_eq!(inputs(&text, &InputOptions::default()).pool(&[]).unwrap().players.len(), 3);
}

#[test]
fn units_come_in_the_order_of_rounds_and_copies_once() {
    let text = [
        met(false, "2.2", "1. d4 e5 1-0"),
        met(true, "1.1", "1. e4 e5 1-0"),
        met(true, "2.1", "1. d4 e5 1-0"),
        met(true, "3.1", "1. e4 e5 1-0"),
        met(false, "1.2", "1. e4 e5 1/2-1/2"),
        met(false, "3.2", "1. e4 e5 1/2-1/2"),
    ]
    .concat();
    let sequence = inputs(&text, &InputOptions::default()).unit_sequence(Some("A")).unwrap();
    let units: Vec<_> =
        sequence.units.iter().map(|unit| (unit.games, unit.half_points, unit.level.unwrap().elo)).collect();
    assert_eq!(units, [(2, 3, 1500.0), (2, 2, 1500.0)]);
    assert_eq!(sequence.copies, 1);
}

/// Headers as each program writes them, two pairs each.
const PRODUCERS: [(&str, PairSource, [&str; 4]); 4] = [
    ("fastchess", PairSource::Round, ["1.1", "1.2", "2.1", "2.2"]),
    ("cutechess", PairSource::Round, ["1", "2", "3", "4"]),
    ("c-chess-cli", PairSource::Round, ["1.1", "1.2", "1.3", "1.4"]),
    ("lichess", PairSource::Opening, ["-", "-", "-", "-"]),
];

#[test]
fn every_producers_headers_give_the_same_pairs() {
    let openings = ["1. e4 e5 2. Nf3 Nc6", "1. d4 d5 2. c4 e6"];
    for (producer, source, rounds) in PRODUCERS {
        let mut text = String::new();
        for (number, round) in rounds.iter().enumerate() {
            let white = number % 2 == 0;
            let (white, black) = if white { ("New", "Old") } else { ("Old", "New") };
            let elo = if white == "New" { "BlackElo" } else { "WhiteElo" };
            let opening = openings[number / 2];
            text += &match producer {
                "fastchess" => format!(
                    "[Event \"Fastchess Tournament\"]\n[Site \"?\"]\n[Date \"2025.01.31\"]\n[Round \"{round}\"]\n\
                     [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n[{elo} \"1500\"]\n\
                     [GameDuration \"00:00:04\"]\n[PlyCount \"5\"]\n[Termination \"normal\"]\n\
                     [TimeControl \"1+0.01\"]\n\n{opening} {{+0.25/9 0.017s}} 3. a{} 1-0\n\n",
                    number + 3
                ),
                "cutechess" => format!(
                    "[Event \"My Tournament\"]\n[Site \"?\"]\n[Date \"2025.01.31\"]\n[Round \"{round}\"]\n\
                     [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n[{elo} \"1500\"]\n\
                     [ECO \"C60\"]\n[PlyCount \"5\"]\n\n{opening}\n3. a{} {{+0.10/8 0.02s, White mates}} 1-0\n\n",
                    number + 3
                ),
                "c-chess-cli" => format!(
                    "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\
                     [{elo} \"1500\"]\n[Termination \"checkmate\"]\n[PlyCount \"5\"]\n\n\
                     {opening} {{M1/5 0.003s}} 3. a{}+ 1-0\n\n",
                    number + 3
                ),
                _ => format!(
                    "[Event \"Rated Blitz game\"]\n[Site \"https://lichess.org/abcdef{number}0\"]\n\
                     [Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\
                     [UTCDate \"2025.01.31\"]\n[{elo} \"1500\"]\n[WhiteRatingDiff \"+3\"]\n[Variant \"Standard\"]\n\
                     [TimeControl \"180+0\"]\n[Termination \"Normal\"]\n\n\
                     {opening} {{ [%eval 0.2] [%clk 0:03:00] }} 3. a{}? {{ [%clk 0:02:58] }} 1-0\r\n\r\n",
                    number + 3
                ),
            };
        }
        let results = subject_of(&text, Some("New")).unwrap();
        assert_eq!(pairs_by(&results, source), 2, "{producer}");
        assert_eq!((results.unused.len(), results.ladder.games()), (0, 4), "{producer}");
    }
}
