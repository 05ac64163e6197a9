//! Do the intervals hold what they promise? A small form of the table in `docs/statistics.md`.

use elometer::rating::simulate::{
    Needed, Simulation, Truth, TruthError, TruthLevel, draw_ladder, games_needed, simulate, standard_truths,
    truths_for_plan, untuned_truths,
};
use elometer::rating::{Estimate, Method, fit};

fn named(name: &str) -> Truth {
    let mut truths = standard_truths().into_iter().chain(untuned_truths());
    truths.find(|truth| truth.name == name).unwrap()
}

/// Ladders held, of all drawn.
fn held(simulation: &Simulation, method: Method) -> u64 {
    simulation.methods.iter().find(|coverage| coverage.method == method).unwrap().held
}

/// Mean and standard deviation of a binomial count.
fn binomial(ladders: u64, probability: f64) -> (f64, f64) {
    let n = ladders as f64;
    (n * probability, (n * probability * (1.0 - probability)).sqrt())
}

#[test]
fn quoted_intervals_hold_95_percent_and_the_usual_ones_do_not() {
    // Coverage of the usual interval from 6,000 ladders elsewhere (docs/statistics.md). Four
    // binomial standard deviations, so that a change of the arithmetic that moves no truth stays
    // green and a lost factor does not.
    let ladders = 300;
    for (name, usual) in [
        ("model right", 0.948),
        ("5 levels x 8 pairs", 0.936),
        ("level errors SD 30", 0.769),
        ("slope 0.7, R 2400", 0.026),
        ("slope 0.7, R 2400, level SD 40", 0.148),
    ] {
        let found = simulate(&named(name), 4, ladders, 2).unwrap();
        let (mean, deviation) = binomial(ladders, 0.95);
        for method in [Method::Hierarchical, Method::UnitOrLevel] {
            let held = held(&found, method) as f64;
            println!("{name}: {method:?} holds {held} of {ladders}");
            assert!(held > mean - 4.0 * deviation, "{name}: {method:?} holds {held} of {ladders}");
        }
        let (mean, deviation) = binomial(ladders, usual);
        let held = held(&found, Method::GameWithinLevel) as f64;
        assert!((held - mean).abs() < 4.0 * deviation + 1.0, "{name}: the usual holds {held} of {ladders}");
    }
}

#[test]
fn levels_met_once_or_twice_do_not_make_the_quoted_line_too_sure() {
    let levels = |count: u32, step: f64| -> Vec<f64> {
        (0..count).map(|level| 1500.0 + step * f64::from(level)).collect()
    };
    // As in games against many opponents, each with a rating of its own.
    for (count, step, pairs) in [(20, 50.0, 2), (10, 100.0, 1), (40, 25.0, 1), (6, 200.0, 2)] {
        let truth = Truth::right("seldom met", &levels(count, step), pairs, 1950.0);
        let found = simulate(&truth, 6, 200, 2).unwrap();
        let own = found.methods.iter().find(|coverage| coverage.method == Method::Hierarchical).unwrap();
        let answered = own.intervals + own.one_sided;
        let (mean, deviation) = binomial(answered, 0.95);
        println!("{count} levels x {pairs}: holds {} of {answered}", own.held);
        assert!(
            own.held as f64 > mean - 4.0 * deviation,
            "{count} levels x {pairs}: {} of {answered}",
            own.held
        );
    }
}

#[test]
fn half_widths_are_those_of_the_reference() {
    // Medians of 6,000 ladders elsewhere; those of 200 are within 4 %.
    for (name, quoted, beside) in
        [("model right", 34.0, 28.0), ("level errors SD 30", 44.0, 45.0), ("slope 0.7, R 2400", 65.0, 129.0)]
    {
        let found = simulate(&named(name), 5, 200, 2).unwrap();
        for (method, expected) in [(Method::Hierarchical, quoted), (Method::UnitOrLevel, beside)] {
            let own = found.methods.iter().find(|coverage| coverage.method == method).unwrap();
            let width = own.median_half_width.unwrap();
            assert!((width / expected - 1.0).abs() < 0.1, "{name}: {method:?} is {width} wide");
        }
    }
}

