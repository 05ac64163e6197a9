//! The arguments.

use std::path::PathBuf;
use std::time::Duration;

use elometer::chess::Score;

use crate::faults::{Fault, When};
use crate::material::Plant;

/// What the engine is and how it misbehaves.
#[derive(Debug)]
pub struct Settings {
    /// `--name NAME`: the name it gives, `Mock` without.
    pub name: String,
    /// `--non-utf8-id`: a byte that is not UTF-8 in the name.
    pub non_utf8_id: bool,
    /// `--crlf`: every line ends with a carriage return and a line feed.
    pub crlf: bool,
    /// `--banner TEXT`: a line at the start, before anything is asked.
    pub banner: Option<String>,
    /// `--banner-bytes N`: one line of N bytes on standard output before `uciok`.
    pub banner_bytes: usize,
    /// `--stderr-bytes N`: N bytes on standard error before `uciok`.
    pub stderr_bytes: usize,
    /// `--start-delay-ms N`: slow to its first answer.
    pub start_delay: Duration,
    /// `--hang-on uci|isready|go|quit` (may be repeated): no answer to this command or any later.
    pub hang_on: Vec<String>,
    /// `--noise`: before each answer a blank line, unknown words, bytes that are no text and a line
    /// on standard error, none of which means anything.
    pub noise: bool,
    /// `--busy`: asks for input again and again instead of waiting for it.
    pub busy: bool,
    /// `--grandchild`: starts a process that keeps the pipes open; its id is in an
    /// `info string grandchild ID` line.
    pub grandchild: bool,
    /// `--stray-grandchild`: the same, and that process leaves the engine's process group.
    pub stray_grandchild: bool,
    /// `--deaf-search`: reads nothing but `stop` and `quit` while it searches.
    pub deaf_search: bool,
    /// `--elo MIN:MAX`: declares `UCI_LimitStrength` and `UCI_Elo` with this range.
    pub elo: Option<(i64, i64)>,
    /// `--all-options`: declares an option of every kind.
    pub all_options: bool,
    /// `--option LINE` (may be repeated): a line sent as it stands among the options.
    pub option_lines: Vec<String>,
    /// `--option-file FILE`: declares the options in this file, one line each, and no others.
    pub option_file: Option<PathBuf>,
    /// `--start-needs FILE`: ends with a message when there is no such file where it starts.
    pub start_needs: Option<PathBuf>,
    /// `--go-needs FILE`: the same, at `go`.
    pub go_needs: Option<PathBuf>,
    /// `--write-at-go FILE`: adds a line to this file at the `go` that `--at-go` or `--fault-every`
    /// names.
    pub write_at_go: Option<PathBuf>,
    /// `--say-at-go TEXT`: an `info string` before each answer.
    pub say_at_go: Option<String>,
    /// `--log FILE`: every line received is appended there.
    pub log: Option<PathBuf>,
    /// `--move-policy hash|first`: by hash (the default) or the first in alphabetical order.
    pub first_move: bool,
    /// `--seed N`: another choice of moves.
    pub seed: u64,
    /// `--carry-state`: the searches before, also those before `ucinewgame`, choose the moves too.
    pub carry_state: bool,
    /// `--clock-seed`: the clock chooses the moves too.
    pub clock_seed: bool,
    /// `--clock-nodes`: the clock decides how many nodes it reports.
    pub clock_nodes: bool,
    /// `--racy`: the clock chooses the moves too while there is more than one thread.
    pub racy: bool,
    /// `--play "MOVE MOVE …"`: the moves of a whole game from its first position, both sides; the
    /// policy decides where a word is missing or illegal.
    pub play: Vec<String>,
    /// `--think-ms N`: time for each move; zero without.
    pub think: Duration,
    /// `--search-nodes N`: reports N nodes whatever was asked, at the `go` that `--at-go` or
    /// `--fault-every` names.
    pub search_nodes: Option<u64>,
    /// `--search-depth N`: reports N plies whatever was asked.
    pub search_depth: Option<u32>,
    /// `--fixed-time-ms N`: no clock code, the same time for every `movetime` and clock.
    pub fixed_time: Option<Duration>,
    /// `--late-by-ms N`: uses `movetime` or a twentieth of the shorter clock, and N more.
    pub late_by: Option<Duration>,
    /// `--endless-nodes`: `go nodes` ends by `stop` only.
    pub endless_nodes: bool,
    /// `--tbhits N`: reports so many positions found in tablebases.
    pub tbhits: Option<u64>,
    /// `--wdl WIN:DRAW:LOSS`: declares `UCI_ShowWDL` and, while it is on, reports this with every score.
    pub wdl: Option<[u32; 3]>,
    /// `--score cp:N|mate:N`: the score it reports of every position.
    pub score: Option<Score>,
    /// `--material`: scores and chooses moves by material two plies deep (`material.rs`); `MultiPV`
    /// is declared.
    pub material: bool,
    /// `--plant KIND`: with `--material`, the wrong move it plays where there is one, at the first
    /// `go` from the one that `--at-go` or `--fault-every` names on.
    pub plant: Option<Plant>,
    /// `--plant-log FILE`: every planted move is appended there.
    pub plant_log: Option<PathBuf>,
    /// `--no-counters`: reports neither nodes nor depth.
    pub no_counters: bool,
    /// `--fault KIND`: what goes wrong in answer to `go`.
    pub fault: Option<Fault>,
    /// `--at-go N` (the N-th `go` of this process) or `--fault-every N` (every N-th): when; at
    /// every `go` without.
    pub when: When,
    /// `--late-ms N`: how late a late answer is at most.
    pub late: Duration,
    /// `--exit-code N`: the code of the `crash` and `exit-after-move` faults, 3 without.
    pub exit_code: u8,
    /// `--script FILE`: plays a dialogue; every other argument is ignored.
    pub script: Option<PathBuf>,
    /// `--uciok-twice`: says `uciok` twice.
    pub uciok_twice: bool,
    /// `--answer-idle-stop`: answers `stop` without a search.
    pub answer_idle_stop: bool,
    /// `--ignore-end`: stays when its input has ended.
    pub ignore_end: bool,
    /// `--only-sleep`: what the grandchild does.
    pub only_sleep: bool,
    /// `--new-session`: with `--only-sleep`, in a session of its own.
    pub new_session: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            name: "Mock".to_owned(),
            non_utf8_id: false,
            crlf: false,
            banner: None,
            banner_bytes: 0,
            stderr_bytes: 0,
            start_delay: Duration::ZERO,
            hang_on: Vec::new(),
            noise: false,
            busy: false,
            grandchild: false,
            stray_grandchild: false,
            deaf_search: false,
            elo: None,
            all_options: false,
            option_lines: Vec::new(),
            option_file: None,
            start_needs: None,
            go_needs: None,
            write_at_go: None,
            say_at_go: None,
            log: None,
            first_move: false,
            seed: 0,
            carry_state: false,
            clock_seed: false,
            clock_nodes: false,
            racy: false,
            play: Vec::new(),
            think: Duration::ZERO,
            search_nodes: None,
            search_depth: None,
            fixed_time: None,
            late_by: None,
            endless_nodes: false,
            tbhits: None,
            wdl: None,
            score: None,
            material: false,
            plant: None,
            plant_log: None,
            no_counters: false,
            fault: None,
            when: When::Always,
            late: crate::FOREVER,
            exit_code: 3,
            script: None,
            uciok_twice: false,
            answer_idle_stop: false,
            ignore_end: false,
            only_sleep: false,
            new_session: false,
        }
    }
}

