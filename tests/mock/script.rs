//! A dialogue from a file, for what no argument describes.
//!
//! One step a line; blank lines and lines that start with `#` are skipped:
//!
//! | step | does |
//! |---|---|
//! | `expect PREFIX` | reads a line, which must start so; else exit code 97 |
//! | `await PREFIX` | reads lines up to one that starts so |
//! | `say TEXT` | writes a line (`\r`, `\n` and `\xHH` are escapes) |
//! | `warn TEXT` | writes a line to standard error |
//! | `wait MS` | sleeps |
//! | `fork` | starts a process that keeps the pipes open |
//! | `exit CODE` | exits |
//!
//! Input that ends early is exit code 98, a script that cannot be read 99; the end of the script
//! is exit code 0.

use std::fs;
use std::io::{self, BufRead as _};
use std::path::Path;
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use crate::output;

const UNEXPECTED: u8 = 97;
const END_OF_INPUT: u8 = 98;
const BAD_SCRIPT: u8 = 99;

/// Plays the script and says how it ended.
pub fn play(path: &Path) -> ExitCode {
    let Ok(script) = fs::read_to_string(path) else {
        eprintln!("mock_engine: cannot read {}", path.display());
        return ExitCode::from(BAD_SCRIPT);
    };
    for line in script.lines().map(str::trim_start) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (step, rest) = line.split_once(' ').unwrap_or((line, ""));
        if let Err(code) = take_step(step, rest) {
            return ExitCode::from(code);
        }
    }
    ExitCode::SUCCESS
}

fn take_step(step: &str, rest: &str) -> Result<(), u8> {
    match step {
        "expect" => {
            let line = read_line()?;
            if !line.starts_with(rest) {
                eprintln!("mock_engine: expected `{rest}`, read `{line}`");
                return Err(UNEXPECTED);
            }
        }
        "await" => while !read_line()?.starts_with(rest) {},
        "say" => output::say_bytes(&unescape(rest), false),
        "warn" => eprintln!("{rest}"),
        "wait" => sleep(Duration::from_millis(rest.trim().parse().map_err(|_| BAD_SCRIPT)?)),
        "fork" => output::start_grandchild(false, false),
        "exit" => return Err(rest.trim().parse().map_err(|_| BAD_SCRIPT)?),
        _ => {
            eprintln!("mock_engine: unknown step `{step}`");
            return Err(BAD_SCRIPT);
        }
    }
    Ok(())
}

fn read_line() -> Result<String, u8> {
    let mut line = String::new();
    match io::stdin().lock().read_line(&mut line) {
        Ok(length) if length > 0 => Ok(line.trim_end().to_owned()),
        _ => Err(END_OF_INPUT),
    }
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let (value, after) = match (byte, after) {
            (b'\\', [b'r', after @ ..]) => (b'\r', after),
            (b'\\', [b'n', after @ ..]) => (b'\n', after),
            (b'\\', [b'x', high, low, after @ ..]) => {
                let digits = [*high, *low];
                let value =
                    std::str::from_utf8(&digits).ok().and_then(|hex| u8::from_str_radix(hex, 16).ok());
                (value.unwrap_or(b'?'), after)
            }
            _ => (byte, after),
        };
        bytes.push(value);
        rest = after;
    }
    bytes
}
