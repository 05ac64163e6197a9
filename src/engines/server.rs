//! An engine behind a reader and a writer, with a thread that reads while the engine searches.

use std::fmt;
use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::host::{Engine, Flow, Heard, Host};
use crate::uci::protocol::{GuiCommand, parse_gui_line};

/// Serves one engine until `quit`, the end of the input, or a failure to write.
///
/// Returns after the reader has seen `quit` or the end of `input`, or when it meets the next line
/// after a failure to write.
pub fn serve_engine(engine: &mut dyn Engine, input: impl BufRead + Send, output: impl Write) {
    let (sender, lines) = channel();
    thread::scope(|scope| {
        scope.spawn(move || read_lines(input, &sender));
        let mut host = Terminal { lines, output, start: Instant::now(), gone: false };
        while !host.gone
            && let Ok(line) = host.lines.recv()
        {
            if engine.handle(&line, &mut host) == Flow::Quit {
                break;
            }
        }
    });
}

/// Passes lines on until `quit`, the end, or nobody listens: `quit` ends the reading too, as no
/// end of input need follow it.
fn read_lines(mut input: impl BufRead, sender: &Sender<Vec<u8>>) {
    loop {
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let last = parse_gui_line(&line, &mut Vec::new()) == GuiCommand::Quit;
                if sender.send(line).is_err() || last {
                    return;
                }
            }
        }
    }
}

struct Terminal<W> {
    lines: Receiver<Vec<u8>>,
    output: W,
    start: Instant,
    /// Whether writing has failed: nobody is there any more.
    gone: bool,
}

impl<W: Write> Host for Terminal<W> {
    fn poll(&mut self) -> Heard {
        if self.gone {
            return Heard::End;
        }
        match self.lines.try_recv() {
            Ok(line) => Heard::Line(line),
            Err(TryRecvError::Empty) => Heard::Nothing,
            Err(TryRecvError::Disconnected) => Heard::End,
        }
    }

    fn say(&mut self, line: &dyn fmt::Display) {
        self.gone |= writeln!(self.output, "{line}").and_then(|()| self.output.flush()).is_err();
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
