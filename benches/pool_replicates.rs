//! Times the joint fit of 100 players, their differences and 1,000 replicates of each kind.
//!
//! `cargo bench --bench pool_replicates`; prints seconds by the wall clock.

use std::thread;
use std::time::Instant;

use elometer::rating::{
    Anchor, ColourModel, Meeting, ReplicateMethod, Tally, Unit, expected_score, fit_pool, replicate_pool,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const PLAYERS: usize = 100;

/// Two pairs between any two players: 19,800 games.
fn pool(rng: &mut ChaCha8Rng) -> Vec<Meeting> {
    let mut meetings = Vec::new();
    for first in 0..PLAYERS {
        for second in first + 1..PLAYERS {
            let mut meeting = Meeting { first, second, ..Meeting::default() };
            #[expect(clippy::cast_precision_loss, reason = "below 100")]
            let score = expected_score((second as f64 - first as f64) * 6.0);
            for _ in 0..2 {
                let mut half_points = 0;
                for tally in [&mut meeting.as_white, &mut meeting.as_black] {
                    half_points += play(score, tally, rng);
                }
                *meeting.units.entry(Unit { games: 2, half_points }).or_default() += 1;
            }
            meetings.push(meeting);
        }
    }
    meetings
}

fn play(score: f64, tally: &mut Tally, rng: &mut ChaCha8Rng) -> u32 {
    let draw = 1.4 * score * (1.0 - score);
    let u = f64::from(rng.next_u32()) / f64::from(u32::MAX);
    if u < score - draw / 2.0 {
        tally.wins += 1;
        2
    } else if u < score + draw / 2.0 {
        tally.draws += 1;
        1
    } else {
        tally.losses += 1;
        0
    }
}

fn main() {
    let meetings = pool(&mut ChaCha8Rng::seed_from_u64(1));
    let start = Instant::now();
    let fit = fit_pool(&[Anchor::Unknown; PLAYERS], &meetings, ColourModel::WhereUnpaired)
        .expect("the pool is sound");
    println!("fit of {} players, {} games: {:.3} s", PLAYERS, fit.games, start.elapsed().as_secs_f64());
    let start = Instant::now();
    let differences = fit.differences().len();
    println!("{differences} differences: {:.3} s", start.elapsed().as_secs_f64());
    let threads = thread::available_parallelism().map_or(1, |count| count.get());
    for method in [ReplicateMethod::Simulation, ReplicateMethod::Bootstrap] {
        let start = Instant::now();
        let replicates = replicate_pool(&fit, method, 1000, 1, threads).expect("the pool has a fit");
        println!(
            "1000 replicates, {method:?}, {} without a fit: {:.3} s",
            replicates.separated,
            start.elapsed().as_secs_f64()
        );
    }
}
