//! The parts of a generator: parameters, plan and list of numbers.

use super::super::attributes::LINK_DELAY_MAX;
use super::super::labels::{Labels, Level};
use super::super::switches::{Cable, Form};
use crate::words::{Kind, Misfit};

/// Files of generators import this.
pub(super) mod prelude {
    pub use super::{DELAY, DELAY_MAX, DIMENSIONS_MAX, Generate, List, Plan, level};
    pub use crate::topology::attributes::Attributes;
    pub use crate::topology::labels::Labels;
    pub use crate::topology::switches::{Cable, Form};
    pub use crate::words::Need::{Default, Example, Open};
    pub(in crate::topology) use crate::words::{Kind, Misfit, Structure, words};
}

/// A family of networks with its parameters.
pub trait Generate {
    /// Summary in one line.
    const HELP: &'static str;

    /// The name for people, without the number of hosts.
    fn name(&self) -> String;

    /// The number of routers and of hosts, saturated.
    fn size(&self) -> [u64; 2];

    /// The network, for a size within the limits, or the reason why the parameters do not match.
    fn plan(&self) -> Result<Plan, Misfit>;
}

/// Routers, links and hosts of a network, before it is built.
pub struct Plan {
    pub labels: Labels,
    /// The meaning of the labels in a drawing.
    pub form: Form,
    pub links: Vec<Cable>,
    /// The router of each host.
    pub hosts: Vec<u32>,
}

/// A level of labels.
pub fn level(name: &str, size: u32) -> Level {
    Level { name: name.to_owned(), size }
}

/// The longest delay of a link, in cycles.
pub const DELAY_MAX: u32 = LINK_DELAY_MAX as u32;
/// The delay of links.
pub const DELAY: Kind = Kind::whole("the delay of a link in cycles", 1, DELAY_MAX);

/// Maximum number of dimensions of a generator.
pub const DIMENSIONS_MAX: usize = 4;

/// A number for each dimension.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Vec<u32>", into = "Vec<u32>")]
pub struct List {
    numbers: [u32; DIMENSIONS_MAX],
    dimensions: usize,
}

impl List {
    /// The numbers.
    pub fn as_slice(&self) -> &[u32] {
        &self.numbers[..self.dimensions]
    }
}

impl TryFrom<Vec<u32>> for List {
    type Error = &'static str;

    fn try_from(list: Vec<u32>) -> Result<Self, Self::Error> {
        let mut numbers = [0; DIMENSIONS_MAX];
        let dimensions = list.len();
        numbers.get_mut(..dimensions).ok_or("too many dimensions")?.copy_from_slice(&list);
        Ok(Self { numbers, dimensions })
    }
}

impl From<List> for Vec<u32> {
    fn from(list: List) -> Self {
        list.as_slice().to_vec()
    }
}
