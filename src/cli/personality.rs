//! The personality that a command was given: one of the program's own, or a file.

use std::fs::File;
use std::io::Read as _;

use anyhow::anyhow;

use super::exit::{Exit, Failure};
use crate::engines::legible::Personality;

/// Far more than a personality takes.
const MOST_BYTES: u64 = 1 << 20;

/// Reads it. A name with a slash or a dot is a file.
pub(super) fn read(named: &str) -> Result<Personality, Failure> {
    let bad_input = |error: anyhow::Error| Failure::new(Exit::BadInput, error);
    if let Some(personality) = Personality::built_in(named) {
        return personality.map_err(|error| Failure::new(Exit::Internal, error));
    }
    let mut text = String::new();
    let read = File::open(named).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text));
    read.map_err(|error| {
        let names = Personality::names().collect::<Vec<_>>().join(", ");
        bad_input(anyhow!("{named}: cannot be read: {error}\nhint: name a JSON file, or one of {names}"))
    })?;
    Personality::parse(&text, named).map_err(|error| bad_input(error.into()))
}
