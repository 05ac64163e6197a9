//! `elometer check`: the compliance and behaviour report of one engine.

use std::fmt::Write as _;

use clap::Args;

use super::engine_setup::{SetupArguments, warn_of_setup};
use super::exit::{CommandResult, Exit, Failure};
use super::format::Format;
use super::print;
use crate::uci::check::{CheckError, CheckReport, Verdict, check_engine};
use crate::uci::process::Deadlines;

/// Check how an engine keeps to the UCI protocol and how it behaves: some sixty numbered checks,
/// explained in docs/check.md. Exit code 5 when one fails.
#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// The engine: a path with a slash, a name on PATH, or builtin:NAME.
    engine: String,
    /// What the engine's program is started with.
    #[arg(long, num_args = 1.., allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
    #[command(flatten)]
    setup: SetupArguments,
    /// A setting for every process of the engine (may be repeated).
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setting)]
    options: Vec<(String, String)>,
    /// How the report is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What an answer may take. Less than in a run: nobody waits half a minute to learn of a hang.
const DEADLINES: Deadlines =
    Deadlines { start_ms: 15_000, ready_ms: 5_000, search_ms: Some(10_000), stop_ms: 2_000, quit_ms: 2_000 };

pub(super) fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE; a button takes an empty value")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

/// Runs the command.
pub(super) fn run(arguments: &CheckArguments) -> CommandResult {
    let setup = arguments.setup.setup(&arguments.engine, &arguments.arguments, DEADLINES);
    let launch = setup.launch()?;
    warn_of_setup(&setup, &launch);
    let report = check_engine(&launch, &arguments.options).map_err(|error| {
        let exit = match error {
            CheckError::Option(_) => Exit::BadInput,
            _ => Exit::EngineFault,
        };
        Failure::new(exit, error)
    })?;
    match arguments.format {
        Format::Text => print::data(text(&report).as_bytes())?,
        Format::Json => {
            let mut json =
                serde_json::to_string_pretty(&report).map_err(|error| Failure::new(Exit::Internal, error))?;
            json.push('\n');
            print::data(json.as_bytes())?;
        }
    }
    Ok(if report.fail == 0 { Exit::Ok } else { Exit::GateFailed })
}

fn text(report: &CheckReport) -> String {
    let mut text = format!("engine     {}\n", report.engine.name);
    for (name, value) in &report.engine.options {
        let _ = writeln!(text, "option     {name}={value}");
    }
    let _ = writeln!(
        text,
        "checks     {}: {} pass, {} warn, {} fail, {} not applicable",
        report.checks.len(),
        report.pass,
        report.warn,
        report.fail,
        report.not_applicable
    );
    let width = report.checks.iter().map(|check| check.name.len()).max().unwrap_or_default();
    let mut area = None;
    for check in &report.checks {
        if area != Some(check.area) {
            let _ = writeln!(text, "\n{}", check.area.title());
            area = Some(check.area);
        }
        let verdict = match check.verdict {
            Verdict::Pass => "pass",
            Verdict::Warn => "WARN",
            Verdict::Fail => "FAIL",
            Verdict::NotApplicable => "n/a",
        };
        let _ =
            writeln!(text, "{:>5}  {verdict:<4}  {:<width$}  {}", check.number, check.name, check.finding);
        if let Some(hint) = &check.hint {
            let _ = writeln!(text, "{:13}hint: {hint}", "");
        }
    }
    text
}
