//! Everything about one run that a report shows.

use std::collections::BTreeMap;
use std::path::Path;

use super::folder_games::FolderGames;
use super::found_audit::{audit_of_pgn, audit_of_run};
use super::pgn_games::PgnGames;
use super::replays::{ChosenGames, GameSource, choose};
use crate::audit::SavedAudit;
use crate::cli::derived::standing_text;
use crate::cli::exit::{Exit, Failure};
use crate::cli::match_engines::{self, ReportedMatch};
use crate::cli::{fit, print};
use crate::ladder::input::{InputError, InputOptions, Inputs, KnownSides, Results, read_inputs, run_inputs};
use crate::ladder::{Identity, RecordedIdentity, RunFolder, distinguishing_names};
use crate::rating::{Arrival, Fit, Unit, arrivals, fit as fit_ladder};
use crate::report::{audit_words, match_words, methods, rating_words, shortened};

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
    /// Whether the input's own name is longer.
    pub(super) is_cut: bool,
    /// What was read.
    pub(super) results: Results,
    /// Who played, where the input tells.
    pub(super) known: Option<KnownSides>,
    /// The subject's name among the runs of the report, where another run's subject has the same.
    pub(super) told_apart: Option<String>,
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
    pub(super) meeting: Option<ReportedMatch>,
    /// The audit of its games.
    pub(super) audit: Option<SavedAudit>,
    /// The games that the page plays.
    pub(super) games: ChosenGames,
}

impl Collected {
    /// The sentence to quote.
    pub(super) fn headline(&self) -> String {
        match &self.meeting {
            Some(meeting) => meeting.table.caption.clone(),
            None => shortened(&fit::headline(&self.fit, &self.results), LONGEST_PARAGRAPH),
        }
    }

    /// The name for people: with an ellipsis where it is cut.
    pub(super) fn shown_name(&self) -> String {
        if self.is_cut { format!("{}…", self.name) } else { self.name.clone() }
    }

    /// The subject's name: one that shows the difference where another run's subject has the same.
    pub(super) fn subject_name(&self) -> String {
        let name = self.told_apart.as_deref().or(self.results.subject.as_deref());
        name.unwrap_or_default().to_owned()
    }

    /// Who was measured, in a few words.
    pub(super) fn subject(&self) -> String {
        let name = match (&self.results.shown_conditions(), &self.results.subject) {
            (Some(conditions), _) => conditions.subject.clone(),
            (None, Some(subject)) => subject.clone(),
            (None, None) => self.results.source.clone(),
        };
        shortened(&name, 200)
    }

    /// The opponent with its limits and settings, where the input tells, and with what was observed where
    /// a limit was not kept.
    pub(super) fn shown_opponent(&self) -> Option<String> {
        self.results.shown_conditions().map(|conditions| shortened(&conditions.opponent, 300))
    }

    /// Games that the rating or the difference rests on, and the pairs among them.
    pub(super) fn rated(&self) -> (u64, u64) {
        self.meeting.as_ref().map_or((self.fit.games, self.fit.pairs), |meeting| {
            (meeting.summary.games, meeting.summary.pairs)
        })
    }

    /// What captions about the rating end with: players, limits, games.
    pub(super) fn about(&self) -> String {
        let (games, pairs) = self.rated();
        format!("{}; {}.", self.players(), fit::games_words(games, pairs))
    }

    /// What captions about all games end with.
    pub(super) fn about_all(&self) -> String {
        let (rated, all) = (self.rated().0, self.endings.len() as u64);
        if rated == all {
            return self.about();
        }
        format!("{}; {}, of which {rated} are rated.", self.players(), print::count(all, "game"))
    }

