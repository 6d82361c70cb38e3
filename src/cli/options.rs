//! Options that several commands share, and what they mean to the parts below.

mod screen;
mod setting;
mod words;

use std::sync::Arc;

use clap::Args;

use super::Failure;
use crate::experiment::report::Format;
use crate::experiment::{End, Plan};
use crate::files;
use crate::scenario::{self, Override, Problem, Scenario};
use crate::stats::WarmUp;
pub use screen::Screen;
pub(super) use words::words;

/// Fields of a scenario that are set on the command line, checked as if they stood in the file.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Scenario")]
pub struct Fields {
    /// Messages per node and cycle
    #[arg(long, value_name = "RATE", allow_negative_numbers = true)]
    rate: Option<String>,
    /// Flits per node and cycle (instead of a rate)
    #[arg(long, value_name = "LOAD", allow_negative_numbers = true, conflicts_with = "rate")]
    load: Option<String>,
    /// The seed of all random choices
    #[arg(long, value_name = "SEED", allow_negative_numbers = true)]
    seed: Option<String>,
    /// Set any field: `--set routing.escape=Dateline`; may be repeated
    #[arg(long, value_name = "PATH=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
}

impl Fields {
    /// What was set, in the order in which it counts.
    pub(super) fn overrides(&self) -> Vec<Override> {
        let short = [
            ("--rate", "traffic.arrivals.rate", &self.rate),
            ("--load", "traffic.arrivals.load", &self.load),
            ("--seed", "seed", &self.seed),
        ];
        let short = short.into_iter().filter_map(|(option, path, value)| {
            let value = value.clone()?;
            let label = format!("{option} {value}");
            Some(Override { path: path.to_owned(), value, label })
        });
        let set = self.set.iter().map(|(path, value)| Override {
            path: path.clone(),
            value: value.clone(),
            label: format!("--set {path}={value}"),
        });
        short.chain(set).collect()
    }

    /// Opens one scenario.
    pub fn open(&self, name: &str) -> Result<Scenario, Vec<Problem>> {
        files::open(name, &self.overrides())
    }

    /// Opens a scenario or a saved session.
    pub fn open_any(&self, name: &str) -> Result<files::Opened, Vec<Problem>> {
        files::open_any(name, &self.overrides())
    }

    /// Opens all scenarios, or says all problems of all of them.
    pub fn open_all(&self, names: &[String]) -> Result<Vec<Arc<Scenario>>, Failure> {
        let (mut scenarios, mut problems) = (Vec::new(), Vec::new());
        for name in names {
            match self.open(name) {
                Ok(scenario) => scenarios.push(Arc::new(scenario)),
                Err(found) => problems.push(scenario::render(&found)),
            }
        }
        if problems.is_empty() { Ok(scenarios) } else { Err(Failure::Usage(problems.join("\n"))) }
    }
}

/// A field and the value that it is set to.
pub(super) fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((path, value)) if !path.trim().is_empty() => {
            Ok((path.trim().to_owned(), value.to_owned()))
        }
        _ => Err("this must be a field, `=` and a value, as in `seed=7`".to_owned()),
    }
}

/// When runs end, and how many there are.
#[derive(Args, Clone, Default, PartialEq, Debug)]
#[command(next_help_heading = "Runs")]
pub struct Runs {
    /// End when N messages have been counted after the warm-up in each run (with --precision: at most N)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    messages: Option<u64>,
    /// End when the 95 % interval of the latency is this narrow: half width divided by mean; with
    /// --replications that of all together, which then go on side by side [default: 0.01, if neither messages nor cycles are given]
    #[arg(long, value_name = "P", value_parser = share)]
    precision: Option<f64>,
    /// End after N cycles (circuits: units of time), saturated or not (with --messages or
    /// --precision: at most N)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    cycles: Option<u64>,
    /// Leave out what was generated in the first N cycles (circuits: units of time), and run on at the
    /// end until what was generated since is delivered [default: found from the data]
    #[arg(long, value_name = "N")]
    warm_up: Option<u64>,
    /// Make N independent runs of each scenario, and one result of all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    replications: Option<u32>,
    /// Runs at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl Runs {
    /// The plan.
    pub fn plan(&self) -> Plan {
        Plan {
            end: End::new(self.precision, self.messages, self.cycles),
            warm_up: self.warm_up.map_or(WarmUp::Automatic, WarmUp::Cycles),
            replications: self.replications.unwrap_or(1),
        }
    }

    /// Whether anything was said about runs.
    pub fn given(&self) -> bool {
        *self != Self::default()
    }

    /// Whether replications were asked for, be it one.
    pub fn replicated(&self) -> bool {
        self.replications.is_some()
    }

    /// Runs at a time, where it was said.
    pub fn jobs(&self) -> Option<usize> {
        self.jobs.map(usize::from)
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("this must be a number between 0 and 1, as in 0.01".to_owned()),
    }
}

/// How results are printed.
#[derive(Args, Clone, Copy, Default, Debug)]
#[command(next_help_heading = "Output")]
pub struct Printing {
    /// How results are printed
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// No progress and no remarks on standard error
    #[arg(long, short)]
    pub quiet: bool,
}

words! {
    Format {
        Table = "table", "For people";
        Csv = "csv", "Comma-separated values, one line per result";
        Json = "json", "One JSON object per line";
    }
}
