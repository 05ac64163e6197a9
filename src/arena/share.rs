//! Pieces of work on several threads, each thread with something of its own, such as an engine.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::stop::Stop;

/// Whether all pieces of [`share_out`] were done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// All of them.
    Whole,
    /// `take` or the stop ended it; pieces in progress were finished.
    Part,
}

/// Does the pieces 0 to `count` - 1, begun in this order, on `workers` threads. Each thread makes its
/// own state with `begin`, does each of its pieces with `work` and ends with `end`. `take` gets the
/// results one at a time in the order they come; when it returns false no other piece is begun.
pub fn share_out<S, R>(
    count: usize,
    workers: usize,
    stop: &Stop,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> R + Sync,
    end: impl Fn(S) + Sync,
    take: impl FnMut(usize, R) -> bool + Send,
) -> Shared {
    let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let take = Mutex::new(take);
    let run = || {
        let mut state = begin();
        while !over.load(Ordering::SeqCst) && !stop.is_requested() {
            let piece = next.fetch_add(1, Ordering::SeqCst);
            if piece >= count {
                break;
            }
            let result = work(&mut state, piece);
            let mut take = take.lock().unwrap_or_else(PoisonError::into_inner);
            if !take(piece, result) {
                over.store(true, Ordering::SeqCst);
            }
        }
        end(state);
    };
    thread::scope(|scope| {
        for _ in 0..workers.clamp(1, count.max(1)) {
            scope.spawn(run);
        }
    });
    let whole = !over.load(Ordering::SeqCst) && next.load(Ordering::SeqCst) >= count;
    if whole { Shared::Whole } else { Shared::Part }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_done_once_and_the_taker_can_end_it() {
        let stop = Stop::default();
        let mut seen = vec![0; 50];
        let end = share_out(
            50,
            4,
            &stop,
            || (),
            |(), piece| piece,
            |()| (),
            |piece, result| {
                assert_eq!(piece, result);
                seen[piece] += 1;
                true
            },
        );
        assert_eq!((end, seen), (Shared::Whole, vec![1; 50]));
        let mut taken = 0;
        let end = share_out(
            50,
            1,
            &stop,
            || (),
            |(), piece| piece,
            |()| (),
            |piece, _| {
                taken += 1;
                piece < 4
            },
        );
        assert_eq!((end, taken), (Shared::Part, 5));
        stop.request();
        let end = share_out(1, 1, &stop, || (), |(), piece| piece, |()| (), |_, _| true);
        assert_eq!(end, Shared::Part);
    }
}
