//! How a rating was made, with the literature behind each part.

use crate::rating::{
    Absence, Estimate, Fit, MatchAbsence, MatchElo, MatchRemark, MatchSummary, Misfit, Priors, Remark,
    SlopeTest,
};

/// The paragraphs on how the rating of a ladder was made: the quoted line with its model and priors, what
/// an observation was, what stands beside it, the intervals of levels, the scale.
#[must_use]
pub fn rating_words(fit: &Fit) -> Vec<String> {
    let mut quoted = quoted_words(fit);
    // A bound is made in its own way, and says so.
    if !matches!(fit.quoted.line.estimate, Estimate::Absent(Absence::AllWon { .. } | Absence::AllLost { .. }))
    {
        quoted.push_str(&observation_words(fit));
    }
    let mut paragraphs = vec![quoted];
    paragraphs.extend(beside_words(fit));
    paragraphs.push(scale_words(fit));
    paragraphs
}

/// The paragraph on how the difference of two engines in a match was made.
#[must_use]
pub fn match_words(summary: &MatchSummary) -> String {
    let copies = summary.remarks.iter().any(|remark| matches!(remark, MatchRemark::Copies { .. }));
    let observations = match Observations::of(summary.games, summary.pairs, summary.units, copies) {
        Observations::Copies => {
            format!("{} observations, games that repeat an earlier one in one with it", summary.units)
        }
        Observations::Games => {
            "games as observations, each taken as independent, since no opening pairs are known".to_owned()
        }
        Observations::Pairs => "opening pairs as observations".to_owned(),
        Observations::Mixed { single } => {
            format!("opening pairs as observations, and {single} games without a pair as one each")
        }
    };
    match summary.elo {
        MatchElo::Interval(_) => format!(
            "The difference in Elo is 400 log10(s / (1 - s)) of the score s. Its 95 % interval is that of the score, \
             with {observations}: {WILSON}, its ends turned into Elo. {DERIVED}"
        ),
        MatchElo::Absent(MatchAbsence::AllWon { .. } | MatchAbsence::AllLost { .. }) => {
            format!("{ONE_WINNER} {DERIVED}")
        }
        MatchElo::Absent(_) => "The games determine no difference.".to_owned(),
    }
}

const ONE_WINNER: &str = "Every game had the same winner, so there is no estimate but an exact one-sided bound with \
                          95 % confidence (Clopper and Pearson, Biometrika 26, 1934), two games of a pair as one \
                          observation.";

const WILSON: &str = "Wilson's (JASA 22, 1927) with the effective number of games, as many won-or-lost ones \
                      as would vary as much as the observations do (Korn and Graubard, Survey Methodology \
                      24, 1998), and Student's t";

const DERIVED: &str = concat!(
    "Formulas, comparisons with other programs and simulated coverage are in docs/statistics.md and \
     docs/statistics-matches.md of elometer ",
    env!("CARGO_PKG_VERSION"),
    "."
);

fn quoted_words(fit: &Fit) -> String {
    let Priors { slope_mean, slope_sd, tau_scale } = fit.quoted.priors;
    match fit.quoted.line.estimate {
        Estimate::Interval(_) => {
            let mut text = format!(
                "The rating R is the level at which the subject is expected to score half. Quoted are the \
                 median and the central 95 % of its posterior under logit E[score at level r] = b k (R - r) \
                 + error of the level, k = ln 10 / 400. The priors are normal for the slope b (mean \
                 {slope_mean}, standard deviation {slope_sd}), normal for level errors, whose standard \
                 deviation is half-normal with scale {tau_scale} Elo, and flat for R. The likelihood is \
                 linearised at its mode (Breslow and Clayton, JASA 88, 1993) and the standard deviation of \
                 the level errors integrated on a grid (Gelman et al., Bayesian Data Analysis, section \
                 5.4)."
            );
            for remark in &fit.quoted.line.remarks {
                match remark {
                    Remark::LevelsJoined { levels, groups } => text.push_str(&format!(
                        " The {levels} levels, some met too seldom to show an error of their own, were \
                         joined with their neighbours into {groups}."
                    )),
                    Remark::PriorsCarryMost { .. } => {
                        text.push_str(" With so few levels the priors carry most of the interval.")
                    }
                    _ => {}
                }
            }
            text
        }
        Estimate::Absent(Absence::AllWon { .. } | Absence::AllLost { .. }) => ONE_WINNER.to_owned(),
        Estimate::Absent(_) => "The games determine no rating.".to_owned(),
    }
}

/// What results take for one observation.
enum Observations {
    /// Every game.
    Games,
    /// Every opening pair.
    Pairs,
    /// Opening pairs, and this many games without one.
    Mixed { single: u64 },
    /// Either, and games that repeat an earlier one are in one with it.
    Copies,
}

