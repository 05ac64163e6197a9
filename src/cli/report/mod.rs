//! `elometer report`: figures, tables, a methods paragraph and a page out of results.

mod audit_section;
mod collect;
mod command;
mod convert;
mod files;
mod folder_games;
mod found_audit;
mod index;
mod pgn_games;
mod replays;
mod sections;

pub(super) use command::{ReportArguments, run};
