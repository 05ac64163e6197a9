//! Games from a PGN stream, one at a time.
//!
//! Invariants: the games come in file order and are numbered from 1; memory does not grow with the
//! file; whatever the bytes are, nothing panics and no game is left out in silence.

use std::io::Read;

use super::cursor::Cursor;
use super::error::PgnError;
use super::lines::decode;
use super::movetext::{Movetext, ReadMove};
use super::tags::{TagPair, tag_text};
use crate::chess::game::Outcome;
use crate::chess::position::StartPosition;

/// What of each game is read.
#[derive(Clone, Debug)]
pub struct PgnOptions {
    /// Moves beyond this many plies are neither read nor checked. None reads them all; 0 is the
    /// fast way when the tags are enough.
    pub max_plies: Option<usize>,
    /// Whether comments are kept.
    pub comments: bool,
    /// The names of the tags that are kept; none keeps all of them.
    pub tags: Option<Vec<String>>,
}

impl Default for PgnOptions {
    /// Everything.
    fn default() -> Self {
        Self { max_plies: None, comments: true, tags: None }
    }
}

impl PgnOptions {
    /// Some tags and no more than the first `max_plies` moves, without comments: what ratings need.
    #[must_use]
    pub fn tags_only(names: &[&str], max_plies: usize) -> Self {
        let tags = Some(names.iter().map(|name| (*name).to_owned()).collect());
        Self { max_plies: Some(max_plies), comments: false, tags }
    }
}

/// A game as read.
#[derive(Clone, Debug)]
pub struct ReadGame {
    /// Its place in the file, from 1.
    pub number: u64,
    /// The line its first tag or move stands on, from 1.
    pub line: u64,
    /// The tag pairs that were asked for, in file order.
    pub tags: Vec<(String, String)>,
    /// Where its moves begin: the `FEN` tag's position, or the usual one.
    pub start: StartPosition,
    /// What stands in comments before the first move.
    pub start_comment: Option<String>,
    /// The moves up to the end, the limit or the fault.
    pub moves: Vec<ReadMove>,
    /// Who won, by the `Result` tag, else by the end of the movetext; none for `*`.
    pub outcome: Option<Outcome>,
    /// What is wrong with the game (`ply 7: ...`). The moves before it are good.
    pub fault: Option<String>,
}

impl ReadGame {
    /// The value of the first tag of this name.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }
}

/// Reads games from PGN, plain or compressed with gzip.
///
/// ```
/// use elometer::chess::pgn::{PgnOptions, PgnReader};
///
/// let text = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 {a comment} 2. Nf3 1-0\n";
/// let mut reader = PgnReader::new(text.as_bytes(), "example", PgnOptions::default())?;
/// let game = reader.next_game()?.unwrap();
/// assert_eq!(game.tag("Black"), Some("B"));
/// assert_eq!(game.moves.len(), 3);
/// assert!(reader.next_game()?.is_none());
/// # Ok::<(), elometer::chess::pgn::PgnError>(())
/// ```
pub struct PgnReader<'a> {
    cursor: Cursor<'a>,
    options: PgnOptions,
    games: u64,
    last_fen: Option<(String, StartPosition)>,
}

impl std::fmt::Debug for PgnReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PgnReader").field("source_name", &self.cursor.source_name()).finish_non_exhaustive()
    }
}

/// The tags of the game being read.
#[derive(Default)]
struct Tags {
    kept: Vec<(String, String)>,
    fen: Option<String>,
    variant: Option<String>,
    /// The `Result` tag: absent, no result, or a result.
    result: Option<Option<Outcome>>,
}

impl<'a> PgnReader<'a> {
    /// A reader of `reader`, which needs no buffer of its own. `source_name` is for messages.
    ///
    /// # Errors
    /// [`PgnError::Io`] when not even the first bytes can be read.
    pub fn new(
        reader: impl Read + 'a,
        source_name: impl Into<String>,
        options: PgnOptions,
    ) -> Result<Self, PgnError> {
        let cursor = Cursor::new(reader, source_name.into())?;
        Ok(Self { cursor, options, games: 0, last_fen: None })
    }

