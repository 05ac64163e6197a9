//! `elometer audit`: every move against the best one, and how far judges can be believed.

mod arguments;
mod command;
mod document;
mod input;
mod kept_files;
mod moves;
mod optimism;
mod setup;
mod stability;
mod tables;
mod words;

pub(super) use arguments::{at_once, deadlines, start};
pub(super) use command::{AuditArguments, run};
pub(super) use words::{note_words, used_words};
