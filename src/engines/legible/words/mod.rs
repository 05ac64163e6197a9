//! Sentences from fixed templates over board facts and meters.
//!
//! Knows no search: it is told what was found. A template says only what [`facts`] found on the
//! board or what a meter or the score says; docs/legible.md lists every template with what makes it
//! true, and `scripts/check-words` derives each claim again by other means.

mod facts;
mod sentences;
mod speaker;
mod standing;
#[cfg(test)]
mod tests;

pub(super) use speaker::{Scene, Speaker, Voice};
