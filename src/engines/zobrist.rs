//! Zobrist keys: 64 bits that name a position by what repetition compares.
//!
//! Pieces on squares, side to move, castling rights, and the file of an en passant capture where
//! that capture is legal. The counters are not part of it. The numbers come from splitmix64 with
//! a fixed seed, so a key is the same on every platform and in every build.

use crate::chess::{CastlingSide, Chess, Color, Piece, Position as _, Role, Square};

/// The increment of splitmix64: 2^64 divided by the golden ratio, made odd.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Any fixed number would do.
const SEED: u64 = 0x656c_6f6d_6574_6572;

/// One step of splitmix64: the number and the next state.
///
/// Every bit of the number depends on every bit of the state, the low ones included: a generator
/// whose low bits alternate makes table indexes collide.
///
/// # Source
/// Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014, section 4,
/// with the mixing constants of Vigna's public-domain `splitmix64.c`.
pub(super) const fn splitmix64(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(GAMMA);
    let mut mixed = state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31), state)
}

struct Keys {
    /// By colour, role, square.
    pieces: [[[u64; 64]; 6]; 2],
    black_to_move: u64,
    /// By colour, then king's side and queen's side.
    castling: [[u64; 2]; 2],
    en_passant_file: [u64; 8],
}

static KEYS: Keys = generate();

const fn generate() -> Keys {
    let mut keys =
        Keys { pieces: [[[0; 64]; 6]; 2], black_to_move: 0, castling: [[0; 2]; 2], en_passant_file: [0; 8] };
    let mut state = SEED;
    let mut index = 0;
    while index < 2 * 6 * 64 {
        let (key, next) = splitmix64(state);
        keys.pieces[index / 384][index / 64 % 6][index % 64] = key;
        state = next;
        index += 1;
    }
    let (key, next) = splitmix64(state);
    keys.black_to_move = key;
    state = next;
    let mut index = 0;
    while index < 4 {
        let (key, next) = splitmix64(state);
        keys.castling[index / 2][index % 2] = key;
        state = next;
        index += 1;
    }
    let mut index = 0;
    while index < 8 {
        let (key, next) = splitmix64(state);
        keys.en_passant_file[index] = key;
        state = next;
        index += 1;
    }
    keys
}

/// The key of one piece on one square.
#[must_use]
pub(super) fn piece(piece: Piece, square: Square) -> u64 {
    KEYS.pieces[piece.color as usize][piece.role as usize - 1][square.to_usize()]
}

/// What changes with every move.
#[must_use]
pub(super) fn black_to_move() -> u64 {
    KEYS.black_to_move
}

/// The part that no piece shows: castling rights and the legal en passant file.
#[must_use]
pub(super) fn rights(position: &Chess) -> u64 {
    let mut key = 0;
    let castles = position.castles();
    for color in [Color::White, Color::Black] {
        for (index, side) in [CastlingSide::KingSide, CastlingSide::QueenSide].into_iter().enumerate() {
            if castles.has(color, side) {
                key ^= KEYS.castling[color as usize][index];
            }
        }
    }
    if let Some(square) = position.legal_ep_square() {
        key ^= KEYS.en_passant_file[square.file().to_usize()];
    }
    key
}

