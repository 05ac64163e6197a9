//! A page as HTML. Safe whatever text is in it: the template engine escapes every value that is not
//! marked as this program's own, and the formatter takes control characters out of every one, so
//! that neither can be forgotten; a content security policy lets nothing run or load but the page's
//! own script and style, by their hashes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value, context, escape_formatter};
use sha2::{Digest as _, Sha256};

use super::document::Page;
use crate::report::board::piece_definitions;
use crate::report::svg::{BAND, Tone};
use crate::report::text::shortened;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// A text longer than this is cut: no page of this program needs more in one place.
const LONGEST_TEXT: usize = 4000;

/// The page could not be made.
#[derive(Debug, thiserror::Error)]
#[error("the page cannot be made: {0}")]
pub struct PageError(#[from] minijinja::Error);

impl Page {
    /// The page as one HTML file.
    ///
    /// # Errors
    /// What the template engine reports: a fault of the template.
    pub fn to_html(&self) -> Result<String, PageError> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        environment.set_trim_blocks(true);
        environment.set_lstrip_blocks(true);
        environment.set_formatter(|output, state, value| match value.as_str() {
            Some(text) if !value.is_safe() => {
                escape_formatter(output, state, &Value::from(shortened(text, LONGEST_TEXT)))
            }
            _ => escape_formatter(output, state, value),
        });
        environment.add_template("page.html", TEMPLATE)?;
        let style = style();
        let games = script_json(&serde_json::to_string(&self.games).unwrap_or_default());
        Ok(environment.get_template("page.html")?.render(context! {
            page => self,
            has_games => !self.games.is_empty(),
            style => Value::from_safe_string(style.clone()),
            style_hash => hash(&style),
            script => Value::from_safe_string(SCRIPT.to_owned()),
            script_hash => hash(SCRIPT),
            games => Value::from_safe_string(games),
            pieces => Value::from_safe_string(piece_definitions()),
        })?)
    }
}

/// The style sheet with the figures' colours for a dark page.
fn style() -> String {
    let mut dark = String::new();
    for tone in Tone::ALL {
        let (light, dark_color) = (tone.hex(), tone.dark());
        dark.push_str(&format!(
            "figure svg [fill=\"{light}\"]{{fill:{dark_color}}}figure svg [stroke=\"{light}\"]{{stroke:{dark_color}}}\n"
        ));
    }
    // A weak colour on a dark page is weaker still.
    dark.push_str(&format!("figure svg [opacity=\"{BAND}\"]{{opacity:.45}}\n"));
    STYLE.replace("/* figures on a dark page */", &dark)
}

/// JSON that cannot end the script element it stands in, nor a line in an old reader of scripts.
fn script_json(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            // Outside of strings JSON has none of them.
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => safe.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => safe.push(c),
        }
    }
    safe
}

/// What the policy allows a block by.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::StartPosition;
    use crate::report::page::{Item, Section};
    use crate::report::replay::{Replay, ReplayHead};

    #[test]
    fn strangers_text_stays_text_wherever_it_stands() {
        let hostile = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u{0}\u{202e}&amp;";
        let head = ReplayHead {
            title: hostile.into(),
            players: [hostile.into(), "x".repeat(1_000_000)],
            ending: hostile.into(),
            ..ReplayHead::default()
        };
        let items = vec![
            Item::Text { text: hostile.into(), warning: true },
            Item::List { lines: vec![hostile.into()] },
            Item::Games { first: 0, count: 1, note: hostile.into() },
        ];
        let section = Section { id: "a".into(), heading: hostile.into(), level: 2, items };
        let page = Page {
            title: hostile.into(),
            subtitle: "y".repeat(1_000_000),
            made_by: hostile.into(),
            sections: vec![section],
            games: vec![Replay::new(&head, &StartPosition::standard(), &[])],
        };
        let html = page.to_html().unwrap();
        assert!(!html.contains("<script>alert") && !html.contains("<img"), "{html}");
        assert!(!html.contains(['\u{0}', '\u{202e}']));
        assert!(html.len() < 200_000, "{}", html.len());
        // One script that runs, one block of data.
        assert_eq!(html.matches("<script").count(), 2);
        assert_eq!(html.matches("</script").count(), 2);
        assert!(html.contains("&lt;img src=x onerror=alert(1)&gt;"));
        assert!(html.contains("\\u003c/script\\u003e\\u003cscript\\u003ealert(1)"));
    }

    #[test]
    fn the_script_builds_no_code_and_no_markup_out_of_text() {
        for word in ["eval(", "innerHTML", "document.write", "Function(", "fetch(", "http"] {
            let own = SCRIPT.replace("http://www.w3.org/2000/svg", "");
            assert!(!own.contains(word), "{word}");
        }
    }
}
