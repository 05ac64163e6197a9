//! A fast hash with fixed keys: equal from run to run and machine to machine. Not for secrets.

use std::hash::Hasher;

const KEY: u64 = 0x9e37_79b9_7f4a_7c15;

/// Stirs `value` into `state`: the halves of a 128-bit product, folded.
#[must_use]
pub fn mix(state: u64, value: u64) -> u64 {
    let product = u128::from(state ^ value ^ KEY) * u128::from(value.rotate_left(32) ^ state ^ !KEY);
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    let folded = product as u64 ^ (product >> 64) as u64;
    folded
}

/// [`mix`] over bytes, for maps whose keys come from files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let word = match <[u8; 8]>::try_from(chunk) {
                Ok(whole) => u64::from_le_bytes(whole),
                Err(_) => {
                    chunk.iter().rev().fold(chunk.len() as u64, |word, byte| word << 8 | u64::from(*byte))
                }
            };
            self.0 = mix(self.0, word);
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = mix(self.0, u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = mix(self.0, value);
    }

    fn write_usize(&mut self, value: usize) {
        self.0 = mix(self.0, value as u64);
    }

    fn finish(&self) -> u64 {
        mix(self.0, KEY)
    }
}
