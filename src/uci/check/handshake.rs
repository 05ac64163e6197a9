//! 1xx: from the start to `readyok`, and lines that are not as usual.

use super::bench::Bench;
use super::catalogue::{Check, READY, STARTS};
use super::finding::Finding;
use super::session::{Heard, Trouble};
use crate::uci::protocol::{EngineMessage, Id, Quirk};

pub(super) const CHECKS: &[Check] = &[
    Check { number: STARTS, name: "starts and answers uci", needs: &[], run: answers_uci },
    Check { number: 102, name: "id name and author", needs: &[STARTS], run: says_its_name },
    Check { number: 103, name: "uciok once", needs: &[STARTS], run: says_uciok_once },
    Check { number: READY, name: "answers isready", needs: &[STARTS], run: answers_isready },
    Check { number: 105, name: "readable handshake", needs: &[STARTS], run: is_readable },
    Check { number: 106, name: "unknown command survived", needs: &[READY], run: survives_unknown_command },
    Check { number: 107, name: "isready with CRLF", needs: &[READY], run: understands_crlf },
    Check { number: 108, name: "blanks and blank lines survived", needs: &[READY], run: survives_blanks },
    Check { number: 109, name: "ucinewgame then isready", needs: &[READY], run: starts_new_games },
];

/// Slower starts make runs of many engines miss common deadlines.
const SLOW_START_MS: f64 = 5_000.0;

fn answers_uci(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let start = bench.greeting.start.as_secs_f64() * 1000.0;
    let answer = bench.greeting.answer.as_secs_f64() * 1000.0;
    let text = format!("uciok {start:.1} ms after the start, {answer:.1} ms after `uci`");
    let finding = if start > SLOW_START_MS {
        Finding::warn(
            text,
            "load networks and tables on the first `isready` or later; some runners wait 10 s",
        )
    } else {
        Finding::pass(text)
    };
    Ok(finding.with("start_ms", start).with("answer_ms", answer))
}

fn says_its_name(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let (mut name, mut author) = (None, None);
    for line in &bench.greeting.lines {
        match &line.message {
            EngineMessage::Id(Id::Name(text)) => name = Some(text).filter(|text| !text.is_empty()),
            EngineMessage::Id(Id::Author(text)) => author = Some(text).filter(|text| !text.is_empty()),
            _ => {}
        }
    }
    Ok(match (name, author) {
        (Some(name), Some(author)) => Finding::pass(format!("{name}, by {author}")),
        (None, _) => Finding::fail("no `id name`", "answer `uci` with `id name NAME VERSION` before `uciok`"),
        (Some(name), None) => {
            Finding::warn(format!("{name}, no `id author`"), "answer `uci` with `id author NAME`, too")
        }
    })
}

fn says_uciok_once(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let of_handshake = |line: &&Heard| {
        matches!(line.message, EngineMessage::UciOk | EngineMessage::Id(_) | EngineMessage::Option(_))
    };
    let late: Vec<_> = bench.after_greeting.iter().filter(of_handshake).collect();
    Ok(match late.first() {
        None => Finding::pass("one `uciok`, nothing of the handshake after it"),
        Some(line) => Finding::fail(
            format!("{} more lines of the handshake after `uciok`, first `{}`", late.len(), line.text),
            "say `uciok` once, after the last `id` and `option` line",
        ),
    })
}

fn answers_isready(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let mut session = bench.fresh()?;
    let (_, again) = session.ping_after("")?;
    let again = again.as_secs_f64() * 1000.0;
    Ok(Finding::pass(format!("readyok, the second time after {again:.1} ms")).with("answer_ms", again))
}

fn is_readable(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let lines = &bench.greeting.lines;
    let speaks = |line: &Heard| !matches!(line.message, EngineMessage::Other);
    let banner = lines.iter().take_while(|line| !speaks(line)).filter(|line| !line.text.trim().is_empty());
    let banner_lines = banner.count();
    let first = lines.iter().position(speaks).unwrap_or_default();
    let mut odd = Vec::new();
    for line in lines.iter().skip(first) {
        // What is odd about an option is the subject of 201.
        let is_option = matches!(line.message, EngineMessage::Option(_));
        let quirks = line.quirks.iter().filter(|quirk| !is_option || **quirk == Quirk::NotUtf8);
        odd.extend(quirks.map(ToString::to_string));
        if line.is_cut {
            odd.push("a line of more than 64 KiB".to_owned());
        }
    }
    let banner = if banner_lines == 0 { "no".to_owned() } else { banner_lines.to_string() };
    Ok(match odd.first() {
        None => Finding::pass(format!("every line understood, {banner} banner lines")),
        Some(first) => Finding::warn(
            format!("{} oddities, first: {first}", odd.len()),
            "between `uci` and `uciok` say only `id`, `option` and `info string` lines, in UTF-8",
        ),
    })
}

fn survives_unknown_command(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    bench.session()?.ping_after("joho and a bottle of rum\ndebug on\ndebug off\n")?;
    Ok(Finding::pass("readyok after a line that is no command, and after `debug`"))
}

fn understands_crlf(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    session.send("isready\r\n")?;
    session.until("isready (with CRLF)", session.deadlines.ready(), Heard::is_ready)?;
    Ok(Finding::pass("readyok to `isready` with CRLF"))
}

fn survives_blanks(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let session = bench.session()?;
    session.ping_after("\n  \n")?;
    session.ping_after("  ")?;
    session.ping_after("\t")?;
    Ok(Finding::pass("readyok after blank lines, leading blanks and a leading tab"))
}

fn starts_new_games(bench: &mut Bench<'_>) -> Result<Finding, Trouble> {
    let (_, took) = bench.session()?.ping_after("ucinewgame\n")?;
    let took = took.as_secs_f64() * 1000.0;
    Ok(Finding::pass(format!("readyok {took:.1} ms after `ucinewgame`")).with("answer_ms", took))
}
