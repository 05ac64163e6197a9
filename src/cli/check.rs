//! `elometer check`: the compliance and behaviour report of one engine.

use std::fmt::Write as _;

use clap::Args;
use serde::Serialize;

use super::engine_setup::{SetupArguments, warn_of_setup};
use super::exit::{CommandResult, Exit, Failure};
use super::format::Format;
use super::print;
use super::progress::CheckProgress;
use crate::ladder::{Greeted, Program, strength_fault};
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
    // A file that cannot be read is known before the engine is asked anything.
    let unasked = Greeted { id_name: None, id_author: None, declared: &[], settings: &arguments.options };
    setup.files(&launch, unasked)?;
    warn_of_setup(&setup, &launch);
    let mut progress = CheckProgress::default();
    let report = check_engine(&launch, &arguments.options, &mut |step| progress.show(step));
    progress.finish();
    let report = report.map_err(|error| {
        let exit = match error {
            CheckError::Option(_) => Exit::BadInput,
            _ => Exit::EngineFault,
        };
        Failure::new(exit, error)
    })?;
    let engine = &report.engine;
    let settings: Vec<_> = engine.options.clone().into_iter().collect();
    let ineffective = strength_fault(&engine.name, &engine.declared, &settings, false);
    if let Some(error) = &ineffective {
        print::warning(&error.to_string());
    }
    match arguments.format {
        Format::Text => print::data(text(&report).as_bytes())?,
        Format::Json => {
            let greeted = Greeted {
                id_name: engine.id_name.as_deref(),
                id_author: engine.author.as_deref(),
                declared: &engine.declared,
                settings: &settings,
            };
            let written = Written {
                report: &report,
                program: setup.program(&launch, greeted, &setup.files(&launch, greeted)?)?,
                arguments: setup.portable_arguments(),
                directory: setup.portable_directory(),
                options_without_effect: ineffective.iter().map(|error| error.option.as_str()).collect(),
            };
            let mut json = serde_json::to_string_pretty(&written)
                .map_err(|error| Failure::new(Exit::Internal, error))?;
            json.push('\n');
            print::data(json.as_bytes())?;
        }
    }
    Ok(if report.fail == 0 { Exit::Ok } else { Exit::GateFailed })
}

/// The report with what was checked: the program and its files, how it was started.
#[derive(Debug, Serialize)]
struct Written<'a> {
    #[serde(flatten)]
    report: &'a CheckReport,
    program: Program,
    arguments: Vec<String>,
    directory: String,
    options_without_effect: Vec<&'a str>,
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
    for cause in &report.causes {
        let numbers: Vec<String> = cause.checks.iter().map(u16::to_string).collect();
        let _ = writeln!(text, "cause      of {}: {cause}", numbers.join(", "));
        let _ = writeln!(text, "{:13}hint: {}", "", cause.kind.hint());
    }
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
        if let Some(kind) = check.cause {
            let _ = writeln!(text, "{:13}cause: {kind}", "");
        } else if let Some(hint) = &check.hint {
            let _ = writeln!(text, "{:13}hint: {hint}", "");
        }
    }
    text
}
