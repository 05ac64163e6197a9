//! At which depth a strength-limited Stockfish picks its move.
//!
//! It picks when iteration 1 + int(level) completes, where the level follows from `UCI_Elo`. A limit
//! that ends the search before makes the rung another than its label says.

use super::plan::Plan;

/// A level whose searches end before the engine picks its move.
struct EarlyEnd {
    /// `UCI_Elo`.
    level: u32,
    /// The depth at which the move is picked.
    pick_depth: u32,
    /// The nodes that took in trials, where nodes are the limit that is too low.
    nodes: Option<u64>,
}

/// How `UCI_Elo` becomes a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// Stockfish 11 to 15.1.
    Old,
    /// Stockfish 16 and later.
    New,
}

/// What a plan's limits do to its levels, as a sentence without its full stop, where they end a search
/// before the move is picked. `None` also where the opponent is no released Stockfish, or where no trial
/// says what a depth takes.
///
/// # Source
/// Stockfish's `search.h` (`Skill`), tags sf_15.1 and sf_16; node counts measured with 15.1 (levels
/// 2000 and 2200) and 19 (2200).
#[must_use]
pub fn early_end_words(plan: &Plan) -> Option<String> {
    let early = early_ends(plan);
    let highest = early.iter().max_by_key(|end| end.pick_depth)?;
    let levels: Vec<String> = early.iter().map(|end| end.level.to_string()).collect();
    let takes = highest.nodes.map(|nodes| format!(", usually after about {nodes} nodes")).unwrap_or_default();
    Some(format!(
        "a limit of {} is too low for {} {} of the opponent: {} at level {} picks its move at depth \
         {}{takes}, and a search that ends before makes another rung than its label says",
        plan.opponent.limits,
        if levels.len() == 1 { "level" } else { "levels" },
        levels.join(", "),
        plan.opponent.name,
        highest.level,
        highest.pick_depth,
    ))
}

/// The levels whose limits end a search before the move is picked.
fn early_ends(plan: &Plan) -> Vec<EarlyEnd> {
    let Some(scale) = plan.opponent.program.id_name.as_deref().and_then(scale_of) else { return Vec::new() };
    let limits = &plan.opponent.limits;
    let early = |level: u32| {
        let pick_depth = pick_depth(scale, level);
        let nodes = usual_nodes(scale, pick_depth);
        if limits.depth.is_some_and(|depth| depth < pick_depth) {
            Some(EarlyEnd { level, pick_depth, nodes: None })
        } else if nodes.zip(limits.nodes).is_some_and(|(usual, limit)| limit < usual) {
            Some(EarlyEnd { level, pick_depth, nodes })
        } else {
            None
        }
    };
    plan.rungs.iter().filter_map(|rung| early(rung.level?)).collect()
}

/// The scale of a released version, by the name the engine gives.
fn scale_of(id_name: &str) -> Option<Scale> {
    let version = id_name.strip_prefix("Stockfish ")?.split_whitespace().next()?;
    let major: u32 = version.split('.').next()?.parse().ok()?;
    match major {
        11..=15 => Some(Scale::Old),
        16..=99 => Some(Scale::New),
        _ => None,
    }
}

fn pick_depth(scale: Scale, elo: u32) -> u32 {
    let elo = f64::from(elo);
    let level = match scale {
        Scale::Old => ((elo - 1346.6).max(0.0) / 143.4).powf(1.0 / 0.806).clamp(0.0, 20.0),
        Scale::New => {
            let e = (elo - 1320.0) / 1870.0;
            (((37.2473 * e - 40.8525) * e + 22.2943) * e - 0.311_438).clamp(0.0, 19.0)
        }
    };
    // In 0..=20.
    1 + level as u32
}

/// The nodes that reaching a depth usually took, at the deepest depth up to this one that was tried.
fn usual_nodes(scale: Scale, depth: u32) -> Option<u64> {
    match (scale, depth) {
        (Scale::Old, 10..) => Some(56_000),
        (Scale::Old, 7..) => Some(7_000),
        (Scale::New, 6..) => Some(8_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_picked_at_the_depths_of_stockfishs_own_formula() {
        let depths =
            |scale, levels: &[u32]| levels.iter().map(|&elo| pick_depth(scale, elo)).collect::<Vec<_>>();
        // Read off the source of each version.
        let old = [1400, 1500, 1600, 1700, 1800, 1900, 2000, 2100, 2200, 2400];
        assert_eq!(depths(Scale::Old, &old), [1, 2, 3, 4, 5, 6, 7, 8, 10, 12]);
        let new = [1320, 1400, 1500, 1600, 1700, 1800, 1900, 2000, 2100, 2200, 2300, 2400, 2800, 3190];
        assert_eq!(depths(Scale::New, &new), [1, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 11, 19]);
    }

    #[test]
    fn only_released_versions_have_a_known_scale() {
        assert_eq!(scale_of("Stockfish 15.1"), Some(Scale::Old));
        assert_eq!(scale_of("Stockfish 17"), Some(Scale::New));
        for name in ["Stockfish dev-20240101-abc", "Stockfish", "Stockfish 10", "Mock", "Stockfish 240101"] {
            assert_eq!(scale_of(name), None, "{name}");
        }
    }
}
