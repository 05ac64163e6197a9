//! The files of a report, and writing them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::collect::Collected;
use super::command::make_folder;
use super::index::Index;
use crate::cli::exit::{Exit, Failure};
use crate::ladder::{LadderError, write_whole};
use crate::report::{
    Chart, FigureSize, Table, TableFormat, beyond_pdflatex, latex, latex_head, markdown, methods_latex,
};

/// The folders of a report.
const FOLDERS: [&str; 2] = ["figures", "tables"];

/// What figures.tex says of itself, and the width of its figures.
const FIGURES_HEAD: &str = "\
% a document in another folder needs, before it reads this file,
% \\graphicspath{{path/to/figures/}}
% NAME-column.pdf is drawn for one column of two: 86 mm, letters of 7.5 points, no title, for the caption is
% one. It is as wide as it is drawn, less where the line is shorter; \\def\\elometerwidth{\\linewidth} before
% this file makes it as wide as the line. NAME.pdf is drawn for both columns (178 mm, with a title): in
% \\begin{figure*}, with [width=\\textwidth]. NAME-slide.pdf is for slides.
% where no PDF is beside the SVG, make them in this folder with
% for f in *.svg; do rsvg-convert --format pdf --output \"${f%.svg}.pdf\" \"$f\"; done
\\providecommand\\elometerwidth{\\ifdim\\linewidth<86mm\\linewidth\\else86mm\\fi}
";

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

/// The files of a report, and where they go. Nothing is written before all are made.
#[derive(Default)]
pub(super) struct Output {
    files: BTreeMap<String, Vec<u8>>,
    figures: Vec<String>,
}

impl Output {
    /// Takes a file, its name relative to the folder.
    pub(super) fn file(&mut self, name: &str, bytes: impl Into<Vec<u8>>) {
        self.files.insert(name.to_owned(), bytes.into());
    }

    /// A figure in every size, with its data.
    pub(super) fn chart(&mut self, prefix: &str, chart: &Chart) -> Result<(), Failure> {
        for size in FigureSize::ALL {
            let svg = chart.to_svg(size).map_err(|error| Failure::new(Exit::Internal, error))?;
            let name = format!("figures/{prefix}{}{}.svg", chart.name, size.suffix());
            self.file(&name, svg);
            self.figures.push(name);
        }
        self.file(&format!("figures/{prefix}{}.csv", chart.name), chart.csv());
        Ok(())
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
            self.file(&format!("tables/{prefix}{name}.{extension}"), bytes);
        }
        Ok(())
    }

    /// What a paper says of how the games were played.
    pub(super) fn methods(&mut self, runs: &[Collected]) {
        let mut text = String::from("# Methods\n");
        for run in runs {
            text.push_str(&format!("\n## {}\n", markdown(&run.shown_name())));
            for paragraph in &run.methods {
                text.push_str(&format!("\n{}\n", markdown(paragraph)));
            }
        }
        self.file("methods.md", text);
        let names: Vec<String> = runs.iter().map(Collected::shown_name).collect();
        let parts: Vec<_> =
            names.iter().map(String::as_str).zip(runs.iter().map(|run| run.methods.as_slice())).collect();
        self.file("methods.tex", methods_latex(&parts));
    }

    /// The figures as a paper takes them, with their captions.
    pub(super) fn captions(&mut self, charts: &[(String, Chart)]) {
        let mut text = String::new();
        for (prefix, chart) in charts {
            let name = format!("{prefix}{}", chart.name);
            text.push_str(&format!(
                "\\begin{{figure}}\n\\centering\\setlength{{\\emergencystretch}}{{3em}}\n\
                 \\includegraphics[width=\\elometerwidth]{{{name}-column.pdf}}\n\
                 \\caption{{{} {}}}\n\\label{{fig:{name}}}\n\\end{{figure}}\n",
                latex(&chart.caption),
                latex(&chart.about)
            ));
        }
        let head = latex_head("graphicx", &text);
        self.file("figures/figures.tex", format!("{head}{FIGURES_HEAD}{text}"));
    }

    /// Writes the files, each whole or not at all, and removes those that earlier reports wrote into the
    /// folder and this one does not. Files of somebody else and `inputs` are never written over: then
    /// nothing is written. Returns the paths of the figures.
    pub(super) fn save(&self, folder: &Path, inputs: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
        let mut index = Index::read(folder);
        index.check(&self.files, inputs)?;
        for name in FOLDERS {
            make_folder(&folder.join(name))?;
        }
        index.add(&self.files);
        index.write()?;
        for (name, bytes) in &self.files {
            let path = folder.join(name);
            let error = |source| LadderError::Io { path: path.clone(), action: "write", source };
            write_whole(&path, bytes).map_err(error)?;
        }
        index.remove_old(&self.files);
        index.write()?;
        Ok(self.figures.iter().map(|name| folder.join(name)).collect())
    }

    /// How many files there are.
    pub(super) fn count(&self) -> usize {
        self.files.len()
    }

    /// The LaTeX files with letters that pdfLaTeX lacks.
    pub(super) fn beyond_pdflatex(&self) -> Vec<&str> {
        let files = self.files.iter().filter(|(name, _)| name.ends_with(".tex"));
        let beyond = |bytes: &[u8]| !beyond_pdflatex(&String::from_utf8_lossy(bytes)).is_empty();
        files.filter(|(_, bytes)| beyond(bytes)).map(|(name, _)| name.as_str()).collect()
    }
}