    fn players(&self) -> String {
        let against =
            self.shown_opponent().map(|opponent| format!(" against {opponent}")).unwrap_or_default();
        format!("{}{against}", self.subject())
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
        let mut results = inputs.results(subject).map_err(bad)?;
        results.source = shown_name(path);
        let mut games = PgnGames::read(path, results.subject.as_deref())?;
        let methods = vec![format!(
            "The results were read from {} by elometer {}; programs, their options and the machine are not known from \
             it.",
            results.source,
            env!("CARGO_PKG_VERSION")
        )];
        let audit = results.subject.as_deref().map(|subject| audit_of_pgn(path, subject)).transpose()?;
        let texts = (Vec::new(), methods);
        return assemble(name, &inputs, results, subject, &mut games, audit.flatten(), texts, room);
    }
    let folder = RunFolder::open(path)?;
    let (run, journal) = folder.read_journal()?;
    let source = path.display().to_string();
    let inputs = run_inputs(&source, &run, options).map_err(bad)?;
    let mut results = inputs.results(subject).map_err(bad)?;
    results.source = shown_name(path);
    let audit = audit_of_run(path, &folder, &run, results.subject.as_deref())?;
    let mut methods = methods(&run, &journal.sessions, folder.seal());
    let own = &folder.plan().subject.name;
    let turned = results.subject.as_ref().is_some_and(|subject| subject != own);
    let mut standing: Vec<String> = standing_text(&run).lines().map(str::to_owned).collect();
    if turned {
        let own = shortened(own, 200);
        standing.insert(0, format!("as the run tells it, whose subject is {own}:"));
        methods.insert(
            0,
            format!("The rating below is the opponent's; these paragraphs call {own} the subject, as the run does."),
        );
    }
    let mut games = FolderGames::new(&folder, &run, turned)?;
    assemble(name, &inputs, results, subject, &mut games, audit, (standing, methods), room)
}

#[expect(clippy::too_many_arguments, reason = "the parts of one run, put together once")]
fn assemble(
    (name, is_cut): (String, bool),
    inputs: &Inputs,
    results: Results,
    subject: Option<&str>,
    games: &mut dyn GameSource,
    audit: Option<SavedAudit>,
    (standing, mut methods): (Vec<String>, Vec<String>),
    room: (usize, usize),
) -> Result<Collected, Failure> {
    let fit = fit_ladder(&results.ladder);
    // Counts have no order.
    let found = inputs.unit_sequence(subject).unwrap_or_default().units;
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
    let meeting = if fit.games == 0 {
        match_engines::for_report(inputs, subject.or(results.subject.as_deref()))
    } else {
        None
    };
    let worst: Vec<usize> = audit.iter().flat_map(super::audit_section::worst_games).collect();
    let chosen = choose(games, &worst, room)?;
    match &meeting {
        Some(meeting) => methods.push(match_words(&meeting.summary)),
        None => methods.extend(rating_words(&fit)),
    }
    methods.extend(audit.as_ref().map(audit_words));
    // Names of engines may be of any length.
    methods.iter_mut().for_each(|paragraph| *paragraph = shortened(paragraph, LONGEST_PARAGRAPH));
    Ok(Collected {
        name,
        is_cut,
        known: inputs.known_sides(subject),
        told_apart: None,
        results,
        fit,
        arrivals,
        opponents,
        endings: games.endings(),
        standing,
        methods,
        meeting,
        audit,
        games: chosen,
    })
}

/// Gives subjects of one name in several runs, which are different players, names that show the
/// difference.
pub(super) fn tell_subjects_apart(runs: &mut [Collected]) {
    let mut groups = BTreeMap::<String, Vec<RecordedIdentity>>::new();
    let sides = |run: &Collected| Some((run.results.subject.clone()?, run.known.clone()?.subject));
    for (name, subject) in runs.iter().filter_map(sides) {
        let group = groups.entry(name).or_default();
        if !group.iter().any(|known| known.compare(&subject).is_same()) {
            group.push(subject);
        }
    }
    for run in runs {
        let Some((name, subject)) = sides(run) else { continue };
        let Some(group) = groups.get(&name).filter(|group| group.len() > 1) else { continue };
        let identities: Vec<&Identity> = group.iter().map(|known| &known.identity).collect();
        let names = distinguishing_names(&name, &identities);
        let place = group.iter().position(|known| known.compare(&subject).is_same());
        run.told_apart = place.and_then(|place| names.get(place).cloned());
    }
}

/// What the report calls an input: its own name, however it was reached, and no folder of this machine.
fn shown_name(path: &Path) -> String {
    let resolved = if path.file_name().is_none() { path.canonicalize().ok() } else { None };
    let name = resolved.as_deref().unwrap_or(path).file_name();
    name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// A name for files out of a path, and whether it is only the beginning of what the path says.
fn short_name(path: &Path) -> (String, bool) {
    let name = shown_name(path);
    let stem = if path.is_dir() { None } else { Path::new(&name).file_stem().and_then(|stem| stem.to_str()) };
    let text = stem.unwrap_or(&name);
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    let name: String = text.chars().take(LONGEST_NAME).map(plain).collect();
    let name = name.trim_matches(['-', '.']).to_owned();
    let is_cut = text.chars().nth(LONGEST_NAME).is_some();
    if name.is_empty() { ("run".to_owned(), false) } else { (name, is_cut) }
}
