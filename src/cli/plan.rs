//! `check --plan`: compares fabrics with their plan, and states the effect of the differences.

use super::Failure;
use super::options::{Fields, Printing};
use super::output;
use super::progress::by_share;
use crate::experiment::report::{CheckRow, PlanRow, plan_table};
use crate::files;
use crate::network_files::comparison::{Comparison, Inventory};
use crate::routing::dependency::progress;
use crate::scenario::{self, Problem, Scenario};
use crate::text;

/// The most routers for which a similar name is searched in the plan.
const SEARCHED: usize = 100;

/// Compares fabrics with a plan, and prints a row for each.
pub(super) fn check(
    plan: &str,
    fabrics: &[String],
    fields: &Fields,
    printing: Printing,
) -> Result<(), Failure> {
    let plan = Side::open(plan, fields)?;
    let proven = plan.check(printing.quiet);
    let (mut differs, mut cyclic, mut problems) = (false, false, Vec::new());
    let mut printed = 0;
    for name in fabrics {
        let fabric = match Side::open(name, fields) {
            Ok(fabric) => fabric,
            Err(found) => {
                problems.push(scenario::render(&found));
                continue;
            }
        };
        let comparison = match fabric.compared(&plan) {
            Ok(comparison) => comparison,
            Err(problem) => {
                problems.push(problem.to_string());
                continue;
            }
        };
        if !printing.quiet {
            fabric.remarks.iter().for_each(|remark| output::remark_about(name, remark));
        }
        let check = fabric.check(printing.quiet);
        let row = PlanRow::new(
            [&text::line(&fabric.name), &text::line(&plan.name)],
            &comparison,
            [&fabric.inventory, &plan.inventory],
            [check.as_ref(), proven.as_ref()],
        );
        differs |= !row.agrees;
        cyclic |= check.is_some_and(|check| check.cycle.is_some());
        let gap = if printed > 0 { "\n" } else { "" };
        let table = || gap.to_owned() + &plan_table(&row);
        output::print_more(printing.format, std::slice::from_ref(&row), printed == 0, table)?;
        printed += 1;
    }
    if !problems.is_empty() {
        Err(Failure::Usage(problems.join("\n")))
    } else if differs {
        Err(Failure::Unplanned)
    } else if cyclic {
        Err(Failure::Cycle)
    } else {
        Ok(())
    }
}

/// A network that is compared.
pub(super) struct Side {
    name: String,
    inventory: Inventory,
    remarks: Vec<String>,
    /// The scenario; `None` if some router has no path to another.
    scenario: Option<Scenario>,
}

impl Side {
    /// Opens a network file or a scenario. The routers of a file may be without paths to others.
    pub(super) fn open(name: &str, fields: &Fields) -> Result<Self, Vec<Problem>> {
        if files::is_network(name) {
            let draft = files::network_in_parts(name)?;
            let inventory = Inventory::of_draft(&draft);
            let scenario = if draft.is_connected() { Some(fields.open(name)?) } else { None };
            let remarks = match &scenario {
                Some(scenario) => scenario.remarks(),
                None => draft.notes,
            };
            return Ok(Self { name: name.to_owned(), inventory, remarks, scenario });
        }
        Ok(Self::of(name, fields.open(name)?))
    }

    /// The network of a scenario.
    fn of(name: &str, scenario: Scenario) -> Self {
        let inventory = Inventory::of_network(&scenario.system.network);
        let remarks = scenario.remarks();
        Self { name: name.to_owned(), inventory, remarks, scenario: Some(scenario) }
    }

    /// The comparison of a fabric with its plan.
    fn compared(&self, plan: &Self) -> Result<Comparison, Problem> {
        compare(&self.name, &self.inventory, plan)
    }

    /// The row of `check`, if the network is connected.
    fn check(&self, quiet: bool) -> Option<CheckRow> {
        let scenario = self.scenario.as_ref()?;
        let what = format!("checking {}", self.name);
        let proof = by_share((&what, "proof"), quiet, |share| {
            progress::shared(share, || scenario.system.proof())
        });
        Some(CheckRow::proven(scenario, &proof))
    }
}

/// Compares a fabric of a name with its plan.
fn compare(name: &str, fabric: &Inventory, plan: &Side) -> Result<Comparison, Problem> {
    Comparison::of(&plan.inventory, fabric).ok_or_else(|| {
        let plans = || plan.inventory.routers().iter().map(String::as_str);
        let near = fabric.routers().iter().take(SEARCHED).find_map(|router| {
            scenario::nearest(router, plans()).map(|near| (router.as_str(), near))
        });
        let alike = near.map_or_else(
            || {
                let [own, planned] = [fabric, &plan.inventory].map(|it| it.routers().first());
                let [own, planned] = [own, planned].map(|name| name.map_or("", String::as_str));
                format!("the first are `{own}` and `{planned}`")
            },
            |(own, planned)| format!("`{own}` is most like `{planned}`"),
        );
        let what = format!("no router has the same name as in {}: {alike}", text::line(&plan.name));
        let help = "networks are compared by the names of routers: use the same in both".to_owned();
        Problem { source: name.to_owned(), place: None, what, help: Some(help) }
    })
}
