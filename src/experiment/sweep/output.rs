//! Puts what is known of a study into files beside it.

use std::io;

use super::{Folder, Results, figures, html, table};
use crate::experiment::plot;
use crate::experiment::report::{csv, json_lines};

impl Results<'_> {
    /// The table for people.
    pub fn text(&self) -> String {
        table::text(self)
    }

    /// Writes `table.txt`, `table.csv` and `table.json` (one object per line) beside the study.
    pub fn write_tables(&self, folder: &Folder) -> io::Result<()> {
        let rows = self.rows();
        let (mut lines, mut objects) = (Vec::new(), Vec::new());
        csv(&rows, &mut lines)?;
        json_lines(&rows, &mut objects)?;
        folder.write("table.txt", self.text().as_bytes())?;
        folder.write("table.csv", &lines)?;
        folder.write("table.json", &objects)
    }

    /// Writes every figure beside the study: `latency.svg`, its points as `latency.csv`, and so on; in
    /// pixels, as `latency.png`, if `pixels` says so.
    pub fn write_plots(&self, folder: &Folder, pixels: bool) -> io::Result<()> {
        for (name, figure) in figures::all(self) {
            let picture = plot::svg(&figure).map_err(io::Error::other)?;
            let mut dots = Vec::new();
            csv(&figure.rows(self.study.name(), name), &mut dots)?;
            folder.write(&format!("{name}.csv"), &dots)?;
            folder.write(&format!("{name}.svg"), picture.as_bytes())?;
            if pixels {
                let picture = plot::png(&picture).map_err(io::Error::other)?;
                folder.write(&format!("{name}.png"), &picture)?;
            }
        }
        Ok(())
    }

    /// Writes `report.html` beside the study: tables, figures, and where the figures are from, in one
    /// file.
    pub fn write_report(&self, folder: &Folder) -> io::Result<()> {
        let pictures = figures::all(self).into_iter();
        let pictures = pictures.map(|(_, figure)| plot::svg(&figure).map_err(io::Error::other));
        let pictures: Vec<String> = pictures.collect::<io::Result<_>>()?;
        folder.write("report.html", html::page(self, &pictures).as_bytes())
    }
}
