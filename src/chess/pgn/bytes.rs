//! What each byte may be in PGN: one look in a table, or eight bytes at once, since every byte of a
//! file is asked.

/// The byte may stand in a tag's name.
pub(super) const NAME: u8 = 1;
/// The byte ends a word of the movetext.
pub(super) const ENDS_WORD: u8 = 2;
/// The byte may stand in a move.
pub(super) const IN_MOVE: u8 = 4;
/// The byte is a rank.
pub(super) const RANK: u8 = 8;
/// The byte may begin a move.
pub(super) const BEGINS_MOVE: u8 = 16;

static ROLES: [u8; 256] = roles();

#[allow(clippy::indexing_slicing, reason = "worked out when compiling")]
const fn roles() -> [u8; 256] {
    let mut roles = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        let name = if byte.is_ascii_alphanumeric() || byte == b'_' { NAME } else { 0 };
        let other = match byte {
            b'{' | b'}' | b'(' | b')' | b';' => ENDS_WORD,
            b'1'..=b'8' => IN_MOVE | RANK,
            b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N' | b'P' => IN_MOVE | BEGINS_MOVE,
            b'k' | b'q' | b'r' | b'n' | b'x' | b':' | b'=' | b'-' => IN_MOVE,
            _ if byte.is_ascii_whitespace() => ENDS_WORD,
            _ => 0,
        };
        roles[byte as usize] = name | other;
        byte += 1;
    }
    roles
}

/// All that a byte may be.
pub(super) fn roles_of(byte: u8) -> u8 {
    ROLES.get(usize::from(byte)).copied().unwrap_or_default()
}

/// Whether a byte may be this.
pub(super) fn is(byte: u8, role: u8) -> bool {
    roles_of(byte) & role != 0
}

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x80 * ONES;

/// Eight bytes as one number, the first of them lowest.
pub(super) fn word_of(bytes: &[u8]) -> Option<u64> {
    bytes.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}

/// The top bit of each byte that is `byte`. Above the first such byte there may be false ones.
pub(super) fn first_equal(word: u64, byte: u8) -> u64 {
    let zero_where_equal = word ^ (u64::from(byte) * ONES);
    zero_where_equal.wrapping_sub(ONES) & !zero_where_equal & TOPS
}

/// Which of the eight bytes the first mark of [`first_equal`] stands at; 8 without one.
pub(super) fn first_marked(marks: u64) -> usize {
    marks.trailing_zeros() as usize / 8
}

/// The lowest `length` bytes of a word, the others zero.
pub(super) fn lowest(word: u64, length: usize) -> u64 {
    if length >= 8 { word } else { word & ((1 << (8 * length)) - 1) }
}

/// Whether the lowest `length` bytes of a word may all stand in a tag's name.
pub(super) fn is_name(word: u64, length: usize) -> bool {
    let plain = word & !TOPS;
    // A sum of two numbers below 128 stays within its byte; its top bit tells which is larger.
    let at_least = |bytes: u64, least: u8| bytes + u64::from(0x80 - least) * ONES;
    let within = |bytes: u64, least: u8, last: u8| at_least(bytes, least) & !at_least(bytes, last + 1);
    let letter = within(plain | (0x20 * ONES), b'a', b'z');
    let other = within(plain, b'0', b'9') | within(plain, b'_', b'_');
    let wanted = lowest(TOPS, length);
    (letter | other) & !word & wanted == wanted
}
