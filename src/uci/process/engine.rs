//! A running engine: handshake, options, games, searches, the end.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write as _};
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::child::{GroupChild, describe_status};
use super::deadlines::Deadlines;
use super::fault::{EngineFault, FaultCause, cannot_start};
use super::kill_switch::KillSwitch;
use super::options::{check_options, declared_default, find, order};
use super::pipe::{LONGEST_LINE, PipeEnd, Pipes};
use super::search::{SearchOutcome, SearchReport, SearchRequest};
use super::start_gate::StartPermit;
use super::transcript::{EngineLog, Speaker, Transcript};
use super::working_folder::WorkingFolder;
use crate::uci::protocol::{
    BestMove, EngineMessage, GuiCommand, Id, OptionDeclaration, OptionKind, Quirk, parse_engine_line, visible,
};

/// How long an overdue answer is looked for where time is no limit.
const LAST_LOOK: Duration = Duration::from_millis(50);
/// From the end of a process's pipes to its own.
const LAST_BREATH: Duration = Duration::from_millis(200);
/// Options one engine may declare.
const MOST_OPTIONS: usize = 2_000;
/// Kinds of quirks kept of one engine.
const MOST_QUIRKS: usize = 32;

/// How to start an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// What messages call it until it says its own name.
    pub label: String,
    /// The program; no shell is involved.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder it starts in.
    pub directory: WorkingFolder,
    /// The deadlines of its commands.
    pub deadlines: Deadlines,
    /// Where its whole conversation is appended.
    pub log: Option<PathBuf>,
    /// What it must say of itself: any engine may when absent.
    pub expected: Option<Expected>,
}

/// What an engine said of itself when it was planned with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The name it gave.
    pub id_name: Option<String>,
    /// The settings it must take.
    pub settings: Vec<(String, String)>,
}

/// An engine as a child process, past its handshake.
#[derive(Debug)]
pub struct Engine {
    label: String,
    child: GroupChild,
    pipes: Pipes,
    deadlines: Deadlines,
    log: Option<EngineLog>,
    transcript: Transcript,
    /// The memory of the last command.
    outgoing: String,
    name: Option<String>,
    author: Option<String>,
    declared: Vec<OptionDeclaration>,
    /// What has been set in this process, by declared name.
    current: BTreeMap<String, String>,
    /// Every kind of oddity seen so far, once.
    quirks: Vec<Quirk>,
    /// Every oddity noted in our own words, once.
    noted: BTreeSet<String>,
    /// Those of both not yet taken.
    new_quirks: Vec<String>,
    /// Past `uciok`.
    greeted: bool,
    alive: bool,
}

impl Engine {
    /// Starts the program and waits for `uciok`.
    ///
    /// On Linux the engine is killed when the thread that launched it ends.
    ///
    /// # Errors
    /// [`FaultCause::StartFailure`] when the program does not start or does not finish the
    /// handshake in time; [`FaultCause::NoResources`] when the system refuses us what starting
    /// takes.
    pub fn launch(launch: &Launch) -> Result<Self, EngineFault> {
        Self::launch_under(launch, &KillSwitch::default())
    }

