//! The identity of a player: two with equal identities are one player, two with different ones are not.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::hash::text_sha256;
use crate::arena::{History, Limits};

/// A program as far as files and its own words tell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The name it gave in the handshake.
    pub id_name: Option<String>,
    /// The author it gave.
    pub id_author: Option<String>,
    /// SHA-256 of the program, in hex.
    pub program_sha256: String,
    /// Digests of the files that make it, by label; see [`super::EngineFiles`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files_sha256: BTreeMap<String, String>,
    /// What runs the program, where the spec says how to ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
}

/// Everything that decides what a player answers, and nothing that does not: no name of one's own, no
/// absolute path, no declared range. Two are equal where they differ in no [`IdentityPart`]: the order in
/// which options are set and the author's name do not matter.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Identity {
    /// The program and the files that make it.
    pub program: Program,
    /// Its arguments; an absolute path by its last name alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The folder it starts in, from the spec's folder; empty for a temporary one.
    #[serde(default)]
    pub directory: String,
    /// The options as they are sent.
    #[serde(default)]
    pub options: Vec<(String, String)>,
    /// What bounds its searches.
    #[serde(default)]
    pub limits: Limits,
    /// Whether `position` holds the whole game or the moves since the last pawn move or capture.
    #[serde(default)]
    pub history: History,
}

/// A part in which two identities differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "part")]
pub enum IdentityPart {
    /// The name it gives in the handshake.
    Name {
        /// The names; empty where it gave none.
        values: [String; 2],
    },
    /// Another program.
    Program {
        /// SHA-256 of the programs.
        values: [String; 2],
    },
    /// A file that makes it.
    File {
        /// The file's label.
        file: String,
        /// The digests; empty where one has no such file.
        values: [String; 2],
    },
    /// What runs it.
    Runtime {
        /// The versions; empty where none is known.
        values: [String; 2],
    },
    /// Arguments, without absolute paths.
    Arguments {
        /// Joined by blanks.
        values: [String; 2],
    },
    /// The folder it starts in.
    Directory {
        /// From the spec's folder.
        values: [String; 2],
    },
    /// An option, or one that only one of the two is sent.
    Option {
        /// Its name as the engine spells it.
        name: String,
        /// The values as they are sent; none where it is not sent.
        values: [Option<String>; 2],
    },
    /// Nodes, depth or time of a search, or the clock.
    Limits {
        /// In the order compared.
        values: [Limits; 2],
    },
    /// What `position` holds of the game.
    History {
        /// In the order compared.
        values: [History; 2],
    },
}

impl Identity {
    /// A key that is equal for equal identities: SHA-256, in hex, of the identity as JSON, its options in
    /// alphabetical order.
    #[must_use]
    pub fn key(&self) -> String {
        let mut plain = self.clone();
        plain.program.id_author = None;
        plain.options.sort_unstable();
        plain.limits = plain_limits(&self.limits);
        text_sha256(&serde_json::to_string(&plain).unwrap_or_default())
    }

    /// The parts in which two identities differ; empty for equal ones.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<IdentityPart> {
        let mut parts = Vec::new();
        let (ours, theirs) = (&self.program, &other.program);
        let mut differ = |differs: bool, part: &dyn Fn() -> IdentityPart| {
            if differs {
                parts.push(part());
            }
        };
        differ(ours.id_name != theirs.id_name, &|| IdentityPart::Name {
            values: [ours, theirs].map(|program| program.id_name.clone().unwrap_or_default()),
        });
        differ(ours.program_sha256 != theirs.program_sha256, &|| IdentityPart::Program {
            values: [ours.program_sha256.clone(), theirs.program_sha256.clone()],
        });
        let labels = ours.files_sha256.keys().chain(theirs.files_sha256.keys());
        for file in labels.collect::<std::collections::BTreeSet<_>>() {
            let values = [ours, theirs].map(|program| program.files_sha256.get(file).cloned());
            differ(values[0] != values[1], &|| IdentityPart::File {
                file: file.clone(),
                values: values.clone().map(Option::unwrap_or_default),
            });
        }
        differ(ours.runtime != theirs.runtime, &|| IdentityPart::Runtime {
            values: [ours, theirs].map(|program| program.runtime.clone().unwrap_or_default()),
        });
        differ(self.arguments != other.arguments, &|| IdentityPart::Arguments {
            values: [self, other].map(|identity| identity.arguments.join(" ")),
        });
        differ(self.directory != other.directory, &|| IdentityPart::Directory {
            values: [self, other].map(|identity| identity.directory.clone()),
        });
        let names: std::collections::BTreeSet<_> =
            self.options.iter().chain(&other.options).map(|(name, _)| name).collect();
        for name in names {
            let values = [self, other].map(|identity| {
                let set = identity.options.iter().find(|(set, _)| set == name);
                set.map(|(_, value)| value.clone())
            });
            differ(values[0] != values[1], &|| IdentityPart::Option {
                name: name.clone(),
                values: values.clone(),
            });
        }
        differ(plain_limits(&self.limits) != plain_limits(&other.limits), &|| IdentityPart::Limits {
            values: [self.limits.clone(), other.limits.clone()],
        });
        differ(self.history != other.history, &|| IdentityPart::History {
            values: [self.history, other.history],
        });
        parts
    }
}

