//! The transposition table: what was found out about a position, and how well it is known.
//!
//! Fixed size, one entry per slot, the whole key compared. Scores are stored relative to their
//! own position, so that a mate found here is at the right distance wherever it is met again.

use super::score::{MATE_LIMIT, is_mate};
use crate::chess::{Bound, Move, Role};

/// A move in 16 bits: from, to, role promoted to. Castling is king takes rook. Zero is no move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::engines) struct PackedMove(u16);

impl PackedMove {
    /// No move known.
    pub(in crate::engines) const NONE: Self = Self(0);

    /// Packs a move. Two legal moves of one position never pack alike.
    #[must_use]
    pub(in crate::engines) fn new(m: Move) -> Self {
        let Some(from) = m.from() else { return Self::NONE };
        let promotion = match m {
            Move::Normal { promotion: Some(role), .. } => role as u16,
            _ => 0,
        };
        Self(from as u16 | (m.to() as u16) << 6 | promotion << 12)
    }
}

const _: () = assert!((Role::King as u16) < 16, "a role takes four bits");

/// What is known about one position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::engines) struct Entry {
    key: u64,
    best: PackedMove,
    score: i16,
    depth: u8,
    /// The search that wrote this in the upper six bits; 1 exact, 2 lower, 3 upper in the lower
    /// two, 0 in an empty slot.
    meta: u8,
}

const GENERATIONS: u8 = 64;

impl Entry {
    /// The best move, to be tried first if it is legal.
    #[must_use]
    pub(in crate::engines) fn best(&self) -> PackedMove {
        self.best
    }

    /// How deep the position was searched.
    #[must_use]
    pub(in crate::engines) fn depth(&self) -> u8 {
        self.depth
    }

    /// How the stored score relates to the true one.
    #[must_use]
    pub(in crate::engines) fn bound(&self) -> Bound {
        match self.meta & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        }
    }

    /// The stored score as seen from a node `ply` plies below the root.
    #[must_use]
    pub(in crate::engines) fn score(&self, ply: i32) -> i32 {
        from_node(i32::from(self.score), ply)
    }

    /// The score that ends the search of this node at once, if the entry is deep and firm enough:
    /// an exact score always, a lower bound that reaches `beta`, an upper bound that does not
    /// exceed `alpha`.
    #[must_use]
    pub(in crate::engines) fn cutoff(&self, depth: u8, ply: i32, alpha: i32, beta: i32) -> Option<i32> {
        if self.depth < depth {
            return None;
        }
        let score = self.score(ply);
        let ends = match self.bound() {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        ends.then_some(score)
    }

    fn is_empty(&self) -> bool {
        self.meta & 3 == 0
    }

    fn generation(&self) -> u8 {
        self.meta >> 2
    }
}

/// What a search with window `alpha..beta` has shown when `score` is its result: at least that
/// much when it failed high, at most that much when it failed low.
#[must_use]
pub(in crate::engines) fn bound_of(score: i32, alpha: i32, beta: i32) -> Bound {
    if score >= beta {
        Bound::Lower
    } else if score <= alpha {
        Bound::Upper
    } else {
        Bound::Exact
    }
}

/// From distance to the root to distance to the node.
fn to_node(score: i32, ply: i32) -> i32 {
    match is_mate(score) {
        false => score,
        true if score > 0 => score + ply,
        true => score - ply,
    }
}

/// From distance to the node to distance to the root.
fn from_node(score: i32, ply: i32) -> i32 {
    match is_mate(score) {
        false => score,
        true if score > 0 => score - ply,
        true => score + ply,
    }
}

const _: () = assert!(MATE_LIMIT < i16::MAX as i32, "every score fits an entry");

/// The table.
#[derive(Debug)]
pub(in crate::engines) struct TranspositionTable {
    entries: Vec<Entry>,
    generation: u8,
    /// Whether anything was stored since the table was made or cleared.
    used: bool,
}

impl TranspositionTable {
    /// The bytes of one entry, and so what a megabyte holds.
    const ENTRY_BYTES: usize = size_of::<Entry>();

    /// A table of `megabytes` (at least one); `None` when there is no such memory.
    #[must_use]
    pub(in crate::engines) fn with_megabytes(megabytes: usize) -> Option<Self> {
        Self::with_entries(megabytes.max(1).checked_mul(1024 * 1024 / Self::ENTRY_BYTES)?)
    }

    /// A table of so many slots (at least one); `None` when there is no such memory.
    #[must_use]
    pub(in crate::engines) fn with_entries(count: usize) -> Option<Self> {
        let mut entries = Vec::new();
        entries.try_reserve_exact(count.max(1)).ok()?;
        entries.resize(count.max(1), Entry::default());
        Some(Self { entries, generation: 0, used: false })
    }

    /// Forgets everything. Costs nothing when there is nothing to forget, so that `Clear Hash` and
    /// `ucinewgame` together take no longer than one of them.
    pub(in crate::engines) fn clear(&mut self) {
        if std::mem::take(&mut self.used) {
            self.entries.fill(Entry::default());
        }
        self.generation = 0;
    }

