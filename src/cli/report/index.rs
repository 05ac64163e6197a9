//! Which files of a folder reports wrote, so that no other is written over or removed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::cli::exit::{Exit, Failure};
use crate::cli::input::input_at;
use crate::ladder::{LadderError, bytes_sha256, file_sha256, write_whole};

/// The file that lists them, as `sha256sum --check` reads it.
const INDEX: &str = ".elometer";
/// An index is some hundred lines; bytes.
const LONGEST_INDEX: u64 = 4_000_000;
/// Names that a message lists.
const NAMED: usize = 5;
/// What rsvg-convert makes of a figure; not in the index, since they belong to their SVG.
const PICTURES: [&str; 2] = ["pdf", "png"];

/// The files of the reports in a folder, by name, with the SHA-256 that they may have. While a report
/// is written that is the old one and the new one, so that one cut short does not stand in the way.
pub(super) struct Index {
    folder: PathBuf,
    hashes: BTreeMap<String, BTreeSet<String>>,
}

impl Index {
    /// What earlier reports wrote into the folder. A line that is not of a report is no line.
    pub(super) fn read(folder: &Path) -> Self {
        let mut text = String::new();
        let path = folder.join(INDEX);
        // Opening a FIFO would wait for ever.
        if path.is_file()
            && let Ok(file) = File::open(path)
        {
            // One that cannot be read owns no file, and the first that is there is named.
            let _ = file.take(LONGEST_INDEX).read_to_string(&mut text);
        }
        let mut hashes = BTreeMap::<String, BTreeSet<String>>::new();
        let lines = text.lines().filter_map(|line| line.split_once("  "));
        for (hash, name) in lines.filter(|(hash, name)| is_sha256(hash) && may_own(name)) {
            hashes.entry(name.to_owned()).or_default().insert(hash.to_owned());
        }
        Self { folder: folder.to_owned(), hashes }
    }

    /// Whether these files may be written and those of earlier reports removed: none is an input, and
    /// each that is there is as a report wrote it.
    pub(super) fn check(&self, files: &BTreeMap<String, Vec<u8>>, inputs: &[PathBuf]) -> Result<(), Failure> {
        let names: BTreeSet<&String> = files.keys().chain(self.hashes.keys()).collect();
        let (mut strange, mut changed) = (Vec::new(), Vec::new());
        let index = self.folder.join(INDEX);
        if fs::symlink_metadata(&index).is_ok() && !index.is_file() {
            strange.push(index);
        }
        for name in names {
            for file in std::iter::once(self.folder.join(name)).chain(self.pictures(name)) {
                if let Some(input) = input_at(&file, inputs) {
                    let error = anyhow::anyhow!(
                        "the report would write over the input {}\nhint: give --out another folder",
                        input.display()
                    );
                    return Err(Failure::new(Exit::Usage, error));
                }
                if fs::symlink_metadata(&file).is_err() {
                    continue;
                }
                let known = self.hashes.get(name);
                let is_picture = file.extension() != Path::new(name).extension();
                let hash = || hash_of(&file);
                let is_own = known.is_some_and(|known| {
                    // A picture belongs to its figure, as that was written or where it is gone.
                    let figure = self.folder.join(name);
                    let is_gone = is_picture && fs::symlink_metadata(&figure).is_err();
                    file.is_file() && (is_gone || hash_of(&figure).is_some_and(|hash| known.contains(&hash)))
                });
                // The same bytes again take nothing from anybody.
                let is_same = || {
                    !is_picture && files.get(name).is_some_and(|bytes| hash() == Some(bytes_sha256(bytes)))
                };
                if !is_own && !is_same() {
                    let is_changed = known.is_some() && file.is_file();
                    let list = if is_changed { &mut changed } else { &mut strange };
                    list.push(file);
                }
            }
        }
        refuse(&changed, "changed since a report wrote it")?;
        refuse(&strange, "not of an earlier report in this folder")
    }

    /// Adds files that are about to be written.
    pub(super) fn add(&mut self, files: &BTreeMap<String, Vec<u8>>) {
        for (name, bytes) in files {
            self.hashes.entry(name.clone()).or_default().insert(bytes_sha256(bytes));
        }
    }

