//! What can go wrong in answer to `go`, and when.

/// One way to answer `go` wrongly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// `hang`: no answer, and nothing is read any more.
    Hang,
    /// `chatter`: `info` lines without end and no answer.
    Chatter,
    /// `crash`: exits with `--exit-code` instead of answering.
    Crash,
    /// `abort`: dies by SIGABRT instead of answering.
    Abort,
    /// `exit-after-move`: answers, then exits with `--exit-code`.
    ExitAfterMove,
    /// `token:TEXT`: `bestmove TEXT`; `token:` is a `bestmove` without a move.
    Token(String),
    /// `line:TEXT`: this line instead of the answer.
    Line(String),
    /// `illegal`: a well-formed move that is not legal.
    Illegal,
    /// `no-letter`: a promotion without its letter; promotes whenever it can.
    NoLetter,
    /// `upper-case`: the move in upper case.
    UpperCase,
    /// `late`: answers only after `stop`, or after `--late-ms`.
    Late,
    /// `ignore-stop`: as late, and `stop` changes nothing.
    IgnoreStop,
    /// `twice`: the answer, then another `bestmove` line that the next `go` may meet.
    Twice,
    /// `negative-counters`: an `info` line with counters below zero and past 64 bits.
    NegativeCounters,
    /// `long-line:BYTES`: an `info string` of that length before the answer.
    LongLine(usize),
    /// `no-info`: an answer without any `info` line.
    NoInfo,
    /// `early-infinite`: answers `go infinite` at once.
    EarlyInfinite,
    /// `ignore-searchmoves`: plays any move.
    IgnoreSearchMoves,
    /// `deep`: reports three plies more than asked for.
    Deep,
    /// `overshoot`: reports a million nodes more than asked for.
    Overshoot,
    /// `falling-nodes`: a first `info` line with more nodes than the last.
    FallingNodes,
    /// `illegal-pv`: a legal move, then one that is not, in the `pv`.
    IllegalPv,
    /// `illegal-ponder`: a ponder move that is not legal.
    IllegalPonder,
    /// `info-afterwards`: an `info` line after the answer.
    InfoAfterwards,
}

impl Fault {
    /// Reads the value of `--fault`.
    pub fn read(text: &str) -> Result<Self, String> {
        let (kind, value) = text.split_once(':').unwrap_or((text, ""));
        Ok(match kind {
            "hang" => Self::Hang,
            "chatter" => Self::Chatter,
            "crash" => Self::Crash,
            "abort" => Self::Abort,
            "exit-after-move" => Self::ExitAfterMove,
            "token" => Self::Token(value.to_owned()),
            "line" => Self::Line(value.to_owned()),
            "illegal" => Self::Illegal,
            "no-letter" => Self::NoLetter,
            "upper-case" => Self::UpperCase,
            "late" => Self::Late,
            "ignore-stop" => Self::IgnoreStop,
            "twice" => Self::Twice,
            "negative-counters" => Self::NegativeCounters,
            "long-line" => {
                Self::LongLine(value.parse().map_err(|_| format!("long-line takes bytes, not {value}"))?)
            }
            "no-info" => Self::NoInfo,
            "early-infinite" => Self::EarlyInfinite,
            "ignore-searchmoves" => Self::IgnoreSearchMoves,
            "deep" => Self::Deep,
            "overshoot" => Self::Overshoot,
            "falling-nodes" => Self::FallingNodes,
            "illegal-pv" => Self::IllegalPv,
            "illegal-ponder" => Self::IllegalPonder,
            "info-afterwards" => Self::InfoAfterwards,
            _ => return Err(format!("unknown fault {text}")),
        })
    }
}

/// At which `go` commands of a process, counted from 1, the fault shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// At each.
    Always,
    /// At the N-th only.
    At(u64),
    /// At every N-th.
    Every(u64),
}

impl When {
    /// Whether the fault shows at this `go`.
    pub fn includes(self, go: u64) -> bool {
        match self {
            Self::Always => true,
            Self::At(number) => go == number,
            Self::Every(number) => number > 0 && go.is_multiple_of(number),
        }
    }
}
