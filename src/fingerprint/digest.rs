//! Rows to SHA-256: per column, per group, and of the whole file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::row::{Column, Row};

/// The hashes of one fingerprint, in lower-case hex. `fingerprints/FORMAT.md` says how to compute
/// each from the file of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digests {
    /// Of the whole file of rows, its header line included.
    pub whole: String,
    /// Of the columns that say what was searched: move, depth, score, nodes, pv.
    pub search: String,
    /// Of the engine's words: the sentence.
    pub words: String,
    /// Of each column.
    pub columns: BTreeMap<Column, String>,
}

impl Digests {
    /// The hashes of these rows.
    #[must_use]
    pub fn of(rows: &[Row]) -> Self {
        let group = |wanted: &dyn Fn(Column) -> bool| {
            let mut hasher = Sha256::new();
            for row in rows {
                let cells = Column::ALL.into_iter().filter(|column| wanted(*column));
                let cells: Vec<_> = cells.map(|column| row.cell(column)).collect();
                hasher.update(cells.join("\t"));
                hasher.update("\n");
            }
            hex(&hasher.finalize())
        };
        Self {
            whole: sha256(&file_text(rows)),
            search: group(&Column::is_search),
            words: group(&|column| !column.is_search()),
            columns: Column::ALL
                .into_iter()
                .map(|column| (column, group(&|other| other == column)))
                .collect(),
        }
    }
}

/// The file of rows: the header line, then a line for each row, each with a line feed.
pub(super) fn file_text(rows: &[Row]) -> Vec<u8> {
    let mut text = Row::header() + "\n";
    for row in rows {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{row}");
    }
    text.into_bytes()
}

/// The hash of bytes, in hex.
pub(super) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_sha256sum() {
        // `printf '8/8/8/8/8/8/8/8 w - - 0 1\te2e4\t1\tcp 0\t1\te2e4\t-\n'` after the header line, then
        // `sha256sum`, and the same after `cut -f2-6` and `cut -f7`.
        let row = Row::parse("8/8/8/8/8/8/8/8 w - - 0 1\te2e4\t1\tcp 0\t1\te2e4\t-").unwrap();
        let digests = Digests::of(&[row]);
        assert_eq!(digests.whole, WHOLE);
        assert_eq!(digests.search, SEARCH);
        assert_eq!(digests.words, WORDS);
        assert_eq!(digests.columns[&Column::Sentence], WORDS);
        assert_eq!(digests.columns.len(), 6);
    }

    const WHOLE: &str = "9bc5124da854f62d2f88dc38bae1228940969beebb826618b9c6d3b7a51990c9";
    const SEARCH: &str = "c8249b618d0ea22a3674232fa82f8c00e3d3a85c4e86b780ca82e0dcbb8fbcdd";
    const WORDS: &str = "61d1954b9aba0c9aedb8d1338804e817c7262cfc36da94161dab8e3ed7a3a43a";
}