/// The key of a position, computed from nothing but the position.
#[must_use]
pub fn from_scratch(position: &Chess) -> u64 {
    let mut key = rights(position);
    if position.turn() == Color::Black {
        key ^= KEYS.black_to_move;
    }
    let board = position.board();
    for color in [Color::White, Color::Black] {
        for role in Role::ALL {
            let of_kind = Piece { color, role };
            for square in board.by_piece(of_kind) {
                key ^= piece(of_kind, square);
            }
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::chess::{StartPosition, fen};

    fn all_keys() -> Vec<u64> {
        let mut keys: Vec<u64> = KEYS.pieces.iter().flatten().flatten().copied().collect();
        keys.push(KEYS.black_to_move);
        keys.extend(KEYS.castling.iter().flatten());
        keys.extend(KEYS.en_passant_file);
        keys
    }

    #[test]
    fn the_generator_gives_the_published_numbers() {
        // Reference output for seed 1234567: https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64
        let mut state = 1_234_567;
        let mut numbers = Vec::new();
        for _ in 0..5 {
            let (number, next) = splitmix64(state);
            numbers.push(number);
            state = next;
        }
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821
            ]
        );
    }

    #[test]
    fn every_bit_of_the_keys_is_balanced_and_does_not_alternate() {
        let keys = all_keys();
        assert_eq!(keys.len(), 781);
        for bit in 0..64 {
            let ones = keys.iter().filter(|key| *key >> bit & 1 == 1).count();
            let changes = keys.windows(2).filter(|pair| (pair[0] ^ pair[1]) >> bit & 1 == 1).count();
            // 781 fair coins: mean 390, standard deviation 14; five of them either way.
            assert!((320..=460).contains(&ones), "bit {bit} is set in {ones} of 781 keys");
            assert!((320..=460).contains(&changes), "bit {bit} changes {changes} times in 780 steps");
        }
    }

    #[test]
    fn no_two_keys_and_no_two_pairs_of_keys_are_equal() {
        let keys = all_keys();
        let mut sums = keys.clone();
        for (index, first) in keys.iter().enumerate() {
            sums.extend(keys[..index].iter().map(|second| first ^ second));
        }
        let count = sums.len();
        sums.sort_unstable();
        sums.dedup();
        assert_eq!(sums.len(), count);
    }

    #[test]
    fn low_bits_spread_positions_evenly() {
        // 8,902 positions of three plies into 256 buckets by the low byte.
        let mut buckets = [0_u32; 256];
        for_each_position(StartPosition::standard().position(), 3, &mut |position| {
            buckets[(from_scratch(position) & 0xff) as usize] += 1;
        });
        let (least, most) = (buckets.iter().min().unwrap(), buckets.iter().max().unwrap());
        assert!(*most < 110 && *least > 5, "buckets hold {least} to {most}, expected about 35");
    }

    fn for_each_position(position: &Chess, depth: u8, visit: &mut impl FnMut(&Chess)) {
        if depth == 0 {
            return visit(position);
        }
        for m in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(m);
            for_each_position(&next, depth - 1, visit);
        }
    }

    #[test]
    fn equal_keys_mean_equal_positions_and_the_other_way_round() {
        // Castling and en passant both matter here.
        let roots = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ];
        for root in roots {
            let mut fen_of_key = BTreeMap::new();
            let mut key_of_fen = BTreeMap::new();
            for_each_position(StartPosition::from_fen(root).unwrap().position(), 3, &mut |position| {
                let key = from_scratch(position);
                let text = fen(position);
                let board = text.split(' ').take(4).collect::<Vec<_>>().join(" ");
                assert_eq!(fen_of_key.entry(key).or_insert_with(|| board.clone()), &board);
                assert_eq!(*key_of_fen.entry(board).or_insert(key), key);
            });
            assert_eq!(fen_of_key.len(), key_of_fen.len());
        }
    }

    #[test]
    fn an_en_passant_file_counts_only_where_the_capture_is_legal() {
        let key = |text: &str| {
            let mut position = StartPosition::standard().position().clone();
            for m in text.split(' ') {
                let m = crate::chess::parse_engine_move(&position, m).unwrap().0;
                position.play_unchecked(m);
            }
            from_scratch(&position)
        };
        // No black pawn can take on e3: the same position by two routes.
        assert_eq!(key("e2e4 a7a6 g1f3"), key("g1f3 a7a6 e2e4"));
        // A black pawn on d4 can, right after the double step only.
        assert_ne!(key("g1f3 d7d5 f3g1 d5d4 g1f3 a7a6 e2e4"), key("g1f3 d7d5 e2e4 d5d4 f3g1 a7a6 g1f3"));
    }
}
