//! `reproduce`: runs the tables, figures and claims of papers again and says what became of them.

use std::io;
use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::interruption::Interruption;
use super::options::Printing;
use super::output;
use super::running;
use crate::experiment::report::Format;
use crate::experiment::reproduce::seeds::Batch;
use crate::experiment::reproduce::{
    self, Content, Effort, Report, ReproduceRow, STUDIES, Store, Study, seeds,
};
use crate::files;

/// The file of results below the output directory.
const RESULTS: &str = "results.jsonl";

/// The arguments of `reproduce`.
#[derive(Args, Debug)]
pub(super) struct Reproduce {
    /// What is run again [default: all; see --list]
    #[arg(value_name = "PAPER")]
    papers: Vec<String>,
    /// Fewer points and shorter runs: seconds instead of minutes
    #[arg(long)]
    quick: bool,
    /// The seed of all random choices; another one makes another, independent batch
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Batches, under this many seeds from --seed on, and a summary over them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    seeds: u16,
    /// List what can be run again
    #[arg(long, conflicts_with_all = ["papers", "quick", "seed", "seeds", "out", "threads"])]
    list: bool,
    /// Where tables, pictures and finished points go; points found there are not run again
    #[arg(long, value_name = "DIR", default_value = "reproduction")]
    out: PathBuf,
    /// Runs at a time [default: one per core]
    #[arg(long, visible_alias = "jobs", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    printing: Printing,
}

impl Reproduce {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if self.list {
            return output::print(&list());
        }
        let studies = self.studies()?;
        let effort = if self.quick { Effort::Quick } else { Effort::Full };
        let contents = studies.iter().map(|study| study.content(effort));
        let contents: Vec<Content> = contents.collect::<Result<_, _>>()?;
        let store = self.store()?;
        let interruption = Interruption::listen()?;
        let mut batches: Vec<Batch> = Vec::new();
        let threads = self.threads.map(usize::from);
        for seed in (self.seed..=u64::MAX).take(usize::from(self.seeds)) {
            let results =
                running::shown(threads, &interruption, self.printing.quiet, None, |running| {
                    reproduce::run(&contents, seed, &store, running)
                })?;
            let studied = studies.iter().zip(contents.iter().zip(&results));
            let batch = studied
                .map(|(study, (content, results))| Report::new(study, content, seed, results));
            batches.push(batch.collect());
            if interruption.failure().is_some() {
                break;
            }
        }
        self.write(&batches)?;
        self.print(&batches)?;
        if let Some(interrupted) = interruption.failure() {
            self.remark("the results are partial; the same command goes on from here");
            return Err(interrupted);
        }
        let count = |of: fn(&[Report]) -> usize| batches.iter().map(|it| of(it)).sum::<usize>();
        match count(seeds::undecided) {
            0 => {}
            undecided => self.remark(&format!(
                "{undecided} of {} verdicts are undecided: these runs are too short for them",
                count(seeds::verdicts)
            )),
        }
        if count(seeds::surprises) == 0 { Ok(()) } else { Err(Failure::Verdict) }
    }

    /// A remark, unless all is to be quiet.
    fn remark(&self, text: &str) {
        if !self.printing.quiet {
            output::remark(text);
        }
    }

    /// Writes the files of all batches, of several each into a directory of its seed.
    fn write(&self, batches: &[Batch]) -> Result<(), Failure> {
        for report in batches.iter().flatten() {
            let out = match self.seeds {
                1 => self.out.clone(),
                _ => self.out.join(format!("seed-{}", report.seed)),
            };
            reproduce::files::write(report, &out)?;
        }
        Ok(())
    }

    fn studies(&self) -> Result<Vec<&'static Study>, Failure> {
        if self.papers.is_empty() {
            return Ok(STUDIES.iter().collect());
        }
        let mut studies: Vec<&Study> = Vec::new();
        for name in &self.papers {
            let study = reproduce::find(name).map_err(|near| {
                let what = format!("there is no paper `{}` to run again", name.escape_debug());
                Failure::unknown(&what, near, "`flitscope reproduce --list` lists them")
            })?;
            if !studies.iter().any(|known| known.name == study.name) {
                studies.push(study);
            }
        }
        Ok(studies)
    }

    /// The results kept in the output directory, which is made.
    fn store(&self) -> Result<Store, Failure> {
        files::make_folder(&self.out)?;
        Store::open(&self.out.join(RESULTS)).map_err(|error| {
            let wrong = error.kind() == io::ErrorKind::InvalidData;
            if wrong { Failure::Usage(format!("error: {error}")) } else { error.into() }
        })
    }

    /// Prints the reports of one batch, a summary of several.
    fn print(&self, batches: &[Batch]) -> Result<(), Failure> {
        let rows: Vec<ReproduceRow> = batches.iter().flatten().flat_map(Report::rows).collect();
        output::print_rows(self.printing.format, &rows, || match batches {
            [batch] => batch.iter().map(Report::text).collect::<Vec<String>>().join("\n\n"),
            _ => seeds::summary(batches),
        })?;
        if self.printing.format == Format::Table {
            self.remark(&format!("files written to {}", self.out.display()));
        }
        Ok(())
    }
}

fn list() -> String {
    let line =
        |study: &Study| format!("{:<18}{}\n{:<18}{}\n", study.name, study.about, "", study.paper);
    STUDIES.iter().map(line).collect()
}
