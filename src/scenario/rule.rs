//! The field `routing`: the rule, its compatibility with the network, and the choice between paths
//! of equal length.

use super::checked::Checked;
use super::node::Node;
use super::order;
use super::plan::Plan;
use super::reader::Reader;
use super::route_table;
use crate::routing::algorithms::INNER;
use crate::routing::roots::HOSTS;
use crate::routing::{CLASSES_MAX, HalfWay, Placement, Routing};
use crate::topology::Network;
use crate::words::{self, Misfit, Words};

#[derive(Clone)]
pub(super) struct Rule<'a> {
    pub placement: Placement,
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
    if let Some(given) = &mut given {
        own_fields(reader, given, network);
    }
    let half_way = given.as_mut().and_then(|given| given.take("half_way"));
    let routing: Routing = match &given {
        Some(given) if given.fields.get("routes").is_some() => {
            let routes = given.fields.get("routes")?.value;
            Routing::Table { routes: route_table::read(reader, routes, network)? }
        }
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
        None if value(given.as_ref(), "half_way").is_some() => return None,
        // Rules without this choice ignore the value.
        None => HalfWay::Random,
    };
    let classes = value(given.as_ref(), "classes").or(value(given.as_ref(), "escape"));
    if let (HalfWay::Adaptive, Some(value)) = (half_way, value(given.as_ref(), "half_way"))
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
    match routing.on(network).and_then(|placement| fits(placement, network)) {
        Ok(placement) => Some(Rule { placement, half_way, classes }),
        Err(why) => reader.misfit(choice.name, fields, why),
    }
}

/// The value of a given field.
fn value<'a>(given: Option<&Checked<'a>>, name: &str) -> Option<Node<'a>> {
    Some(given?.fields.get(name)?.value)
}

/// Reads the fields with parsers of their own.
fn own_fields<'a>(reader: &mut Reader<'a>, given: &mut Checked<'a>, network: Option<&Plan<'a>>) {
    roots(reader, given, network);
    if let Some(order) = given.fields.get("order") {
        let dimensions = network.and_then(|network| Some(network.grid()?.dimensions()));
        let order = order::read(reader, order.value, dimensions);
        given.fill("order", order.map(|order| words::written(&order)));
    }
    if let Some(of) = given.fields.get("of") {
        let inner = inner(reader, of.value, network);
        given.fill("of", inner);
    }
}

/// Reads the rule within another, and returns its text with all defaults.
fn inner<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
) -> Option<String> {
    let (choice, contents) = reader.pick("routing.of", node, &[INNER])?;
    let mut given = reader.contents("routing.of", choice, contents);
    if let Some(given) = &mut given {
        own_fields(reader, given, network);
    }
    let rule: Routing = match given {
        Some(given) => given.variant(choice.is)?,
        None => words::value(choice.is)?,
    };
    Some(words::written(&rule))
}

/// Reads the roots of up*/down* routes: a list, `Hosts`, or a single `root`.
fn roots<'a>(reader: &mut Reader<'a>, given: &mut Checked<'a>, network: Option<&Plan<'a>>) {
    let last = network.map_or(u32::MAX, |network| (network.routers() - 1) as u32);
    let name = "the root, the number of a switch,";
    let [root, roots] = ["root", "roots"].map(|name| given.fields.get(name).map(|it| it.value));
    if let (Some(root), Some(_)) = (root, roots) {
        let what = "`root` is given beside `roots`";
        let wrong: Option<()> = reader.refuse(root, what, "write `roots` alone");
        debug_assert!(wrong.is_none());
        given.fill("roots", None);
        return;
    }
    if let Some(root) = root {
        let root = reader.small(root, name, 0..=last);
        given.replace("roots", root.map(|root| format!("[{root}]")));
    }
    let Some(roots) = roots else { return };
    if roots.text == HOSTS {
        return given.fill("roots", Some(HOSTS.into()));
    }
    let help = "write a list of switches, such as `[0, 1]`, or `Hosts`";
    let entries = reader.list(roots, "roots", help).filter(|entries| !entries.is_empty());
    let listed =
        entries.and_then(|all| reader.each(&all, |reader, one| reader.small(one, name, 0..=last)));
    given.fill("roots", listed.map(|listed| words::written(&listed)));
}

/// Checks that a rule compatible with the network needs no more classes than the maximal number of
/// VCs. Otherwise returns the mistake and its correction.
fn fits(placement: Placement, network: &Network) -> Result<Placement, Misfit> {
    let needs = &placement.needs;
    if needs.needed <= CLASSES_MAX as u32 {
        return Ok(placement);
    }
    let what = format!(
        "this routing ({}) needs {} virtual channels on {}, and a channel has at most \
         {CLASSES_MAX}: {}",
        placement.routing.name(),
        needs.needed,
        network.pointed_at(),
        needs.why
    );
    Misfit::because(what, "make the network smaller, or write `MinimalAdaptive`")
}
