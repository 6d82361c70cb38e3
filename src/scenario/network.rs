//! The field `network`: the values, and cubes; `switches` reads networks of switches.

use std::sync::Arc;

use super::checked::Checked;
use super::grid::{self, DELAYS, RADIX, WRAP};
use super::machine;
use super::network_file;
use super::node::{Field, Node};
use super::plan::Plan;
use super::reader::{Choice, Reader};
use super::switches;
use crate::topology::cube::{Cube, DIMENSIONS_MAX, Dimension, Family};
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
        /// A k-ary n-cube: rings in every dimension, or lines where `wrap` is false.
        Torus {
            /// Routers along each dimension. A ring of two routers has two links each way; a dimension
            /// of one router has none.
            radix: () = Example("[8, 8]"), RADIX;
            /// The directions of the links.
            links: Links = Default("Bidirectional"), Links::KIND;
            /// True for each dimension that closes into rings, as in `[true, false]`; every dimension by
            /// default.
            wrap: () = Open, WRAP;
            /// The delay of the links along each dimension, instead of `channel_delay`; a credit takes as
            /// long, plus `credit_delay`.
            delays: () = Open, DELAYS;
            /// The number of hosts at every router, or a list with the router of each host: a torus of
            /// switches. Without this field every router is a terminal itself.
            hosts: () = Open, HOSTS;
        },
        /// A grid without wrap-around links.
        Mesh {
            /// Routers along each dimension.
            radix: () = Example("[8, 8]"), RADIX;
            /// The delay of the links along each dimension, instead of `channel_delay`; a credit takes as
            /// long, plus `credit_delay`.
            delays: () = Open, DELAYS;
            /// The number of hosts at every router, or a list with the router of each host: a mesh of
            /// switches. Without this field every router is a terminal itself.
            hosts: () = Open, HOSTS;
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
            /// The group of each switch, a number from 0: read by `Hierarchical` and `Offset`, and
            /// drawn without `places`.
            groups: () = Open, NUMBERS;
            /// The level of each switch, a number from 0 at the bottom: drawn without `places`.
            levels: () = Open, NUMBERS;
            /// The name of each switch; by default `s0`, `s1` and so on.
            names: () = Open, NAMES;
            /// The name of each host; by default `h0`, `h1` and so on.
            host_names: () = Open, NAMES;
            /// The name of each group of `groups`, from group 0; by default its number.
            group_names: () = Open, NAMES;
        },
        /// Switches, hosts and links of a file: an edge list (CSV or of NetworkX), GraphML, node-link JSON, GML,
        /// `anynet` of BookSim2 or the text of `ibnetdiscover`. The file is looked for beside the scenario.
        File(() = "File(\"fabric.graphml\")", FILE),
        /// Switches on a torus or mesh, numbered along the first dimension first.
        SwitchGrid {
            /// The shape of the grid.
            kind: Grid = Example("Torus"), Grid::KIND;
            /// Switches along each dimension. A ring of two switches has two links each way; a
            /// dimension of one switch has none.
            radix: () = Example("[3, 3]"), RADIX;
            /// The number of hosts at every switch, or a list with the switch of each host.
            hosts: () = Example("4"), HOSTS;
            /// True for each dimension of a torus that closes into rings, as in `[true, false]`; every
            /// dimension by default.
            wrap: () = Open, WRAP;
            /// The delay of the links along each dimension, instead of `channel_delay`; a credit takes as
            /// long, plus `credit_delay`.
            delays: () = Open, DELAYS;
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

const NUMBERS: Kind = Kind::Own(
    "a list of whole numbers",
    Structure::List(&Kind::whole("a number", 0, 16_383), (1, 16_384)),
);
const FILE: Kind = Kind::Text("the name of a file");
const HOSTS: Kind = Kind::Own(
    "a whole number or a list of them",
    Structure::Either(&[
        Kind::whole("the number of hosts at every switch", 1, HOSTS_MAX as u32),
        Kind::Own("a list of switches", Structure::List(&SWITCH, (2, HOSTS_MAX))),
    ]),
);
const LINKS: Kind = Kind::list(
    "a list of links",
    &Kind::Own(
        "a link",
        Structure::Tuple(&[SWITCH, SWITCH, Kind::Fields(&[switches::LINK_FIELDS])], (2, 3)),
    ),
);
const PLACES: Kind = Kind::list(
    "a list of pairs of coordinates",
    &Kind::Own("a place", Structure::Tuple(&[COORDINATE], (2, 2))),
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
    match choice.is {
        "Torus" => {
            let unidirectional = given.get::<Links>("links")? == Links::Unidirectional;
            grid(reader, choice, &given, Family::Torus { unidirectional })
        }
        "Mesh" => grid(reader, choice, &given, Family::Mesh),
        "Switches" => switches::from_links(reader, &given.fields),
        "SwitchGrid" => match given.get("kind")? {
            Grid::Torus => grid(reader, choice, &given, Family::Torus { unidirectional: false }),
            Grid::Mesh => grid(reader, choice, &given, Family::Mesh),
        },
        "RandomSwitches" => switches::at_random(reader, &given),
        "Hypercube" => {
            let dimensions = vec![Dimension::new(2); given.given::<usize>("dimensions")?];
            let size = given.fields.get("dimensions")?.value;
            cube(reader, Family::Hypercube, &dimensions, size)
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

/// A torus or mesh of routers, or of switches if it has hosts.
fn grid<'a>(
    reader: &mut Reader<'a>,
    choice: Choice<'a>,
    given: &Checked<'a>,
    family: Family,
) -> Option<Plan<'a>> {
    let fields = &given.fields;
    let may_wrap = match family {
        Family::Torus { unidirectional: false } => Ok(()),
        Family::Torus { unidirectional: true } => {
            Err("one-way links need rings: no way leads back along a line")
        }
        Family::Mesh | Family::Hypercube => Err("a mesh has no wrap-around links"),
    };
    let (with_hosts, radix) = (fields.get("hosts").is_some(), fields.get("radix")?.value);
    let least = if with_hosts { 1 } else { 2 };
    let dimensions = grid::dimensions(reader, choice.is, fields, may_wrap, least)?;
    match (with_hosts, choice.is) {
        (true, _) => switches::on_a_grid(reader, fields, radix, family, &dimensions),
        // The missing hosts of switches are reported.
        (false, "SwitchGrid") => None,
        (false, _) => cube(reader, family, &dimensions, radix),
    }
}

/// A cube that fits into memory.
fn cube<'a>(
    reader: &mut Reader<'a>,
    family: Family,
    dimensions: &[Dimension],
    size: Node<'a>,
) -> Option<Plan<'a>> {
    let routers = dimensions.iter().map(|it| u64::from(it.radix)).product();
    machine::network_has_memory(reader, family.links(dimensions), routers, size)?;
    Some(Plan { network: Arc::new(Cube::with_dimensions(family, dimensions)), size })
}
