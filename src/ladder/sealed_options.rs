//! Options that decide how an engine plays although a spec says nothing of them, and options that
//! cannot have an effect.

use crate::uci::process::{OptionError, declared_default};
use crate::uci::protocol::OptionDeclaration;

/// Options that matter: where a spec leaves one alone, its declared default is sealed with the plan
/// and sent, so that another machine plays the same.
const THAT_MATTER: [&str; 6] = ["Threads", "Hash", "OwnBook", "Ponder", "MultiPV", "UCI_LimitStrength"];
/// The strength that `UCI_LimitStrength` switches on.
const ELO: &str = "UCI_Elo";
const SWITCH: &str = "UCI_LimitStrength";
const SKILL: &str = "Skill Level";

fn value_of<'a>(settings: &'a [(String, String)], wanted: &str) -> Option<&'a str> {
    let set = settings.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
    set.map(|(_, value)| value.as_str())
}

/// Why a strength option would have no effect, if so: `settings` are checked, without a level.
pub(crate) fn strength_fault(
    engine: &str,
    declared: &[OptionDeclaration],
    settings: &[(String, String)],
    levels: bool,
) -> Option<OptionError> {
    let error = |option: &str, reason: &str, hint: &str| OptionError {
        engine: engine.to_owned(),
        option: option.to_owned(),
        reason: format!("option `{option}`: {reason}"),
        hint: hint.to_owned(),
    };
    let switch_default = declared.iter().find(|option| option.is_named(SWITCH)).and_then(declared_default);
    let limited = levels || value_of(settings, SWITCH).or(switch_default.as_deref()) == Some("true");
    let has_switch = declared.iter().any(|option| option.is_named(SWITCH));
    if value_of(settings, ELO).is_some() && has_switch && !limited {
        return Some(error(
            ELO,
            "has no effect while UCI_LimitStrength is false",
            "set UCI_LimitStrength = true beside it, or take it out",
        ));
    }
    if value_of(settings, SKILL).is_some() && limited {
        return Some(error(
            SKILL,
            "has no effect beside UCI_Elo: a limited strength sets the skill itself",
            "take one of the two out",
        ));
    }
    None
}

/// Adds the declared defaults of the options that matter and are unset; their names as the engine
/// spells them.
///
/// # Errors
/// The engine would use several threads unless told otherwise.
pub(super) fn seal_defaults(
    engine: &str,
    declared: &[OptionDeclaration],
    settings: &mut Vec<(String, String)>,
    levels: bool,
) -> Result<Vec<String>, OptionError> {
    let mut wanted = THAT_MATTER.to_vec();
    let limited = value_of(settings, SWITCH) == Some("true");
    if limited {
        wanted.push(ELO);
    }
    if levels {
        wanted.retain(|name| *name != SWITCH);
    }
    let mut sealed = Vec::new();
    for name in wanted {
        if value_of(settings, name).is_some() {
            continue;
        }
        let Some(option) = declared.iter().find(|option| option.is_named(name)) else { continue };
        let Some(default) = declared_default(option).filter(|default| option.check(default).is_ok()) else {
            continue;
        };
        if name == "Threads" && default.parse::<u64>().is_ok_and(|threads| threads > 1) {
            return Err(OptionError {
                engine: engine.to_owned(),
                option: option.name.clone(),
                reason: format!(
                    "option `{}`: the engine would use {default} threads unless it is told otherwise",
                    option.name
                ),
                hint: "set `threads` for this engine in the spec: 1 for games that can be repeated"
                    .to_owned(),
            });
        }
        settings.push((option.name.clone(), default));
        sealed.push(option.name.clone());
    }
    Ok(sealed)
}
