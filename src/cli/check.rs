//! `check`: whether scenarios are correct, and their routing proven free of deadlock.

use clap::Args;

use super::Failure;
use super::options::{Fields, Printing};
use super::output;
use crate::experiment::report::{CheckRow, check_table};

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
        let (mut rows, mut problems) = (Vec::new(), Vec::new());
        for name in &self.scenarios {
            rows.push(match self.fields.open(name) {
                Ok(scenario) => {
                    for remark in scenario.remarks() {
                        output::remark(&format!("{name}: {remark}"));
                    }
                    CheckRow::proven(&scenario, &scenario.system.proof())
                }
                Err(error) => {
                    problems.push(error.to_string());
                    CheckRow::unproven(name, false)
                }
            });
        }
        output::print_rows(self.printing.format(), &rows, || {
            rows.iter().map(check_table).collect::<Vec<String>>().join("\n")
        })?;
        if !problems.is_empty() {
            return Err(Failure::Scenario(problems.join("\n")));
        }
        let cyclic = rows.iter().any(|row| row.cycle.is_some());
        if cyclic { Err(Failure::Cycle) } else { Ok(()) }
    }
}
