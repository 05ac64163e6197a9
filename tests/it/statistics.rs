//! Every method's line against the numbers of other programs.
//!
//! `tests/oracles/statistics.json` names the program behind each row. Not compared, because
//! elometer does not compute them:
//! - `fixed_slope`: CR1 and jackknife (CV3) errors, the quasi-binomial error, errors of pairs with a
//!   correction for their number (CR1S, CR2), intervals of pairs within levels with z;
//! - `heterogeneity`: DerSimonian-Laird; `r_crosscheck`: the same, REML, I2, Satterthwaite's degrees
//!   of freedom with pairs as clusters;
//! - `davidson_*`, `rao_kupper_fixed`: none left out;
//! - `mache_rating_estimate`: the Elo curve again, with another tool's half-width;
//! - `separated`: likelihood-ratio bounds, the 97.5 % bound, Ordo's rule of the last half point.

use elometer::rating::{Absence, Estimate, Fit, Interval, Ladder, Level, Line, Misfit, SlopeTest, Unit, fit};
use serde_json::Value;

/// Half points of the pair types in the oracle's order: LL, LD, WL, DD, WD, WW.
const PAIR_TYPES: [u32; 6] = [0, 1, 2, 2, 3, 4];

/// What is exact in the source is compared to this relative error.
const EXACT: f64 = 1e-6;

fn oracles() -> Value {
    serde_json::from_str(include_str!("../oracles/statistics.json")).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn pair(half_points: u32) -> Unit {
    Unit { games: 2, half_points }
}

#[track_caller]
fn assert_close(found: f64, expected: f64, relative: f64) {
    let error = (found - expected).abs();
    assert!(error <= relative * expected.abs().max(1e-300), "found {found}, expected {expected}");
}

fn oracle_ladder(row: &Value) -> Ladder {
    let numbers = |key: &str, index: usize| row[key][index].as_u64().unwrap();
    Ladder::new(row["levels"].as_array().unwrap().iter().enumerate().map(|(index, elo)| {
        let units = PAIR_TYPES
            .iter()
            .zip(row["pairs"][index].as_array().unwrap())
            .map(|(half_points, count)| (pair(*half_points), count.as_u64().unwrap()));
        Level::new(number(elo), numbers("W", index), numbers("D", index), numbers("L", index), units).unwrap()
    }))
}

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