impl Observations {
    fn of(games: u64, pairs: u64, units: u64, copies: bool) -> Self {
        match (copies, pairs) {
            (true, _) => Self::Copies,
            (false, 0) => Self::Games,
            (false, _) if 2 * pairs == games => Self::Pairs,
            (false, _) => Self::Mixed { single: units.saturating_sub(pairs) },
        }
    }

    fn of_fit(fit: &Fit) -> Self {
        Self::of(fit.games, fit.pairs, fit.units, copied_games(fit) > 0)
    }
}

fn copied_games(fit: &Fit) -> u64 {
    fit.remarks.iter().map(|remark| if let Remark::Copies { games } = remark { *games } else { 0 }).sum()
}

/// What the intervals of a fit take for one observation, for the end of a sentence: `opening pairs are the
/// observations`.
#[must_use]
pub fn observation_clause(fit: &Fit) -> String {
    match Observations::of_fit(fit) {
        Observations::Games => "games are the observations, each taken as independent".to_owned(),
        Observations::Pairs => "opening pairs are the observations".to_owned(),
        Observations::Mixed { single } => {
            format!("opening pairs are the observations, and {single} games without a pair")
        }
        Observations::Copies => {
            format!("{} observations, games that repeat an earlier one in one with it", fit.units)
        }
    }
}

fn observation_words(fit: &Fit) -> String {
    if fit.games == 0 {
        return String::new();
    }
    match Observations::of_fit(fit) {
        Observations::Games => {
            " Games are the observations, each taken as independent, since no opening pairs are \
                                known; if openings were played in pairs, the intervals ignore it."
                .to_owned()
        }
        Observations::Pairs => {
            " Opening pairs are the observations: the two games of an opening against one opponent \
                                are not independent and count as one."
                .to_owned()
        }
        Observations::Mixed { single } => format!(
            " There are {} observations: {} opening pairs, whose two games are not independent and count as one, \
             and {single} games without a pair.",
            fit.units, fit.pairs
        ),
        Observations::Copies => format!(
            " There are {} observations, each an opening pair or a game without one; the {} games that repeat an \
             earlier one move for move are in that one's observation.",
            fit.units,
            copied_games(fit)
        ),
    }
}

