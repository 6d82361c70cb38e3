//! `check --mend`: repairs of routes that can deadlock.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::options::{Words, given};
use super::{Failure, output};
use crate::experiment::report::CheckRow;
use crate::files;
use crate::network_files::write::rows_text;
use crate::routing::dependency::{Pairs, Verdict, prove};
use crate::routing::mend::{Change, Unmended, mend};
use crate::routing::{CLASSES_MAX, Routing};
use crate::scenario::{Override, Scenario};

/// The part of the routes that a repair changes, by its name.
const CHANGES: Words<Change> = &[
    ("routes", "Other routes on the same virtual channels, as few as possible", Change::Routes),
    ("layers", "The same routes on more virtual channels", Change::Layers),
];

/// The options of `check` for repairs.
#[derive(Args, Debug)]
pub(super) struct Mending {
    /// Repair routes whose proof has a cycle, and write them to this file as a table for
    /// `routing: Table(routes: File(...))`; replies that close the cycle get virtual channels of their
    /// own
    #[arg(long, value_name = "FILE")]
    mend: Option<PathBuf>,
    /// The part of the routes that a repair may change
    #[arg(long = "mend-by", value_name = "CHANGE", requires = "mend", default_value = "routes",
        value_parser = given(CHANGES))]
    by: Change,
}

/// A repaired scenario.
pub(super) struct Mended {
    pub row: CheckRow,
    /// True if the routes were written; false if they stay, and other options repair the scenario.
    pub written: bool,
}

impl Mending {
    /// True if repairs are requested.
    pub(super) fn is_requested(&self) -> bool {
        self.mend.is_some()
    }

    /// The repaired scenario, after its file is written; `None` if no repair is requested or
    /// needed.
    pub(super) fn row(
        &self,
        scenario: &Scenario,
        before: &CheckRow,
        (force, quiet): (bool, bool),
    ) -> Result<Option<Mended>, Failure> {
        let Some(path) = &self.mend else { return Ok(None) };
        if before.cycle.is_none() {
            if !quiet {
                output::remark_on(path, before.without_cycle());
            }
            return Ok(None);
        }
        let system = &scenario.system;
        if system.circuit().is_some() {
            let what = "circuits have no table of routes to repair";
            return Err(Failure::usage(what, "leave `--mend` out"));
        }
        let (network, relation) = (&system.network, &system.relation);
        let routes_are_free = matches!(prove(network, relation).verdict, Verdict::Free { .. });
        if routes_are_free && !system.traffic.classes.is_empty() {
            let row = apart(scenario, quiet)?;
            return Ok(Some(Mended { row, written: false }));
        }
        let mended =
            mend(network, relation, self.by).map_err(|why| unmended(scenario, &why, self.by))?;
        let routing = Routing::Table { routes: mended.rows.clone() };
        let placement = routing.on(network).map_err(|why| Failure::usage(why.what, why.help))?;
        let repaired = scenario.clone().on_network(Arc::clone(network), placement);
        let proof = repaired.system.proof();
        let row = CheckRow::proven(&repaired, &proof).with_mended(&mended, before, network);
        let row = row.with_failures(&repaired);
        let name = format!("{} with {}", scenario.name, path.display());
        files::write(path, rows_text(network, &mended.rows, |_| true), force)?;
        if !quiet {
            output::remark_on(path, ": the routes, for `routing: Table(routes: File(...))`");
        }
        let row = CheckRow { scenario: name, ..row };
        Ok(Some(Mended { row, written: true }))
    }
}

/// The row with virtual channels of their own for requests and replies.
fn apart(scenario: &Scenario, quiet: bool) -> Result<CheckRow, Failure> {
    let relation = &scenario.system.relation;
    let (classes, given) =
        (scenario.system.traffic.classes.count() as u32, relation.virtual_channels());
    let needed = (0..given).map(|vc| u32::from(relation.class_of(vc)) + 1).max().unwrap_or(1);
    let each = needed.max(given / classes);
    let vcs = each * classes;
    if vcs > CLASSES_MAX as u32 {
        let what = format!("{classes} message classes would need {vcs} virtual channels");
        return Err(Failure::usage(what, format!("a channel has at most {CLASSES_MAX}")));
    }
    let split = format!("Split({:?})", vec![each; classes as usize]);
    let more = (vcs != given).then(|| ("switching.virtual_channels", vcs.to_string()));
    let fields = more.into_iter().chain([("switching.message_classes", split)]);
    let set: Vec<Override> = fields
        .map(|(path, value)| {
            let label = format!("--set '{path}={value}'");
            Override { path: path.to_owned(), value, label }
        })
        .collect();
    let options: Vec<&str> = set.iter().map(|it| it.label.as_str()).collect();
    let options = options.join(" ");
    let apart = scenario.with(set)?;
    let proof = apart.system.proof();
    if !quiet {
        output::remark(&format!(
            "{}: the routes are free of deadlock by themselves; requests and replies get virtual \
             channels of their own by {options}",
            scenario.name
        ));
    }
    let name = format!("{} {options}", scenario.name);
    let row = CheckRow::proven(&apart, &proof).with_messages(&apart, &proof, &Pairs::All);
    Ok(CheckRow { scenario: name, ..row })
}

/// The reason why routes are not repaired, as a failure.
fn unmended(scenario: &Scenario, why: &Unmended, by: Change) -> Failure {
    let network = &scenario.system.network;
    let other = match by {
        Change::Routes => "`--mend-by layers` keeps the routes",
        Change::Layers => "`--mend-by routes` keeps the virtual channels",
    };
    let (what, help) = match why {
        Unmended::Stranded { source, destination } => {
            let [from, to] = [source, destination].map(|&at| network.router_name(at));
            (format!("no route leads from {from} to {to}"), "add one first")
        }
        Unmended::TooLarge => ("the routes of this network are too many".to_owned(), other),
        Unmended::NoOrder => {
            let what = "no order of the links was found in which routes connect all pairs";
            (what.to_owned(), other)
        }
        Unmended::NoLayer { layers } => {
            let what = format!(
                "the routes need {layers} virtual channels or more, and a channel has at most \
                 {CLASSES_MAX}"
            );
            (what, other)
        }
    };
    Failure::usage(format!("{}: {what}", scenario.name), help)
}
