//! What several subjects share.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::thread::spawn;
use std::time::{Duration, Instant};

use elometer::uci::process::{Deadlines, Launch, WorkingFolder};
use tempfile::TempDir;

/// The mock engine (`tests/mock`), which `cargo test` builds beside the tests: the test program is
/// `target/PROFILE/deps/it-…`, the mock `target/PROFILE/examples/mock_engine`.
pub fn mock_engine() -> PathBuf {
    let test_program = std::env::current_exe().unwrap();
    let profile = test_program.ancestors().nth(2).unwrap();
    let path = profile.join("examples").join("mock_engine");
    assert!(path.exists(), "no mock engine: run `cargo build --example mock_engine`");
    path
}

/// The mock engine with these arguments, and deadlines that no busy machine misses.
pub fn mock_launch(arguments: &[&str]) -> Launch {
    let minute = 60_000;
    let deadlines =
        Deadlines { start_ms: minute, ready_ms: minute, search_ms: None, stop_ms: minute, quit_ms: minute };
    Launch {
        label: "mock".to_owned(),
        program: mock_engine(),
        arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
        directory: WorkingFolder::Given(".".into()),
        deadlines,
        log: None,
        expected: None,
    }
}

/// The lines of a file; none when it does not exist.
pub fn lines_of(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Lets other threads and processes work until `condition` holds, for a minute at most.
pub fn wait_for(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < deadline, "still waiting for {what}");
        std::thread::park_timeout(Duration::from_millis(1));
    }
}

/// The arguments of every process that has not ended, by its id. Empty where there is no `/proc`.
pub fn processes() -> Vec<(u32, String)> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let process = |name: &str| {
        // A process that has ended but was not waited for has no arguments any more.
        let arguments = fs::read(format!("/proc/{name}/cmdline")).ok().filter(|text| !text.is_empty())?;
        Some((name.parse().ok()?, String::from_utf8_lossy(&arguments).into_owned()))
    };
    entries.flatten().filter_map(|entry| process(&entry.file_name().to_string_lossy())).collect()
}

/// A temporary folder in which the program runs, so that its messages hold no path of the machine.
pub struct Lab {
    folder: TempDir,
}

/// What a program did: exit code, standard output, standard error.
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Lab {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program, in this folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elometer"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.ran(&self.command(arguments).output().unwrap())
    }

    /// Runs and expects this exit code.
    #[track_caller]
    pub fn run_to(&self, code: i32, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}\n{}\n{}", ran.stdout, ran.stderr);
        ran
    }

    pub fn ran(&self, output: &Output) -> Ran {
        let text = |bytes: &[u8]| self.redacted(std::str::from_utf8(bytes).unwrap());
        Ran { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }

    /// The text without what differs between machines: this folder, the repository, the mock
    /// engine's place, and every SHA-256.
    pub fn redacted(&self, text: &str) -> String {
        let folder = self.folder.path().display().to_string();
        let mut text = text.replace(&mock_engine().display().to_string(), "[MOCK]").replace(&folder, "[LAB]");
        text = text.replace(env!("CARGO_MANIFEST_DIR"), "[REPOSITORY]");
        let is_hash = |word: &str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
        let words = words.map(|word| match word.char_indices().last() {
            Some((end, last)) if !last.is_ascii_alphanumeric() && is_hash(&word[..end]) => {
                format!("[SHA256]{last}")
            }
            _ => word.to_owned(),
        });
        words.collect()
    }

    /// A spec of two mock engines with these arguments; `rest` is added below `[opponent]`.
    /// Games end after twelve plies.
    pub fn write_mock_spec(&self, subject: &[&str], opponent: &[&str], rest: &str) {
        let arguments = |arguments: &[&str]| toml::Value::from(arguments.to_vec()).to_string();
        self.write(
            "spec.toml",
            &format!(
                "seed = 1\ndate = \"2026-11-29\"\n[adjudication]\nmax_plies = 12\n\
                 [openings]\nfile = \"openings.epd\"\npairs = 2\n\
                 [subject]\nengine = '{mock}'\nname = \"Subject\"\nlimits = {{ nodes = 1 }}\narguments = {}\n\
                 [opponent]\nengine = '{mock}'\nname = \"Opponent\"\nlimits = {{ nodes = 1 }}\narguments = {}\n\
                 {rest}\n",
                arguments(subject),
                arguments(opponent),
                mock = mock_engine().display(),
            ),
        );
        self.write("openings.epd", OPENINGS);
    }

    /// A line of the spec written last takes the place of the one that begins as it does.
    pub fn change_spec(&self, line: &str) {
        let key = line.split('=').next().unwrap();
        let spec = self.read("spec.toml");
        let lines = spec.lines().map(|old| if old.starts_with(key) { line } else { old });
        let changed = lines.collect::<Vec<_>>().join("\n");
        assert_ne!(changed, spec.trim_end(), "{line}");
        self.write("spec.toml", &changed);
    }

    /// The journal's games, as JSON.
    pub fn journal(&self, run: &str) -> Vec<serde_json::Value> {
        let journal = self.read(&format!("{run}/games.jsonl"));
        let games = journal.lines().filter(|line| line.starts_with("{\"game\":"));
        games.map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The plan that `elometer plan` prints for the spec written last.
    pub fn plan_json(&self) -> serde_json::Value {
        let plan = self.run_to(0, &["plan", "spec.toml", "--no-probe", "--format", "json"]);
        serde_json::from_str(&plan.stdout).unwrap()
    }

    /// `plan.json`.
    pub fn plan(&self, run: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(&format!("{run}/plan.json"))).unwrap()
    }
}

/// Two openings, after 1. e4 e5 and after 1. d4 d5.
pub const OPENINGS: &str = "\
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - eco \"C20\"; id \"King's Pawn Game\";
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - eco \"D00\"; id \"Queen's Pawn Game\";
";

/// Starts a program that others may outlive: its standard output is also held by everything that it
/// starts, so that reading it to its end waits for the last of them.
pub fn spawn_with_heirs(lab: &Lab, arguments: &[&str]) -> Child {
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$@\" 9>&1", "sh", env!("CARGO_BIN_EXE_elometer")]).args(arguments);
    command.current_dir(lab.path("")).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits until a child of [`spawn_with_heirs`] and everything that it started have ended.
///
/// # Panics
/// When that takes a minute: something was left behind.
pub fn wait_for_all(mut child: Child) -> Output {
    let (sender, receiver) = channel();
    spawn(move || {
        let status = child.wait().unwrap();
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        child.stdout.take().unwrap().read_to_end(&mut stdout).unwrap();
        if let Some(mut pipe) = child.stderr.take() {
            pipe.read_to_end(&mut stderr).unwrap();
        }
        let _ = sender.send(Output { status, stdout, stderr });
    });
    receiver.recv_timeout(Duration::from_secs(60)).expect("a process was left behind")
}
