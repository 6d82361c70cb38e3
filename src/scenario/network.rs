//! The field `network`: family, radix and their limits; networks of switches are read by
//! `switches`.

use std::sync::Arc;

use super::leaf::kind;
use super::node::{Node, list};
use super::reader::{Choice, Reader};
use super::switches;
use crate::topology::Network;
use crate::topology::cube::{Cube, DIMENSIONS_MAX, Family, RADIX_MAX, ROUTERS_MAX};

/// A network that may be built, and where its size stands in the text.
pub(super) struct Plan<'a> {
    pub form: Form,
    pub size: Node<'a>,
}

/// What is built.
pub(super) enum Form {
    /// A torus, mesh or hypercube, which may be large: nothing is allocated before all is checked.
    Cube { family: Family, radix: Vec<u32> },
    /// Switches, which are few: checks look at the network itself.
    Switches(Arc<Network>),
}

impl Plan<'_> {
    pub fn build(&self) -> Arc<Network> {
        match &self.form {
            Form::Cube { family, radix } => Arc::new(Cube::network(*family, radix)),
            Form::Switches(network) => Arc::clone(network),
        }
    }

    /// Family and radix of the coordinates of routers, if they have any.
    pub fn grid(&self) -> Option<(Family, &[u32])> {
        match &self.form {
            Form::Cube { family, radix } => Some((*family, radix)),
            Form::Switches(network) => network.grid().map(|cube| (cube.family(), cube.radix())),
        }
    }

    /// The radices in which nodes are numbered.
    pub fn numbering(&self) -> Vec<u32> {
        match &self.form {
            Form::Cube { radix, .. } => radix.clone(),
            Form::Switches(network) => network.numbering(),
        }
    }

    pub fn routers(&self) -> u64 {
        match &self.form {
            Form::Cube { radix, .. } => radix.iter().map(|&k| u64::from(k)).product(),
            Form::Switches(network) => network.routers() as u64,
        }
    }

    /// Terminals.
    pub fn nodes(&self) -> u64 {
        match &self.form {
            Form::Cube { .. } => self.routers(),
            Form::Switches(network) => network.nodes() as u64,
        }
    }

    /// The most terminals of one router.
    pub fn nodes_at_most(&self) -> u32 {
        match &self.form {
            Form::Cube { .. } => 1,
            Form::Switches(network) => network.terminals_at_most() as u32,
        }
    }

    /// Directed channels between routers.
    pub fn channels(&self) -> u64 {
        let (family, radix) = match &self.form {
            Form::Cube { family, radix } => (*family, radix),
            Form::Switches(network) => return network.links() as u64,
        };
        let routers = self.routers();
        let along = |&k: &u32| match family {
            Family::Torus { unidirectional: true } => routers,
            Family::Torus { unidirectional: false } => 2 * routers,
            Family::Mesh | Family::Hypercube => 2 * (routers - routers / u64::from(k)),
        };
        radix.iter().map(along).sum()
    }

    /// For people: `8x8 torus`.
    pub fn name(&self) -> String {
        let (family, radix) = match &self.form {
            Form::Cube { family, radix } => (*family, radix),
            Form::Switches(network) => return network.name(),
        };
        let kind = match family {
            Family::Torus { unidirectional: false } => "torus",
            Family::Torus { unidirectional: true } => "one-way torus",
            Family::Mesh => "mesh",
            Family::Hypercube => return format!("{}-cube", radix.len()),
        };
        format!("{} {kind}", sizes(radix))
    }
}

const FAMILIES: [&str; 6] =
    ["Torus", "Mesh", "Hypercube", "Switches", "SwitchGrid", "RandomSwitches"];

pub(super) fn read<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Plan<'a>> {
    let choice = reader.choice("network", node, &FAMILIES)?;
    match choice.is {
        "Torus" => {
            let fields = reader.choice_fields("network", choice, &["radix", "links"]);
            let links = fields.get("links").map(|links| {
                reader.word("network.links", links.value, &["Bidirectional", "Unidirectional"])
            });
            let radix = reader.required(&fields, "radix", "[8, 8]");
            let unidirectional = links.unwrap_or(Some("Bidirectional"))? == "Unidirectional";
            radix_of(reader, choice, Family::Torus { unidirectional }, radix?.value)
        }
        "Mesh" => {
            let fields = reader.choice_fields("network", choice, &["radix"]);
            let radix = reader.required(&fields, "radix", "[8, 8]")?;
            radix_of(reader, choice, Family::Mesh, radix.value)
        }
        "Switches" => switches::from_links(reader, choice),
        "SwitchGrid" => switches::on_a_grid(reader, choice),
        "RandomSwitches" => switches::at_random(reader, choice),
        _ => {
            let fields = reader.choice_fields("network", choice, &["dimensions"]);
            let size = reader.required(&fields, "dimensions", "6")?.value;
            let dimensions =
                reader.small(size, "the number of dimensions", 1..=DIMENSIONS_MAX as u32)?;
            let radix = vec![2; dimensions as usize];
            Some(Plan { form: Form::Cube { family: Family::Hypercube, radix }, size })
        }
    }
}

pub(super) fn radix_of<'a>(
    reader: &mut Reader<'a>,
    choice: Choice<'a>,
    family: Family,
    node: Node<'a>,
) -> Option<Plan<'a>> {
    let Some(entries) = list(node) else {
        let what = format!("radix must be a list in square brackets, not {}", kind(node));
        let help = "write the routers along each dimension, such as `[8, 8]`";
        reader.problem(node, what, Some(help.into()));
        return None;
    };
    if !(1..=DIMENSIONS_MAX).contains(&entries.len()) {
        let dimensions = entries.len();
        let what = format!("a network has 1 to {DIMENSIONS_MAX} dimensions, not {dimensions}");
        let help = match dimensions {
            0 => "write the routers along each dimension, such as `[8, 8]`".into(),
            _ => format!("leave out {}", count(dimensions - DIMENSIONS_MAX, "entry", "entries")),
        };
        reader.problem(node, what, Some(help));
        return None;
    }
    let mut radix = Vec::with_capacity(entries.len());
    for entry in &entries {
        let alone = entries.len() == 1;
        radix.push(match ron::from_str::<u64>(entry.text) {
            Ok(1) if !alone => {
                let what = "a radix must be at least 2, not 1: one router is no dimension";
                reader.problem(*entry, what, Some("leave this entry out".into()));
                None
            }
            // The size of the whole network says more than that of one entry, where both are wrong.
            Ok(k) if k > u64::from(RADIX_MAX) => Some(k),
            _ => reader.integer(*entry, "a radix", 2..=u64::from(RADIX_MAX)),
        });
    }
    let radix: Vec<u64> = radix.into_iter().collect::<Option<_>>()?;
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
    let radix = radix.into_iter().map(|k| k as u32).collect();
    Some(Plan { form: Form::Cube { family, radix }, size: node })
}

/// `8x8`.
fn sizes<T: ToString>(radix: &[T]) -> String {
    radix.iter().map(ToString::to_string).collect::<Vec<_>>().join("x")
}

/// `1 entry`, `2 entries`.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}
