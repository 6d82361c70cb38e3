//! `sweep run`: runs the missing points of a study, or a part of them.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;

use super::arguments::Limits;
use super::{Drawing, run};
use crate::cli::Failure;
use crate::cli::options::Printing;
use crate::experiment::report::Format;
use crate::experiment::sweep::{Folder, Part, Study, is_study};
use crate::files;

/// The arguments of `sweep run`.
#[derive(Args, Debug)]
pub(super) struct RunPart {
    /// The folder of a study; or the file of a study, or `-` for standard input, whose results are then
    /// printed and not kept
    #[arg(value_name = "FOLDER|STUDY")]
    place: PathBuf,
    /// Only these points, by their numbers: `3,7-9`
    #[arg(long, value_name = "POINTS", value_parser = str::parse::<Part>)]
    point: Option<Part>,
    /// Only one of N equal parts, from 1: `1/4`
    #[arg(long, value_name = "I/N", value_parser = Part::shard, conflicts_with = "point")]
    shard: Option<Part>,
    /// Only one of several equal parts, from 0, as array jobs are numbered (with --of)
    #[arg(long, value_name = "I", requires = "of", conflicts_with_all = ["point", "shard"])]
    index: Option<usize>,
    /// The number of equal parts (with --index)
    #[arg(long, value_name = "N", requires = "index")]
    of: Option<usize>,
    /// Runs at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    drawing: Drawing,
    #[command(flatten)]
    printing: Printing,
}

impl RunPart {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let part = self.part()?;
        // Removed at the end, with the results of a study without a folder.
        let is_file = self.place == Path::new("-") || self.place.is_file();
        let (folder, _own) = if is_file {
            let study = self.study(&part)?;
            let own = tempfile::Builder::new().prefix("flitscope-").tempdir()?;
            (Folder::begin(own.path(), &study, false)?, Some(own))
        } else {
            (Folder::open(&self.place)?, None)
        };
        let points = folder.study.points.len();
        if let Some(last) = part.last().filter(|last| *last >= points) {
            let what = format!("there is no point {last}");
            let help = format!("the points of this study are 0 to {}", points - 1);
            return Err(Failure::usage(what, help));
        }
        // There is nothing to go on with.
        let printing = Printing { quiet: self.printing.quiet || is_file, ..self.printing };
        run(folder, &part, (self.jobs, self.limits), (self.drawing, printing))
    }

    /// The study of a file. A part of it has no table for people.
    fn study(&self, part: &Part) -> Result<Study, Failure> {
        if *part != Part::All && self.printing.format == Format::Table {
            let what = "single points of a study's file are rows for programs";
            return Err(Failure::usage(what, "add `--format json` or `--format csv`"));
        }
        let name = self.place.to_string_lossy();
        let (source, text) = files::read(&name)?;
        if !is_study(&text) {
            let help = "name the folder or the file of a study; `flitscope sweep` runs scenarios";
            return Err(Failure::usage(format!("{source} is no study"), help));
        }
        let folder = self.place.parent().unwrap_or(Path::new(""));
        Ok(Study::read(&source, &text, folder, &[])?)
    }

    fn part(&self) -> Result<Part, Failure> {
        let refused = |what: &dyn Display| Failure::usage(what, "the first part is `--index 0`");
        match (self.index, self.of) {
            (Some(first), Some(of)) if first < of => Ok(Part::Shard { first, of }),
            (Some(first), Some(of)) => {
                Err(refused(&format!("`--index {first} --of {of}`: parts are numbered below {of}")))
            }
            _ => Ok(self.point.as_ref().or(self.shard.as_ref()).cloned().unwrap_or_default()),
        }
    }
}
