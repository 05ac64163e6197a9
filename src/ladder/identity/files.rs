//! The files that make an engine: those that are listed, and those that options and arguments name.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::hash::{file_sha256, text_sha256};
use crate::ladder::error::LadderError;

/// Most entries of a folder that is recorded.
const MOST_ENTRIES: usize = 10_000;

/// Where to look for the files that make an engine.
#[derive(Clone, Debug)]
pub struct FileSources<'a> {
    /// Where relative paths of `files` and `mutable` start: the spec's folder, or the caller's.
    pub folder: &'a Path,
    /// The folder the engine starts in: where relative paths of options and arguments start.
    pub working: &'a Path,
    /// Files that are listed.
    pub files: &'a [PathBuf],
    /// Files that the engine may write: not recorded and not checked.
    pub mutable: &'a [PathBuf],
    /// The engine's arguments.
    pub arguments: &'a [String],
    /// Options whose values are texts: as they are set, and the defaults of those that are not.
    pub texts: &'a [(String, String)],
}

/// The files that make an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineFiles {
    /// Digests by label. A listed file's label is its path in the spec (only the file name of an absolute path),
    /// `option NAME`, `argument N` (from 1). A file's digest is its SHA-256, a folder's that of the
    /// names and sizes of what is in it.
    pub sha256: BTreeMap<String, String>,
    /// Where they are, to look at them again.
    pub paths: BTreeMap<String, PathBuf>,
}

impl EngineFiles {
    /// Finds and hashes the files.
    ///
    /// # Errors
    /// [`LadderError::Io`] for a file that is listed or named and cannot be read, and for a folder
    /// with more than 10,000 entries.
    pub fn gather(sources: &FileSources<'_>) -> Result<Self, LadderError> {
        let mut this = Self::default();
        let mutable: Vec<PathBuf> =
            sources.mutable.iter().map(|path| plain(&sources.folder.join(path))).collect();
        for file in sources.files {
            let path = sources.folder.join(file);
            this.add(portable(&file.to_string_lossy(), sources.folder), &path, &mutable)?;
        }
        for (index, argument) in sources.arguments.iter().enumerate() {
            this.add_named(&format!("argument {}", index + 1), value_of(argument), sources, &mutable)?;
        }
        for (name, value) in sources.texts {
            this.add_named(&format!("option {name}"), value, sources, &mutable)?;
        }
        Ok(this)
    }

    /// The first file that is not what it was when it was hashed.
    #[must_use]
    pub fn first_changed(&self) -> Option<&Path> {
        let changed =
            |(label, path): &(&String, &PathBuf)| path_digest(path).ok().as_ref() != self.sha256.get(*label);
        self.paths.iter().find(changed).map(|(_, path)| path.as_path())
    }

