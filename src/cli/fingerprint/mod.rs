//! `elometer fingerprint`: take, check, compare, diagnose, sensitivity.

mod check;
mod command;
mod compare;
mod diagnose;
mod github;
mod sensitivity;
mod subject;
mod take;
mod text;

pub(super) use command::{FingerprintArguments, run};
