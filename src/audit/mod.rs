//! Every move that reached the board, against the best one: by a judge that is not the engine.
//!
//! Data flows one way: games -> [`AuditMove`]s -> [`MoveGrades`] -> [`Verdict`]s and [`Quality`].
//! Takes moves as they were played and judges as they answer; does not know how games are played, and
//! computes no interval itself. `docs/audit.md` explains every number.
//!
//! Invariants: the best and the chosen move are scored at the same root and budget, each from a
//! cleared state; no mate is a number of centipawns but in `scores`; what was searched is kept and
//! never searched again; the same games, judge and budget give the same bytes at any concurrency.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod comment;
mod conversion;
mod engine;
mod error;
mod findings;
mod game;
mod grade;
mod hint;
mod lichess;
mod live;
mod note;
mod optimism;
mod origin;
mod position;
mod quality;
mod read;
mod rule;
#[cfg(test)]
mod rule_tests;
mod saved;
mod scores;
mod stability;
mod store;
mod table;
mod work;

pub use comment::{MoveComment, read_comment};
pub use conversion::{Conversion, ConversionEnd, WonMaterial};
pub use engine::{Answer, AuditEngine, Role, ScoredMove, Task};
pub use error::AuditError;
pub use findings::{Audited, ClauseCount, ConversionCount, Finding, Group, Overall, Rulers, is_most};
pub use game::{AuditGame, Finish, OwnMove};
pub use grade::{MoveGrades, grade_at, grade_by_itself, grade_moves, is_wide, larger_budgets};
pub use hint::{HintDifference, HintVerdict, check_hint};
pub use lichess::{
    AccuracyFormula, GameAccuracy, INITIAL_CP, Judgement, centipawn_loss, game_accuracy, judgement,
    move_accuracy, volatility_weights, win_percent,
};
pub use live::{answer_positions, read_positions};
pub use note::{AuditNote, BudgetUse, Independence, Searcher};
pub use optimism::{Optimism, OptimismBin, optimism};
pub use origin::{AuditFiles, Origin, beside};
pub use position::{AuditMove, Phase, Root, audit_moves};
pub use quality::{GamesQuality, MoveQuality, Quality, file_quality, games_quality, qualities};
pub use read::{GameSet, read_games};
pub use rule::{Clause, Grade, Reason, Rule, Verdict, WonBy};
pub use saved::{SavedAudit, SavedMove, not_of_an_audit};
pub use scores::{CEILING_CP, clamped_cp, reversed, score_order};
pub use stability::{GradeClass, Stability, stability};
pub use store::Store;
pub use table::{score_text, write_moves};
pub use work::{Event, SearchTime, Watch, Work};
