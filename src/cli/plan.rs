//! `--plan`: compares fabrics with their plan, and states the effect of the differences.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

use super::Failure;
use super::options::{Fields, Printing};
use super::output;
use super::progress::by_share;
use crate::experiment::report::{CheckRow, PlanRow, plan_table};
use crate::files;
use crate::network_files::Draft;
use crate::network_files::comparison::{Comparison, Difference, Inventory};
use crate::routing::dependency::progress;
use crate::scenario::{self, Problem, Scenario};
use crate::text::{self, count};
use crate::tui::Planned;

/// The most routers for which a similar name is searched in the plan.
const SEARCHED: usize = 100;
/// The most differences that are remarks on a scenario.
const LISTED: usize = 20;

/// Compares fabrics with a plan, and prints a row for each.
pub(super) fn check(
    plan: &str,
    fabrics: &[String],
    fields: &Fields,
    printing: Printing,
) -> Result<(), Failure> {
    let plan = Side::open(plan, fields)?;
    let proven = OnceCell::new();
    let (mut differs, mut cyclic, mut unproven) = (false, false, false);
    let mut problems = Vec::new();
    let mut printed = 0;
    for name in fabrics {
        let fabric = match Side::open(name, fields) {
            Ok(fabric) => fabric,
            Err(found) => {
                problems.push(scenario::render(&found));
                continue;
            }
        };
        let comparison = match compare([name, &plan.name], [&fabric.inventory, &plan.inventory]) {
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
            [check.as_ref(), proven.get_or_init(|| plan.check(printing.quiet)).as_ref()],
        );
        differs |= !row.agrees;
        cyclic |= check.as_ref().is_some_and(|check| check.cycle.is_some());
        unproven |= check.is_some_and(|check| check.deadlock_free != Some(true));
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
    } else if unproven {
        Err(Failure::Unproven)
    } else {
        Ok(())
    }
}

/// A network that is compared.
struct Side {
    name: String,
    inventory: Inventory,
    remarks: Vec<String>,
    /// The scenario; `None` if some router has no path to another.
    scenario: Option<Scenario>,
}

impl Side {
    /// Opens a network file or a scenario. The routers of a file may be without paths to others.
    fn open(name: &str, fields: &Fields) -> Result<Self, Vec<Problem>> {
        let name = name.to_owned();
        if let Some(draft) = draft(&name)? {
            let inventory = Inventory::of_draft(&draft);
            let scenario = if draft.is_connected() { Some(fields.open(&name)?) } else { None };
            let remarks = scenario.as_ref().map_or(draft.notes, Scenario::remarks);
            return Ok(Self { name, inventory, remarks, scenario });
        }
        let scenario = fields.open(&name)?;
        let inventory = Inventory::of_network(&scenario.system.network);
        Ok(Self { name, inventory, remarks: scenario.remarks(), scenario: Some(scenario) })
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

/// The network of a file, in which some routers may have no path to others; `None` for a scenario.
fn draft(name: &str) -> Result<Option<Draft>, Vec<Problem>> {
    let is_network = Path::new(name).is_file() && files::is_network(name);
    is_network.then(|| files::network_in_parts(name)).transpose()
}

/// True for a network file in which some router has no path to another.
pub(super) fn is_in_parts(name: &str) -> bool {
    draft(name).is_ok_and(|draft| draft.is_some_and(|draft| !draft.is_connected()))
}

/// Compares the network of a scenario, opened by its name, with a plan for the screen, and adds the
/// differences to the remarks on the scenario.
pub(super) fn on_screen(
    (name, scenario): (&str, Arc<Scenario>),
    plan: &str,
) -> Result<(Arc<Scenario>, Planned), Failure> {
    let fabric = match draft(name)? {
        Some(draft) => Inventory::of_draft(&draft),
        None => Inventory::of_network(&scenario.system.network),
    };
    let planned = match draft(plan)? {
        Some(draft) => Inventory::of_draft(&draft),
        None => Inventory::of_network(&files::open(plan, &[])?.system.network),
    };
    let comparison = compare([name, plan], [&fabric, &planned])?;
    let words = |it: &Difference| format!("{}: {}", it.kind().words()[0], it.words());
    let differences = comparison.differences.iter().take(LISTED).map(words);
    let more = comparison.differences.len().saturating_sub(LISTED);
    let more =
        (more > 0).then(|| format!("and {}", count(more, "more difference", "more differences")));
    let notes = differences.chain(more).chain(comparison.notes.iter().cloned());
    let mut scenario = scenario;
    Arc::make_mut(&mut scenario)
        .notes
        .extend(notes.map(|note| format!("compared with {plan}: {note}")));
    let planned = Planned::new(Arc::clone(&scenario), plan, &fabric, &comparison);
    Ok((scenario, planned))
}

/// Compares a fabric with its plan, by their names and contents.
fn compare(
    [name, plan]: [&str; 2],
    [fabric, planned]: [&Inventory; 2],
) -> Result<Comparison, Problem> {
    Comparison::of(planned, fabric).ok_or_else(|| {
        let names = || planned.routers().iter().map(String::as_str);
        let near = fabric.routers().iter().take(SEARCHED).find_map(|router| {
            scenario::nearest(router, names()).map(|near| (router.as_str(), near))
        });
        let alike = near.map_or_else(
            || {
                let first = |it: &Inventory| it.routers().first().cloned().unwrap_or_default();
                format!("the first are `{}` and `{}`", first(fabric), first(planned))
            },
            |(own, near)| format!("`{own}` is most like `{near}`"),
        );
        let what = format!("no router has the same name as in {}: {alike}", text::line(plan));
        let help = "networks are compared by the names of routers: use the same in both".to_owned();
        Problem { source: name.to_owned(), place: None, what, help: Some(help) }
    })
}
