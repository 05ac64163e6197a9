//! 5xx: what a search prints, in several positions.

use std::collections::BTreeSet;

use super::bench::{Bench, Sampled};
use super::catalogue::{ANSWERS, Check};
use super::finding::Finding;
use super::session::{Heard, Trouble, count_best_moves};
use crate::chess::{Position as _, parse_engine_move};
use crate::uci::protocol::Quirk;

/// The check that reports searches without an answer among those all of these look at.
const ONE_ANSWER: u16 = 501;

pub(super) const CHECKS: &[Check] = &[
    Check { number: ONE_ANSWER, name: "one bestmove for each go", needs: &[ANSWERS], run: answers_once },
    Check { number: 502, name: "silence after bestmove", needs: &[ONE_ANSWER], run: is_silent_afterwards },
    Check { number: 503, name: "legal bestmove", needs: &[ONE_ANSWER], run: plays_legal_moves },
    Check { number: 504, name: "legal pv", needs: &[ONE_ANSWER], run: shows_legal_lines },
    Check { number: 505, name: "legal ponder move", needs: &[ONE_ANSWER], run: ponders_on_legal_moves },
    Check { number: 506, name: "a score for each search", needs: &[ONE_ANSWER], run: gives_scores },
    Check { number: 507, name: "nodes and time rise", needs: &[ONE_ANSWER], run: counts_upwards },
    Check { number: 508, name: "lower-case moves", needs: &[ONE_ANSWER], run: writes_lower_case },
    Check { number: 509, name: "readable output", needs: &[ONE_ANSWER], run: is_readable },
    Check { number: 510, name: "bestmove begins the pv", needs: &[ONE_ANSWER], run: plays_its_line },
];

/// A pass, or a fail with the first example.
fn judge(what: &str, searches: usize, bad: &[String], hint: &str) -> Finding {
    match bad.first() {
        None => Finding::pass(format!("{what}, {searches} searches")),
        Some(first) => Finding::fail(format!("{} times not so, first: {first}", bad.len()), hint),
    }
    .with("bad_count", bad.len() as f64)
}

fn answers_once(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let sample = bench.sample()?;
    // What comes later than the time listened is met by the next search, before its `readyok`.
    let more = sample.iter().map(|sampled| count_best_moves(&sampled.after)).sum::<usize>();
    let (searches, answers) = (sample.len(), sample.len() + more);
    let text = format!("{answers} bestmoves for {searches} searches");
    Ok(if more == 0 {
        Finding::pass(text)
    } else {
        Finding::fail(text, "print one `bestmove` for each `go`: another one answers the next search")
    })
}

fn is_silent_afterwards(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let sample = bench.sample()?;
    let lines = sample.iter().flat_map(|sampled| &sampled.after);
    let said = lines.filter(|line| !line.is_best_move() && !line.text.trim().is_empty());
    let said: Vec<String> = said.map(|line| format!("`{}`", line.text)).collect();
    Ok(judge(
        "nothing printed after bestmove",
        sample.len(),
        &said,
        "`bestmove` is the last line of a search",
    ))
}

fn plays_legal_moves(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let sample = bench.sample()?;
    let illegal = sample.iter().filter_map(|sampled| {
        let token = &sampled.search.best.token;
        let error = parse_engine_move(&sampled.place.chess, token).err()?;
        Some(format!("`{token}` is {error} after `{}`", sampled.place.command))
    });
    Ok(judge("every bestmove is legal", sample.len(), &illegal.collect::<Vec<_>>(), "the game is lost by it"))
}

/// The first move of a line that is not legal.
fn illegal_in(sampled: &Sampled, line: &[String]) -> Option<String> {
    let mut chess = sampled.place.chess.clone();
    for word in line {
        match parse_engine_move(&chess, word) {
            Ok((m, _)) => chess.play_unchecked(m),
            Err(error) => {
                return Some(format!("`{word}` in `pv {}` is {error}", line.join(" ")));
            }
        }
    }
    None
}

fn shows_legal_lines(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let sample = bench.sample()?;
    let mut lines = 0;
    let mut illegal = Vec::new();
    for sampled in sample.iter() {
        for info in sampled.search.infos().filter(|info| !info.pv.is_empty()) {
            lines += 1;
            illegal.extend(illegal_in(sampled, &info.pv));
        }
    }
    Ok(if lines == 0 {
        Finding::not_applicable("prints no pv")
    } else {
        judge("every pv is legal to its end", sample.len(), &illegal, "check table moves before showing them")
    })
}

