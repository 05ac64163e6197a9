//! Whether a position stood before, by its key.

/// Whether the last of `keys` stood before among the others, which are the keys of game and line in
/// order. `halfmoves` is the count since the last capture or pawn move: nothing repeats across one.
///
/// The same side is to move every second ply, and nothing repeats in two: so every second one from
/// the fourth back is looked at.
#[must_use]
pub(in crate::engines) fn stood_before(keys: &[u64], halfmoves: usize) -> bool {
    let Some((now, before)) = keys.split_last() else { return false };
    (4..=halfmoves.min(before.len())).step_by(2).any(|distance| before[before.len() - distance] == *now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positions_with_the_same_side_to_move_since_the_last_capture_count() {
        assert!(stood_before(&[7, 1, 2, 3, 7], 4));
        assert!(!stood_before(&[7, 1, 2, 3, 7], 3), "a capture lies between");
        assert!(!stood_before(&[7, 1, 2, 3, 4, 7], 5), "an odd distance: the other side was to move");
        assert!(!stood_before(&[7, 1, 7], 2), "too near");
        assert!(stood_before(&[7, 1, 2, 3, 4, 5, 7], 50));
        assert!(!stood_before(&[], 9));
    }
}
