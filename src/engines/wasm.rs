//! The built-in engines as functions of a WebAssembly module, for a host in JavaScript.
//!
//! A module instance is one engine. The host writes text where `text_buffer` says, then calls
//! `engine_start` with a name there, and `engine_handle` for each line. What the engine needs of the
//! world are three imports from `host`. `scripts/wasm-engine` is such a host.
//!
//! Invariant: the only file of the crate with unsafe code allowed. A symbol that is called from
//! outside, and a function that is defined there, cannot be declared without; nothing is
//! dereferenced here.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::fmt;
use std::time::Duration;

use super::host::{Engine, Flow, Heard, Host};
use super::registry::create;

/// A line that has come is first looked for with this much room.
const USUAL_LINE: usize = 4096;
/// What `hear` returns when no line has come yet.
const NOTHING_YET: isize = -1;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Sends one line, given without its end.
    safe fn say(text: *const u8, length: usize);
    /// Writes the next line that has come to `room` and returns its length. One that is longer than
    /// the room stays where it is. -1: none has come
    /// yet, -2: none will come any more.
    safe fn hear(room: *mut u8, length: usize) -> isize;
    /// Microseconds since some fixed moment.
    safe fn elapsed_us() -> u64;
}

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ENGINE: RefCell<Option<Box<dyn Engine>>> = const { RefCell::new(None) };
}

/// Makes room for a text of `length` bytes and says where. The next call makes other room.
#[unsafe(no_mangle)]
pub extern "C" fn text_buffer(length: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        text.resize(length, 0);
        text.as_mut_ptr()
    })
}

/// Starts the engine whose name is in the buffer: 1, or 0 when none has this name.
#[unsafe(no_mangle)]
pub extern "C" fn engine_start() -> i32 {
    let engine = TEXT.with_borrow(|name| create(&String::from_utf8_lossy(name)).ok());
    let found = engine.is_some();
    ENGINE.set(engine);
    found.into()
}

/// Hands the engine the line in the buffer: 1 when it goes on, 0 when it has ended or never started.
#[unsafe(no_mangle)]
pub extern "C" fn engine_handle() -> i32 {
    let line = TEXT.take();
    let flow =
        ENGINE.with_borrow_mut(|engine| engine.as_mut().map(|engine| engine.handle(&line, &mut Outside)));
    (flow == Some(Flow::Continue)).into()
}

/// The host behind the imports.
struct Outside;

impl Host for Outside {
    fn poll(&mut self) -> Heard {
        let mut line = vec![0; USUAL_LINE];
        loop {
            let heard = hear(line.as_mut_ptr(), line.len());
            match usize::try_from(heard) {
                Ok(length) if length > line.len() => line.resize(length, 0),
                Ok(length) => {
                    line.truncate(length);
                    return Heard::Line(line);
                }
                Err(_) if heard == NOTHING_YET => return Heard::Nothing,
                Err(_) => return Heard::End,
            }
        }
    }

    fn say(&mut self, line: &dyn fmt::Display) {
        let text = line.to_string();
        say(text.as_ptr(), text.len());
    }

    fn elapsed(&self) -> Duration {
        Duration::from_micros(elapsed_us())
    }
}
