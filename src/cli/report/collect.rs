//! Everything about one run that a report shows.

use std::collections::BTreeMap;
use std::path::Path;

use super::folder_games::FolderGames;
use super::pgn_games::PgnGames;
use super::replays::{ChosenGames, GameSource, choose};
use crate::audit::SavedAudit;
use crate::cli::derived::standing_text;
use crate::cli::exit::{Exit, Failure};
use crate::cli::{fit, match_engines, print};
use crate::ladder::RunFolder;
use crate::ladder::input::{InputError, InputOptions, Inputs, Results, read_inputs, run_inputs};
use crate::rating::{Arrival, Fit, Unit, arrivals, fit as fit_ladder};
use crate::report::{Table, methods, shortened};

/// How many beginnings of a run are fitted.
const ARRIVALS: usize = 40;
/// Letters of a paragraph.
const LONGEST_PARAGRAPH: usize = 3000;
/// Letters of a run's name.
const LONGEST_NAME: usize = 40;

/// One run.
pub(super) struct Collected {
    /// Short, of letters, digits, dots and hyphens: it begins the names of files.
    pub(super) name: String,
    /// What was read.
    pub(super) results: Results,
    /// What the games say.
    pub(super) fit: Fit,
    /// The rating as games arrive.
    pub(super) arrivals: Vec<Arrival>,
    /// The units against each opponent.
    pub(super) opponents: Vec<(String, Vec<(Unit, u64)>)>,
    /// Plies and ending of each game, where the input tells.
    pub(super) endings: Vec<(u32, String)>,
    /// The standing, a line each: games, faults, latency.
    pub(super) standing: Vec<String>,
    /// The paragraphs for a paper.
    pub(super) methods: Vec<String>,
    /// The match, where no opponent has a level.
    pub(super) match_table: Option<(Table, Vec<String>)>,
    /// The audit of its folder.
    pub(super) audit: Option<SavedAudit>,
    /// The games that the page plays.
    pub(super) games: ChosenGames,
}

impl Collected {
    /// The sentence to quote.
    pub(super) fn headline(&self) -> String {
        match &self.match_table {
            Some((table, _)) if self.fit.games == 0 => table.caption.clone(),
            _ => shortened(&fit::headline(&self.fit, &self.results), LONGEST_PARAGRAPH),
        }
    }

    /// Who was measured, in a few words.
    pub(super) fn subject(&self) -> String {
        let name = match (&self.results.conditions, &self.results.subject) {
            (Some(conditions), _) => conditions.subject.clone(),
            (None, Some(subject)) => subject.clone(),
            (None, None) => self.results.source.clone(),
        };
        shortened(&name, 200)
    }

    /// What every caption ends with: players, limits, games.
    pub(super) fn about(&self) -> String {
        let against = self
            .results
            .conditions
            .as_ref()
            .map(|conditions| format!(" against {}", conditions.opponent))
            .unwrap_or_default();
        let games = self.results.ladder.games().max(self.endings.len() as u64);
        let pairs = self.results.ladder.pairs();
        let pairs = if pairs > 0 { format!(" ({})", print::count(pairs, "pair")) } else { String::new() };
        format!("{}{}; {}{pairs}.", self.subject(), shortened(&against, 300), print::count(games, "game"))
    }
}

/// Reads one input and everything that belongs to it. `room`: how many games the page may play, and
/// their bytes.
pub(super) fn collect(
    path: &Path,
    subject: Option<&str>,
    options: &InputOptions,
    room: (usize, usize),
) -> Result<Collected, Failure> {
    let bad = |error: InputError| Failure::new(Exit::BadInput, error);
    let name = short_name(path);
    if !path.is_dir() {
        let inputs = read_inputs(&[path.to_owned()], options).map_err(bad)?;
        let results = inputs.results(subject).map_err(bad)?;
        let mut games = PgnGames::read(path, results.subject.as_deref())?;
        let methods = vec![format!(
            "The games were read from {} by elometer {}; the file says nothing of engines, options or machine.",
            results.source,
            env!("CARGO_PKG_VERSION")
        )];
        return assemble(name, &inputs, results, subject, &mut games, None, (Vec::new(), methods), room);
    }
    let folder = RunFolder::open(path)?;
    let (run, journal) = folder.read_journal()?;
    let source = path.display().to_string();
    let inputs = run_inputs(&source, &run, options).map_err(bad)?;
    let results = inputs.results(subject).map_err(bad)?;
    let audit = SavedAudit::read(path)?;
    let counted = run.counted().count() as u64;
    if let Some(audit) = audit.as_ref().filter(|audit| audit.games != counted) {
        print::warning(&format!(
            "{}: audited with {}, and {} count now\nhint: run `elometer audit {}` again; what was searched is kept",
            path.display(),
            print::count(audit.games, "game"),
            counted,
            path.display()
        ));
    }
    if audit.is_none() && path.join("audit.csv").exists() {
        print::note(&format!(
            "hint: {} was audited by an older elometer; `elometer audit` again adds audit.json, without searching",
            path.display()
        ));
    }
    let methods = methods(&run, &journal.sessions, folder.seal());
    let standing = standing_text(&run).lines().map(str::to_owned).collect();
    let mut games = FolderGames::new(&folder, &run)?;
    assemble(name, &inputs, results, subject, &mut games, audit, (standing, methods), room)
}

