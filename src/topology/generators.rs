//! Generators of networks: one file each, and one line each in the list below.

mod butterfly;
mod complete;
mod dragonfly;
mod fat_tree;
mod hyper_x;
mod leaf_spine;
mod plan;
mod twisted_torus;

pub use butterfly::Butterfly;
pub use complete::Complete;
pub use dragonfly::Dragonfly;
pub use fat_tree::FatTree;
pub use hyper_x::HyperX;
pub use leaf_spine::LeafSpine;
pub use twisted_torus::TwistedTorus;

use super::Network;
use super::switches::{HOSTS_MAX, SWITCHES_MAX, Switches};
use crate::words::{Contents, Misfit, Value};
use plan::{Generate, Plan};

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
        let Plan { labels, form, links, hosts } = self.plan()?;
        Ok(Switches::generated(name, labels, form, &links, &hosts))
    }
}

#[cfg(test)]
mod tests;