    /// As [`Engine::launch`]; `switch` can kill the engine from any thread.
    ///
    /// # Errors
    /// As for [`Engine::launch`], and when the switch has been pulled.
    pub fn launch_under(launch: &Launch, switch: &KillSwitch) -> Result<Self, EngineFault> {
        let _permit = StartPermit::acquire();
        let failure = |detail: String| EngineFault {
            engine: launch.label.clone(),
            cause: FaultCause::StartFailure,
            detail,
            transcript: Vec::new(),
            stderr: Vec::new(),
        };
        let refused = |error: io::Error, what: String| EngineFault {
            cause: FaultCause::of_start(&error),
            ..failure(format!("{what}: {error}"))
        };
        let log = match &launch.log {
            Some(path) => {
                let file = OpenOptions::new().create(true).append(true).open(path);
                let file = file.map_err(|error| {
                    refused(error, format!("the log {} cannot be opened", path.display()))
                })?;
                Some(EngineLog::new(file))
            }
            None => None,
        };
        let directory = launch.directory.path();
        let (child, pipes) =
            GroupChild::spawn(&launch.program, &launch.arguments, directory, log.clone(), switch).map_err(
                |error| EngineFault {
                    cause: FaultCause::of_start(&error),
                    ..failure(cannot_start(&launch.program, &error))
                },
            )?;
        let mut engine = Self {
            label: launch.label.clone(),
            child,
            pipes,
            deadlines: launch.deadlines.clone(),
            log,
            transcript: Transcript::default(),
            outgoing: String::new(),
            name: None,
            author: None,
            declared: Vec::new(),
            current: BTreeMap::new(),
            quirks: Vec::new(),
            noted: BTreeSet::new(),
            new_quirks: Vec::new(),
            greeted: false,
            alive: true,
        };
        engine.handshake().map_err(|fault| EngineFault { cause: FaultCause::StartFailure, ..fault })?;
        if let Some(difference) = launch.expected.as_ref().and_then(|expected| engine.differs_from(expected))
        {
            return Err(EngineFault {
                transcript: engine.transcript(),
                stderr: engine.stderr_tail(),
                ..failure(difference)
            });
        }
        Ok(engine)
    }

