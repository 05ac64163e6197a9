//! The position sets that are part of the program, so that they are there in any folder.

/// A position set inside the program.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BuiltIn {
    /// What it is called on the command line and in manifests.
    pub(super) name: &'static str,
    /// EPD, the bytes of its file.
    pub(super) epd: &'static [u8],
    /// PGN: the games that its positions are from; empty where there are none.
    pub(super) games: &'static [u8],
}

/// All of them. A path with a slash names a file that is called alike.
pub(super) static SETS: [BuiltIn; 2] = [
    BuiltIn {
        name: "reference",
        epd: include_bytes!("../../positions/reference/positions.epd"),
        games: include_bytes!("../../positions/reference/games.pgn"),
    },
    BuiltIn { name: "edges", epd: include_bytes!("../../positions/edges.epd"), games: b"" },
];
