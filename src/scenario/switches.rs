//! Networks of switches: from a list of links, on a grid, or drawn at random; hosts and places.

use std::collections::BTreeSet;
use std::num::NonZeroU16;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::checked::Checked;
use super::names::kind;
use super::node::{Field, Node, list, named, tuple};
use super::plan::Plan;
use super::reader::{Fields, Reader};
use crate::text::count;
use crate::topology::attributes::{Attributes, CYCLES_PER_FLIT_MAX, LINK_DELAY_MAX};
use crate::topology::cube::{Cube, Dimension, Family};
use crate::topology::switches::{
    Arrangement, Cable, Flaw, HOSTS_MAX, Names, PARALLEL_MAX, PLACE_MAX, Place, SWITCHES_MAX,
    Switches, flaws, random as graph,
};
use crate::words::Need::Open;
use crate::words::{self, Kind, Structure, words};

/// Reads `Switches(links: [(0, 1), (1, 2)], hosts: 4, places: [(0, 0), (1, 0), (2, 0)])`.
pub(super) fn from_links<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>) -> Option<Plan<'a>> {
    let field = fields.get("links")?;
    let help = "write the two switches of each, such as `[(0, 1), (1, 2), (2, 0)]`";
    let parts = reader.list(field.value, "the links", help)?;
    let links = reader.each(&parts, link)?;
    let last = links.iter().map(|link| link.from.max(link.to)).max();
    let switches = last.map_or(1, |last| last as usize + 1);
    let found = flaws(switches, &links);
    for flaw in &found {
        complain(reader, *flaw, field.value, &parts);
    }
    let hosts = hosts(reader, fields, switches);
    let places = match fields.get("places") {
        None => Some(None),
        Some(field) => places(reader, field.value, switches).map(Some),
    };
    let mut numbers = |field: &str| match fields.get(field) {
        None => Some(None),
        Some(field) => numbers(reader, field, switches).map(Some),
    };
    let (groups, levels) = (numbers("groups"), numbers("levels"));
    let mut names = |field: &str, number: Option<usize>| match fields.get(field) {
        None => Some(Vec::new()),
        Some(field) if field.name == "group_names" && number.is_none() => {
            let what = "`group_names` names the groups of `groups`, and there are none";
            reader.refuse(field.value, what, "write the group of each switch as `groups`")
        }
        Some(field) => names(reader, field, number?),
    };
    let routers = names("names", Some(switches));
    let hosts_named = names("host_names", hosts.as_ref().map(|hosts| hosts.0.len()));
    let (groups, levels) = (groups?, levels?);
    let groups_end = groups.iter().flatten().max().map(|&last| last as usize + 1);
    let groups_named = names("group_names", groups_end);
    let ((hosts, size), places) = (hosts?, places?);
    let names = Names { routers: routers?, hosts: hosts_named?, groups: groups_named? };
    found.is_empty().then(|| {
        let network =
            Switches::arranged(switches, &links, &hosts, Arrangement { places, groups, levels });
        Plan { network: Arc::new(Switches::named(network, names)), size }
    })
}

/// Reads a field with a number for each switch.
fn numbers<'a>(reader: &mut Reader<'a>, field: Field<'a>, switches: usize) -> Option<Vec<u32>> {
    let parts = reader.list(field.value, field.name, "write a list such as `[0, 0, 1, 1]`")?;
    if parts.len() != switches {
        let what = format!("`{}` must have {switches} entries, not {}", field.name, parts.len());
        let help = "write a number for each switch, or leave the field out";
        return reader.refuse(field.value, what, help);
    }
    let last = switches as u32 - 1;
    reader.each(&parts, |reader, part| reader.small(part, "a number", 0..=last))
}

/// Reads a field with a name for each of a number of routers or hosts.
fn names<'a>(reader: &mut Reader<'a>, field: Field<'a>, number: usize) -> Option<Vec<String>> {
    let help = "write a list of texts, such as `[\"leaf 0\", \"leaf 1\"]`";
    let parts = reader.list(field.value, field.name, help)?;
    if parts.len() != number {
        let what = format!("`{}` must have {number} entries, not {}", field.name, parts.len());
        return reader.refuse(field.value, what, "write a name for each, or leave the field out");
    }
    let mut firsts = BTreeSet::new();
    reader.each(&parts, |reader, part| {
        let name = reader.line_of_text(part, "a name")?;
        if !firsts.insert(name.trim().to_owned()) || name.trim().is_empty() {
            let what = format!("a name must be unique and not empty, unlike {}", part.text);
            return reader.refuse(part, what, "write another name");
        }
        Some(name)
    })
}

