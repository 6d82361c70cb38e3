//! Dimension order (e-cube) on tori, meshes, hypercubes and `HyperX` networks: the first dimension is
//! finished before the second begins. Class rules keep rings free of deadlock.

mod hyper_x;

use std::sync::Arc;

use crate::routing::algorithm::prelude::*;
use crate::routing::order::Order;
use crate::topology::Network;
use hyper_x::Joined;

/// Dimension order.
#[derive(Clone, Copy, Debug)]
pub struct DimensionOrder {
    /// The VC classes on rings. Meshes and hypercubes have no ring and use one class.
    pub classes: Classes,
    /// The order of the dimensions.
    pub order: Order,
}

impl Algorithm for DimensionOrder {
    const NAME: &'static str = "e-cube";
    const HELP: &'static str = "Finishes the first dimension before the second begins (e-cube).";
    const TIES: Ties = Ties::Settled;
    const STRAIGHT: bool = true;
    const BY_OFFSET: bool = true;

    fn name(&self) -> &'static str {
        if !self.order.is_ascending() {
            return match self.classes {
                Classes::Destination => "e-cube in a given order, destination classes",
                Classes::Dateline => "e-cube in a given order, dateline classes",
                Classes::Static => "e-cube in a given order, static classes",
                Classes::Random => "e-cube in a given order, random classes",
                Classes::None => "e-cube in a given order, no classes",
            };
        }
        match self.classes {
            Classes::Destination => "e-cube, destination classes",
            Classes::Dateline => "e-cube, dateline classes",
            Classes::Static => "e-cube, static classes",
            Classes::Random => "e-cube, random classes",
            Classes::None => "e-cube, no classes",
        }
    }

    fn refused_on(&self, cube: &Cube) -> Result<(), Misfit> {
        if !cube.is_one_way() || self.classes != Classes::Static {
            return Ok(());
        }
        let what = "`Static` classes can deadlock on a one-way torus: paths that wrap around are \
                    longer than half the ring, so those of one class alone close a cycle";
        let help = "write `Destination` or `Dateline`, or make the links `Bidirectional`";
        Err(Misfit { what: what.into(), help: help.into(), field: Some("classes") })
    }

    fn needs(&self, cube: &Cube) -> Result<Needs, Misfit> {
        self.orders(cube.dimensions())?;
        Ok(if cube.wraps() && self.classes != Classes::None {
            Needs::new(2, "rings need two classes of VCs")
        } else {
            Needs::ONE
        })
    }

    fn on(&self, network: &Network) -> Result<Option<OnNetwork>, Misfit> {
        if network.grid().is_none()
            && let Some(joined) = Joined::of(network, self.order)
        {
            self.orders(joined.dimensions())?;
            return Ok(Some(Arc::new(joined)));
        }
        let given = || -> OnNetwork { Arc::new(InGivenOrder(*self)) };
        Ok((!self.order.is_ascending()).then(given))
    }

    fn reads_source(&self, wraps: bool) -> bool {
        wraps && matches!(self.classes, Classes::Dateline | Classes::Static | Classes::Random)
    }

    fn settles_routes(&self, wraps: bool) -> bool {
        // Random classes depend on random bits beyond ties.
        !wraps || !matches!(self.classes, Classes::None | Classes::Random)
    }

    fn bits_read(&self, on: &Prepared, source: Option<RouterId>, destination: RouterId) -> u64 {
        let ties = on.ties(source, destination);
        if !on.cube().wraps() || self.classes != Classes::Random {
            return ties;
        }
        let ring = |dimension| on.cube().is_ring(dimension);
        let drawn = on.dimensions(source, destination, |at, from, to| ring(at) && from != Some(to));
        ties | drawn << OWN_BIT
    }

    fn first_by_coordinates(&self, wraps: bool) -> bool {
        !self.reads_source(wraps)
    }

    #[expect(clippy::inline_always, reason = "measured: a call per decision otherwise")]
    #[inline(always)]
    fn straight(&self, head: Position<'_>) -> Option<Straight> {
        head.in_order(self.classes)
    }
}

impl DimensionOrder {
    /// Checks the number of dimensions in the given order.
    fn orders(self, dimensions: usize) -> Result<(), Misfit> {
        let given = self.order.dimensions().len();
        if given != 0 && given != dimensions {
            let what = format!("`order` has {given} dimensions, and the network has {dimensions}");
            return Misfit::because(what, "leave `order` out");
        }
        Ok(())
    }
}

/// Dimension order in an order that does not ascend. There is no table of first candidates.
#[derive(Clone, Copy, Debug)]
struct InGivenOrder(DimensionOrder);

impl Algorithm for InGivenOrder {
    const NAME: &'static str = DimensionOrder::NAME;
    const HELP: &'static str = DimensionOrder::HELP;
    const TIES: Ties = DimensionOrder::TIES;
    const STRAIGHT: bool = DimensionOrder::STRAIGHT;
    const BY_OFFSET: bool = DimensionOrder::BY_OFFSET;

    fn name(&self) -> &'static str {
        Algorithm::name(&self.0)
    }

    fn needs(&self, cube: &Cube) -> Result<Needs, Misfit> {
        self.0.needs(cube)
    }

    fn reads_source(&self, wraps: bool) -> bool {
        Algorithm::reads_source(&self.0, wraps)
    }

    fn settles_routes(&self, wraps: bool) -> bool {
        Algorithm::settles_routes(&self.0, wraps)
    }

    fn bits_read(&self, on: &Prepared, source: Option<RouterId>, destination: RouterId) -> u64 {
        Algorithm::bits_read(&self.0, on, source, destination)
    }

    fn straight(&self, head: Position<'_>) -> Option<Straight> {
        let (here, there) = (head.here(), head.there());
        let dimensions = self.0.order.dimensions().iter().map(|&it| usize::from(it));
        let mut coordinates = dimensions.map(|it| (it, here[it], there[it]));
        let first = coordinates.find(|(_, x, to)| x != to)?;
        Some(head.in_dimension(self.0.classes, first))
    }
}
