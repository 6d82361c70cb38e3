//! Options shared by several commands, converted for the layers below.

mod screen;
mod setting;
mod themes;

use std::sync::Arc;

use clap::Args;

use super::progress::patiently;
use super::{Failure, output};
use crate::experiment::report::Format;
use crate::experiment::{End, Plan};
use crate::files;
use crate::recording::{self, Header};
use crate::scenario::{self, Override, Problem, Scenario, contrast};
use crate::stats::WarmUp;
use crate::words::{Misfit, written};
pub use screen::Screen;
pub(super) use setting::one_word;
pub(super) use setting::{Words, given};
pub(super) use themes::RequestedTheme;

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
    /// Follow the routing table of this file instead of the routing of the scenario
    #[arg(long, value_name = "FILE")]
    pub(super) routes: Option<String>,
    /// Set any field: `--set routing.escape=Dateline`; may be repeated
    #[arg(long, value_name = "PATH=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
}

impl Fields {
    /// The fields set by options, in order of precedence.
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
        let table = self.routes.iter().map(|file| {
            // A path in a scenario is relative to the folder of the scenario.
            let path = std::path::absolute(file).unwrap_or_else(|_| file.into());
            let value = format!("Table(routes: File({}))", written(&path.display().to_string()));
            Override { path: "routing".to_owned(), value, label: format!("--routes {file}") }
        });
        short.chain(table).chain(overrides("--set", &self.set)).collect()
    }

    /// The same fields without a routing table.
    pub(super) fn without_routes(&self) -> Self {
        Self { routes: None, ..self.clone() }
    }

    /// Opens a single scenario.
    pub fn open(&self, name: &str) -> Result<Scenario, Vec<Problem>> {
        patiently(&reading(name), || files::open(name, &self.overrides()))
    }

    /// Opens a scenario or a saved session.
    pub fn open_any(&self, name: &str) -> Result<files::ParsedFile, Vec<Problem>> {
        patiently(&reading(name), || files::open_any(name, &self.overrides()))
    }

    /// Opens all scenarios, or reports all problems of all scenarios.
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

fn reading(name: &str) -> String {
    format!("reading {name}")
}

/// The fields set by one option.
fn overrides(option: &str, set: &[(String, String)]) -> impl Iterator<Item = Override> {
    set.iter().map(move |(path, value)| Override {
        path: path.clone(),
        value: value.clone(),
        label: format!("{option} {path}={value}"),
    })
}

/// Parses `FIELD=VALUE`, with the value in RON or JSON.
fn setting(text: &str) -> Result<(String, String), String> {
    entry(text, scenario::ron_value)
}

/// Parses `FIELD=[VALUE, ...]`, with the values in RON or JSON.
pub(super) fn axis(text: &str) -> Result<(String, String), String> {
    entry(text, scenario::ron_values)
}

fn entry(
    text: &str,
    from_json: fn(&str, &str) -> Option<String>,
) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((path, value)) if !path.trim().is_empty() => {
            let path = path.trim();
            Ok((path.to_owned(), from_json(path, value).unwrap_or_else(|| value.to_owned())))
        }
        _ => Err("this must be a field, `=` and a value, as in `seed=7`".to_owned()),
    }
}

/// The end of runs and their number.
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
    /// end until what was generated since is delivered, for at most as long again or 10,000 cycles
    /// [default: found from the data]
    #[arg(long, value_name = "N")]
    warm_up: Option<u64>,
    /// Make N independent runs of each scenario, and one result of all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) replications: Option<u32>,
    /// Runs at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) jobs: Option<u16>,
}

impl Runs {
    /// The given options, as fields of a study.
    pub(super) fn overrides(&self) -> Vec<Override> {
        let whole = |number: Option<u64>| number.map(|number| number.to_string());
        let given = [
            ("replications", whole(self.replications.map(u64::from))),
            ("precision", self.precision.map(|share| share.to_string())),
            ("messages", whole(self.messages)),
            ("cycles", whole(self.cycles)),
            ("warm_up", whole(self.warm_up)),
        ];
        let given = given.into_iter().filter_map(|(path, value)| Some((path, value?)));
        let given = given.map(|(path, value)| {
            let label = format!("--{} {value}", path.replace('_', "-"));
            Override { path: path.to_owned(), value, label }
        });
        given.collect()
    }

