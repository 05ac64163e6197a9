//! Against scipy, statsmodels and Ordo (`tests/oracles/pools.json`), against simulated truth, and at
//! the edges.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::Value;

use super::random::uniform;
use super::*;
use crate::rating::{ELO_PER_LOGIT, Meeting, Tally, Unit, expected_score};

fn oracle() -> Value {
    serde_json::from_str(include_str!("../../../tests/oracles/pools.json")).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn pair(half_points: u32) -> Unit {
    Unit { games: 2, half_points }
}

/// The games of player 0 against anchors 1, 2, 3 ..., from counts LL, LD, WL, DD, WD, WW.
fn ladder(row: &Value) -> Vec<Meeting> {
    let levels = row["pairs"].as_array().unwrap();
    levels
        .iter()
        .enumerate()
        .map(|(place, counts)| {
            let [ll, ld, wl, dd, wd, ww] = std::array::from_fn(|i| counts[i].as_u64().unwrap());
            let all = Tally { wins: wl + wd + 2 * ww, draws: ld + 2 * dd + wd, losses: 2 * ll + ld + wl };
            Meeting {
                first: 0,
                second: place + 1,
                as_white: all,
                as_black: Tally::default(),
                units: [(pair(0), ll), (pair(1), ld), (pair(2), wl + dd), (pair(3), wd), (pair(4), ww)]
                    .into_iter()
                    .filter(|(_, count)| *count > 0)
                    .collect(),
            }
        })
        .collect()
}

fn anchored(row: &Value, anchor: impl Fn(f64) -> Anchor) -> PoolFit {
    let levels = row["levels"].as_array().unwrap().iter().map(number);
    let anchors: Vec<Anchor> = [Anchor::Unknown].into_iter().chain(levels.map(anchor)).collect();
    fit_pool(&anchors, &ladder(row), ColourModel::WhereUnpaired).unwrap()
}

#[track_caller]
fn interval(fit: &PoolFit, player: usize) -> PlayerInterval {
    match fit.players[player].estimate {
        PlayerEstimate::Interval(interval) => interval,
        other => panic!("player {player}: {other:?}"),
    }
}

#[track_caller]
fn assert_close(id: &Value, ours: f64, theirs: &Value, tolerance: f64) {
    let theirs = number(theirs);
    assert!((ours - theirs).abs() <= tolerance * theirs.abs(), "{id}: {ours}, oracle {theirs}");
}

#[test]
fn one_unknown_among_fixed_anchors_is_a_ladder() {
    for row in oracle()["uncertain_anchors"].as_array().unwrap() {
        let fit = anchored(row, |elo| Anchor::Fixed { elo });
        assert_close(&row["id"], interval(&fit, 0).rating, &row["fixed_R"], 1e-6);
        // In ladder C some levels have no variance (the oracle adds 0), in E a level has five pairs.
        let id = row["id"].as_str().unwrap();
        if !id.contains("ladder_C") && !id.contains("ladder_E") {
            let error = &row["fixed_se_pair_within_level_n1"];
            assert_close(&row["id"], interval(&fit, 0).standard_error, error, 1e-6);
        }
        let solved = fit.solved.as_ref().unwrap();
        let binomial = solved.inverse[0].sqrt() * ELO_PER_LOGIT;
        assert_close(&row["id"], binomial, &row["fixed_se_binomial"], 1e-6);
    }
}

#[test]
fn uncertain_anchors_are_moved_as_far_as_the_games_move_them() {
    for row in oracle()["uncertain_anchors"].as_array().unwrap() {
        let sigma = number(&row["sd_each"]);
        let fit = anchored(row, |elo| Anchor::Uncertain { elo, sigma });
        assert_close(&row["id"], interval(&fit, 0).rating, &row["R_map"], 1e-6);
        let solved = fit.solved.as_ref().unwrap();
        assert_close(&row["id"], solved.inverse[0].sqrt() * ELO_PER_LOGIT, &row["se_R_map_binomial"], 1e-6);
        for (place, level) in row["levels_map"].as_array().unwrap().iter().enumerate() {
            assert_close(&row["id"], interval(&fit, place + 1).rating, level, 1e-6);
        }
    }
}

/// Ordo prints four decimals.
#[test]
fn the_maximum_is_where_ordo_finds_it() {
    for row in oracle()["ordo"].as_array().unwrap() {
        let Some(theirs) = row["R_anchors_ML"].as_f64() else { continue };
        let pools = oracle();
        let ladder = pools["uncertain_anchors"]
            .as_array()
            .unwrap()
            .iter()
            .find(|pool| pool["id"].as_str().unwrap().ends_with(row["ladder"].as_str().unwrap()));
        let Some(ladder) = ladder else { continue };
        let ours = interval(&anchored(ladder, |elo| Anchor::Fixed { elo }), 0).rating;
        assert!((ours - theirs).abs() < 1e-3, "{}: {ours}, Ordo {theirs}", row["id"]);
    }
}

/// Draws pairs between all players; `bias` is what openings give, in Elo, to one colour.
fn simulated(truth: &[f64], pairs: u64, bias: f64, rng: &mut ChaCha8Rng) -> Vec<Meeting> {
    let mut meetings = Vec::new();
    for first in 0..truth.len() {
        for second in first + 1..truth.len() {
            let mut meeting = Meeting { first, second, ..Meeting::default() };
            for _ in 0..pairs {
                let opening = bias * (2.0 * uniform(rng) - 1.0);
                let mut half_points = 0;
                for (tally, sign) in [(&mut meeting.as_white, 1.0), (&mut meeting.as_black, -1.0)] {
                    let score = expected_score(truth[first] - truth[second] + sign * opening);
                    let draw = (1.4 * score * (1.0 - score)).min(2.0 * score.min(1.0 - score));
                    let u = uniform(rng);
                    if u < score - draw / 2.0 {
                        tally.wins += 1;
                        half_points += 2;
                    } else if u < score + draw / 2.0 {
                        tally.draws += 1;
                        half_points += 1;
                    } else {
                        tally.losses += 1;
                    }
                }
                *meeting.units.entry(pair(half_points)).or_default() += 1;
            }
            meetings.push(meeting);
        }
    }
    meetings
}

/// Share of intervals that hold the truth, of ratings and of differences.
fn coverage(scale: f64, pairs: u64, bias: f64, seed: u64) -> (f64, f64) {
    let truth = [0.0, -150.0, 60.0, 130.0, -40.0, 200.0].map(|elo| elo * scale);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut held, mut all, mut held_differences) = (0, 0, 0);
    for _ in 0..400 {
        let mut anchors = [Anchor::Unknown; 6];
        anchors[0] = Anchor::Fixed { elo: 0.0 };
        let meetings = simulated(&truth, pairs, bias, &mut rng);
        let fit = fit_pool(&anchors, &meetings, ColourModel::WhereUnpaired).unwrap();
        for player in 1..6 {
            let PlayerEstimate::Interval(interval) = fit.players[player].estimate else { continue };
            all += 1;
            held += usize::from(interval.low <= truth[player] && truth[player] <= interval.high);
            let other = player % 5 + 1;
            let difference = fit.difference(player, other).unwrap();
            let off = difference.elo - (truth[player] - truth[other]);
            let t = crate::rating::quantile::t_quantile_real(0.975, difference.degrees_of_freedom).unwrap();
            held_differences += usize::from(off.abs() <= t * difference.standard_error);
        }
    }
    assert!(all >= 1900, "{all} intervals of 2000");
    (f64::from(u32::try_from(held).unwrap()) / f64::from(all), held_differences as f64 / f64::from(all))
}

