//! A built-in engine inside the test program, spoken to over two pipes.

use std::io::{BufRead as _, BufReader, PipeReader, PipeWriter, Write as _, pipe};
use std::thread::{self, JoinHandle};

use elometer::engines::serve;

/// The engine behind two pipes.
pub struct Session {
    to_engine: Option<PipeWriter>,
    from_engine: BufReader<PipeReader>,
    server: JoinHandle<()>,
}

impl Session {
    pub fn start(name: &'static str) -> Self {
        let (input, to_engine) = pipe().unwrap();
        let (from_engine, output) = pipe().unwrap();
        let server = thread::spawn(move || serve(name, BufReader::new(input), output).unwrap());
        Self { to_engine: Some(to_engine), from_engine: BufReader::new(from_engine), server }
    }

    pub fn send(&mut self, line: &str) {
        writeln!(self.to_engine.as_mut().unwrap(), "{line}").unwrap();
    }

    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.from_engine.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// The lines up to the first that starts with `last`, which is among them.
    pub fn until(&mut self, last: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            assert!(!line.is_empty(), "the engine left before `{last}`: {lines:?}");
            let found = line.starts_with(last);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    pub fn ask(&mut self, line: &str, last: &str) -> Vec<String> {
        self.send(line);
        self.until(last)
    }

    /// Closes the engine's input and returns what it still had to say.
    pub fn end(mut self) -> Vec<String> {
        drop(self.to_engine.take());
        let rest = self.from_engine.lines().map(Result::unwrap).collect();
        self.server.join().unwrap();
        rest
    }
}

/// The line with what depends on the clock left out.
pub fn masked(line: &str) -> String {
    let mut words = line.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        kept.push(word);
        if word == "time" || word == "nps" {
            words.next();
            kept.push("_");
        }
    }
    kept.join(" ")
}
