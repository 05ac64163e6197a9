//! What PGN comments say of a move: engine scores, lichess's `[%eval]` and `[%clk]`, `book`.

use crate::chess::{Bound, Score};

/// The parts of a comment that an audit uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveComment {
    /// The mover's own score, as engine match programs write it: `+0.34/12 0.5s`.
    pub reported: Option<(Score, Bound)>,
    /// `[%eval 0.34]`, `[%eval #-3]`: from White.
    pub eval_white: Option<Score>,
    /// `[%clk 0:03:00]`: milliseconds left after the move.
    pub clock_ms: Option<u64>,
    /// The word `book`.
    pub book: bool,
}

/// Reads a comment; what it does not know is passed over, and what stands in quotes: a player's own
/// words, in which `book` and numbers mean nothing.
#[must_use]
pub fn read_comment(text: &str) -> MoveComment {
    let mut found = MoveComment::default();
    let parts: Vec<&str> = text.split('"').collect();
    // What stands after a quote that is never closed is not quoted.
    let closed = closed_quotes(&parts);
    let plain = parts.iter().enumerate().filter(|(place, _)| place % 2 == 0 || *place > 2 * closed);
    let unquoted = plain.map(|(_, part)| *part).collect::<Vec<_>>().join(" ");
    let mut rest = unquoted.as_str();
    while let Some((before, after)) = rest.split_once("[%") {
        words(before, &mut found);
        let Some((command, after)) = after.split_once(']') else {
            rest = "";
            break;
        };
        match command.split_once(' ') {
            Some(("eval", value)) => found.eval_white = eval(value.trim()),
            Some(("clk", value)) => found.clock_ms = clock(value.trim()),
            _ => {}
        }
        rest = after;
    }
    words(rest, &mut found);
    found
}

/// What stands in quotes: elometer and others write there what an engine said with its move.
#[must_use]
pub fn quoted_words(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split('"').collect();
    let quoted = parts.iter().skip(1).step_by(2).take(closed_quotes(&parts)).map(|part| part.trim());
    let text = quoted.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// How many of the parts between quotes are closed: a quote that is never closed quotes nothing.
fn closed_quotes(parts: &[&str]) -> usize {
    parts.len().saturating_sub(1) / 2
}

fn words(text: &str, found: &mut MoveComment) {
    for word in text.split([' ', ',', ';', '\t']) {
        if word.eq_ignore_ascii_case("book") {
            found.book = true;
        } else if found.reported.is_none() {
            found.reported = engine_score(word);
        }
    }
}

/// `0.34`, `-1.2,18` (with a depth), `#3`, `#-3`.
fn eval(value: &str) -> Option<Score> {
    let value = value.split(',').next()?.trim();
    match value.strip_prefix('#') {
        // A mate in 0 is on the board: writers do not agree whose it is, and the moves tell.
        Some(mate) => mate.parse().ok().filter(|moves| *moves != 0).map(Score::Mate),
        None => centipawns(value).map(Score::Cp),
    }
}

/// `+0.34/12`, `-M5/20`, `>+1.50/9`: a sign, a number or a mate, a slash and a depth.
fn engine_score(word: &str) -> Option<(Score, Bound)> {
    let (bound, word) = match (word.strip_prefix('>'), word.strip_prefix('<')) {
        (Some(rest), _) => (Bound::Lower, rest),
        (_, Some(rest)) => (Bound::Upper, rest),
        _ => (Bound::Exact, word),
    };
    let (value, depth) = word.split_once('/')?;
    if depth.is_empty() || !depth.bytes().all(|byte| byte.is_ascii_digit() || byte == b'/') {
        return None;
    }
    let unsigned = value.trim_start_matches(['+', '-']);
    let sign = if value.starts_with('-') { -1 } else { 1 };
    let score = match unsigned.strip_prefix('M').or_else(|| unsigned.strip_prefix('#')) {
        Some(mate) => Score::Mate(sign * mate.parse::<i32>().ok().filter(|moves| *moves >= 0)?),
        None => Score::Cp(centipawns(value)?),
    };
    Some((score, bound))
}

/// A number of pawns as whole centipawns, without passing through a float.
fn centipawns(text: &str) -> Option<i32> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(part) {
        return None;
    }
    let hundredths: i32 = format!("{part:0<2}").get(..2)?.parse().ok()?;
    let value = whole.parse::<i32>().ok()?.checked_mul(100)?.checked_add(hundredths)?;
    Some(if negative { -value } else { value })
}

