//! What a fingerprint was taken of. Not compared by the gate: another build of the same engine is to
//! have the same fingerprint.

use serde::{Deserialize, Serialize};

use crate::ladder::{Identity, IdentityPart};

/// Who was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineIdentity {
    /// The name it gave.
    pub name: String,
    /// What is known of it.
    #[serde(flatten)]
    pub known: Known,
}

/// What is known of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Known {
    /// The program, its files, arguments, working folder, options and limit.
    Whole {
        /// Its identity, as in plans.
        identity: Box<Identity>,
        /// Whether its program is a script whose own files were not listed: then the engine behind it
        /// may have been another.
        launcher_only: bool,
    },
    /// Its program alone, in manifests of format 1.
    Program {
        /// SHA-256 of the program, in hex.
        program_sha256: String,
    },
}

impl EngineIdentity {
    /// The parts in which two engines differ, as far as both are known.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<IdentityPart> {
        match (&self.known, &other.known) {
            (Known::Whole { identity: a, .. }, Known::Whole { identity: b, .. }) => a.differences(b),
            (a, b) if a.program_sha256() == b.program_sha256() => Vec::new(),
            (a, b) => {
                vec![IdentityPart::Program { values: [a, b].map(|one| one.program_sha256().to_owned()) }]
            }
        }
    }

    /// Whether only the launcher of the engine is identified.
    #[must_use]
    pub fn is_launcher_only(&self) -> bool {
        matches!(self.known, Known::Whole { launcher_only: true, .. })
    }
}

impl Known {
    /// SHA-256 of the program, in hex.
    #[must_use]
    pub fn program_sha256(&self) -> &str {
        match self {
            Self::Whole { identity, .. } => &identity.program.program_sha256,
            Self::Program { program_sha256 } => program_sha256,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_of_format_1_tells_of_the_program_alone() {
        let old: EngineIdentity = serde_json::from_str(r#"{"name": "A", "program_sha256": "aa"}"#).unwrap();
        let mut identity = Identity::default();
        identity.program.program_sha256 = "aa".to_owned();
        identity.arguments = vec!["-v".to_owned()];
        let known = Known::Whole { identity: Box::new(identity), launcher_only: true };
        let mut new = EngineIdentity { name: "A".to_owned(), known };
        assert_eq!(old.differences(&new), []);
        let json = serde_json::to_string(&new).unwrap();
        assert_eq!(serde_json::from_str::<EngineIdentity>(&json).unwrap(), new);
        assert!(new.is_launcher_only() && !old.is_launcher_only());
        new.known = Known::Program { program_sha256: "bb".to_owned() };
        assert_eq!(old.differences(&new).len(), 1);
    }
}
