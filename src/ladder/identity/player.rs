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
/// absolute path, no declared range.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The program and the files that make it.
    pub program: Program,
    /// Its arguments; see [`super::portable`].
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
    /// How much of the game it is told.
    #[serde(default)]
    pub history: History,
}

/// A part in which two identities differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "part")]
pub enum IdentityPart {
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
    /// The arguments.
    Arguments {
        /// Joined by blanks.
        values: [String; 2],
    },
    /// The folder it starts in.
    Directory {
        /// From the spec's folder.
        values: [String; 2],
    },
    /// An option.
    Option {
        /// Its name.
        name: String,
        /// The values as they are sent; none where it is not sent.
        values: [Option<String>; 2],
    },
    /// The limits.
    Limits {
        /// Both.
        values: [Limits; 2],
    },
    /// How much of the game it is told.
    History {
        /// Both.
        values: [History; 2],
    },
}

impl Identity {
    /// A key that is equal for equal identities: SHA-256 of the identity as JSON, in hex.
    #[must_use]
    pub fn key(&self) -> String {
        text_sha256(&serde_json::to_string(self).unwrap_or_default())
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
        differ(self.limits != other.limits, &|| IdentityPart::Limits {
            values: [self.limits.clone(), other.limits.clone()],
        });
        differ(self.history != other.history, &|| IdentityPart::History {
            values: [self.history, other.history],
        });
        parts
    }
}

/// The part and both values, as in `option Hash: 16, 64`.
impl fmt::Display for IdentityPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |hash: &String| hash.chars().take(12).collect::<String>();
        let given = |value: &Option<String>| value.clone().unwrap_or_else(|| "not set".to_owned());
        let text = |value: &String| if value.is_empty() { "none".to_owned() } else { value.clone() };
        let (name, [a, b]) = match self {
            Self::Program { values } => ("program (SHA-256)".to_owned(), values.each_ref().map(short)),
            Self::File { file, values } => {
                (format!("file {file} (SHA-256)"), values.each_ref().map(|hash| text(&short(hash))))
            }
            Self::Runtime { values } => ("runtime".to_owned(), values.each_ref().map(text)),
            Self::Arguments { values } => ("arguments".to_owned(), values.each_ref().map(text)),
            Self::Directory { values } => ("working folder".to_owned(), values.each_ref().map(text)),
            Self::Option { name, values } => (format!("option {name}"), values.each_ref().map(given)),
            Self::Limits { values } => ("limits".to_owned(), values.each_ref().map(ToString::to_string)),
            Self::History { values } => (
                "history".to_owned(),
                values.map(|history| if history.is_whole() { "game" } else { "reversible" }.to_owned()),
            ),
        };
        write!(f, "{name}: {a}, {b}")
    }
}
