//! The rows of `tests/oracles/statistics.json`, as ladders and fits read them.

use elometer::rating::{Ladder, Level, Unit};
use serde_json::Value;

/// Half points of the pair types in the oracle's order: LL, LD, WL, DD, WD, WW.
const PAIR_TYPES: [u32; 6] = [0, 1, 2, 2, 3, 4];

pub fn oracles() -> Value {
    serde_json::from_str(include_str!("../oracles/statistics.json")).unwrap()
}

pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

pub fn pair(half_points: u32) -> Unit {
    Unit { games: 2, half_points }
}

#[track_caller]
pub fn assert_close(found: f64, expected: f64, relative: f64) {
    let error = (found - expected).abs();
    assert!(error <= relative * expected.abs().max(1e-300), "found {found}, expected {expected}");
}

pub fn oracle_ladder(row: &Value) -> Ladder {
    let numbers = |key: &str, index: usize| row[key][index].as_u64().unwrap();
    Ladder::new(row["levels"].as_array().unwrap().iter().enumerate().map(|(index, elo)| {
        let units = PAIR_TYPES
            .iter()
            .zip(row["pairs"][index].as_array().unwrap())
            .map(|(half_points, count)| (pair(*half_points), count.as_u64().unwrap()));
        Level::new(number(elo), numbers("W", index), numbers("D", index), numbers("L", index), units).unwrap()
    }))
}