/// What stands beside the quoted line, where it does.
fn beside_words(fit: &Fit) -> Option<String> {
    let mut sentences = Vec::new();
    if fit.elo_curve.estimate.interval().is_some() {
        sentences.push(
            "Beside it stands the maximum-likelihood rating on the Elo curve (b = 1, no level errors) with \
             a standard error from the spread of observations within levels (Liang and Zeger, Biometrika \
             73, 1986; the curve's own variance where the observations of a level are all alike) and \
             Student's t, which allows for luck alone."
                .to_owned(),
        );
    }
    match fit.misfit {
        Some(Misfit::Tested { .. }) => sentences.push(
            "Whether the levels agree on a curve is tested by Pearson's X2 against chi-squared: the sum \
             over levels with at least two observations of the squared difference between score and expectation, divided by phi n p (1 - \
             p) with n games and expectation p each; phi is the variance of the observations within levels \
             relative to that of won-or-lost games."
                .to_owned(),
        ),
        Some(Misfit::NotTested { .. }) => {
            sentences.push("There were too few levels to test whether they agree on the curve.".to_owned());
        }
        None => {}
    }
    if let Some(free) = fit.free_slope.as_ref().filter(|free| free.unit.estimate.interval().is_some()) {
        let mut text =
            "The free slope is the same curve with b fitted; its interval is Fieller's (JRSS B 16, 1954)"
                .to_owned();
        if let (Some(_), Some(SlopeTest::Tested { .. })) = (free.slope, fit.slope_test) {
            text.push_str(
                ", and the F beside it is the likelihood ratio against b = 1 over phi and over the misfit that is \
                 left",
            );
        }
        sentences.push(text + ".");
    }
    if fit.without_priors.as_ref().is_some_and(|found| found.line.estimate.interval().is_some()) {
        sentences.push(
            "The line without priors is the wider of the Elo curve's interval and, where there are enough \
             levels, one that takes levels as observations (CR2 with the degrees of freedom of Bell and \
             McCaffrey, Survey Methodology 28, 2002)."
                .to_owned(),
        );
    }
    if fit.levels.iter().any(|level| level.games > 0) {
        let at_an_end = |score: f64| score <= 0.0 || score >= 1.0;
        let bounds = fit.levels.iter().filter_map(|level| level.score).any(|score| at_an_end(score.score));
        let bounds = if bounds {
            "; a level at 0 or 100 % implies an exact one-sided bound (Clopper and Pearson, Biometrika 26, \
             1934)"
        } else {
            ""
        };
        sentences.push(format!("Intervals of the levels' scores are {WILSON}{bounds}."));
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn scale_words(fit: &Fit) -> String {
    let mut text = "The rating is on the scale of the levels' labels.".to_owned();
    if let Some(scale) = fit.scale {
        text.push_str(&format!(
            " Where these are Stockfish's UCI_Elo the scale is uncertain itself: labels off by {} Elo each, as \
             its calibration leaves them, and off by {:.0} as a whole (within 100 of CCRL Blitz, taken as 95 %) \
             would make the standard error {:.0} Elo with these games and {:.0} with any number of them. Errors \
             of labels against each other are in the quoted interval, an offset of the whole scale is in none.",
            scale.level_label_sd, scale.scale_sd, scale.total, scale.floor
        ));
    }
    text.push(' ');
    text.push_str(DERIVED);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{Ladder, Level, Meeting, Tally, Unit, fit, summarize_match};

    /// At 1600, 1800, 2000, 2200: how many pairs of 4, 2 and 0 half points.
    fn ladder(pairs: [[u64; 3]; 4]) -> Fit {
        let level = |(number, [won, even, lost]): (u32, [u64; 3])| {
            let pair = |half_points| Unit { games: 2, half_points };
            let units = [(pair(4), won), (pair(2), even), (pair(0), lost)];
            Level::new(1600.0 + 200.0 * f64::from(number), 2 * won + even, 0, 2 * lost + even, units).unwrap()
        };
        fit(&Ladder::new((0..).zip(pairs).map(level)))
    }

    #[test]
    fn pairs_on_a_ladder_have_their_model_tests_and_scale() {
        let fit = ladder([[9, 5, 1], [7, 5, 3], [3, 5, 7], [1, 5, 9]]);
        let text = rating_words(&fit).join("\n");
        for part in
            ["Breslow and Clayton", "mean 1, standard deviation 0.4", "scale 90 Elo", "Opening pairs are the"]
        {
            assert!(text.contains(part), "{part}\n{text}");
        }
        for part in
            ["Pearson's X2", "Fieller", "Wilson", "Korn and Graubard", "Bell and McCaffrey", "off by 51 as a"]
        {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains("Clopper") && !text.contains("without a pair"), "{text}");
        // What a page cuts would be lost.
        assert!(rating_words(&fit).iter().all(|paragraph| paragraph.len() < 3000));
    }

    #[test]
    fn what_was_not_done_is_not_claimed() {
        let games = Level::from_games(1800.0, 12, 3, 9).unwrap();
        let text = rating_words(&fit(&Ladder::new([games.clone()]))).join("\n");
        assert!(text.contains("Games are the observations") && text.contains("too few levels"), "{text}");
        assert!(text.contains("the priors carry most") && !text.contains("Fieller"), "{text}");
        assert!(!text.contains("Pearson's X2") && !text.contains("pairs are the observations"), "{text}");
        let pair = Unit { games: 2, half_points: 2 };
        let paired = Level::new(1900.0, 6, 0, 6, [(pair, 6)]).unwrap();
        let mixed = rating_words(&fit(&Ladder::new([games, paired]))).join("\n");
        assert!(mixed.contains("30 observations: 6 opening pairs"), "{mixed}");
        let won = rating_words(&fit(&Ladder::new([Level::from_games(1800.0, 9, 0, 0).unwrap()]))).join("\n");
        assert!(won.starts_with("Every game had the same winner") && won.contains("Clopper"), "{won}");
        assert!(!won.contains("Breslow") && !won.contains("Liang"), "{won}");
        let nothing = rating_words(&fit(&Ladder::default())).join("\n");
        assert!(nothing.starts_with("The games determine no rating."), "{nothing}");
        assert!(!nothing.contains("Wilson") && !nothing.contains("observations"), "{nothing}");
    }

    #[test]
    fn a_match_says_what_an_observation_was() {
        let words = |units: &[(u32, u32, u64)], [wins, draws, losses]: [u64; 3]| {
            let meeting = Meeting {
                as_white: Tally { wins, draws, losses },
                units: units
                    .iter()
                    .map(|(games, half_points, count)| {
                        (Unit { games: *games, half_points: *half_points }, *count)
                    })
                    .collect(),
                ..Meeting::default()
            };
            match_words(&summarize_match(&meeting).unwrap())
        };
        let games = words(&[(1, 2, 5), (1, 0, 4), (1, 1, 3)], [5, 3, 4]);
        assert!(games.contains("games as observations, each taken"), "{games}");
        let pairs = words(&[(2, 4, 5), (2, 0, 4), (2, 2, 3)], [13, 0, 11]);
        assert!(pairs.contains("with opening pairs as observations: Wilson's"), "{pairs}");
        let mixed = words(&[(2, 4, 5), (2, 0, 4), (1, 2, 3)], [13, 0, 8]);
        assert!(mixed.contains("and 3 games without a pair as one each"), "{mixed}");
        let won = words(&[(2, 4, 5)], [10, 0, 0]);
        assert!(won.contains("exact one-sided bound") && !won.contains("Wilson"), "{won}");
        let alike = words(&[(2, 2, 5)], [5, 0, 5]);
        assert!(alike.starts_with("The games determine no difference."), "{alike}");
    }
}
