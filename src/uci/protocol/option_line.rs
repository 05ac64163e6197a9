//! The `option` line: how its words are told apart.
//!
//! Names and values may hold blanks and words that are keywords elsewhere. The name ends at the
//! first `type` that a known kind follows; which keywords count after that depends on the kind.

use super::option::{EMPTY, OptionDeclaration, OptionKind, find_choice, is_outside, parse_boolean, shown};
use super::quirk::Notes;
use super::text::Words;

/// Reads what follows the word `option`; `None` when it declares nothing.
pub(super) fn parse_option(mut words: Words<'_>, notes: &mut Notes<'_>) -> Option<OptionDeclaration> {
    if words.next() != Some("name") {
        notes.missing_value("option");
        return None;
    }
    let Some((name, kind, words)) = split_name(words) else {
        notes.missing_value("type");
        return None;
    };
    if name.is_empty() {
        notes.missing_value("name");
        return None;
    }
    let kind = match kind.to_ascii_lowercase().as_str() {
        "check" => parse_check(words, notes),
        "spin" => parse_spin(name, words, notes),
        "combo" => parse_combo(name, words, notes),
        "button" => OptionKind::Button,
        "string" => parse_string(words),
        _ => {
            notes.unknown_option_kind(name, kind);
            parse_string(words)
        }
    };
    Some(OptionDeclaration { name: name.to_owned(), kind })
}

/// Name, kind and the words after it. Without a known kind, the first `type` with any word after
/// it ends the name.
fn split_name(start: Words<'_>) -> Option<(&str, &str, Words<'_>)> {
    let mut words = start;
    let mut unknown = None;
    loop {
        let name = words;
        match words.next() {
            None => return unknown,
            Some("type") => {
                let mut after = words;
                let Some(kind) = after.next() else { return unknown };
                let found = (start.until(name), kind, after);
                if is_kind(kind) {
                    return Some(found);
                }
                unknown = unknown.or(Some(found));
            }
            Some(_) => {}
        }
    }
}

fn is_kind(word: &str) -> bool {
    ["check", "spin", "combo", "button", "string"].iter().any(|kind| word.eq_ignore_ascii_case(kind))
}

fn parse_check(mut words: Words<'_>, notes: &mut Notes<'_>) -> OptionKind {
    notes.trailing_words(words.take_until(|word| word == "default"));
    let mut default = None;
    if words.next().is_some() {
        match words.next() {
            None => notes.missing_value("default"),
            Some(word) => {
                default = parse_boolean(word);
                if default.is_none() {
                    notes.bad_value("default", word);
                }
            }
        }
        notes.trailing_words(words.rest());
    }
    OptionKind::Check { default }
}

fn parse_spin(name: &str, mut words: Words<'_>, notes: &mut Notes<'_>) -> OptionKind {
    let is_keyword = |word: &str| matches!(word, "default" | "min" | "max");
    let (mut default, mut min, mut max) = (None, None, None);
    while let Some(word) = words.next() {
        match word {
            "default" => words.take_value(word, &mut default, is_keyword, notes),
            "min" => words.take_value(word, &mut min, is_keyword, notes),
            "max" => words.take_value(word, &mut max, is_keyword, notes),
            _ => notes.unknown_word(word),
        }
    }
    if min.zip(max).is_some_and(|(min, max)| min > max) {
        notes.minimum_above_maximum(name);
    }
    if let Some(default) = default.filter(|default| is_outside(*default, min, max)) {
        notes.default_not_allowed(name, &default.to_string());
    }
    OptionKind::Spin { default, min, max }
}

/// A value runs to the next `var`, or to `default` while that has not been seen. The first word
/// after `var` always belongs to the value; `default` followed by `var` is an empty default.
fn parse_combo(name: &str, mut words: Words<'_>, notes: &mut Notes<'_>) -> OptionKind {
    let mut default = None;
    let mut choices = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "default" if default.is_none() => {
                default = Some(text(words.take_until(|word| word == "var")));
            }
            "var" => {
                let start = words;
                words.next();
                let has_default = default.is_some();
                words.take_until(|word| word == "var" || (word == "default" && !has_default));
                choices.push(text(start.until(words)));
            }
            _ => notes.unknown_word(word),
        }
    }
    if choices.is_empty() {
        notes.missing_value("var");
    }
    if let Some(default) = default.as_deref().filter(|default| find_choice(&choices, default).is_none()) {
        notes.default_not_allowed(name, &shown(default));
    }
    OptionKind::Combo { default, choices }
}

fn parse_string(mut words: Words<'_>) -> OptionKind {
    words.take_until(|word| word == "default");
    let default = words.next().map(|_| text(words.rest()));
    OptionKind::String { default }
}

/// A value, where the protocol's word for an empty text is an empty text.
pub(super) fn text(value: &str) -> String {
    if value == EMPTY { String::new() } else { value.to_owned() }
}
