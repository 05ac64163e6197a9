//! The files of a report, and the removal of those that an earlier one wrote and this one does not.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::collect::Collected;
use super::command::make_folder;
use crate::cli::exit::{Exit, Failure};
use crate::ladder::{LadderError, write_whole};
use crate::report::{Chart, FigureSize, Table, TableFormat, latex, markdown, methods_latex};

/// The folders of a report, with what the files in them end in.
const FOLDERS: [(&str, &[&str]); 2] =
    [("figures", &["svg", "csv", "pdf", "png", "tex"]), ("tables", &["csv", "md", "tex"])];
/// In each folder: the names of the files that the last report wrote.
const INDEX: &str = ".elometer";

/// A table under a name, with all its digits where it has them.
pub(super) struct NamedTable {
    /// The stem of its files.
    pub(super) name: &'static str,
    /// What the page calls it.
    pub(super) title: &'static str,
    /// For people.
    pub(super) table: Table,
    /// For programs; none when the table is that already.
    pub(super) data: Option<Table>,
}

/// Where a report goes.
pub(super) struct Output {
    folder: PathBuf,
    /// Relative to the folder.
    files: BTreeSet<PathBuf>,
    figures: Vec<PathBuf>,
}

impl Output {
    /// Makes the folders.
    pub(super) fn new(folder: &Path) -> Result<Self, Failure> {
        for (name, _) in FOLDERS {
            make_folder(&folder.join(name))?;
        }
        Ok(Self { folder: folder.to_owned(), files: BTreeSet::new(), figures: Vec::new() })
    }

    /// Writes a file whole or not at all.
    pub(super) fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.folder.join(name);
        let error = |source| LadderError::Io { path: path.clone(), action: "write", source };
        write_whole(&path, bytes).map_err(error)?;
        self.files.insert(PathBuf::from(name));
        Ok(())
    }

    /// A figure in every size, with its data.
    pub(super) fn chart(&mut self, prefix: &str, chart: &Chart) -> Result<(), Failure> {
        for size in FigureSize::ALL {
            let svg = chart.to_svg(size).map_err(|error| Failure::new(Exit::Internal, error))?;
            let name = format!("figures/{prefix}{}{}.svg", chart.name, size.suffix());
            self.write(&name, svg.as_bytes())?;
            self.figures.push(self.folder.join(name));
        }
        self.write(&format!("figures/{prefix}{}.csv", chart.name), &chart.csv())
    }

    /// A table in every form.
    pub(super) fn table(&mut self, prefix: &str, named: &NamedTable) -> Result<(), Failure> {
        let NamedTable { name, table, data, .. } = named;
        let forms = [
            ("csv", TableFormat::Csv, data.as_ref().unwrap_or(table)),
            ("md", TableFormat::Markdown, table),
            ("tex", TableFormat::Latex, table),
        ];
        for (extension, format, table) in forms {
            let mut bytes = Vec::new();
            table.write(&mut bytes, format).map_err(|error| Failure::new(Exit::Internal, error))?;
            self.write(&format!("tables/{prefix}{name}.{extension}"), &bytes)?;
        }
        Ok(())
    }

    /// What a paper says of how the games were played.
    pub(super) fn methods(&mut self, runs: &[Collected]) -> Result<(), Failure> {
        let mut text = String::from("# Methods\n");
        for run in runs {
            text.push_str(&format!("\n## {}\n", markdown(&run.name)));
            for paragraph in &run.methods {
                text.push_str(&format!("\n{}\n", markdown(paragraph)));
            }
        }
        self.write("methods.md", text.as_bytes())?;
        let parts: Vec<_> = runs.iter().map(|run| (run.name.as_str(), run.methods.as_slice())).collect();
        self.write("methods.tex", methods_latex(&parts).as_bytes())
    }

    /// The figures as a paper takes them, with their captions.
    pub(super) fn captions(&mut self, charts: &[(String, Chart)]) -> Result<(), Failure> {
        let mut text = String::from(
            "% needs \\usepackage{graphicx}; the PDFs are made where rsvg-convert is installed\n\
             % NAME-column.pdf is for one column of two, NAME-slide.pdf for slides\n",
        );
        for (prefix, chart) in charts {
            let name = format!("{prefix}{}", chart.name);
            text.push_str(&format!(
                "\\begin{{figure}}\n\\centering\n\\includegraphics[width=\\textwidth]{{{name}.pdf}}\n\
                 \\caption{{{} {}}}\n\\label{{fig:{name}}}\n\\end{{figure}}\n",
                latex(&chart.caption),
                latex(&chart.about)
            ));
        }
        self.write("figures/figures.tex", text.as_bytes())
    }

    /// The SVG files.
    pub(super) fn figures(&self) -> &[PathBuf] {
        &self.figures
    }

    /// How many files were written.
    pub(super) fn written(&self) -> usize {
        self.files.len()
    }

    /// Removes what an earlier report wrote here and this one did not, so that no figure of other games
    /// stays beside the page; and notes what this one wrote.
    pub(super) fn remove_old(&self) -> Result<(), Failure> {
        for (folder, extensions) in FOLDERS {
            let index = self.folder.join(folder).join(INDEX);
            let names: BTreeSet<String> = self
                .files
                .iter()
                .filter(|file| file.parent() == Some(Path::new(folder)))
                .filter_map(|file| Some(file.file_name()?.to_str()?.to_owned()))
                .collect();
            let old = fs::read_to_string(&index).unwrap_or_default();
            for name in old.lines().filter(|name| !names.contains(*name)) {
                let path = Path::new(name);
                // Only plain names of our own kind, whatever the file says.
                let plain = path.components().count() == 1 && !name.starts_with('.');
                let known = path.extension().and_then(|extension| extension.to_str());
                if !plain || !known.is_some_and(|extension| extensions.contains(&extension)) {
                    continue;
                }
                let path = self.folder.join(folder).join(path);
                let pictures = ["pdf", "png"].map(|extension| path.with_extension(extension));
                let is_figure = known == Some("svg");
                for file in std::iter::once(&path).chain(pictures.iter().filter(|_| is_figure)) {
                    // One that is gone already is as good.
                    let _ = fs::remove_file(file);
                }
            }
            let list: String = names.iter().map(|name| format!("{name}\n")).collect();
            let error = |source| LadderError::Io { path: index.clone(), action: "write", source };
            write_whole(&index, list.as_bytes()).map_err(error)?;
        }
        Ok(())
    }
}