/// `1:02:03`, `0:03:00.5`, `45`: hours, minutes, seconds, as many as there are.
fn clock(value: &str) -> Option<u64> {
    let (whole, part) = value.split_once('.').unwrap_or((value, ""));
    let mut seconds = 0_u64;
    for field in whole.split(':') {
        seconds = seconds.checked_mul(60)?.checked_add(field.trim().parse().ok()?)?;
    }
    let part = part.get(..part.len().min(3)).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    let milliseconds: u64 = format!("{part:0<3}").parse().ok()?;
    seconds.checked_mul(1000)?.checked_add(milliseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_every_writer_are_read() {
        let lichess = read_comment("[%eval -1.25] [%clk 0:03:00] Inaccuracy. Nf3 was best.");
        assert_eq!((lichess.eval_white, lichess.clock_ms), (Some(Score::Cp(-125)), Some(180_000)));
        assert_eq!(lichess.reported, None);
        assert_eq!(read_comment("[%eval #-3,22]").eval_white, Some(Score::Mate(-3)));
        assert_eq!(read_comment("[%eval 0.1][%clk 1:00:00.5]").clock_ms, Some(3_600_500));
        let cases = [
            ("+0.34/12 0.123s n=25013", Score::Cp(34), Bound::Exact),
            ("-1.20/9 0.50s", Score::Cp(-120), Bound::Exact),
            ("-M5/20", Score::Mate(-5), Bound::Exact),
            (">+1.50/9 n=4", Score::Cp(150), Bound::Lower),
            ("0.00/1", Score::Cp(0), Bound::Exact),
        ];
        for (text, score, bound) in cases {
            assert_eq!(read_comment(text).reported, Some((score, bound)), "{text}");
        }
        assert!(read_comment("book").book);
    }

    #[test]
    fn what_stands_in_quotes_is_said_and_means_nothing_else() {
        let said = "+0.34/12 n=25013 \"I left the book: +9.99/1 [%eval 3.0] was better.\"";
        let plain = read_comment("+0.34/12 n=25013");
        assert_eq!(read_comment(said), plain);
        assert_eq!(quoted_words(said).as_deref(), Some("I left the book: +9.99/1 [%eval 3.0] was better."));
        assert_eq!(quoted_words("a \"b\" c \"d\"").as_deref(), Some("b d"));
        for text in ["", "+0.34/12", "never \"closed", "\"\""] {
            assert_eq!(quoted_words(text), None, "{text}");
        }
        assert!(read_comment("book \"a line\"").book);
    }

    #[test]
    fn a_quote_that_is_never_closed_hides_nothing() {
        assert_eq!(read_comment("6\" ruler +0.34/12").reported, Some((Score::Cp(34), Bound::Exact)));
        assert_eq!(read_comment("a \"quote [%eval 0.3]").eval_white, Some(Score::Cp(30)));
        assert!(read_comment("\"book").book);
        let third = read_comment("\"book +1.00/2\" then \"+0.34/12 [%clk 0:00:01]");
        assert_eq!((third.reported, third.clock_ms), (Some((Score::Cp(34), Bound::Exact)), Some(1000)));
        assert!(!third.book);
    }

    #[test]
    fn other_text_is_no_score() {
        for text in [
            "1/2-1/2",
            "n=25013",
            "4.2.2020/x",
            "[%eval",
            "[%clk ]",
            "[%clk]",
            "+/",
            "[%eval é]",
            "+0.é/3",
            "[%eval #0]",
            "[%eval #-0]",
            "[%eval]",
            "-M-2147483648/3",
            "-M2147483648/3",
            "[%eval #-2147483649]",
        ] {
            let found = read_comment(text);
            assert_eq!(found, MoveComment::default(), "{text}");
        }
    }
}
