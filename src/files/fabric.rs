//! Scenarios for network files without a scenario: uniform traffic, and a proven routing.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use super::{beginning, network_reader};
use crate::capacity::Capacity;
use crate::network_files::{has_extension, has_format, is_unread};
use crate::routing::dependency::Verdict;
use crate::routing::{Distance, Layers, Paths, Placement, Rising, Roots, Routing, UpLinks};
use crate::scenario::{self, Override, Problem, Scenario};
use crate::switching::VIRTUAL_CHANNELS_MAX;
use crate::topology::Network;
use crate::words::written;

/// Routing rules for any network, those that need no proof by enumeration first.
pub(super) const RULES: &[(&str, Routing)] = &[
    ("NearestCommonAncestor()", Routing::NearestCommonAncestor { up: UpLinks::Free }),
    ("Hierarchical", Routing::Hierarchical),
    ("Layered(layers: 4)", Routing::Layered { layers: Layers(4) }),
    ("Minimal()", Routing::Minimal { classes: Rising::Hops }),
    ("UpDown(roots: Hosts)", Routing::UpDown { roots: Roots::Hosts, paths: Paths::Split }),
    ("ShortestPath()", Routing::ShortestPath { paths: Paths::Split, by: Distance::Hops }),
];
/// The rule that reports its reasons if no rule serves a network.
const UNPROVEN: (&str, u32) = ("Minimal()", VIRTUAL_CHANNELS_MAX);
/// Maximum number of routers for which all rules are compared.
const COMPARED_MAX: usize = 256;
/// The beginning of the line that names the routing.
const ROUTING: &str = "// Routing: ";
/// The load if the capacity is unknown.
const LOAD: f64 = 0.1;
/// Virtual channels of a scenario for a network file, unless every rule needs more.
const VCS: u32 = 4;

/// True if a file contains a network and no scenario, by its extension or its contents, in JSON by its
/// members; the network may be in a format that is not read. Studies of earlier versions keep the scenario
/// of a network file under the name of the file.
pub fn is_network(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_lowercase();
    let text = beginning(name, 1 << 16);
    if extension == "ron" || ["//", "Scenario("].iter().any(|word| text.starts_with(word)) {
        return false;
    }
    let is_named = has_extension(&extension);
    if extension == "json" || !is_named && text.trim_start().starts_with('{') {
        // Scenarios, studies and sessions in JSON may have hot nodes.
        let has = |name: &str| text.contains(&format!("\"{name}\""));
        return has("nodes") && !has("traffic") && !has("scenario");
    }
    is_named || has_format(&text) || is_unread(&extension, &text)
}

/// The text of a scenario for a network file, with the given routing or else that of the highest
/// capacity. If the network has mistakes, parsing the text reports them.
pub(super) fn text(name: &str, routing: Option<&str>) -> String {
    let (found, unserved) = match routing {
        Some(rule) => {
            let body = body(name, (rule, VCS), LOAD);
            let parsed = scenario::parse_with(name, &body, &[], &network_reader(name));
            let found = parsed.iter().map(|scenario| Carried::of((rule, VCS), scenario));
            (found.collect(), Vec::new())
        }
        None => {
            apart(name, &[]).map(|(network, base)| compared(&network, &base)).unwrap_or_default()
        }
    };
    let best = found
        .iter()
        .copied()
        .reduce(|best, other| if other.load > best.load { other } else { best });
    let (rule, load) = best.map_or((UNPROVEN, 2.0 * LOAD), |best| (best.rule, best.load));
    let mut text =
        format!("// The network of {name}, with uniform traffic at half of its capacity.\n");
    if found.len() > 1 {
        let all: Vec<String> = found.iter().map(Carried::in_words).collect();
        let _ = writeln!(text, "// Proven free of deadlock: {}.", all.join(", "));
    }
    if best.is_some() && routing.is_none() {
        let why = if found.len() > 1 { ", which carries the most" } else { "" };
        let _ = write!(text, "{ROUTING}{}{why}.", rule.0);
        if !unserved.is_empty() {
            let serve = if unserved.len() == 1 { "does not serve" } else { "do not serve" };
            let _ = write!(text, " {} {serve} this network.", unserved.join(" and "));
        }
        text.push('\n');
    }
    text + &body(name, rule, half(load))
}

/// The remark on the routing that was chosen for a network file, from the text of its scenario.
pub(super) fn remark(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix(ROUTING))?;
    Some(format!("the routing is {line}"))
}

/// A rule with its number of virtual channels.
type Rule<'n> = (&'n str, u32);

