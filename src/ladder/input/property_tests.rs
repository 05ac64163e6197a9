//! Properties of reading results: no order of the games and no bytes may matter.

use proptest::prelude::*;

use super::tests::{file, game, inputs};
use super::{InputOptions, read_inputs};

/// A game of a few players, rounds, moves and results, broken ones among them.
fn any_game() -> impl Strategy<Value = String> {
    let player = prop::sample::select(vec!["A", "B", "C Elo 1500", "D", "?"]);
    let round = prop::sample::select(vec!["1.1", "1.2", "2", "3", "4", "-", "x"]);
    let moves =
        prop::sample::select(vec!["", "1. e4 e5 2. Nf3 Nc6", "1. e4 e5 2. Nf3 Nc6 3. a3", "1. xx", "1. d4"]);
    let result = prop::sample::select(vec!["1-0", "0-1", "1/2-1/2", "*"]);
    let elo = prop::sample::select(vec!["1500", "1700", "?"]);
    (player.clone(), player, round, moves, result, elo).prop_map(
        |(white, black, round, moves, result, elo)| {
            let tags = [("White", white), ("Black", black), ("Round", round), ("WhiteElo", elo)];
            game(&tags, &format!("{moves} {result}"))
        },
    )
}

#[test]
fn of_copies_that_state_other_levels_the_one_with_its_partners_is_paired() {
    let copy = |elo| {
        game(&[("White", "C Elo 1500"), ("Black", "B"), ("WhiteElo", elo)], "1. e4 e5 2. Nf3 Nc6 3. a3 1-0")
    };
    let other =
        game(&[("White", "B"), ("Black", "C Elo 1500"), ("WhiteElo", "?")], "1. e4 e5 2. Nf3 Nc6 1-0");
    let [one, two] = [[copy("1700"), copy("?"), other.clone()], [copy("?"), copy("1700"), other]]
        .map(|games| inputs(&games.concat(), &InputOptions::default()).pool(&[]).unwrap());
    assert_eq!(one.meetings, two.meetings);
    assert_eq!(one.pairs, two.pairs);
}

proptest! {
    #[test]
    fn the_order_of_games_changes_nothing(games in prop::collection::vec(any_game(), 1..40), seed in any::<u64>()) {
        let mut shuffled = games.clone();
        shuffled.sort_by_key(|game| crate::chess::pgn::mix(seed, game.bytes().map(u64::from).sum()));
        shuffled.reverse();
        let [one, other] = [games.concat(), shuffled.concat()].map(|text| inputs(&text, &InputOptions::default()));
        let (one_pool, other_pool) = (one.pool(&[]).unwrap(), other.pool(&[]).unwrap());
        prop_assert_eq!(&one_pool.players, &other_pool.players);
        prop_assert_eq!(&one_pool.meetings, &other_pool.meetings);
        prop_assert_eq!(&one_pool.pairs, &other_pool.pairs);
        let used: u64 = one_pool.meetings.iter().map(|meeting| meeting.tally().games()).sum();
        let unused: u64 = one_pool.unused.iter().map(|unused| unused.games).sum();
        prop_assert_eq!(used + unused, games.len() as u64, "every game is counted once");
        if let (Ok(one), Ok(other)) = (one.results(Some("A")), other.results(Some("A"))) {
            prop_assert_eq!(&one.ladder, &other.ladder);
            prop_assert_eq!(super::tests::unused(&one), super::tests::unused(&other));
            let used = one.ladder.games();
            let unused: u64 = one.unused.iter().map(|unused| unused.games).sum();
            prop_assert_eq!(used + unused, games.len() as u64);
        }
    }

    #[test]
    fn any_bytes_are_an_error_or_counts(
        start in prop::sample::select(vec!["", "[White \"A\"]\n[Black \"B\"]\n", "level,wins,draws,losses\n", "1. e4 {",
            "\u{1f}\u{8b}", "(\u{b5}/\u{fd}"]),
        bytes in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let head: Vec<u8> = start.chars().map(|c| c as u8).collect();
        let path = file(&folder, "x", &[head, bytes].concat());
        if let Ok(inputs) = read_inputs(&[path], &InputOptions::default()) {
            let _ = inputs.results(None);
            let _ = inputs.pool(&[]);
            let _ = inputs.unit_sequence(Some("A"));
        }
    }
}