    /// The next game, or none at the end of the file.
    ///
    /// # Errors
    /// [`PgnError`] when the source fails or is no text. What is wrong inside a game is in its
    /// `fault` instead.
    pub fn next_game(&mut self) -> Result<Option<ReadGame>, PgnError> {
        if !self.cursor.skip_between_games()? {
            return Ok(None);
        }
        let line = self.cursor.line_number();
        let mut tags = Tags::default();
        let wanted = self.options.tags.as_deref();
        self.cursor.read_tags(|pair| tags.add(pair, wanted))?;
        let (start, fault) = self.start(&tags);
        let most_plies = if fault.is_some() { Some(0) } else { self.options.max_plies };
        let mut movetext = Movetext::new(start.position().clone(), most_plies, self.options.comments);
        let marker = self.cursor.read_movetext(&mut movetext)?;
        self.games += 1;
        Ok(Some(ReadGame {
            number: self.games,
            line,
            tags: tags.kept,
            start,
            start_comment: movetext.start_comment,
            moves: movetext.moves,
            outcome: tags.result.unwrap_or(marker.flatten()),
            fault: fault.or(movetext.fault).or_else(|| contradiction(tags.result, marker)),
        }))
    }

    /// How many bytes of text have been read.
    pub(in crate::chess) fn bytes(&self) -> u64 {
        self.cursor.bytes()
    }

    /// Where the game starts, and what is wrong with what its tags say of that.
    fn start(&mut self, tags: &Tags) -> (StartPosition, Option<String>) {
        if let Some(variant) = &tags.variant
            && !is_chess(variant)
        {
            let fault = format!("the variant is `{variant}`, expected chess or Chess960");
            return (StartPosition::standard(), Some(fault));
        }
        let Some(fen) = &tags.fen else { return (StartPosition::standard(), None) };
        // The two games of a pair stand together, so the last position is often the next one too.
        if let Some((last, start)) = &self.last_fen
            && last == fen
        {
            return (start.clone(), None);
        }
        match StartPosition::from_fen(fen) {
            Ok(start) => {
                self.last_fen = Some((fen.clone(), start.clone()));
                (start, None)
            }
            Err(error) => (StartPosition::standard(), Some(format!("the `FEN` tag: {error}"))),
        }
    }
}

impl Iterator for PgnReader<'_> {
    type Item = Result<ReadGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_game().transpose()
    }
}

impl Tags {
    fn add(&mut self, pair: &TagPair<'_>, wanted: Option<&[String]>) {
        match pair.name {
            b"FEN" => self.fen = Some(tag_text(pair.value)),
            b"Variant" => self.variant = Some(tag_text(pair.value)),
            b"Result" => self.result = Some(outcome_in_tag(pair.value)),
            _ => {}
        }
        if wanted.is_none_or(|wanted| wanted.iter().any(|name| name.as_bytes() == pair.name)) {
            self.kept.push((decode(pair.name).into_owned(), tag_text(pair.value)));
        }
    }
}

/// What is wrong where the `Result` tag and the end of the movetext name two results.
#[allow(clippy::option_option, reason = "`*` ends a game and is no result")]
pub(super) fn contradiction(tag: Option<Option<Outcome>>, marker: Option<Option<Outcome>>) -> Option<String> {
    match (tag, marker) {
        (Some(Some(tag)), Some(Some(end))) if tag != end => Some(format!(
            "the `Result` tag says {}, the end of the moves says {}",
            tag.as_pgn(),
            end.as_pgn()
        )),
        _ => None,
    }
}

/// The result in a `Result` tag.
pub(super) fn outcome_in_tag(value: &[u8]) -> Option<Outcome> {
    match value.trim_ascii() {
        b"1-0" => Some(Outcome::White),
        b"0-1" => Some(Outcome::Black),
        b"1/2-1/2" | b"1/2" => Some(Outcome::Draw),
        _ => None,
    }
}

/// Whether a `Variant` tag names chess or Chess960.
pub(super) fn is_chess(variant: &str) -> bool {
    let name: String =
        variant.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let standard = ["", "chess", "standard", "normal", "fromposition"];
    let shuffled = ["chess960", "960", "fischerandom", "fischerrandom", "frc"];
    standard.contains(&name.as_str()) || shuffled.contains(&name.as_str())
}
