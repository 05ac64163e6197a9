//! The evaluation: that of [`crate::engines::kit`], and another goal once an endgame is won.
//!
//! # Source
//! The description of AL-1600, section 03, and the figures known of its program: the mode begins
//! 400 ahead against at most 330 of material; 6 for each step towards a corner, 10 for each step
//! the kings are closer.

use crate::chess::{Board, Chess, Color, Position as _, Role, Square};
use crate::engines::kit::evaluation::{evaluate as evaluate_plainly, square_bonus, value};

/// How far ahead in material the winner is at least, in centipawns.
const AHEAD: i32 = 400;
/// The most material the loser has, king left out.
const NEARLY_BARE: i32 = 330;
/// For each step of the losing king from the four middle squares towards a corner.
const EDGE_STEP: i32 = 6;
/// For each step between the kings that is no longer there.
const KING_STEP: i32 = 10;
/// Steps by file and rank from corner to corner.
const LONGEST_WAY: i32 = 14;

fn material(board: &Board, color: Color) -> i32 {
    let side = board.by_color(color);
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .into_iter()
        .map(|role| value(role) * (board.by_role(role) & side).count() as i32)
        .sum()
}

/// Who has won the endgame, if it is won.
pub(super) fn winner(position: &Chess) -> Option<Color> {
    let board = position.board();
    let (white, black) = (material(board, Color::White), material(board, Color::Black));
    if white - black >= AHEAD && black <= NEARLY_BARE {
        Some(Color::White)
    } else if black - white >= AHEAD && white <= NEARLY_BARE {
        Some(Color::Black)
    } else {
        None
    }
}

/// The value of a position in centipawns for the side to move. `won_endgame` says whether the goal
/// changes once an endgame is won.
pub(super) fn evaluate(position: &Chess, won_endgame: bool) -> i32 {
    match won_endgame.then(|| winner(position)).flatten() {
        None => evaluate_plainly(position),
        Some(winner) if winner == position.turn() => chase(position.board(), winner),
        Some(winner) => -chase(position.board(), winner),
    }
}

/// Material and tables of all pieces but the kings, the losing king near the edge, the other one
/// near it; for the winner.
fn chase(board: &Board, winner: Color) -> i32 {
    let mut sum = 0;
    for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        for color in Color::ALL {
            let side: i32 = (board.by_role(role) & board.by_color(color))
                .into_iter()
                .map(|square| value(role) + square_bonus(role, color, square, true))
                .sum();
            sum += if color == winner { side } else { -side };
        }
    }
    let (Some(own), Some(other)) = (board.king_of(winner), board.king_of(winner.other())) else {
        return sum;
    };
    sum + EDGE_STEP * steps_from_centre(other) + KING_STEP * (LONGEST_WAY - steps_between(own, other))
}

/// From one of the four middle squares: 0 to 6, the corners being 6.
fn steps_from_centre(square: Square) -> i32 {
    let from_middle = |line: i32| (3 - line).max(line - 4);
    from_middle(square.file() as i32) + from_middle(square.rank() as i32)
}

/// By file and rank together.
fn steps_between(one: Square, other: Square) -> i32 {
    let (one, other) = ((one.file() as i32, one.rank() as i32), (other.file() as i32, other.rank() as i32));
    (one.0 - other.0).abs() + (one.1 - other.1).abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::StartPosition;

    fn position(fen: &str) -> Chess {
        StartPosition::from_fen(fen).unwrap().position().clone()
    }

    #[test]
    fn an_endgame_is_won_four_pawns_ahead_of_at_most_a_bishop() {
        for (fen, expected) in [
            ("8/8/4k3/8/8/4K3/8/7R w - - 0 1", Some(Color::White)),
            ("8/8/4k3/8/8/4K3/8/7r w - - 0 1", Some(Color::Black)),
            ("8/8/4k3/8/8/4K3/PPPP4/8 w - - 0 1", Some(Color::White)),
            ("8/8/4k3/8/8/4K3/PPP5/8 w - - 0 1", None),
            // 900 against 330 and against 500; 500 against 100 and against 200.
            ("8/8/4kb2/8/8/4K3/8/7Q w - - 0 1", Some(Color::White)),
            ("8/8/4kr2/8/8/4K3/8/7Q w - - 0 1", None),
            ("8/5p2/4k3/8/8/4K3/8/7R w - - 0 1", Some(Color::White)),
            ("8/5pp1/4k3/8/8/4K3/8/7R w - - 0 1", None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
        ] {
            assert_eq!(winner(&position(fen)), expected, "{fen}");
        }
    }

    #[test]
    fn the_chase_is_worth_what_the_steps_say() {
        // Rook 500; the king on h8 is 6 steps out, on e5 none; from e3 to h8 are 8 steps, to e5 2.
        let cornered = "7k/8/8/8/8/4K3/8/R7 w - - 0 1";
        assert_eq!(evaluate(&position(cornered), true), 500 + 6 * 6 + 10 * (14 - 8));
        let central = "8/8/8/4k3/8/4K3/8/R7 w - - 0 1";
        assert_eq!(evaluate(&position(central), true), 500 + 10 * (14 - 2));
        let black_to_move = "8/8/8/4k3/8/4K3/8/R7 b - - 0 1";
        assert_eq!(evaluate(&position(black_to_move), true), -(500 + 10 * (14 - 2)));
    }

    #[test]
    fn without_the_mode_or_outside_it_the_evaluation_is_the_shared_one() {
        for (fen, won_endgame) in
            [("7k/8/8/8/8/4K3/8/R7 w - - 0 1", false), ("8/5pp1/4k3/8/8/4K3/8/7R w - - 0 1", true)]
        {
            let position = position(fen);
            assert_eq!(evaluate(&position, won_endgame), evaluate_plainly(&position), "{fen}");
        }
    }
}
