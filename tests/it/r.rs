//! A ladder that stands in no file, fitted here and by R (clubSandwich, metafor, brglm2).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use elometer::rating::simulate::{Truth, draw_ladder};
use elometer::rating::{Interval, Ladder, Line, fit};

fn r_is_there() -> bool {
    let packages =
        "for (p in c('clubSandwich', 'metafor', 'brglm2')) stopifnot(requireNamespace(p, quietly = TRUE))";
    Command::new("Rscript").args(["-e", packages]).output().is_ok_and(|output| output.status.success())
}

fn fit_with_r(ladder: &Ladder) -> BTreeMap<String, f64> {
    let folder = tempfile::tempdir().unwrap();
    let mut table = String::from("level,half_points,count\n");
    for level in ladder.levels() {
        for (unit, count) in level.units() {
            assert_eq!(unit.games, 2);
            writeln!(table, "{},{},{count}", level.elo(), unit.half_points).unwrap();
        }
    }
    let file = folder.path().join("ladder.csv");
    std::fs::write(&file, table).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracles/ladder.R");
    let output = Command::new("Rscript").arg(script).arg(file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| {
            let (name, value) = line.trim().split_once(' ').unwrap();
            (name.to_owned(), value.parse().unwrap())
        })
        .collect()
}

fn interval(line: &Line) -> Interval {
    line.estimate.interval().unwrap()
}

#[test]
fn a_fresh_ladder_gets_the_same_numbers_from_r() {
    if !r_is_there() {
        println!(
            "skipped: R with clubSandwich, metafor and brglm2 is not installed \
             (Debian: r-base-core r-cran-clubsandwich r-cran-metafor r-cran-brglm2)"
        );
        return;
    }
    let levels = [1500.0, 1650.0, 1850.0, 1900.0, 2100.0];
    let truth = Truth::right("mine", &levels, 60, 1830.0).with_slope(0.8).with_level_sd(40.0);
    let ladder = draw_ladder(&truth, 2024, 0).unwrap();
    let r = fit_with_r(&ladder);
    let fit = fit(&ladder);
    let others = fit.others.unwrap();
    let between = fit.without_priors.unwrap().between_levels.unwrap();
    let free = fit.free_slope.unwrap();
    let slope = free.slope.unwrap();
    for (name, found, relative) in [
        ("R", interval(&fit.elo_curve).rating, 1e-8),
        ("between_levels", between.standard_error, 1e-8),
        ("between_levels_df", between.degrees_of_freedom, 1e-8),
        ("slope", slope.slope, 1e-8),
        ("slope_error", slope.standard_error, 1e-8),
        ("R50", interval(&free.unit).rating, 1e-8),
        ("tau", others.random_effects.tau.unwrap(), 1e-5),
        ("pooled_low", interval(&others.random_effects.line).low, 1e-6),
        ("pooled_high", interval(&others.random_effects.line).high, 1e-6),
        ("firth", interval(&fit.firth).rating, 1e-8),
    ] {
        let expected = r[name];
        assert!((found - expected).abs() <= relative * expected.abs(), "{name}: {found}, R says {expected}");
    }
}
