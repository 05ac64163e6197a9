//! `elometer fingerprint sensitivity`.

use clap::Args;
use serde::Serialize;

use super::subject::{ConcurrencyArguments, EngineArguments, QuestionArguments, Session};
use super::text;
use crate::cli::exit::{CommandResult, Exit};
use crate::cli::format::Format;
use crate::cli::print;
use crate::fingerprint::{Effect, Sensitivity, sensitivity};

/// How many rows one change of an option moves, beside what differs by chance. Exit code 5 when it moves
/// none: such a change would pass the gate; 6 when chance hides what it moves.
#[derive(Debug, Args)]
pub(super) struct SensitivityArguments {
    #[command(flatten)]
    engine: EngineArguments,
    #[command(flatten)]
    question: QuestionArguments,
    /// The change.
    #[arg(long, value_name = "OPTION=VALUE", value_parser = crate::cli::check::setting)]
    set: (String, String),
    #[command(flatten)]
    concurrency: ConcurrencyArguments,
    /// How the result is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Serialize)]
struct Report<'a> {
    format_version: u32,
    engine: &'a str,
    #[serde(flatten)]
    sensitivity: &'a Sensitivity,
}

/// Runs the command.
pub(super) fn run(arguments: &SensitivityArguments) -> CommandResult {
    let session = Session::start(&arguments.engine, &arguments.question)?;
    let Session { subject, question, set, stop, .. } = &session;
    let workers = arguments.concurrency.workers(subject);
    let change = (arguments.set.0.as_str(), arguments.set.1.as_str());
    let found = match sensitivity(subject, question, set.places(), workers, stop, change) {
        Ok(found) => found,
        Err(error) => return session.end_of(error),
    };
    match arguments.format {
        Format::Text => print::data(text::sensitivity(&found).as_bytes())?,
        Format::Json => {
            text::print_json(&Report { format_version: 1, engine: subject.name(), sensitivity: &found })?;
        }
    }
    Ok(match found.effect {
        Effect::Rows => Exit::Ok,
        Effect::NotAboveChance => Exit::Inconclusive,
        _ => Exit::GateFailed,
    })
}
