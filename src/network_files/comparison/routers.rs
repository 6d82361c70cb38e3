//! The routers of a fabric and its plan in one list, and those that are missing, unplanned or replaced.

use std::collections::BTreeMap;

use super::difference::Difference;
use super::inventory::{Bundle, Inventory};

/// Links one way, by the indices of both routers.
pub(super) type Links = BTreeMap<(usize, usize), Bundle>;

/// The networks that have a router.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Presence {
    Both,
    Plan,
    Fabric,
    /// The fabric, where the router has the index of the router that it replaces.
    Replacement,
}

/// The routers of both networks in one list: those of the plan, then the unplanned ones.
pub(super) struct Routers {
    pub names: Vec<String>,
    pub presence: Vec<Presence>,
    /// The index in the list of each router of the fabric.
    pub found: Vec<usize>,
}

impl Routers {
    pub fn of(plan: &Inventory, fabric: &Inventory) -> Self {
        let mut names = plan.routers.clone();
        let mut presence = vec![Presence::Plan; names.len()];
        let known: BTreeMap<&str, usize> =
            (0..).zip(&plan.routers).map(|(at, name)| (name.as_str(), at)).collect();
        let mut found = Vec::new();
        for name in &fabric.routers {
            if let Some(&at) = known.get(name.as_str()) {
                presence[at] = Presence::Both;
                found.push(at);
            } else {
                found.push(names.len());
                names.push(name.clone());
                presence.push(Presence::Fabric);
            }
        }
        Self { names, presence, found }
    }

    /// True for a router of both networks.
    pub fn is_common(&self, at: usize) -> bool {
        self.presence[at] == Presence::Both
    }

    /// The links of the fabric by the indices of the list.
    pub fn links(&self, fabric: &Inventory) -> Links {
        let at = |(from, to): (usize, usize)| (self.found[from], self.found[to]);
        fabric.links.iter().map(|(&ends, bundle)| (at(ends), bundle.clone())).collect()
    }

    /// The numbers of links of each router that is not common, to each common one and back.
    fn cables(&self, links: &Links) -> BTreeMap<usize, BTreeMap<usize, [u32; 2]>> {
        let mut cables = BTreeMap::<_, BTreeMap<_, [u32; 2]>>::new();
        for (&(from, to), bundle) in links {
            for (at, other, way) in [(from, to, 0), (to, from, 1)] {
                if !self.is_common(at) && self.is_common(other) {
                    let ways = cables.entry(at).or_default().entry(other).or_default();
                    ways[way] += bundle.values().sum::<u32>();
                }
            }
        }
        cables
    }

    /// Gives routers of the fabric that replace missing ones the indices of these.
    pub fn replace(&mut self, plan: &Links, fabric: &Links) -> Vec<Difference> {
        let mut alike = BTreeMap::<_, [Vec<usize>; 2]>::new();
        for (side, links) in [plan, fabric].into_iter().enumerate() {
            for (at, cables) in self.cables(links) {
                alike.entry(cables).or_default()[side].push(at);
            }
        }
        let mut replaced = Vec::new();
        for [planned, found] in alike.into_values() {
            if let ([planned], [found]) = (&planned[..], &found[..]) {
                replaced.push((*planned, *found));
            }
        }
        replaced.sort_unstable();
        let mut differences = Vec::new();
        for (planned, found) in replaced {
            self.presence[planned] = Presence::Both;
            self.presence[found] = Presence::Replacement;
            for at in self.found.iter_mut().filter(|at| **at == found) {
                *at = planned;
            }
            let [planned, found] = [planned, found].map(|at| self.names[at].clone());
            differences.push(Difference::ReplacedRouter { planned, found });
        }
        differences
    }

    /// The missing and the unplanned routers, with the numbers of their cables and of `hosts` at each.
    pub fn differences(&self, plan: &Links, fabric: &Links, hosts: &[u32]) -> Vec<Difference> {
        let [planned, found] = [plan, fabric].map(|links| cables(links, self.names.len()));
        let mut differences = Vec::new();
        for (at, presence) in self.presence.iter().enumerate() {
            let (name, hosts) = (self.names[at].clone(), hosts[at]);
            match presence {
                Presence::Both | Presence::Replacement => {}
                Presence::Plan => {
                    let cables = planned[at];
                    differences.push(Difference::MissingRouter { name, cables, hosts });
                }
                Presence::Fabric => {
                    let cables = found[at];
                    differences.push(Difference::UnplannedRouter { name, cables, hosts });
                }
            }
        }
        differences
    }
}

/// The number of cables at each router: of links there and back, the larger number.
fn cables(links: &Links, routers: usize) -> Vec<u32> {
    let number = |ends| links.get(&ends).map_or(0, |bundle: &Bundle| bundle.values().sum::<u32>());
    let mut cables = vec![0; routers];
    for &(from, to) in links.keys() {
        let (there, back) = (number((from, to)), number((to, from)));
        // Of equal numbers, the first counts.
        if there > back || there == back && from < to {
            cables[from] += there;
            cables[to] += there;
        }
    }
    cables
}