    /// The files that a text names: one path, or several with `:` or `;` between them.
    fn add_named(
        &mut self,
        label: &str,
        text: &str,
        sources: &FileSources<'_>,
        mutable: &[PathBuf],
    ) -> Result<(), LadderError> {
        let whole = [text];
        let parts: Vec<&str> = if existing(text, sources.working).is_some() {
            whole.to_vec()
        } else {
            text.split([':', ';']).collect()
        };
        for part in parts {
            if let Some(path) = existing(part, sources.working) {
                self.add(label.to_owned(), &path, mutable)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, label: String, path: &Path, mutable: &[PathBuf]) -> Result<(), LadderError> {
        if mutable.contains(&plain(path)) {
            return Ok(());
        }
        let digest = path_digest(path)?;
        let mut unique = label.clone();
        let mut number = 1;
        while self.sha256.contains_key(&unique) {
            number += 1;
            unique = format!("{label} ({number})");
        }
        self.paths.insert(unique.clone(), path.to_owned());
        self.sha256.insert(unique, digest);
        Ok(())
    }
}

/// A text that may be or hold a path, without what belongs to one machine: an absolute path that
/// exists becomes relative where it is below `folder`, else its last name alone.
#[must_use]
pub fn portable(text: &str, folder: &Path) -> String {
    let value = value_of(text);
    let key = text.strip_suffix(value).unwrap_or_default();
    let shorten = |part: &str| {
        let path = Path::new(part);
        // A file that the engine has yet to write counts like one that it has written.
        let in_a_folder = path.parent().is_some_and(|parent| parent != Path::new("/") && parent.is_dir());
        if !path.is_absolute() || !(path.exists() || in_a_folder) {
            return part.to_owned();
        }
        let root = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let below = path.strip_prefix(&root).ok().filter(|below| !below.as_os_str().is_empty());
        let name = path.file_name().map(Path::new).unwrap_or(path);
        below.unwrap_or(name).to_string_lossy().into_owned()
    };
    let whole = shorten(value);
    if whole != value || Path::new(value).exists() {
        return format!("{key}{whole}");
    }
    let mut shortened = key.to_owned();
    for part in value.split_inclusive([':', ';']) {
        let bare = part.trim_end_matches([':', ';']);
        shortened.push_str(&shorten(bare));
        shortened.push_str(part.strip_prefix(bare).unwrap_or_default());
    }
    shortened
}

/// What follows `=` in an argument such as `--net=FILE`; the whole argument without one.
fn value_of(argument: &str) -> &str {
    match argument.split_once('=') {
        Some((key, value)) if key.starts_with('-') => value,
        _ => argument,
    }
}

/// The file or folder that a text names, seen from the folder an engine starts in.
fn existing(text: &str, working: &Path) -> Option<PathBuf> {
    let names = !text.is_empty() && text.chars().any(|c| c != '.' && c != '/') && !text.contains('\0');
    let path = working.join(text);
    (names && path.exists()).then_some(path)
}

/// A path without `.` and with `..` taken away where that is plain, links followed where it exists.
fn plain(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}

/// The SHA-256 of a file, or of a folder's names and sizes.
pub(in crate::ladder) fn path_digest(path: &Path) -> Result<String, LadderError> {
    if path.is_dir() { folder_digest(path) } else { file_sha256(path) }
}

/// The digest of a folder's names and sizes.
fn folder_digest(folder: &Path) -> Result<String, LadderError> {
    let failed = |error| LadderError::io(folder, "read", error);
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let data = entry.metadata().map_err(failed)?;
        // What a folder itself takes depends on the file system.
        let size = if data.is_dir() { 0 } else { data.len() };
        entries.push(format!("{}\t{size}\n", entry.file_name().to_string_lossy()));
        if entries.len() > MOST_ENTRIES {
            let what = format!("more than {MOST_ENTRIES} entries");
            return Err(failed(std::io::Error::other(what)));
        }
    }
    entries.sort_unstable();
    Ok(format!("folder {}", text_sha256(&entries.concat())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources<'a>(folder: &'a Path, texts: &'a [(String, String)]) -> FileSources<'a> {
        FileSources { folder, working: folder, files: &[], mutable: &[], arguments: &[], texts }
    }

    #[test]
    fn options_and_arguments_that_name_files_are_part_of_the_engine() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a.nnue"), "a").expect("written");
        fs::create_dir(at("tables")).expect("made");
        fs::write(at("tables/KRvK.rtbw"), "table").expect("written");
        let texts = [
            ("EvalFile".to_owned(), at("a.nnue").to_string_lossy().into_owned()),
            ("SyzygyPath".to_owned(), "nowhere:tables".to_owned()),
            ("Style".to_owned(), "Solid".to_owned()),
        ];
        let arguments = ["--net=a.nnue".to_owned(), "-v".to_owned()];
        let mut sources = sources(folder.path(), &texts);
        sources.arguments = &arguments;
        let found = EngineFiles::gather(&sources).expect("readable");
        let labels: Vec<_> = found.sha256.keys().map(String::as_str).collect();
        assert_eq!(labels, ["argument 1", "option EvalFile", "option SyzygyPath"]);
        assert_eq!(found.sha256["argument 1"], text_sha256("a"));
        fs::write(at("tables/KRvK.rtbw"), "longer table").expect("written");
        let again = EngineFiles::gather(&sources).expect("readable");
        assert_ne!(again.sha256["option SyzygyPath"], found.sha256["option SyzygyPath"]);
        sources.mutable = &[];
        let learned = [PathBuf::from("a.nnue")];
        sources.mutable = &learned;
        let rest = EngineFiles::gather(&sources).expect("readable");
        assert_eq!(rest.sha256.len(), 1, "a file that the engine may write is not recorded: {rest:?}");
    }

    #[test]
    fn no_absolute_path_of_a_machine_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let net = folder.path().join("a.nnue");
        fs::write(&net, "a").expect("written");
        let text = net.to_string_lossy();
        assert_eq!(portable(&text, folder.path()), "a.nnue");
        assert_eq!(portable(&format!("--net={text}"), Path::new("/nowhere")), "--net=a.nnue");
        assert_eq!(portable(&format!("{text}:{text}"), Path::new("/nowhere")), "a.nnue:a.nnue");
        assert_eq!(portable("/no/such/file", folder.path()), "/no/such/file");
        let log = folder.path().join("to-be-written.log");
        assert_eq!(portable(&log.to_string_lossy(), folder.path()), "to-be-written.log");
        assert_eq!(portable("Solid", folder.path()), "Solid");
    }
}