/// 2,000 intervals each, five of a pool depend on each other: the standard error of the share is
/// about 0.8 %.
#[test]
fn intervals_hold_the_truth_in_95_of_100_pools() {
    // Openings that give 400 shrink the differences of expected scores, so players are near there.
    for (scale, pairs, bias, seed) in
        [(1.0, 2, 0.0, 1), (1.0, 5, 0.0, 2), (1.0, 20, 0.0, 3), (0.1, 20, 400.0, 4)]
    {
        let (ratings, differences) = coverage(scale, pairs, bias, seed);
        assert!((0.93..=0.98).contains(&ratings), "{pairs} pairs, bias {bias}: {ratings}");
        assert!((0.93..=0.98).contains(&differences), "{pairs} pairs, bias {bias}: {differences}");
    }
}

#[test]
fn replicates_spread_as_the_standard_errors_say() {
    let truth = [0.0, -150.0, 60.0, 130.0, -40.0, 200.0];
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let meetings = simulated(&truth, 40, 300.0, &mut rng);
    let fit = fit_pool(&[Anchor::Unknown; 6], &meetings, ColourModel::WhereUnpaired).unwrap();
    assert_eq!(fit.scale, PoolScale::MeanZero);
    let mean: f64 = (0..6).map(|player| interval(&fit, player).rating).sum();
    assert!(mean.abs() < 1e-9);
    let bootstrap = replicate_pool(&fit, ReplicateMethod::Bootstrap, 1000, 7, 2).unwrap();
    for player in &bootstrap.players {
        let own = interval(&fit, player.player);
        let ratio = player.standard_deviation / own.standard_error;
        assert!((ratio - 1.0).abs() < 0.08, "{player:?} {own:?}");
        assert!(player.low < own.rating && own.rating < player.high);
    }
    // Games by themselves know nothing of openings that bias both games of a pair apart.
    let simulation = replicate_pool(&fit, ReplicateMethod::Simulation, 1000, 7, 2).unwrap();
    let total = |replicates: &PoolReplicates| -> f64 {
        replicates.players.iter().map(|player| player.standard_deviation).sum()
    };
    assert!(total(&simulation) > 1.08 * total(&bootstrap));
    assert_eq!(bootstrap, replicate_pool(&fit, ReplicateMethod::Bootstrap, 1000, 7, 3).unwrap());
}