#[expect(clippy::too_many_arguments, reason = "the parts of one run, put together once")]
fn assemble(
    name: String,
    inputs: &Inputs,
    results: Results,
    subject: Option<&str>,
    games: &mut dyn GameSource,
    audit: Option<SavedAudit>,
    (standing, mut methods): (Vec<String>, Vec<String>),
    room: (usize, usize),
) -> Result<Collected, Failure> {
    let fit = fit_ladder(&results.ladder);
    let found = match inputs.unit_sequence(subject) {
        Ok(sequence) => sequence.units,
        // Counts have no order.
        Err(_) => Vec::new(),
    };
    let with_levels: Vec<(f64, Unit)> = found
        .iter()
        .filter_map(|unit| {
            let one = Unit { games: unit.games, half_points: unit.half_points };
            Some((unit.level.as_ref()?.elo, one))
        })
        .collect();
    let arrivals = arrivals(&with_levels, ARRIVALS).map_err(|error| Failure::new(Exit::BadInput, error))?;
    let mut opponents: Vec<(String, Vec<(Unit, u64)>)> = results
        .ladder
        .levels()
        .iter()
        .map(|level| (level.elo().to_string(), level.units().collect()))
        .collect();
    if opponents.is_empty() {
        let mut by_name = BTreeMap::<String, BTreeMap<Unit, u64>>::new();
        for unit in &found {
            let one = Unit { games: unit.games, half_points: unit.half_points };
            *by_name.entry(shortened(&unit.opponent, 60)).or_default().entry(one).or_default() += 1;
        }
        opponents = by_name.into_iter().map(|(name, units)| (name, units.into_iter().collect())).collect();
    }
    let match_table = if fit.games == 0 { match_engines::for_report(inputs) } else { None };
    let worst: Vec<usize> = audit.iter().flat_map(super::audit_section::worst_games).collect();
    let chosen = choose(games, &worst, room)?;
    methods.push(rating_words(&fit, match_table.is_some()));
    if let Some(audit) = &audit {
        methods.push(format!(
            "{} moves of {} games were audited: the judge was {}. Best and chosen move were searched at the same \
             position and budget from a cleared state; a move that loses more than {} centipawns at the largest \
             budget breaks the rule. Upper bounds are Clopper and Pearson's with 95 % confidence.",
            audit.moves, audit.games, audit.judge, audit.limit_cp
        ));
    }
    // Names of engines may be of any length.
    methods.iter_mut().for_each(|paragraph| *paragraph = shortened(paragraph, LONGEST_PARAGRAPH));
    Ok(Collected {
        name,
        results,
        fit,
        arrivals,
        opponents,
        endings: games.endings(),
        standing,
        methods,
        match_table,
        audit,
        games: chosen,
    })
}

/// How the rating was made, for a paper.
fn rating_words(fit: &Fit, is_match: bool) -> String {
    if is_match {
        return "The difference in Elo is that of the score, with opening pairs as observations and a 95 % interval \
                by Student's t."
            .to_owned();
    }
    let mut text = format!(
        "The rating is the median of the posterior of R50, the level at which the subject scores half, with its \
         central 95 % interval. The model allows the slope of the score to differ from Elo's and every level to be \
         off ({}). Opening pairs are the observations.",
        fit::priors_words()
    );
    if fit.elo_curve.estimate.interval().is_some() {
        text.push_str(
            " Beside it stands the maximum-likelihood rating on the Elo curve with an interval from the spread of \
             pairs within levels (Student's t), which allows for luck alone.",
        );
    }
    text
}

/// A name for files out of a path.
fn short_name(path: &Path) -> String {
    let stem = if path.is_dir() { path.file_name() } else { path.file_stem() };
    let resolved = path.canonicalize().ok();
    let stem = stem.or_else(|| resolved.as_deref().and_then(Path::file_name));
    let text = stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    let name: String = text.chars().take(LONGEST_NAME).map(plain).collect();
    let name = name.trim_matches(['-', '.']).to_owned();
    if name.is_empty() { "run".to_owned() } else { name }
}
