//! Differences of the drawn network from its plan, by router and by link.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::ids::RouterId;
use crate::network_files::comparison::{Comparison, Difference, Ends, Inventory, Kind};
use crate::scenario::Scenario;
use crate::text::count;

/// The differences of a network from its plan.
#[derive(Debug)]
pub struct Planned {
    /// The scenario of the network; another one has no plan.
    scenario: Arc<Scenario>,
    /// The message at the start.
    pub(super) summary: String,
    /// Sentences about each router.
    sentences: BTreeMap<RouterId, Vec<String>>,
    /// Routers between which cables are missing.
    missing: Vec<[RouterId; 2]>,
    /// Links beyond those of the plan, from one router to the other.
    excess: BTreeSet<[RouterId; 2]>,
}

impl Planned {
    /// The differences of a scenario's network from the plan of a name; `fabric` is the contents of the
    /// network.
    pub fn new(
        scenario: Arc<Scenario>,
        plan: &str,
        fabric: &Inventory,
        comparison: &Comparison,
    ) -> Self {
        let names = fabric.routers().iter().map(String::as_str);
        let ids: BTreeMap<&str, RouterId> = names.zip((0..).map(RouterId)).collect();
        let routers = fabric.routers().len().min(scenario.system.network.routers());
        let id = |name: &str| ids.get(name).copied().filter(|id| id.index() < routers);
        let mut planned = Self {
            scenario,
            summary: summary(plan, comparison),
            sentences: BTreeMap::new(),
            missing: Vec::new(),
            excess: BTreeSet::new(),
        };
        for difference in &comparison.differences {
            let places = Places::of(difference);
            let sentence = format!("{}: {}", difference.kind().words()[0], difference.words());
            let routers: BTreeSet<RouterId> =
                places.routers.iter().filter_map(|&it| id(it)).collect();
            for router in routers {
                planned.sentences.entry(router).or_default().push(sentence.clone());
            }
            let ends = |[from, to]: [&str; 2]| Some([id(from)?, id(to)?]);
            planned.missing.extend(places.missing.into_iter().filter_map(ends));
            let excess = places.excess.into_iter().filter_map(ends);
            planned.excess.extend(excess.flat_map(|[from, to]| [[from, to], [to, from]]));
        }
        planned
    }

    /// True for the scenario that was compared.
    pub(super) fn is_of(&self, scenario: &Arc<Scenario>) -> bool {
        Arc::ptr_eq(&self.scenario, scenario)
    }

    /// Sentences about a router.
    pub(super) fn sentences(&self, router: RouterId) -> &[String] {
        self.sentences.get(&router).map_or(&[], Vec::as_slice)
    }

    /// Routers between which cables are missing.
    pub(super) fn missing(&self) -> &[[RouterId; 2]] {
        &self.missing
    }

    /// True for links beyond those of the plan.
    pub(super) fn is_excess(&self, from: RouterId, to: RouterId) -> bool {
        self.excess.contains(&[from, to])
    }

    /// True if some link is beyond those of the plan.
    pub(super) fn has_excess(&self) -> bool {
        !self.excess.is_empty()
    }
}

/// The numbers of all differences, in a sentence.
fn summary(plan: &str, comparison: &Comparison) -> String {
    let words = |(kind, number): (Kind, usize)| {
        let [one, many] = kind.words();
        count(number, one, many)
    };
    let counts: Vec<String> = comparison.counts().map(words).collect();
    if counts.is_empty() {
        return format!("as planned in {plan}");
    }
    let all = count(comparison.differences.len(), "difference", "differences");
    format!("{all} from {plan}: {}", counts.join(", "))
}

/// The routers and links of a difference.
#[derive(Default)]
struct Places<'d> {
    routers: Vec<&'d str>,
    missing: Vec<[&'d str; 2]>,
    excess: Vec<[&'d str; 2]>,
}

impl<'d> Places<'d> {
    fn of(difference: &'d Difference) -> Self {
        let pair = |ends: &'d Ends| [ends.from.as_str(), ends.to.as_str()];
        let none = Self::default();
        match difference {
            Difference::ReplacedRouter { planned: _, found: name }
            | Difference::MissingRouter { name, .. }
            | Difference::UnplannedRouter { name, .. }
            | Difference::MissingHost { name: _, router: name }
            | Difference::UnplannedHost { name: _, router: name }
            | Difference::HostNumber { router: name, .. } => Self { routers: vec![name], ..none },
            Difference::MovedHost { name: _, planned, found } => {
                Self { routers: vec![planned, found], ..none }
            }
            Difference::Miswired { router, planned, found, .. } => Self {
                routers: vec![router, planned, found],
                missing: vec![[router, planned]],
                excess: vec![[router, found]],
            },
            Difference::Crossed { planned, found, .. } => Self {
                routers: planned.iter().flat_map(pair).collect(),
                missing: planned.iter().map(pair).collect(),
                excess: found.iter().map(pair).collect(),
            },
            Difference::Links { ends, planned, found } if found < planned => {
                Self { routers: pair(ends).to_vec(), missing: vec![pair(ends)], ..none }
            }
            Difference::Links { ends, .. } => {
                Self { routers: pair(ends).to_vec(), excess: vec![pair(ends)], ..none }
            }
            Difference::LinkPace { ends, .. } => Self { routers: pair(ends).to_vec(), ..none },
        }
    }
}
