//! Where an engine's program is.

use std::env;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::error::LadderError;

/// The built-in engines run as child processes of this same program.
const BUILTIN: &str = "builtin:";
/// Where Debian puts games when `PATH` does not say so.
const GAMES: &str = "/usr/games";
/// The project's own engines, from the present folder.
const OWN: &str = ".engines";

/// A program to start and the arguments that come before the spec's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFile {
    /// The program, as an absolute path.
    pub program: PathBuf,
    /// What a built-in engine needs to be told.
    pub arguments: Vec<String>,
}

/// Finds the program of `engine`: a built-in one, a path (relative to the spec's folder), or a name
/// looked for in `PATH`, in Debian's games folder and in `.engines/` here and beside the spec.
///
/// # Errors
/// [`LadderError::EngineMissing`] says where was looked.
pub fn find(engine: &str, spec_folder: &Path) -> Result<EngineFile, LadderError> {
    if let Some(name) = engine.strip_prefix(BUILTIN) {
        return builtin(engine, name);
    }
    if engine.contains('/') {
        let path = spec_folder.join(engine);
        return if is_program(&path) {
            Ok(EngineFile { program: absolute(&path), arguments: Vec::new() })
        } else {
            let what = if path.exists() { "is not an executable file" } else { "does not exist" };
            let start = if spec_folder.as_os_str().is_empty() { "the present" } else { "the spec's" };
            Err(missing(engine, format!("{} {what}; paths start at {start} folder", path.display())))
        };
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let own = [PathBuf::from(OWN), spec_folder.join(OWN), spec_folder.join("..").join(OWN)];
    env::split_paths(&path)
        .filter(|folder| !folder.as_os_str().is_empty())
        .chain([PathBuf::from(GAMES)])
        .chain(own)
        .map(|folder| folder.join(engine))
        .find(|candidate| is_program(candidate))
        .map(|program| EngineFile { program: absolute(&program), arguments: Vec::new() })
        .ok_or_else(|| missing(engine, not_found_hint(engine)))
}

fn builtin(engine: &str, name: &str) -> Result<EngineFile, LadderError> {
    let known = crate::engines::names();
    if !known.contains(&name) {
        return Err(missing(engine, format!("the built-in engines are: {}", known.join(", "))));
    }
    let program = env::current_exe()
        .map_err(|error| missing(engine, format!("this program cannot find its own file: {error}")))?;
    Ok(EngineFile { program, arguments: vec!["engine".to_owned(), name.to_owned()] })
}

fn not_found_hint(engine: &str) -> String {
    let looked = format!("looked on PATH, in {GAMES} and in {OWN}/");
    if engine == "stockfish" {
        format!("{looked}; install the package `stockfish`, or run scripts/get-stockfish 19")
    } else {
        format!("{looked}; write a path with a slash for a program elsewhere")
    }
}

pub(super) fn missing(engine: &str, hint: String) -> LadderError {
    LadderError::EngineMissing { engine: engine.to_owned(), hint }
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
