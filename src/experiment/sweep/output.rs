//! Writes the results of a study to files in its folder.

use std::io;

use super::{Folder, Results, designs, figures, html, table};
use crate::experiment::plot::{self, Plot};
use crate::experiment::report::{Row, csv, json_lines};
use crate::experiment::reproduce::Report;

impl Results<'_> {
    /// The table for people, followed by the report on judged figures.
    pub fn text(&self) -> String {
        let report = self.verdicts().map(|report| format!("\n{}", report.text()));
        table::text(self) + &report.unwrap_or_default()
    }

    /// The report, if the study has judgements.
    fn verdicts(&self) -> Option<&Report> {
        self.report().filter(|_| self.study.parts.judges())
    }

    /// Writes `table.txt`, `table.csv` and `table.json` (one object per line) next to the study,
    /// `designs.csv` for designs that are compared, and for judged figures `report.txt`, `report.csv`
    /// and `report.json`.
    pub fn write_tables(&self, folder: &Folder) -> io::Result<()> {
        write(folder, "table", &table::text(self), &self.rows())?;
        let designs = designs::rows(self);
        if !designs.is_empty() {
            let mut lines = Vec::new();
            csv(&designs, &mut lines)?;
            folder.write("designs.csv", &lines)?;
        }
        let report = self.verdicts();
        report.map_or(Ok(()), |report| write(folder, "report", &report.text(), &report.rows()))
    }

    /// The figures by file name.
    fn figures(&self) -> Vec<(String, Plot)> {
        let own = self.report().map(|report| report.figures.clone());
        figures::all(self).into_iter().chain(own.unwrap_or_default()).collect()
    }

    /// Writes every figure next to the study: `latency.svg`, its points as `latency.csv`, and so
    /// on; if `pixels` is set, also `latency.png`.
    pub fn write_plots(&self, folder: &Folder, pixels: bool) -> io::Result<()> {
        for (name, figure) in self.figures() {
            let picture = plot::svg(&figure).map_err(io::Error::other)?;
            let mut dots = Vec::new();
            csv(&figure.rows(&self.study.parts.name, &name), &mut dots)?;
            folder.write(&format!("{name}.csv"), &dots)?;
            folder.write(&format!("{name}.svg"), picture.as_bytes())?;
            if pixels {
                let picture = plot::png(&picture).map_err(io::Error::other)?;
                folder.write(&format!("{name}.png"), &picture)?;
            }
        }
        Ok(())
    }

    /// Writes `report.html` next to the study: tables, figures and provenance in one file.
    pub fn write_report(&self, folder: &Folder) -> io::Result<()> {
        let pictures = self.figures().into_iter();
        let pictures = pictures.map(|(_, figure)| plot::svg(&figure).map_err(io::Error::other));
        let pictures: Vec<String> = pictures.collect::<io::Result<_>>()?;
        folder.write("report.html", html::page(self, &pictures).as_bytes())
    }
}

/// Writes a table as text, CSV and JSON (one object per line).
fn write<R: Row>(folder: &Folder, name: &str, text: &str, rows: &[R]) -> io::Result<()> {
    let (mut lines, mut objects) = (Vec::new(), Vec::new());
    csv(rows, &mut lines)?;
    json_lines(rows, &mut objects)?;
    folder.write(&format!("{name}.txt"), text.as_bytes())?;
    folder.write(&format!("{name}.csv"), &lines)?;
    folder.write(&format!("{name}.json"), &objects)
}
