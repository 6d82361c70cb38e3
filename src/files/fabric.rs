//! Scenarios for network files without a scenario: uniform traffic, and a proven routing.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use super::{beginning, network_reader};
use crate::network_files::{has_extension, has_format};
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
/// The load if the capacity is unknown.
const LOAD: f64 = 0.1;
/// Virtual channels of a scenario for a network file, unless every rule needs more.
const VCS: u32 = 4;

/// True if a file contains a network and no scenario, by its extension or its contents, in JSON by its
/// members. A study keeps the scenario of a network file under the name of the file.
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
    is_named || has_format(&text)
}

/// The text of a scenario for a network file, with the given routing or else that of the highest
/// capacity. If the network has mistakes, parsing the text reports them.
pub(super) fn text(name: &str, routing: Option<&str>) -> String {
    let found = match routing {
        Some(rule) => {
            let body = body(name, (rule, VCS), LOAD);
            let parsed = scenario::parse_with(name, &body, &[], &network_reader(name));
            parsed.iter().map(|scenario| ((rule, VCS), capacity(scenario))).collect()
        }
        None => {
            apart(name, &[]).map(|(network, base)| compared(&network, &base)).unwrap_or_default()
        }
    };
    let best =
        found.iter().copied().reduce(|best, other| if other.1 > best.1 { other } else { best });
    let (rule, load) = best.unwrap_or((UNPROVEN, 2.0 * LOAD));
    let mut text =
        format!("// The network of {name}, with uniform traffic at half of its capacity.\n");
    if found.len() > 1 {
        let all: Vec<String> =
            found.iter().map(|((rule, _), load)| format!("{rule} carries {load:.3}")).collect();
        let _ = writeln!(text, "// Proven free of deadlock: {}.", all.join(", "));
    }
    text + &body(name, rule, half(load))
}

/// A rule with its number of virtual channels.
type Rule<'n> = (&'n str, u32);

/// The proven rules with their capacities; for a large network, the first rule that serves it. A rule that
/// needs many virtual channels is chosen only without another. `base` is a scenario of another network.
fn compared(network: &Arc<Network>, base: &Scenario) -> Vec<(Rule<'static>, f64)> {
    let is_large = network.routers() > COMPARED_MAX;
    let most = if is_large { 1 } else { RULES.len() };
    let (mut few, mut many) = (Vec::new(), Vec::new());
    for (name, rule) in RULES {
        let Ok(placement) = rule.on(network) else { continue };
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
        serves.then(|| (rule, capacity(&scenario)))
    };
    let found: Vec<_> = few.into_iter().filter_map(carried).collect();
    if found.is_empty() { many.into_iter().take(most).filter_map(carried).collect() } else { found }
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

fn capacity(scenario: &Scenario) -> f64 {
    scenario.capacity().map_or(2.0 * LOAD, |capacity| {
        capacity.estimate.map_or(capacity.load.0, |estimate| estimate.load.0)
    })
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
