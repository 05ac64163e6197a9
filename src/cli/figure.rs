//! A figure on its own: `--figure FILE.svg`, with its data beside it.

use std::fs;
use std::path::{Path, PathBuf};

use super::exit::{Exit, Failure};
use crate::ladder::LadderError;
use crate::report::{Chart, FigureSize};

/// Writes the figure and its data; `inputs` are not written over. `None` is nothing to draw, because
/// of `reason`.
pub(super) fn write_figure(
    path: &Path,
    inputs: &[PathBuf],
    chart: Option<&Chart>,
    reason: &str,
) -> Result<(), Failure> {
    let data = data_path(path)?;
    if let Some(input) = inputs.iter().find(|input| *input == path || **input == data) {
        let error = anyhow::anyhow!(
            "--figure would write over the input {}\nhint: give the figure another name",
            input.display()
        );
        return Err(Failure::new(Exit::Usage, error));
    }
    let Some(chart) = chart else {
        return Err(Failure::new(
            Exit::Inconclusive,
            anyhow::anyhow!("--figure: {reason}, so there is nothing to draw"),
        ));
    };
    let svg = chart.to_svg(FigureSize::Page).map_err(|error| Failure::new(Exit::Internal, error))?;
    write(path, svg.as_bytes())?;
    write(&data, &chart.csv())
}

/// Where the figure's data go: beside it, under a name that no run folder uses.
fn data_path(figure: &Path) -> Result<PathBuf, Failure> {
    let stem = figure.file_stem().and_then(|stem| stem.to_str());
    let is_svg = figure.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    match stem.filter(|_| is_svg) {
        Some(stem) => Ok(figure.with_file_name(format!("{stem}-data.csv"))),
        None => {
            let error = anyhow::anyhow!(
                "--figure {}: expected a name that ends in .svg\nhint: such as --figure ladder.svg",
                figure.display()
            );
            Err(Failure::new(Exit::Usage, error))
        }
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let error = |source| LadderError::Io { path: path.to_owned(), action: "write", source };
    Ok(fs::write(path, bytes).map_err(error)?)
}
