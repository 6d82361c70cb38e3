//! The fields `failures` and `on_failure`: failures of links and routers during a run.

use super::names::{nearest, shown};
use super::node::{Field, Node};
use super::plan::Plan;
use super::reader::Reader;
use crate::ids::RouterId;
use crate::system::failures::{
    Failure, Failures, Flits, OnFailure, Part, RATE_MAX, RandomFailures, UnderWay,
};
use crate::topology::cube::ROUTERS_MAX;
use crate::words::Need::{Default, Open};
use crate::words::{self, Kind, Structure, Words, words};

/// Maximum number of entries.
const ENTRIES_MAX: usize = 1 << 16;
/// Maximum number of cycles in a field.
const CYCLES_MAX: u64 = 1 << 48;

const ROUTER: Kind = Kind::Own(
    "a router",
    Structure::Either(&[
        Kind::whole("the number of a router", 0, ROUTERS_MAX as u32 - 1),
        Kind::Text("the name of a router"),
    ]),
);

const FIELDS: &[words::Field] = words!(@fields
    /// The first cycle of the failure; for a failure of a given link or router.
    cycle = Open, Kind::Whole { called: "the cycle of a failure", limits: (0, CYCLES_MAX) };
    /// The two routers of the link that fails, in both directions, by number or name.
    link = Open, Kind::Own("the two routers of a link", Structure::Tuple(&[ROUTER], (2, 2)));
    /// The router that fails, with all of its links, by number or name.
    router = Open, ROUTER;
    /// The mean number of failures per link and cycle; for failures of random links.
    rate = Open, Kind::positive("the rate of failures", "1e-6", RATE_MAX);
    /// The seed of random failures, independent of the seed of the messages.
    seed = Default("1"), Kind::Whole { called: "the seed of failures", limits: (0, u64::MAX) };
    /// Cycles until the link or router works again; by default, the failure lasts for the rest of the run.
    lasts = Open, Kind::Whole { called: "the cycles of a failure", limits: (1, CYCLES_MAX) };
);

/// The kind of the field `failures`.
pub(super) const KIND: Kind = Kind::Own(
    "failures of links and routers",
    Structure::List(&Kind::Fields(&[FIELDS]), (1, ENTRIES_MAX)),
);

const CONSEQUENCES: &[words::Field] = words!(@fields
    /// The fate of messages on a link that fails.
    flits = Default("Lose"), Kind::Choice(&[Flits::VALUES]);
    /// Cycles for which the old routes remain in use, with rules that find routes around failures.
    reroute_after = Default("0"),
        Kind::Whole { called: "the time until new routes in cycles", limits: (0, CYCLES_MAX) };
    /// The fate of messages in the network when routes change.
    under_way = Default("Continue"), Kind::Choice(&[UnderWay::VALUES]);
);

/// The kind of the field `on_failure`.
pub(super) const ON_FAILURE: Kind = Kind::Fields(&[CONSEQUENCES]);

const HELP: &str = "write `[(cycle: 5000, link: (0, 1))]` or `[(rate: 1e-6, lasts: 5000)]`";

/// Reads both fields.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    owner: Node<'a>,
    [list, consequences]: [Option<Field<'a>>; 2],
    network: Option<&Plan<'a>>,
) -> Option<Failures> {
    let consequences = match consequences {
        Some(field) => on_failure(reader, field.value)?,
        None if reader.is_set_below("on_failure") => {
            let empty = reader.default_value(owner, "()");
            on_failure(reader, empty)?
        }
        None => OnFailure::default(),
    };
    let mut failures = Failures { consequences, ..Failures::default() };
    let Some(list) = list else { return Some(failures) };
    let parts = reader.list(list.value, "the failures", HELP)?;
    let mut is_fine = true;
    for part in parts {
        match entry(reader, part, network) {
            None => is_fine = false,
            Some(Entry::Given(failure))
                if failures.given.iter().any(|it| are_same(it, &failure)) =>
            {
                let what = "the same part fails twice in this cycle";
                reader.problem(part, what, Some("remove one of the two failures".into()));
                is_fine = false;
            }
            Some(Entry::Given(failure)) => failures.given.push(failure),
            Some(Entry::Random(random)) if failures.random.is_none() => {
                failures.random = Some(random);
            }
            Some(Entry::Random(_)) => {
                let what = "only one entry may be random, and this is the second";
                reader.problem(part, what, Some("add the rates of both".into()));
                is_fine = false;
            }
        }
    }
    is_fine.then_some(failures)
}

fn on_failure<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<OnFailure> {
    let given =
        reader.record("on_failure", "the reaction to a failure", node, "", CONSEQUENCES, &[]);
    Some(OnFailure {
        flits: given.get("flits")?,
        reroute_after: given.get("reroute_after")?,
        under_way: given.get("under_way")?,
    })
}

/// An entry of the list.
enum Entry {
    Given(Failure),
    Random(RandomFailures),
}

