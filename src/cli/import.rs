//! `import`: converts traces, traffic and configurations of other programs.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::builtin_files::{NOTATIONS, Notation};
use super::options::given;
use super::{Failure, output};
use crate::files;
use crate::network_files::booksim::Configuration;
use crate::network_files::goal::{Machine, read_goal};
use crate::network_files::noxim::{Sample, read_traffic_table};
use crate::network_files::{Mistake, booksim, caminos};
use crate::scenario::{self, Problem};
use crate::traffic::lengths::LENGTH_MAX;

/// The arguments of `import`.
#[derive(Args, Debug)]
pub(super) struct Import {
    #[command(subcommand)]
    format: Format,
}

/// The formats that are read.
#[derive(Subcommand, Debug)]
enum Format {
    /// A trace in GOAL, the text of `LogGOPSim`: `send`, `recv`, `calc`, `requires` and `irequires` of ranks
    Goal(Goal),
    /// A traffic table of Noxim: rates between nodes, with the times at which they count
    Noxim(Noxim),
    /// A configuration of BookSim2, as a scenario with the same network, routers and traffic
    Booksim(Conversion),
    /// A configuration of CAMINOS, as a scenario with the same network, routers and traffic
    Caminos(Conversion),
}

/// The file to read, and the table to write.
#[derive(Args, Debug)]
struct Files {
    /// The file to convert
    #[arg(value_name = "FILE")]
    input: String,
    /// Write the table of messages to this file, for `arrivals: Replay(File("..."))` [default: print it]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file, if it exists; without this it is left as it is, and the status is 2
    #[arg(long, requires = "output")]
    force: bool,
}

/// The arguments of `import goal`.
#[derive(Args, Debug)]
struct Goal {
    #[command(flatten)]
    files: Files,
    /// Bytes of a flit
    #[arg(long, value_name = "N", default_value_t = 32,
        value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    flit_bytes: u64,
    /// Cycles of the network in a nanosecond, for the times of `calc`
    #[arg(long, value_name = "GHZ", default_value_t = 1.0, value_parser = clock)]
    clock_ghz: f64,
    /// Divide longer messages into packets of this length in flits [default: none are]
    #[arg(long, value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(LENGTH_MAX)))]
    packet_flits: Option<u32>,
    /// Messages up to this length are complete for their senders when they are sent, and longer messages
    /// when they are delivered
    #[arg(long, value_name = "N", default_value_t = 65_535)]
    eager_bytes: u64,
    /// The nodes of the ranks from 0 on, by name or number, one a line [default: the nodes of the same
    /// numbers]
    #[arg(long, value_name = "FILE")]
    nodes: Option<PathBuf>,
}

/// The arguments of `import noxim`.
#[derive(Args, Debug)]
struct Noxim {
    #[command(flatten)]
    files: Files,
    /// Cycles for which messages are drawn
    #[arg(long, value_name = "N", default_value_t = 20_000,
        value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    cycles: u64,
    /// Flits of a message
    #[arg(long, value_name = "N", default_value_t = 8,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(LENGTH_MAX)))]
    flits: u32,
    /// Seed of the draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// The arguments of `import booksim` and `import caminos`.
#[derive(Args, Debug)]
struct Conversion {
    /// The configuration to convert
    #[arg(value_name = "FILE")]
    input: String,
    /// Write the scenario to this file, in JSON if its name ends in `.json` [default: print it]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The notation of the scenario
    #[arg(long, value_parser = given(NOTATIONS), value_name = "FORMAT")]
    format: Option<Notation>,
    /// Replace the file, if it exists; without this it is left as it is, and the status is 2
    #[arg(long, requires = "output")]
    force: bool,
}

/// Reads a clock in GHz.
fn clock(text: &str) -> Result<f64, String> {
    let clock: f64 = text.parse().map_err(|_| "write a number such as 1.2")?;
    if (1e-3..=1e3).contains(&clock) { Ok(clock) } else { Err("write 0.001 to 1000".into()) }
}

/// Problems of a file as a failure of the command.
fn failed(problems: &[Problem]) -> Failure {
    Failure::Usage(scenario::render(problems))
}

impl Import {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.format {
            Format::Goal(goal) => goal.run(),
            Format::Noxim(noxim) => noxim.run(),
            Format::Booksim(conversion) => conversion.run(booksim::read_configuration),
            Format::Caminos(conversion) => conversion.run(caminos::read_configuration),
        }
    }
}

/// Writes a text to a file, or prints it.
fn write(text: String, to: Option<&PathBuf>, force: bool) -> Result<(), Failure> {
    match to {
        None => output::print(&text),
        Some(path) => Ok(files::write(path, text, force)?),
    }
}

impl Files {
    /// Writes or prints a table.
    fn write(&self, table: String) -> Result<(), Failure> {
        write(table, self.output.as_ref(), self.force)
    }
}

impl Conversion {
    fn run(
        &self,
        read: impl FnOnce(&str) -> Result<Configuration, Vec<Mistake>>,
    ) -> Result<(), Failure> {
        let input = &self.input;
        let found = files::network_table(input, read);
        let found = found.map_err(|problems| failed(&problems))?;
        let place = self.output.as_deref().unwrap_or(Path::new(input));
        scenario::parse_with(input, &found.scenario, &[], &files::beside(place))
            .map_err(|problems| failed(&problems))?;
        for note in &found.notes {
            output::remark(&format!("{input}: {note}"));
        }
        let is_json = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "json");
        let by_name =
            if self.output.as_ref().is_some_and(is_json) { Notation::Json } else { Notation::Ron };
        let text = self.format.unwrap_or(by_name).of(found.scenario);
        write(text, self.output.as_ref(), self.force)
    }
}

impl Goal {
    fn run(&self) -> Result<(), Failure> {
        let nodes = self.nodes.as_ref().map(files::read_file).transpose();
        let nodes = nodes.map_err(|problem| failed(&[problem]))?;
        let machine = Machine {
            flit_bytes: self.flit_bytes,
            clock_ghz: self.clock_ghz,
            packet_flits: self.packet_flits,
            eager_bytes: self.eager_bytes,
            nodes: nodes.map(|text| text.lines().map(|line| line.trim().to_owned()).collect()),
        };
        let input = &self.files.input;
        let draft = files::network_table(input, |text| read_goal(text, &machine));
        let draft = draft.map_err(|found| failed(&found))?;
        for note in &draft.notes {
            output::remark(&format!("{input}: {note}"));
        }
        self.files.write(draft.table)
    }
}

impl Noxim {
    fn run(&self) -> Result<(), Failure> {
        let sample = Sample { cycles: self.cycles, flits: self.flits, seed: self.seed };
        let table =
            files::network_table(&self.files.input, |text| read_traffic_table(text, sample));
        self.files.write(table.map_err(|found| failed(&found))? + "\n")
    }
}
