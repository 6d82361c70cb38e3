//! Repairs by virtual channels: every route keeps its links, in the first layer where no cycle closes.

use super::acyclic::{Acyclic, Edge};
use super::given::{PairList, Trees};
use super::{Entries, Mended, Unmended};
use crate::routing::CLASSES_MAX;
use crate::routing::rows::{Contents, GivenRoute, Rows};
use crate::topology::Network;

/// Layers, each with a graph of its own.
struct Layers {
    vertices: usize,
    graphs: Vec<Acyclic>,
}

impl Layers {
    /// The first layer in which dependencies close no cycle.
    fn first(&mut self, edges: &[Edge]) -> Option<usize> {
        if let Some(layer) = self.graphs.iter_mut().position(|graph| graph.add_all(edges)) {
            return Some(layer);
        }
        let mut graph = Acyclic::new(self.vertices);
        let fits = graph.add_all(edges);
        self.graphs.push(graph);
        fits.then_some(self.graphs.len() - 1)
    }
}

/// Gives every destination a layer.
pub(super) fn of_trees(network: &Network, given: &Trees) -> Result<Mended, Unmended> {
    let mut layers = Layers { vertices: network.links(), graphs: Vec::new() };
    let ends = given.destinations.iter().zip(&given.next);
    let layer = ends.map(|(&destination, next)| {
        let edges = Trees::edges(network, destination, next);
        let source = || network.host_routers().find(|&it| it != destination);
        let stranded =
            || Unmended::Stranded { source: source().unwrap_or(destination), destination };
        layers.first(&edges.ok_or_else(stranded)?).ok_or(Unmended::NoOrder)
    });
    let layer = layer.collect::<Result<Vec<usize>, Unmended>>()?;
    let count = within_limit(layers.graphs.len())?;
    let entries = |place: usize| given.next[place].iter().flatten().count();
    let moved = (0..layer.len()).filter(|&place| layer[place] > 0).map(entries).sum();
    Ok(Mended {
        rows: given.rows(|place| (count > 1).then(|| layer[place] as u8)),
        entries: Entries::Hops,
        changed: moved,
        all: given.len(),
        turns: Vec::new(),
        virtual_channels: count,
    })
}

/// Gives every route a layer above its classes.
pub(super) fn of_routes(network: &Network, given: &PairList) -> Result<Mended, Unmended> {
    let classes = given.classes;
    let vertices = network.links() * classes as usize;
    let mut layers = Layers { vertices, graphs: Vec::new() };
    let mut moved = 0;
    let mut routes = Vec::with_capacity(given.routes.len());
    for route in &given.routes {
        let edges = PairList::edges(&route.hops, classes);
        let layer = layers.first(&edges).ok_or(Unmended::NoOrder)?;
        within_limit(layers.graphs.len() * classes as usize)?;
        moved += usize::from(layer > 0);
        let above = layer as u8 * classes as u8;
        let hops = route.hops.iter().map(|&(link, class)| (link, class + above)).collect();
        routes.push(GivenRoute { hops, ..route.clone() });
    }
    let count = within_limit(layers.graphs.len() * classes as usize)?;
    Ok(Mended {
        entries: Entries::Routes,
        changed: moved,
        all: routes.len(),
        turns: Vec::new(),
        virtual_channels: count,
        rows: Rows::new(Contents::Routes(routes)),
    })
}

fn within_limit(layers: usize) -> Result<u32, Unmended> {
    if layers > CLASSES_MAX { Err(Unmended::NoLayer { layers }) } else { Ok(layers.max(1) as u32) }
}
