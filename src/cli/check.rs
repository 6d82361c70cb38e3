//! `check`: validates scenarios and proves their routing free of deadlock.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::Failure;
use super::interruption::Interruption;
use super::mend::{Mended, Mending};
use super::options::{Fields, Printing};
use super::output;
use super::plan;
use super::progress::by_share;
use crate::experiment::report::{CheckRow, check_table};
use crate::experiment::witness::{self, Witness};
use crate::files::Draft;
use crate::network_files::{Mistake, read_pairs, read_routes};
use crate::routing::Routing;
use crate::routing::dependency::{Pairs, Proof, progress};
use crate::scenario::{Override, Problem, Scenario};
use crate::session::saved::Saved;
use crate::stats::WarmUp;
use crate::words::written;
use crate::{files, scenario, text};

/// The arguments of `check`.
#[derive(Args, Debug)]
pub(super) struct Check {
    /// Scenario files, names of built-in scenarios, or `-` for standard input
    #[arg(value_name = "SCENARIO", required = true)]
    scenarios: Vec<String>,
    /// Prove for messages between the pairs of this file only: CSV with `source,destination`
    #[arg(long, value_name = "FILE")]
    pairs: Option<String>,
    /// Write messages that close the cycle of a failed proof to this file: as a table in CSV, which
    /// `arrivals: Replay(File("..."))` sends, or, if its name ends in `.ron`, as a session of the
    /// deadlocked run, which `flitscope FILE` opens
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,
    #[command(flatten)]
    mending: Mending,
    /// Replace the file of `--witness` or `--mend`, if it exists
    #[arg(long)]
    force: bool,
    /// Compare the network of each scenario, or each network file, with the network of this file or
    /// scenario: what is missing, duplicated or miswired, and its effect
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pairs", "witness", "mend", "force", "routes"])]
    plan: Option<String>,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    printing: Printing,
}

