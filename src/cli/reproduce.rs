//! `reproduce`: repeats the tables, figures and claims of papers and prints the verdicts.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;
use serde::Serialize;

use super::Failure;
use super::interruption::Interruption;
use super::options::Printing;
use super::output;
use super::sweep::{simulate, wrong};
use crate::experiment::report::{Format, Row};
use crate::experiment::reproduce::seeds::{self, Batch};
use crate::experiment::reproduce::{Report, ReproduceRow, STUDIES};
use crate::experiment::sweep::{About, Folder, Part, Results, Study};
use crate::files;
use crate::scenario::{Override, builtin, nearest};

/// The arguments of `reproduce`.
#[derive(Args, Debug)]
pub(super) struct Reproduce {
    /// The papers to reproduce [default: all; see --list]
    #[arg(value_name = "PAPER")]
    papers: Vec<String>,
    /// Fewer points and shorter runs
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
    /// The folder of tables, pictures and finished points; points found there are not run again
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
            return output::print_rows(self.printing.format, &papers(), list);
        }
        let papers = self.papers()?;
        let interruption = Interruption::listen()?;
        let mut batches: Vec<Batch> = Vec::new();
        for seed in (self.seed..=u64::MAX).take(usize::from(self.seeds)) {
            let batch = papers.iter().map(|paper| self.reproduce(paper, seed, &interruption));
            batches.push(batch.collect::<Result<_, _>>()?);
            if interruption.failure().is_some() {
                break;
            }
        }
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

    /// Prints a remark unless quiet.
    fn remark(&self, text: &str) {
        if !self.printing.quiet {
            output::remark(text);
        }
    }

    /// Runs a paper's study under a seed, in a separate folder; several seeds have one folder per
    /// seed.
    fn reproduce(
        &self,
        paper: &str,
        seed: u64,
        interruption: &Interruption,
    ) -> Result<Report, Failure> {
        let (source, text) = files::read(&format!("studies/{paper}"))?;
        let given = [("seed", seed.to_string()), ("quick", self.quick.to_string())];
        let given = given.map(|(path, value)| {
            let label = format!("--{path} {value}");
            Override { path: path.to_owned(), value, label }
        });
        let study = Study::read(&source, &text, Path::new(""), &given)?;
        let out = match self.seeds {
            1 => self.out.clone(),
            _ => self.out.join(format!("seed-{seed}")),
        };
        let mut folder = Folder::begin(&out.join(paper), &study, true)?;
        if !interruption.stop.load(Ordering::Relaxed) {
            let quiet = self.printing.quiet;
            simulate(&mut folder, &Part::All, (self.threads, None), interruption, quiet)?;
        }
        let results = Results::of(&folder, false);
        results.write_tables(&folder)?;
        results.write_plots(&folder, false)?;
        wrong(&results)?;
        let report = results.report().cloned();
        report.ok_or_else(|| Failure::Usage(format!("error: `{paper}` has no claims")))
    }

    fn papers(&self) -> Result<Vec<&'static str>, Failure> {
        let mut papers: Vec<&str> = Vec::new();
        for name in &self.papers {
            let known = STUDIES.into_iter().find(|known| known == name).ok_or_else(|| {
                let what = format!("there is no paper `{}` to run again", name.escape_debug());
                let near = nearest(name, STUDIES.into_iter());
                Failure::unknown(&what, near, "`flitscope reproduce --list` lists them")
            })?;
            if !papers.contains(&known) {
                papers.push(known);
            }
        }
        Ok(if papers.is_empty() { STUDIES.into() } else { papers })
    }

    /// Prints the reports of one batch, or a summary of several batches.
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

/// A paper that can be run again.
#[derive(Serialize)]
struct PaperRow {
    /// The name of its study.
    name: String,
    /// The source of its figures and claims.
    paper: String,
    /// The subject, in one line.
    about: String,
}

impl Row for PaperRow {
    const COLUMNS: &'static [&'static str] = &["name", "paper", "about"];
}

fn papers() -> Vec<PaperRow> {
    let row = |study: &str| {
        let text = builtin::file(&format!("studies/{study}.ron")).unwrap_or_default();
        let About { name, paper, about } = About::of(text);
        PaperRow { name, paper, about }
    };
    STUDIES.map(row).into()
}

fn list() -> String {
    let line = |PaperRow { name, paper, about }| format!("{name:<18}{about}\n{:<18}{paper}\n", "");
    papers().into_iter().map(line).collect()
}
