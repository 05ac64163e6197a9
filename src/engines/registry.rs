//! The built-in engines by name.

use std::fmt;
#[cfg(not(target_family = "wasm"))]
use std::io::{BufRead, Write};

use super::classic::Classic;
use super::fallible::Fallible;
use super::host::Engine;
use super::legible::Legible;
#[cfg(not(target_family = "wasm"))]
use super::server::serve_engine;

/// The names, in alphabetical order.
const NAMES: [&str; 3] = ["classic", "fallible", "legible"];

/// A name that no built-in engine has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEngine {
    /// The name asked for.
    pub name: String,
}

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no built-in engine is named `{}`\nhint: there is {}", self.name, NAMES.join(", "))
    }
}

impl std::error::Error for UnknownEngine {}

/// The names of the built-in engines.
#[must_use]
pub fn names() -> &'static [&'static str] {
    &NAMES
}

/// The engine of this name.
///
/// # Errors
/// [`UnknownEngine`] lists the names there are.
pub(super) fn create(name: &str) -> Result<Box<dyn Engine>, UnknownEngine> {
    match name {
        "classic" => Ok(Box::new(Classic::new())),
        "fallible" => Ok(Box::new(Fallible::new())),
        "legible" => Ok(Box::new(Legible::new())),
        _ => Err(UnknownEngine { name: name.to_owned() }),
    }
}

/// Serves the engine of this name until `quit` or the end of `input`.
///
/// # Errors
/// [`UnknownEngine`] lists the names there are.
#[cfg(not(target_family = "wasm"))]
pub fn serve(name: &str, input: impl BufRead + Send, output: impl Write) -> Result<(), UnknownEngine> {
    serve_engine(create(name)?.as_mut(), input, output);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_served_and_others_are_refused_with_the_list() {
        for name in names() {
            let mut output = Vec::new();
            serve(name, b"uci\nquit\n".as_slice(), &mut output).unwrap();
            assert!(String::from_utf8(output).unwrap().ends_with("uciok\n"));
        }
        let refused = serve("clasic", b"".as_slice(), Vec::new()).unwrap_err().to_string();
        assert!(refused.contains("`clasic`") && refused.contains("classic"), "{refused}");
    }
}
