//! Puts a report into files: rows as CSV and JSON, text for people, an SVG picture per figure.

use std::io;
use std::path::{Path, PathBuf};

use super::Report;
use crate::experiment::plot;
use crate::experiment::report::{csv, json_lines};
use crate::files;

/// Writes the files of `report` into the directory of its name below `out` and returns their paths:
/// `report.txt`, `report.csv`, `report.json` (one object per line), `figures.csv` and one
/// `FIGURE.svg` each. Files of an earlier report are replaced.
pub fn write(report: &Report, out: &Path) -> io::Result<Vec<PathBuf>> {
    let directory = out.join(&report.study);
    files::make_folder(&directory)?;
    let (mut rows, mut objects, mut dots) = (Vec::new(), Vec::new(), Vec::new());
    csv(&report.rows(), &mut rows)?;
    json_lines(&report.rows(), &mut objects)?;
    csv(&report.dots(), &mut dots)?;
    let mut contents = vec![
        ("report.txt".to_owned(), report.text().into_bytes()),
        ("report.csv".to_owned(), rows),
        ("report.json".to_owned(), objects),
        ("figures.csv".to_owned(), dots),
    ];
    for (name, plot) in &report.figures {
        let picture = plot::svg(plot).map_err(io::Error::other)?;
        contents.push((format!("{name}.svg"), picture.into_bytes()));
    }
    let mut paths = Vec::new();
    for (name, content) in contents {
        let path = directory.join(name);
        files::write(&path, content, true)?;
        paths.push(path);
    }
    Ok(paths)
}