fn entry<'a>(reader: &mut Reader<'a>, node: Node<'a>, network: Option<&Plan<'a>>) -> Option<Entry> {
    let given = reader.record("failures", "a failure", node, "", FIELDS, &["link", "router"]);
    let fields = &given.fields;
    let lasts = match fields.get("lasts") {
        Some(_) => Some(given.given("lasts")?),
        None => None,
    };
    let random = fields.get("rate").is_some();
    let others: &[&str] = if random { &["cycle", "link", "router"] } else { &["seed"] };
    if let Some(field) = others.iter().find_map(|name| fields.get(name)) {
        let what = if random {
            "this field belongs to given failures, and `rate` makes these random"
        } else {
            "this field belongs to random failures, which have a `rate`"
        };
        return reader.refuse(field.key, what, "remove the field");
    }
    if random {
        let (rate, seed) = (given.given("rate")?, given.get("seed")?);
        return Some(Entry::Random(RandomFailures { rate, seed, lasts }));
    }
    let part = match [fields.get("link"), fields.get("router")] {
        [Some(link), None] => link_of(reader, link.value, network?),
        [None, Some(at)] => router(reader, at.value, network?).map(Part::Router),
        [Some(_), Some(at)] => {
            let what = "an entry is the failure of a link or of a router, not of both";
            reader.refuse(at.key, what, "write an entry for each")
        }
        [None, None] => {
            reader.missing(fields, "`link` or `router`", "`link: (0, 1)`");
            None
        }
    };
    if fields.get("cycle").is_none() {
        reader.missing(fields, "`cycle`", "`cycle: 5000`");
    }
    Some(Entry::Given(Failure { cycle: given.given("cycle")?, part: part?, lasts }))
}

/// True if two failures of one part begin in the same cycle.
fn are_same(one: &Failure, other: &Failure) -> bool {
    let ends = |part: Part| match part {
        Part::Link(from, to) => [from.min(to), from.max(to)],
        Part::Router(router) => [router; 2],
    };
    one.cycle == other.cycle && ends(one.part) == ends(other.part)
}

/// Reads the two routers of a link.
fn link_of<'a>(reader: &mut Reader<'a>, node: Node<'a>, network: &Plan<'a>) -> Option<Part> {
    let said = "a link joins two routers, `(0, 1)`";
    let help = "write two routers in parentheses, each by its number or name";
    let ends = reader.pair_of(node, said, help)?;
    let [from, to] = ends.map(|end| router(reader, end, network));
    let part = Part::Link(from?, to?);
    if part.links(network).is_empty() {
        let names = [from?, to?].map(|at| network.router_name(at));
        let near = network.neighbours(from?).map(|at| network.router_name(at));
        let near: Vec<String> = near.take(NEAR_SHOWN).collect();
        let what = format!("no link joins {} and {}", names[0], names[1]);
        let help = format!("links of {} lead to {}", names[0], near.join(", "));
        return reader.refuse(node, what, help);
    }
    Some(part)
}

/// The neighbours named in a message.
const NEAR_SHOWN: usize = 8;

/// Reads a router by its number or name.
fn router<'a>(reader: &mut Reader<'a>, node: Node<'a>, network: &Plan<'a>) -> Option<RouterId> {
    if let Ok(name) = ron::from_str::<String>(node.text) {
        return match network.router_named(&name) {
            Ok(router) => match network.node_named(&name) {
                Ok(host)
                    if name.trim() != network.router_name(router)
                        && name.trim() == network.node_name(host) =>
                {
                    let (host, at) = (name.trim(), network.router_name(router));
                    let what = format!("{host} is a host of the router {at}");
                    reader.refuse(node, what, format!("write `\"{at}\"`"))
                }
                Ok(_) | Err(_) => Some(router),
            },
            Err(why) => {
                let all =
                    || (0..network.routers()).map(|at| network.router_name(RouterId::new(at)));
                let names: Vec<String> = all().collect();
                let near = nearest(&name, names.iter().map(String::as_str));
                if let Some(near) = near {
                    let what = format!("{} names no router", shown(node.text));
                    return reader.refuse(node, what, format!("did you mean `\"{near}\"`?"));
                }
                let what = format!("{} names no router: {why}", shown(node.text));
                reader.refuse(node, what, "write the number of a router, or its name")
            }
        };
    }
    let last = network.routers() as u32 - 1;
    reader.small(node, "the number of a router", 0..=last).map(RouterId)
}

/// The field `failures` of a system, if it has failures, with routers by number.
pub(super) fn written(failures: &Failures) -> String {
    let lasts = |lasts: Option<u64>| lasts.map_or_else(String::new, |it| format!(", lasts: {it}"));
    let given = failures.given.iter().map(|it| {
        let part = match it.part {
            Part::Link(from, to) => format!("link: ({}, {})", from.0, to.0),
            Part::Router(router) => format!("router: {}", router.0),
        };
        format!("(cycle: {}, {part}{})", it.cycle, lasts(it.lasts))
    });
    let random = failures
        .random
        .iter()
        .map(|it| format!("(rate: {:?}, seed: {}{})", it.rate, it.seed, lasts(it.lasts)));
    let all: Vec<String> = given.chain(random).collect();
    if all.is_empty() { "none".to_owned() } else { format!("[{}]", all.join(", ")) }
}

/// The field `on_failure` of a system.
pub(crate) fn written_consequences(it: OnFailure) -> String {
    let OnFailure { flits, reroute_after, under_way } = it;
    let [flits, under_way] = [words::written(&flits), words::written(&under_way)];
    format!("(flits: {flits}, reroute_after: {reroute_after}, under_way: {under_way})")
}

#[cfg(test)]
mod tests;
