//! The field `network`: family, radix and limits of grids; `switches` reads networks of switches.

use std::sync::Arc;

use super::checked::Checked;
use super::machine;
use super::network_file;
use super::node::{Field, Node};
use super::plan::Plan;
use super::reader::{Choice, Reader};
use super::switches;
use crate::text::count;
use crate::topology::cube::{Cube, DIMENSIONS_MAX, Family, RADIX_MAX, ROUTERS_MAX, sizes};
use crate::topology::generators::Generator;
use crate::topology::switches::random::SWITCHES_MAX as RANDOM_MAX;
use crate::topology::switches::{HOSTS_MAX, PLACE_MAX, SWITCHES_MAX};
use crate::words::Need::{Default, Example, Open};
use crate::words::{Contents, Kind, Structure, Words, words, written};

words! {
    /// The directions of the links of a torus.
    enum Links {
        /// Links in both directions.
        Bidirectional,
        /// Links from lower to higher coordinates, with wrap-around.
        Unidirectional,
    }

    /// The shape of a grid of switches.
    pub(super) enum Grid {
        /// With wrap-around links.
        Torus,
        /// Without wrap-around links.
        Mesh,
    }

    /// The values of `network`.
    enum Shape {
        /// A k-ary n-cube: rings in every dimension.
        Torus {
            /// Routers along each dimension.
            radix: () = Example("[8, 8]"), RADIX;
            /// The directions of the links.
            links: Links = Default("Bidirectional"), Links::KIND;
        },
        /// A grid without wrap-around links.
        Mesh {
            /// Routers along each dimension.
            radix: () = Example("[8, 8]"), RADIX;
        },
        /// A binary n-cube.
        Hypercube {
            /// The dimension of the cube: a cube of dimension n has 2^n routers.
            dimensions: u32 = Example("6"),
                Kind::whole("the number of dimensions", 1, DIMENSIONS_MAX as u32);
        },
        /// Switches connected by the listed links.
        Switches {
            /// The two switches of each link, with optional fields after them, as in `(0, 1,
            /// (delay: 10))`: `delay`, `cycles_per_flit`, `kind`, `count` and `one_way`.
            links: () = Example("[(0, 1), (1, 2), (2, 0)]"), LINKS;
            /// The number of hosts at every switch, or a list with the switch of each host.
            hosts: () = Example("4"), HOSTS;
            /// The position of each switch on the screen; computed by default.
            places: () = Open, PLACES;
            /// The name of each switch; by default `s0`, `s1` and so on.
            names: () = Open, NAMES;
            /// The name of each host; by default `h0`, `h1` and so on.
            host_names: () = Open, NAMES;
        },
        /// Switches, hosts and links of a file: an edge list (CSV), GraphML, node-link JSON, GML, `anynet` of
        /// BookSim2 or the text of `ibnetdiscover`. The file is looked for beside the scenario.
        File(() = "File(\"fabric.graphml\")", FILE),
        /// Switches on a torus or mesh, numbered along the first dimension first.
        SwitchGrid {
            /// The shape of the grid.
            kind: Grid = Example("Torus"), Grid::KIND;
            /// Switches along each dimension.
            radix: () = Example("[3, 3]"), RADIX;
            /// The number of hosts at every switch, or a list with the switch of each host.
            hosts: () = Example("4"), HOSTS;
        },
        /// A random connected graph of switches; `degree` or `links` must be given.
        RandomSwitches {
            /// The number of switches.
            switches: u32 = Example("24"),
                Kind::whole("the number of switches", 2, RANDOM_MAX as u32);
            /// The maximum number of links of a switch.
            degree: () = Open, Kind::Own("a whole number", Structure::Either(&[DEGREE]));
            /// The total number of links.
            links: () = Open, Kind::Own("a whole number", Structure::Either(&[LINK_COUNT]));
            /// The number of hosts at every switch, or a list with the switch of each host.
            hosts: () = Example("2"), HOSTS;
            /// The seed of the random graph.
            seed: u64 = Default("1"), Kind::Whole { called: "the seed of the graph", limits: (0, u64::MAX) };
        },
    }
}