/// Optional fields of a link, after its two switches.
pub(super) const LINK_FIELDS: &[words::Field] = words!(@fields
    /// Cycles from the sending of a flit until it may be forwarded at the far end, instead of
    /// `channel_delay`; a credit takes as long, plus `credit_delay`.
    delay = Open, Kind::whole("the delay of a link in cycles", 1, LINK_DELAY_MAX as u32);
    /// Cycles to send a flit over the link.
    cycles_per_flit = Open,
        Kind::whole("the cycles for which a link sends a flit", 1, CYCLES_PER_FLIT_MAX as u32);
    /// A number that routing may read.
    kind = Open, Kind::whole("the kind of a link", 0, u8::MAX as u32);
    /// The number of parallel links.
    count = Open, Kind::whole("the number of links side by side", 1, PARALLEL_MAX);
    /// True if the link leads only from the first switch to the second.
    one_way = Open, Kind::Own("`true` or `false`", Structure::Truth);
);

fn link<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Cable> {
    let parts = tuple(node).unwrap_or_default();
    let (ends, fields) = match parts[..] {
        [a, b, fields] if named(fields).is_some_and(|fields| !fields.is_empty()) => {
            ([a, b], Some(fields))
        }
        _ => (reader.pair(node, "a link joins two switches, `(0, 1)`")?, None),
    };
    let name = "the number of a switch";
    let last = SWITCHES_MAX as u32 - 1;
    let [a, b] = ends.map(|end| reader.small(end, name, 0..=last));
    let Some(fields) = fields else { return Some((a?, b?).into()) };
    let given = reader.record("network.links[]", "a link", fields, "Link", LINK_FIELDS, &[]);
    let attributes = Attributes {
        delay: field(&given, "delay", 0).map(NonZeroU16::new)?,
        cycles_per_flit: field(&given, "cycles_per_flit", 1)?,
        kind: field(&given, "kind", 0)?,
    };
    let one_way = given.fields.get("one_way").map(|field| field.value.text.parse().ok());
    let (count, one_way) = (field(&given, "count", 1)?, one_way.unwrap_or(Some(false))?);
    Some(Cable { from: a?, to: b?, attributes, count, one_way })
}

/// The value of an optional field; `None` if a wrong value has been reported.
fn field<T: DeserializeOwned>(given: &Checked<'_>, name: &str, default: T) -> Option<T> {
    if given.fields.get(name).is_some() { given.given(name) } else { Some(default) }
}

fn complain<'a>(reader: &mut Reader<'a>, flaw: Flaw, links: Node<'a>, parts: &[Node<'a>]) {
    let (at, what, help) = match flaw {
        Flaw::Itself { link } => {
            (parts[link], "this link joins a switch to itself".to_string(), "remove it".into())
        }
        Flaw::Twice { link, first } => (
            parts[link],
            format!(
                "these two switches are joined twice, first by entry {} of the list, `{}`: a link \
                 leads both ways",
                first + 1,
                parts[first].text
            ),
            "remove one of the two, or write `(0, 1, (count: 2))` for links side by side".into(),
        ),
        Flaw::Apart { switch, missing, back: false } => (
            links,
            format!(
                "no path leads from switch 0 to {}, the first of {} that cannot be reached",
                switch,
                count(missing, "switch", "switches")
            ),
            format!("add a link, such as `(0, {switch})`, or number the switches without gaps"),
        ),
        Flaw::Apart { switch, missing, back: true } => (
            links,
            format!(
                "no path leads back to switch 0 from {}, the first of {}",
                switch,
                count(missing, "such switch", "such switches")
            ),
            format!("add a link, such as `({switch}, 0)`, or leave out `one_way`"),
        ),
    };
    reader.problem(at, what, Some(help));
}

/// Builds `SwitchGrid(kind: Torus, radix: [3, 3], hosts: 4)` from the dimensions of its grid.
pub(super) fn on_a_grid<'a>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    radix: Node<'a>,
    family: Family,
    dimensions: &[Dimension],
) -> Option<Plan<'a>> {
    let switches = dimensions.iter().map(|it| it.radix as usize).product();
    if switches > SWITCHES_MAX {
        let name = family.name(dimensions, "");
        let what = format!("{name} has {switches} switches; the limit is {SWITCHES_MAX}");
        return reader.refuse(radix, what, "write smaller radices");
    }
    let (hosts, size) = hosts(reader, fields, switches)?;
    let cube = Cube::with_dimensions(family, dimensions);
    Some(Plan { network: Arc::new(Switches::on_cube(cube, &hosts)), size })
}

