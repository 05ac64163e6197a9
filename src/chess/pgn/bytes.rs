//! What each byte may be in PGN: one look in a table, since every byte of a file is asked.

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
