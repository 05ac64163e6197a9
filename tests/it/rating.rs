//! Estimates against values computed elsewhere, and intervals against simulated truths.
//!
//! `tests/oracles/statistics.json` holds the rows; each names the program that printed it.

use elometer::rating::{
    Absence, Estimate, Fit, ImpliedRating, Interval, Ladder, Level, LevelError, Line, Misfit, Remark,
    SlopeTest, Unit, UnitVariance, chi_squared_tail, elo_from_score, expected_score, fit, fit_elo_curve,
    implied_rating, misfit, normal_quantile, score_interval, t_quantile, upper_bound,
};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

use super::oracle::{assert_close, number, oracle_ladder, oracles, pair};

/// A level from the number of pairs with 0, 1, 2, 3 and 4 half points; 2 is a win and a loss.
fn level(elo: f64, counts: [u64; 5]) -> Level {
    let [ll, ld, even, wd, ww] = counts;
    let units = (0..5).map(pair).zip(counts);
    Level::new(elo, 2 * ww + wd + even, wd + ld, 2 * ll + ld + even, units).unwrap()
}

fn interval(fit: &Fit) -> Interval {
    match fit.elo_curve.estimate {
        Estimate::Interval(interval) => interval,
        Estimate::Absent(absence) => panic!("no estimate: {absence:?}"),
    }
}

fn absence(fit: &Fit) -> Absence {
    match fit.elo_curve.estimate {
        Estimate::Absent(absence) => absence,
        Estimate::Interval(interval) => panic!("an estimate: {interval:?}"),
    }
}

#[test]
fn an_interval_that_says_nothing_is_no_estimate() {
    let unit = |half_points| Unit { games: 2, half_points };
    // Two pairs: t on one degree of freedom is 12.706.
    let level = Level::new(1500.0, 1, 2, 1, [(unit(1), 1), (unit(3), 1)]).unwrap();
    let Estimate::Absent(Absence::TooWide { half_width }) = fit(&Ladder::new([level])).elo_curve.estimate
    else {
        panic!("two pairs made an estimate");
    };
    assert!(half_width > 1_000.0 && half_width.is_finite());
}

#[test]
fn scores_and_elo_differences_match_the_oracle() {
    let oracles = oracles();
    for (score, elo) in oracles["conversions"]["conv_score_to_elo"]["values"].as_object().unwrap() {
        assert!((elo_from_score(score.parse().unwrap()).unwrap() - number(elo)).abs() < 1e-9, "{score}");
    }
    for (elo, score) in oracles["conversions"]["conv_elo_to_score"]["values"].as_object().unwrap() {
        assert_close(expected_score(elo.parse().unwrap()), number(score), 1e-13);
    }
    assert_eq!(elo_from_score(0.0), None);
    assert_eq!(elo_from_score(f64::NAN), None);
}

#[test]
fn ratings_and_pair_errors_match_statsmodels() {
    for row in oracles()["ladders"].as_array().unwrap() {
        let curve = fit_elo_curve(&oracle_ladder(row)).unwrap();
        let expected = &row["fixed_slope"];
        assert_close(curve.rating, number(&expected["R"]), 1e-10);
        // The oracle's levels without variance add nothing to the error; ours add the curve's own
        // variance, and leaving that out gives the oracle's numbers.
        let k = std::f64::consts::LN_10 / 400.0;
        let measured = curve.levels.iter().filter(|level| level.variance_source == UnitVariance::WithinLevel);
        let (mut within, mut within_n1) = (0.0, 0.0);
        for level in measured {
            let pairs = level.games / 2.0;
            within_n1 += level.variance;
            within += level.variance * (pairs - 1.0) / pairs;
        }
        let error = |variance: f64| variance.sqrt() / (k * curve.weight);
        assert_close(error(within), number(&expected["se_pair_within_level"]), 1e-8);
        assert_close(error(within_n1), number(&expected["se_pair_within_level_n1"]), 1e-8);
        let all_vary = curve.levels.iter().all(|level| level.variance_source == UnitVariance::WithinLevel);
        assert_eq!(all_vary, row["id"] != "ladder_C_saturated_ends");
        if all_vary {
            assert_close(curve.standard_error, number(&expected["se_pair_within_level_n1"]), 1e-8);
        }
        let units: u64 = row["pairs"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|level| level.as_array().unwrap())
            .map(|count| count.as_u64().unwrap())
            .sum();
        assert_eq!(curve.degrees_of_freedom, units - curve.levels.len() as u64);
    }
}

