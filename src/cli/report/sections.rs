//! From what was collected to charts, tables and the sections of the page.

use super::audit_section::{audit_charts, audit_items, audit_tables};
use super::collect::Collected;
use super::files::NamedTable;
use crate::cli::fit;
use crate::cli::print::{self, count};
use crate::ladder::RecordedIdentity;
use crate::rating::{Estimate, Interval};
use crate::report::{
    Chart, Column, Fact, FigureError, Item, Page, PageFigure, PageTable, Section, Table, arrivals_chart,
    ending_chart, forest_chart, implied_chart, observation_clause, pentanomial_chart, residual_chart,
    score_chart, shortened,
};

/// Letters of a table's cell.
const LONGEST_CELL: usize = 300;

/// Every figure of a run.
pub(super) fn run_charts(run: &Collected) -> Vec<Chart> {
    let (about, fit, scale) = (run.about(), &run.fit, fit::level_words(&run.results));
    let charts = [
        score_chart(&about, scale, fit),
        implied_chart(&about, scale, fit),
        residual_chart(&about, scale, fit),
        arrivals_chart(&about, &run.arrivals, fit)
            .map(|chart| with_copies(chart, run.results.ladder.copied_games())),
        pentanomial_chart(&about, &run.opponents),
        ending_chart(&run.about_all(), &run.endings, !run.standing.is_empty()),
    ];
    let audit = run.audit.as_ref().map(audit_charts).unwrap_or_default();
    charts.into_iter().flatten().chain(audit).collect()
}

/// Copies count for nothing in the arrivals; in the rating they are one observation with what they repeat.
fn with_copies(mut chart: Chart, copies: u64) -> Chart {
    if copies > 0 {
        chart.caption.push_str(&format!(
            " {} that repeat earlier ones are left out here and are one with them in the band, so the last point may \
             differ from it.",
            count(copies, "game")
        ));
    }
    chart
}

/// Every table of a run.
pub(super) fn run_tables(run: &Collected) -> Vec<NamedTable> {
    let mut tables = Vec::new();
    if !run.fit.levels.is_empty() {
        let (levels, lines) = fit::captioned_tables(&run.results, &run.fit, true);
        let data = Some(fit::level_data(&run.fit));
        tables.push(NamedTable { name: "levels", title: "Levels", table: levels, data });
        tables.push(NamedTable {
            name: "methods",
            title: "The same games by every method",
            table: lines,
            data: None,
        });
    }
    if let Some(meeting) = &run.meeting {
        let table = meeting.table.clone();
        tables.push(NamedTable { name: "match", title: "The match", table, data: None });
    }
    tables.extend(run.audit.iter().flat_map(audit_tables));
    for named in &mut tables {
        shorten(&mut named.table);
    }
    tables
}

/// Names may be of any length.
fn shorten(table: &mut Table) {
    table.caption = shortened(&table.caption, 4 * LONGEST_CELL);
    for cell in table.rows.iter_mut().flatten() {
        *cell = shortened(cell, LONGEST_CELL);
    }
}

/// Several runs side by side.
pub(super) fn runs_table(runs: &[Collected]) -> NamedTable {
    let mut table = Table::new(vec![
        Column::words("run"),
        Column::words("subject"),
        Column::words("against"),
        Column::numbers("games"),
        Column::numbers("pairs"),
        Column::numbers("quoted R"),
        Column::numbers("95 %"),
        Column::numbers("Elo curve"),
        Column::numbers("95 %"),
    ]);
    table.caption =
        "The runs with their quoted ratings, which allow for a wrong slope and wrong levels, and with the \
                     Elo curve's, whose interval allows for luck alone; Elo."
            .to_owned();
    if runs.iter().any(|run| run.meeting.is_some()) {
        table.caption.push_str(" A match has no rating; its own table says the difference.");
    }
    if let Some(words) = other_opponents(runs) {
        table.caption.push_str(&format!(" {words}"));
    }
    for run in runs {
        let [quoted, curve] = [run.fit.quoted.line.estimate, run.fit.elo_curve.estimate].map(estimate_cells);
        let mut row = vec![
            run.shown_name(),
            shortened(&run.subject_name(), 60),
            run.shown_opponent().unwrap_or_default(),
            run.rated().0.to_string(),
            run.rated().1.to_string(),
        ];
        row.extend(quoted);
        row.extend(curve);
        table.rows.push(row);
    }
    NamedTable { name: "runs", title: "The runs", table, data: None }
}

/// What to know where the runs were not played against the same.
fn other_opponents(runs: &[Collected]) -> Option<String> {
    let rated: Vec<&Collected> = runs.iter().filter(|run| run.meeting.is_none()).collect();
    let known: Vec<&RecordedIdentity> =
        rated.iter().filter_map(|run| Some(&run.known.as_ref()?.opponent)).collect();
    let different = known.iter().zip(known.iter().skip(1)).any(|(one, next)| !one.compare(next).is_same());
    if different {
        Some(
            "The runs were played against different opponents: UCI_Elo of another engine, or at other limits, is \
             another scale."
                .to_owned(),
        )
    } else if known.len() < rated.len() && rated.len() > 1 {
        Some("Whether all runs were played against the same opponents is not known.".to_owned())
    } else {
        None
    }
}

