//! What a move does, as facts of the board and of the mover's meters.

use crate::chess::{Bitboard, Board, CastlingSide, Chess, Color, File, Move, Position as _, Role, Square};
use crate::engines::legible::board_map::{BoardMap, LOOSE_ROLES};
use crate::engines::legible::evaluation::Evaluator;
use crate::engines::legible::personality::Block;

/// From so many centipawns on, a block that changed is a reason.
///
/// # Source
/// The paper on Mate, section 4.2.
const REASONS: [(Block, i32); 3] =
    [(Block::Mobility, 20), (Block::KingExposure, 25), (Block::PawnStructure, 20)];

/// A piece and where it stands.
pub(super) type Placed = (Role, Square);

/// What a move takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    pub(super) role: Role,
    /// Where it stood.
    pub(super) square: Square,
    pub(super) was_loose: bool,
    pub(super) en_passant: bool,
}

/// A piece that was loose before the move and is not after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rescued {
    pub(super) role: Role,
    pub(super) from: Square,
    /// Where it is now.
    pub(super) to: Square,
}

/// What a move does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    /// The piece moved; the king when castling.
    pub(super) role: Role,
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) castles: Option<CastlingSide>,
    pub(super) taken: Option<Taken>,
    pub(super) promotion: Option<Role>,
    pub(super) checks: bool,
    /// The other side has no move.
    pub(super) ends: bool,
    /// Loose enemy pieces that the moved piece attacks, as it did not before; the worthiest first.
    pub(super) attacks: Vec<Placed>,
    pub(super) rescued: Option<Rescued>,
    /// A pawn now stands on d4, e4, d5 or e5.
    pub(super) to_centre: bool,
    /// A rook now stands on a file without pawns.
    pub(super) open_file: Option<File>,
    /// The mover's block that rose the most beyond its threshold, in multiples of that, and by how
    /// much.
    pub(super) reason: Option<(Block, i32)>,
}

impl Facts {
    /// Those of a move that is legal in `before`.
    pub(super) fn new(before: &Chess, m: Move, evaluator: &Evaluator) -> Self {
        let mover = before.turn();
        let mut after = before.clone();
        after.play_unchecked(m);
        let (maps, boards) =
            ([before, &after].map(|chess| BoardMap::new(chess.board())), [before.board(), after.board()]);
        let loose = |when: usize, color: Color| maps[when].loose(boards[when], color);
        let (role, from, to) = (m.role(), m.from().unwrap_or(m.to()), m.to());
        let castles = m.castling_side();
        // Castling is king takes rook here: the rook is what may attack something afterwards.
        let (arrived_from, arrived) = match castles {
            Some(side) => (to, Square::from_coords(side.rook_to_file(), to.rank())),
            None => (from, to),
        };
        let reached = |when: usize, square| boards[when].attacks_from(square);
        let taken = m.capture().map(|role| {
            let en_passant = m.is_en_passant();
            let square = if en_passant { Square::from_coords(to.file(), from.rank()) } else { to };
            Taken { role, square, was_loose: loose(0, mover.other()).contains(square), en_passant }
        });
        let targets = loose(1, mover.other()) & reached(1, arrived);
        let known = loose(0, mover.other()) & reached(0, arrived_from);
        let pawns = after.board().pawns();
        let on_file = Bitboard::from_file(arrived.file());
        let is_rook = castles.is_some() || (role == Role::Rook);
        Self {
            role,
            from,
            to,
            castles,
            taken,
            promotion: m.promotion(),
            checks: after.is_check(),
            ends: after.legal_moves().is_empty(),
            attacks: by_worth(boards[1], targets & !known),
            rescued: rescued(before, m, loose(0, mover), loose(1, mover)),
            to_centre: role == Role::Pawn && m.promotion().is_none() && CENTRE.contains(&to),
            open_file: (is_rook && arrived.file() != arrived_from.file() && (pawns & on_file).is_empty())
                .then_some(arrived.file()),
            reason: reason(before, &after, mover, evaluator),
        }
    }
}

const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

/// The pieces on some squares: queens first, knights last.
fn by_worth(board: &Board, squares: Bitboard) -> Vec<Placed> {
    let of = |role: Role| (squares & board.by_role(role)).into_iter().map(move |square| (role, square));
    LOOSE_ROLES.into_iter().rev().flat_map(of).collect()
}

/// The worthiest piece that was loose and no longer is, the moved one or one that stayed.
fn rescued(before: &Chess, m: Move, was: Bitboard, is: Bitboard) -> Option<Rescued> {
    let moved_to = |square| if m.from() == Some(square) && !m.is_castle() { m.to() } else { square };
    by_worth(before.board(), was)
        .into_iter()
        // A rook that castles leaves its square, and the king is never loose.
        .filter(|(_, square)| !(m.is_castle() && *square == m.to()))
        .map(|(role, from)| Rescued { role, from, to: moved_to(from) })
        .find(|piece| !is.contains(piece.to))
}

fn reason(before: &Chess, after: &Chess, mover: Color, evaluator: &Evaluator) -> Option<(Block, i32)> {
    let meters = [before, after].map(|chess| evaluator.meters(chess));
    REASONS
        .into_iter()
        .map(|(block, threshold)| {
            (block, meters[1].meter(block, mover) - meters[0].meter(block, mover), threshold)
        })
        .filter(|(_, rise, threshold)| rise >= threshold)
        // Of equals the first: `max_by_key` would return the last.
        .reduce(|best, next| {
            if i64::from(next.1) * i64::from(best.2) > i64::from(best.1) * i64::from(next.2) {
                next
            } else {
                best
            }
        })
        .map(|(block, rise, _)| (block, rise))
}