    /// The name it gave, else its label.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.label)
    }

    /// The name it gave.
    #[must_use]
    pub fn id_name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The author it gave.
    #[must_use]
    pub fn author(&self) -> Option<&str> {
        self.author.as_deref()
    }

    /// The options it declared, in its order.
    #[must_use]
    pub fn declared(&self) -> &[OptionDeclaration] {
        &self.declared
    }

    /// Whether the process still answers; after a fault it does not and a new one must be launched.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.alive
    }

    /// The processor time that its process has used so far, all threads together; that of processes
    /// it started is not in it. `None` where the system does not tell, and after its end.
    #[must_use]
    pub fn processor_time(&self) -> Option<Duration> {
        self.child.processor_time()
    }

    /// The last lines both ways: `>` from us, `<` from the engine.
    #[must_use]
    pub fn transcript(&self) -> Vec<String> {
        self.transcript.lines()
    }

    /// The last lines of its stderr.
    #[must_use]
    pub fn stderr_tail(&self) -> Vec<String> {
        self.child.stderr_tail()
    }

    /// The oddities of its output since the last call, one line per kind.
    pub fn take_quirks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.new_quirks)
    }

    /// Notes an oddity that only the caller can see; each text counts once.
    pub fn note_quirk(&mut self, text: String) {
        if self.noted.insert(text.clone()) {
            self.new_quirks.push(text);
        }
    }

    /// Whether this process can be brought to these settings: not when an option set earlier would
    /// have to go back to a default that the engine did not declare.
    #[must_use]
    pub fn can_take(&self, settings: &[(String, String)]) -> bool {
        self.unset_by(settings).all(|name| self.default_of(name).is_some())
    }

    /// Brings the engine to exactly these settings, which [`super::check_options`] has checked and
    /// ordered, and to a new game: changed options are sent, options set earlier and not named now
    /// go back to their declared default, all in the order of [`super::check_options`], then
    /// `ucinewgame` and `isready`.
    ///
    /// # Errors
    /// The engine hangs or dies.
    pub fn new_game(&mut self, settings: &[(String, String)]) -> Result<(), EngineFault> {
        let mut changes = Vec::new();
        for name in self.unset_by(settings) {
            if let Some(default) = self.default_of(name) {
                changes.push((name.clone(), Some(default)));
            }
        }
        for (name, value) in settings {
            if self.is_button(name) {
                changes.push((name.clone(), None));
            } else if self.current.get(name) != Some(value) {
                changes.push((name.clone(), Some(value.clone())));
            }
        }
        changes.sort_by_key(|(name, _)| order(name));
        self.current = settings.iter().filter(|(name, _)| !self.is_button(name)).cloned().collect();
        let mut text = String::new();
        for (name, value) in changes {
            push_line(&mut text, &GuiCommand::SetOption { name, value });
        }
        push_line(&mut text, &GuiCommand::UciNewGame);
        push_line(&mut text, &GuiCommand::IsReady);
        let deadline = Instant::now() + self.deadlines.ready();
        self.send(&text, deadline, "isready")?;
        self.wait_ready(deadline)
    }

    /// Searches one position.
    ///
    /// A passed deadline is an outcome, not an error: only the caller knows whether it means a loss
    /// on time. The engine is then told to stop and waited for; one that does not stop is killed.
    ///
    /// # Errors
    /// The engine dies, or hangs on `isready`.
    pub fn search(&mut self, request: &SearchRequest<'_>) -> Result<SearchOutcome, EngineFault> {
        let started = self.begin(request)?;
        let mut report = SearchReport::default();
        let mut best = self.wait_best_move(&mut report, request.words, started + request.wait)?;
        if best.is_none() && !request.timed {
            // Where time is no limit, an answer that waits in the pipe is an answer: it may be we who
            // stood still.
            best = self.wait_best_move(&mut report, request.words, Instant::now() + LAST_LOOK)?;
        }
        match best {
            Some(best) => {
                report.best = best;
                report.elapsed = self.pipes.arrived().saturating_duration_since(started);
                Ok(SearchOutcome::Answered(report))
            }
            None => self.stop_overdue(started),
        }
    }

    /// Searches one position for at most `request.wait`: a search that is not finished by then is
    /// stopped, and what it answers to `stop` is its answer. The flag tells whether it was stopped.
    ///
    /// # Errors
    /// The engine dies, or does not answer `stop` before its deadline.
    pub fn search_until(&mut self, request: &SearchRequest<'_>) -> Result<(SearchReport, bool), EngineFault> {
        let started = self.begin(request)?;
        let mut report = SearchReport::default();
        let mut best = self.wait_best_move(&mut report, request.words, started + request.wait)?;
        let stopped = best.is_none();
        if stopped {
            let deadline = Instant::now() + self.deadlines.stop();
            self.send("stop\n", deadline, "stop")?;
            best = self.wait_best_move(&mut report, request.words, deadline)?;
        }
        report.best = best.ok_or_else(|| self.fail(PipeEnd::Deadline, "stop"))?;
        report.elapsed = self.pipes.arrived().saturating_duration_since(started);
        Ok((report, stopped))
    }

    /// Sends position and `go`; when the search began.
    fn begin(&mut self, request: &SearchRequest<'_>) -> Result<Instant, EngineFault> {
        let ready = Instant::now() + self.deadlines.ready();
        Ok(if request.timed {
            self.send_lines(&[&request.position, &"isready"], ready, "position")?;
            self.wait_ready(ready)?;
            let started = Instant::now();
            self.send_lines(&[&request.go], started + request.wait, "go")?;
            started
        } else {
            self.send_lines(&[&request.position, &"isready", &request.go], ready, "go")?;
            self.wait_ready(ready)?;
            Instant::now()
        })
    }

    /// Says `quit`, waits, terminates, kills.
    pub fn quit(mut self) {
        let deadline = Instant::now() + self.deadlines.quit();
        if self.alive && self.send("quit\n", deadline, "quit").is_ok() {
            self.pipes.close_stdin();
            // Read on, so that an engine with much to say does not block on a full pipe.
            while self.pipes.read_line(deadline).is_ok() {}
            self.child.wait_until(deadline);
        }
        self.child.terminate();
    }

    /// The options set earlier that `settings` does not name.
    fn unset_by<'a>(&'a self, settings: &'a [(String, String)]) -> impl Iterator<Item = &'a String> {
        self.current.keys().filter(move |name| !settings.iter().any(|(set, _)| set == *name))
    }

    fn default_of(&self, name: &str) -> Option<String> {
        find(&self.declared, name).and_then(declared_default)
    }

    fn is_button(&self, name: &str) -> bool {
        find(&self.declared, name).is_some_and(|option| matches!(option.kind, OptionKind::Button))
    }

    /// How the engine is another than `expected`, if so.
    fn differs_from(&self, expected: &Expected) -> Option<String> {
        if self.name != expected.id_name {
            let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "nothing".to_owned());
            return Some(format!(
                "calls itself {}, but {} when the run was planned",
                name(&self.name),
                name(&expected.id_name)
            ));
        }
        let taken = check_options(self.name(), &self.declared, &expected.settings);
        taken.err().map(|error| format!("does not take its options any more: {}", visible(&error.reason)))
    }

    fn handshake(&mut self) -> Result<(), EngineFault> {
        let deadline = Instant::now() + self.deadlines.start();
        self.send("uci\n", deadline, "uci")?;
        loop {
            match self.read(deadline, "uci")? {
                EngineMessage::UciOk => {
                    self.greeted = true;
                    return Ok(());
                }
                EngineMessage::Id(Id::Name(name)) => self.name = Some(visible(&name).into_owned()),
                EngineMessage::Id(Id::Author(author)) => {
                    self.author = Some(visible(&author).into_owned());
                }
                EngineMessage::Option(option) if self.declared.len() < MOST_OPTIONS => {
                    self.declared.push(option);
                }
                _ => {}
            }
        }
    }

    fn wait_ready(&mut self, deadline: Instant) -> Result<(), EngineFault> {
        while !matches!(self.read(deadline, "isready")?, EngineMessage::ReadyOk) {}
        Ok(())
    }

    /// `None` when the deadline passes first.
    fn wait_best_move(
        &mut self,
        report: &mut SearchReport,
        words: Option<&str>,
        deadline: Instant,
    ) -> Result<Option<BestMove>, EngineFault> {
        loop {
            match self.read_message(deadline) {
                Ok(EngineMessage::BestMove(best)) => return Ok(Some(best)),
                Ok(EngineMessage::Info(info)) => report.add(*info, words),
                Ok(_) => {}
                Err(PipeEnd::Deadline) if !self.child.has_ended() => return Ok(None),
                Err(end) => return Err(self.fail(end, "go")),
            }
        }
    }

    fn stop_overdue(&mut self, started: Instant) -> Result<SearchOutcome, EngineFault> {
        let elapsed = started.elapsed();
        let deadline = Instant::now() + self.deadlines.stop();
        let mut ignored = SearchReport::default();
        let stopped = self.send("stop\n", deadline, "stop").is_ok()
            && matches!(self.wait_best_move(&mut ignored, None, deadline), Ok(Some(_)));
        if !stopped {
            self.end();
        }
        Ok(SearchOutcome::Overdue { stopped, elapsed })
    }

    /// Sends lines in one write; their memory is used again for the next.
    fn send_lines(
        &mut self,
        lines: &[&dyn Display],
        deadline: Instant,
        command: &str,
    ) -> Result<(), EngineFault> {
        let mut text = std::mem::take(&mut self.outgoing);
        text.clear();
        for line in lines {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{line}");
        }
        let sent = self.send(&text, deadline, command);
        self.outgoing = text;
        sent
    }

    fn send(&mut self, text: &str, deadline: Instant, command: &str) -> Result<(), EngineFault> {
        for line in text.lines() {
            self.transcript.push(Speaker::Us, line.as_bytes());
            if let Some(log) = &self.log {
                log.write(Speaker::Us, line.as_bytes());
            }
        }
        self.pipes.write_all(text.as_bytes(), deadline).map_err(|end| self.fail(end, command))
    }

    fn read(&mut self, deadline: Instant, command: &str) -> Result<EngineMessage, EngineFault> {
        self.read_message(deadline).map_err(|end| self.fail(end, command))
    }

    fn read_message(&mut self, deadline: Instant) -> Result<EngineMessage, PipeEnd> {
        let cut_before = self.pipes.cut_lines;
        let line = self.pipes.read_line(deadline)?;
        self.transcript.push(Speaker::Engine, line);
        if let Some(log) = &self.log {
            log.write(Speaker::Engine, line);
        }
        let mut quirks = Vec::new();
        let message = parse_engine_line(line, &mut quirks);
        if self.pipes.cut_lines > cut_before {
            self.note_quirk(format!("a line longer than {LONGEST_LINE} bytes was cut"));
        }
        for quirk in quirks {
            // A banner before `uciok` is common and harmless.
            let banner = !self.greeted && matches!(quirk, Quirk::UnknownCommand(_));
            if !banner
                && self.quirks.len() < MOST_QUIRKS
                && !self.quirks.iter().any(|known| known.is_same_kind(&quirk))
            {
                self.new_quirks.push(visible(&quirk.to_string()).into_owned());
                self.quirks.push(quirk);
            }
        }
        Ok(message)
    }

    /// Ends the process and tells everything known about its fault.
    fn fail(&mut self, end: PipeEnd, command: &str) -> EngineFault {
        // A process closes its pipes a moment before it can be waited for.
        let patience = if matches!(end, PipeEnd::Closed) { LAST_BREATH } else { Duration::ZERO };
        let ended_alone = self.child.wait_until(Instant::now() + patience);
        let status = self.end().map_or_else(|| "unknown status".to_owned(), describe_status);
        let (cause, detail) = match end {
            _ if ended_alone => (FaultCause::Crash, format!("ended during `{command}` with {status}")),
            PipeEnd::Closed => (FaultCause::Crash, format!("closed its end of a pipe during `{command}`")),
            PipeEnd::Io(error) => (FaultCause::Crash, format!("its pipe failed during `{command}`: {error}")),
            PipeEnd::Deadline => (FaultCause::Hang, format!("no answer to `{command}` before its deadline")),
            PipeEnd::Flood => (FaultCause::Hang, format!("prints without end and does not take `{command}`")),
        };
        EngineFault {
            engine: self.name().to_owned(),
            cause,
            detail,
            transcript: self.transcript.lines(),
            stderr: self.child.stderr_tail(),
        }
    }

    fn end(&mut self) -> Option<std::process::ExitStatus> {
        self.alive = false;
        self.child.kill()
    }
}

fn push_line(text: &mut String, command: &GuiCommand) {
    text.push_str(&command.to_string());
    text.push('\n');
}

/// Runs a program and returns the first line it prints, as for `node --version`.
///
/// # Errors
/// [`FaultCause::StartFailure`] when it does not start or prints nothing within ten seconds.
pub fn first_line_of(program: &Path, arguments: &[String]) -> Result<String, EngineFault> {
    let failure = |detail: String| EngineFault {
        engine: program.display().to_string(),
        cause: FaultCause::StartFailure,
        detail,
        transcript: Vec::new(),
        stderr: Vec::new(),
    };
    let (mut child, mut pipes) =
        GroupChild::spawn(program, arguments, Path::new("."), None, &KillSwitch::default())
            .map_err(|error| failure(format!("cannot start: {error}")))?;
    pipes.close_stdin();
    match pipes.read_line(Instant::now() + Duration::from_secs(10)) {
        Ok(line) => Ok(visible(String::from_utf8_lossy(line).trim()).into_owned()),
        Err(_) => {
            child.kill();
            let stderr = child.stderr_tail();
            Err(EngineFault { stderr, ..failure("printed no line when asked for its version".to_owned()) })
        }
    }
}
