//! Options set against options declared.

use std::fmt::Write as _;

use crate::uci::protocol::{GuiCommand, OptionDeclaration, OptionKind, visible};

/// A setting the engine would not take, or would silently take for another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("engine {}: {}\nhint: {}", visible(engine), visible(reason), visible(hint))]
pub struct OptionError {
    /// The engine's name.
    pub engine: String,
    /// The option as the user wrote it.
    pub option: String,
    /// What was found and what the engine declared.
    pub reason: String,
    /// What to do.
    pub hint: String,
}

/// Checks every setting against the engine's declarations and puts them in the order they are
/// sent: `Threads` first, `Hash` last (its memory is laid out for the threads), the rest as given.
///
/// # Errors
/// [`OptionError`] for a name the engine does not have, a value outside its range, a value that is
/// not among a combo's, each with the engine's own list or range; and for a name set to two values.
pub fn check_options(
    engine: &str,
    declared: &[OptionDeclaration],
    settings: &[(String, String)],
) -> Result<Vec<(String, String)>, OptionError> {
    let mut checked = Vec::with_capacity(settings.len());
    for (name, value) in settings {
        let Some(declaration) = find(declared, name) else {
            return Err(OptionError {
                engine: engine.to_owned(),
                option: name.clone(),
                reason: format!("option `{name}`: the engine declares no such option"),
                hint: format!("it declares: {}", list(declared)),
            });
        };
        // The engine's own spelling, so that equal settings are equal text.
        match declaration.set(value) {
            Ok(GuiCommand::SetOption { name, value }) => {
                add(&mut checked, engine, (name, value.unwrap_or_default()))?;
            }
            Ok(_) => {}
            Err(error) => {
                let text = error.to_string();
                let (reason, hint) = text.split_once("\nhint: ").unwrap_or((&text, "choose another value"));
                return Err(OptionError {
                    engine: engine.to_owned(),
                    option: name.clone(),
                    reason: reason.to_owned(),
                    hint: format!("{hint}; the engine declares `{declaration}`"),
                });
            }
        }
    }
    checked.sort_by_key(|(name, _)| order(name));
    Ok(checked)
}

/// Refuses a name that is set more than once by whoever sets options one at a time, the same value
/// again included: which one was meant is not known.
///
/// # Errors
/// [`OptionError`] for the first such name.
pub fn refuse_repeated_options(engine: &str, settings: &[(String, String)]) -> Result<(), OptionError> {
    for (index, (name, value)) in settings.iter().enumerate() {
        let earlier = settings.iter().take(index).find(|(earlier, _)| earlier.eq_ignore_ascii_case(name));
        if let Some((_, first)) = earlier {
            return Err(set_twice(engine, name, first, value));
        }
    }
    Ok(())
}

fn set_twice(engine: &str, name: &str, first: &str, second: &str) -> OptionError {
    OptionError {
        engine: engine.to_owned(),
        option: name.to_owned(),
        reason: format!("option `{name}`: set twice, to `{first}` and to `{second}`"),
        hint: "names are compared without case, and a level sets UCI_Elo itself; set it once".to_owned(),
    }
}

/// Adds a setting; the same one again is no second.
fn add(
    checked: &mut Vec<(String, String)>,
    engine: &str,
    setting: (String, String),
) -> Result<(), OptionError> {
    match checked.iter().find(|(name, _)| *name == setting.0) {
        None => checked.push(setting),
        Some(known) if *known == setting => {}
        Some((_, known)) => return Err(set_twice(engine, &setting.0, known, &setting.1)),
    }
    Ok(())
}

/// Where an option stands among those sent together.
pub(super) fn order(name: &str) -> u8 {
    if name.eq_ignore_ascii_case("Threads") {
        0
    } else if name.eq_ignore_ascii_case("Hash") {
        2
    } else {
        1
    }
}

/// The declaration of `name`, compared without case as the protocol wants.
pub(super) fn find<'a>(declared: &'a [OptionDeclaration], name: &str) -> Option<&'a OptionDeclaration> {
    declared.iter().find(|declaration| declaration.is_named(name))
}

/// The default of an option as its declaration gives it; none for a button.
#[must_use]
pub fn declared_default(declaration: &OptionDeclaration) -> Option<String> {
    match &declaration.kind {
        OptionKind::Check { default } => default.map(|value| value.to_string()),
        OptionKind::Spin { default, .. } => default.map(|value| value.to_string()),
        OptionKind::Combo { default, .. } | OptionKind::String { default } => default.clone(),
        OptionKind::Button => None,
    }
}

fn list(declared: &[OptionDeclaration]) -> String {
    let mut text = String::new();
    for declaration in declared {
        let separator = if text.is_empty() { "" } else { ", " };
        let _ = write!(text, "{separator}{}", declaration.name);
    }
    if text.is_empty() { "none".to_owned() } else { text }
}