fn estimate_cells(estimate: Estimate) -> [String; 2] {
    match estimate.interval() {
        None => Default::default(),
        Some(Interval { rating, low, high, .. }) => {
            let places = print::decimals(low, high, 0);
            [format!("{rating:.places$}"), format!("[{low:.places$}, {high:.places$}]")]
        }
    }
}

/// The page. `prefix` is what the files of a run begin with.
pub(super) fn page(runs: &[Collected], prefix: impl Fn(&Collected) -> String) -> Result<Page, FigureError> {
    let several = runs.len() > 1;
    let mut sections = Vec::new();
    let mut games = Vec::new();
    if several {
        sections.push(overview(runs)?);
    }
    for run in runs {
        let prefix = prefix(run);
        let first = games.len();
        games.extend(run.games.replays.iter().cloned());
        sections.extend(run_sections(run, &prefix, several, first)?);
    }
    let subjects: Vec<String> = runs.iter().map(Collected::subject).collect();
    let title = match runs {
        [only] => only.results.subject.clone().unwrap_or_else(|| only.name.clone()),
        _ => count(runs.len(), "run"),
    };
    let subtitle = match runs {
        [only] => only.about(),
        _ => subjects.join("; "),
    };
    let sources: Vec<&str> = runs.iter().map(|run| run.results.source.as_str()).collect();
    Ok(Page {
        title: format!("{}: strength and conduct", shortened(&title, 80)),
        subtitle,
        made_by: format!(
            "Made by elometer {} from {}. Intervals are of 95 %. Every figure has its data beside it in figures/, \
             every table its CSV, Markdown and LaTeX in tables/.",
            env!("CARGO_PKG_VERSION"),
            shortened(&sources.join(", "), 500)
        ),
        sections,
        games,
    })
}

/// The ratings of the runs; a match has none.
pub(super) fn forest(runs: &[Collected]) -> Option<Chart> {
    let rated = runs.iter().filter(|run| run.meeting.is_none());
    let fits: Vec<_> = rated.map(|run| (run.shown_name(), &run.fit)).collect();
    let mut chart = forest_chart(&fits)?;
    chart.about = other_opponents(runs).unwrap_or_default();
    Some(chart)
}

fn overview(runs: &[Collected]) -> Result<Section, FigureError> {
    let mut items = Vec::new();
    items.extend(other_opponents(runs).map(|text| Item::Text { text, warning: true }));
    if let Some(chart) = forest(runs) {
        items.push(Item::Figure(Box::new(PageFigure::new(
            &chart,
            "",
            format!("figures/{}.csv", chart.name),
        )?)));
    }
    let named = runs_table(runs);
    items.push(Item::Table(Box::new(PageTable::new(&named.table, "table-runs".to_owned(), named.title))));
    Ok(Section { id: "runs".to_owned(), heading: "The runs".to_owned(), level: 2, items })
}

/// The figures of these names, in their order.
fn figures(charts: &[Chart], names: &[&str], prefix: &str) -> Result<Vec<Item>, FigureError> {
    let mut items = Vec::new();
    for chart in names.iter().filter_map(|name| charts.iter().find(|chart| chart.name == *name)) {
        let data = format!("figures/{prefix}{}.csv", chart.name);
        items.push(Item::Figure(Box::new(PageFigure::new(chart, prefix, data)?)));
    }
    Ok(items)
}

fn table_items(tables: &[NamedTable], names: &[&str], prefix: &str) -> Vec<Item> {
    let found = tables.iter().filter(|named| names.contains(&named.name) && !named.table.rows.is_empty());
    found
        .map(|named| {
            let id = format!("{prefix}table-{}", named.name);
            Item::Table(Box::new(PageTable::new(&named.table, id, named.title)))
        })
        .collect()
}

