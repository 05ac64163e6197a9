//! Who attacks what: the board facts that blocks are computed from and sentences speak of.
//!
//! Attacks are those of geometry: a piece attacks the squares it could capture on if they held an
//! enemy, pinned or not; so it guards its own pieces too.

use crate::chess::{Bitboard, Board, Color, Role, attacks};

/// The attacks of one side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SideMap {
    pub(super) pawns: Bitboard,
    /// Knights and bishops.
    pub(super) minors: Bitboard,
    pub(super) rooks: Bitboard,
    pub(super) queens: Bitboard,
    pub(super) king: Bitboard,
    /// How many squares its knights, bishops, rooks, queens and king reach: attacked, not held by
    /// an own piece, and not attacked by an enemy pawn; for the king not attacked by any enemy.
    pub(super) reach: [i32; 5],
}

impl SideMap {
    /// All but the king's.
    pub(super) fn without_king(&self) -> Bitboard {
        self.pawns | self.minors | self.rooks | self.queens
    }

    pub(super) fn all(&self) -> Bitboard {
        self.without_king() | self.king
    }
}

/// The attacks of both sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardMap([SideMap; 2]);

impl BoardMap {
    pub(super) fn new(board: &Board) -> Self {
        let mut sides = [SideMap::default(); 2];
        for color in [Color::White, Color::Black] {
            sides[color as usize].pawns = pawn_attacks(color, board.pawns() & board.by_color(color));
        }
        let occupied = board.occupied();
        for color in [Color::White, Color::Black] {
            let own = board.by_color(color);
            let open = !own & !sides[color.other() as usize].pawns;
            let side = &mut sides[color as usize];
            let mut reach = [0; 5];
            for square in board.knights() & own {
                let attacked = attacks::knight_attacks(square);
                side.minors |= attacked;
                reach[0] += (attacked & open).count() as i32;
            }
            for square in board.bishops() & own {
                let attacked = attacks::bishop_attacks(square, occupied);
                side.minors |= attacked;
                reach[1] += (attacked & open).count() as i32;
            }
            for square in board.rooks() & own {
                let attacked = attacks::rook_attacks(square, occupied);
                side.rooks |= attacked;
                reach[2] += (attacked & open).count() as i32;
            }
            for square in board.queens() & own {
                let attacked = attacks::queen_attacks(square, occupied);
                side.queens |= attacked;
                reach[3] += (attacked & open).count() as i32;
            }
            if let Some(king) = board.king_of(color) {
                side.king = attacks::king_attacks(king);
            }
            side.reach = reach;
        }
        for color in [Color::White, Color::Black] {
            let enemy = sides[color.other() as usize].all();
            let side = &mut sides[color as usize];
            side.reach[4] = (side.king & !board.by_color(color) & !enemy).count() as i32;
        }
        Self(sides)
    }

    pub(super) fn side(&self, color: Color) -> &SideMap {
        &self.0[color as usize]
    }

    /// The loose pieces of a side: knights, bishops, rooks and queens that an enemy attacks, if
    /// nothing guards them or if an attacker is worth less. A knight and a bishop are worth the
    /// same here, and the king, as an attacker, more than anything.
    pub(super) fn loose(&self, board: &Board, color: Color) -> Bitboard {
        let (own, enemy) = (self.side(color), self.side(color.other()));
        let by_minor = enemy.pawns | enemy.minors;
        let cheaper = ((board.knights() | board.bishops()) & enemy.pawns)
            | (board.rooks() & by_minor)
            | (board.queens() & (by_minor | enemy.rooks));
        let pieces = board.by_color(color) & !board.pawns() & !board.kings();
        pieces & (cheaper | (enemy.all() & !own.all()))
    }
}

fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    // The shift cuts off what would leave the board at the side.
    let (left, right) = match color {
        Color::White => (7, 9),
        Color::Black => (-9, -7),
    };
    pawns.without_const(A_FILE).shift(left) | pawns.without_const(H_FILE).shift(right)
}

/// The squares of the a-file.
pub(super) const A_FILE: Bitboard = Bitboard(0x0101_0101_0101_0101);
/// The squares of the h-file.
pub(super) const H_FILE: Bitboard = Bitboard(0x8080_8080_8080_8080);

/// The roles that can be loose, in the order of the block's arguments.
pub(super) const LOOSE_ROLES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
