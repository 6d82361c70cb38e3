//! Differences of hosts: missing, unplanned, at another router.

use std::collections::BTreeMap;

use super::difference::Difference;
use super::inventory::{HostNames, Inventory};
use super::routers::Routers;

/// The hosts of a fabric and its plan.
pub(super) struct Hosts<'n> {
    plan: &'n Inventory,
    fabric: &'n Inventory,
    routers: &'n Routers,
    pub differences: Vec<Difference>,
    /// Hosts that are missing or unplanned as their routers are, by router.
    pub of_others: Vec<u32>,
    /// A limit of the comparison, in a sentence.
    pub note: Option<String>,
}

impl<'n> Hosts<'n> {
    pub fn compare(plan: &'n Inventory, fabric: &'n Inventory, routers: &'n Routers) -> Self {
        let of_others = vec![0; routers.names.len()];
        let mut hosts =
            Self { plan, fabric, routers, differences: Vec::new(), of_others, note: None };
        let names = [plan.host_names, fabric.host_names];
        if let Some(at) = names.iter().position(|&it| it == HostNames::Absent) {
            let without = ["plan", "fabric"][at];
            hosts.note = Some(format!("hosts are not compared: the {without} has none"));
        } else if names != [HostNames::Given; 2] {
            hosts.by_number();
        } else if !hosts.by_name() {
            let why = "no host has the same name in both";
            hosts.note = Some(format!("hosts are compared by their number at each router: {why}"));
            hosts.by_number();
        }
        hosts
    }

    fn by_number(&mut self) {
        let mut numbers = vec![[0_u32; 2]; self.routers.names.len()];
        for host in &self.plan.hosts {
            numbers[host.router][0] += 1;
        }
        for host in &self.fabric.hosts {
            numbers[self.routers.found[host.router]][1] += 1;
        }
        for (at, [planned, found]) in numbers.into_iter().enumerate() {
            let router = self.routers.names[at].clone();
            if !self.routers.is_common(at) {
                self.of_others[at] = planned + found;
            } else if planned != found {
                self.differences.push(Difference::HostNumber { router, planned, found });
            }
        }
    }

    /// Compares hosts by their names; returns false if no name is in both networks.
    fn by_name(&mut self) -> bool {
        let Self { plan, fabric, routers, .. } = *self;
        let at = |router: usize| routers.names[router].clone();
        let planned: BTreeMap<&str, usize> =
            plan.hosts.iter().map(|host| (host.name.as_str(), host.router)).collect();
        let found = fabric.hosts.iter();
        let found: BTreeMap<&str, usize> =
            found.map(|host| (host.name.as_str(), routers.found[host.router])).collect();
        if !planned.keys().any(|name| found.contains_key(name)) {
            return false;
        }
        for host in &plan.hosts {
            let (name, planned) = (host.name.clone(), host.router);
            match found.get(host.name.as_str()) {
                Some(&found) if found == planned => {}
                Some(&found) => {
                    let (planned, found) = (at(planned), at(found));
                    self.differences.push(Difference::MovedHost { name, planned, found });
                }
                None if routers.is_common(planned) => {
                    let router = at(planned);
                    self.differences.push(Difference::MissingHost { name, router });
                }
                None => self.of_others[planned] += 1,
            }
        }
        for host in fabric.hosts.iter().filter(|host| !planned.contains_key(host.name.as_str())) {
            let (name, found) = (host.name.clone(), routers.found[host.router]);
            if routers.is_common(found) {
                let router = at(found);
                self.differences.push(Difference::UnplannedHost { name, router });
            } else {
                self.of_others[found] += 1;
            }
        }
        true
    }
}
