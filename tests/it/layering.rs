//! The direction of dependencies, as `docs/design.md` lists it.

use std::fs;
use std::path::{Path, PathBuf};

/// From the bottom up: a module may use only those before it.
const ORDER: [&str; 10] =
    ["chess", "rating", "uci", "engines", "arena", "ladder", "audit", "fingerprint", "report", "cli"];

/// The modules that build without the libraries left out on WebAssembly.
const RULES_LIBRARY: [&str; 2] = ["shakmaty", "pgn_reader"];

pub(super) fn rust_files(dir: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

fn sources() -> Vec<(String, PathBuf, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    files
        .into_iter()
        .map(|path| {
            let first = path.strip_prefix(&src).unwrap().components().next().unwrap();
            let module = Path::new(first.as_os_str()).file_stem().unwrap().to_str().unwrap().to_owned();
            let text = fs::read_to_string(&path).unwrap();
            (module, path, text)
        })
        .collect()
}

/// Every `crate::module` named in a line of code, `use` or not.
fn modules_named(line: &str) -> Vec<&str> {
    line.match_indices("crate::")
        .map(|(at, word)| {
            let rest = &line[at + word.len()..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            &rest[..end]
        })
        .collect()
}

#[test]
fn no_module_uses_one_below_it() {
    let rank = |name: &str| ORDER.iter().position(|module| *module == name);
    let mut seen = 0;
    let mut upward = Vec::new();
    for (module, path, text) in sources() {
        let Some(own) = rank(&module) else { continue };
        for (number, line) in text.lines().enumerate() {
            if line.trim_start().starts_with("//") {
                continue;
            }
            for used in modules_named(line) {
                seen += 1;
                if rank(used).is_some_and(|used| used > own) {
                    upward.push(format!("{}:{}: {module} uses {used}", path.display(), number + 1));
                }
            }
        }
    }
    assert!(seen > 0, "no `crate::` path was found: this test reads nothing");
    assert!(upward.is_empty(), "upward arrows:\n{}", upward.join("\n"));
}

#[test]
fn only_chess_names_the_rules_library() {
    let mut named = Vec::new();
    for (module, path, text) in sources() {
        for (number, line) in text.lines().enumerate() {
            let code = !line.trim_start().starts_with("//");
            if code && module != "chess" && RULES_LIBRARY.iter().any(|library| line.contains(library)) {
                named.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    assert!(named.is_empty(), "the rules library is named outside `chess`:\n{}", named.join("\n"));
}

#[test]
fn mod_files_only_declare_and_reexport() {
    for (_, path, text) in sources() {
        if path.file_name().is_some_and(|name| name == "mod.rs") {
            assert!(!text.contains("fn "), "{} holds code: move it to a file of its own", path.display());
        }
    }
}
