//! `elometer fingerprint diagnose`.

use clap::Args;
use serde::Serialize;

use super::subject::{EngineArguments, QuestionArguments, Session};
use super::text;
use crate::cli::exit::{CommandResult, Exit};
use crate::cli::format::Format;
use crate::cli::print;
use crate::fingerprint::{Diagnosis, Verdict, diagnose};

/// Ask an engine again under changes that must not matter and name the one that does. Exit code 5
/// when one does.
#[derive(Debug, Args)]
pub(super) struct DiagnoseArguments {
    #[command(flatten)]
    engine: EngineArguments,
    #[command(flatten)]
    question: QuestionArguments,
    /// How many positions, spread over the set.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Copies of the engine at once.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=64))]
    copies: u8,
    /// How the diagnosis is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Serialize)]
struct Report<'a> {
    format_version: u32,
    engine: &'a str,
    options: &'a [(String, String)],
    explanation: &'static str,
    #[serde(flatten)]
    diagnosis: &'a Diagnosis,
}

/// Runs the command.
pub(super) fn run(arguments: &DiagnoseArguments) -> CommandResult {
    let session = Session::start(&arguments.engine, &arguments.question)?;
    let Session { subject, question, set, stop, .. } = &session;
    let places = set.sample(arguments.count as usize);
    let histories = set.histories(&places)?;
    let note = |trial: crate::fingerprint::Trial| print::note(&format!("asking: {}", trial.title()));
    let copies = usize::from(arguments.copies);
    let diagnosis = match diagnose(subject, question, &places, &histories, copies, stop, note) {
        Ok(diagnosis) => diagnosis,
        Err(error) => return session.end_of(error),
    };
    match arguments.format {
        Format::Text => print::data(text::diagnosis(subject.name(), &diagnosis).as_bytes())?,
        Format::Json => text::print_json(&Report {
            format_version: 1,
            engine: subject.name(),
            options: subject.settings(),
            explanation: diagnosis.verdict.explanation(),
            diagnosis: &diagnosis,
        })?,
    }
    Ok(if diagnosis.verdict == Verdict::Reproducible { Exit::Ok } else { Exit::GateFailed })
}