impl Settings {
    /// Reads the arguments; the error says which is wrong.
    pub fn read(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut settings = Self::default();
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--name" => settings.name = value()?,
                "--non-utf8-id" => settings.non_utf8_id = true,
                "--crlf" => settings.crlf = true,
                "--banner" => settings.banner = Some(value()?),
                "--banner-bytes" => settings.banner_bytes = number(&argument, &value()?)?,
                "--stderr-bytes" => settings.stderr_bytes = number(&argument, &value()?)?,
                "--start-delay-ms" => settings.start_delay = milliseconds(&argument, &value()?)?,
                "--hang-on" => settings.hang_on.push(value()?),
                "--noise" => settings.noise = true,
                "--busy" => settings.busy = true,
                "--grandchild" => settings.grandchild = true,
                "--stray-grandchild" => settings.stray_grandchild = true,
                "--deaf-search" => settings.deaf_search = true,
                "--elo" => settings.elo = Some(range(&value()?)?),
                "--all-options" => settings.all_options = true,
                "--option" => settings.option_lines.push(value()?),
                "--option-file" => settings.option_file = Some(value()?.into()),
                "--start-needs" => settings.start_needs = Some(value()?.into()),
                "--go-needs" => settings.go_needs = Some(value()?.into()),
                "--write-at-go" => settings.write_at_go = Some(value()?.into()),
                "--say-at-go" => settings.say_at_go = Some(value()?),
                "--log" => settings.log = Some(value()?.into()),
                "--move-policy" => settings.first_move = is_first(&value()?)?,
                "--seed" => settings.seed = number(&argument, &value()?)?,
                "--carry-state" => settings.carry_state = true,
                "--clock-seed" => settings.clock_seed = true,
                "--clock-nodes" => settings.clock_nodes = true,
                "--racy" => settings.racy = true,
                "--play" => settings.play = value()?.split_whitespace().map(str::to_owned).collect(),
                "--think-ms" => settings.think = milliseconds(&argument, &value()?)?,
                "--search-nodes" => settings.search_nodes = Some(number(&argument, &value()?)?),
                "--search-depth" => settings.search_depth = Some(number(&argument, &value()?)?),
                "--fixed-time-ms" => settings.fixed_time = Some(milliseconds(&argument, &value()?)?),
                "--late-by-ms" => settings.late_by = Some(milliseconds(&argument, &value()?)?),
                "--endless-nodes" => settings.endless_nodes = true,
                "--tbhits" => settings.tbhits = Some(number(&argument, &value()?)?),
                "--wdl" => settings.wdl = Some(wdl(&value()?)?),
                "--score" => settings.score = Some(score(&value()?)?),
                "--material" => settings.material = true,
                "--plant" => settings.plant = Some(Plant::read(&value()?)?),
                "--plant-log" => settings.plant_log = Some(value()?.into()),
                "--no-counters" => settings.no_counters = true,
                "--fault" => settings.fault = Some(Fault::read(&value()?)?),
                "--at-go" => settings.when = When::At(number(&argument, &value()?)?),
                "--fault-every" => settings.when = When::Every(number(&argument, &value()?)?),
                "--late-ms" => settings.late = milliseconds(&argument, &value()?)?,
                "--exit-code" => settings.exit_code = number(&argument, &value()?)?,
                "--script" => settings.script = Some(value()?.into()),
                "--uciok-twice" => settings.uciok_twice = true,
                "--answer-idle-stop" => settings.answer_idle_stop = true,
                "--ignore-end" => settings.ignore_end = true,
                "--only-sleep" => settings.only_sleep = true,
                "--new-session" => settings.new_session = true,
                _ => return Err(format!("unknown argument {argument}")),
            }
        }
        Ok(settings)
    }

    /// Whether it never answers this command.
    pub fn hangs_on(&self, command: &str) -> bool {
        self.hang_on.iter().any(|hang| hang == command)
    }
}