fn run_sections(
    run: &Collected,
    prefix: &str,
    several: bool,
    first_game: usize,
) -> Result<Vec<Section>, FigureError> {
    let (charts, tables) = (run_charts(run), run_tables(run));
    let level = if several { 3 } else { 2 };
    let section = |id: &str, heading: &str, items: Vec<Item>| Section {
        id: format!("{prefix}{id}"),
        heading: heading.to_owned(),
        level,
        items,
    };
    let mut sections = Vec::new();
    if several {
        let text = Item::Text { text: run.about(), warning: false };
        sections.push(Section {
            id: format!("{prefix}run"),
            heading: run.shown_name(),
            level: 2,
            items: vec![text],
        });
    }
    let mut rating = vec![Item::Facts { facts: rating_facts(run) }, plain(run.headline())];
    if let Some(meeting) = &run.meeting {
        rating.push(Item::List { lines: meeting.lines.clone() });
    }
    let shown = fit::shown_lines(&run.fit, false);
    let (warnings, notes): (Vec<_>, Vec<_>) = fit::remarks(&run.fit, &shown)
        .into_iter()
        .chain(fit::input_words(&run.results))
        .partition(|line| line.starts_with("warning"));
    rating.extend(warnings.into_iter().map(|text| Item::Text { text, warning: true }));
    rating.extend(figures(&charts, &["score", "implied", "residuals", "arrivals"], prefix)?);
    rating.extend(table_items(&tables, &["levels", "match", "methods"], prefix));
    let mut lines = fit::test_words(&run.fit);
    lines.extend(fit::ladder_lines(&run.fit));
    if run.fit.quoted.ladder.is_some() {
        lines.push(fit::priors_words());
    }
    lines.extend(notes);
    rating.push(Item::List { lines });
    sections.push(section("rating", "Rating", rating));

    let mut games = Vec::new();
    if !run.standing.is_empty() {
        games.push(Item::List { lines: run.standing.clone() });
    }
    games.extend(figures(&charts, &["pentanomial", "endings"], prefix)?);
    if !games.is_empty() {
        sections.push(section("games-played", "Games", games));
    }
    if let Some(audit) = &run.audit {
        let mut items = audit_items(audit, run, first_game, prefix);
        let gallery = items.pop();
        items.extend(figures(&charts, &["drops", "accuracy", "optimism"], prefix)?);
        items.extend(table_items(
            &tables,
            &["audit-clauses", "audit-rulers", "audit-quality", "audit-findings"],
            prefix,
        ));
        items.push(Item::List { lines: audit.sentences.clone() });
        sections.push(section("audit", "Audit of the moves", items));
        sections.extend(gallery.map(|gallery| section("worst", "The worst audited moves", vec![gallery])));
    }
    if !run.games.replays.is_empty() {
        let player =
            Item::Games { first: first_game, count: run.games.replays.len(), note: run.games.note() };
        sections.push(section("replay", "Games to look at", vec![player]));
    }
    let paragraphs = run.methods.iter().map(|text| plain(text.clone())).collect();
    sections.push(section("methods", "Methods", paragraphs));
    Ok(sections)
}

fn plain(text: String) -> Item {
    Item::Text { text, warning: false }
}

/// The numbers to take away.
fn rating_facts(run: &Collected) -> Vec<Fact> {
    let fit = &run.fit;
    let games = fit::games_words(fit.games, fit.pairs);
    let mut facts = Vec::new();
    let mut rating = |label: &str, estimate: Estimate, method: &str| {
        let (value, interval) = match estimate.interval() {
            Some(Interval { rating, low, high, .. }) => {
                let places = print::decimals(low, high, 0);
                (format!("{rating:.places$} Elo"), format!("95 % [{low:.places$}, {high:.places$}]"))
            }
            None => ("no estimate".to_owned(), "see below".to_owned()),
        };
        facts.push(Fact {
            label: label.to_owned(),
            value,
            interval,
            count: games.clone(),
            method: method.to_owned(),
        });
    };
    if fit.games > 0 {
        rating(
            "Rating to quote",
            fit.quoted.line.estimate,
            &format!(
                "Median and central 95 % of the posterior of R50, the level at which the subject scores half. Allows \
                 for luck, for another slope than Elo's and for levels that are off; {}.",
                observation_clause(fit)
            ),
        );
        rating(
            "Elo curve alone",
            fit.elo_curve.estimate,
            "Maximum likelihood on the Elo curve; the interval is from the spread of the observations within levels \
             (Student's t) and allows for luck alone.",
        );
    }
    if let Some(ladder) = fit::found_ladder(fit) {
        facts.push(Fact {
            label: "Slope of the score".to_owned(),
            value: format!("{:.2} of Elo's", ladder.slope_median),
            interval: format!("95 % [{:.2}, {:.2}]", ladder.slope_low, ladder.slope_high),
            count: games.clone(),
            method: "Posterior median and interval of the quoted model: 1 is Elo's curve, less a score that falls \
                     more slowly with the level."
                .to_owned(),
        });
        facts.push(Fact {
            label: "Levels disagree by about".to_owned(),
            value: format!("{:.0} Elo", ladder.tau_median),
            interval: format!("at most {:.0} with 90 %", ladder.tau_upper90),
            count: count(fit.levels.len(), "level"),
            method: "Posterior median and 90 % bound of the standard deviation of level errors.".to_owned(),
        });
    }
    let [wins, draws, losses] = fit.levels.iter().fold([0, 0, 0], |[wins, draws, losses], level| {
        [wins + level.wins, draws + level.draws, losses + level.losses]
    });
    if fit.games > 0 {
        facts.push(Fact {
            label: "Won, drawn, lost".to_owned(),
            value: format!("{wins}, {draws}, {losses}"),
            interval: String::new(),
            count: games,
            method:
                "Counts of the games that the rating uses; intervals of scores are per level, in the table."
                    .to_owned(),
        });
    }
    facts
}
