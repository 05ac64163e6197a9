//! `elometer book`: a player's opening book from games, every move of it held to the rule.

mod command;
mod contract;
mod games;

pub(super) use command::{BookArguments, run};