#[test]
fn a_simulation_is_the_same_on_any_number_of_threads() {
    let truth = named("opening bias SD 150");
    let alone = simulate(&truth, 7, 25, 1).unwrap();
    for threads in [0, 2, 3, 40] {
        assert_eq!(simulate(&truth, 7, 25, threads).unwrap(), alone);
    }
    assert_ne!(simulate(&truth, 8, 25, 2).unwrap().methods, alone.methods);
    assert_eq!(draw_ladder(&truth, 7, 3).unwrap(), draw_ladder(&truth, 7, 3).unwrap());
    assert_ne!(draw_ladder(&truth, 7, 3).unwrap(), draw_ladder(&truth, 7, 4).unwrap());
}

#[test]
fn every_named_truth_can_be_simulated_and_every_line_counts_every_ladder() {
    let single = TruthLevel { elo: 1900.0, pairs: 20, single_games: 7 };
    let own = truths_for_plan(&[TruthLevel::paired(1500.0, 10), single], 1800.0);
    assert_eq!(own[0].games(), 67);
    let drawn = draw_ladder(&own[0], 1, 1).unwrap();
    let units: Vec<(u64, u64)> =
        drawn.levels().iter().map(|level| (level.pair_count(), level.unit_count())).collect();
    assert_eq!(units, [(10, 10), (20, 27)]);
    for truth in standard_truths().into_iter().chain(untuned_truths()).chain(own) {
        let found = simulate(&truth, 1, 3, 1).unwrap();
        assert_eq!(found.methods[0].method, Method::Hierarchical);
        for coverage in found.methods {
            assert_eq!(coverage.intervals + coverage.one_sided + coverage.absent, 3, "{coverage:?}");
        }
    }
}

#[test]
fn the_number_of_games_for_a_half_width_gives_that_half_width_or_is_out_of_reach() {
    let truth = named("model right");
    let found = games_needed(&truth, Method::EloCurveUnitT, 30.0, 1, 40, 2).unwrap();
    // 1,200 games give 22: about (22 / 30)^2 of them.
    let Needed::Games { games, half_width } = found else { panic!("{found:?}") };
    assert!((560..720).contains(&games) && half_width <= 30.0, "{found:?}");
    // Where levels are off by 30, no number of games gives 10 Elo on six levels.
    let truth = named("level errors SD 30");
    let floor = games_needed(&truth, Method::Hierarchical, 10.0, 1, 10, 2).unwrap();
    assert!(matches!(floor, Needed::OutOfReach { half_width: Some(width), .. } if width > 10.0), "{floor:?}");
}

#[test]
fn a_truth_that_makes_no_sense_is_refused() {
    let good = Truth::right("mine", &[1900.0], 10, 1900.0);
    let number = |truth: Truth| matches!(simulate(&truth, 1, 1, 1), Err(TruthError::Number { .. }));
    assert!(number(good.clone().with_slope(0.0)));
    assert!(number(good.clone().with_level_sd(f64::NAN)));
    assert!(number(good.clone().with_opening_sd(-1.0)));
    assert!(number(Truth::right("mine", &[f64::INFINITY], 10, 1900.0)));
    let empty = simulate(&Truth::right("mine", &[1900.0], 0, 1900.0), 1, 1, 1);
    assert!(matches!(empty, Err(TruthError::NoGames { .. })));
    assert!(empty.unwrap_err().to_string().contains("hint: "));
}

#[test]
fn a_subject_far_above_the_ladder_gets_bounds_that_hold() {
    let truth = Truth::right("far above", &[1500.0, 1600.0], 5, 2400.0);
    let separated = (0..50).filter(|number| {
        let estimate = fit(&draw_ladder(&truth, 1, *number).unwrap()).quoted.line.estimate;
        matches!(estimate, Estimate::Absent(_))
    });
    assert!(separated.count() > 25);
    let found = simulate(&truth, 1, 50, 1).unwrap();
    assert!(found.methods[0].one_sided > 25);
    assert!(found.methods[0].coverage.unwrap() > 0.9);
}