fn singles(first: usize, second: usize, white: [u64; 3], black: [u64; 3]) -> Meeting {
    let tally = |[wins, draws, losses]: [u64; 3]| Tally { wins, draws, losses };
    let mut meeting =
        Meeting { first, second, as_white: tally(white), as_black: tally(black), ..Meeting::default() };
    let all = meeting.tally();
    for (half_points, count) in [(2, all.wins), (1, all.draws), (0, all.losses)] {
        if count > 0 {
            meeting.units.insert(Unit { games: 1, half_points }, count);
        }
    }
    meeting
}

#[test]
fn the_advantage_of_white_is_fitted_where_games_are_unpaired() {
    // Equal players; White scores 60 % in every meeting.
    let meetings = [
        singles(0, 1, [40, 40, 20], [20, 40, 40]),
        singles(1, 2, [40, 40, 20], [20, 40, 40]),
        singles(2, 0, [40, 40, 20], [20, 40, 40]),
    ];
    let fit = fit_pool(&[Anchor::Unknown; 3], &meetings, ColourModel::WhereUnpaired).unwrap();
    let WhiteAdvantage::Estimated { elo, low, high, .. } = fit.white_advantage else {
        panic!("{:?}", fit.white_advantage)
    };
    // Elo(0.6).
    assert!((elo - 70.436_503_622_3).abs() < 1e-6, "{elo}");
    assert!(low < elo && elo < high);
    assert!(interval(&fit, 0).rating.abs() < 1e-6);
    assert_eq!(fit.remarks, [PoolRemark::GamesAsUnits]);
    // One player with White only: strength and colour cannot be told apart.
    let mixed = [singles(0, 1, [40, 40, 20], [0, 0, 0])];
    let fit = fit_pool(&[Anchor::Unknown; 2], &mixed, ColourModel::WhereUnpaired).unwrap();
    assert_eq!(fit.white_advantage, WhiteAdvantage::NotDetermined);
    assert!((interval(&fit, 0).rating - interval(&fit, 1).rating - 70.436_503_622_3).abs() < 1e-6);
}

fn sweep(first: usize, second: usize, pairs: u64) -> Meeting {
    let half = Tally { wins: pairs, draws: 0, losses: 0 };
    Meeting { first, second, as_white: half, as_black: half, units: [(pair(4), pairs)].into() }
}

fn contest(first: usize, second: usize) -> Meeting {
    let half = Tally { wins: 20, draws: 10, losses: 20 };
    let units = [(pair(4), 10), (pair(3), 10), (pair(2), 10), (pair(1), 10), (pair(0), 10)].into();
    Meeting { first, second, as_white: half, as_black: half, units }
}

