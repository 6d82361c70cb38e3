//! Generators of networks: one file each, and one line each in the list below.

mod butterfly;
mod complete;
mod dragonfly;
mod fat_tree;
mod hyper_x;
mod leaf_spine;
mod twisted_torus;

pub use butterfly::Butterfly;
pub use complete::Complete;
pub use dragonfly::Dragonfly;
pub use fat_tree::FatTree;
pub use hyper_x::HyperX;
pub use leaf_spine::LeafSpine;
pub use twisted_torus::TwistedTorus;

use super::Network;
use super::labels::{Labels, Level};
use super::switches::{Cable, HOSTS_MAX, Place, SWITCHES_MAX, Switches};
use crate::words::{Contents, Misfit, Value};

/// Files of generators import this.
mod prelude {
    pub(super) use super::{DIMENSIONS_MAX, Generate, List, Plan, level};
    pub(super) use crate::topology::attributes::Attributes;
    pub(super) use crate::topology::labels::Labels;
    pub(super) use crate::topology::switches::{Cable, Place};
    pub(super) use crate::words::Need::{Default, Example, Open};
    pub(super) use crate::words::{Kind, Misfit, Structure, words};
}

/// A family of networks with its parameters.
trait Generate {
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
struct Plan {
    labels: Labels,
    links: Vec<Cable>,
    /// The router of each host.
    hosts: Vec<u32>,
    /// The places of the routers on the screen, if the labels do not suggest them.
    places: Option<Vec<Place>>,
}

/// A level of labels.
fn level(name: &str, size: u32) -> Level {
    Level { name: name.to_owned(), size }
}

/// Maximum number of dimensions of a generator.
const DIMENSIONS_MAX: usize = 4;

/// A number for each dimension.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Vec<u32>", into = "Vec<u32>")]
pub struct List {
    numbers: [u32; DIMENSIONS_MAX],
    dimensions: usize,
}

impl List {
    /// The numbers.
    fn as_slice(&self) -> &[u32] {
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

/// Makes [`Generator`] and its descriptors.
macro_rules! generators {
    ($($Name:ident;)+) => {
        /// A network with its parameters.
        #[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
        pub enum Generator {
            $(
                #[doc = concat!("See [`", stringify!($Name), "`].")]
                $Name($Name),
            )+
        }

        impl Generator {
            /// Names and fields.
            pub const VALUES: &'static [Value] = &[$(Value {
                name: stringify!($Name),
                help: $Name::HELP,
                contents: Contents::Fields(&[$Name::FIELDS]),
            }),+];

            fn name(&self) -> String {
                match self { $(Self::$Name(parameters) => parameters.name()),+ }
            }

            fn size(&self) -> [u64; 2] {
                match self { $(Self::$Name(parameters) => parameters.size()),+ }
            }

            fn plan(&self) -> Result<Plan, Misfit> {
                match self { $(Self::$Name(parameters) => parameters.plan()),+ }
            }
        }
    };
}

generators! {
    FatTree;
    LeafSpine;
    Dragonfly;
    HyperX;
    Butterfly;
    TwistedTorus;
    Complete;
}

impl Generator {
    /// Builds the network, or returns the reason why the parameters are unsuitable.
    pub fn network(&self) -> Result<Network, Misfit> {
        let name = self.name();
        let [routers, hosts] = self.size();
        let limits = [("routers", routers, SWITCHES_MAX), ("hosts", hosts, HOSTS_MAX)];
        for (what, number, most) in limits {
            if number > most as u64 {
                let what = format!("a {name} has more than {most} {what}");
                return Misfit::because(what, "write smaller numbers");
            }
        }
        if hosts < 2 {
            let what = format!("messages need two hosts at least, and a {name} has {hosts}");
            return Misfit::because(what, "write larger numbers");
        }
        let Plan { labels, links, hosts, places } = self.plan()?;
        Ok(Switches::generated(name, labels, &links, &hosts, places))
    }
}

#[cfg(test)]
mod tests;
