//! Identities as plans record them: a plan of 0.1 tells less than a later one, and what it leaves open
//! makes no other player.

use std::collections::BTreeSet;
use std::path::Path;

use super::player::{Identity, IdentityPart};

/// An identity with what its plan leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedIdentity {
    /// What the plan tells.
    pub identity: Identity,
    /// The options that were sealed with the default which the engine declares.
    pub sealed: BTreeSet<String>,
    /// Whether the plan is one of 0.1: it tells neither the working folder, nor the values of options
    /// that the spec left alone, nor files that only options and arguments name.
    pub is_partial: bool,
}

/// What two records say of each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdentityComparison {
    /// The parts that both tell and in which they differ.
    pub differences: Vec<IdentityPart>,
    /// The parts that one of them leaves open.
    pub not_told: Vec<IdentityPart>,
}

impl IdentityComparison {
    /// Whether nothing that both tell is different.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.differences.is_empty()
    }
}

impl RecordedIdentity {
    /// Compares what both tell.
    #[must_use]
    pub fn compare(&self, other: &Self) -> IdentityComparison {
        let parts = self.identity.differences(&other.identity);
        // Two of one format leave the same open.
        let (old, new, sealed) = match (self.is_partial, other.is_partial) {
            (true, false) => (0, 1, &other.sealed),
            (false, true) => (1, 0, &self.sealed),
            _ => return IdentityComparison { differences: parts, not_told: Vec::new() },
        };
        let identities = [&self.identity, &other.identity];
        let mut found = IdentityComparison::default();
        for part in parts {
            let is_open = match &part {
                IdentityPart::Directory { values } => values[old].is_empty(),
                IdentityPart::Option { name, values } => match (&values[old], &values[new]) {
                    (None, Some(_)) => sealed.contains(name),
                    (Some(long), Some(short)) if is_same_file(long, short) => continue,
                    _ => false,
                },
                IdentityPart::File { file, values } => {
                    values[old].is_empty() && (file.starts_with("option ") || file.starts_with("argument "))
                }
                IdentityPart::Arguments { .. } => {
                    let [long, short] = [old, new].map(|place| &identities[place].arguments);
                    let is_same =
                        |(long, short): (&String, &String)| long == short || is_same_file(long, short);
                    if long.len() == short.len() && long.iter().zip(short).all(is_same) {
                        continue;
                    }
                    false
                }
                IdentityPart::Name { .. }
                | IdentityPart::Program { .. }
                | IdentityPart::Runtime { .. }
                | IdentityPart::Limits { .. }
                | IdentityPart::History { .. } => false,
            };
            let list = if is_open { &mut found.not_told } else { &mut found.differences };
            list.push(part);
        }
        found
    }
}

/// Whether an absolute path, perhaps behind `--net=`, ends with the path that a later plan keeps of it.
fn is_same_file(long: &str, short: &str) -> bool {
    let split = |text: &str| match text.split_once('=') {
        Some((key, value)) if key.starts_with('-') => (key.to_owned(), value.to_owned()),
        _ => (String::new(), text.to_owned()),
    };
    let ((long_key, long), (short_key, short)) = (split(long), split(short));
    let path = Path::new(&long);
    long_key == short_key && !short.is_empty() && path.is_absolute() && path.ends_with(&short)
}

#[cfg(test)]
mod tests {
    use super::super::player::Program;
    use super::*;
    use crate::arena::Limits;

    fn engine(options: &[(&str, &str)], directory: &str, net: &str) -> Identity {
        Identity {
            program: Program { program_sha256: "aa".to_owned(), ..Program::default() },
            arguments: vec![format!("--net={net}")],
            directory: directory.to_owned(),
            options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            limits: Limits { depth: Some(6), ..Limits::default() },
            ..Identity::default()
        }
    }

    fn texts(parts: &[IdentityPart]) -> Vec<String> {
        parts.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_a_plan_of_0_1_leaves_open_makes_no_other_player() {
        let old = RecordedIdentity {
            identity: engine(&[("Hash", "16")], "", "/home/me/nets/a.nnue"),
            is_partial: true,
            ..RecordedIdentity::default()
        };
        let mut new = RecordedIdentity {
            identity: engine(&[("Hash", "16"), ("Threads", "1")], ".", "nets/a.nnue"),
            sealed: BTreeSet::from(["Threads".to_owned()]),
            is_partial: false,
        };
        new.identity.program.files_sha256.insert("argument 1".to_owned(), "bb".to_owned());
        for found in [old.compare(&new), new.compare(&old)] {
            assert!(found.is_same(), "{found:?}");
            assert_eq!(found.not_told.len(), 3, "{found:?}");
        }
        assert_eq!(
            texts(&old.compare(&new).not_told),
            ["file argument 1 (SHA-256): none, bb", "working folder: none, .", "option Threads: not set, 1"]
        );
    }

    #[test]
    fn what_both_tell_still_differs() {
        let old = RecordedIdentity {
            identity: engine(&[("Hash", "16")], "", "/home/me/a.nnue"),
            is_partial: true,
            ..RecordedIdentity::default()
        };
        // An option that the new spec chose itself was not the default.
        let new = RecordedIdentity {
            identity: engine(&[("Hash", "64"), ("Style", "Wild")], ".", "b.nnue"),
            ..RecordedIdentity::default()
        };
        let found = old.compare(&new);
        assert_eq!(
            texts(&found.differences),
            [
                "arguments: --net=/home/me/a.nnue, --net=b.nnue",
                "option Hash: 16, 64",
                "option Style: not set, Wild"
            ]
        );
        assert_eq!(found.not_told.len(), 1);
        // Of one format, nothing is open.
        let other = RecordedIdentity { identity: engine(&[], "", "/home/me/a.nnue"), ..old.clone() };
        assert_eq!(texts(&old.compare(&other).differences), ["option Hash: 16, not set"]);
    }
}
