//! A network that may be built, as far as checks ask for it.

use std::sync::Arc;

use super::node::Node;
use crate::topology::Network;
use crate::topology::cube::{Cube, Family};

/// A network that may be built, and where its size stands in the text.
pub(super) struct Plan<'a> {
    pub form: Form,
    pub size: Node<'a>,
}

pub(super) enum Form {
    /// A torus, mesh or hypercube, which may be large: nothing is allocated before all is checked.
    Cube { family: Family, radix: Vec<u32> },
    /// Switches, which are few: checks look at the network itself.
    Switches(Arc<Network>),
}

impl Plan<'_> {
    pub fn build(&self) -> Arc<Network> {
        self.ask(|family, radix| Arc::new(Cube::network(family, radix)), Arc::clone)
    }

    /// Family and radix of the coordinates of routers, if they have any.
    pub fn grid(&self) -> Option<(Family, &[u32])> {
        match &self.form {
            Form::Cube { family, radix } => Some((*family, radix)),
            Form::Switches(network) => network.grid().map(|cube| (cube.family(), cube.radix())),
        }
    }

    pub fn routers(&self) -> u64 {
        self.ask(|_, radix| product(radix), |network| network.routers() as u64)
    }

    /// Terminals.
    pub fn nodes(&self) -> u64 {
        self.ask(|_, radix| product(radix), |network| network.nodes() as u64)
    }

    /// The most terminals of one router.
    pub fn nodes_at_most(&self) -> u32 {
        self.ask(|_, _| 1, |network| network.terminals_at_most() as u32)
    }

    /// Directed channels between routers.
    pub fn channels(&self) -> u64 {
        self.ask(Family::links, |network| network.links() as u64)
    }

    /// For people: `8x8 torus`.
    pub fn name(&self) -> String {
        self.ask(Family::name, |network| network.name())
    }

    /// Asks a cube by its family and radix, switches by their network.
    pub fn ask<T>(
        &self,
        cube: impl FnOnce(Family, &[u32]) -> T,
        switches: impl FnOnce(&Arc<Network>) -> T,
    ) -> T {
        match &self.form {
            Form::Cube { family, radix } => cube(*family, radix),
            Form::Switches(network) => switches(network),
        }
    }
}

fn product(radix: &[u32]) -> u64 {
    radix.iter().map(|&k| u64::from(k)).product()
}