    /// The plan, or an error if contradictory.
    pub fn plan(&self) -> Result<Plan, Failure> {
        let plan = Plan {
            end: End::new(self.precision, self.messages, self.cycles),
            warm_up: self.warm_up.map_or(WarmUp::Automatic, WarmUp::Cycles),
            replications: self.replications.unwrap_or(1),
            ..Plan::default()
        };
        let misfit = plan.misfit().map(|it| Failure::usage(it.what, it.help));
        misfit.map_or(Ok(plan), Err)
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("this must be a number between 0 and 1, as in 0.01".to_owned()),
    }
}

/// The format of results.
#[derive(Args, Clone, Copy, Default, Debug)]
#[command(next_help_heading = "Output")]
pub struct Printing {
    /// The format of results
    #[arg(long, value_parser = given(FORMATS), default_value = "table")]
    pub format: Format,
    /// No progress and no remarks on standard error
    #[arg(long, short)]
    pub quiet: bool,
}

const FORMATS: Words<Format> = &[
    ("table", "For people", Format::Table),
    ("csv", "Comma-separated values, one line per result", Format::Csv),
    ("json", "One JSON object per line", Format::Json),
];

/// Options of recordings.
#[derive(Args, Clone, Copy, Default, Debug)]
#[command(next_help_heading = "Recording")]
pub(super) struct Casting {
    /// The version of the asciicast format
    #[arg(long = "record-format", value_parser = given(VERSIONS), value_name = "VERSION", default_value = "v3")]
    pub(super) format: recording::Format,
    /// Players shorten longer rests to this many seconds
    #[arg(long = "record-idle-limit", value_name = "SECONDS", value_parser = seconds)]
    pub(super) idle_limit: Option<f64>,
    /// Replace the recording, if it exists; without this it is left as it is, and the status is 2
    #[arg(long)]
    pub(super) force: bool,
}

impl Casting {
    /// The header of recordings.
    pub(super) fn header(&self) -> Header {
        Header { format: self.format, idle_limit: self.idle_limit, ..Header::default() }
    }
}

const VERSIONS: Words<recording::Format> = &[
    ("v3", "For asciinema 3 and its player", recording::Format::V3),
    ("v2", "For older players", recording::Format::V2),
];

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 3600.0 => Ok(seconds),
        _ => Err("this must be a number of seconds above 0, up to 3600, as in 2.5".to_owned()),
    }
}

/// The second scenario of a comparison.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Comparison")]
pub struct Against {
    /// Compare with another scenario of the same network, run at the same rate with the same seed; `sweep
    /// --vary 'network=[...]'` compares networks
    #[arg(long, value_name = "SCENARIO")]
    against: Option<String>,
    /// Compare with the same scenario (or that of --against) with this field set:
    /// `--against-set routing.escape=Dateline`; may be repeated. `--against-set 'switching=Wormhole()'` compares
    /// circuits with worms that take as many cycles as the circuits' data
    #[arg(long, value_name = "PATH=VALUE", value_parser = setting)]
    against_set: Vec<(String, String)>,
}

impl Against {
    /// True if a comparison is requested.
    pub(super) fn is_given(&self) -> bool {
        self.against.is_some() || !self.against_set.is_empty()
    }

    /// Opens the scenario to compare with `first`, applying `fields` as well; `None` without a
    /// comparison.
    pub(super) fn open(
        &self,
        first: &Scenario,
        fields: &Fields,
    ) -> Result<Option<Arc<Scenario>>, Failure> {
        if self.against_set.iter().any(|(path, _)| path == "seed") {
            let what = "`--against-set seed`: both runs have the seed of the first";
            return Err(Failure::usage(what, "`--seed` sets it for both"));
        }
        let mut set: Vec<Override> = overrides("--against-set", &self.against_set).collect();
        if self.against.is_none() {
            set.extend(contrast::as_worms(first, &set));
        }
        let other = match &self.against {
            Some(name) => files::open(name, &Override::joined(&fields.overrides(), set))?,
            None if self.against_set.is_empty() => return Ok(None),
            None => {
                let folder = files::network_reader(first.file.as_deref().unwrap_or_default());
                first.with_files(set, &folder)?
            }
        };
        let refused = |Misfit { what, help, .. }| Failure::usage(what, help);
        let beside = contrast::beside(first, &other).map_err(refused)?;
        let (rate, own) = (beside.system.traffic.rate, other.system.traffic.rate);
        if rate != own {
            let name = &other.name;
            output::remark(&format!("{name}: run at a rate of {} instead of {}", rate.0, own.0));
        }
        Ok(Some(Arc::new(beside)))
    }
}
