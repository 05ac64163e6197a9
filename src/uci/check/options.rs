//! 2xx: what the engine declares, and whether it takes it.

use super::bench::Bench;
use super::catalogue::{Check, READY, STARTS};
use super::finding::Finding;
use super::session::Trouble;
use crate::uci::protocol::{EngineMessage, GuiCommand, OptionDeclaration, OptionKind, Quirk};

pub(super) const CHECKS: &[Check] = &[
    Check { number: 201, name: "declarations well formed", needs: &[STARTS], run: are_well_formed },
    Check { number: 202, name: "defaults within range", needs: &[STARTS], run: have_good_defaults },
    Check { number: 203, name: "Hash", needs: &[STARTS], run: has_hash },
    Check { number: 204, name: "Threads", needs: &[STARTS], run: has_threads },
    Check { number: 205, name: "options take their defaults", needs: &[READY], run: take_defaults },
    Check { number: 206, name: "options take minimum and maximum", needs: &[READY], run: take_limits },
    Check { number: 207, name: "options take every choice", needs: &[READY], run: take_choices },
    Check { number: 208, name: "unknown option survived", needs: &[READY], run: survive_unknown },
    Check { number: 209, name: "value out of range survived", needs: &[READY], run: survive_out_of_range },
];

/// Most megabytes and threads asked for, whatever the engine would take.
const MOST_MEMORY: i64 = 64;
const MOST_THREADS: i64 = 4;
/// Most values tried, for engines with hundreds of options.
const MOST_VALUES: usize = 300;

fn are_well_formed(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let mut odd = Vec::new();
    let mut broken = 0;
    for line in &bench.greeting.lines {
        // A line that starts like an option and could not be read as one has no name or kind.
        let is_option = matches!(line.message, EngineMessage::Option(_));
        if !is_option && line.text.trim_start().starts_with("option") {
            broken += 1;
            odd.push(format!("`{}` cannot be read", line.text));
        } else if is_option {
            let quirks = || line.quirks.iter().filter(|quirk| **quirk != Quirk::NotUtf8);
            let ours = || quirks().filter(|quirk| !matches!(quirk, Quirk::DefaultNotAllowed { .. }));
            broken += ours().count();
            odd.extend(ours().map(ToString::to_string));
        }
    }
    for (index, option) in bench.declared.iter().enumerate() {
        if bench.declared.iter().take(index).any(|other| other.is_named(&option.name)) {
            broken += 1;
            odd.push(format!("option `{}` is declared twice", option.name));
        }
        odd.extend(lacks(option).map(|part| format!("option `{}` has no {part}", option.name)));
    }
    let count = bench.declared.len();
    Ok(match (broken, odd.is_empty()) {
        (_, true) => Finding::pass(format!("{count} options")),
        (0, false) => Finding::warn(odd.join("; "), "declare default, min and max, and every var"),
        _ => Finding::fail(odd.join("; "), "write `option name NAME type TYPE default VALUE ...`"),
    }
    .with("options_count", count as f64))
}

fn lacks(option: &OptionDeclaration) -> impl Iterator<Item = &'static str> {
    let missing = match &option.kind {
        OptionKind::Check { default } => [("default", default.is_none()), ("", false), ("", false)],
        OptionKind::Spin { default, min, max } => {
            [("default", default.is_none()), ("min", min.is_none()), ("max", max.is_none())]
        }
        OptionKind::Combo { default, choices } => {
            [("default", default.is_none()), ("var", choices.is_empty()), ("", false)]
        }
        OptionKind::String { .. } | OptionKind::Button => [("", false); 3],
    };
    missing.into_iter().filter(|(_, is_missing)| *is_missing).map(|(part, _)| part)
}

fn have_good_defaults(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let quirks = bench.greeting.lines.iter().flat_map(|line| &line.quirks);
    let bad = quirks.filter(|quirk| matches!(quirk, Quirk::DefaultNotAllowed { .. }));
    let bad: Vec<String> = bad.map(ToString::to_string).collect();
    Ok(if bad.is_empty() {
        Finding::pass("every default is one the option takes")
    } else {
        Finding::fail(bad.join("; "), "a default lies within min and max, or among the vars")
    })
}

