//! The field `routing`: the rule, whether it is defined on the network, and how it decides between
//! ways equally long.

use super::network::Plan;
use super::node::Node;
use super::reader::{Fields, Reader};
use crate::ids::RouterId;
use crate::routing::source_routes::{HOPS_MAX, ROUTERS_MAX};
use crate::routing::{self, CLASSES_MAX, Field, HalfWay, Paths, Routing, Ties};

/// The field `routing` as read.
#[derive(Clone, Copy)]
pub(super) struct Rule<'a> {
    pub routing: Routing,
    pub half_way: HalfWay,
    /// Where classes or an escape are given.
    pub classes: Option<Node<'a>>,
}

/// The fields of a rule in a scenario.
struct Given<'r, 'a> {
    reader: &'r mut Reader<'a>,
    fields: Option<Fields<'a>>,
    /// The number of the last router, where it is known.
    last: u32,
}

impl<'a> Given<'_, 'a> {
    fn value(&self, field: &str) -> Option<Node<'a>> {
        Some(self.fields.as_ref()?.get(field)?.value)
    }
}

impl routing::Fields for Given<'_, '_> {
    fn word(&mut self, field: &str, words: &[&'static str]) -> Option<usize> {
        let Some(value) = self.value(field) else { return Some(0) };
        let word = self.reader.word(&format!("routing.{field}"), value, words)?;
        words.iter().position(|known| *known == word)
    }

    fn router(&mut self, field: &str) -> Option<RouterId> {
        let Some(value) = self.value(field) else { return Some(RouterId(0)) };
        let what = format!("the {field}, the number of a switch,");
        self.reader.small(value, &what, 0..=self.last).map(RouterId)
    }
}

pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
) -> Option<Rule<'a>> {
    let names: Vec<&'static str> = Routing::ALGORITHMS.iter().map(|entry| entry.name).collect();
    let choice = reader.choice("routing", node, &names)?;
    let entry = Routing::ALGORITHMS.iter().find(|entry| entry.name == choice.is)?;
    let mut allowed = entry.fields.to_vec();
    if entry.ties != Ties::Never {
        allowed.push("half_way");
    }
    let fields = if allowed.is_empty() {
        reader.no_contents(choice);
        None
    } else {
        Some(reader.choice_fields("routing", choice, &allowed))
    };
    let last = network.map_or(u32::MAX, |network| (network.routers() - 1) as u32);
    let mut given = Given { reader, fields, last };
    let routing = (entry.read)(&mut given);
    let routing = routing.filter(|routing| !refused(&mut given, *routing, network));
    let half_way = HalfWay::read("half_way", &mut given);
    let (routing, half_way) = (routing?, half_way?);
    let classes = given.value("classes").or(given.value("escape"));
    if let (HalfWay::Adaptive, Some(value)) = (half_way, given.value("half_way"))
        && entry.ties != Ties::Choosable
    {
        let what = format!(
            "`Adaptive` offers both ways round to a head, and this routing ({}) settles the way \
             before the first hop",
            routing.name()
        );
        reader.problem(value, what, Some("write `Random` or `Positive`".into()));
        return None;
    }
    let (what, help) = match misfit(routing, network?) {
        Ok(()) => return Some(Rule { routing, half_way, classes }),
        Err(found) => found,
    };
    reader.problem(choice.name, what, Some(help.into()));
    None
}

/// Notes a field that is not to be had on the network.
fn refused(given: &mut Given<'_, '_>, routing: Routing, network: Option<&Plan<'_>>) -> bool {
    let family = network.and_then(Plan::grid).map(|(family, _)| family);
    let Some((field, why)) = family.and_then(|family| routing.refused_on(family)) else {
        return false;
    };
    let value = given.value(field);
    if let Some(value) = value {
        given.reader.problem(value, why.what, Some(why.help.into()));
    }
    value.is_some()
}

/// Whether a rule is defined on the network, needs no more classes than there may be VCs, and has no
/// more routes than can be listed; otherwise what is wrong, and what to write instead.
fn misfit(routing: Routing, network: &Plan<'_>) -> Result<(), (String, &'static str)> {
    let name = routing.name();
    if let Some((family, radix)) = network.grid() {
        routing.defined_on(family, radix).map_err(|why| (why.what, why.help))?;
        let need = routing.virtual_channels_needed(family, radix);
        if need.needed > CLASSES_MAX as u32 {
            let what = format!(
                "this routing ({name}) needs {} virtual channels on this {}, and a channel has at \
                 most {CLASSES_MAX}: {}",
                need.needed,
                network.name(),
                need.why
            );
            return Err((what, "make the network smaller, or write `MinimalAdaptive`"));
        }
    } else if !routing.follows_routes() {
        let what =
            format!("this routing ({name}) goes by coordinates, and these switches have none");
        return Err((what, "write `UpDown()`, or make the network a `SwitchGrid`"));
    }
    let Some(search) = routing.search() else { return Ok(()) };
    if network.routers() > ROUTERS_MAX as u64 {
        let what = format!(
            "{name} lists its ways, for {ROUTERS_MAX} routers at most, and this {} has {}",
            network.name(),
            network.routers()
        );
        return Err((what, "make the network smaller"));
    }
    if search.routes(&network.build()).is_some() {
        return Ok(());
    }
    let what = format!(
        "the shortest ways of {name} have more than {HOPS_MAX} hops in all, the most that are listed"
    );
    let help = match search.paths {
        Paths::First => "make the network smaller",
        Paths::Split | Paths::Host => "write `paths: First`, or make the network smaller",
    };
    Err((what, help))
}