impl Check {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if let Some(plan) = &self.plan {
            return plan::check(plan, &self.scenarios, &self.fields, self.printing);
        }
        if self.witness.is_some() && self.scenarios.len() > 1 {
            let what = "--witness writes the messages of one scenario";
            return Err(Failure::usage(what, "check the others without it"));
        }
        if self.mending.is_requested() && self.scenarios.len() > 1 {
            let what = "--mend writes the routes of one scenario";
            return Err(Failure::usage(what, "check the others without it"));
        }
        if self.force && self.witness.is_none() && !self.mending.is_requested() {
            let what = "--force is given without a file to write";
            return Err(Failure::usage(what, "leave it out, or write `--witness` or `--mend`"));
        }
        if self.witness.as_ref().is_some_and(|path| is_session(path))
            && self.fields.routes.is_some()
        {
            let what = "a session contains the scenario, and `--routes` names another table";
            return Err(Failure::usage(what, "write the messages to a file that ends in `.csv`"));
        }
        let (mut cyclic, mut unproven, mut problems) = (false, false, Vec::new());
        for (at, name) in self.scenarios.iter().enumerate() {
            let opened = self.open(name);
            let pairs = opened.as_ref().map_or(Ok(Pairs::All), |scenario| self.pairs(scenario));
            let mut checked = None;
            let row = match opened.and_then(|scenario| pairs.map(|pairs| (scenario, pairs))) {
                Ok((scenario, pairs)) => {
                    for remark in scenario.remarks().iter().filter(|_| !self.printing.quiet) {
                        output::remark_about(name, remark);
                    }
                    let what = format!("checking {name}");
                    let proof = by_share((&what, "proof"), self.printing.quiet, |share| {
                        progress::shared(share, || scenario.system.proof_for(&pairs))
                    });
                    let row = CheckRow::proven(&scenario, &proof);
                    let row = row.with_messages(&scenario, &proof, &pairs);
                    let row = row.with_failures(&scenario);
                    let row = self.with_witness(row, &scenario, &proof, &pairs)?;
                    checked = Some(scenario);
                    row
                }
                Err(found) => {
                    problems.push(scenario::render(&found));
                    CheckRow::unproven(&text::line(name), false)
                }
            };
            let first = at == 0;
            let gap = if first { "" } else { "\n" };
            let table = || gap.to_owned() + &check_table(&row);
            output::print_more(self.printing.format, std::slice::from_ref(&row), first, table)?;
            let options = (self.force, self.printing.quiet);
            let mended = checked.map(|scenario| self.mending.row(&scenario, &row, options));
            let mended = mended.transpose()?.flatten();
            if let Some(Mended { row, .. }) = &mended {
                let table = || format!("\n{}", check_table(row));
                output::print_more(self.printing.format, std::slice::from_ref(row), false, table)?;
            }
            // Repaired routes that were written take the place of the routes that can deadlock.
            let row = mended.filter(|it| it.written).map_or(row, |it| it.row);
            cyclic |= row.cycle.is_some();
            unproven |= row.valid && row.deadlock_free != Some(true);
            unproven |= row.is_unproven_after_failures();
        }
        if !problems.is_empty() {
            return Err(Failure::Usage(problems.join("\n")));
        }
        match (cyclic, unproven) {
            (true, _) => Err(Failure::Cycle),
            (false, true) => Err(Failure::Unproven),
            (false, false) => Ok(()),
        }
    }

    /// The row with messages that close the cycle of its proof, which are written, if requested.
    fn with_witness(
        &self,
        row: CheckRow,
        scenario: &Scenario,
        proof: &Proof,
        pairs: &Pairs,
    ) -> Result<CheckRow, Failure> {
        let Some(path) = self.witness.as_ref().filter(|_| row.cycle.is_some()) else {
            if let Some(path) = self.witness.as_ref().filter(|_| !self.printing.quiet) {
                output::remark_on(path, row.without_cycle());
            }
            return Ok(row);
        };
        let mut draft = Draft::begin(path, self.force)?;
        let interruption = Interruption::listen()?;
        let what = format!("runs of {}", scenario.name);
        let found = by_share((&what, "search"), self.printing.quiet, |share| {
            witness::find(scenario, proof, pairs, (&interruption.stop, share))
        });
        interruption.end(false)?;
        if let Some(found) = &found {
            let session = is_session(path).then(|| session(scenario, found)).transpose()?;
            draft.write_all(session.as_ref().unwrap_or(&found.table).as_bytes())?;
            draft.keep()?;
        } else if !self.printing.quiet {
            let system = &scenario.system;
            let why = if system.traffic.closed_loop.is_some() {
                "a table has no closed loop"
            } else if system.circuit().is_some() {
                "circuits have no tables of messages"
            } else {
                "no run deadlocked"
            };
            output::remark_on(path, &format!(": not written, because {why}"));
        }
        Ok(row.with_witness(found.as_ref()))
    }

    /// The scenario of a name, with the routing table of `--routes` and the VCs that it needs.
    fn open(&self, name: &str) -> Result<Scenario, Vec<Problem>> {
        let Some(file) = &self.fields.routes else { return self.fields.open(name) };
        let fields = self.fields.without_routes();
        // Failures name routers of the network.
        let fails = fields.overrides().iter().any(|it| it.path.starts_with("failures"));
        let of_file = Path::new(name).is_file() && files::is_network(name) && !fails;
        let (network, scenario) = if of_file {
            files::apart(name, &fields.overrides())?
        } else {
            let scenario = fields.open(name)?;
            (Arc::clone(&scenario.system.network), scenario)
        };
        let (placement, notes) = files::network_table(file, |text| {
            let draft = read_routes(text, &network)?;
            let routing = Routing::Table { routes: draft.rows };
            let placement =
                routing.on(&network).map_err(|why| vec![Mistake::whole(why.what, why.help)])?;
            Ok((placement, draft.notes))
        })?;
        for note in notes.iter().filter(|_| !self.printing.quiet) {
            output::remark(&format!("{file}: {note}"));
        }
        let (given, needed) =
            (scenario.system.switching.virtual_channels(), placement.needs.needed);
        if given < needed && !self.printing.quiet {
            let note = format!(
                "{file}: the table names {needed} virtual channels, and the machine has {given}: \
                 checked with {needed}"
            );
            output::remark(&note);
        }
        Ok(scenario.on_network(network, placement))
    }

    /// The pairs of `--pairs`.
    fn pairs(&self, scenario: &Scenario) -> Result<Pairs, Vec<Problem>> {
        let Some(file) = &self.pairs else { return Ok(Pairs::All) };
        let network = &scenario.system.network;
        let pairs = files::network_table(file, |text| read_pairs(text, network))?;
        Ok(Pairs::of(network, pairs.into_iter()))
    }
}

/// True if a witness is written as a session to this file.
fn is_session(path: &Path) -> bool {
    path.extension().is_some_and(|kind| kind == "ron")
}

/// The session of the run in which a witness deadlocks.
fn session(scenario: &Scenario, witness: &Witness) -> Result<String, Failure> {
    let value = format!("Replay({})", written(&witness.table));
    let (path, label) = ("traffic.arrivals".to_owned(), "the messages of the witness".to_owned());
    let replay = scenario.with([Override { path, value, label }]);
    let scenario = replay.map_err(|problems| Failure::Usage(scenario::render(&problems)))?;
    let saved = Saved {
        warm_up: WarmUp::Cycles(0),
        bookmarks: vec![witness.closed],
        cycle: witness.end,
        live: witness.end,
        ..Saved::beginning(Arc::new(scenario))
    };
    Ok(saved.text())
}