const FILE: Kind = Kind::Text("the name of a file");
const RADIX: Kind = Kind::Own(
    "a list of whole numbers",
    Structure::List(&Kind::whole("a radix", 2, RADIX_MAX), (1, DIMENSIONS_MAX)),
);
const HOSTS: Kind = Kind::Own(
    "a whole number or a list of them",
    Structure::Either(&[
        Kind::whole("the number of hosts at every switch", 1, HOSTS_MAX as u32),
        Kind::Own("a list of switches", Structure::List(&SWITCH, (2, HOSTS_MAX))),
    ]),
);
const LINKS: Kind = Kind::list(
    "a list of links",
    &Kind::Own("a link", Structure::Tuple(&Kind::Own("", END_OR_FIELDS), (2, 3))),
);
const END_OR_FIELDS: Structure =
    Structure::Either(&[SWITCH, Kind::Fields(&[switches::LINK_FIELDS])]);
const PLACES: Kind = Kind::list(
    "a list of pairs of coordinates",
    &Kind::Own("a place", Structure::Tuple(&COORDINATE, (2, 2))),
);
const NAMES: Kind = Kind::list("a list of texts", &Kind::Text("a name"));
const SWITCH: Kind = Kind::whole("the number of a switch", 0, SWITCHES_MAX as u32 - 1);
const COORDINATE: Kind =
    Kind::within("a coordinate", "1.5", (-PLACE_MAX, PLACE_MAX), "times the unit");
const DEGREE: Kind = Kind::whole("the most links of a switch", 1, RANDOM_MAX as u32 - 1);
const LINK_COUNT: Kind =
    Kind::whole("the number of links", 1, (RANDOM_MAX * (RANDOM_MAX - 1) / 2) as u32);

pub(super) const KIND: Kind = Kind::Choice(&[Shape::VALUES, Generator::VALUES]);

pub(super) fn read<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Plan<'a>> {
    let (choice, contents) = reader.pick("network", node, &[Shape::VALUES, Generator::VALUES])?;
    if let Contents::One(example, _) = contents {
        let file = reader.single(choice, example)?;
        return network_file::read(reader, node, file);
    }
    let given = reader.contents("network", choice, contents)?;
    if Generator::VALUES.iter().any(|value| value.name == choice.is) {
        return generated(reader, given, (choice, contents), node);
    }
    let radix = given.fields.get("radix").map(|field| field.value);
    match choice.is {
        "Torus" => {
            let unidirectional = given.get::<Links>("links")? == Links::Unidirectional;
            let radix_of = radix_of(reader, choice, radix?)?;
            cube(reader, Family::Torus { unidirectional }, &radix_of, radix?)
        }
        "Mesh" => {
            let radix_of = radix_of(reader, choice, radix?)?;
            cube(reader, Family::Mesh, &radix_of, radix?)
        }
        "Switches" => switches::from_links(reader, &given.fields),
        "SwitchGrid" => {
            let (kind, field) = given.get("kind").zip(given.fields.get("radix"))?;
            let family = match kind {
                Grid::Torus => Family::Torus { unidirectional: false },
                Grid::Mesh => Family::Mesh,
            };
            let radix = radix_of(reader, choice, field.value)?;
            switches::on_a_grid(reader, &given.fields, field, family, &radix)
        }
        "RandomSwitches" => switches::at_random(reader, &given),
        "Hypercube" => {
            let radix = vec![2; given.given::<usize>("dimensions")?];
            cube(reader, Family::Hypercube, &radix, given.fields.get("dimensions")?.value)
        }
        _ => None,
    }
}

/// Builds the network of a generator.
fn generated<'a>(
    reader: &mut Reader<'a>,
    mut given: Checked<'a>,
    (choice, contents): (Choice<'a>, Contents),
    node: Node<'a>,
) -> Option<Plan<'a>> {
    let Contents::Fields(groups) = contents else { return None };
    for field in groups.iter().copied().flatten() {
        if let (
            Kind::Own(_, Structure::List(Kind::Whole { called, limits }, lengths)),
            Some(list),
        ) = (field.kind, given.fields.get(field.name))
        {
            let numbers = numbers(reader, list, called, *limits, lengths);
            given.fill(field.name, numbers);
        }
    }
    let generator: Generator = given.variant(choice.is)?;
    match generator.network() {
        Ok(network) => Some(Plan { network: Arc::new(network), size: node }),
        Err(misfit) => reader.misfit(node, Some(&given.fields), misfit),
    }
}