fn ponders_on_legal_moves(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let sample = bench.sample()?;
    let mut given = 0;
    let mut illegal = Vec::new();
    for sampled in sample.iter() {
        let best = &sampled.search.best;
        let Some(ponder) = &best.ponder else { continue };
        given += 1;
        let mut after = sampled.place.chess.clone();
        let Ok((m, _)) = parse_engine_move(&after, &best.token) else { continue };
        after.play_unchecked(m);
        if let Err(error) = parse_engine_move(&after, ponder) {
            illegal.push(format!("`{ponder}` after `{}` is {error}", best.token));
        }
    }
    Ok(if given == 0 {
        Finding::not_applicable("names no ponder move")
    } else {
        judge(
            "every ponder move is legal",
            sample.len(),
            &illegal,
            "leave the ponder move out where there is none",
        )
    })
}

fn gives_scores(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let sample = bench.sample()?;
    let without = sample.iter().filter(|sampled| sampled.search.score_stm().is_none()).count();
    let text = format!("{} of {} searches with a score", sample.len() - without, sample.len());
    Ok(if without == 0 {
        Finding::pass(text)
    } else {
        Finding::warn(
            text,
            "print `info depth D score cp N pv ...` at least once: adjudication and audits need it",
        )
    })
}

fn counts_upwards(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let sample = bench.sample()?;
    let mut bad = Vec::new();
    let mut counters = 0;
    for sampled in sample.iter() {
        for (name, values) in [
            ("nodes", sampled.search.infos().filter_map(|info| info.nodes).collect::<Vec<_>>()),
            ("time", sampled.search.infos().filter_map(|info| info.time_ms).collect()),
        ] {
            counters += values.len();
            let falls = values.iter().zip(values.iter().skip(1)).filter(|(before, after)| after < before);
            bad.extend(falls.map(|(before, after)| format!("{name} {before}, then {after}")));
        }
    }
    Ok(if counters == 0 {
        Finding::not_applicable("reports neither nodes nor time")
    } else {
        judge(
            "nodes and time never fall",
            sample.len(),
            &bad,
            "count from the start of the search, threads together",
        )
    })
}

fn writes_lower_case(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let sample = bench.sample()?;
    let is_upper = |word: &&String| word.len() <= 5 && word.chars().any(|letter| letter.is_ascii_uppercase());
    let mut upper = Vec::new();
    for Sampled { search, .. } in sample.iter() {
        let moves = search.best.best_move.iter().chain(&search.best.ponder);
        let moves = moves.chain(search.infos().flat_map(|info| &info.pv));
        upper.extend(moves.filter(is_upper).map(|word| format!("`{word}`")));
    }
    Ok(judge(
        "every move in lower case",
        sample.len(),
        &upper,
        "write `e7e8q`: many programs take `E7E8Q` for illegal",
    ))
}

fn is_readable(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let sample = bench.sample()?;
    let lines: Vec<&Heard> = sample.iter().flat_map(|sampled| &sampled.search.lines).collect();
    let (mut odd, mut broken) = (BTreeSet::new(), BTreeSet::new());
    for line in &lines {
        if line.is_cut {
            broken.insert("a line of more than 64 KiB".to_owned());
        }
        for quirk in &line.quirks {
            let is_broken = matches!(quirk, Quirk::BadValue { .. } | Quirk::MissingValue(_));
            // What `bestmove` says is the subject of 503.
            if is_broken && !line.is_best_move() {
                broken.insert(quirk.to_string());
            } else if !is_broken {
                odd.insert(quirk.to_string());
            }
        }
    }
    let list = |set: BTreeSet<String>| set.into_iter().take(4).collect::<Vec<_>>().join("; ");
    Ok(match (broken.is_empty(), odd.is_empty()) {
        (true, true) => Finding::pass(format!("all {} lines understood", lines.len())),
        (true, false) => Finding::warn(list(odd), "put free text behind `info string`"),
        (false, _) => {
            Finding::fail(list(broken), "write whole numbers from 0 up to 64 bits (`cp`, `mate`: 32 bits)")
        }
    }
    .with("lines_count", lines.len() as f64))
}

fn plays_its_line(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let sample = bench.sample()?;
    let (mut with_line, mut other) = (0, Vec::new());
    for Sampled { search, .. } in sample.iter() {
        let main = |info: &&crate::uci::protocol::Info| {
            info.multipv.is_none_or(|rank| rank == 1) && !info.pv.is_empty()
        };
        let Some(first) = search.infos().rfind(main).and_then(|info| info.pv.first()) else {
            continue;
        };
        with_line += 1;
        if !first.eq_ignore_ascii_case(&search.best.token) {
            other.push(format!("plays {}, shows {first}", search.best.token));
        }
    }
    Ok(match other.first() {
        _ if with_line == 0 => Finding::not_applicable("prints no pv"),
        None => Finding::pass(format!("in all {with_line} searches")),
        Some(first) => Finding::warn(
            format!("not in {} of {with_line} searches, first: {first}", other.len()),
            "its scores are not those of its moves; normal for an engine with limited strength",
        ),
    })
}
