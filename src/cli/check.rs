//! `check`: validates scenarios and proves their routing free of deadlock.

use clap::Args;

use super::Failure;
use super::options::{Fields, Printing};
use super::output;
use super::progress::by_share;
use crate::experiment::report::{CheckRow, check_table};
use crate::routing::dependency::progress;
use crate::{scenario, text};

/// The arguments of `check`.
#[derive(Args, Debug)]
pub(super) struct Check {
    /// Scenario files, names of built-in scenarios, or `-` for standard input
    #[arg(value_name = "SCENARIO", required = true)]
    scenarios: Vec<String>,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    printing: Printing,
}

impl Check {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (mut cyclic, mut problems) = (false, Vec::new());
        for (at, name) in self.scenarios.iter().enumerate() {
            let row = match self.fields.open(name) {
                Ok(scenario) => {
                    for remark in scenario.remarks() {
                        output::remark(&format!("{name}: {remark}"));
                    }
                    let what = format!("checking {name}");
                    let proof = by_share((&what, "proof"), self.printing.quiet, |share| {
                        progress::shared(share, || scenario.system.proof())
                    });
                    CheckRow::proven(&scenario, &proof)
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
}
