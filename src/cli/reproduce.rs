//! `reproduce`: runs the tables, figures and claims of papers again and says what became of them.

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

use clap::Args;

use super::Failure;
use super::interruption::Interruption;
use super::options::Printing;
use super::output;
use super::progress::Bar;
use crate::experiment::report::{Format, ReproduceRow};
use crate::experiment::reproduce::{
    self, Content, Effort, Report, RunError, Running, STUDIES, Store, Study,
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
    /// List what can be run again
    #[arg(long, conflicts_with_all = ["papers", "quick", "out", "threads"])]
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
        let contents: Vec<Content> = studies.iter().map(|study| (study.content)(effort)).collect();
        let mut store = self.store()?;
        let interruption = Interruption::listen()?;
        // The bar is as long as there are runs, which is known once the kept ones are taken off.
        let (bar, told): (OnceLock<Bar>, OnceLock<()>) = (OnceLock::new(), OnceLock::new());
        let running = Running {
            threads: self.threads.map(usize::from),
            stop: interruption.flag(),
            planned: &|runs| {
                bar.get_or_init(|| Bar::new(runs, self.printing.quiet || runs == 0));
            },
            waiting: &|others| {
                told.get_or_init(|| {
                    for held in others.iter().filter(|_| !self.printing.quiet) {
                        output::remark(&format!(
                            "waiting for {}: it has claimed {} of the points",
                            held.by, held.points
                        ));
                    }
                });
            },
            progress: &|seen| {
                if let Some(bar) = bar.get() {
                    bar.tell(seen);
                }
            },
        };
        let results = reproduce::run(&contents, &mut store, &running);
        if let Some(bar) = bar.get() {
            bar.finish();
        }
        let results = results.map_err(failure)?;
        let reports: Vec<Report> = studies
            .iter()
            .zip(contents.iter().zip(&results))
            .map(|(study, (content, results))| Report::new(study, content, results))
            .collect();
        for report in &reports {
            reproduce::files::write(report, &self.out)?;
        }
        self.print(&reports)?;
        if let Some(interrupted) = interruption.failure() {
            if !self.printing.quiet {
                output::remark("the results are partial; the same command goes on from here");
            }
            return Err(interrupted);
        }
        let as_expected = reports.iter().all(Report::as_expected);
        if as_expected { Ok(()) } else { Err(Failure::Verdict) }
    }

    /// The studies asked for.
    fn studies(&self) -> Result<Vec<&'static Study>, Failure> {
        if self.papers.is_empty() {
            return Ok(STUDIES.iter().collect());
        }
        let mut studies: Vec<&Study> = Vec::new();
        for name in &self.papers {
            let study = reproduce::find(name).map_err(|near| {
                let what = format!("there is no paper `{}` to run again", name.escape_debug());
                let help = near.map_or_else(
                    || "`flitscope reproduce --list` lists them".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                Failure::Usage(format!("error: {what}\n = help: {help}"))
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
        Store::open(&self.out.join(RESULTS)).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => Failure::Usage(format!("error: {error}")),
            _ => error.into(),
        })
    }

    fn print(&self, reports: &[Report]) -> Result<(), Failure> {
        let rows: Vec<ReproduceRow> = reports.iter().flat_map(Report::rows).collect();
        output::print_rows(self.printing.format(), &rows, || {
            reports.iter().map(Report::text).collect::<Vec<String>>().join("\n\n")
        })?;
        if self.printing.format() == Format::Table && !self.printing.quiet {
            output::remark(&format!("files written to {}", self.out.display()));
        }
        Ok(())
    }
}

fn failure(error: RunError) -> Failure {
    match error {
        RunError::Crash(crash) => crash.into(),
        RunError::Store(error) => error.into(),
        RunError::Threads(error) => Failure::Internal(error.to_string()),
    }
}

/// What can be run again.
fn list() -> String {
    let line =
        |study: &Study| format!("{:<18}{}\n{:<18}{}\n", study.name, study.about, "", study.paper);
    STUDIES.iter().map(line).collect()
}
