//! `sweep merge`: merges the results of other folders and writes the tables.

use std::path::PathBuf;

use clap::Args;

use super::arguments::FolderArgument;
use super::status::{warn, wrong};
use super::{print, with_models};
use crate::cli::options::Printing;
use crate::cli::{Failure, output};
use crate::experiment::sweep::{Folder, MergeCounts, MergeError, Results, STUDY};
use crate::text;

/// The arguments of `sweep merge`.
#[derive(Args, Debug)]
pub(super) struct Merge {
    #[command(flatten)]
    at: FolderArgument,
    /// Folders of the same study, run elsewhere: their results are copied into the first folder, which is
    /// begun if it is not there
    #[arg(value_name = "FROM")]
    from: Vec<PathBuf>,
    #[command(flatten)]
    printing: Printing,
}

impl Merge {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let folder = self.folder()?;
        let results = with_models(&folder, self.printing.quiet);
        results.write_tables(&folder)?;
        print(&results, self.printing)?;
        wrong(&results)
    }

    /// The folder, with the results of the others.
    fn folder(&self) -> Result<Folder, Failure> {
        let others = self.from.iter().map(|path| Ok(Folder::open(path)?));
        let others = others.collect::<Result<Vec<Folder>, Failure>>()?;
        let into = &self.at.folder;
        let mut folder = match others.first() {
            Some(first) if !into.join(STUDY).exists() => Folder::begin_like(into, first)?,
            Some(_) | None => self.at.open()?,
        };
        let mut all = vec![MergeCounts::default(); others.len()];
        // Results of one folder may start a round with results in another folder.
        loop {
            let mut news = false;
            for (other, sum) in others.iter().zip(&mut all) {
                let counts = folder.merge(other).map_err(differing)?;
                news |= counts.taken > 0;
                *sum = MergeCounts { taken: sum.taken + counts.taken, ..counts };
            }
            if !news {
                break;
            }
        }
        for (other, counts) in others.iter().zip(all) {
            self.report(other, counts)?;
        }
        Ok(folder)
    }

    /// Reports the results copied from a folder, rejecting folders without any result of this
    /// study.
    fn report(&self, other: &Folder, counts: MergeCounts) -> Result<(), Failure> {
        let name = text::line(&other.path().display().to_string());
        let MergeCounts { taken, known, foreign } = counts;
        if taken + known == 0 && foreign > 0 {
            let strangers = other.strangers()?;
            let why = strangers.iter().find(|it| it.is_result());
            let why =
                why.map(|it| format!("\n{}", text::line(&it.to_string()))).unwrap_or_default();
            let what = format!("{name}: none of its results is of a point of this study{why}");
            return Err(Failure::usage(
                what,
                "merge folders of one study and one version of the program",
            ));
        }
        if self.printing.quiet {
            return Ok(());
        }
        warn(other, &Results::of(other, false));
        let mut said = format!("{name}: {} copied", text::count(taken, "result", "results"));
        if foreign > 0 {
            said = format!("{said}; {foreign} of other points or versions left");
        }
        output::remark(&said);
        Ok(())
    }
}

fn differing(error: MergeError) -> Failure {
    match error {
        MergeError::Open(error) => error.into(),
        MergeError::Io(error) => error.into(),
        differ @ MergeError::Differ { .. } => {
            let help = "one of the two was not made by this version of the program: move it away, and \
                        its point is run again";
            Failure::usage(differ, help)
        }
    }
}