/// Reads `RandomSwitches(switches: 24, degree: 4, hosts: 2, seed: 7)`.
pub(super) fn at_random<'a>(reader: &mut Reader<'a>, given: &Checked<'a>) -> Option<Plan<'a>> {
    let fields = &given.fields;
    let switches: u32 = given.given("switches")?;
    let (degree, links) = (fields.get("degree"), fields.get("links"));
    if degree.is_none() && links.is_none() {
        let example = "`degree: 4` (the most links of a switch) or `links: 48` (all links)";
        reader.missing(fields, "`degree` or `links`", example);
    }
    let ports = degree.map_or(Some(switches), |field| {
        let name = "the most links of a switch";
        // Two switches have a single link.
        reader.small(field.value, name, switches.clamp(2, 3) - 1..=switches.max(2) - 1)
    });
    let pairs = switches * (switches - 1) / 2;
    let wanted = links.map_or(Some(pairs), |field| {
        let name = format!("the number of links between {switches} switches");
        reader.small(field.value, &name, switches - 1..=pairs)
    });
    let hosts = hosts(reader, fields, switches as usize);
    let (seed, ports, wanted) = (given.get("seed")?, ports?, wanted? as usize);
    degree.or(links)?;
    let drawn = graph::links(switches, wanted, ports, seed);
    if let Some(field) = links
        && drawn.len() < wanted
    {
        let what = format!(
            "{wanted} links were requested, but only {} fit if no switch has more than {ports}",
            drawn.len()
        );
        let help = format!("write {} or fewer, or a higher `degree`", drawn.len());
        return reader.refuse(field.value, what, help);
    }
    let (hosts, size) = hosts?;
    let network = Switches::random(switches as usize, &drawn, &hosts);
    Some(Plan { network: Arc::new(network), size })
}

/// Reads the field `hosts`: a number for every switch, or the switch of each host. Returns the
/// switches of all hosts and the node of the field.
fn hosts<'a>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    switches: usize,
) -> Option<(Vec<u32>, Node<'a>)> {
    let node = fields.get("hosts")?.value;
    let hosts: Vec<u32> = match list(node) {
        None => {
            let most = (HOSTS_MAX / switches) as u32;
            let each = reader.small(node, "the number of hosts at every switch", 1..=most)?;
            (0..switches as u32).flat_map(|at| std::iter::repeat_n(at, each as usize)).collect()
        }
        Some(parts) => {
            if parts.len() > HOSTS_MAX {
                let what = format!("there are {} hosts; the limit is {HOSTS_MAX}", parts.len());
                return reader.refuse(node, what, "name fewer");
            }
            let last = switches as u32 - 1;
            let name = "the switch of a host";
            reader.each(&parts, |reader, part| reader.small(part, name, 0..=last))?
        }
    };
    if hosts.len() < 2 {
        let what = format!("messages need at least two hosts, not {}", hosts.len());
        let what = what.replace("is 0", "is none");
        return reader.refuse(node, what, "write 2 or more");
    }
    Some((hosts, node))
}

/// Reads the field `places`: a pair of coordinates for every switch.
fn places<'a>(reader: &mut Reader<'a>, node: Node<'a>, switches: usize) -> Option<Vec<Place>> {
    let parts = list(node).unwrap_or_default();
    if parts.len() != switches {
        let what = format!(
            "`places` must be a list with a pair of coordinates for each of the {}, not {}",
            count(switches, "switch", "switches"),
            match parts.len() {
                0 => kind(node),
                many => count(many, "entry", "entries"),
            }
        );
        let help = "write `[(0, 0), (1.5, 2), ...]`, or leave the field out";
        return reader.refuse(node, what, help);
    }
    reader.each(&parts, place)
}

fn place<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Place> {
    let [x, y] = reader.pair(node, "a place is a pair of coordinates, `(1.5, 2)`")?;
    let mut thousandths = |node: Node<'a>| {
        let number = reader.number(node, "a coordinate", "1.5")?;
        if number.abs() > PLACE_MAX {
            let what = format!("a coordinate must be -{PLACE_MAX} to {PLACE_MAX}, not {number}");
            return reader.refuse(node, what, "write a smaller number");
        }
        Some((number * 1000.0).round() as i32)
    };
    let (x, y) = (thousandths(x), thousandths(y));
    Some(Place { x: x?, y: y? })
}
