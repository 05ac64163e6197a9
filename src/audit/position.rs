//! The positions that judges are asked about, and what can be said of a move without asking.

use super::game::AuditGame;
use crate::chess::{
    Bitboard, Board, Bound, CastlingMode, Chess, Color, Game, Move, Position as _, Score, StartPosition, fen,
    san, uci,
};
use crate::ladder::text_sha256;

/// At least this far ahead, in centipawns of material, is an endgame a won one.
const WON_AHEAD: i32 = 400;
/// At most this much may the other side still have.
const WON_AGAINST: i32 = 330;
/// No more pieces than this, kings and pawns aside, make an endgame: lichess's border.
const ENDGAME_PIECES: usize = 6;
/// No more pieces than this make a middlegame whatever the move number: lichess's border.
const MIDDLEGAME_PIECES: usize = 10;
/// The move from which the opening is over.
const MIDDLEGAME_MOVE: u32 = 13;

/// A position to search from, with the moves that led there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// The whole `position ...` command, without its line end.
    pub command: String,
    /// The canonical FEN.
    pub fen: String,
    /// The first half of the command's SHA-256, in hex: what evaluations are kept under.
    pub key: String,
    /// The notation of castling.
    pub mode: CastlingMode,
}

/// Where in a game a move was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Before move 13, with more than ten pieces beside kings and pawns.
    Opening,
    /// Neither of the others.
    Middlegame,
    /// At most six pieces beside kings and pawns.
    Endgame,
}

/// A move to audit.
#[derive(Clone, Debug)]
pub struct AuditMove {
    /// Index of its game.
    pub game: usize,
    /// That game's [`AuditGame::cluster`].
    pub cluster: usize,
    /// Its place in the game, from 0.
    pub ply: usize,
    /// Its number as players count: `12.` or `12...`.
    pub number: String,
    /// The position before it.
    pub root: Root,
    /// The move, as UCI writes it.
    pub chosen: String,
    /// The move, as players write it.
    pub san: String,
    /// The player's own score for it, from the mover.
    pub reported: Option<(Score, Bound)>,
    /// What the mover's clock showed after it, in milliseconds.
    pub clock_ms: Option<u64>,
    /// Whether it came from a book.
    pub book: bool,
    /// What its player said with it.
    pub words: Option<String>,
    /// How many moves were legal.
    pub legal_moves: usize,
    /// Where in the game.
    pub phase: Phase,
    /// Whether the mover has a won endgame by material: at least 400 ahead against at most 330.
    pub won_material: bool,
    /// Where the last move captured and can be answered by a capture on its square: whether it was.
    pub recaptured: Option<bool>,
}

impl Root {
    /// A position without a history.
    #[must_use]
    pub fn of(start: &StartPosition) -> Self {
        Self::new(format!("position fen {}", start.fen()), start.fen(), start.castling_mode())
    }

    fn new(command: String, fen: String, mode: CastlingMode) -> Self {
        let key = text_sha256(&command).chars().take(32).collect();
        Self { command, fen, key, mode }
    }

    /// The position after `moves`, by the moves.
    pub(super) fn after(start: &StartPosition, moves: &[Move]) -> Self {
        let mut game = Game::new(start.clone());
        let mut command = beginning(start);
        for &m in moves {
            push_move(&mut command, &game.uci(m));
            game.play(m);
        }
        Self::new(command, fen(game.position()), start.castling_mode())
    }
}

fn beginning(start: &StartPosition) -> String {
    if start.is_standard() { "position startpos".to_owned() } else { format!("position fen {}", start.fen()) }
}

fn push_move(command: &mut String, uci: &str) {
    // Before the first move the command ends with a FEN's counter or `startpos`.
    if !command.contains(" moves ") {
        command.push_str(" moves");
    }
    command.push(' ');
    command.push_str(uci);
}

impl Phase {
    /// The phase of a position.
    #[must_use]
    pub fn of(position: &Chess) -> Self {
        let board = position.board();
        let pieces = (board.knights() | board.bishops() | board.rooks() | board.queens()).count();
        if pieces <= ENDGAME_PIECES {
            Self::Endgame
        } else if pieces <= MIDDLEGAME_PIECES || position.fullmoves().get() >= MIDDLEGAME_MOVE {
            Self::Middlegame
        } else {
            Self::Opening
        }
    }

    /// The word for reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Endgame => "endgame",
        }
    }
}

/// The moves to audit, game by game in the order of the games.
#[must_use]
pub fn audit_moves(games: &[AuditGame]) -> Vec<AuditMove> {
    games.iter().enumerate().flat_map(|(index, game)| moves_of(index, game)).collect()
}

fn moves_of(index: usize, game: &AuditGame) -> Vec<AuditMove> {
    let mode = game.start.castling_mode();
    let mut board = Game::new(game.start.clone());
    let mut command = beginning(&game.start);
    let mut own = game.own.iter().peekable();
    let mut last: Option<Move> = None;
    let mut found = Vec::with_capacity(game.own.len());
    for (ply, &m) in game.moves.iter().enumerate() {
        let position = board.position();
        if let Some(own) = own.next_if(|own| own.ply == ply) {
            let dots = if position.turn() == Color::White { "." } else { "..." };
            found.push(AuditMove {
                game: index,
                cluster: game.cluster,
                ply,
                number: format!("{}{dots}", position.fullmoves()),
                root: Root::new(command.clone(), fen(position), mode),
                chosen: uci(m, mode),
                san: san(position, m),
                reported: own.reported,
                words: own.words.clone(),
                clock_ms: own.clock_ms,
                book: own.book,
                legal_moves: position.legal_moves().len(),
                phase: Phase::of(position),
                won_material: has_won_material(position),
                recaptured: last.and_then(|last| recaptured(position, last, m)),
            });
        }
        push_move(&mut command, &uci(m, mode));
        board.play(m);
        last = Some(m);
    }
    found
}

/// Whether the side to move is far ahead of a nearly bare king.
fn has_won_material(position: &Chess) -> bool {
    let (own, other) =
        (material(position.board(), position.turn()), material(position.board(), !position.turn()));
    own - other >= WON_AHEAD && other <= WON_AGAINST && can_force_mate(position.board(), position.turn())
}

/// Whether a side has what mates a bare king: a pawn, rook or queen, bishops on both colours, bishop and
/// knight, or three knights. Two knights, or bishops of one colour, are material and no win.
fn can_force_mate(board: &Board, color: Color) -> bool {
    let own = board.by_color(color);
    let bishops = own & board.bishops();
    let knights = (own & board.knights()).count();
    let both_colors = (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any();
    (own & (board.pawns() | board.rooks_and_queens())).any()
        || both_colors
        || (bishops.any() && knights > 0)
        || knights > 2
}

/// Material in centipawns: 100, 320, 330, 500, 900 (AL-1600's values, since the clause is its own).
fn material(board: &Board, color: Color) -> i32 {
    let count = board.material_side(color);
    100 * i32::from(count.pawn)
        + 320 * i32::from(count.knight)
        + 330 * i32::from(count.bishop)
        + 500 * i32::from(count.rook)
        + 900 * i32::from(count.queen)
}

/// Whether `chosen` takes back what `last` took with; none where that cannot be done.
fn recaptured(position: &Chess, last: Move, chosen: Move) -> Option<bool> {
    if !last.is_capture() {
        return None;
    }
    let takes_back = |m: &Move| m.is_capture() && m.to() == last.to();
    let possible = position.legal_moves().iter().any(takes_back);
    possible.then(|| takes_back(&chosen))
}
