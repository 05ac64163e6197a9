//! How moves were audited.

use crate::audit::SavedAudit;

/// The paragraph on an audit: who judged, which moves were searched again, what the verdicts and bounds
/// are.
#[must_use]
pub fn audit_words(audit: &SavedAudit) -> String {
    let mut words = format!(
        "{} moves of {} games were audited. The judge was {}. Best and chosen move were searched at the same \
         position and budget from a cleared state, and the larger score is the best. A move breaks the rule \
         when it loses more than {} centipawns. One that looks broken, whose loss lies within 100 centipawns \
         of the limit, or that has only a bound for a score was searched again with the two larger budgets: \
         where these agree that is the verdict, where they do not it is unresolved, and an unresolved move \
         counts as broken in every upper bound. Bounds are one-sided with 95 % confidence: Clopper and \
         Pearson's (Biometrika 26, 1934), which takes moves for independent, and one where the moves of a game \
         may be broken together (Korn and Graubard, Survey Methodology 24, 1998).",
        audit.moves, audit.games, audit.judge, audit.limit_cp
    );
    if audit.not_judged > 0 {
        words.push_str(&format!(
            " {} moves were not judged and are in no number, since a search for them used less than a tenth of \
             its budget.",
            audit.not_judged
        ));
    }
    if audit.judge_is_subject {
        words.push_str(
            " The judge is the subject's own program: the verdicts say how consistent the engine is with itself.",
        );
    }
    words
}
