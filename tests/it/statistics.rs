//! Every method's line against the numbers of other programs.
//!
//! `tests/oracles/statistics.json` names the program behind each row. Not compared, because
//! elometer does not compute them:
//! - `fixed_slope`: CR1 and jackknife (CV3) errors, the quasi-binomial error, errors of pairs with a
//!   correction for their number (CR1S, CR2), misfit widening of the normal interval after a test;
//! - `heterogeneity`: DerSimonian-Laird; `r_crosscheck`: the same, REML, I2, Satterthwaite's degrees
//!   of freedom with pairs as clusters;
//! - `davidson_*`, `rao_kupper_fixed`: none left out;
//! - `mache_rating_estimate`: the Elo curve again, with another tool's half-width;
//! - `separated`: likelihood-ratio bounds, the 97.5 % bound, Ordo's rule of the last half point.

use elometer::rating::{
    DrawModel, Fit, Interval, LEVEL_LABEL_SD, Ladder, Level, Line, Misfit, SCALE_SD, SlopeTest, fit,
    normal_quantile, t_quantile,
};
use serde_json::Value;

use super::oracle::{assert_close, number, oracle_ladder, oracles};

/// What is exact in the source is compared to this relative error.
const EXACT: f64 = 1e-6;

/// Every ladder of the file with its row and its fit.
fn fitted() -> Vec<(Value, Fit)> {
    let oracles = oracles();
    let rows = oracles["ladders"].as_array().unwrap();
    rows.iter().map(|row| (row.clone(), fit(&oracle_ladder(row)))).collect()
}

fn row_of<'a>(oracles: &'a Value, key: &str, field: &str, id: &Value) -> &'a Value {
    oracles[key].as_array().unwrap().iter().find(|row| row[field] == *id).unwrap()
}

/// A level whose pairs are all alike adds nothing in the oracle and the curve's own variance here.
fn all_vary(row: &Value) -> bool {
    row["id"] != "ladder_C_saturated_ends"
}

#[track_caller]
fn interval(line: &Line) -> Interval {
    line.estimate.interval().unwrap_or_else(|| panic!("no estimate: {line:?}"))
}

#[test]
fn the_quoted_line_matches_its_reference() {
    let oracles = oracles();
    for (row, fit) in fitted() {
        let expected = row_of(&oracles, "hierarchical", "id", &row["id"]);
        let line = interval(&fit.quoted.line);
        assert_close(line.rating, number(&expected["R50_median"]), EXACT);
        assert_close(line.low, number(&expected["R50_low"]), EXACT);
        assert_close(line.high, number(&expected["R50_high"]), EXACT);
        let ladder = fit.quoted.ladder.unwrap();
        assert_close(ladder.slope_mean, number(&expected["slope_mean"]), EXACT);
        assert_eq!(ladder.tau_median, number(&expected["tau_median"]));
        assert_eq!(ladder.tau_upper90, number(&expected["tau_upper90"]));
        let flagged =
            fit.quoted.line.remarks.iter().any(|remark| format!("{remark:?}").starts_with("Beyond"));
        assert_eq!(flagged, ladder.tau_upper90 > 150.0);
    }
}

#[test]
fn the_free_slope_matches_statsmodels() {
    for (row, fit) in fitted() {
        let expected = &row["free_slope"];
        let lines = fit.free_slope.unwrap();
        let slope = lines.slope.unwrap();
        assert_close(slope.slope, number(&expected["slope"]), EXACT);
        assert_close(slope.standard_error, number(&expected["se_slope_pair_CR0"]), EXACT);
        let z = (slope.slope - 1.0) / slope.standard_error;
        assert_close(z, number(&expected["wald_z_slope_eq_1_pairCR0"]), EXACT);
        let unit = interval(&lines.unit);
        assert_close(unit.rating, number(&expected["R50"]), EXACT);
        assert_close(unit.standard_error.unwrap(), number(&expected["se_R50_pair_CR0_delta"]), EXACT);
        assert_close(unit.low, number(&expected["ci95_R50_fieller"][0]), EXACT);
        assert_close(unit.high, number(&expected["ci95_R50_fieller"][1]), EXACT);
        let widened = interval(&lines.widened);
        assert_eq!(widened.rating, unit.rating);
        assert!(widened.high - widened.low > unit.high - unit.low);

        let Some(Misfit::Tested { statistic, degrees_of_freedom, p_value, phi }) = lines.misfit else {
            panic!("{:?}", lines.misfit)
        };
        let Some(SlopeTest::Tested { likelihood_ratio, likelihood_ratio_p_value, .. }) = fit.slope_test
        else {
            panic!("{:?}", fit.slope_test)
        };
        assert_eq!(degrees_of_freedom, expected["dof"].as_u64().unwrap());
        // phi times either statistic does not depend on how the variance was found.
        let oracle_phi = number(&expected["phi_pair_over_binomial"]);
        let binomial = number(&expected["LR_fixed_vs_free_binomial"]);
        assert_close(likelihood_ratio * phi, binomial, EXACT);
        assert_close(statistic * phi, number(&expected["grouped_pearson_binomial"]), EXACT);
        if all_vary(&row) {
            let scaled = number(&expected["misfit_chi2_pairscaled"]);
            assert_close(statistic, scaled, EXACT);
            assert_close(p_value, number(&expected["misfit_p"]), EXACT);
            assert_close(likelihood_ratio, number(&expected["LR_fixed_vs_free_pairscaled"]), EXACT);
            assert_close(likelihood_ratio_p_value, number(&expected["LR_p_pairscaled"]), EXACT);
        } else {
            assert!(phi > oracle_phi);
        }
    }
}

