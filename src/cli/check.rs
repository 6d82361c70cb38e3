//! `check`: validates scenarios and proves their routing free of deadlock.

use clap::Args;

use super::Failure;
use super::options::{Fields, Printing};
use super::output;
use super::progress::by_share;
use crate::experiment::report::{CheckRow, check_table};
use crate::network_files::{read_pairs, read_routes};
use crate::routing::dependency::{Pairs, progress};
use crate::scenario::{Override, Problem, Scenario};
use crate::{files, scenario, text, words};

/// The arguments of `check`.
#[derive(Args, Debug)]
pub(super) struct Check {
    /// Scenario files, names of built-in scenarios, or `-` for standard input
    #[arg(value_name = "SCENARIO", required = true)]
    scenarios: Vec<String>,
    /// Check the routing table of this file instead of the routing of the scenarios
    #[arg(long, value_name = "FILE")]
    routes: Option<String>,
    /// Prove for messages between the pairs of this file only: CSV with `source,destination`
    #[arg(long, value_name = "FILE")]
    pairs: Option<String>,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    printing: Printing,
}

impl Check {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (mut cyclic, mut problems) = (false, Vec::new());
        for (at, name) in self.scenarios.iter().enumerate() {
            let opened = self.fields.open(name).and_then(|scenario| self.with_routes(scenario));
            let pairs = opened.as_ref().map_or(Ok(Pairs::All), |scenario| self.pairs(scenario));
            let row = match opened.and_then(|scenario| pairs.map(|pairs| (scenario, pairs))) {
                Ok((scenario, pairs)) => {
                    for remark in scenario.remarks() {
                        output::remark(&format!("{name}: {remark}"));
                    }
                    let what = format!("checking {name}");
                    let proof = by_share((&what, "proof"), self.printing.quiet, |share| {
                        progress::shared(share, || scenario.system.proof_for(&pairs))
                    });
                    CheckRow::proven(&scenario, &proof).with_messages(&scenario, &proof, &pairs)
                }
                Err(found) => {
                    problems.push(scenario::render(&found));
                    CheckRow::unproven(&text::line(name), false)
                }
            };
            cyclic |= row.cycle.is_some();
            let first = at == 0;
            let gap = if first { "" } else { "\n" };
            let table = || gap.to_owned() + &check_table(&row);
            output::print_more(self.printing.format, std::slice::from_ref(&row), first, table)?;
        }
        if !problems.is_empty() {
            return Err(Failure::Usage(problems.join("\n")));
        }
        if cyclic { Err(Failure::Cycle) } else { Ok(()) }
    }

    /// The scenario with the routing table of `--routes`, and with the VCs that the table needs.
    fn with_routes(&self, scenario: Scenario) -> Result<Scenario, Vec<Problem>> {
        let Some(file) = &self.routes else { return Ok(scenario) };
        let network = &scenario.system.network;
        let (draft, text) =
            files::network_table(file, |text| Ok((read_routes(text, network)?, text.to_owned())))?;
        for note in draft.notes {
            output::remark(&format!("{file}: {note}"));
        }
        let set = |path: &str, value: String| Override {
            path: path.to_owned(),
            value,
            label: format!("--routes {file}"),
        };
        let mut all = vec![set("routing", format!("Table(routes: {})", words::written(&text)))];
        let needed = draft.rows.classes();
        if scenario.system.relation.virtual_channels() < needed {
            all.push(set("switching.virtual_channels", needed.to_string()));
        }
        scenario.with(all)
    }

    /// The pairs of `--pairs`.
    fn pairs(&self, scenario: &Scenario) -> Result<Pairs, Vec<Problem>> {
        let Some(file) = &self.pairs else { return Ok(Pairs::All) };
        let network = &scenario.system.network;
        let pairs = files::network_table(file, |text| read_pairs(text, network))?;
        Ok(Pairs::of(network, pairs.into_iter()))
    }
}
