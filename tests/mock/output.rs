//! Standard output and input, and the process itself.

use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::sync::mpsc::{Receiver, channel};
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Pid, getpgid};

/// Writes a line and flushes. The engine ends when nobody reads any more.
pub fn say_bytes(line: &[u8], crlf: bool) {
    let mut out = io::stdout().lock();
    let end: &[u8] = if crlf { b"\r\n" } else { b"\n" };
    if out.write_all(line).and_then(|()| out.write_all(end)).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

/// Writes a line of text and flushes.
pub fn say(line: impl fmt::Display, crlf: bool) {
    say_bytes(line.to_string().as_bytes(), crlf);
}

/// Writes bytes to standard error, in lines.
pub fn flood_stderr(bytes: usize) {
    let line = format!("{}\n", "e".repeat(99));
    let mut err = io::stderr().lock();
    for _ in 0..bytes.div_ceil(line.len()) {
        if err.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

/// The lines of standard input, read by a thread of its own so that a search can be stopped; each
/// is appended to `log` as it arrives. The channel closes with the input.
pub fn input(log: Option<PathBuf>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut log = log.and_then(|path| OpenOptions::new().create(true).append(true).open(path).ok());
        for line in io::stdin().lock().split(b'\n') {
            let Ok(line) = line else { return };
            if let Some(log) = &mut log {
                // A log that cannot be written shows in the test that reads it.
                let _ = log.write_all(&[line.as_slice(), b"\n"].concat());
            }
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Adds a line to a file.
pub fn append(file: &Path, line: &str) {
    let opened = OpenOptions::new().create(true).append(true).open(file);
    // A file that cannot be written shows in the test that reads it.
    let _ = opened.and_then(|mut file| writeln!(file, "{line}"));
}

/// What means nothing: a blank line, unknown words, bytes that are no text, and a line on standard
/// error.
pub fn make_noise(crlf: bool) {
    for line in [&b""[..], b"joho what now", b"\tinfo string caf\xe9 depth", b"  debug score cp 9999"] {
        say_bytes(line, crlf);
    }
    // Nobody may read it, and that does not matter either.
    let _ = io::stderr().lock().write_all(b"thinking about it \xff\n");
}

/// Starts a process that holds this one's pipes open and says its id; a `stray` one leads a session
/// and a process group of its own by then.
pub fn start_grandchild(stray: bool, crlf: bool) {
    let arguments: &[&str] = if stray { &["--only-sleep", "--new-session"] } else { &["--only-sleep"] };
    let child = std::env::current_exe().and_then(|own| Command::new(own).args(arguments).spawn());
    let child = match child {
        Ok(child) => child,
        Err(error) => return say(format_args!("info string no grandchild: {error}"), crlf),
    };
    let process = Pid::from_child(&child);
    while stray && getpgid(Some(process)).is_ok_and(|group| group != process) {
        sleep(Duration::from_millis(1));
    }
    say(format_args!("info string grandchild {}", child.id()), crlf);
}