#[test]
fn levels_without_variance_add_the_curves_own() {
    // sqrt(sum V + sum w of the two saturated levels) / (k W) and its X2, computed in Python from
    // the oracle's R.
    let oracles = oracles();
    let row = &oracles["ladders"][1];
    assert_eq!(row["id"], "ladder_C_saturated_ends");
    let fit = fit(&oracle_ladder(row));
    assert_close(interval(&fit).standard_error.unwrap(), 19.529_031_946_626_155, 1e-8);
    let Some(Misfit::Tested { statistic, .. }) = fit.misfit else { panic!("{:?}", fit.misfit) };
    assert_close(statistic, 11.812_846_256_579_263, 1e-8);
    assert!(fit.remarks.contains(&Remark::NoVariance { levels: vec![1320.0, 2800.0] }));
}

#[test]
fn misfit_matches_statsmodels_where_every_level_varies() {
    for row in oracles()["ladders"].as_array().unwrap() {
        let curve = fit_elo_curve(&oracle_ladder(row)).unwrap();
        let Misfit::Tested { statistic, degrees_of_freedom, p_value, phi } = misfit(&curve) else {
            panic!("not tested")
        };
        let expected = &row["fixed_slope"];
        assert_eq!(degrees_of_freedom, expected["dof"].as_u64().unwrap());
        let oracle_phi = number(&expected["phi_pair_over_binomial"]);
        if row["id"] == "ladder_C_saturated_ends" {
            // The oracle's phi leaves the saturated levels' variance out; X2 scales with 1 / phi.
            let oracle_statistic = number(&expected["misfit_chi2_pairscaled"]);
            let measured: f64 = curve
                .levels
                .iter()
                .filter(|level| level.variance_source == UnitVariance::WithinLevel)
                .map(|level| level.variance)
                .sum();
            let phi_n1 = measured / curve.weight;
            assert_close(statistic * phi / phi_n1, oracle_statistic, 1e-8);
            assert!(phi > oracle_phi);
        } else {
            assert_close(statistic, number(&expected["misfit_chi2_pairscaled"]), 1e-8);
            assert_close(p_value, number(&expected["misfit_p"]), 1e-7);
        }
    }
}

