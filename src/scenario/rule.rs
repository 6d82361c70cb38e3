//! The field `routing`: the rule, its compatibility with the network, and the choice between paths
//! of equal length.

use super::checked::Checked;
use super::node::Node;
use super::order;
use super::plan::Plan;
use super::reader::Reader;
use crate::routing::source_routes::{HOPS_MAX, ROUTERS_MAX};
use crate::routing::{CLASSES_MAX, HalfWay, Needs, Paths, Routing};
use crate::topology::Network;
use crate::words::{self, Misfit, Words};

#[derive(Clone)]
pub(super) struct Rule<'a> {
    pub routing: Routing,
    pub half_way: HalfWay,
    /// The given field `classes` or `escape`.
    pub classes: Option<Node<'a>>,
}

pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
) -> Option<Rule<'a>> {
    let (choice, contents) = reader.pick("routing", node, &[Routing::VALUES])?;
    let mut given = reader.contents("routing", choice, contents);
    let value =
        |given: &Option<Checked<'a>>, name: &str| Some(given.as_ref()?.fields.get(name)?.value);
    if let (Some(root), Some(given)) = (value(&given, "root"), &mut given) {
        let last = network.map_or(u32::MAX, |network| (network.routers() - 1) as u32);
        let root = reader.small(root, "the root, the number of a switch,", 0..=last);
        given.fill("root", root.map(|root| root.to_string()));
    }
    if let (Some(order), Some(given)) = (value(&given, "order"), &mut given) {
        let dimensions = network.and_then(|network| Some(network.grid()?.dimensions()));
        let order = order::read(reader, order, dimensions);
        given.fill("order", order.map(|order| words::written(&order)));
    }
    let half_way = given.as_mut().and_then(|given| given.take("half_way"));
    let routing: Routing = match &given {
        Some(given) => given.variant(choice.is)?,
        None => words::value(choice.is)?,
    };
    let fields = given.as_ref().map(|given| &given.fields);
    // An omitted field has its default, never refused.
    if let Some(Err(why)) = network.map(|network| routing.refused_on(network)) {
        return reader.misfit(choice.name, fields, why);
    }
    let half_way = match half_way {
        Some(half_way) => half_way,
        None if value(&given, "half_way").is_some() => return None,
        // Rules without this choice ignore the value.
        None => HalfWay::Random,
    };
    let classes = value(&given, "classes").or(value(&given, "escape"));
    if let (HalfWay::Adaptive, Some(value)) = (half_way, value(&given, "half_way"))
        && !routing.may_choose_ways()
    {
        let what = format!(
            "`Adaptive` offers both ways round to a head, but this routing ({}) chooses the way \
             before the first hop",
            routing.name()
        );
        return reader.refuse(value, what, "write `Random` or `Positive`");
    }
    let network = network?;
    match routing.serves(network).and_then(|needs| fits(&routing, &needs, network)) {
        Ok(()) => Some(Rule { routing, half_way, classes }),
        Err(why) => reader.misfit(choice.name, None, why),
    }
}

/// Checks that a rule compatible with the network needs no more classes than the maximal number of
/// VCs, and that its routes are few enough for a list. Otherwise returns the mistake and its
/// correction.
fn fits(routing: &Routing, needs: &Needs, network: &Network) -> Result<(), Misfit> {
    let name = routing.name();
    if needs.needed > CLASSES_MAX as u32 {
        let what = format!(
            "this routing ({name}) needs {} virtual channels on this {}, and a channel has at most \
             {CLASSES_MAX}: {}",
            needs.needed,
            network.name(),
            needs.why
        );
        let help = "make the network smaller, or write `MinimalAdaptive`";
        return Misfit::because(what, help);
    }
    let Some(search) = routing.search() else { return Ok(()) };
    if network.routers() > ROUTERS_MAX {
        let what = format!(
            "{name} lists its routes, for at most {ROUTERS_MAX} routers, and this {} has {}",
            network.name(),
            network.routers()
        );
        return Misfit::because(what, "make the network smaller");
    }
    if search.routes(network).is_some() {
        return Ok(());
    }
    let what = format!(
        "the shortest routes of {name} have more than {HOPS_MAX} hops in total, the maximum for a list"
    );
    let help = match search.paths {
        Paths::First => "make the network smaller",
        Paths::Split | Paths::Host => "write `paths: First`, or make the network smaller",
    };
    Misfit::because(what, help)
}