/// Reads a list of whole numbers and returns its text.
fn numbers<'a>(
    reader: &mut Reader<'a>,
    field: Field<'a>,
    called: &str,
    (least, most): (u64, u64),
    (shortest, longest): (usize, usize),
) -> Option<String> {
    let help = format!("write a list of numbers, such as `[{least}, {least}]`");
    let entries = reader.list(field.value, field.name, &help)?;
    if !(shortest..=longest).contains(&entries.len()) {
        let numbers = match (shortest, longest) {
            (1, 1) => "1 entry".to_owned(),
            (shortest, longest) if shortest == longest => format!("{longest} entries"),
            (shortest, longest) => format!("{shortest} to {longest} entries"),
        };
        let what = format!("`{}` has {numbers}, not {}", field.name, entries.len());
        return reader.refuse(field.value, what, help);
    }
    let numbers =
        reader.each(&entries, |reader, entry| reader.integer(entry, called, least..=most))?;
    Some(written(&numbers))
}

fn radix_of<'a>(reader: &mut Reader<'a>, choice: Choice<'a>, node: Node<'a>) -> Option<Vec<u32>> {
    let help = "write the routers along each dimension, such as `[8, 8]`";
    let entries = reader.list(node, "radix", help)?;
    if !(1..=DIMENSIONS_MAX).contains(&entries.len()) {
        let dimensions = entries.len();
        let what = format!("a network has 1 to {DIMENSIONS_MAX} dimensions, not {dimensions}");
        let help = match dimensions {
            0 => help.into(),
            _ => format!("leave out {}", count(dimensions - DIMENSIONS_MAX, "entry", "entries")),
        };
        return reader.refuse(node, what, help);
    }
    let radix = reader.each(&entries, |reader, entry| match ron::from_str::<u64>(entry.text) {
        Ok(1) if entries.len() > 1 => {
            let what =
                "a radix must be at least 2, not 1: a single router does not form a dimension";
            reader.refuse(entry, what, "leave this entry out")
        }
        // If both are wrong, the size of the whole network is more informative than a single entry.
        Ok(k) if k > u64::from(RADIX_MAX) => Some(k),
        _ => reader.integer(entry, "a radix", 2..=u64::from(RADIX_MAX)),
    })?;
    let routers = radix.iter().try_fold(1u128, |product, &k| product.checked_mul(u128::from(k)));
    if routers.is_none_or(|routers| routers > ROUTERS_MAX as u128) {
        let number = routers.map_or("more than 2^128".into(), |routers| routers.to_string());
        let what = format!(
            "a {} of {} has {number} routers; the limit is {ROUTERS_MAX}",
            choice.is.to_lowercase(),
            sizes(&radix)
        );
        let largest = (2..=RADIX_MAX as usize)
            .take_while(|k| k.checked_pow(radix.len() as u32).is_some_and(|n| n <= ROUTERS_MAX))
            .last();
        let help = largest.map(|k| format!("{} would just fit", sizes(&vec![k; radix.len()])));
        reader.problem(node, what, help);
        return None;
    }
    for (entry, &k) in entries.iter().zip(&radix) {
        if k > u64::from(RADIX_MAX) {
            reader.integer(*entry, "a radix", 2..=u64::from(RADIX_MAX));
            return None;
        }
    }
    Some(radix.into_iter().map(|k| k as u32).collect())
}

/// A cube that fits into memory.
fn cube<'a>(
    reader: &mut Reader<'a>,
    family: Family,
    radix: &[u32],
    size: Node<'a>,
) -> Option<Plan<'a>> {
    let routers = radix.iter().map(|&k| u64::from(k)).product();
    machine::network_has_memory(reader, family.links(radix), routers, size)?;
    Some(Plan { network: Arc::new(Cube::network(family, radix)), size })
}