impl PartialEq for Identity {
    fn eq(&self, other: &Self) -> bool {
        self.differences(other).is_empty()
    }
}

impl Eq for Identity {}

/// Limits with the margin that is in force: none where no time bounds the search.
pub(super) fn plain_limits(limits: &Limits) -> Limits {
    let margin_ms = limits.is_timed().then(|| u64::try_from(limits.margin().as_millis()).unwrap_or(u64::MAX));
    Limits { margin_ms, ..limits.clone() }
}

/// Limits in words, with the margin where they differ in nothing else.
pub(super) fn limits_words(limits: &Limits, with_margin: bool) -> String {
    let margin = plain_limits(limits).margin_ms.filter(|_| with_margin);
    format!("{limits}{}", margin.map(|ms| format!(", margin {ms} ms")).unwrap_or_default())
}

/// The part and both values, as in `option Hash: 16, 64`.
impl fmt::Display for IdentityPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |hash: &String| hash.trim_start_matches("folder ").chars().take(12).collect::<String>();
        let given = |value: &Option<String>| value.clone().unwrap_or_else(|| "not set".to_owned());
        let text = |value: &String| if value.is_empty() { "none".to_owned() } else { value.clone() };
        let (name, [a, b]) = match self {
            Self::Name { values } => ("the name it gives".to_owned(), values.each_ref().map(text)),
            Self::Program { values } => ("program (SHA-256)".to_owned(), values.each_ref().map(short)),
            Self::File { file, values } => {
                (format!("file {file} (SHA-256)"), values.each_ref().map(|hash| text(&short(hash))))
            }
            Self::Runtime { values } => ("runtime".to_owned(), values.each_ref().map(text)),
            Self::Arguments { values } => ("arguments".to_owned(), values.each_ref().map(text)),
            Self::Directory { values } => ("working folder".to_owned(), values.each_ref().map(text)),
            Self::Option { name, values } => (format!("option {name}"), values.each_ref().map(given)),
            Self::Limits { values: [a, b] } => {
                let with_margin = a.to_string() == b.to_string();
                ("limits".to_owned(), [a, b].map(|limits| limits_words(limits, with_margin)))
            }
            Self::History { values } => (
                "history".to_owned(),
                values.map(|history| if history.is_whole() { "game" } else { "reversible" }.to_owned()),
            ),
        };
        write!(f, "{name}: {a}, {b}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(options: &[(&str, &str)]) -> Identity {
        let own = |text: &str| text.to_owned();
        Identity {
            options: options.iter().map(|(name, value)| (own(name), own(value))).collect(),
            limits: Limits { depth: Some(6), ..Limits::default() },
            ..Identity::default()
        }
    }

    #[test]
    fn neither_the_order_of_options_nor_an_idle_margin_makes_another_player() {
        let one = with(&[("Threads", "1"), ("Style", "Solid")]);
        let mut other = with(&[("Style", "Solid"), ("Threads", "1")]);
        other.limits.margin_ms = Some(200);
        other.program.id_author = Some("somebody".to_owned());
        assert_eq!(one, other);
        assert_eq!(one.key(), other.key());
        other.limits.movetime_ms = Some(10);
        assert_ne!(one, other);
        assert_ne!(one.key(), other.key());
        let mut wider = other.clone();
        wider.limits.margin_ms = None;
        let parts: Vec<String> = other.differences(&wider).iter().map(ToString::to_string).collect();
        assert_eq!(
            parts,
            ["limits: 10 ms a move, depth 6, margin 200 ms, 10 ms a move, depth 6, margin 50 ms"]
        );
    }

    #[test]
    fn a_script_that_gives_another_name_is_another_player() {
        let (one, mut other) = (with(&[]), with(&[]));
        other.program.id_name = Some("Script 2".to_owned());
        let parts: Vec<String> = one.differences(&other).iter().map(ToString::to_string).collect();
        assert_eq!(parts, ["the name it gives: none, Script 2"]);
        assert_ne!(one.key(), other.key());
    }
}
