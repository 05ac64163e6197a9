//! Positions and moves: the rules library under the names the rest of the crate uses, start
//! positions from FEN, and moves as engines write them.

use std::fmt;

pub use shakmaty::{
    Bitboard, Board, ByColor, CastlingMode, CastlingSide, Chess, Color, File, Move, MoveList, Piece,
    Position, Rank, Role, Square, attacks,
};
use shakmaty::{EnPassantMode, fen::Fen, san::SanPlus, uci::UciMove};

/// A position a game can start from, checked by the rules library.
///
/// Invariant: what [`StartPosition::fen`] prints is canonical: six fields, castling rights that
/// exist, an en passant square only where the capture is legal. Only this text reaches an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartPosition {
    position: Chess,
    mode: CastlingMode,
}

impl StartPosition {
    /// The usual initial position.
    #[must_use]
    pub fn standard() -> Self {
        Self { position: Chess::new(), mode: CastlingMode::Standard }
    }

    /// Reads a FEN of four to six fields (missing counters are 0 and 1), standard or Chess960
    /// (X-FEN or Shredder castling rights).
    ///
    /// # Errors
    /// [`FenError`] for text that is no FEN, and for positions no legal game reaches or continues:
    /// a king missing or capturable, castling rights without their rook, an en passant square no
    /// pawn has just passed.
    pub fn from_fen(text: &str) -> Result<Self, FenError> {
        let fen: Fen = text.trim().parse().map_err(|error: shakmaty::fen::ParseFenError| FenError {
            fen: text.to_owned(),
            reason: error.to_string(),
        })?;
        let setup = fen.into_setup();
        let mode = CastlingMode::detect(&setup);
        let position = Chess::from_setup_strict(setup, mode)
            .map_err(|reason| FenError { fen: text.to_owned(), reason })?;
        Ok(Self { position, mode })
    }

    /// Reads a FEN as [`StartPosition::from_fen`], but takes no castling right for Chess960 that is
    /// more likely a mistake: with a king on the e-file, `K` and `Q` mean rooks on the h-file and
    /// the a-file. Chess960 positions with such a king name the rook's file instead (`HAha`).
    ///
    /// # Errors
    /// As [`StartPosition::from_fen`].
    pub fn from_opening_fen(text: &str) -> Result<Self, FenError> {
        let this = Self::from_fen(text)?;
        let rights = text.split_whitespace().nth(2).unwrap_or_default();
        let doubtful = rights.chars().find(|right| {
            let color = if right.is_ascii_uppercase() { Color::White } else { Color::Black };
            "KQkq".contains(*right)
                && this.position.board().king_of(color).is_some_and(|king| king.file() == File::E)
        });
        match doubtful {
            Some(right) if this.mode == CastlingMode::Chess960 => Err(FenError {
                fen: text.to_owned(),
                reason: format!(
                    "castling right `{right}` with the king on the e-file and no rook in its corner; \
                     for Chess960 name the rook's file (HAha)"
                ),
            }),
            _ => Ok(this),
        }
    }

    /// From a position already reached in a game.
    #[must_use]
    pub fn from_position(position: Chess, mode: CastlingMode) -> Self {
        Self { position, mode }
    }

    /// The position itself.
    #[must_use]
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// Whether castling is written as in standard chess or in Chess960 (king takes rook).
    #[must_use]
    pub fn castling_mode(&self) -> CastlingMode {
        self.mode
    }

    /// Whether this is the usual initial position of standard chess, counters included.
    #[must_use]
    pub fn is_standard(&self) -> bool {
        self.mode == CastlingMode::Standard && self.fen() == StartPosition::standard().fen()
    }

    /// The canonical six-field FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        fen(&self.position)
    }
}

/// The canonical six-field FEN of a position (en passant square only where the capture is legal).
#[must_use]
pub fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

trait FromSetupStrict: Sized {
    fn from_setup_strict(setup: shakmaty::Setup, mode: CastlingMode) -> Result<Self, String>;
}

impl FromSetupStrict for Chess {
    fn from_setup_strict(setup: shakmaty::Setup, mode: CastlingMode) -> Result<Self, String> {
        use shakmaty::FromSetup as _;
        Chess::from_setup(setup, mode).map_err(|error| error.to_string())
    }
}

/// Why a text is not a position to start from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenError {
    /// The text as found.
    pub fen: String,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a legal position: {}", self.fen, self.reason)
    }
}

impl std::error::Error for FenError {}

/// The move in UCI notation: king to its new square when `mode` is standard, king takes rook in
/// Chess960.
#[must_use]
pub fn uci(m: Move, mode: CastlingMode) -> String {
    m.to_uci(mode).to_string()
}

/// The move in standard algebraic notation with `+` or `#`.
#[must_use]
pub fn san(position: &Chess, m: Move) -> String {
    SanPlus::from_move(position.clone(), m).to_string()
}

/// What an engine's move text had of its own, though its meaning was clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveQuirk {
    /// Upper-case squares or promotion letter (`E7E8Q`).
    UpperCase,
}

/// Why an engine's move text is no legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UciMoveError {
    /// Not of the form `e2e4` or `e7e8q`.
    Malformed,
    /// A pawn reaches the last rank and the letter of the new piece is missing.
    PromotionLetterMissing,
    /// Well formed, but not legal in this position.
    Illegal,
}

impl fmt::Display for UciMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "not a move in UCI notation",
            Self::PromotionLetterMissing => "promotion without its letter (q, r, b or n)",
            Self::Illegal => "not legal in this position",
        })
    }
}

impl std::error::Error for UciMoveError {}

/// Reads a move as an engine wrote it and checks it against the position.
///
/// Both castling notations are understood whatever the mode, as engines mix them.
///
/// # Errors
/// [`UciMoveError`] says whether the text or the move is at fault.
pub fn parse_engine_move(position: &Chess, text: &str) -> Result<(Move, Option<MoveQuirk>), UciMoveError> {
    let lower = text.to_ascii_lowercase();
    let quirk = (lower != text).then_some(MoveQuirk::UpperCase);
    let parsed = UciMove::from_ascii(lower.as_bytes()).map_err(|_| UciMoveError::Malformed)?;
    let UciMove::Normal { from, to, promotion } = parsed else {
        return Err(UciMoveError::Illegal);
    };
    match parsed.to_move(position) {
        Ok(m) if position.is_legal(m) => Ok((m, quirk)),
        _ => {
            let with_letter = UciMove::Normal { from, to, promotion: Some(Role::Queen) };
            let promotes =
                promotion.is_none() && with_letter.to_move(position).is_ok_and(|m| position.is_legal(m));
            Err(if promotes { UciMoveError::PromotionLetterMissing } else { UciMoveError::Illegal })
        }
    }
}
