//! A figure on its own: `--figure FILE.svg`, with its data beside it.

use std::path::{Path, PathBuf};

use super::exit::{Exit, Failure};
use super::input::input_at;
use crate::ladder::{LadderError, write_whole};
use crate::report::{Chart, FigureSize};

/// Writes the figure and its data; `inputs` are not written over,
/// by whatever name. `None` is nothing to draw, because
/// of `reason`.
pub(super) fn write_figure(
    path: &Path,
    inputs: &[PathBuf],
    chart: Option<&Chart>,
    reason: &str,
) -> Result<(), Failure> {
    let data = data_path(path)?;
    if let Some(input) = input_at(path, inputs).or_else(|| input_at(&data, inputs)) {
        let error = anyhow::anyhow!(
            "--figure {} would write over the input {}: the data go into {}\nhint: give the figure another name",
            path.display(),
            input.display(),
            data.display()
        );
        return Err(Failure::new(Exit::Usage, error));
    }
    let Some(chart) = chart else {
        return Err(Failure::new(
            Exit::Inconclusive,
            anyhow::anyhow!("--figure: {reason}, so there is nothing to draw"),
        ));
    };
    let csv = chart.csv();
    let heading = csv.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if std::fs::read(&data).is_ok_and(|found| !found.starts_with(heading)) {
        let error = anyhow::anyhow!(
            "--figure {}: its data go into {}, which is there and is not a figure's data\nhint: give the figure \
             another name, or move that file away",
            path.display(),
            data.display()
        );
        return Err(Failure::new(Exit::Usage, error));
    }
    let svg = chart.to_svg(FigureSize::Page).map_err(|error| Failure::new(Exit::Internal, error))?;
    write(path, svg.as_bytes())?;
    write(&data, &csv)
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
    Ok(write_whole(path, bytes).map_err(error)?)
}