#[test]
fn implied_ratings_match_the_oracle_and_saturated_levels_get_a_bound() {
    for row in oracles()["ladders"].as_array().unwrap() {
        let ladder = oracle_ladder(row);
        for (level, expected) in
            ladder.levels().iter().zip(row["heterogeneity"]["implied"].as_array().unwrap())
        {
            match (implied_rating(level).unwrap(), expected.as_f64()) {
                (ImpliedRating::Estimate { elo, low, high }, Some(expected)) => {
                    assert_close(elo, expected, 1e-10);
                    assert!(low.is_none_or(|low| low < elo) && high.is_none_or(|high| elo < high));
                }
                // 40 pairs: p^40 = 0.05.
                (ImpliedRating::AtLeast { elo }, None) => {
                    assert_close(expected_score(elo - level.elo()).powi(40), 0.05, 1e-9);
                }
                (ImpliedRating::AtMost { elo }, None) => {
                    assert_close((1.0 - expected_score(elo - level.elo())).powi(40), 0.05, 1e-9);
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn separated_ladders_give_the_exact_bounds_of_the_oracle_and_no_estimate() {
    for row in oracles()["separated"].as_array().unwrap() {
        let levels = |sign: f64| {
            let levels = row["levels"].as_array().unwrap().iter().zip(row["games"].as_array().unwrap());
            Ladder::new(levels.map(|(elo, games)| {
                let games = games.as_u64().unwrap();
                let (wins, losses) = if sign > 0.0 { (games, 0) } else { (0, games) };
                Level::from_games(sign * number(elo), wins, 0, losses).unwrap()
            }))
        };
        let Absence::AllWon { bound } = absence(&fit(&levels(1.0))) else { panic!("not all won") };
        assert_close(bound.elo, number(&row["exact_onesided95_pairs_as_units"]), 1e-9);
        assert_close(bound.elo_games_as_units, number(&row["exact_onesided95_games"]), 1e-9);
        // Losing everything is the mirror image.
        let mirrored = upper_bound(&levels(-1.0)).unwrap();
        assert_close(-mirrored.elo, bound.elo, 1e-12);
        assert!(matches!(absence(&fit(&levels(-1.0))), Absence::AllLost { .. }));
    }
}

#[test]
fn quantiles_match_published_tables() {
    // NIST/SEMATECH e-Handbook 1.3.6.7.2, more digits from R's qt; df 1 and 2 in closed form.
    let table = [
        (1, 12.706_204_736_432_1),
        (2, 4.302_652_729_696_14),
        (4, 2.776_445_105_197_79),
        (10, 2.228_138_851_964_94),
        (30, 2.042_272_456_301_24),
        (100, 1.983_971_518_449_63),
        (1_000, 1.962_339_080_825_55),
    ];
    for (degrees, expected) in table {
        assert_close(t_quantile(0.975, degrees).unwrap(), expected, 1e-6);
    }
    for degrees in [9_999, 10_000, 10_001, 10_000_000, u64::MAX] {
        assert_close(t_quantile(0.975, degrees).unwrap(), 1.959_963_984_540_05, 2e-4);
    }
    assert_eq!(t_quantile(0.975, 0), None);
    // NIST/SEMATECH e-Handbook 1.3.6.7.4; two degrees of freedom in closed form.
    for (statistic, degrees, p) in
        [(3.841, 1, 0.05), (11.070, 5, 0.05), (15.086, 5, 0.01), (124.342, 100, 0.05)]
    {
        assert_close(chi_squared_tail(statistic, degrees).unwrap(), p, 1e-3);
    }
    assert_close(chi_squared_tail(200.0, 2).unwrap(), (-100.0_f64).exp(), 1e-9);
}

#[test]
fn the_worked_example_of_one_level_gives_1945_plus_or_minus_49() {
    // 56.5 % of 200 games at 1900; the binomial error of the same numbers is 49.
    let fit = fit(&Ladder::new([Level::from_games(1900.0, 113, 0, 87).unwrap()]));
    let interval = interval(&fit);
    assert_eq!(interval.rating.round(), 1945.0);
    assert_eq!(((interval.high - interval.low) / 2.0).round(), 49.0);
    let binomial = fit.others.as_ref().unwrap().binomial.estimate.interval().unwrap();
    assert_eq!(((binomial.high - binomial.low) / 2.0).round(), 49.0);
    assert!(fit.remarks.contains(&Remark::GamesAsUnits));
    assert!(fit.remarks.contains(&Remark::LadderNotTested { levels: 1 }));
    // What one level cannot tell about itself makes the quoted line more than three times as wide.
    let quoted = fit.quoted.line.estimate.interval().unwrap();
    assert!(quoted.high - quoted.low > 3.0 * (interval.high - interval.low));
    assert_eq!(fit.quoted.line.remarks, [Remark::PriorsCarryMost { levels: 1 }]);
    // Beside 1868 +/- 31: 77 points are 2.6 standard errors, and 1.3 half-widths added up.
    let z = normal_quantile(0.975);
    let difference = 1945.0 - 1868.0;
    let errors = (49.0 / z).hypot(31.0 / z);
    assert_eq!((difference / errors * 10.0).round() / 10.0, 2.6);
    assert_eq!((difference / 49.0_f64.hypot(31.0) * 10.0).round() / 10.0, 1.3);
    // The paper's own widening: 31 times the root of X2 per degree of freedom, quoted as 80.
    assert_eq!((31.0 * (36.0_f64 / 5.0).sqrt()).round(), 83.0);
}

#[test]
fn disagreeing_levels_are_named_and_agreeing_ones_are_not() {
    let oracles = oracles();
    let disagrees = |index: usize| {
        let fit = fit(&oracle_ladder(&oracles["ladders"][index]));
        fit.remarks.iter().any(|remark| matches!(remark, Remark::LevelsDisagree { .. }))
    };
    assert!(!disagrees(0));
    assert!(disagrees(2));
}

#[test]
fn too_little_is_no_estimate() {
    let needed = |fit: &Fit| matches!(absence(fit), Absence::NotEnoughData { needed: 2, .. });
    assert!(needed(&fit(&Ladder::default())));
    assert!(needed(&fit(&Ladder::new([level(1900.0, [0, 0, 1, 0, 0])]))));
    assert!(needed(&fit(&Ladder::new([Level::from_games(1900.0, 0, 1, 0).unwrap()]))));
    // One won game is a bound, however weak: sqrt(p) = 0.05.
    let Absence::AllWon { bound } =
        absence(&fit(&Ladder::new([Level::from_games(1900.0, 1, 0, 0).unwrap()])))
    else {
        panic!("not all won")
    };
    assert_close(expected_score(bound.elo - 1900.0), 0.0025, 1e-9);
    assert_close(expected_score(bound.elo_games_as_units - 1900.0), 0.05, 1e-9);
}

#[test]
fn copies_of_one_pair_are_no_estimate() {
    let unit = Unit { games: 200, half_points: 300 };
    let level = Level::new(1900.0, 100, 100, 0, [(unit, 1)]).unwrap();
    let fit = fit(&Ladder::new([level]).with_copied_games(198));
    assert_eq!(absence(&fit), Absence::OnlyCopies { games: 200, copies: 198 });
    assert_eq!(fit.remarks, [Remark::Copies { games: 198 }]);
}

#[test]
fn all_draws_have_the_width_of_the_curve_itself() {
    let fit = fit(&Ladder::new([level(1900.0, [0, 0, 50, 0, 0])]));
    let interval = interval(&fit);
    assert_close(interval.rating, 1900.0, 1e-12);
    // 1 / (k sqrt(n / 4)) with n = 100.
    assert_close(interval.standard_error.unwrap(), 400.0 / std::f64::consts::LN_10 / 5.0, 1e-9);
    assert!(fit.remarks.contains(&Remark::NoVariance { levels: vec![1900.0] }));
}

#[test]
fn a_level_without_games_is_left_out_and_named() {
    let played = level(1900.0, [5, 3, 10, 3, 5]);
    let with = fit(&Ladder::new([Level::from_games(2100.0, 0, 0, 0).unwrap(), played.clone()]));
    let without = fit(&Ladder::new([played]));
    assert_eq!(with.elo_curve, without.elo_curve);
    assert_eq!(with.quoted, without.quoted);
    assert!(with.remarks.contains(&Remark::NoGames { levels: vec![2100.0] }));
    assert_eq!(with.levels[1].score, None);
}

#[test]
fn levels_with_the_same_label_are_one_level() {
    let halves = Ladder::new([level(0.0, [1, 2, 3, 4, 5]), level(-0.0, [5, 4, 3, 2, 1])]);
    assert_eq!(fit(&halves), fit(&Ladder::new([level(0.0, [6, 6, 6, 6, 6])])));
}

#[test]
fn levels_far_apart_leave_a_gap_instead_of_a_figure() {
    let won = level(0.0, [0, 0, 0, 0, 20]);
    let lost = |elo| level(elo, [20, 0, 0, 0, 0]);
    for elo in [4_000.0, 100_000.0] {
        let absence = absence(&fit(&Ladder::new([won.clone(), lost(elo)])));
        assert_eq!(absence, Absence::Gap { won_up_to: 0.0, lost_from: elo });
    }
    assert_close(interval(&fit(&Ladder::new([won, lost(400.0)]))).rating, 200.0, 1e-9);
}

#[test]
fn single_pairs_at_many_levels_are_observations_of_one_curve() {
    let pairs = [3, 4, 2, 3, 1, 2, 2, 0, 1, 0].into_iter().zip(0..);
    let ladder = Ladder::new(pairs.map(|(half_points, index)| {
        let mut counts = [0; 5];
        counts[half_points] = 1;
        level(1600.0 + 70.0 * f64::from(index), counts)
    }));
    let fit = fit(&ladder);
    assert_eq!(interval(&fit).degrees_of_freedom, Some(9.0));
    assert_eq!(fit.misfit, Some(Misfit::NotTested { levels: 0 }));
}

#[test]
fn ten_million_games_cost_no_more_than_ten() {
    let many = Level::from_games(1900.0, 5_000_000, 1_000_000, 4_000_000).unwrap();
    let interval = interval(&fit(&Ladder::new([many])));
    assert_close(interval.rating, 1900.0 + elo_from_score(0.55).unwrap(), 1e-12);
    assert!(interval.low < interval.rating && interval.high - interval.low < 1.0);
}

#[test]
fn every_line_says_why_it_has_no_interval() {
    let quoted = |ladder: &Ladder| fit(ladder).quoted.line;
    let absent = |line: &Line| match line.estimate {
        Estimate::Absent(absence) => absence,
        Estimate::Interval(interval) => panic!("an estimate: {interval:?}"),
    };
    // All won: the exact bound for the quoted line, a figure only with Firth's penalty.
    let won = Ladder::new([level(1900.0, [0, 0, 0, 0, 20])]);
    assert!(matches!(absent(&quoted(&won)), Absence::AllWon { .. }));
    let penalised = fit(&won).firth.estimate.interval().unwrap();
    assert!(penalised.low > 1900.0 && penalised.rating > 2200.0);
    assert_eq!(fit(&won).without_priors, None);
    // One pair, and copies of one pair.
    let pair_alone = Ladder::new([level(1900.0, [0, 0, 1, 0, 0])]);
    assert!(matches!(absent(&quoted(&pair_alone)), Absence::NotEnoughData { units: 1, needed: 2 }));
    let unit = Unit { games: 200, half_points: 300 };
    let copies = Ladder::new([Level::new(1900.0, 100, 100, 0, [(unit, 1)]).unwrap()]).with_copied_games(198);
    assert_eq!(absent(&quoted(&copies)), Absence::OnlyCopies { games: 200, copies: 198 });
    assert_eq!(absent(&fit(&copies).firth), Absence::OnlyCopies { games: 200, copies: 198 });
    // One level has no slope, two have one but cannot test it.
    let one = fit(&Ladder::new([level(1900.0, [5, 3, 10, 3, 5])]));
    let lines = one.free_slope.unwrap();
    assert_eq!(absent(&lines.unit), Absence::TooFewLevels { levels: 1, needed: 2 });
    assert_eq!(lines.slope, None);
    let two = fit(&Ladder::new([level(1900.0, [5, 3, 10, 3, 5]), level(1700.0, [2, 3, 8, 5, 8])]));
    let lines = two.free_slope.unwrap();
    assert_eq!(absent(&lines.widened), Absence::TooFewLevels { levels: 2, needed: 3 });
    assert_eq!(two.slope_test, Some(SlopeTest::NotTested { levels: 2 }));
    assert!(two.quoted.line.remarks.contains(&Remark::PriorsCarryMost { levels: 2 }));
    // A step from all won to all lost has no slope; the quoted line has one from its assumptions.
    let step = fit(&Ladder::new([level(1500.0, [0, 0, 0, 0, 20]), level(1900.0, [20, 0, 0, 0, 0])]));
    assert_eq!(absent(&step.free_slope.unwrap().unit), Absence::NotDetermined);
    assert_eq!(step.quoted.line.estimate.interval().unwrap().rating.round(), 1700.0);
    // A score that rises with the level belongs to no ladder.
    let rising = fit(&Ladder::new([
        level(1500.0, [60, 20, 10, 5, 5]),
        level(1800.0, [25, 20, 10, 20, 25]),
        level(2100.0, [5, 5, 10, 20, 60]),
    ]));
    assert_eq!(absent(&rising.free_slope.unwrap().unit), Absence::NotFalling);
    assert_eq!(absent(&rising.quoted.line), Absence::NotFalling);
    // No draws, no draw model.
    let decided = fit(&Ladder::new([level(1900.0, [10, 0, 10, 0, 12]), level(1700.0, [5, 0, 10, 0, 15])]));
    assert_eq!(decided.draw_models.unwrap().davidson.parameters.map(|found| found.draw), None);
}

#[test]
fn a_flat_ladder_gives_one_end_or_none() {
    // Two levels 20 Elo apart with next to the same score: the slope may be anything.
    let flat = fit(&Ladder::new([level(1900.0, [8, 10, 14, 10, 8]), level(1920.0, [8, 10, 14, 11, 7])]));
    let lines = flat.free_slope.unwrap();
    assert!(matches!(
        lines.unit.estimate,
        Estimate::Absent(Absence::NotDetermined | Absence::OnlyAtLeast { .. } | Absence::OnlyAtMost { .. })
    ));
    assert!(flat.quoted.line.estimate.interval().is_some());
    // Far above a flat ladder: at least the last level, nothing says how much more.
    let far = fit(&Ladder::new([level(1500.0, [0, 1, 3, 6, 20]), level(1560.0, [0, 2, 3, 6, 19])]));
    let Estimate::Absent(Absence::OnlyAtLeast { low, rating }) = far.free_slope.unwrap().unit.estimate else {
        panic!("not one-sided")
    };
    assert!(1500.0 < low && low < rating);
}

#[test]
fn impossible_levels_are_refused() {
    assert!(matches!(Level::from_games(f64::NAN, 1, 0, 0), Err(LevelError::Label(_))));
    assert_eq!(Level::from_games(1e6, 1, 0, 0), Err(LevelError::Label(1e6)));
    let unit = |unit, wins| Level::new(1900.0, wins, 0, 0, [(unit, 1)]);
    assert!(matches!(unit(pair(5), 2), Err(LevelError::Unit { .. })));
    assert!(matches!(unit(Unit { games: 0, half_points: 0 }, 0), Err(LevelError::Unit { .. })));
    assert!(matches!(unit(pair(4), 1), Err(LevelError::Counts { .. })));
    assert!(matches!(Level::from_games(1900.0, u64::MAX, 1, 1), Err(LevelError::TooMany(_))));
}

proptest! {
    #[test]
    fn whatever_the_results_no_number_is_nan_infinite_or_of_zero_width(
        levels in proptest::collection::vec(
            ((-40..40_i32).prop_map(|step| f64::from(step) * 100.0), proptest::array::uniform5(0..30_u64)),
            0..8,
        ),
        scale in prop_oneof![Just(1.0), Just(20.0), Just(0.001)],
    ) {
        let ladder = Ladder::new(levels.iter().map(|(elo, counts)| level(elo * scale, *counts)));
        let fit = fit(&ladder);
        if let Estimate::Interval(interval) = fit.elo_curve.estimate {
            prop_assert!(interval.low.is_finite() && interval.high.is_finite());
            prop_assert!(interval.low < interval.rating && interval.rating < interval.high);
        }
        for line in fit.lines() {
            if let Estimate::Interval(interval) = line.estimate {
                prop_assert!(interval.low < interval.rating && interval.rating < interval.high, "{line:?}");
            }
        }
        // Every number, in tests, remarks and absences too.
        let everything = format!("{fit:?}");
        prop_assert!(!everything.contains("NaN") && !everything.contains("inf"), "{everything}");
        for level in fit.levels {
            if let Some(score) = level.score {
                prop_assert!(0.0 <= score.low && score.low < score.high && score.high <= 1.0);
                prop_assert!(score.low <= score.score && score.score <= score.high);
            }
        }
        let reversed = Ladder::new(levels.iter().rev().map(|(elo, counts)| level(elo * scale, *counts)));
        prop_assert_eq!(elometer::rating::fit(&reversed), elometer::rating::fit(&ladder));
    }
}

/// Games as `docs/statistics.md` simulates them: e = 1 / (1 + exp(-k (R - r +- opening))), draw
/// probability min(1.4 e (1 - e), 2 min(e, 1 - e)).
struct Simulation {
    random: ChaCha8Rng,
    opening_sd: f64,
}

impl Simulation {
    fn uniform(&mut self) -> f64 {
        (self.random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let (u, v) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    fn half_points(&mut self, difference: f64) -> usize {
        let e = expected_score(difference);
        let draw = (1.4 * e * (1.0 - e)).min(2.0 * e.min(1.0 - e));
        let at = self.uniform();
        if at < e - draw / 2.0 {
            2
        } else if at < e + draw / 2.0 {
            1
        } else {
            0
        }
    }

    fn level(&mut self, elo: f64, rating: f64, pairs: u64) -> Level {
        let mut counts = [0; 5];
        for _ in 0..pairs {
            let opening = if self.opening_sd > 0.0 { self.opening_sd * self.normal() } else { 0.0 };
            let difference = rating - elo;
            counts[self.half_points(difference + opening) + self.half_points(difference - opening)] += 1;
        }
        level(elo, counts)
    }
}

fn coverage(levels: &[f64], rating: f64, pairs: u64, ladders: u32, seed: u64) -> f64 {
    let mut simulation = Simulation { random: ChaCha8Rng::seed_from_u64(seed), opening_sd: 0.0 };
    let covered = (0..ladders).filter(|_| {
        let ladder = Ladder::new(levels.iter().map(|elo| simulation.level(*elo, rating, pairs)));
        let interval = interval(&fit(&ladder));
        interval.low <= rating && rating <= interval.high
    });
    covered.count() as f64 / f64::from(ladders)
}

#[test]
fn when_the_curve_is_right_the_interval_covers_95_percent() {
    // Six levels of 100 pairs and five of 8, as in the oracle's simulations. Three Monte Carlo
    // errors of 1,000 ladders are 0.021.
    let six = coverage(&[1500.0, 1700.0, 1900.0, 2100.0, 2300.0, 2500.0], 2000.0, 100, 1_000, 1);
    let small = coverage(&[1600.0, 1800.0, 2000.0, 2200.0, 2400.0], 2000.0, 8, 1_000, 2);
    // Twenty levels with one pair each: all of the error is measured around the curve.
    let spread: Vec<f64> = (0..20).map(|step| 1600.0 + 40.0 * f64::from(step)).collect();
    let single = coverage(&spread, 2000.0, 1, 1_000, 3);
    println!("coverage: 6 x 100 pairs {six}, 5 x 8 pairs {small}, 20 x 1 pair {single}");
    for found in [six, small, single] {
        assert!((found - 0.95).abs() < 0.021, "coverage {found}");
    }
}

#[test]
fn score_intervals_of_one_level_cover_their_score() {
    let mut simulation = Simulation { random: ChaCha8Rng::seed_from_u64(4), opening_sd: 0.0 };
    for opening_sd in [0.0, 150.0] {
        simulation.opening_sd = opening_sd;
        for pairs in [5, 10, 40, 100] {
            for difference in [0.0, 200.0, 400.0, 600.0] {
                // The true score with openings, by drawing them.
                let draws = 20_000;
                let truth = if opening_sd > 0.0 {
                    (0..draws)
                        .map(|_| expected_score(difference + opening_sd * simulation.normal()))
                        .sum::<f64>()
                        / f64::from(draws)
                } else {
                    expected_score(difference)
                };
                let repeats = 2_000;
                let covered = (0..repeats).filter(|_| {
                    let level = simulation.level(2000.0 - difference, 2000.0, pairs);
                    let score = score_interval(&level).unwrap();
                    score.low <= truth && truth <= score.high
                });
                let found = covered.count() as f64 / f64::from(repeats);
                println!("opening SD {opening_sd}, {pairs} pairs, score {truth:.3}: {found:.3}");
                assert!(found > 0.93, "opening SD {opening_sd}, {pairs} pairs, score {truth}: {found}");
            }
        }
    }
}