#[test]
fn players_that_no_game_compares_are_named_and_not_rated() {
    // 1 and 2 meet anchor 0; 3 lost to everybody; 4 and 5 beat 1; 6 never played; 7 and 8 by themselves.
    let mut anchors = [Anchor::Unknown; 9];
    anchors[0] = Anchor::Fixed { elo: 2000.0 };
    let meetings = [
        contest(0, 1),
        contest(1, 2),
        sweep(0, 3, 5),
        sweep(1, 3, 5),
        contest(4, 5),
        sweep(4, 1, 8),
        contest(7, 8),
    ];
    let fit = fit_pool(&anchors, &meetings, ColourModel::WhereUnpaired).unwrap();
    let groups: Vec<&[usize]> = fit.groups.iter().map(|group| group.players.as_slice()).collect();
    assert_eq!(groups, [&[0, 1, 2][..], &[3], &[4, 5], &[6], &[7, 8]]);
    assert!(fit.groups[0].rated && !fit.groups[2].rated);
    let apart = |ahead, behind, games| Separation { ahead, behind, games };
    assert_eq!(fit.separations, [apart(0, 1, 20), apart(2, 0, 16)]);
    let absence = |player: usize| match fit.players[player].estimate {
        PlayerEstimate::Absent(absence) => absence,
        other => panic!("{other:?}"),
    };
    // Ten pairs against two players of 2000: p^10 = 0.05.
    let PlayerAbsence::AllLost { bound } = absence(3) else { panic!() };
    assert!((expected_score(2000.0 - bound.elo).powi(10) - 0.05).abs() < 1e-6, "{bound:?}");
    assert_eq!(absence(4), PlayerAbsence::OtherGroup { group: 2 });
    assert_eq!(absence(6), PlayerAbsence::NoGames);
    assert_eq!(fit.remarks, [PoolRemark::NotConnected { groups: 5 }]);
    assert_eq!(fit.difference(4, 5), None);
    assert!((fit.difference(1, 2).unwrap().los - 0.5).abs() < 1e-9);
    assert!(!serde_json::to_string(&fit).unwrap().contains("null,\"rating"));
}

#[test]
fn games_of_which_none_differs_have_an_error_all_the_same() {
    let half = Tally { wins: 0, draws: 50, losses: 0 };
    let drawn = |first, second| Meeting {
        first,
        second,
        as_white: half,
        as_black: half,
        units: [(pair(2), 50)].into(),
    };
    let fit = fit_pool(&[Anchor::Unknown; 3], &[drawn(0, 1), drawn(1, 2)], ColourModel::None).unwrap();
    assert_eq!(fit.remarks, [PoolRemark::NoVariance]);
    assert!(interval(&fit, 0).standard_error > 5.0);
    let nobody = fit_pool(&[Anchor::Unknown; 2], &[], ColourModel::WhereUnpaired).unwrap();
    assert_eq!(nobody.scale, PoolScale::Nobody);
    assert!(replicate_pool(&nobody, ReplicateMethod::Bootstrap, 10, 1, 1).is_none());
}

#[test]
fn a_single_pair_and_ten_million_games_both_give_words_or_numbers() {
    let one = Meeting {
        first: 0,
        second: 1,
        as_white: Tally { wins: 1, draws: 0, losses: 0 },
        as_black: Tally { wins: 0, draws: 1, losses: 0 },
        units: [(pair(3), 1)].into(),
    };
    let fit = fit_pool(&[Anchor::Unknown, Anchor::Fixed { elo: 0.0 }], &[one], ColourModel::None).unwrap();
    assert!(matches!(fit.players[0].estimate, PlayerEstimate::Absent(_)), "{:?}", fit.players[0]);
    let half = Tally { wins: 2_000_000, draws: 1_000_000, losses: 2_000_000 };
    let units = [(pair(4), 1_500_000), (pair(2), 2_000_000), (pair(0), 1_500_000)].into();
    let many = Meeting { first: 0, second: 1, as_white: half, as_black: half, units };
    let fit = fit_pool(&[Anchor::Unknown, Anchor::Fixed { elo: 0.0 }], &[many], ColourModel::None).unwrap();
    let interval = interval(&fit, 0);
    assert!(interval.rating.abs() < 1e-6 && (0.1..0.3).contains(&interval.standard_error), "{interval:?}");
}

#[test]
fn input_that_cannot_be_says_why() {
    let anchors = [Anchor::Unknown, Anchor::Fixed { elo: 0.0 }];
    let error = |anchors: &[Anchor], meeting: Meeting| {
        fit_pool(anchors, &[meeting], ColourModel::None).unwrap_err().to_string()
    };
    assert!(error(&anchors, contest(0, 2)).contains("hint: a meeting has two different players"));
    assert!(error(&anchors, contest(1, 1)).contains("hint:"));
    let torn = Meeting { units: [(pair(4), 1)].into(), ..contest(0, 1) };
    assert!(error(&anchors, torn).contains("hint: every game belongs to exactly one unit"));
    let bent = [Anchor::Unknown, Anchor::Uncertain { elo: 0.0, sigma: 0.0 }];
    assert!(error(&bent, contest(0, 1)).contains("sigma"));
    let white = fit_pool(&anchors, &[contest(0, 1)], ColourModel::Fixed { elo: f64::NAN });
    assert!(white.is_err());
}
