//! Puts what is known of a study into files beside it.

use std::io;

use super::{Folder, Results, figures, table};
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

    /// Writes `latency.svg` and `accepted.svg` beside the study.
    pub fn write_plots(&self, folder: &Folder) -> io::Result<()> {
        for (name, figure) in figures::all(self) {
            let picture = plot::svg(&figure).map_err(io::Error::other)?;
            folder.write(name, picture.as_bytes())?;
        }
        Ok(())
    }
}
