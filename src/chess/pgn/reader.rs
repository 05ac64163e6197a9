//! Games from a PGN stream, one at a time.
//!
//! Invariants: the games come in file order and are numbered from 1; memory does not grow with the
//! file; whatever the bytes are, nothing panics and no game is left out in silence.

use std::io::Read;

use super::error::PgnError;
use super::lines::{LineError, Lines};
use super::movetext::{Movetext, ReadMove};
use super::tags::TagPair;
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
    lines: Lines<'a>,
    source_name: String,
    options: PgnOptions,
    /// Where in the present line the next game begins.
    at: usize,
    has_line: bool,
    games: u64,
    last_fen: Option<(String, StartPosition)>,
    /// The name of the last game's first tag; kept so that its memory is used again.
    first_tag: String,
}

impl std::fmt::Debug for PgnReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PgnReader").field("source_name", &self.source_name).finish_non_exhaustive()
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
        let source_name = source_name.into();
        let lines = Lines::new(reader).map_err(|error| PgnError::Io {
            source_name: source_name.clone(),
            line: 0,
            error,
        })?;
        Ok(Self {
            lines,
            source_name,
            options,
            at: 0,
            has_line: false,
            games: 0,
            last_fen: None,
            first_tag: String::new(),
        })
    }

    /// The next game, or none at the end of the file.
    ///
    /// # Errors
    /// [`PgnError`] when the source fails or is no text. What is wrong inside a game is in its
    /// `fault` instead.
    pub fn next_game(&mut self) -> Result<Option<ReadGame>, PgnError> {
        if !self.skip_between_games()? {
            return Ok(None);
        }
        let line = self.lines.number();
        let tags = self.read_tags()?;
        let (start, fault) = self.start(&tags);
        let most_plies = if fault.is_some() { Some(0) } else { self.options.max_plies };
        let mut movetext = Movetext::new(start.position().clone(), most_plies, self.options.comments);
        self.read_movetext(&mut movetext)?;
        self.games += 1;
        let contradiction = match (tags.result, movetext.marker) {
            (Some(Some(tag)), Some(Some(end))) if tag != end => Some(format!(
                "the `Result` tag says {}, the end of the moves says {}",
                tag.as_pgn(),
                end.as_pgn()
            )),
            _ => None,
        };
        Ok(Some(ReadGame {
            number: self.games,
            line,
            tags: tags.kept,
            start,
            start_comment: movetext.start_comment,
            moves: movetext.moves,
            outcome: tags.result.unwrap_or(movetext.marker.flatten()),
            fault: fault.or(movetext.fault).or(contradiction),
        }))
    }

    /// How many bytes of text have been read.
    pub(in crate::chess) fn bytes(&self) -> u64 {
        self.lines.bytes()
    }

    /// Goes to the next line when the present one is used up; false at the end of the file.
    fn ensure_text(&mut self) -> Result<bool, PgnError> {
        if self.has_line {
            return Ok(true);
        }
        self.at = 0;
        self.has_line = self.lines.advance().map_err(|error| match error {
            LineError::Io(error) => {
                PgnError::Io { source_name: self.source_name.clone(), line: self.lines.number(), error }
            }
            LineError::TooLong => {
                PgnError::LineTooLong { source_name: self.source_name.clone(), line: self.lines.number() }
            }
        })?;
        Ok(self.has_line)
    }

    /// What is left of the present line. Empty for a line that `%` takes out of the text.
    fn rest(&self) -> &[u8] {
        let line = self.lines.line();
        if self.at == 0 && line.starts_with(b"%") {
            return &[];
        }
        line.get(self.at..).unwrap_or_default().trim_ascii_start()
    }

    /// Keeps only the last `length` bytes of the present line.
    fn keep_last(&mut self, length: usize) {
        self.at = self.lines.line().len().saturating_sub(length);
        self.has_line = length > 0;
    }

    /// Passes blank lines and comments, such as those after a result; false at the end of the file.
    fn skip_between_games(&mut self) -> Result<bool, PgnError> {
        let mut in_comment = false;
        while self.ensure_text()? {
            let rest = self.rest();
            if in_comment && !(self.at == 0 && opens_game(rest)) {
                let end = rest.iter().position(|byte| *byte == b'}');
                in_comment = end.is_none();
                let left = end.map_or(0, |end| rest.len() - end - 1);
                self.keep_last(left);
                continue;
            }
            match rest.first() {
                None | Some(b';') => self.keep_last(0),
                Some(b'{') => {
                    in_comment = true;
                    let left = rest.len() - 1;
                    self.keep_last(left);
                }
                Some(_) => return Ok(true),
            }
        }
        Ok(false)
    }

    fn read_tags(&mut self) -> Result<Tags, PgnError> {
        let mut tags = Tags::default();
        let mut blank_line = false;
        let mut first_tag = std::mem::take(&mut self.first_tag);
        first_tag.clear();
        while self.ensure_text()? {
            let rest = self.rest();
            if rest.is_empty() {
                blank_line |= self.at == 0;
                self.keep_last(0);
                continue;
            }
            let Some(pair) = TagPair::parse(rest) else {
                if rest.starts_with(b"[") && !blank_line {
                    // No tag, but among tags: not a move either.
                    self.keep_last(0);
                    continue;
                }
                break;
            };
            // A game may be nothing but its tags.
            if blank_line && first_tag == pair.name {
                break;
            }
            blank_line = false;
            tags.add(&pair, self.options.tags.as_deref());
            let left = pair.rest.len();
            if first_tag.is_empty() {
                first_tag.push_str(pair.name);
            }
            self.keep_last(left);
        }
        self.first_tag = first_tag;
        Ok(tags)
    }

    fn read_movetext(&mut self, movetext: &mut Movetext) -> Result<(), PgnError> {
        while self.ensure_text()? {
            let rest = if movetext.in_comment() && self.at == 0 { self.lines.line() } else { self.rest() };
            let next_game = if movetext.in_comment() {
                opens_game(rest)
            } else {
                rest.starts_with(b"[") && TagPair::parse(rest).is_some()
            };
            if self.at == 0 && next_game {
                break;
            }
            let after = movetext.feed(rest, self.lines.number()).map(<[u8]>::len);
            self.keep_last(after.unwrap_or(0));
            if after.is_some() {
                return Ok(());
            }
        }
        movetext.close();
        Ok(())
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
            "FEN" => self.fen = Some(pair.value()),
            "Variant" => self.variant = Some(pair.value()),
            "Result" => self.result = Some(outcome_in_tag(pair.raw_value())),
            _ => {}
        }
        if wanted.is_none_or(|wanted| wanted.iter().any(|name| name == pair.name)) {
            self.kept.push((pair.name.to_owned(), pair.value()));
        }
    }
}

/// Whether a line inside a comment begins the next game, so that the comment was never closed.
fn opens_game(line: &[u8]) -> bool {
    line.starts_with(b"[Event \"")
}

fn outcome_in_tag(value: &[u8]) -> Option<Outcome> {
    match value.trim_ascii() {
        b"1-0" => Some(Outcome::White),
        b"0-1" => Some(Outcome::Black),
        b"1/2-1/2" | b"1/2" => Some(Outcome::Draw),
        _ => None,
    }
}

fn is_chess(variant: &str) -> bool {
    let name: String =
        variant.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let standard = ["", "chess", "standard", "normal", "fromposition"];
    let shuffled = ["chess960", "960", "fischerandom", "fischerrandom", "frc"];
    standard.contains(&name.as_str()) || shuffled.contains(&name.as_str())
}
