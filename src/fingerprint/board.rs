//! A board as plain text, from the first field of a FEN.

/// Eight lines, White below, a dot for an empty square: `r . b q k . . r`. Other characters than a
/// FEN's stand as they are, so that a damaged one is seen.
///
/// ```
/// use elometer::fingerprint::board_text;
/// let board = board_text("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1");
/// assert_eq!(board.lines().last(), Some(". . . . K . . ."));
/// ```
#[must_use]
pub fn board_text(fen: &str) -> String {
    let ranks = fen.split_whitespace().next().unwrap_or_default().split('/');
    let lines = ranks.map(|rank| {
        let squares = rank.chars().flat_map(|c| match c.to_digit(10) {
            Some(empty) => vec![".".to_owned(); empty as usize],
            None => vec![c.to_string()],
        });
        squares.collect::<Vec<_>>().join(" ") + "\n"
    });
    lines.collect()
}
