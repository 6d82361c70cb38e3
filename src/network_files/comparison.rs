//! Comparison of a fabric with its plan: what is missing, duplicated or joined to another router.
//!
//! Routers and hosts are those of the same name. A router of another name replaces a missing one if both
//! have the same cables, and no other router has.

mod difference;
mod hosts;
mod inventory;
mod links;
mod reach;
mod routers;

use hosts::Hosts;
use links::Both;
use routers::{Presence, Routers};

pub use difference::{Difference, Ends, Kind};
pub use inventory::{Inventory, Pace};
pub use reach::Pairs;

/// The differences between a fabric and its plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// All differences by kind, in the order of the plan.
    pub differences: Vec<Difference>,
    /// Limits of the comparison, in sentences.
    pub notes: Vec<String>,
}

impl Comparison {
    /// Compares a fabric with its plan; `None` if no router has the same name in both.
    pub fn of(plan: &Inventory, fabric: &Inventory) -> Option<Self> {
        let (mut plan, mut fabric) = (plan.clone(), fabric.clone());
        let mut notes = Vec::new();
        let delays = [&plan, &fabric].map(Inventory::has_delays);
        if delays[0] != delays[1] {
            let without = if delays[0] { "fabric" } else { "plan" };
            notes.push(format!("delays are not compared: no link of the {without} has one"));
            (plan, fabric) = (plan.without_delays(), fabric.without_delays());
        }
        let mut routers = Routers::of(&plan, &fabric);
        if !routers.presence.contains(&Presence::Both) {
            return None;
        }
        let links = routers.links(&fabric);
        let mut differences = routers.replace(&plan.links, &links);
        let found = &routers.links(&fabric);
        let hosts = Hosts::compare(&plan, &fabric, &routers);
        differences.extend(routers.differences(&plan.links, found, &hosts.of_others));
        differences.extend(hosts.differences);
        notes.extend(hosts.note);
        let both = Both { routers: &routers, planned: &plan.links, found };
        differences.extend(both.differences());
        differences.sort_by_key(Difference::kind);
        Some(Self { differences, notes })
    }

    /// The number of differences of each kind that is present.
    pub fn counts(&self) -> impl Iterator<Item = (Kind, usize)> {
        let number = |kind| self.differences.iter().filter(|it| it.kind() == kind).count();
        Kind::ALL.into_iter().map(move |kind| (kind, number(kind))).filter(|it| it.1 > 0)
    }
}

#[cfg(test)]
mod tests;