fn number<T: std::str::FromStr>(argument: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{argument} does not take {value}"))
}

fn milliseconds(argument: &str, value: &str) -> Result<Duration, String> {
    number(argument, value).map(Duration::from_millis)
}

fn range(value: &str) -> Result<(i64, i64), String> {
    let wrong = || format!("--elo takes MIN:MAX, not {value}");
    let (min, max) = value.split_once(':').ok_or_else(wrong)?;
    Ok((min.parse().map_err(|_| wrong())?, max.parse().map_err(|_| wrong())?))
}

fn is_first(value: &str) -> Result<bool, String> {
    match value {
        "first" => Ok(true),
        "hash" => Ok(false),
        _ => Err(format!("--move-policy takes hash or first, not {value}")),
    }
}

fn wdl(value: &str) -> Result<[u32; 3], String> {
    let wrong = || format!("--wdl takes WIN:DRAW:LOSS, not {value}");
    let parts: Result<Vec<u32>, _> = value.split(':').map(str::parse).collect();
    parts.map_err(|_| wrong())?.try_into().map_err(|_| wrong())
}

fn score(value: &str) -> Result<Score, String> {
    let wrong = || format!("--score takes cp:N or mate:N, not {value}");
    let (unit, value) = value.split_once(':').ok_or_else(wrong)?;
    let value = value.parse().map_err(|_| wrong())?;
    match unit {
        "cp" => Ok(Score::Cp(value)),
        "mate" => Ok(Score::Mate(value)),
        _ => Err(wrong()),
    }
}