/// The load that a network carries with a rule.
#[derive(Clone, Copy, Debug)]
struct Carried<'n> {
    rule: Rule<'n>,
    load: f64,
    /// True for an estimate by even choices of heads, false for a bound.
    is_even: bool,
}

impl<'n> Carried<'n> {
    /// The bound for fixed routes. Where heads choose, a bound holds for any choice, and even choices of
    /// channels, with the classes of VCs that the rule uses, are a fair comparison.
    fn of(rule: Rule<'n>, scenario: &Scenario) -> Self {
        let Some(capacity) = scenario.capacity() else {
            return Self { rule, load: 2.0 * LOAD, is_even: false };
        };
        let bound = capacity.load.0;
        match capacity.estimate {
            None => Self { rule, load: bound, is_even: false },
            Some(estimate) => {
                let even = Capacity::even_by_class(&scenario.system);
                let load = even.map_or(estimate.load.0, |even| even.0.min(estimate.load.0));
                Self { rule, load, is_even: true }
            }
        }
    }

    fn in_words(&self) -> String {
        let (rule, load) = (self.rule.0, self.load);
        if self.is_even {
            format!("{rule} carries about {load:.3} if heads choose evenly")
        } else {
            format!("{rule} carries at most {load:.3}")
        }
    }
}

/// The proven rules with their capacities, and the rules for trees and groups that do not serve the network;
/// for a large network, the first rule that serves it. A rule that
/// needs many virtual channels is chosen only without another. `base` is a scenario of another network.
fn compared(network: &Arc<Network>, base: &Scenario) -> (Vec<Carried<'static>>, Vec<&'static str>) {
    let is_large = network.routers() > COMPARED_MAX;
    let most = if is_large { 1 } else { RULES.len() };
    let (mut few, mut many, mut unserved) = (Vec::new(), Vec::new(), Vec::new());
    for (name, rule) in RULES {
        let Ok(placement) = rule.on(network) else {
            if matches!(rule, Routing::NearestCommonAncestor { .. } | Routing::Hierarchical) {
                unserved.push(*name);
            }
            continue;
        };
        let needed = placement.needs.needed;
        if needed <= VCS {
            few.push((*name, placement));
        } else if needed <= VIRTUAL_CHANNELS_MAX {
            many.push((*name, placement));
        }
        if few.len() == most {
            break;
        }
    }
    let carried = |(name, placement): (&'static str, Placement)| {
        let rule = (name, placement.needs.needed.max(VCS));
        let scenario = base.clone().on_network(Arc::clone(network), placement);
        let serves = is_large || matches!(scenario.system.proof().verdict, Verdict::Free { .. });
        serves.then(|| Carried::of(rule, &scenario))
    };
    let mut found: Vec<_> = few.into_iter().filter_map(carried).collect();
    if found.is_empty() {
        found = many.into_iter().take(most).filter_map(carried).collect();
    }
    (found, unserved)
}

/// The network of a file, and the scenario of a tiny network in its place, with some fields set.
///
/// # Errors
/// The mistakes of the file or the fields.
pub fn apart(name: &str, overrides: &[Override]) -> Result<(Arc<Network>, Scenario), Vec<Problem>> {
    let draft = super::network(name)?;
    let text = on("Complete(routers: 2, hosts: 1)", name, ("Minimal()", VCS), LOAD);
    let scenario = scenario::parse_with(name, &text, overrides, &network_reader(name))?;
    let network = Arc::new(draft.graph().network());
    Ok((network, Scenario { notes: draft.notes, ..scenario }))
}

/// Half of a load, with two digits.
fn half(load: f64) -> f64 {
    let digits = 10f64.powf(1.0 - (load / 2.0).log10().floor());
    (load / 2.0 * digits).floor() / digits
}

fn body(name: &str, rule: Rule<'_>, load: f64) -> String {
    on(&format!("File({})", written(&file_of(name))), name, rule, load)
}

/// The name of a file without its folder.
fn file_of(name: &str) -> String {
    Path::new(name).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn on(network: &str, name: &str, (rule, vcs): Rule<'_>, load: f64) -> String {
    format!(
        "Scenario(\n    title: {},\n    network: {network},\n    switching: Wormhole(\n        \
         virtual_channels: {vcs},\n        buffer_flits: 16,\n        terminals: Channels,\n        \
         ejection: OneFlitPerCycle,\n    ),\n    routing: {rule},\n    traffic: (arrivals: \
         Poisson(load: {load}), destinations: Uniform, lengths: Fixed(8)),\n)\n",
        written(&file_of(name))
    )
}