fn has_hash(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    Ok(describe_range(bench, "Hash", "megabytes", "a runner cannot give both sides the same memory"))
}

fn has_threads(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    Ok(describe_range(bench, "Threads", "threads", "runners set Threads to 1 and warn when they cannot"))
}

fn describe_range(bench: &Bench<'_>, name: &str, unit: &str, without: &str) -> Finding {
    match bench.range(name) {
        Some((min, max)) => Finding::pass(format!("{min} to {max} {unit}"))
            .with("min_count", min as f64)
            .with("max_count", max as f64),
        None if bench.option(name).is_some() => Finding::fail(
            format!("{name} is no spin option"),
            format!("declare `option name {name} type spin`"),
        ),
        None => Finding::warn(format!("no option {name}"), format!("declare it: {without}")),
    }
}

fn take_defaults(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    take(bench, |option| match &option.kind {
        OptionKind::Check { default } => default.map(|value| value.to_string()).into_iter().collect(),
        OptionKind::Spin { default, .. } => default.map(|value| value.to_string()).into_iter().collect(),
        // An empty default is not sent: engines that do not know `<empty>` take it for a file's name.
        OptionKind::Combo { default, .. } | OptionKind::String { default } => {
            default.clone().into_iter().filter(|default| !default.is_empty()).collect()
        }
        OptionKind::Button => Vec::new(),
    })
}

fn take_limits(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    take(bench, |option| match option.kind {
        OptionKind::Spin { min, max, .. } => {
            let most = bound(&option.name, min.unwrap_or(0));
            let limits = [min, max].into_iter().flatten();
            limits.map(|value| most.map_or(value, |most| value.min(most)).to_string()).collect()
        }
        _ => Vec::new(),
    })
}

/// The most asked of an option that costs memory or threads.
fn bound(name: &str, min: i64) -> Option<i64> {
    let name = name.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["hash", "memory", "cache", "size"]) {
        Some(MOST_MEMORY.max(min))
    } else if has(&["thread", "core", "cpu"]) {
        Some(MOST_THREADS.max(min))
    } else {
        None
    }
}

fn take_choices(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    take(bench, |option| match &option.kind {
        OptionKind::Check { .. } => vec!["true".to_owned(), "false".to_owned()],
        OptionKind::Combo { choices, .. } => choices.clone(),
        _ => Vec::new(),
    })
}

/// Sets each option to each value in a process of its own, with `isready` after each.
fn take(
    bench: &mut Bench<'_>,
    values: impl Fn(&OptionDeclaration) -> Vec<String>,
) -> Result<Finding, Trouble> {
    let mut session = bench.fresh()?;
    let mut tried = 0;
    for option in &bench.declared {
        for value in values(option) {
            if tried == MOST_VALUES {
                break;
            }
            tried += 1;
            let command = GuiCommand::SetOption { name: option.name.clone(), value: Some(value.clone()) };
            if let Err(trouble) = session.ping_after(&format!("{command}\n")) {
                let text = format!("`{}` set to `{value}`: {trouble}", option.name);
                return Ok(Finding::fail(text, "take the value, or declare a range without it"));
            }
        }
    }
    Ok(if tried == 0 {
        Finding::not_applicable("no such options")
    } else {
        Finding::pass(format!("readyok after each of {tried} values"))
            .with("values_count", f64::from(u32::try_from(tried).unwrap_or(u32::MAX)))
    })
}

fn survive_unknown(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let mut session = bench.fresh()?;
    session.ping_after("setoption name Nobody Has This One value 7\nsetoption name Nor This\n")?;
    Ok(Finding::pass("readyok after `setoption` with a name it does not have"))
}

fn survive_out_of_range(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let spins = bench.declared.iter().filter_map(|option| match option.kind {
        OptionKind::Spin { min: Some(min), .. } => Some((&option.name, min.saturating_sub(1))),
        _ => None,
    });
    let text: String = spins.map(|(name, value)| format!("setoption name {name} value {value}\n")).collect();
    if text.is_empty() {
        return Ok(Finding::not_applicable("no spin option with a minimum"));
    }
    bench.fresh()?.ping_after(&text)?;
    Ok(Finding::pass("readyok after each spin option was set below its minimum"))
}