#[test]
fn the_line_without_priors_matches_clubsandwich() {
    let oracles = oracles();
    for (row, fit) in fitted() {
        let expected = &row["fixed_slope"];
        let lines = fit.without_priors.unwrap();
        let between = lines.between_levels.unwrap();
        assert_close(between.standard_error, number(&expected["se_level_CR2"]), EXACT);
        assert_close(between.degrees_of_freedom, number(&expected["dof_level_BM"]), EXACT);
        let r = row_of(&oracles, "r_crosscheck", "ladder", &row["id"]);
        assert_close(between.standard_error, number(&r["se_level_CR2"]), EXACT);
        assert_close(between.degrees_of_freedom, number(&r["dof_level_satt"]), EXACT);
        let line = interval(&lines.line);
        let ends = &expected["ci95_level_CR2_BM"];
        let by_level = (number(&ends[1]) - number(&ends[0])) / 2.0;
        let curve = interval(&fit.elo_curve);
        let by_unit = (curve.high - curve.low) / 2.0;
        assert_close((line.high - line.low) / 2.0, by_level.max(by_unit), EXACT);
        assert_close(line.rating, number(&r["R"]), EXACT);
    }
}

#[test]
fn the_other_errors_match_statsmodels() {
    for (row, fit) in fitted() {
        let expected = &row["fixed_slope"];
        let others = fit.others.unwrap();
        let error = |line: &Line| interval(line).standard_error.unwrap();
        assert_close(error(&others.binomial), number(&expected["se_binomial_model"]), EXACT);
        assert_close(error(&others.game_robust), number(&expected["se_HC0_game"]), EXACT);
        assert_close(error(&others.unit_robust), number(&expected["se_pair_CR0"]), EXACT);
        let ends_match = |line: &Line, key: &str| {
            assert_close(interval(line).low, number(&expected[key][0]), EXACT);
            assert_close(interval(line).high, number(&expected[key][1]), EXACT);
        };
        ends_match(&others.binomial, "ci95_wald_binomial");
        ends_match(&others.profile_binomial, "ci95_profile_binomial");
        if all_vary(&row) {
            ends_match(&others.profile_units, "ci95_profile_pairscaled");
            let error = interval(&fit.elo_curve).standard_error.unwrap();
            assert_close(error, number(&expected["se_pair_within_level_n1"]), EXACT);
            let low = interval(&fit.elo_curve).rating - normal_quantile(0.975) * error;
            assert_close(low, number(&expected["ci95_wald_pair"][0]), EXACT);
            // max(z SE, t SE sqrt(X2 / 5)) with the row's own numbers.
            let degrees = expected["dof"].as_u64().unwrap();
            let factor = (number(&expected["misfit_chi2_pairscaled"]) / degrees as f64).sqrt();
            let quantile = t_quantile(0.975, degrees).unwrap();
            let half_width = (quantile * factor).max(normal_quantile(0.975)) * error;
            let widened = interval(&fit.without_priors.unwrap().widened);
            assert_close((widened.high - widened.low) / 2.0, half_width, EXACT);
        }
    }
}

#[test]
fn random_effects_match_scipy_and_metafor() {
    let oracles = oracles();
    for (row, fit) in fitted() {
        let expected = &row["heterogeneity"];
        let found = fit.others.unwrap().random_effects;
        let line = interval(&found.line);
        assert_eq!(found.levels as u64, expected["levels_used"].as_u64().unwrap());
        assert_close(found.tau.unwrap(), number(&expected["tau_PM"]), EXACT);
        assert_close(line.rating, number(&expected["R_PM"]), EXACT);
        assert_close(line.standard_error.unwrap(), number(&expected["se_HKSJ_PM"]), EXACT);
        assert_close(line.low, number(&expected["ci95_HKSJ_PM"][0]), EXACT);
        assert_close(line.high, number(&expected["ci95_HKSJ_PM"][1]), EXACT);
        // metafor stops its iterations a little early.
        let r = row_of(&oracles, "r_crosscheck", "ladder", &row["id"]);
        assert_close(found.tau.unwrap(), number(&r["tau_PM"]), 1e-5);
        assert_close(line.low, number(&r["ci_lb_adhoc"]), EXACT);
        assert_close(line.high, number(&r["ci_ub_adhoc"]), EXACT);
    }
}