    /// Removes the files of earlier reports that are not among these, and every picture: one of other
    /// games must not stay beside its figure.
    pub(super) fn remove_old(&mut self, files: &BTreeMap<String, Vec<u8>>) {
        for name in self.hashes.keys() {
            let old = (!files.contains_key(name)).then(|| self.folder.join(name));
            for file in old.into_iter().chain(self.pictures(name)) {
                // One that is gone already is as good.
                let _ = fs::remove_file(file);
            }
        }
        self.hashes.clear();
        self.add(files);
    }

    /// Writes the index.
    pub(super) fn write(&self) -> Result<(), Failure> {
        let path = self.folder.join(INDEX);
        let lines = self.hashes.iter().flat_map(|(name, hashes)| hashes.iter().map(move |hash| (hash, name)));
        let text: String = lines.map(|(hash, name)| format!("{hash}  {name}\n")).collect();
        let error = |source| LadderError::Io { path: path.clone(), action: "write", source };
        Ok(write_whole(&path, text.as_bytes()).map_err(error)?)
    }

    /// What is made of a figure.
    fn pictures(&self, name: &str) -> impl Iterator<Item = PathBuf> + use<> {
        let figure = self.folder.join(name);
        let is_figure = figure.extension().is_some_and(|extension| extension == "svg");
        PICTURES.into_iter().filter(move |_| is_figure).map(move |extension| figure.with_extension(extension))
    }
}

/// The SHA-256 of a file; none of what is no file, such as a FIFO, which would be waited for.
fn hash_of(file: &Path) -> Option<String> {
    file.is_file().then(|| file_sha256(file).ok()).flatten()
}

fn is_sha256(hash: &str) -> bool {
    hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether a report may have written a file of this name, whatever the index says.
fn may_own(name: &str) -> bool {
    let (file, extensions): (&str, &[&str]) = match name.split_once('/') {
        Some(("figures", file)) => (file, &["svg", "csv", "tex"]),
        Some(("tables", file)) => (file, &["csv", "md", "tex"]),
        Some(_) => return false,
        None => return matches!(name, "report.html" | "methods.md" | "methods.tex"),
    };
    let path = Path::new(file);
    let extension = path.extension().and_then(|extension| extension.to_str());
    path.components().count() == 1
        && !file.starts_with('.')
        && extension.is_some_and(|extension| extensions.contains(&extension))
}

fn refuse(files: &[PathBuf], why: &str) -> Result<(), Failure> {
    if files.is_empty() {
        return Ok(());
    }
    let named: Vec<String> = files.iter().take(NAMED).map(|file| file.display().to_string()).collect();
    let more = files.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let error = anyhow::anyhow!(
        "{}{more}: {why}, and the report would write over it or remove it\nhint: move it away or delete it, or \
         give --out another folder",
        named.join(", ")
    );
    Err(Failure::new(Exit::Usage, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_names_files_of_reports_alone() {
        for name in ["report.html", "methods.md", "methods.tex", "figures/a-score.svg", "tables/levels.tex"] {
            assert!(may_own(name), "{name}");
        }
        for name in
            ["plan.json", "../x.svg", "figures/../../x.svg", "figures//x.svg", "/etc/x.csv", "tables/.x.csv"]
        {
            assert!(!may_own(name), "{name}");
        }
    }

    #[test]
    fn a_picture_is_owned_by_its_figure_alone() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("figures")).unwrap();
        fs::write(at("figures/holiday.png"), "a user's").unwrap();
        let none = BTreeMap::new();
        let after = |line: &str| {
            fs::write(at(INDEX), line).unwrap();
            let mut index = Index::read(folder.path());
            let checked = index.check(&none, &[]).map_err(|failure| failure.error.to_string());
            if checked.is_ok() {
                index.remove_old(&none);
            }
            (checked, at("figures/holiday.png").exists())
        };
        assert_eq!(after("abc  figures/holiday.svg\n"), (Ok(()), true));
        fs::write(at("figures/holiday.svg"), "another").unwrap();
        let other = "0".repeat(64);
        let (refused, there) = after(&format!("{other}  figures/holiday.svg\n"));
        assert!(refused.unwrap_err().contains("holiday.png"));
        assert!(there);
        let own = bytes_sha256(b"another");
        assert_eq!(after(&format!("{own}  figures/holiday.svg\n")), (Ok(()), false));
    }
}