    /// Marks the start of a search: what earlier ones left may be overwritten by anything.
    pub(in crate::engines) fn start_search(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// What is known about the position with this key.
    #[must_use]
    pub(in crate::engines) fn get(&self, key: u64) -> Option<Entry> {
        let entry = self.entries.get(self.slot(key))?;
        (entry.key == key && !entry.is_empty()).then_some(*entry)
    }

    /// Stores a result, unless the slot holds a deeper one of another position from this search.
    pub(in crate::engines) fn store(
        &mut self,
        key: u64,
        depth: u8,
        ply: i32,
        score: i32,
        bound: Bound,
        best: PackedMove,
    ) {
        let (slot, generation) = (self.slot(key), self.generation);
        let Some(entry) = self.entries.get_mut(slot) else { return };
        let same = entry.key == key && !entry.is_empty();
        if !entry.is_empty() && !same && entry.generation() == generation && entry.depth > depth {
            return;
        }
        // A search that failed low knows no best move: the older one is still the best guess.
        let best = if best == PackedMove::NONE && same { entry.best } else { best };
        let code = match bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        let limit = i32::from(i16::MAX);
        let score = to_node(score, ply).clamp(-limit, limit) as i16;
        *entry = Entry { key, best, score, depth, meta: generation << 2 | code };
        self.used = true;
    }

    /// How full the table is with results of this search, in thousandths, from its first thousand
    /// slots.
    #[must_use]
    pub(in crate::engines) fn permille_full(&self) -> u16 {
        let sample = &self.entries[..self.entries.len().min(1000)];
        let used =
            sample.iter().filter(|entry| !entry.is_empty() && entry.generation() == self.generation).count();
        (used * 1000 / sample.len()) as u16
    }

    /// The upper half of key times size: every size works, and all bits of the key matter.
    fn slot(&self, key: u64) -> usize {
        ((u128::from(key) * self.entries.len() as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::score::MATE;
    use super::*;

    fn entry(score: i32, bound: Bound, depth: u8, ply: i32) -> Entry {
        let mut table = TranspositionTable::with_entries(16).unwrap();
        table.store(7, depth, ply, score, bound, PackedMove::NONE);
        table.get(7).unwrap()
    }

    #[test]
    fn failing_high_is_a_lower_bound_and_failing_low_an_upper_one() {
        assert_eq!(bound_of(60, 0, 50), Bound::Lower);
        assert_eq!(bound_of(50, 0, 50), Bound::Lower);
        assert_eq!(bound_of(25, 0, 50), Bound::Exact);
        assert_eq!(bound_of(0, 0, 50), Bound::Upper);
        assert_eq!(bound_of(-60, 0, 50), Bound::Upper);
    }

    #[test]
    fn a_bound_ends_the_search_only_on_its_own_side_of_the_window() {
        let lower = entry(100, Bound::Lower, 4, 0);
        assert_eq!(lower.cutoff(4, 0, 0, 100), Some(100));
        assert_eq!(lower.cutoff(4, 0, 0, 101), None, "at least 100 says nothing about 101");
        assert_eq!(lower.cutoff(4, 0, 200, 300), None, "at least 100 is no failure to reach 200");
        let upper = entry(100, Bound::Upper, 4, 0);
        assert_eq!(upper.cutoff(4, 0, 100, 300), Some(100));
        assert_eq!(upper.cutoff(4, 0, 99, 300), None);
        assert_eq!(upper.cutoff(4, 0, 0, 50), None, "at most 100 does not reach 50");
        assert_eq!(entry(100, Bound::Exact, 4, 0).cutoff(4, 0, 200, 300), Some(100));
    }

    #[test]
    fn a_shallower_result_is_no_answer() {
        let known = entry(100, Bound::Exact, 4, 0);
        assert_eq!(known.cutoff(3, 0, 0, 50), Some(100));
        assert_eq!(known.cutoff(5, 0, 0, 50), None);
    }

    #[test]
    fn a_mate_keeps_its_distance_from_the_node() {
        // Mate three plies below a node at ply 4 is mate at ply 7; met at ply 2 it is mate at ply 5.
        let winning = entry(MATE - 7, Bound::Exact, 4, 4);
        assert_eq!(winning.score(2), MATE - 5);
        let losing = entry(-(MATE - 8), Bound::Exact, 4, 4);
        assert_eq!(losing.score(2), -(MATE - 6));
    }

    #[test]
    fn another_key_in_the_same_slot_is_not_found() {
        let mut table = TranspositionTable::with_entries(1).unwrap();
        table.store(1, 3, 0, 10, Bound::Exact, PackedMove::NONE);
        assert!(table.get(1).is_some());
        assert!(table.get(2).is_none());
        assert!(table.get(1 << 63).is_none());
    }

    #[test]
    fn deep_results_of_this_search_outlive_shallow_ones_but_not_the_next_search() {
        let mut table = TranspositionTable::with_entries(1).unwrap();
        table.start_search();
        table.store(1, 5, 0, 10, Bound::Exact, PackedMove::NONE);
        table.store(2, 3, 0, 20, Bound::Exact, PackedMove::NONE);
        assert!(table.get(1).is_some());
        assert_eq!(table.permille_full(), 1000);
        table.start_search();
        assert_eq!(table.permille_full(), 0);
        table.store(2, 3, 0, 20, Bound::Exact, PackedMove::NONE);
        assert!(table.get(2).is_some());
        for round in 0..2 {
            table.clear();
            table.clear();
            assert!(table.get(2).is_none(), "round {round}");
            table.store(2, 3, 0, 20, Bound::Exact, PackedMove::NONE);
            assert!(table.get(2).is_some());
        }
    }
}