#[test]
fn firth_matches_scipy_on_separated_ladders_and_brglm2_on_the_others() {
    let oracles = oracles();
    for row in oracles["separated"].as_array().unwrap() {
        let levels = row["levels"].as_array().unwrap().iter().zip(row["games"].as_array().unwrap());
        let ladder = Ladder::new(
            levels.map(|(elo, games)| Level::from_games(number(elo), games.as_u64().unwrap(), 0, 0).unwrap()),
        );
        let line = interval(&fit(&ladder).firth);
        assert_close(line.rating, number(&row["firth_R"]), EXACT);
        assert_close(line.low, number(&row["firth_profile95"][0]), EXACT);
        assert_close(line.high, number(&row["firth_profile95"][1]), EXACT);
    }
    for (row, fit) in fitted() {
        let r = row_of(&oracles, "r_crosscheck", "ladder", &row["id"]);
        assert_close(interval(&fit.firth).rating, number(&r["firth_R"]), EXACT);
    }
}

#[test]
fn draw_models_match_scipy() {
    // The oracle's optimiser stops at about 1e-6 of a logit, its errors are second differences.
    for (row, fit) in fitted() {
        let models = fit.draw_models.unwrap();
        let check = |model: &DrawModel, expected: &Value, draw: &str| {
            let (line, parameters) = (interval(&model.line), model.parameters.unwrap());
            assert_close(line.rating, number(&expected["R"]), EXACT);
            assert_close(line.standard_error.unwrap(), number(&expected["se_R"]), 1e-4);
            assert_close(parameters.draw, number(&expected[draw]), 1e-5);
            let likelihood = number(&expected["neg2loglik"]);
            assert_close(parameters.minus_two_log_likelihood, likelihood, 1e-9);
            if let Some(slope) = expected["slope"].as_f64() {
                assert_close(parameters.slope, slope, 1e-5);
                assert_close(parameters.slope_standard_error.unwrap(), number(&expected["se_slope"]), 1e-4);
            }
            if let Some(error) = expected["se_lognu"].as_f64() {
                assert_close(parameters.draw_standard_error, error, 1e-4);
            }
        };
        check(&models.davidson, &row["davidson_fixed"], "nu");
        check(&models.davidson_free_slope, &row["davidson_free"], "nu");
        check(&models.rao_kupper, &row["rao_kupper_fixed"], "drawelo");
        // Its own slope can only fit better.
        let own = models.rao_kupper_free_slope.parameters.unwrap();
        let fixed = models.rao_kupper.parameters.unwrap();
        assert!(own.minus_two_log_likelihood < fixed.minus_two_log_likelihood);
    }
}

#[test]
fn the_error_of_the_labels_matches_the_delta_method() {
    let oracles = oracles();
    for (row, fit) in fitted() {
        let scale = fit.scale.unwrap();
        let anchors = oracles["uncertain_anchors"].as_array().unwrap().iter();
        let id = row["id"].as_str().unwrap();
        for expected in anchors.filter(|anchor| anchor["id"].as_str().unwrap().ends_with(id)) {
            let labels = scale.labels * number(&expected["sd_each"]) / LEVEL_LABEL_SD;
            assert_close(labels, number(&expected["se_anchor_delta_independent"]), EXACT);
            if all_vary(&row) {
                let total = labels.hypot(scale.games);
                assert_close(total, number(&expected["se_total_delta_pair"]), 1e-3);
            }
        }
        assert_close(scale.floor, scale.labels.hypot(SCALE_SD), 1e-12);
        assert_close(scale.total, scale.games.hypot(scale.floor), 1e-12);
    }
}

#[test]
fn leaving_levels_out_is_the_curve_of_the_rest() {
    for (row, found) in fitted() {
        let ladder = oracle_ladder(&row);
        let others = found.others.unwrap();
        let range = others.leave_one_out.unwrap();
        let without = |left_out: f64| {
            let rest = ladder.levels().iter().filter(|level| level.elo() != left_out).cloned();
            interval(&fit(&Ladder::new(rest)).elo_curve).rating
        };
        assert_close(range.low, without(range.low_without), 1e-12);
        assert_close(range.high, without(range.high_without), 1e-12);
        for level in ladder.levels() {
            let rating = without(level.elo());
            assert!(range.low <= rating && rating <= range.high);
        }
        let three: Vec<Level> = ladder.levels()[..3].to_vec();
        assert_eq!(others.three_lowest.unwrap().estimate, fit(&Ladder::new(three)).elo_curve.estimate);
    }
}
