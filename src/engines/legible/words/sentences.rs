//! The templates: one sentence for each fact.

use std::fmt::Write as _;

use super::facts::{Facts, Placed};
use crate::chess::{CastlingSide, Role};
use crate::engines::legible::personality::Block;

/// Who moved, as the engine speaks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mover {
    Engine,
    Opponent,
}

impl Mover {
    fn whose(self) -> &'static str {
        match self {
            Self::Engine => "my",
            Self::Opponent => "your",
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Engine => Self::Opponent,
            Self::Opponent => Self::Engine,
        }
    }

    /// The verb in the present for the engine's move, in the past for the opponent's.
    fn does(self, present: &str, past: &str) -> String {
        match self {
            Self::Engine => format!("I {present}"),
            Self::Opponent => format!("You {past}"),
        }
    }
}

/// What is said of a move: what it is, then what it does and why.
pub(super) fn describe(mover: Mover, facts: &Facts) -> String {
    let mut text = action(mover, facts);
    let mut add = |sentence: String| {
        let _ = write!(text, " {sentence}");
    };
    match (facts.ends, facts.checks) {
        (true, true) => add("It is checkmate.".to_owned()),
        (true, false) => add("It is stalemate.".to_owned()),
        (false, true) => add("It gives check.".to_owned()),
        (false, false) => {}
    }
    if facts.ends {
        return text;
    }
    if !facts.attacks.is_empty() {
        add(attack(mover, &facts.attacks));
    }
    match board_reason(mover, facts) {
        Some(sentence) => add(sentence),
        None => {
            if let Some((block, rise)) = facts.reason {
                add(block_reason(mover, block, rise));
            }
        }
    }
    text
}

fn action(mover: Mover, facts: &Facts) -> String {
    let (mine, yours) = (mover.whose(), mover.other().whose());
    let (role, from, to) = (name(facts.role), facts.from, facts.to);
    if let Some(side) = facts.castles {
        let side = match side {
            CastlingSide::KingSide => "kingside",
            CastlingSide::QueenSide => "queenside",
        };
        return format!("{} {side}.", mover.does("castle", "castled"));
    }
    match (facts.taken, facts.promotion) {
        (None, None) => format!("{} {mine} {role} from {from} to {to}.", mover.does("move", "moved")),
        (None, Some(new)) => {
            format!("{} {mine} pawn to {} on {to}.", mover.does("promote", "promoted"), with_article(new))
        }
        (Some(taken), promotion) => {
            let loose = if taken.was_loose { "loose " } else { "" };
            let passing = if taken.en_passant { " en passant" } else { "" };
            let taking = format!(
                "{} {yours} {loose}{} on {} with {mine} {role}{passing}",
                mover.does("take", "took"),
                name(taken.role),
                taken.square
            );
            match (promotion, mover) {
                (None, _) => format!("{taking}."),
                (Some(new), Mover::Engine) => format!("{taking} and promote it to {}.", with_article(new)),
                (Some(new), Mover::Opponent) => format!("{taking} and promoted it to {}.", with_article(new)),
            }
        }
    }
}

fn attack(mover: Mover, targets: &[Placed]) -> String {
    let placed: Vec<_> =
        targets.iter().map(|(role, square)| format!("{} on {square}", name(*role))).collect();
    let list = match placed.as_slice() {
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
        [] => String::new(),
    };
    let are = if placed.len() == 1 { "is" } else { "are" };
    format!("It attacks {} {list}, which {are} loose.", mover.other().whose())
}

fn board_reason(mover: Mover, facts: &Facts) -> Option<String> {
    let whose = capitalised(mover.whose());
    if let Some(piece) = facts.rescued {
        let (role, from, to) = (name(piece.role), piece.from, piece.to);
        return Some(if from == to {
            format!("{whose} {role} on {from} was loose and is not any more.")
        } else {
            format!("{whose} {role} was loose on {from} and is not on {to}.")
        });
    }
    if let Some(file) = facts.open_file {
        return Some(format!("{whose} rook is on the open {}-file.", file.char()));
    }
    facts.to_centre.then(|| format!("{whose} pawn on {} stands in the centre.", facts.to))
}

fn block_reason(mover: Mover, block: Block, rise: i32) -> String {
    let whose = capitalised(mover.whose());
    match block {
        Block::Mobility => format!("{whose} pieces have more room: mobility up {rise} centipawns."),
        Block::KingExposure => format!("{whose} king is safer: exposure down {rise} centipawns."),
        Block::PawnStructure => format!("{whose} pawns stand better: structure up {rise} centipawns."),
        Block::Material | Block::LoosePieces => String::new(),
    }
}

/// The pieces' names.
fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

fn with_article(role: Role) -> String {
    format!("a {}", name(role))
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().chain(characters).collect())
}
